"use strict";
// Elements of the page. All text goes in as text: nothing here reads markup.

// Characters that would hide, or turn the direction of what follows, as "\u202e".
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
function visible(text) {
  return String(text).replace(HIDDEN, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

// el("p", {class: "x", onclick: f}, "text", child, [more]): null and false are left out.
function el(tag, attributes, ...children) {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) out.addEventListener(name.slice(2), value);
    else out.setAttribute(name, value === true ? "" : visible(value));
  }
  add(out, children);
  return out;
}

function add(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return parent;
}

const SVG = "http://www.w3.org/2000/svg";
function svg(tag, attributes, ...children) {
  const out = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes || {})) out.setAttribute(name, visible(value));
  return add(out, children);
}

// A site, or a text with sites, where long runs of one word are counted: body^74/2/body.
const short = (text) => text.replace(/\b(\w+)(?:\/\1\b){4,}/g, (run, word) => word + "^" + run.split("/").length);

const code = (text, style) => el("code", {class: style}, text);
const plural = (n, what) => n + " " + what + (n === 1 ? "" : "s");

// How a verdict looks.
function tone(verdict) {
  if (verdict.startsWith("PROVED") || verdict.startsWith("BOUNDED")) return "good";
  if (verdict.startsWith("REFUTED")) return "bad";
  return "open";
}
const badge = (text, how) => el("span", {class: "badge " + (how || tone(text))}, text);

// <details> whose content is made when it is opened first.
function lazy(attributes, summary, make) {
  const out = el("details", attributes, el("summary", {}, summary));
  out.fill = () => {
    if (out.fill === null) return;
    out.fill = null;
    add(out, [make()].flat());
  };
  out.addEventListener("toggle", () => out.open && out.fill && out.fill());
  return out;
}

function open(details) {
  if (details.fill) details.fill();
  details.open = true;
}

// A list that grows by so many rows at a time: `make(i)` gives row i of `count`. Gives what `list`
// is in, or is, and the button.
function growing(count, size, what, make, list = el("div", {class: "rows"}), around = list) {
  let shown = 0;
  const more = el("button", {type: "button", class: "grow", onclick: () => grow()});
  function grow() {
    const end = Math.min(count, shown + size);
    for (; shown < end; ++shown) list.append(make(shown));
    more.hidden = shown === count;
    more.textContent = "Show " + Math.min(size, count - shown) + " more of " + plural(count - shown, what);
  }
  grow();
  return [around, more];
}

// "key value" pairs as a list; values are texts or elements, absent ones left out.
function pairs(entries) {
  const out = el("dl", {class: "pairs"});
  for (const [key, value] of entries) {
    if (value === null || value === undefined || value === "" || value === false) continue;
    out.append(el("dt", {}, key), el("dd", {}, value));
  }
  return out;
}
