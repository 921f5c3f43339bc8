// Programs, their differences, and layouts as pictures.

// A line of code with the words marked that differ.
function marked(text, marks) {
  const parts = [];
  let run = "", on = false;
  words(text).forEach((word, i) => {
    const mark = marks[i] && word.trim() !== "";
    if (mark !== on) { parts.push(on ? el("mark", {}, run) : run); run = ""; on = mark; }
    run += word;
  });
  parts.push(on ? el("mark", {}, run) : run);
  return parts;
}

// A cell for a line of code. Very long ones, such as those of attributes, are wrapped.
const codeCell = (text, content) => el("td", {class: text.length > 140 ? "text long" : "text"}, content || text);

function diffRow(kind, sign, before, after, text, content) {
  return el("tr", {class: kind},
    el("td", {class: "number"}, before), el("td", {class: "number"}, after),
    el("td", {class: "sign"}, sign), codeCell(text, content));
}

// The rows of one change: what is removed and what replaces it; lines that are only indented anew
// are one row.
function changeRows(change, before, after) {
  const {removed, added, pairs: matched} = change;
  const rows = [];
  let minus = [], plus = [];
  const flush = () => { rows.push(...minus, ...plus); minus = []; plus = []; };
  const less = (i, marks) => minus.push(diffRow("less", "−", before + i, "", removed[i].text, marks));
  const more = (j, marks) => plus.push(diffRow("more", "+", "", after + j, added[j].text, marks));
  let i = 0, j = 0;
  for (const [p, q] of [...matched, [removed.length, added.length]]) {
    for (; i < p; ++i) less(i);
    for (; j < q; ++j) more(j);
    if (p === removed.length) break;
    const old = removed[p].text, now = added[q].text;
    if (old.trim() === now.trim()) {
      flush();
      rows.push(diffRow("shift", "›", before + p, after + q, now));
    } else {
      const [ours, theirs] = differingWords(old, now);
      less(p, marked(old, ours));
      more(q, marked(now, theirs));
    }
    ++i;
    ++j;
  }
  flush();
  return rows;
}

// A program and what replaces parts of it, with so many lines around each change.
function diffTable(lines, changes, context) {
  const body = el("tbody");
  let at = 0, shift = 0;
  const same = (from, to) => {
    for (let k = from; k < to; ++k) body.append(diffRow("same", "", k + 1, k + 1 + shift, lines[k].text));
  };
  const gap = (count) => count > 0 && body.append(el("tr", {class: "gap"},
    el("td", {colspan: 4}, "⋯ " + plural(count, "line"))));
  for (const change of changes) {
    const start = change.line - 1;
    if (start - at > 2 * context + 1 || (at === 0 && start > context + 1)) {
      same(at, at === 0 ? 0 : at + context);
      const from = at === 0 ? 0 : at + context;
      gap(start - context - from);
      same(start - context, start);
    } else {
      same(at, start);
    }
    body.append(...changeRows(change, change.line, change.line + shift));
    at = start + change.removed.length;
    shift += change.added.length - change.removed.length;
  }
  const end = lines.length - at > context + 1 ? at + context : lines.length;
  same(at, end);
  gap(lines.length - end);
  return el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Changes of the program"},
    el("table", {class: "diff"}, body));
}

// What leads from one program to another, by the lines that they share.
function changesBetween(before, after) {
  const kept = new Set(after);
  const out = [];
  let i = 0, j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) { ++i; ++j; continue; }
    const from = i, start = j;
    while (i < before.length && !kept.has(before[i])) ++i;
    while (j < after.length && after[j] !== before[i]) ++j;
    const removed = before.slice(from, i), added = after.slice(start, j);
    out.push({line: from + 1, removed, added,
      pairs: pairLines(removed.map((l) => l.text), added.map((l) => l.text))});
  }
  return out;
}

// A table of code that has so many lines, not all of them at once.
function codeTable(label, count, make) {
  const body = el("tbody");
  const around = el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": label},
    el("table", {class: "diff listing"}, body));
  return growing(count, 300, "line", make, body, around);
}

// A program whose lines have histories: `key` is "from" for the way back to the source, "into" for
// what became of a line. `told(line)`: who made a line, as elements.
function listing(lines, key, told) {
  return codeTable("Program", lines.length, (k) => {
    const line = lines[k];
    const all = history(line, key, 2000);
    const steps = new Set([...all.map((l) => l.step), line.step].filter((s) => s >= 0 &&
      (key === "from" || s !== line.step))).size;
    const button = el("button", {type: "button", class: "history", "aria-expanded": "false",
      "aria-label": "Line " + (k + 1) + ": " + plural(steps, "step") + (key === "from" ? " made it" : " changed it")},
      steps === 0 ? "" : steps);
    const row = el("tr", {class: steps === 0 ? "same" : "changed"},
      el("td", {class: "number"}, k + 1), el("td", {class: "sign"}, button),
      codeCell(line.text));
    let below = null;
    button.addEventListener("click", () => {
      button.setAttribute("aria-expanded", below === null ? "true" : "false");
      if (below !== null) { below.remove(); below = null; return; }
      const entries = key === "from" ? [line, ...all] : all;
      below = el("tr", {class: "past"}, el("td", {colspan: 3}, entries.length === 0
        ? el("p", {}, key === "from" ? "As it is in the source." : "It is in the final program as it is here.")
        : el("ol", {}, entries.slice(0, 200).map((l) =>
          el("li", {}, el("span", {class: "who"}, told(l)), code(l.text.trim()))))));
      row.after(below);
    });
    return row;
  });
}

// --- layouts -----------------------------------------------------------------------------------------

const list = (indices) => "[" + indices.join(", ") + "]";

function cellSize(columns, longest) {
  if (columns > 40) return [11, 11, false];
  const width = Math.max(22, 7 * longest + 8);
  return columns * width <= 1000 ? [width, 24, true] : [14, 14, false];
}

// One parameter's cells as they are stored: a row along the last dimension.
function picture(layout) {
  const columns = layout.rows[0].cells.length;
  let longest = 1, widest = 0;
  for (const row of layout.rows) {
    widest = Math.max(widest, row.at.length === 0 ? 0 : row.at.join(", ").length + 3);
    for (const cell of row.cells) {
      if (Array.isArray(cell)) longest = Math.max(longest, cell.join(",").length);
    }
  }
  const [width, height, labels] = cellSize(columns, longest);
  const left = widest === 0 ? 4 : 7 * widest + 10;
  const top = labels ? 18 : 4;
  const group = (at) => at.length < 2 ? 0 : at[at.length - 2];
  const out = svg("g");
  let y = top;
  if (labels) {
    for (let c = 0; c < columns; ++c) {
      out.append(svg("text", {x: left + (c + 0.5) * width, y: 12, class: "axis"}, c));
    }
  }
  layout.rows.forEach((row, r) => {
    const before = layout.rows[r - 1];
    const skipped = layout.all_rows > layout.rows.length && r === layout.rows.length / 2;
    if (skipped) {
      out.append(svg("text", {x: left, y: y + 13, class: "axis start"},
        "⋯ " + plural(layout.all_rows - layout.rows.length, "row")));
      y += 20;
    } else if (before && group(before.at) !== group(row.at)) {
      y += 6;
    }
    if (row.at.length > 0) {
      out.append(svg("text", {x: left - 6, y: y + height / 2 + 4, class: "axis end"}, "[" + row.at.join(", ") + "]"));
    }
    row.cells.forEach((cell, c) => {
      const data = Array.isArray(cell);
      const odd = data && cell.length > 1 && cell[cell.length - 2] % 2 === 1;
      const x = left + c * width;
      const title = "stored at " + list([...row.at, c]) + ": " +
        (data ? "cell " + list(cell) : "padding, " + holds(layout, cell));
      out.append(svg("rect", {x, y, width: width - 1, height: height - 1,
        class: data ? (odd ? "data odd" : "data") : "padding p" + (cell % 3)}, svg("title", {}, title)));
      if (labels) {
        out.append(svg("text", {x: x + width / 2 - 0.5, y: y + height / 2 + 4, class: data ? "cell" : "cell hole"},
          data ? cell.join(",") : "·"));
      }
    });
    y += height;
  });
  const all = svg("svg", {width: left + columns * width + 4, height: y + 4, role: "img",
    "aria-label": "Stored cells of " + layout.buffer}, out);
  return el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Cells of " + layout.buffer}, all);
}

function holds(layout, relation) {
  const padding = layout.padding[relation];
  return padding.holds + (padding.by === "" ? "" : " (by " + padding.by + ")");
}

function layoutCard(layout) {
  const legend = el("ul", {class: "legend"},
    el("li", {}, el("span", {class: "swatch data"}), "cells of " + layout.buffer + ", by their logical indices"));
  const used = new Set(layout.rows ? layout.rows.flatMap((r) => r.cells.filter((c) => !Array.isArray(c))) : []);
  for (const k of [...used].sort((a, b) => a - b)) {
    legend.append(el("li", {}, el("span", {class: "swatch padding p" + (k % 3)}), "padding: " + holds(layout, k)));
  }
  const columns = layout.rows && layout.all_columns > layout.rows[0].cells.length
    ? "the first " + layout.rows[0].cells.length + " of " + layout.all_columns + " columns" : "";
  return el("article", {class: "layout"},
    el("h3", {}, code(layout.buffer), " ", el("span", {class: "shapes"}, "(" + layout.logical.join(", ") + ")",
      " stored as ", "(" + layout.physical.join(", ") + ")")),
    layout.words.map((w) => el("p", {class: "relation"}, code(w))),
    layout.rows ? [picture(layout), legend] : el("p", {}, "There is no picture: its sizes are not known."),
    layout.sizes || columns ? el("p", {class: "hint"}, [layout.sizes && "drawn for " + layout.sizes, columns]
      .filter(Boolean).join("; ")) : null);
}
