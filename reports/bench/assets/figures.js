// Figures as the server draws them, with their downloads and their numbers.
import { number, print } from "./format.js";
import { fill, list } from "./numbers.js";

// What is said in large letters above a figure, by study: fields of its first row.
const KEYS = {
  law: [["p_bhat_below_J", "P(B̂ < J)"], ["mean_forward", "mean, forward"], ["sd_forward", "sd, forward"], ["mean_reverse", "mean, reverse"], ["sd_reverse", "sd, reverse"], ["ess_fraction", "ESS / K"]],
};
const MANY = 200; // rows that are shown; the downloads have them all
const QUESTION = ["toy", "T", "path", "initial", "schedule", "kernel"];

export class Study {
  #rows = [];

  constructor(name, state) {
    this.name = name;
    this.state = state;
    this.place = document.querySelector(`[data-section="${name}"]`);
    this.details = this.place.querySelector("details.rows");
    this.details?.addEventListener("toggle", () => this.#table());
  }

  show(answer) {
    this.#rows = answer.rows ?? [];
    this.query = this.state.query();
    this.#keys();
    const figures = (answer.figures ?? []).map((figure) => this.#figure(figure));
    this.place.querySelector(".figures").replaceChildren(...figures, this.#downloads("", ["csv", "json"], "Table"));
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
    figure.append(drawing(svg), this.#downloads(name, ["svg", "png", "pdf"], "Figure"));
    return figure;
  }

  #downloads(figure, endings, what) {
    const menu = document.createElement("p");
    menu.className = "downloads";
    menu.append(`${what}: `);
    for (const ending of endings) {
      const link = document.createElement("a");
      const query = new URLSearchParams(this.query);
      if (figure !== "") query.set("figure", figure);
      link.href = `api/${this.name}.${ending}?${query}`;
      link.download = "";
      link.textContent = ending.toUpperCase();
      link.setAttribute("aria-label", `Download ${figure || this.name} as ${ending.toUpperCase()}`);
      menu.append(link, " ");
    }
    return menu;
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
