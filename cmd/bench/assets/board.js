// The target: a grid of cells in the colours of the exact p, painted by mouse, touch or keyboard.
import { Cells, SIDE } from "./cells.js";
import { along, css, ink, least, sequential } from "./colours.js";
import { number, numbers, print, short, visible } from "./format.js";
import { colours, HeatMap, legend, Shape } from "./maps.js";
import { send } from "./api.js";

const LARGE = 16; // boards with more columns have no place for the number in a cell
const MANY = 1024; // states, above which the target is a picture rather than cells
const TYPED = 1200; // milliseconds after which a new number is typed

export class Board {
  #cells = null; // what is painted, or null where the target is only shown
  #shape = null;
  #squares = [];
  #filled = []; // what each cell shows
  #focus = 0;
  #stroke = 0;
  #painting = false;
  #pointed = null; // the state whose numbers are read below the board
  #doubted = ""; // the target of a file that may be probabilities
  #typed = { text: "", at: 0 };

  // test(file, as) has draws tested.
  constructor(state, limits, say, test) {
    this.state = state;
    this.limits = limits;
    this.test = test;
    this.say = say;
    this.place = document.getElementById("board");
    this.picture = new HeatMap(document.getElementById("board-picture"));
    this.picture.place.addEventListener("pointermove", (event) => this.#read(this.picture.at(event)));
    this.picture.place.addEventListener("pointerleave", () => this.#read(null));
    this.reading = document.getElementById("board-reading");
    this.value = document.getElementById("brush-value");
    this.size = document.getElementById("brush-size");
    this.#pointer();
    this.place.addEventListener("keydown", (event) => this.#key(event));
    this.#tools();
    this.#files();
  }

  // show draws a target of the API. Where more has been painted since it was asked for, only its colours are new.
  show(target, current) {
    if (!current && this.#shape?.states !== target.states) return;
    this.p = numbers(target.p);
    document.getElementById("target-name").textContent =
      `${target.lattice ? `${target.rows} × ${target.columns}, ` : ""}${target.states} states`;
    const shape = new Shape(target);
    const paintable = target.lattice && target.rows <= SIDE && target.columns <= SIDE;
    if (current && !this.#painting) {
      const g = numbers(target.g);
      this.#cells = paintable ? new Cells(target.rows, target.columns, g) : null;
      this.g = this.#cells?.g ?? g;
    }
    this.#lay(shape, paintable);
    this.#colour();
    if (this.#pointed !== null) this.#read(this.#pointed);
  }

  // repaint draws the same target in other colours.
  repaint() {
    if (this.p) this.#colour();
  }

  #lay(shape, paintable) {
    this.place.setAttribute("aria-readonly", String(!paintable));
    document.getElementById("brush").disabled = !paintable;
    document.getElementById("board-shown").hidden = paintable;
    const rows = document.getElementById("rows");
    const columns = document.getElementById("columns");
    if (rows !== document.activeElement) rows.value = shape.rows;
    if (columns !== document.activeElement) columns.value = shape.columns;
    if (this.#shape?.rows === shape.rows && this.#shape.columns === shape.columns && this.#shape.states === shape.states) {
      this.#shape = shape;
      return;
    }
    this.#shape = shape;
    this.#squares = [];
    this.#filled = [];
    this.place.hidden = shape.states > MANY;
    this.picture.place.hidden = !this.place.hidden;
    if (this.place.hidden) {
      this.place.replaceChildren();
      return;
    }
    this.place.style.setProperty("--columns", shape.columns);
    this.place.classList.toggle("large", shape.columns > LARGE);
    this.place.setAttribute("aria-rowcount", shape.rows);
    this.place.setAttribute("aria-colcount", shape.columns);
    const had = this.place.contains(document.activeElement);
    this.place.replaceChildren(...Array.from({ length: shape.rows }, (_, r) => this.#row(r)));
    this.#rove(Math.min(this.#focus, shape.states - 1), had);
  }

  #row(r) {
    const row = document.createElement("div");
    row.setAttribute("role", "row");
    for (let c = 0; c < this.#shape.columns; c++) {
      const x = r * this.#shape.columns + c;
      if (x >= this.#shape.states) break;
      const square = document.createElement("div");
      square.setAttribute("role", "gridcell");
      square.tabIndex = -1;
      square.dataset.state = x;
      this.#squares.push(square);
      row.append(square);
    }
    return row;
  }

  #colour() {
    let most = 0;
    for (const p of this.p) most = Math.max(most, p);
    const chosen = document.getElementById("board-scale").value;
    const kind = chosen === "auto" ? colours(this.p, this.#shape) : chosen;
    const scale = sequential(most, kind);
    if (this.place.hidden) this.picture.draw(this.p, this.#shape, scale, "The target p, exactly");
    else this.#squares.forEach((square, x) => this.#fill(square, x, scale(this.p[x])));
    legend(document.getElementById("board-legend"), scale, along(most, kind));
    document.getElementById("board-least").textContent = least(most, kind);
    document.getElementById("board-most").textContent = print(most, 3);
    document.getElementById("board-most").dataset.value = most;
  }

  // #fill gives a cell its colour and its numbers, where they are not what it has already.
  #fill(square, x, colour) {
    const words = `${this.#shape.name(x)}: g = ${print(this.g[x], 4)}, p = ${print(this.p[x], 4)}`;
    const background = css(colour);
    if (this.#filled[x] === words + background) return;
    this.#filled[x] = words + background;
    square.style.setProperty("background-color", background);
    square.style.setProperty("color", ink(colour));
    square.dataset.text = this.#text(x);
    square.setAttribute("aria-label", words);
    square.dataset.g = this.g[x];
    square.dataset.p = this.p[x];
  }

  // #paint paints around a state; the numbers of a stroke are undone together.
  #paint(x, value) {
    if (this.#cells === null || Number.isNaN(value)) return;
    if (!this.#cells.paint(x, value, Number(this.size.value))) return;
    this.#squares.forEach((square, y) => this.#number(square, y));
    this.#change(this.#cells, `stroke ${this.#stroke}`);
  }

  // #change asks about other cells, under the name that the target was given, as in mine=cells:0:1.
  #change(cells, stroke) {
    const name = /^[^:=]+=/.exec(this.state.question.toy) ?? "";
    this.state.change({ toy: name + cells.toy() }, stroke);
  }

  #number(square, x) {
    if (square.dataset.g === String(this.g[x])) return;
    this.#filled[x] = "";
    square.dataset.g = this.g[x];
    square.dataset.text = this.#text(x);
  }

  // #text is the number that a cell shows, which the style sheet writes: the label of the cell says it in full.
  #text(x) {
    return this.#shape.columns > LARGE ? "" : short(this.g[x]);
  }

  #brush() {
    const text = this.value.value.trim().replace("−", "-");
    const value = text === "" ? NaN : number(text);
    const bad = Number.isNaN(value) || value === Infinity;
    this.value.toggleAttribute("aria-invalid", bad);
    if (bad) this.value.setAttribute("aria-invalid", "true");
    return bad ? NaN : value;
  }

  #pointer() {
    const state = (event) => {
      const square = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("#board [role=gridcell]");
      return square ? Number(square.dataset.state) : null;
    };
    this.place.addEventListener("pointerdown", (event) => {
      const x = state(event);
      if (x === null || event.button !== 0) return;
      event.preventDefault();
      this.place.setPointerCapture(event.pointerId);
      this.#begin();
      this.#rove(x, true);
      this.#paint(x, this.#brush());
      this.#read(x);
    });
    this.place.addEventListener("pointermove", (event) => {
      for (const part of this.#painting ? event.getCoalescedEvents?.() ?? [event] : [event]) {
        const x = state(part);
        if (x === null) continue;
        if (this.#painting) this.#paint(x, this.#brush());
        this.#read(x);
      }
    });
    for (const name of ["pointerup", "pointercancel"]) {
      this.place.addEventListener(name, () => (this.#painting = false));
    }
    this.place.addEventListener("pointerleave", () => this.#painting || this.#read(null));
  }

  #begin() {
    this.#painting = true;
    this.#stroke++;
  }

  #read(x) {
    this.#pointed = x !== null && x < this.#shape.states ? x : null;
    this.reading.textContent = this.#pointed === null ? "\u00a0"
      : `${this.#shape.name(x)}: g = ${exactly(this.g[x])}, p = ${print(this.p[x])}`;
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const columns = this.#shape.columns;
    const ends = { Home: this.#focus - (this.#focus % columns), End: Math.min(this.#focus - (this.#focus % columns) + columns, this.#squares.length) - 1 };
    if (event.key in moves) this.#rove(this.#shape.step(this.#focus, ...moves[event.key]), true);
    else if (event.key in ends) this.#rove(ends[event.key], true);
    else if (event.key === " " || event.key === "Enter") this.#dab(this.#brush());
    else if (event.key === "Delete" || event.key === "Backspace") this.#dab(0);
    else if (/^[-0-9.]$/.test(event.key)) this.#type(event);
    else return;
    event.preventDefault();
  }

  #dab(value) {
    this.#stroke++;
    this.#paint(this.#focus, value);
  }

  // #type makes numbers of digits that follow one another, and paints with them.
  #type(event) {
    const old = event.timeStamp - this.#typed.at > TYPED;
    this.#typed = { text: (old ? "" : this.#typed.text) + event.key, at: event.timeStamp };
    if (old) this.#stroke++;
    this.value.value = this.#typed.text;
    this.#paint(this.#focus, this.#brush());
  }

  // #rove makes a cell the one that the tabulator reaches.
  #rove(x, focus) {
    this.#squares[this.#focus]?.setAttribute("tabindex", "-1");
    this.#focus = x;
    this.#squares[x]?.setAttribute("tabindex", "0");
    if (!focus) return;
    this.#squares[x]?.focus({ preventScroll: false });
    if (this.p) this.#read(x);
  }

  #tools() {
    document.getElementById("board-scale").addEventListener("change", () => this.repaint());
    for (const button of document.querySelectorAll("[data-paint]")) {
      button.addEventListener("click", () => {
        this.value.value = button.dataset.paint;
        this.#brush();
      });
    }
    this.value.addEventListener("input", () => this.#brush());
    for (const name of ["rows", "columns"]) {
      document.getElementById(name).addEventListener("input", () => this.#resize());
    }
    document.getElementById("clear").addEventListener("click", () => {
      if (this.#cells === null) return;
      this.#change(new Cells(this.#cells.rows, this.#cells.columns));
      this.say("The target is flat now.");
    });
  }

  #resize() {
    const [rows, columns] = ["rows", "columns"].map((name) => Number(document.getElementById(name).value));
    const good = [rows, columns].every((n) => Number.isInteger(n) && n >= 1 && n <= SIDE);
    if (good && this.#cells !== null) this.#change(this.#cells.resized(rows, columns), "resize");
  }

  #files() {
    const drop = document.getElementById("drop");
    const input = document.getElementById("file");
    const doubt = document.getElementById("doubt-file");
    this.state.addEventListener("question", () => (doubt.hidden ||= this.state.question.toy !== this.#doubted));
    const as = document.getElementById("file-as");
    input.addEventListener("change", () => this.#open(input.files[0], as.value).finally(() => (input.value = "")));
    for (const name of ["dragenter", "dragover"]) {
      document.addEventListener(name, (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        drop.classList.add("open");
      });
    }
    document.addEventListener("dragleave", (event) => event.relatedTarget === null && drop.classList.remove("open"));
    document.addEventListener("drop", (event) => {
      drop.classList.remove("open");
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      this.#open(event.dataTransfer.files[0], event.target.closest("[data-as]")?.dataset.as ?? "target");
    });
  }

  // #doubt offers to take the numbers of a file as probabilities or draws, where they look like these, until another target stands there.
  #doubt(file, name, answer, before) {
    const place = document.getElementById("doubt-file");
    place.hidden = !answer.note;
    this.#doubted = answer.toy;
    if (!answer.note) return;
    place.querySelector("span").textContent = `${name}: ${answer.note}.`;
    const [probabilities, draws] = ["as-probabilities", "as-draws"].map((id) => document.getElementById(id));
    probabilities.hidden = !answer.as_probabilities;
    draws.hidden = !probabilities.hidden;
    probabilities.onclick = () => {
      this.state.change({ toy: answer.as_probabilities });
      this.say(`${name} is the target now, as probabilities.`);
    };
    draws.onclick = () => {
      this.state.change({ toy: before });
      this.#open(file, "draws");
    };
  }

  async #open(file, as) {
    if (!file) return;
    const place = document.getElementById("error-file");
    const list = document.getElementById("file-as");
    const name = visible(file.name);
    place.hidden = true;
    list.value = as;
    document.getElementById("file-name").textContent = name;
    document.getElementById("file-says").textContent = "";
    try {
      const most = as === "target" ? this.limits.body : this.limits.draws;
      if (file.size > most) throw new Error(`the file has ${file.size} bytes, and at most ${most} are read here. Give a smaller one, or run the command in a terminal.`);
      if (as !== "target") {
        this.test(file, as);
        return;
      }
      const answer = await send("file", new URLSearchParams({ name: file.name }), file);
      const before = this.state.question.toy;
      this.state.change({ toy: answer.toy });
      this.#doubt(file, name, answer, before);
      this.say(`${name} is the target now, ${answer.rows} by ${answer.columns}.${answer.shape ? ` Note that ${answer.shape}.` : ""}`);
    } catch (fault) {
      const draws = as === "target" && !name.endsWith(".json") ? " If the file has draws, choose that in the list above." : "";
      place.textContent = `${name}: ${fault.message.replace(/[^.]$/, "$&.")}${draws}`;
      place.hidden = false;
    }
  }
}

// exactly is a number that somebody has painted, with the digits that it was given.
function exactly(g) {
  return Number.isFinite(g) ? String(g).replaceAll("-", "−") : print(g);
}
