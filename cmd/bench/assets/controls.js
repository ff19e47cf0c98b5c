// The inputs of the question: what is typed or chosen goes to the state, and what the state says is shown.
import { typeset } from "./format.js";

const SELECTORS = ["toy", "schedule", "kernel", "path", "initial"];
const CATALOG = { toy: "toys", schedule: "schedules", kernel: "kernels", path: "paths", initial: "initials" };

export class Controls {
  constructor(state, catalog) {
    this.state = state;
    this.catalog = catalog;
    this.lengths = lengths(Number(catalog.limits.T));
    for (const name of SELECTORS) this.#selector(name);
    this.#distributions();
    state.addEventListener("question", () => this.show());
    document.getElementById("controls").addEventListener("submit", (event) => event.preventDefault());
    this.show();
  }

  // show writes the question of the state into the inputs, but not below the fingers of who types.
  show() {
    for (const name of ["T", ...SELECTORS]) {
      const input = field("control", name);
      const value = this.state.question[name];
      if (input !== document.activeElement || input.value.trim() !== value) input.value = value;
    }
    for (const name of SELECTORS) this.#choice(name);
    const T = Number(this.state.question.T);
    if (T >= 2) document.getElementById("T-slider").value = this.#place(T);
    document.getElementById("T-slider").setAttribute("aria-valuetext", `T = ${this.state.question.T}`);
  }

  // refuse shows a message at the control to which it belongs, and says whether there is one.
  refuse(parameter, message) {
    this.accept();
    if (!["T", ...SELECTORS].includes(parameter)) return false;
    const place = field("error", parameter);
    place.textContent = message;
    place.hidden = false;
    field("control", parameter).setAttribute("aria-invalid", "true");
    return true;
  }

  // accept takes all messages away.
  accept() {
    for (const name of ["T", ...SELECTORS]) {
      field("error", name).hidden = true;
      field("control", name).removeAttribute("aria-invalid");
    }
  }

  #selector(name) {
    const choose = field("choose", name);
    const forms = this.catalog[CATALOG[name]] ?? [];
    choose.replaceChildren(...forms.map((form) => option(form.example, form.syntax)), option("", "your own"));
    choose.addEventListener("change", () => {
      if (choose.value === "") field("control", name).focus();
      else this.state.change({ [name]: choose.value });
    });
    const input = field("control", name);
    input.addEventListener("input", () => this.state.change({ [name]: input.value.trim() }, `type ${name}`));
    input.addEventListener("change", () => this.state.settle());
  }

  #distributions() {
    const slider = document.getElementById("T-slider");
    const input = field("control", "T");
    slider.max = this.lengths.length - 1;
    slider.addEventListener("input", () => this.state.change({ T: String(this.lengths[Number(slider.value)]) }, "slide T"));
    slider.addEventListener("change", () => this.state.settle());
    input.addEventListener("input", () => this.state.change({ T: input.value.trim() }, "type T"));
    input.addEventListener("change", () => this.state.settle());
  }

  // #place is the place of the slider that comes nearest to T.
  #place(T) {
    const after = this.lengths.findIndex((length) => length >= T);
    if (after <= 0) return after < 0 ? this.lengths.length - 1 : 0;
    return T / this.lengths[after - 1] < this.lengths[after] / T ? after - 1 : after;
  }

  // #choice marks the form of the list to which the selector belongs.
  #choice(name) {
    const value = this.state.question[name];
    const forms = this.catalog[CATALOG[name]] ?? [];
    const word = value.split(":")[0];
    const form = forms.find((f) => f.example === value) ?? forms.find((f) => f.syntax.split(/[:[]/)[0] === word);
    field("choose", name).value = form?.example ?? "";
    typeset(field("doc", name), form?.doc ?? "");
  }
}

// lengths are the values of T on the slider: all numbers of two digits, so that every decade has as many places, every place means another
// T, and round numbers can be reached.
function lengths(most) {
  const out = [];
  for (let step = 1, T = 2; T <= most; T += step) {
    out.push(T);
    if (T >= 100 * step) step *= 10;
  }
  return out;
}

function field(kind, name) {
  return document.getElementById(`${kind}-${name}`);
}

function option(value, text) {
  const out = document.createElement("option");
  out.value = value;
  out.textContent = text;
  return out;
}
