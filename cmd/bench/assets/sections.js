// The sections that follow the numbers: each is asked after a moment of quiet, a few at a time, and cancelled by what is newer.

const QUIET = 150;
const MOMENT = 200;
const LANES = 2; // browsers open six connections at most, and the numbers must never wait for one

// A section has a name, which is its data-section; work(signal), which asks; and done(answer), which shows.
export class Sections {
  #timer = null;
  #controller = new AbortController();

  constructor(sections) {
    this.sections = sections.map((section) => new Section(section));
  }

  // follow asks all again for a new question.
  follow(question) {
    this.cancel();
    for (const section of this.sections) section.expect(question);
    const signal = this.#controller.signal;
    this.#timer = setTimeout(() => {
      const queue = [...this.sections];
      for (let lane = 0; lane < LANES; lane++) run(queue, question, signal);
    }, QUIET);
  }

  // again asks one of them again.
  again(name, question) {
    const section = this.sections.find((section) => section.name === name);
    section.expect(question);
    section.load(question, this.#controller.signal);
  }

  // refuse leaves all as they are, marked as of an earlier question.
  refuse() {
    this.cancel();
    for (const section of this.sections) section.rest("");
  }

  cancel() {
    clearTimeout(this.#timer);
    this.#controller.abort();
    this.#controller = new AbortController();
  }
}

async function run(queue, question, signal) {
  while (queue.length > 0 && !signal.aborted) await queue.shift().load(question, signal);
}

class Section {
  #timer = null;

  constructor({ name, work, done }) {
    this.name = name;
    this.work = work;
    this.done = done;
    this.place = document.querySelector(`[data-section="${name}"]`);
    this.status = this.place.querySelector(".status");
    this.bar = document.createElement("progress");
    this.bar.hidden = true;
    this.bar.setAttribute("aria-label", `${name} is computed`);
    this.status.after(this.bar);
  }

  expect(question) {
    this.place.dataset.stale = String(this.place.dataset.question !== question);
    this.place.setAttribute("aria-busy", "true");
  }

  async load(question, signal) {
    this.#timer = setTimeout(() => {
      this.status.textContent = "computing…";
      this.bar.hidden = false;
    }, MOMENT);
    try {
      const answer = await this.work(signal);
      await rendered();
      if (signal.aborted) return;
      this.done(answer, signal);
      this.place.dataset.question = question;
      this.place.dataset.stale = "false";
      this.rest("");
    } catch (fault) {
      if (!signal.aborted) this.rest(fault.message);
    } finally {
      clearTimeout(this.#timer);
    }
  }

  rest(text) {
    clearTimeout(this.#timer);
    this.status.textContent = text;
    this.bar.hidden = true;
    this.place.setAttribute("aria-busy", "false");
  }
}

// rendered lets the browser draw and hear keys before the next section is shown.
function rendered() {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
