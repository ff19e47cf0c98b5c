// Figures as the server draws them, with their downloads and their numbers.
import { downloads, DRAWINGS, TABLES } from "./downloads.js";
import { number, print } from "./format.js";
import { fill, list } from "./numbers.js";

// What is said in large letters above a figure, by study: fields of its first row.
const KEYS = {
  law: [["p_bhat_below_J", "P(B̂ < J)"], ["mean_forward", "mean, forward"], ["sd_forward", "sd, forward"], ["mean_reverse", "mean, reverse"], ["sd_reverse", "sd, reverse"], ["ess_fraction", "ESS / K"]],
};
const MANY = 200; // rows that are shown; the downloads have them all
export const phone = matchMedia("(max-width: 640px)"); // on which panels stand above one another
const QUESTION = ["toy", "T", "path", "initial", "schedule", "kernel"];

export class Study {
  #rows = [];

  // Without files there are no downloads.
  constructor(name, state, files = true) {
    this.name = name;
    this.files = files;
    this.state = state;
    this.place = document.querySelector(`[data-section="${name}"]`);
    this.details = this.place.querySelector("details.rows");
    this.details?.addEventListener("toggle", () => this.#table());
  }

  show(answer) {
    this.#rows = answer.rows ?? [];
    this.query = this.state.query();
    this.#keys();
    const [first, ...others] = (answer.figures ?? []).map((figure) => this.#figure(figure));
    const figures = [first, folded(others), this.files && downloads(this.name, this.query, "", TABLES)];
    this.place.querySelector(".figures").replaceChildren(...figures.filter((figure) => figure));
    list(this.place.querySelector(".notes"), [...(answer.notes ?? []), ...new Set(this.#rows.map((row) => row.note))]);
    this.#table();
  }

  #keys() {
    const row = this.#rows[0];
    const items = row ? (KEYS[this.name] ?? []).filter(([name]) => name in row) : [];
    this.place.querySelector(".key-numbers").replaceChildren(...items.map(([name, title]) => {
      const item = document.createElement("div");
      const term = document.createElement("dt");
      const value = document.createElement("dd");
      term.textContent = title;
      value.dataset.field = name;
      fill(value, row[name]);
      item.append(term, value);
      return item;
    }));
  }

  #figure({ name, svg }) {
    const figure = document.createElement("figure");
    figure.className = "drawn";
    figure.dataset.figure = name;
    const reading = document.createElement("p");
    reading.className = "reading";
    const drawn = drawing(svg);
    drawn.addEventListener("pointermove", (event) => {
      reading.textContent = event.target.closest("path, rect")?.querySelector(":scope > title")?.textContent ?? "";
    });
    figure.append(drawn, reading, this.files ? downloads(this.name, this.query, name, DRAWINGS) : "");
    if (this.name === "curve") this.#cursor(drawn);
    return figure;
  }

  // #cursor draws a line at the T of the page, and lets a point be clicked to make its T that of the page.
  #cursor(drawn) {
    for (const point of drawn.querySelectorAll("rect")) {
      const T = point.querySelector("title")?.textContent.match(/number of distributions T (\d+),/)?.[1];
      if (T === undefined) continue;
      point.classList.add("choice");
      point.addEventListener("click", () => this.state.change({ T }));
      const middle = Number(point.getAttribute("x")) + Number(point.getAttribute("width")) / 2;
      if (T === this.state.question.T && drawn.querySelector(".now") === null) drawn.append(upright(drawn, middle));
    }
  }

  // #table writes the rows when somebody opens them, since nobody waits for what is closed.
  #table() {
    if (!this.details?.open) return;
    const place = this.details.querySelector(".scroll");
    if (this.#rows.length === 0) {
      place.textContent = "There are no numbers yet.";
      return;
    }
    const names = Object.keys(this.#rows[0]).filter((name) => !QUESTION.includes(name) || differs(this.#rows, name));
    const shown = this.#rows.slice(0, MANY);
    const table = document.createElement("table");
    table.createTHead().append(line("th", names));
    const body = table.createTBody();
    for (const row of shown) body.append(line("td", names.map((name) => written(row[name]))));
    const more = this.#rows.length - shown.length;
    place.replaceChildren(table, more > 0 ? `${more} more rows are in the downloads.` : "");
  }
}

// sized is a query for figures whose letters can be read where they stand: on a phone, in half of a page, or across it.
export function sized(query, across = false) {
  if (phone.matches) return `${query}&width=3.5in`;
  return across ? query : `${query}&width=5in`;
}

// drawing is the SVG of the server as a part of the page. Its names are of its own, as several figures stand on one page.
export function drawing(svg) {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const width = parseFloat(root.getAttribute("width"));
  const height = parseFloat(root.getAttribute("height"));
  if (!root.hasAttribute("viewBox") && width > 0 && height > 0) root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.removeAttribute("width");
  root.removeAttribute("height");
  return document.importNode(root, true);
}

// upright is a line across the panel of a drawing, from the top of its vertical axis to the bottom.
function upright(drawn, x) {
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  const [low, high] = axis(drawn);
  const height = drawn.viewBox.baseVal.height; // the server's drawings count upwards
  for (const [name, value] of Object.entries({ class: "now", x1: x, x2: x, y1: height - high, y2: height - low })) line.setAttribute(name, value);
  return line;
}

// axis returns where the vertical axis of a drawing begins and ends: it is the longest of all lines that go straight up.
function axis(drawn) {
  const lines = [...drawn.querySelectorAll("path")].map((path) => /^M([\d.]+),([\d.]+)L\1,([\d.]+)$/.exec(path.getAttribute("d")));
  const ends = lines.filter((found) => found).map(([, , low, high]) => [Number(low), Number(high)]);
  return ends.reduce((longest, here) => (here[1] - here[0] > longest[1] - longest[0] ? here : longest), [0, 0]);
}

// folded puts figures that say less about the question behind a line to open them.
function folded(figures) {
  if (figures.length === 0) return null;
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = figures.length === 1 ? "One more figure" : `${figures.length} more figures`;
  details.append(summary, ...figures);
  return details;
}

function differs(rows, name) {
  return rows.some((row) => row[name] !== rows[0][name]);
}

function written(value) {
  if (typeof value === "string" && Number.isNaN(number(value))) return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value === null || value === "" ? "" : print(value);
}

function line(kind, texts) {
  const out = document.createElement("tr");
  for (const text of texts) {
    const cell = document.createElement(kind);
    if (kind === "th") cell.scope = "col";
    cell.textContent = text;
    out.append(cell);
  }
  return out;
}
