// Draws of a file, tested against the target of the page: whenever that changes, they are tested anew.
import { ask, send } from "./api.js";
import { sequential } from "./colours.js";
import { sized, Study } from "./figures.js";
import { numbers, visible } from "./format.js";
import { HeatMap, Shape } from "./maps.js";

const WORDS = { draws: "independent draws", chain: "draws of a Markov chain", kernel: "draws of a Markov chain with this kernel" };

export class Draws {
  #file = null;
  #as = "";
  #shown = null; // the target and how often each state was drawn

  constructor(state) {
    this.state = state;
    this.study = new Study("draws", state, false);
    this.place = document.querySelector("[data-section=draws]");
    this.maps = ["draws-counts", "draws-exact"].map((id) => new HeatMap(document.getElementById(id)));
  }

  // take has a file tested from now on.
  take(file, as) {
    this.#file = file;
    this.#as = as;
    this.place.hidden = false;
    this.#clear();
    document.getElementById("draws-name").textContent = `${visible(file.name)}, tested as ${WORDS[as]} against the target of this page, and again when you change it.`;
  }

  async work(signal) {
    if (this.#file === null) return null;
    const query = this.state.query({ name: this.#file.name, as: this.#as });
    try {
      verdict("Testing the draws…");
      return await Promise.all([ask("target", this.state.query(), signal), send("draws", sized(query), this.#file, signal)]);
    } catch (fault) {
      if (!signal.aborted) {
        this.#clear();
        verdict(fault.message);
      }
      throw fault;
    }
  }

  show([target, answer]) {
    document.getElementById("draws-says").textContent = answer.says;
    verdict(`${answer.says.trim()}\nMore under "Your draws" below.`);
    this.study.show(answer);
    this.#shown = answer.counts && { target, counts: answer.counts };
    document.getElementById("draws-maps").hidden = !this.#shown;
    this.repaint();
  }

  // repaint draws the same in other colours. Both maps have one scale.
  repaint() {
    if (!this.#shown) return;
    const { target, counts } = this.#shown;
    const total = counts.reduce((sum, n) => sum + n, 0);
    const values = [counts.map((n) => n / total), numbers(target.p)];
    const scale = sequential(values.flatMap((list) => [...list]).reduce((most, p) => Math.max(most, p), 0), "linear");
    const shape = new Shape(target);
    this.maps[0].draw(values[0], shape, scale, `How often each state stands in ${total} draws`);
    this.maps[1].draw(values[1], shape, scale, "The target p, exactly");
  }

  // #clear takes away what was found of other draws.
  #clear() {
    this.#shown = null;
    document.getElementById("draws-says").textContent = "";
    document.getElementById("draws-maps").hidden = true;
    this.study.show({});
  }
}

// verdict says below the button what the test has found.
function verdict(text) {
  document.getElementById("file-says").textContent = text;
}
