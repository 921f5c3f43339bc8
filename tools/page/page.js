// The page itself: its sections, the filters, and the keys.

function section(id, ...content) {
  const out = document.getElementById(id);
  add(out.querySelector(".content"), content);
  out.hidden = false;
}

const told = (line) => line.step < 0 ? "source, line " + line.at : STEPS.length === 0 ? "AFTER, line " + line.at
  : [stepLink(line.step), " ", code(STEPS[line.step].rule),
    CALL_OF[line.step] ? " · " + callPlace(CALL_OF[line.step]) : "",
    line.fresh ? " · a new line, in the place of what follows" : ""];

// --- programs ----------------------------------------------------------------------------------------

function programs() {
  if (!DATA.source) return;
  const last = PROGRAMS.after(PROGRAMS.steps.length - 1);
  const source = PROGRAMS.after(-1);
  const place = el("div");
  const [final, first] = DATA.difference ? ["After", "Before"] : ["Final", "Source"];
  const views = [
    [final, "The number beside a line says how many steps made it. Press it for the line's history.",
      () => listing(last, "from", told)],
    ["Changes", "From the first program to the last.",
      () => diffTable(source, changesBetween(source, last), 3)],
    [first, "The number beside a line says how many steps changed it. Press it for what became of it.",
      () => listing(source, "into", told)],
  ];
  const buttons = views.map(([name, hint, make]) => el("button", {type: "button", "aria-pressed": "false",
    onclick: (e) => {
      for (const b of buttons) b.setAttribute("aria-pressed", String(b === e.currentTarget));
      place.replaceChildren(el("p", {class: "hint"}, hint), ...[make()].flat());
    }}, name));
  section("program", el("div", {class: "tabs", role: "group", "aria-label": "View"}, buttons),
    PROGRAMS.broken ? el("p", {class: "warning"}, "Not all programs can be shown: " + PROGRAMS.broken + ".") : null,
    place);
  buttons[0].click();
}

function schedule() {
  if (SCHEDULE.length === 0) return;
  const count = new Map(), first = new Map();
  let at = 0;
  for (const call of CALLS) {
    const line = call.file === "" ? call.line : call.caller;
    if (line > 0 && call.steps > 0) {
      count.set(line, (count.get(line) || 0) + call.steps);
      if (!first.has(line)) first.set(line, at);
    }
    at += call.steps;
  }
  section("schedule",
    CALLS.length > 0 ? null : el("p", {class: "hint"}, "The log does not say which call took which step."),
    codeTable("Schedule", SCHEDULE.length, (k) => {
      const n = count.get(k + 1);
      return el("tr", {id: "schedule-" + (k + 1), class: n ? "changed" : "same"}, el("td", {class: "number"}, k + 1),
        codeCell(SCHEDULE[k]),
        el("td", {class: "steps"}, n ? el("a", {href: "#step-" + (first.get(k + 1) + 1)}, plural(n, "step")) : ""));
    }),
    (DATA.schedule.imported || []).map((f) => lazy({}, "Imported: " + f.name, () =>
      el("pre", {tabindex: 0, role: "region", "aria-label": f.name}, f.text))));
}

// --- steps, obligations, filters ---------------------------------------------------------------------

const FILTERS = {text: "", rule: "", verdict: "", validation: ""};
const ROWS = [];    // of the steps
const GROUPS = [];  // {head, from, to}

function steps() {
  const list = el("div", {class: "steps"});
  for (let k = 0; k < STEPS.length;) {
    const call = CALL_OF[k];
    let end = k + 1;
    while (end < STEPS.length && CALL_OF[end] === call) ++end;
    const text = call ? callText(call) : "";
    const head = el("h3", {class: "call"},
      call ? (call.line > 0 && call.file === "" ? el("a", {href: "#schedule-" + call.line}, callPlace(call))
        : el("span", {}, callPlace(call))) : el("span", {}, CALLS.length > 0 ? "lowering" : "all steps"),
      text && code(text), el("span", {class: "size"}, plural(end - k, "step")));
    list.append(head);
    GROUPS.push({head, from: k, to: end});
    for (; k < end; ++k) { ROWS.push(stepRow(k)); list.append(ROWS[k]); }
  }
  section("steps", DATA.confirmed === false
    ? el("p", {class: "warning"}, "The audit did not confirm these steps: they are shown as the log has them.") : null,
    STEPS.length === 0 ? el("p", {}, "There is none: both programs are the same.") : list);
}

const searched = new Map();
function haystack(k) {
  if (!searched.has(k)) {
    const s = STEPS[k];
    searched.set(k, [s.rule, s.site, JSON.stringify(s.args), CALL_OF[k] ? callText(CALL_OF[k]) : "",
      ...s.owes.flatMap((o) => [o.purpose, o.buffer]), ...(s.edits || []).map((e) => e[2])].join("\n").toLowerCase());
  }
  return searched.get(k);
}

function obligationFits(k) {
  const o = OBLIGATIONS[k];
  switch (FILTERS.verdict) {
    case "open": return o.verdict !== "PROVED";
    case "certificate": return o.grade === 3;
    case "solvers": return o.verdict === "PROVED" && o.grade < 3;
    case "vacuous": return o.facts === "contradictory";
    default: return true;
  }
}

function stepFits(k) {
  const s = STEPS[k];
  if (FILTERS.rule !== "" && s.rule !== FILTERS.rule) return false;
  if (FILTERS.verdict !== "" && !s.owes.some((o) => o.check === null ? FILTERS.verdict === "open" : obligationFits(o.check))) {
    return false;
  }
  const validated = s.validation ? s.validation.verdict : "UNKNOWN";
  if (FILTERS.validation !== "" && validated !== FILTERS.validation) return false;
  return FILTERS.text === "" || haystack(k).includes(FILTERS.text);
}

function obligations() {
  if (OBLIGATIONS.length === 0) return () => 0;
  const place = el("div");
  section("obligations", el("p", {class: "hint"}, "Each once, however many steps owe it."), place);
  return () => {
    const shown = OBLIGATIONS.map((_, k) => k).filter((k) => obligationFits(k) &&
      (FILTERS.rule === "" || USES[k].some((s) => STEPS[s].rule === FILTERS.rule)) &&
      (FILTERS.text === "" || (OBLIGATIONS[k].purpose + "\n" + OBLIGATIONS[k].id).toLowerCase().includes(FILTERS.text)));
    place.replaceChildren(...growing(shown.length, 100, "obligation", (i) =>
      obligation({...OBLIGATIONS[shown[i]], check: shown[i]})));
    return shown.length;
  };
}

function select(label, key, options, changed) {
  const out = el("select", {"aria-label": label, onchange: () => { FILTERS[key] = out.value; changed(); }},
    options.map(([value, text]) => el("option", {value}, text)));
  return out;
}

function filters(showObligations) {
  if (STEPS.length === 0) { showObligations(); return () => {}; }
  const rules = new Map();
  for (const s of STEPS) rules.set(s.rule, (rules.get(s.rule) || 0) + 1);
  const count = el("p", {class: "count", role: "status"});
  const update = () => {
    let shown = 0;
    const any = GROUPS.map(() => false);
    GROUPS.forEach((group, g) => {
      for (let k = group.from; k < group.to; ++k) {
        const fits = stepFits(k);
        ROWS[k].hidden = !fits;
        if (fits) { ++shown; any[g] = true; }
      }
      group.head.hidden = !any[g];
    });
    const owed = showObligations();
    count.textContent = shown + " of " + plural(STEPS.length, "step") +
      (OBLIGATIONS.length > 0 ? ", " + owed + " of " + plural(OBLIGATIONS.length, "obligation") : "");
  };
  let waiting = 0;
  const search = el("input", {type: "search", id: "search", placeholder: "Search steps and obligations",
    "aria-label": "Search steps and obligations", autocomplete: "off", spellcheck: "false",
    oninput: () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { FILTERS.text = search.value.toLowerCase(); update(); }, 80);
    }});
  const validated = STEPS.some((s) => s.validation);
  const choices = [
    select("Rule", "rule", [["", "any rule"], ...[...rules].sort((a, b) => b[1] - a[1])
      .map(([rule, n]) => [rule, rule + " (" + n + ")"])], update),
    OBLIGATIONS.length > 0 && select("Evidence", "verdict", [["", "any evidence"], ["open", "not proved"],
      ["certificate", "by certificate"], ["solvers", "without certificate"], ["vacuous", "place not reached"]], update),
    validated && select("Validation", "validation", [["", "any validation"], ["BOUNDED", "validated"],
      ["UNKNOWN", "not validated"], ["REFUTED", "refuted"]], update),
  ].filter(Boolean);
  const clear = () => {
    search.value = "";
    Object.assign(FILTERS, {text: "", rule: "", verdict: "", validation: ""});
    for (const c of choices) c.value = "";
    update();
  };
  const place = document.getElementById("filters");
  add(place, [search, choices, el("button", {type: "button", onclick: clear}, "Clear"), count]);
  place.hidden = false;
  update();
  return clear;
}

// --- places, keys, colours ---------------------------------------------------------------------------

function goTo(clear) {
  const line = /^#(schedule-\d+)$/.exec(location.hash);
  const more = document.querySelector("#schedule .grow");
  while (line && more && !document.getElementById(line[1]) && !more.hidden) more.click();
  if (line) document.getElementById(line[1])?.scrollIntoView({block: "center"});
  const match = /^#step-(\d+)$/.exec(location.hash);
  const row = match && ROWS[match[1] - 1];
  if (!row) return;
  if (row.hidden) clear();
  open(row);
  row.scrollIntoView({block: "start"});
  row.querySelector("summary").focus({preventScroll: true});
}

function nextStep(by) {
  const shown = ROWS.filter((r) => !r.hidden);
  if (shown.length === 0) return;
  const here = document.activeElement && document.activeElement.closest(".step");
  let at = shown.indexOf(here);
  at = at < 0 ? (by > 0 ? 0 : shown.length - 1) : Math.min(shown.length - 1, Math.max(0, at + by));
  const summary = shown[at].querySelector("summary");
  summary.focus({preventScroll: true});
  shown[at].scrollIntoView({block: "nearest"});
}

const KEYS = [["/", "search"], ["j", "next step"], ["k", "previous step"], ["o", "open or close the step"],
  ["x", "close all steps"], ["t", "light or dark"], ["?", "these keys"], ["Esc", "leave the search; close this"]];

function keys(theme) {
  const help = document.getElementById("help");
  const show = () => help.showModal();
  add(help, [el("h2", {id: "help-title"}, "Keys"),
    el("dl", {class: "pairs"}, KEYS.flatMap(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)])),
    el("button", {type: "button", onclick: () => help.close()}, "Close")]);
  document.getElementById("keys").addEventListener("click", show);
  document.addEventListener("keydown", (e) => {
    const typing = e.target.matches("input, select, textarea");
    if (typing && e.key === "Escape") { e.target.blur(); return; }
    if (typing || help.open || e.ctrlKey || e.metaKey || e.altKey) return;
    const step = document.activeElement && document.activeElement.closest(".step");
    const does = {
      "/": () => document.getElementById("search")?.focus(),
      "j": () => nextStep(1), "k": () => nextStep(-1),
      "o": () => step && (step.open ? (step.open = false) : open(step)),
      "x": () => ROWS.forEach((r) => { r.open = false; }),
      "t": theme, "?": show,
    }[e.key];
    if (!does) return;
    e.preventDefault();
    does();
  });
}

function colours() {
  const button = document.getElementById("theme");
  const dark = () => document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const name = () => { button.textContent = dark() ? "Light" : "Dark"; };
  const toggle = () => { document.documentElement.dataset.theme = dark() ? "light" : "dark"; name(); };
  button.addEventListener("click", toggle);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  document.getElementById("tools").hidden = false;
  name();
  return toggle;
}

// What sticks to the top below the head, and places that are gone to, leave room for it.
function room() {
  const measure = () => {
    const sticks = getComputedStyle(document.querySelector(".top")).position === "sticky";
    const height = (e) => sticks ? e.getBoundingClientRect().height : 0;
    const style = document.documentElement.style;
    style.setProperty("--head", height(document.querySelector(".top")) + "px");
    style.setProperty("--filters", height(document.getElementById("filters")) + "px");
  };
  new ResizeObserver(measure).observe(document.body);
  measure();
}

function navigation() {
  const nav = document.getElementById("nav");
  const numbers = {steps: STEPS.length, obligations: OBLIGATIONS.length, refusals: (DATA.refusals || []).length};
  for (const s of document.querySelectorAll("main > section:not([hidden])")) {
    if (s.id === "words") continue;
    const title = s.querySelector("h2").textContent;
    nav.append(el("a", {href: "#" + s.id}, title, numbers[s.id] > 0 ? el("span", {class: "number"}, numbers[s.id]) : null));
  }
}

function start() {
  const refused = DATA.refused || CALLS.some((c) => c.refused);
  if (refused) document.getElementById("theorem").after(document.getElementById("refusals"));
  if (refused || (DATA.refusals || []).length > 0) {
    section("refusals", DATA.refused ? null : refusedCall(), growing((DATA.refusals || []).length, 20, "refusal", (k) => refusal(DATA.refusals[k])));
  }
  if ((DATA.layouts || []).length > 0) section("layouts", DATA.layouts.map(layoutCard));
  programs();
  schedule();
  if (DATA.steps && !(DATA.refused && STEPS.length === 0)) steps();
  const clear = filters(obligations());
  navigation();
  room();
  keys(colours());
  addEventListener("hashchange", () => goTo(clear));
  goTo(clear);
}

start();
