// "Optimise schedule": asks for the best schedule, shows how far it is, and keeps what was before beside it.
import { message, stream } from "./api.js";
import { number, print } from "./format.js";

const el = (id) => document.getElementById(id);

export class Optimise {
  #controller = null;

  constructor(state, curve, say) {
    this.state = state;
    this.curve = curve;
    this.say = say;
    el("optimise").addEventListener("click", () => this.#run());
    el("optimise-stop").addEventListener("click", () => this.#end("Cancelled: the schedule is as it was."));
    state.addEventListener("question", () => this.#changed());
  }

  async #run() {
    this.#controller?.abort();
    const controller = new AbortController();
    this.#controller = controller;
    this.question = this.state.question;
    this.#busy(true);
    el("optimise-progress").textContent = "Starting…";
    let last = null;
    try {
      await stream("optimize", this.state.query({ objective: el("objective").value }), controller.signal, (name, data) => {
        last = name;
        this.#hear(name, data);
      });
      if (last === "progress" || last === null) this.#end("The server ended the optimisation early; the schedule is as it was.");
    } catch (fault) {
      if (!controller.signal.aborted) this.#end(fault.message);
    }
    if (this.#controller === controller) this.#busy(false);
  }

  #hear(name, data) {
    if (name === "progress") this.#progress(data);
    if (name === "best") this.#best(data);
    if (name === "failed") this.#end(message(data));
  }

  #progress(data) {
    el("optimise-progress").textContent = `${data.steps.toLocaleString("en")} steps, ${el("objective").selectedOptions[0].text} = ${print(data.objective)}`;
  }

  #best(data) {
    const before = data.before;
    const after = { schedule: data.schedule, J: data.J, B: data.B };
    this.curve.remember();
    this.#table([{ title: "before", ...before }, { title: "after", ...after }]);
    this.#busy(false); // so that the new schedule does not look like somebody's change of the question
    this.state.change({ schedule: data.schedule });
    const short = data.converged === false ? ` It may not be the best yet: ${data.reason}.` : "";
    el("optimise-progress").textContent = `Done: J from ${print(before.J)} to ${print(after.J)}, B from ${print(before.B)} to ${print(after.B)}.${short}`;
  }

  // #table has a line a schedule, with a button that makes it the schedule of the page.
  #table(lines) {
    el("compare").hidden = false;
    el("compare").tBodies[0].replaceChildren(...lines.map(({ title, schedule, J, B }) => {
      const row = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = `${title}: ${called(schedule)}`;
      head.title = schedule;
      row.append(head, cell("J", J), cell("B", B), use(schedule, this.state));
      row.dataset.which = title;
      return row;
    }));
  }

  // #changed ends what runs for another question, and takes the comparison away where it no longer compares.
  #changed() {
    if (this.#controller !== null) this.#end("Cancelled, since the question changed.");
    const asked = this.question;
    const other = asked && ["toy", "T", "path", "initial", "kernel"].some((name) => asked[name] !== this.state.question[name]);
    if (!other) return;
    this.question = null;
    el("compare").hidden = true;
    el("optimise-progress").textContent = "";
    this.curve.forget();
  }

  #end(words) {
    this.#controller?.abort();
    this.#busy(false);
    el("optimise-progress").textContent = words;
  }

  #busy(on) {
    if (!on) this.#controller = null;
    el("optimise").disabled = on;
    el("optimise-stop").hidden = !on;
    el("optimise-bar").hidden = !on;
    if (on) el("optimise-bar").removeAttribute("value");
  }
}

// called is a schedule in a few words, since a curve may have thousands of betas.
function called(schedule) {
  const [kind, ...betas] = schedule.split(":");
  return schedule.length > 16 ? `${kind} of ${betas.length} betas` : schedule;
}

function cell(name, value) {
  const out = document.createElement("td");
  out.dataset.field = name;
  out.dataset.value = number(value);
  out.textContent = print(value);
  return out;
}

function use(schedule, state) {
  const out = document.createElement("td");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Use";
  button.addEventListener("click", () => state.change({ schedule }));
  out.append(button);
  return out;
}
