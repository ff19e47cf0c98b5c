// "Watch it sampled": chains drawn on the target one by one, and the estimates of many beside the exact values.
import { ask, message, stream } from "./api.js";
import { sequential } from "./colours.js";
import { drawing, sized } from "./figures.js";
import { number, numbers, print } from "./format.js";
import { colours, HeatMap, Shape } from "./maps.js";

const el = (id) => document.getElementById(id);
const SHOWN = 10000; // chains whose end is counted on the map
const DRAWN = 4; // chains that are drawn at once: the lines of more hide one another
const MOVES = 1000; // moves of a chain that are drawn at most: the last ones
const NUMBERS = 200000; // numbers that are asked for at once, at most
const TRAIL = 12; // stages of its way that a chain draws behind itself: lines of more fill the map
const PACE = 50; // moves a second: every one is to be seen

// What the estimates are, in a few words.
const MEANINGS = {
  mean_log_w_forward: "mean of log w, forward",
  mean_log_w_reverse: "mean of log w, reverse",
  B: "their difference, the bound",
  kl_q_p_upper: "bound on KL(q‖p), given Z",
  kl_p_q_upper: "bound on KL(p‖q), given Z",
  log_mean_w_forward: "log Z ratio, by the mean of w",
  log_mean_w_reverse: "log Z ratio, by that of 1/w",
  bar: "log Z ratio, by both (Bennett)",
  J_plugin: "J of where the chains end",
};

export class Chains {
  #controller = null;
  #shape = null;
  #paths = [];
  #ends = null;
  #been = null; // how often the first chain has been in a state
  #moves = 0; // of the first chain so far
  #mean = null; // the exact distribution of where a chain is, over the stages that are drawn
  #lines = new Map(); // the history of each estimate
  #frame = null;
  #dirty = null;

  constructor(state) {
    this.state = state;
    this.map = new HeatMap(el("chains-map"));
    this.sampled = new HeatMap(el("chains-sampled"));
    this.exact = new HeatMap(el("chains-exact"));
    this.visits = new HeatMap(el("chains-visits"));
    this.mean = new HeatMap(el("chains-mean"));
    this.ways = document.createElement("canvas");
    this.ways.className = "ways";
    this.ways.setAttribute("aria-hidden", "true");
    el("chains-map").append(this.ways);
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    el("chains-seed").value = state.place.seed || "1";
    el("chains-seed").addEventListener("input", () => state.move({ seed: el("chains-seed").value.trim() }));
    el("chains-run").addEventListener("click", () => this.run());
    el("chains-stop").addEventListener("click", () => this.#end("Stopped."));
    state.addEventListener("question", () => this.#controller && this.#end("Stopped, since the question changed."));
  }

  // look gives the target, the exact distribution of where forward chains end, and T, all of the same question, which is that of runs
  // until the next one: the page may ask another one by then, whose T is not known yet.
  look(target, law, T, question) {
    this.question = question;
    this.target = target;
    this.law = law;
    this.T = T;
    if (!el("chains-shown").hidden && this.#controller === null) this.#leave();
  }

  // #leave takes away chains of another question than that of the page.
  #leave() {
    el("chains-shown").hidden = true;
    el("chains-status").textContent = "";
    this.#ends = null;
  }

  // repaint draws the same in other colours.
  repaint() {
    if (this.target && this.#ends) {
      this.#target();
      this.#counts();
      this.#visited();
    }
  }

  // run draws chains, and returns the states of the first ones at the stages that are drawn.
  async run() {
    if (!this.target) return [];
    this.#controller?.abort();
    const controller = new AbortController();
    this.#controller = controller;
    const { question, T } = this;
    this.#clear();
    const count = Number(el("chains-count").value);
    const seed = el("chains-seed").value.trim() || "1";
    const query = (extra) => this.state.query(extra, question);
    let last = null;
    let ways = [];
    try {
      ways = await this.#ways(query, T, Math.min(count, DRAWN), seed, controller.signal);
      const all = query({ chains: count, seed, show: Math.min(count, SHOWN), stages: T });
      await stream("chains", sized(all), controller.signal, (name, data) => {
        last = name;
        this.#hear(name, data);
      });
      if (this.#controller === controller) this.#end(last === "done" ? `${count} chains done.` : "The chains ended early.", false);
    } catch (fault) {
      if (controller.signal.aborted) return ways;
      el("error-chains").textContent = fault.message;
      el("error-chains").hidden = false;
      this.#end("");
    }
    return ways;
  }

  // #ways asks for every move of the first chains, and for the exact distribution of where a chain is at these stages.
  async #ways(query, T, chains, seed, signal) {
    const most = Math.max(2, Math.min(MOVES, T, Math.floor(NUMBERS / (3 * this.#shape.states))));
    const stages = Array.from({ length: most }, (_, i) => T - most + 1 + i).join();
    const [{ frames }] = await Promise.all([
      ask("frames", query({ stages }), signal),
      stream("chains", query({ chains, seed, show: chains, stages }), signal, (name, { states, direction }) => {
        if (name === "path" && direction === "forward") this.#paths.push({ states, begun: null });
      }),
    ]);
    this.#mean = new Float64Array(this.#shape.states);
    for (const { forward } of frames) numbers(forward).forEach((q, x) => (this.#mean[x] += q / frames.length));
    el("chains-ways").textContent = caption(this.#paths.length, most, T);
    this.#frame ??= requestAnimationFrame((now) => this.#animate(now));
    return this.#paths.map(({ states }) => states);
  }

  #clear() {
    el("error-chains").hidden = true;
    el("chains-shown").hidden = false;
    el("chains-run").disabled = true;
    el("chains-stop").hidden = false;
    el("chains-status").textContent = "Running…";
    el("chains-figure").replaceChildren();
    for (const name of ["estimates", "tests"]) el(name).tBodies[0].replaceChildren();
    this.#shape = new Shape(this.target);
    this.#paths = [];
    this.#lines = new Map();
    this.#ends = new Float64Array(this.#shape.states);
    this.#been = new Float64Array(this.#shape.states);
    this.#moves = 0;
    this.#mean = null;
    this.total = 0;
    this.#target();
    this.#counts();
    cancelAnimationFrame(this.#frame);
    this.#frame = null;
    this.#wipe();
  }

  #hear(name, data) {
    if (name === "path") this.#path(data);
    if (name === "estimates") {
      this.#estimates(data);
      this.#tests(data.tests ?? []);
    }
    if (name === "figure") el("chains-figure").replaceChildren(drawing(data.svg));
    if (name === "failed") {
      el("error-chains").textContent = message(data);
      el("error-chains").hidden = false;
    }
  }

  #path({ states, direction }) {
    if (direction === "reverse") return;
    this.#ends[states.at(-1)]++;
    this.total++;
    this.#dirty ??= requestAnimationFrame(() => {
      this.#dirty = null;
      this.#counts();
    });
  }

  #target() {
    const shape = new Shape(this.target);
    const p = numbers(this.target.p);
    this.kind = colours(p, shape);
    this.map.draw(p, shape, sequential(largest(p), this.kind), "The target, on which chains are drawn");
  }

  #counts() {
    const share = this.#ends.map((n) => (this.total > 0 ? n / this.total : 0));
    const most = Math.max(largest(share), this.law ? largest(this.law) : 0);
    const scale = sequential(most, this.kind);
    this.sampled.draw(share, this.#shape, scale, `Where ${this.total} forward chains have ended`);
    if (this.law) this.exact.draw(this.law, this.#shape, scale, "Where forward chains end, exactly");
    el("chains-sampled").dataset.total = this.total;
    el("chains-counted").textContent = `${this.total} sampled`;
  }

  // #visited draws where the first chain has been so far, beside the exact distribution of its state at a random stage.
  #visited() {
    if (this.#mean === null) return;
    const share = this.#been.map((n) => (this.#moves > 0 ? n / this.#moves : 0));
    const scale = sequential(Math.max(largest(share), largest(this.#mean)), this.kind);
    this.visits.draw(share, this.#shape, scale, `Where one chain has been at ${this.#moves} stages`);
    this.mean.draw(this.#mean, this.#shape, scale, "Where a chain is at these stages, exactly");
    el("chains-visited").textContent = `${this.#moves} stages`;
  }

  // #estimates writes a line for each quantity and keeps its history.
  #estimates({ n, rows }) {
    const body = el("estimates").tBodies[0];
    for (const row of rows) {
      const name = row.name;
      if (!this.#lines.has(name)) this.#lines.set(name, line(name, body));
      const here = this.#lines.get(name);
      here.history.push(number(row.estimate));
      here.cells.estimate.textContent = print(row.estimate, 4);
      here.cells.estimate.dataset.value = row.estimate;
      here.cells.error.textContent = print(row.error, 2);
      here.cells.exact.textContent = print(row.exact, 4);
      here.cells.exact.dataset.value = row.exact;
      here.cells.z.textContent = print(row.z, 3);
      spark(here.canvas, here.history, number(row.exact));
    }
    el("chains-status").textContent = `${n} chains so far`;
  }

  // #tests writes how much evidence there is that the chains do not have their exact distributions.
  #tests(tests) {
    const rows = tests.map((test) => {
      const row = document.createElement("tr");
      row.dataset.test = test.test;
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = test.test;
      row.append(head);
      for (const text of [String(test.draws), print(test.e_value, 3), print(test.threshold, 3), test.fault ? `a fault: ${test.where}` : "no doubt"]) {
        row.insertCell().textContent = text;
      }
      row.cells[2].dataset.value = test.e_value;
      return row;
    });
    el("tests").tBodies[0].replaceChildren(...rows);
    if (tests.length === 0) return;
    const most = Math.max(...tests.map((test) => number(test.e_value)));
    el("tests-summary").textContent = tests.some((test) => test.fault)
      ? `The chains do not have their exact distributions: see the e-values of ${tests.length} tests`
      : `Do the chains have their exact distributions? The largest of ${tests.length} e-values is ${print(most, 3)}; a fault has ${print(tests[0].threshold, 2)}`;
  }

  #end(words, abort = true) {
    if (abort) this.#controller?.abort();
    this.#controller = null;
    el("chains-run").disabled = false;
    el("chains-stop").hidden = true;
    el("chains-status").textContent = words;
  }

  #wipe() {
    const box = this.ways.getBoundingClientRect();
    this.ways.width = Math.round(box.width * devicePixelRatio);
    this.ways.height = Math.round(box.height * devicePixelRatio);
  }

  // #animate draws the ways so far. Where no motion is wanted they are drawn whole at once.
  #animate(now) {
    this.#wipe();
    const context = this.ways.getContext("2d");
    let moving = false;
    this.#paths.forEach((path, i) => {
      path.begun ??= now + i * 150;
      const end = path.states.length - 1;
      const last = this.still.matches ? end : Math.min(end, Math.max(0, Math.floor(((now - path.begun) / 1000) * PACE)));
      moving ||= last < end;
      this.#way(context, path.states, last, i);
      if (i === 0) while (this.#moves <= last) this.#been[path.states[this.#moves++]]++;
    });
    this.#visited();
    this.#frame = moving ? requestAnimationFrame((next) => this.#animate(next)) : null;
  }

  // #way draws a chain as a line through its states, each a little beside the middle so that chains do not hide one another.
  #way(context, states, last, i) {
    const wide = this.ways.width / this.#shape.columns;
    const high = this.ways.height / this.#shape.rows;
    const aside = [0.5 + 0.24 * Math.cos(2.4 * i), 0.5 + 0.24 * Math.sin(2.4 * i)];
    const point = (x) => [((x % this.#shape.columns) + aside[0]) * wide, (Math.floor(x / this.#shape.columns) + aside[1]) * high];
    const first = Math.max(0, last - TRAIL + 1);
    const stroke = (colour, width) => {
      context.strokeStyle = colour;
      context.lineWidth = width * devicePixelRatio;
      context.beginPath();
      for (let k = first; k <= last; k++) context[k === first ? "moveTo" : "lineTo"](...point(states[k]));
      context.stroke();
    };
    context.lineJoin = "round";
    stroke("rgb(0 0 0 / 60%)", 3);
    stroke("rgb(255 255 255 / 85%)", 1.4);
    if (first === 0) dot(context, point(states[0]), 3, "#fff");
    dot(context, point(states[last]), 5, "#ff8a1f");
  }
}

// caption says how many chains are drawn, and how much of their ways.
function caption(chains, stages, T) {
  const whole = `${chains} chains on the target, move by move`;
  return stages < T ? `${whole}: the last ${stages} of ${T} stages` : whole;
}

function dot(context, [x, y], radius, colour) {
  context.beginPath();
  context.arc(x, y, radius * devicePixelRatio, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.strokeStyle = "#000";
  context.lineWidth = devicePixelRatio;
  context.fill();
  context.stroke();
}

function line(name, body) {
  const row = body.insertRow();
  row.dataset.quantity = name;
  const head = document.createElement("th");
  head.scope = "row";
  head.textContent = name;
  if (name in MEANINGS) {
    const meaning = document.createElement("small");
    meaning.textContent = MEANINGS[name];
    head.append(meaning);
  }
  row.append(head);
  const cells = {};
  for (const key of ["estimate", "error", "exact", "z"]) cells[key] = row.insertCell();
  const canvas = document.createElement("canvas");
  canvas.className = "spark";
  canvas.width = 160;
  canvas.height = 40;
  canvas.setAttribute("aria-hidden", "true");
  row.insertCell().append(canvas);
  return { cells, canvas, history: [] };
}

// spark draws how an estimate came near to the exact value, which is the straight line.
function spark(canvas, history, exact) {
  const context = canvas.getContext("2d");
  const values = history.filter(Number.isFinite);
  const style = getComputedStyle(canvas);
  context.clearRect(0, 0, canvas.width, canvas.height);
  if (values.length === 0 || !Number.isFinite(exact)) return;
  const reach = Math.max(...values.map((v) => Math.abs(v - exact)), 1e-300);
  const y = (v) => canvas.height / 2 - ((v - exact) / reach) * (canvas.height / 2 - 3);
  context.lineWidth = 1.5;
  context.strokeStyle = style.getPropertyValue("--quiet");
  context.beginPath();
  context.moveTo(0, y(exact));
  context.lineTo(canvas.width, y(exact));
  context.stroke();
  context.lineWidth = 2.5;
  context.strokeStyle = style.getPropertyValue("--accent");
  context.beginPath();
  values.forEach((v, i) => context[i === 0 ? "moveTo" : "lineTo"]((i / Math.max(1, values.length - 1)) * canvas.width, y(v)));
  context.stroke();
}

function largest(values) {
  let most = 0;
  for (const x of values) most = Math.max(most, x);
  return most;
}
