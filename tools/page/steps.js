// What the page is about, as the writer of the page gives it (tools/page/record.h):
//   steps: [{rule, site, args, edits, licences, before, after, owes: [{purpose, kind, site, buffer,
//            check}], validation}], obligations: what `check` counts, schedule: {text, imported, calls},
//   refusals, layouts, source; difference: edits of the source, where there are no steps.

const DATA = JSON.parse(document.getElementById("data").textContent);
const STEPS = DATA.steps || [];
const OBLIGATIONS = DATA.obligations || [];
const CALLS = (DATA.schedule && DATA.schedule.calls) || [];
const SCHEDULE = linesOf((DATA.schedule && DATA.schedule.text) || "");
const PROGRAMS = new Programs(DATA.source || "", DATA.difference ? [{edits: DATA.difference}] : STEPS);

let read_texts = null;
function texts() {
  if (read_texts === null) read_texts = JSON.parse(document.getElementById("texts").textContent);
  return read_texts;
}

// The call of the schedule that each step belongs to.
const CALL_OF = [];
for (const call of CALLS) for (let k = 0; k < call.steps; ++k) CALL_OF.push(call);

function callText(call) {
  const file = call.file === "" ? SCHEDULE
    : linesOf(((DATA.schedule.imported || []).find((f) => f.name === call.file) || {text: ""}).text);
  return call.line > 0 && call.line <= file.length ? file[call.line - 1].trim() : "";
}

function callPlace(call) {
  if (call.line === 0) return call.name === "lower" ? "lowering" : call.name;
  const place = (call.file === "" ? "schedule line " : call.file + " line ") + call.line;
  return call.caller > 0 ? place + ", called from schedule line " + call.caller : place;
}

// The call that ended the schedule, with its line and a caret; null: none did.
function refusedCall() {
  const call = CALLS.find((c) => c.refused);
  if (!call) return null;
  const text = callText(call);
  return el("article", {class: "refusal"}, el("h3", {}, badge("REFUSED", "bad"), " ", call.name),
    el("p", {class: "message"}, "The schedule ended here: ", callPlace(call), "."),
    text && el("pre", {class: "excerpt", tabindex: 0, role: "region", "aria-label": "Place"}, text + "\n^"));
}

const stepLink = (k) => el("a", {href: "#step-" + (k + 1)}, "step " + (k + 1));

// --- obligations -------------------------------------------------------------------------------------

const USES = OBLIGATIONS.map(() => []);
STEPS.forEach((step, k) => {
  for (const o of step.owes) if (o.check !== null && USES[o.check].at(-1) !== k) USES[o.check].push(k);
});

function verdictOf(k) { return k === null ? "NOT CHECKED" : OBLIGATIONS[k].verdict; }
function gradeOf(k) { return k !== null && OBLIGATIONS[k].grade > 0 ? "E" + OBLIGATIONS[k].grade : ""; }

function solverText(answer) {
  if (!answer) return "not asked";
  return answer.verdict + (answer.verdict !== "PROVED" && answer.why ? " (" + answer.why + ")" : "");
}

function certificateText(answer) {
  if (!answer) return "none";
  return answer.accepted ? "accepted, " + plural(answer.steps, "step") : "rejected (" + answer.why + ")";
}

// Where the audit measured it (--times).
function timeText(o) {
  if (o.microseconds === undefined) return null;
  return o.microseconds < 10000 ? (o.microseconds / 1000).toFixed(1) + " ms"
    : o.microseconds < 1e6 ? Math.round(o.microseconds / 1000) + " ms" : (o.microseconds / 1e6).toFixed(1) + " s";
}

const FACTS = {
  contradictory: "contradict each other: no run reaches this place, and the obligation holds there",
  satisfiable: "can hold",
};

// A claim in the program's names, and its SMT-LIB text.
function claim(k) {
  const all = texts();
  const c = all && all.claims[k];
  if (!c) {
    return all && all.left_out > 0
      ? el("p", {class: "hint"}, "Its text is not in this page, which holds at most " + all.most / 1048576 +
        " MiB of texts. `proviso log cat LOG " + OBLIGATIONS[k].id + "` prints it.")
      : null;
  }
  return [
    el("div", {class: "claim"},
      c.facts.length === 0 ? null : [el("p", {class: "hint"}, "Wherever"),
        el("ul", {class: "facts"}, c.facts.map((f) => el("li", {}, code(all.facts[f]))))],
      el("p", {class: "hint"}, c.facts.length === 0 ? "Always" : "there holds"),
      el("p", {class: "goal"}, code(c.goal))),
    c.smt ? lazy({class: "smt"}, "SMT-LIB text", () =>
      el("pre", {tabindex: 0, role: "region", "aria-label": "SMT-LIB text"}, c.smt)) : null,
  ];
}

function obligationBody(owed, k) {
  if (k === null) return el("p", {class: "hint"}, "The audit did not get as far as this obligation.");
  const o = OBLIGATIONS[k];
  return [
    claim(k),
    pairs([
      ["kind", owed.kind || o.kind], ["at", (owed.site || o.site) && code(owed.site || o.site)],
      ["buffer", (owed.buffer || o.buffer) && code(owed.buffer || o.buffer)],
      ["proved by", o.by],
      ["certificate", "certificate" in o && certificateText(o.certificate)],
      ["Z3", "z3" in o && solverText(o.z3)], ["cvc5", "cvc5" in o && solverText(o.cvc5)],
      ["time", timeText(o)],
      ["facts", o.facts && (FACTS[o.facts] || o.facts)],
      ["owed by", USES[k].slice(0, 40).flatMap((s, i) => [i > 0 ? ", " : "", stepLink(s)])
        .concat(USES[k].length > 40 ? " and " + (USES[k].length - 40) + " more" : [])],
      ["id", code(o.id, "hash")],
    ]),
  ];
}

function obligation(owed) {
  const k = owed.check;
  return lazy({class: "obligation"},
    [badge(verdictOf(k)), gradeOf(k) && el("span", {class: "grade"}, gradeOf(k)),
      k !== null && timeText(OBLIGATIONS[k]) && el("span", {class: "grade"}, timeText(OBLIGATIONS[k])),
      el("span", {class: "purpose"}, short(owed.purpose))],
    () => obligationBody(owed, k));
}

// --- steps -------------------------------------------------------------------------------------------

function argument(value) {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((v) => typeof v !== "object")) return value.join(", ");
  return JSON.stringify(value, null, 1);
}

function argumentPairs(args) {
  if (args === null || typeof args !== "object" || Array.isArray(args)) {
    return args === null ? [] : [["arguments", code(JSON.stringify(args))]];
  }
  return Object.entries(args).map(([key, value]) => {
    const text = argument(value);
    return [key, text.includes("\n") ? el("pre", {class: "argument"}, text) : code(text)];
  });
}

function stepDiff(k) {
  PROGRAMS.after(k);
  if (PROGRAMS.changes.length <= k) {
    return el("p", {class: "warning"}, "No difference can be shown: " + PROGRAMS.broken + ".");
  }
  const before = PROGRAMS.after(k - 1);
  const part = el("div", {}, diffTable(before, PROGRAMS.changes[k], 3));
  let whole = false;
  const button = el("button", {type: "button", "aria-pressed": "false", onclick: () => {
    whole = !whole;
    button.setAttribute("aria-pressed", String(whole));
    part.replaceChildren(diffTable(before, PROGRAMS.changes[k], whole ? before.length : 3));
  }}, "Whole program");
  return [el("div", {class: "heading"}, el("h4", {}, "Program"), button), part];
}

function stepBody(k) {
  const step = STEPS[k];
  const v = step.validation;
  return [
    stepDiff(k),
    step.owes.length > 0 && el("div", {class: "heading"}, el("h4", {}, "Obligations")),
    step.owes.map(obligation),
    el("div", {class: "heading"}, el("h4", {}, "Details")),
    pairs([
      ["rule", code(step.rule)], ["at", code(step.site)],
      ...argumentPairs(step.args),
      ["licences", step.licences.join(", ")],
      ["validation", v && [badge(v.verdict), " ",
        [v.sizes && "at " + v.sizes, v.cells > 0 && plural(v.cells, "cell") + " compared", v.what]
          .filter(Boolean).join("; ")]],
      ["gives", step.after && code(step.after, "hash")],
    ]),
  ];
}

// The worst of a step's obligations and of its validation.
function stepVerdict(step) {
  const all = step.owes.map((o) => verdictOf(o.check));
  if (step.validation && step.validation.verdict === "REFUTED") return "REFUTED";
  for (const v of ["REFUTED", "UNKNOWN", "NOT CHECKED"]) if (all.includes(v)) return v;
  return DATA.confirmed === false ? "NOT CHECKED" : "PROVED";
}

function changed(step) {
  if (step.edits === null) return "";
  let less = 0, more = 0;
  for (const [, count, text] of step.edits) { less += count; more += linesOf(text).length; }
  return el("span", {class: "size", title: more + " lines added, " + less + " removed"},
    el("span", {class: "plus"}, "+" + more), " ", el("span", {class: "minus"}, "−" + less));
}

function stepRow(k) {
  const step = STEPS[k];
  const out = lazy({class: "step", id: "step-" + (k + 1)}, [
    el("span", {class: "index"}, k + 1), el("span", {class: "rule"}, step.rule),
    el("span", {class: "site", title: step.site}, short(step.site)),
    changed(step),
    el("span", {class: "owes"}, step.owes.length === 0 ? "" : plural(step.owes.length, "obligation")),
    step.validation ? el("span", {class: "checked", title: "translation validation"}, step.validation.verdict) : null,
    badge(stepVerdict(step)),
  ], () => el("div", {class: "body"}, stepBody(k)));
  return out;
}

// --- refusals ----------------------------------------------------------------------------------------

// A browser needs long to break one word of many lines.
function shortened(text) {
  const most = 4000;
  if (!text || text.length <= most) return text;
  return text.slice(0, most) + "\u2026 (" + (text.length - most) + " more characters, in the log)";
}

function refusal(r) {
  const o = r.obligation;
  return el("article", {class: "refusal"},
    el("h3", {}, r.title ? [badge(r.verdict || "REFUSED", "bad"), " ", r.title]
      : [badge(o ? o.verdict : "REFUSED", o ? tone(o.verdict) : "bad"), " ", code(r.rule), " at ", code(short(r.site))]),
    el("p", {class: "message"}, shortened(r.message)),
    r.excerpt && el("pre", {class: "excerpt", tabindex: 0, role: "region", "aria-label": "Place"}, r.excerpt),
    (r.notes || []).map((n) => n.includes("\n")
      ? el("pre", {class: "excerpt", tabindex: 0, role: "region", "aria-label": "Note"}, n) : el("p", {class: "message"}, n)),
    o && el("p", {}, "It would owe: ", el("em", {}, o.purpose), o.why && o.verdict !== "REFUTED" ? " (" + o.why + ")" : ""),
    o && o.model.length > 0 && [el("p", {class: "hint"}, "Values that break it"),
      el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Values"}, el("table", {class: "values"}, el("tbody", {},
        o.model.map((v) => el("tr", {}, el("th", {scope: "row"}, code(v.name)), el("td", {}, code(v.value)))))))],
    r.hint && el("p", {class: "hint"}, "Hint: ", r.hint),
    r.rule && !r.title && Object.keys(r.args || {}).length > 0 && lazy({}, "Arguments", () => pairs(argumentPairs(r.args))));
}
