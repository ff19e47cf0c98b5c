// What the page asks, where it stands in time, and how to go back. All of it is in the URL.
import { inBrowser } from "./api.js";

// NAMES are the parameters of a question, as the command line and the API call them.
export const NAMES = ["toy", "T", "path", "initial", "schedule", "kernel"];

// PLACES are what the page remembers beside the question.
export const PLACES = ["stage", "seed", "lesson"];

const REMEMBERED = 200;
const MARK = inBrowser ? "#" : "?"; // browsers send what is behind a # to no server

// State tells its listeners "question" when the question changes and "place" when anything else does.
export class State extends EventTarget {
  #past = [];
  #future = [];
  #group = null;
  #timer = null;

  #defaults;

  constructor(defaults) {
    super();
    this.#defaults = defaults;
    Object.assign(this, this.#addressed());
  }

  // follow goes to the state that the URL names now, as after a link to another one, without a network.
  follow() {
    const { question, place } = this.#addressed();
    this.place = place;
    if (same(question, this.question)) this.#ask(question);
    else this.change(question);
  }

  #addressed() {
    const given = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : location.search);
    return {
      question: Object.fromEntries(NAMES.map((name) => [name, given.get(name) ?? String(this.#defaults[name] ?? "")])),
      place: Object.fromEntries(PLACES.map((name) => [name, given.get(name) ?? ""])),
    };
  }

  // change asks something else. Changes of the same group, as those of one stroke of the brush, are undone together.
  change(patch, group = null) {
    const next = { ...this.question, ...patch };
    if (same(next, this.question)) return;
    if (group === null || group !== this.#group) this.#past.push(this.question);
    if (this.#past.length > REMEMBERED) this.#past.shift();
    this.#group = group;
    this.#future = [];
    this.#ask(next);
  }

  // settle ends a group.
  settle() {
    this.#group = null;
  }

  undo() {
    this.#step(this.#past, this.#future);
  }

  redo() {
    this.#step(this.#future, this.#past);
  }

  get undoable() {
    return this.#past.length > 0;
  }

  get redoable() {
    return this.#future.length > 0;
  }

  move(patch) {
    Object.assign(this.place, patch);
    this.#remember();
    this.dispatchEvent(new Event("place"));
  }

  // query is the question, or an older one, as a query of the API, with what a route wants beside it.
  query(extra = {}, question = this.question) {
    const out = new URLSearchParams();
    for (const name of NAMES) if (question[name] !== "") out.set(name, question[name]);
    for (const [name, value] of Object.entries(extra)) out.set(name, value);
    return readable(out);
  }

  // address is the URL of this state of the page.
  address() {
    const places = Object.entries(this.place).filter(([, value]) => value !== "");
    return location.pathname + MARK + this.query(Object.fromEntries(places));
  }

  #step(from, to) {
    if (from.length === 0) return;
    to.push(this.question);
    this.#group = null;
    this.#ask(from.pop());
  }

  #ask(question) {
    this.question = question;
    this.#remember();
    this.dispatchEvent(new Event("question"));
  }

  // The URL follows a moment later, since browsers refuse to change it hundreds of times in a few seconds.
  #remember() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => history.replaceState(null, "", this.address()), 120);
  }
}

// readable writes a query so that selectors in it can be read: neither colons nor slashes need to be escaped there.
function readable(query) {
  return query.toString().replaceAll("%3A", ":").replaceAll("%2F", "/").replaceAll("%2C", ",");
}

function same(a, b) {
  return NAMES.every((name) => a[name] === b[name]);
}
