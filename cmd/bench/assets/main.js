// The bench: whatever changes the question is answered by numbers at once, and by all else a moment later.
import { Again } from "./again.js";
import { ask, Latest, Refusal } from "./api.js";
import { Board } from "./board.js";
import { Chains } from "./chains.js";
import { Controls } from "./controls.js";
import { Curve } from "./curve.js";
import { Draws } from "./draws.js";
import { phone, sized, Study } from "./figures.js";
import { Optimise } from "./optimise.js";
import { print } from "./format.js";
import { Lessons } from "./lessons.js";
import * as numbers from "./numbers.js";
import { Sections } from "./sections.js";
import { State } from "./state.js";
import { TimeTravel } from "./time.js";

const STUDIES = [
  ["gap", "gap by stage"], ["curve", "J and B against T"], ["law", "distribution of the log weight"],
  ["samples", "more chains"], ["spectrum", "spectral gap"],
];

const TELLING = 1000; // milliseconds of quiet after which readers of screens hear the new numbers

function say(words) {
  document.getElementById("said").textContent = words;
}

function alarm(words) {
  const place = document.getElementById("alert");
  place.textContent = words;
  place.hidden = words === "";
}

class Bench {
  #solving = new Latest();
  #targeting = new Latest();
  #telling = null;
  #target = null; // the toy that was asked for last

  constructor(catalog) {
    this.state = new State(catalog.defaults);
    this.controls = new Controls(this.state, catalog);
    this.draws = new Draws(this.state);
    this.board = new Board(this.state, catalog.limits, say, (file, as) => {
      this.draws.take(file, as);
      this.sections.again("draws", this.state.query());
    });
    this.curve = new Curve(this.state);
    this.optimise = new Optimise(this.state, this.curve, say);
    this.time = new TimeTravel(this.state, say);
    this.chains = new Chains(this.state);
    this.lessons = new Lessons(this.state, this.chains);
    this.opening = this.state.place.stage === "" || this.lessons.isOpen; // a page without a stage in its address opens moving
    this.again = new Again(this.state, say);
    this.studies = new Map(STUDIES.map(([name]) => [name, new Study(name, this.state)]));
    this.sections = new Sections(this.#order());
    this.state.addEventListener("question", () => this.#ask());
    this.#undo();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      for (const part of [this.time, this.chains, this.board, this.draws]) part.repaint();
    });
    phone.addEventListener("change", () => this.#ask());
    this.#ask();
  }

  // follow goes to the state of the address, which opens as a page does.
  follow() {
    this.opening = true;
    this.state.follow();
  }

  // #order is what follows the numbers: what is quick and near the top of the page comes first.
  #order() {
    const frames = {
      name: "frames",
      work: async (signal) => {
        const { question } = this.state;
        const target = await ask("target", this.state.query(), signal);
        return { question, target, frames: await this.time.load(() => target, signal) };
      },
      done: ({ question, target, frames }) => {
        this.time.show(frames, target);
        this.chains.look(target, this.time.last, this.time.T, question);
        if (this.opening) this.time.open();
        this.opening = false;
        this.lessons.begin();
      },
    };
    const schedule = {
      name: "schedule",
      work: (signal) => ask("schedule", this.state.query(), signal),
      done: (answer) => this.curve.show(answer),
    };
    const draws = {
      name: "draws",
      work: (signal) => this.draws.work(signal),
      done: (answer) => {
        if (answer === null) return;
        this.draws.show(answer);
        this.again.take("draws", "the test of your draws", answer[1]);
      },
    };
    const [gap, ...others] = STUDIES.map(([name, title]) => this.#study(name, title));
    return [schedule, draws, gap, frames, ...others];
  }

  #study(name, title) {
    return {
      name,
      work: (signal) => ask(name, sized(this.state.query(), name === "gap"), signal),
      done: (answer) => {
        this.studies.get(name).show(answer);
        this.again.take(name, title, answer);
      },
    };
  }

  // #ask asks for numbers now. The sections wait until the numbers are there, since the server has better things to do before.
  #ask() {
    const asked = performance.now();
    const question = this.state.query();
    document.documentElement.dataset.question = question;
    document.getElementById("undo").disabled = !this.state.undoable;
    document.getElementById("redo").disabled = !this.state.redoable;
    this.sections.cancel();
    numbers.expect();
    this.#solving.ask({
      work: (signal) => ask("solve", question, signal),
      done: (answer, last) => this.#solved(answer, question, asked, last),
      failed: (fault) => this.#refused(fault),
    });
    this.#aim(question);
  }

  #solved(answer, question, asked, last) {
    if (last) {
      alarm("");
      this.controls.accept();
    }
    numbers.show(answer.rows[0], answer.notes, question, asked, last);
    numbers.cure(answer.notes, (initial) => this.state.change({ initial }));
    this.again.take("solve", "the exact numbers", answer);
    if (last) this.sections.follow(question);
    clearTimeout(this.#telling);
    if (!document.documentElement.hasAttribute("data-guessing")) this.#telling = setTimeout(() => say(`J is ${print(answer.rows[0].J, 4)} and B is ${print(answer.rows[0].B, 4)} nats.`), TELLING);
  }

  #refused(fault) {
    const known = fault instanceof Refusal && this.controls.refuse(fault.parameter, fault.message);
    alarm(known ? "" : fault.message);
    numbers.stale(known ? "These numbers are of an earlier question: see the message below." : "These numbers are of an earlier question.");
    this.sections.refuse();
  }

  // #aim draws the target, which depends on the toy alone.
  #aim(question) {
    const toy = this.state.question.toy;
    if (toy === this.#target) return;
    this.#target = toy;
    this.#targeting.ask({
      work: (signal) => ask("target", question, signal),
      done: (answer) => this.board.show(answer, toy === this.state.question.toy),
      failed: () => (this.#target = null), // the numbers are refused for the same reason, and say it
    });
  }

  #undo() {
    document.getElementById("undo").addEventListener("click", () => this.state.undo());
    document.getElementById("redo").addEventListener("click", () => this.state.redo());
    document.addEventListener("keydown", (event) => {
      const typing = event.target.matches("input[type=text], input[type=number], textarea");
      if (!(event.ctrlKey || event.metaKey) || event.altKey || typing) return;
      const key = event.key.toLowerCase();
      if (key === "z" && !event.shiftKey) this.state.undo();
      else if (key === "y" || (key === "z" && event.shiftKey)) this.state.redo();
      else return;
      event.preventDefault();
    });
  }
}

try {
  const bench = new Bench(await ask("catalog", ""));
  document.querySelector("main").inert = false; // until now nothing would have followed a click
  document.getElementById("copy-link").disabled = false;
  addEventListener("hashchange", () => location.hash.includes("=") && bench.follow()); // a link to another state of the page
  document.documentElement.dataset.ready = "true";
} catch (fault) {
  alarm(fault.message);
  throw fault;
}
