// Lessons: each is a link to a state of the page, with a question to guess and the exact number that the API answers.
import { ask, inBrowser } from "./api.js";
import { numbers } from "./format.js";
import { fill } from "./numbers.js";

const el = (id) => document.getElementById(id);

// A lesson has a text; choices, or a number is asked for; find, which returns the named numbers that are revealed, and those that are
// given before; and why, which explains what is revealed. It asks routes of the API the question of the page, with parameters beside it.
const LESSONS = {
  bound: {
    text: "A sampler goes from a flat distribution to this target, through 30 distributions. J says how far its output is from the target. Chains cannot tell J; bidirectional Monte Carlo estimates B, which is never below it. Guess J.",
    async find(rows) {
      const [{ J, B }] = await rows("solve");
      return { given: { B }, found: { J } };
    },
    why: "The hatched part of the bar is what B adds.",
  },
  barrier: {
    text: "The kernel moves to a neighbour, and a wall parts four modes. Watch whether the forward chain q gets over it. On the target itself, guess how many moves are worth one independent draw: the autocorrelation time of log f.",
    async find(rows) {
      const [{ autocorrelation_time_g }] = await rows("kernel-check", { beta: 1 });
      return { given: {}, found: { "autocorrelation time in moves": autocorrelation_time_g } };
    },
    why: "Annealing crosses the wall while it is still low; compare q and p of each mode.",
  },
  schedule: {
    text: "These distributions are spaced evenly. The best schedule puts as many of them where the target changes most. Guess B on that one.",
    async find(rows) {
      const [[{ B }], [best]] = await Promise.all([rows("solve"), rows("solve", { schedule: "best" })]);
      return { given: { "B, spaced evenly": B }, found: { "B, best schedule": best.B } };
    },
    why: "Choose the schedule best to see where it puts them.",
  },
  kernel: {
    text: "This Gibbs kernel draws the row of a state anew, and never its column. Each move leaves the target as it is, so a test of invariance passes; but a kernel from which chains do not reach the whole space is wrong. Guess how many parts no chain ever leaves.",
    async find(rows) {
      const [{ classes }] = await rows("kernel-check", { beta: 1 });
      return { given: {}, found: { "parts": classes } };
    },
    why: "In the map of q each column keeps the probability with which it began, also the wall.",
  },
  rhat: {
    text: "Four chains of 1000 draws sample this target, from random states. R-hat of log f is below 1.01, as if they had converged. Guess how much probability they have never seen.",
    async find(rows, chains) {
      const ways = await chains.run();
      const seen = new Set(ways.flat());
      const unseen = numbers(chains.target.p).reduce((sum, p, x) => (seen.has(x) ? sum : sum + p), 0);
      return { given: { "R-hat": rhat(ways, numbers(chains.target.g)) }, found: { "probability never seen": unseen } };
    },
    why: "Chains agree on what they have seen: a mode that none has entered is missing from all of them.",
  },
  smc: {
    text: "AIS averages the weights of 100 chains. Sequential Monte Carlo moves 100 particles alike, and resamples them at each stage. On these four modes, whose estimate of Z has the smaller relative variance?",
    choices: ["AIS", "SMC"],
    async find(rows) {
      const [ais, smc] = await Promise.all([0, 1].map((threshold) => rows("smc", { particles: 100, threshold })));
      return { given: {}, found: { AIS: ais[0].relative_variance, SMC: smc[0].relative_variance } };
    },
    why: "Particles hardly leave their mode, and resampling changes by chance how many are in each.",
  },
};

export class Lessons {
  #found = null;
  #turn = 0;

  constructor(state, chains) {
    this.state = state;
    this.chains = chains;
    for (const link of document.querySelectorAll("[data-lesson]")) {
      if (inBrowser) link.setAttribute("href", link.getAttribute("href").replace("?", "#"));
    }
    el("guess").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#reveal(event.submitter?.value || el("guess-number").value.trim());
    });
    state.addEventListener("question", () => this.#ask());
    this.#ask();
  }

  // isOpen says whether the address names a lesson.
  get isOpen() {
    return this.state.place.lesson in LESSONS;
  }

  // #ask hides the numbers and asks for a guess.
  #ask() {
    this.#turn++;
    this.#found = null;
    el("lesson").hidden = !this.isOpen;
    document.documentElement.toggleAttribute("data-guessing", this.isOpen);
    for (const link of document.querySelectorAll("[data-lesson]")) {
      const here = link.dataset.lesson === this.state.place.lesson;
      link.toggleAttribute("aria-current", here);
      if (here) el("lesson-title").textContent = link.textContent;
    }
    if (!this.isOpen) return;
    const { text, choices } = LESSONS[this.state.place.lesson];
    el("lesson-text").textContent = text;
    el("guess-field").hidden = Boolean(choices);
    el("guess-number").required = !choices;
    el("guess-buttons").replaceChildren(...(choices ?? ["Guess"]).map((choice) => {
      const button = document.createElement("button");
      button.textContent = choice;
      button.value = choices ? choice : "";
      button.disabled = true; // until there is something to reveal
      return button;
    }));
    el("guess-given").textContent = "computing…"; // until begin has what is given
    el("lesson-answer").hidden = true;
  }

  // begin has the numbers of the lesson computed. What the page shows is of its question by now.
  async begin() {
    if (!this.isOpen) return;
    this.#ask();
    const turn = this.#turn;
    const rows = (route, extra = {}) => ask(route, this.state.query(extra)).then((answer) => answer.rows);
    this.#found = LESSONS[this.state.place.lesson].find(rows, this.chains);
    try {
      const { given } = await this.#found;
      if (turn !== this.#turn) return;
      el("guess-given").replaceChildren(...named(given));
      for (const button of el("guess-buttons").children) button.disabled = false;
    } catch (fault) {
      if (turn === this.#turn) el("guess-given").textContent = fault.message;
    }
  }

  async #reveal(guess) {
    const turn = this.#turn;
    const { found } = await this.#found;
    const { why } = LESSONS[this.state.place.lesson];
    if (turn !== this.#turn) return;
    el("lesson-answer").replaceChildren(`You guessed ${guess}. Exactly: `, ...named(found), `. ${why}`);
    el("lesson-answer").hidden = false;
    document.documentElement.removeAttribute("data-guessing");
  }
}

// named writes numbers behind their names.
function named(values) {
  return Object.entries(values).flatMap(([name, value], i) => {
    const place = document.createElement("b");
    place.dataset.answer = name;
    fill(place, value);
    if (Number.isInteger(value)) place.textContent = value;
    return [`${i > 0 ? ", " : ""}${name} = `, place];
  });
}

// rhat is the split R-hat of a function of the states of chains (Gelman et al. 2013, section 11.4).
function rhat(chains, f) {
  const n = Math.floor(chains[0].length / 2);
  const halves = chains.flatMap((states) => [states.slice(0, n), states.slice(-n)]).map((half) => half.map((x) => f[x]));
  const mean = (values) => values.reduce((sum, x) => sum + x, 0) / values.length;
  const variance = (values) => {
    const middle = mean(values);
    return values.reduce((sum, x) => sum + (x - middle) ** 2, 0) / (values.length - 1);
  };
  const within = mean(halves.map(variance));
  return Math.sqrt((n - 1) / n + variance(halves.map(mean)) / within);
}
