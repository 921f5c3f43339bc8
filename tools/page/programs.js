// The programs between the steps, rebuilt from the edits that a log has: the source in full, and of
// each step [line, removed, added] (docs/proof-log.md). A line is an object that later programs share
// as long as no edit touches it:
//   {text, step: its step, or -1: of the source; at: its number there; from: [lines it replaces],
//    into: [lines that replace it], fresh: those it comes from only stood where it stands}

const WORDS = /\w+|\s+|[^\w\s]/g;
const words = (text) => text.match(WORDS) || [];

// How much two lines are alike, from 0 to 1: twice the common words by all of them.
function likeness(a, b) {
  if (a.trim() === b.trim()) return 1;
  const count = new Map();
  const of = (text) => words(text.trim()).filter((w) => w.trim() !== "");
  const left = of(a), right = of(b);
  for (const w of left) count.set(w, (count.get(w) || 0) + 1);
  let common = 0;
  for (const w of right) {
    const n = count.get(w) || 0;
    if (n > 0) { ++common; count.set(w, n - 1); }
  }
  return (2 * common) / Math.max(1, left.length + right.length);
}

// Which removed lines became which added ones, in order: pairs [removed, added] of indices. Lines
// that are less than half alike are no pair. Large edits are paired in order only.
function pairLines(removed, added) {
  const n = removed.length, m = added.length;
  if (n * m > 40000) return n === m ? removed.map((_, i) => [i, i]) : [];
  const best = Array.from({length: n + 1}, () => new Float64Array(m + 1));
  const like = removed.map((r) => added.map((a) => likeness(r, a)));
  for (let i = n - 1; i >= 0; --i) {
    for (let j = m - 1; j >= 0; --j) {
      const both = like[i][j] >= 0.5 ? like[i][j] + best[i + 1][j + 1] : 0;
      best[i][j] = Math.max(best[i + 1][j], best[i][j + 1], both);
    }
  }
  const out = [];
  for (let i = 0, j = 0; i < n && j < m;) {
    if (like[i][j] >= 0.5 && best[i][j] === like[i][j] + best[i + 1][j + 1]) out.push([i++, j++]);
    else if (best[i][j] === best[i + 1][j]) ++i;
    else ++j;
  }
  return out;
}

const linesOf = (text) => text === "" ? [] : text.replace(/\n$/, "").split("\n");

class Programs {
  constructor(source, steps) {
    this.steps = steps;
    this.broken = null;  // why the edits cannot be followed from some step on
    this.kept = [linesOf(source).map((text, i) => ({text, step: -1, at: i + 1, from: [], into: []}))];
    this.every = 64;     // kept[k] is the program after every * k steps
    this.done = 0;
    this.front = [...this.kept[0]];  // the program after so many steps
    this.last = this.kept[0];
    this.last_of = -1;
    this.changes = [];   // of each step: [{line, removed: [lines], added: [lines], pairs}]
  }

  // The program after a step; -1: the source. What earlier steps make is made before.
  after(step) {
    while (this.done <= step && this.broken === null) this.next();
    if (step < 0) return this.kept[0];
    const from = Math.min(Math.floor((step + 1) / this.every), this.kept.length - 1);
    let lines = this.kept[from];
    let k = from * this.every;
    if (this.last_of <= step && this.last_of + 1 >= k) { lines = this.last; k = this.last_of + 1; }
    for (; k <= step && k < this.changes.length; ++k) lines = this.replaced(lines, this.changes[k]);
    this.last = lines;
    this.last_of = step;
    return lines;
  }

  replaced(lines, changes) {
    const out = [];
    let at = 0;
    for (const c of changes) {
      for (; at < c.line - 1; ++at) out.push(lines[at]);
      for (const line of c.added) out.push(line);
      at += c.removed.length;
    }
    for (; at < lines.length; ++at) out.push(lines[at]);
    return out;
  }

  next() {
    const step = this.done;
    const edits = this.steps[step].edits;
    const before = this.front;
    if (edits === null) { this.broken = "the edits of step " + (step + 1) + " cannot be read"; return; }
    const changes = [];
    let shift = 0, end = 0;
    for (const [line, count, text] of edits) {
      if (line < 1 || line - 1 < end || line - 1 + count > before.length) {
        this.broken = "the edits of step " + (step + 1) + " do not fit its program";
        return;
      }
      end = line - 1 + count;
      const removed = before.slice(line - 1, end);
      const texts = linesOf(text);
      const added = texts.map((t, i) => ({text: t, step, at: line + shift + i, from: [], into: []}));
      const change = {line, removed, added, pairs: pairLines(removed.map((l) => l.text), texts)};
      link(change);
      changes.push(change);
      shift += added.length - count;
    }
    this.changes.push(changes);
    for (const c of [...changes].reverse()) this.front.splice(c.line - 1, c.removed.length, ...c.added);
    ++this.done;
    if (this.done % this.every === 0) this.kept.push([...this.front]);
  }
}

// Says of each line of a change what it comes from. A line without a partner comes from the removed
// ones that have none either, or from the nearest that has one.
function link(change) {
  const {removed, added, pairs: matched} = change;
  const partner = new Map(matched.map(([i, j]) => [j, i]));
  const taken = new Set(matched.map(([i]) => i));
  const free = removed.filter((_, i) => !taken.has(i));
  let nearest = matched.length > 0 ? matched[0][0] : -1;
  added.forEach((line, j) => {
    if (partner.has(j)) {
      nearest = partner.get(j);
      line.from = [removed[nearest]];
    } else if (free.length > 0) {
      line.fresh = true;
      line.from = free;
    } else if (nearest >= 0) {
      line.fresh = true;
      line.from = [removed[nearest]];
    }
    for (const old of line.from) old.into.push(line);
  });
}

// All lines that a line comes from (key "from") or becomes (key "into"), nearest first.
function history(line, key, most) {
  const seen = new Set([line]);
  const queue = [line];
  for (let k = 0; k < queue.length && queue.length < most; ++k) {
    for (const next of queue[k][key]) {
      if (!seen.has(next)) { seen.add(next); queue.push(next); }
    }
  }
  const sign = key === "from" ? 1 : -1;
  return queue.slice(1).sort((a, b) => sign * (b.step - a.step) || a.at - b.at);
}

// Which words of two lines are common: [marks of a, marks of b], true where a word differs.
function differingWords(a, b) {
  const left = words(a), right = words(b);
  if (left.length * right.length > 90000) return [left.map(() => true), right.map(() => true)];
  const n = left.length, m = right.length;
  const length = Array.from({length: n + 1}, () => new Uint16Array(m + 1));
  for (let i = n - 1; i >= 0; --i) {
    for (let j = m - 1; j >= 0; --j) {
      length[i][j] = left[i] === right[j] ? length[i + 1][j + 1] + 1
        : Math.max(length[i + 1][j], length[i][j + 1]);
    }
  }
  const ours = left.map(() => true), theirs = right.map(() => true);
  for (let i = 0, j = 0; i < n && j < m;) {
    if (left[i] === right[j]) { ours[i++] = false; theirs[j++] = false; }
    else if (length[i + 1][j] >= length[i][j + 1]) ++i;
    else ++j;
  }
  return [ours, theirs];
}
