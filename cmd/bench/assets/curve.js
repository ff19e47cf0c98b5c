// The schedule as a curve: what the server says of it, and points to drag, which make it the schedule curve:...
import { numbers, print, selector } from "./format.js";

const SVG = "http://www.w3.org/2000/svg";
const BOX = { left: 34, top: 10, width: 350, height: 190 };
const KEPT = 33; // a curve with more points is dragged by fewer
const COARSE = 0.02;
const FINE = 0.002;

export class Curve {
  #points = []; // betas at equally spaced places
  #dragged = null;
  #answer = null;
  #before = null;
  #drag = 0;

  constructor(state) {
    this.state = state;
    this.place = document.getElementById("curve");
    this.count = document.getElementById("curve-points");
    this.count.addEventListener("change", () => {
      if (this.#answer !== null) this.#handles(this.#sampled(Number(this.count.value)));
    });
    this.#frame();
  }

  // show draws the schedule of an answer. A curve of few points is dragged by its own.
  show(answer) {
    this.#answer = { t: numbers(answer.rows.map((row) => row.t)), betas: numbers(answer.rows.map((row) => row.beta)) };
    this.line.setAttribute("d", this.#path(this.#answer));
    if (this.#dragged !== null) return;
    const own = betas(this.state.question.schedule);
    if (own !== null && own.length <= KEPT) this.#handles(own);
    else this.#handles(this.#sampled(Number(this.count.value)));
  }

  // remember leaves the schedule that is shown now behind as a line, to compare with.
  remember() {
    this.#before = this.#answer;
    this.ghost.setAttribute("d", this.#before === null ? "" : this.#path(this.#before));
  }

  forget() {
    this.#before = null;
    this.ghost.setAttribute("d", "");
  }

  #frame() {
    const svg = make("svg", { viewBox: `0 0 ${BOX.left + BOX.width + 16} ${BOX.top + BOX.height + 34}`, class: "curve" });
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      svg.append(make("line", { class: "rule", x1: across(share), x2: across(share), y1: down(0), y2: down(1) }));
      svg.append(make("line", { class: "rule", x1: across(0), x2: across(1), y1: down(share), y2: down(share) }));
      svg.append(text(String(share), { x: across(share), y: down(0) + 14, "text-anchor": "middle" }));
      svg.append(text(String(share), { x: across(0) - 6, y: down(share) + 4, "text-anchor": "end" }));
    }
    svg.append(text("(t − 1) / (T − 1)", { x: across(0.5), y: down(0) + 29, "text-anchor": "middle" }));
    svg.append(text("β", { x: across(0) - 6, y: down(0.625) + 4, "text-anchor": "end" }));
    this.ghost = make("path", { class: "ghost" });
    this.line = make("path", { class: "betas" });
    this.group = make("g", {});
    svg.append(this.ghost, this.line, this.group);
    this.svg = svg;
    this.place.append(svg);
  }

  #path({ t, betas }) {
    const T = t[t.length - 1];
    const first = t[0];
    return Array.from(betas, (b, i) =>
      `${i === 0 ? "M" : "L"}${across(T > first ? (t[i] - first) / (T - first) : 0).toFixed(2)} ${down(b).toFixed(2)}`).join("");
  }

  // #sampled are the betas of the answer at so many equally spaced places, by straight lines.
  #sampled(count) {
    const { t, betas: values } = this.#answer;
    const T = t[t.length - 1];
    let k = 0;
    return Array.from({ length: count }, (_, i) => {
      if (i === 0) return 0;
      if (i === count - 1) return 1;
      const at = t[0] + (i / (count - 1)) * (T - t[0]);
      while (k < t.length - 2 && t[k + 1] < at) k++;
      const share = (at - t[k]) / (t[k + 1] - t[k]);
      return Number((values[k] + share * (values[k + 1] - values[k])).toPrecision(6));
    });
  }

  #handles(points) {
    const same = points.length === this.#points.length;
    this.#points = points;
    if (!same) this.group.replaceChildren(...points.map((_, i) => this.#handle(i)));
    points.forEach((_, i) => this.#place(i));
    if ([...this.count.options].some((option) => Number(option.value) === points.length)) this.count.value = points.length;
  }

  #handle(i) {
    const ends = i === 0 || i === this.#points.length - 1;
    const handle = make("circle", { r: ends ? 4 : 8, class: ends ? "end" : "point" });
    if (ends) return handle;
    handle.setAttribute("tabindex", "0");
    handle.setAttribute("role", "slider");
    handle.setAttribute("aria-orientation", "vertical");
    handle.addEventListener("keydown", (event) => this.#key(i, event));
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.focus();
      handle.setPointerCapture(event.pointerId);
      this.#dragged = i;
      this.#drag++;
    });
    handle.addEventListener("pointermove", (event) => this.#dragged === i && this.#set(i, this.#beta(event)));
    for (const name of ["pointerup", "pointercancel"]) handle.addEventListener(name, () => (this.#dragged = null));
    handle.addEventListener("blur", () => this.#drag++);
    return handle;
  }

  #place(i) {
    const handle = this.group.children[i];
    const u = i / (this.#points.length - 1);
    handle.setAttribute("cx", across(u));
    handle.setAttribute("cy", down(this.#points[i]));
    if (!handle.hasAttribute("role")) return;
    handle.setAttribute("aria-label", `beta at ${print(u, 3)} of the way`);
    handle.setAttribute("aria-valuemin", this.#points[i - 1]);
    handle.setAttribute("aria-valuemax", this.#points[i + 1]);
    handle.setAttribute("aria-valuenow", this.#points[i]);
  }

  #beta(event) {
    const box = this.svg.getBoundingClientRect();
    const y = ((event.clientY - box.top) / box.height) * this.svg.viewBox.baseVal.height;
    return (BOX.top + BOX.height - y) / BOX.height;
  }

  // #set moves a point as far as its neighbours let it, since betas never decrease.
  #set(i, beta) {
    const value = Number(Math.min(this.#points[i + 1], Math.max(this.#points[i - 1], beta)).toFixed(4));
    const inside = value >= this.#points[i - 1] && value <= this.#points[i + 1];
    if (!inside || value === this.#points[i]) return;
    this.#points[i] = value;
    for (const k of [i - 1, i, i + 1]) this.#place(k);
    this.state.change({ schedule: "curve:" + this.#points.map(selector).join(":") }, `curve ${this.#drag}`);
  }

  #key(i, event) {
    const step = event.shiftKey ? FINE : COARSE;
    const to = {
      ArrowUp: this.#points[i] + step, ArrowRight: this.#points[i] + step,
      ArrowDown: this.#points[i] - step, ArrowLeft: this.#points[i] - step,
      Home: this.#points[i - 1], End: this.#points[i + 1],
    };
    if (!(event.key in to)) return;
    event.preventDefault();
    this.#set(i, to[event.key]);
  }
}

// betas are those of a selector curve:..., or null where the schedule is another one.
function betas(schedule) {
  if (!schedule.startsWith("curve:")) return null;
  const out = schedule.split(":").slice(1).map(Number);
  return out.length >= 2 && out.every((b) => b >= 0 && b <= 1) ? out : null;
}

function across(u) {
  return BOX.left + u * BOX.width;
}

function down(beta) {
  return BOX.top + (1 - beta) * BOX.height;
}

function make(name, attributes) {
  const out = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) out.setAttribute(key, value);
  return out;
}

function text(words, attributes) {
  const out = make("text", attributes);
  out.textContent = words;
  return out;
}
