// The panel of exact numbers.
import { downloads, TABLES } from "./downloads.js";
import { number, print, typeset } from "./format.js";

const panel = document.getElementById("numbers");
const status = document.getElementById("numbers-status");
const strip = document.getElementById("strip");
const MOMENT = 200;
let timer = null;

// Whoever scrolls down to time travel or to chains still sees J and B.
new IntersectionObserver(([entry]) => strip.classList.toggle("needed", !entry.isIntersecting && entry.boundingClientRect.bottom < 0)).observe(panel);

// expect says that numbers for a new question are on their way.
export function expect() {
  panel.setAttribute("aria-busy", "true");
  timer ??= setTimeout(() => (status.textContent = "computing…"), MOMENT);
}

// show writes a row of the API. It is the last one where nothing newer is on its way.
export function show(row, notes, question, asked, last) {
  for (const place of panel.querySelectorAll("[data-field]")) fill(place, row[place.dataset.field]);
  meter(row);
  strip.textContent = `J ${print(row.J, 5)}   B ${print(row.B, 5)}   B/J ${print(row.B_over_J, 3)}`;
  list(document.getElementById("notes"), [row.note, ...(notes ?? [])]);
  document.getElementById("numbers-downloads").replaceChildren(downloads("solve", question, "", TABLES));
  panel.dataset.question = question;
  panel.dataset.milliseconds = (performance.now() - asked).toFixed(1);
  panel.dataset.stale = "false";
  if (last) rest("");
}

// stale says that the numbers are of an earlier question, and why.
export function stale(why) {
  panel.dataset.stale = "true";
  rest(why);
}

// fill writes a number, with all its digits for whoever reads the page by a program.
export function fill(place, value) {
  place.textContent = print(value);
  place.dataset.value = value ?? "";
}

// list writes notes, without the empty ones, and without those that say of a case what another one says already.
export function list(place, notes) {
  const texts = [...new Set(notes.filter((note) => note))];
  const said = (note) => texts.some((other) => other.length < note.length && other.includes(note.slice(note.indexOf(": ") + 2)));
  const items = texts.filter((note) => !said(note)).map((note) => {
    const item = document.createElement("li");
    typeset(item, note);
    return item;
  });
  const [first, ...others] = items;
  place.replaceChildren(...(first ? [first] : []), ...(others.length > 0 ? [folded(others)] : []));
}

// folded puts all notes but the first behind a line to open them.
function folded(items) {
  const item = document.createElement("li");
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  const rest = document.createElement("ul");
  summary.textContent = items.length === 1 ? "One more note" : `${items.length} more notes`;
  rest.append(...items);
  details.append(summary, rest);
  item.append(details);
  return item;
}

// cure offers to start elsewhere, where a note ends with that as the cure for numbers that are infinite.
export function cure(notes, start) {
  const button = document.getElementById("cure");
  const initial = notes.map((note) => /with the initial distribution (\S+)$/.exec(note)?.[1]).find((found) => found);
  button.hidden = !initial;
  button.textContent = `Start with ${initial}`;
  button.onclick = () => start(initial);
}

function rest(text) {
  clearTimeout(timer);
  timer = null;
  status.textContent = text;
  panel.setAttribute("aria-busy", "false");
}

// meter shows of what B consists.
function meter(row) {
  const B = number(row.B);
  const parts = { q: number(row.kl_q_p), p: number(row.kl_p_q), rest: B - number(row.J) };
  const place = document.getElementById("meter");
  for (const [name, value] of Object.entries(parts)) {
    const share = Number.isFinite(value / B) ? Math.max(0, value / B) : 0;
    place.querySelector(`.${name}`).style.setProperty("--share", share);
  }
}
