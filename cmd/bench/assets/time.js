// Time travel: the target, the forward and the reverse chain at a stage, side by side on one scale.
import { ask, Latest } from "./api.js";
import { along, diverging, least, sequential } from "./colours.js";
import { numbers, print } from "./format.js";
import { colours, HeatMap, legend, Shape } from "./maps.js";

const NUMBERS = 60000; // numbers that are asked for at once: more would keep the page waiting
const FRAMES = 101;
const SECONDS = 8; // how long it takes to play

const el = (id) => document.getElementById(id);

export class TimeTravel {
  #frames = new Map(); // by stage
  #stages = [];
  #law = null; // of the state that is followed, by stage
  #followed = null;
  #cursor = null;
  #exactly = new Latest();
  #following = new Latest();
  #playing = null;
  #shape = null;
  #query = "";

  constructor(state, say) {
    this.state = state;
    this.say = say;
    this.maps = {};
    for (const name of ["p", "q", "r", "difference", "follow"]) this.maps[name] = new HeatMap(el(`map-${name}`));
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.#controls();
    this.#pointer();
    el("maps").addEventListener("keydown", (event) => this.#key(event));
  }

  // load asks for the frames of a question; the target is that of the same question.
  load(target, signal) {
    const n = target().states;
    const count = Math.max(2, Math.min(FRAMES, Math.floor(NUMBERS / (3 * n))));
    return ask("frames", this.state.query({ count }), signal);
  }

  // show draws the frames. The last of them is that of T, which some schedules choose themselves.
  show(answer, target) {
    this.#stop();
    this.#query = this.state.query();
    this.#shape = new Shape(target);
    this.#frames = new Map();
    this.#keep(answer);
    this.#stages = [...this.#frames.keys()].sort((a, b) => a - b);
    const T = this.#stages.at(-1);
    this.T = T;
    el("stage").max = T;
    const wanted = Number(this.state.place.stage);
    el("stage").value = wanted >= 1 && wanted <= T ? wanted : T;
    if (this.#cursor !== null && this.#cursor >= this.#shape.states) this.#cursor = null;
    this.unfollow();
    this.#draw();
  }

  // repaint draws the same stage in other colours.
  repaint() {
    if (this.#shape) this.#draw();
  }

  // last is the exact distribution of the output of forward chains.
  get last() {
    return this.#frames.get(this.T)?.q;
  }

  // stages are those of the frames.
  get stages() {
    return this.#stages;
  }

  #keep(answer) {
    for (const frame of answer.frames) {
      this.#frames.set(frame.stage, {
        beta: frame.beta, p: numbers(frame.p), q: numbers(frame.forward), r: numbers(frame.reverse),
      });
    }
  }

  get #stage() {
    return Number(el("stage").value);
  }

  // #move goes to a stage: at once to the nearest frame, and then to the stage itself.
  #move(stage, remembered = true) {
    el("stage").value = stage;
    if (remembered) this.state.move({ stage: el("stage").value });
    this.#draw();
  }

  #draw() {
    const wanted = this.#stage;
    const stage = this.#shown;
    const frame = this.#frames.get(stage);
    if (!frame) return;
    const scale = this.#scale(frame);
    const words = `t = ${stage} of ${this.T}, β = ${print(frame.beta, 4)}`;
    this.maps.p.draw(frame.p, this.#shape, scale, `Target p at ${words}`);
    this.maps.q.draw(frame.q, this.#shape, scale, `Forward q at ${words}`);
    this.maps.r.draw(frame.r, this.#shape, scale, `Reverse r at ${words}`);
    this.#drawDifference(frame, words);
    this.#drawFollowed(stage);
    el("stage-text").textContent = words;
    el("stage").setAttribute("aria-valuetext", words);
    el("maps").dataset.stage = stage;
    this.#read();
    if (stage !== wanted && this.#playing === null) this.#fetch(wanted);
  }

  // #kind is the scale of colours that was chosen, or the one that the modes of the target need.
  get #kind() {
    const chosen = el("scale").value;
    return chosen === "auto" ? colours(this.#frames.get(this.T).p, this.#shape) : chosen;
  }

  #scale(frame) {
    const kind = this.#kind;
    const most = el("span").value === "all"
      ? largest([...this.#frames.values()].flatMap((f) => [f.p, f.q, f.r]))
      : largest([frame.p, frame.q, frame.r]);
    const scale = sequential(most, kind);
    legend(el("legend"), scale, along(most, kind));
    el("least").textContent = least(most, kind);
    el("most").textContent = print(most, 3);
    return scale;
  }

  #drawDifference(frame, words) {
    const [a, b] = el("difference").value.split("-");
    const values = frame[a].map((x, i) => x - frame[b][i]);
    const most = largest([values.map(Math.abs)]);
    const scale = diverging(most);
    this.maps.difference.draw(values, this.#shape, scale, `${a} minus ${b} at ${words}`);
    legend(el("difference-legend"), scale, (share) => most * (2 * share - 1));
    el("difference-least").textContent = print(-most, 3);
    el("difference-most").textContent = print(most, 3);
    const title = [a, b].flatMap((name, i) => [i ? " − " : "", name, subscript()]);
    el("difference-name").replaceChildren(...title);
  }

  #drawFollowed(stage) {
    el("figure-follow").hidden = this.#law === null;
    if (this.#law === null) return;
    const law = this.#law.get(stage);
    const { state, stage: from } = this.#followed;
    const when = stage < from ? "where it comes from" : stage > from ? "where it goes" : "here it is";
    el("follow-title").textContent = `at t = ${stage}: ${when}`;
    this.maps.follow.draw(law, this.#shape, sequential(largest([law]), this.#kind),
      `The mass that is in ${this.#shape.name(state)} at t = ${from}: ${when} at t = ${stage}`);
    this.maps.follow.mark("origin", state);
  }

  // #shown is the stage of the maps: that of the slider, or the nearest one to it of which all are there.
  get #shown() {
    const wanted = this.#stage;
    let best = NaN;
    for (const stage of this.#frames.keys()) {
      if (this.#law !== null && !this.#law.has(stage)) continue;
      if (Number.isNaN(best) || Math.abs(stage - wanted) < Math.abs(best - wanted)) best = stage;
    }
    return best;
  }

  #fetch(stage) {
    const query = this.#query;
    const followed = this.#followed;
    this.#exactly.ask({
      work: (signal) => Promise.all([ask("frames", `${query}&stages=${stage}`, signal), followed && this.#lawOf(followed, stage, signal)]),
      done: ([answer, law]) => {
        if (query !== this.#query) return;
        this.#keep(answer);
        if (law && followed === this.#followed) this.#law.set(stage, law.get(stage));
        if (this.#playing === null && this.#frames.has(this.#stage)) this.#draw();
      },
      failed: (fault) => this.say(fault.message),
    });
  }

  // follow asks where the mass of a state comes from and goes.
  follow(state) {
    const stage = this.#stage;
    const query = this.#query;
    const stages = [...new Set([...this.#stages, stage])].sort((a, b) => a - b);
    this.#following.ask({
      work: (signal) => this.#lawOf({ state, stage }, stages, signal),
      done: (law) => {
        if (query !== this.#query) return;
        this.#law = law;
        this.#followed = { state, stage };
        for (const name of ["p", "q", "r", "difference"]) this.maps[name].mark("origin", state);
        el("follow-text").textContent = `Following the mass of forward chains in ${this.#shape.name(state)} at t = ${stage}. Move in time to see where it comes from and goes; Escape ends it.`;
        this.#draw();
      },
      failed: (fault) => this.say(fault.message),
    });
  }

  // #lawOf asks where the mass of a state is at some stages.
  async #lawOf({ state, stage }, stages, signal) {
    const answer = await ask("follow", `${this.#query}&stage=${stage}&state=${state}&stages=${stages}`, signal);
    return new Map(answer.frames.map((frame) => [frame.stage, numbers(frame.law)]));
  }

  unfollow() {
    this.#following.cancel();
    if (this.#law === null) return;
    this.#law = null;
    this.#followed = null;
    for (const map of Object.values(this.maps)) map.mark("origin", null);
    el("figure-follow").hidden = true;
    el("follow-text").textContent = "Click a state, or press Enter on it, to follow where its mass comes from and where it goes.";
  }

  #point(x) {
    this.#cursor = x;
    for (const map of Object.values(this.maps)) map.mark("cursor", x);
    this.#read();
  }

  #read() {
    const x = this.#cursor;
    const frame = this.#frames.get(this.#shown);
    if (x === null || !frame) {
      el("reading").textContent = "\u00a0";
      return;
    }
    const [a, b] = el("difference").value.split("-");
    const law = this.#law?.get(this.#shown);
    const followed = law ? `, followed ${print(law[x], 4)}` : "";
    el("reading").textContent = `${this.#shape.name(x)}: p = ${print(frame.p[x], 4)}, q = ${print(frame.q[x], 4)}, r = ${print(frame.r[x], 4)}, ${a} − ${b} = ${print(frame[a][x] - frame[b][x], 4)}${followed}`;
  }

  // open plays from the first stage, unless no motion is wanted. The address does not follow.
  open() {
    if (this.still.matches) return;
    this.#stop();
    el("stage").value = 1;
    this.#draw();
    this.#play(false);
  }

  #controls() {
    el("stage").addEventListener("input", () => {
      this.#stop();
      this.#move(this.#stage);
    });
    for (const name of ["scale", "span", "difference"]) el(name).addEventListener("change", () => this.repaint());
    el("play").addEventListener("click", () => this.#play(true));
    const label = () => (el("play").textContent = this.still.matches ? "Step" : "Play");
    this.still.addEventListener("change", label);
    label();
  }

  // #play runs through the frames, from the start where it stands at the end. Where no motion is wanted it makes one step.
  #play(remembered) {
    if (this.#stages.length === 0) return;
    if (this.#playing !== null) {
      this.#stop();
      return;
    }
    if (this.still.matches) {
      this.#move(this.#stages.find((stage) => stage > this.#stage) ?? this.#stages[0]);
      return;
    }
    el("play").textContent = "Pause";
    let at = this.#stages.findIndex((stage) => stage > this.#stage);
    if (at < 0) at = 0;
    const step = (1000 * SECONDS) / this.#stages.length;
    this.#playing = setInterval(() => {
      if (at >= this.#stages.length) this.#stop();
      else this.#move(this.#stages[at++], remembered);
    }, step);
  }

  #stop() {
    if (this.#playing === null) return;
    clearInterval(this.#playing);
    this.#playing = null;
    el("play").textContent = this.still.matches ? "Step" : "Play";
  }

  #pointer() {
    for (const map of Object.values(this.maps)) {
      map.place.addEventListener("pointermove", (event) => this.#point(map.at(event)));
      map.place.addEventListener("pointerleave", () => this.#point(null));
      map.place.addEventListener("click", (event) => {
        const x = map.at(event);
        if (x === null) return;
        this.#point(x);
        this.follow(x);
      });
    }
  }

  #key(event) {
    if (this.#shape === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (event.key in moves) this.#point(this.#cursor === null ? 0 : this.#shape.step(this.#cursor, ...moves[event.key]));
    else if (event.key === "Enter" || event.key === " ") this.#cursor !== null && this.follow(this.#cursor);
    else if (event.key === "Escape") {
      this.unfollow();
      this.#draw();
    } else if (event.key === "PageUp" || event.key === "PageDown") this.#jump(event.key === "PageUp" ? 1 : -1);
    else return;
    event.preventDefault();
  }

  #jump(by) {
    this.#stop();
    const next = by > 0
      ? this.#stages.find((stage) => stage > this.#stage)
      : this.#stages.findLast((stage) => stage < this.#stage);
    if (next !== undefined) this.#move(next);
  }
}

function largest(lists) {
  let most = 0;
  for (const list of lists) for (const x of list) most = Math.max(most, x);
  return most;
}

function subscript() {
  const out = document.createElement("sub");
  out.textContent = "t";
  return out;
}
