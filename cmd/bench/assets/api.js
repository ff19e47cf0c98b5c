// Questions to the server. Newer ones cancel older ones.

// Refusal is an answer of the server that is not the one that was asked for. It says which parameter is to blame.
export class Refusal extends Error {
  constructor(status, message, parameter) {
    super(message);
    this.status = status;
    this.parameter = parameter ?? "";
  }
}

// message returns what is wrong, and what to do, of an answer that says so.
export const message = ({ error, hint }) => (hint ? `${error}; ${hint}` : error);

// inBrowser says whether there is no server, and the page computes itself.
export const inBrowser = "browser" in document.documentElement.dataset;
const get = inBrowser ? (await import("./browser.js")).answer : fetch;

const BUSY = 429;
const PATIENCE = [150, 400, 1000];

// ask gets the JSON of a route. A server that is busy is asked again, until the question is given up.
export async function ask(route, query, signal) {
  for (let attempt = 0; ; attempt++) {
    const response = await reach(`api/${route}?${query}`, { signal });
    if (response.ok) return response.json();
    const refusal = await refused(response);
    if (refusal.status !== BUSY) throw refusal;
    await pause(PATIENCE[Math.min(attempt, PATIENCE.length - 1)], signal);
  }
}

// send posts the bytes of a file.
export async function send(route, query, body, signal) {
  const response = await reach(`api/${route}?${query}`, { method: "POST", body, signal });
  if (!response.ok) throw await refused(response);
  return response.json();
}

// stream reads server-sent events, and calls heard(name, data) for each. Giving up the signal ends the work on the server.
export async function stream(route, query, signal, heard) {
  const response = await reach(`api/${route}?${query}`, { signal, headers: { Accept: "text/event-stream" } });
  if (!response.ok) throw await refused(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const parts = text.split("\n\n");
    text = parts.pop();
    for (const part of parts) {
      if (signal.aborted) throw new DOMException("given up", "AbortError"); // what has come already is not wanted any more
      event(part, heard);
    }
  }
}

function event(part, heard) {
  let name = "message";
  const data = [];
  for (const line of part.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  if (data.length > 0) heard(name, JSON.parse(data.join("\n")));
}

async function reach(url, options) {
  try {
    return await get(url, { cache: "no-store", credentials: "same-origin", ...options });
  } catch (fault) {
    if (fault.name === "AbortError") throw fault;
    throw new Refusal(0, inBrowser ? fault.message : "The server does not answer. Start breadboard serve again, and change anything here to go on.");
  }
}

// save has the browser save the file at a path.
export async function save(path) {
  const response = await reach(path, {});
  if (!response.ok) throw await refused(response);
  const link = document.createElement("a");
  [, link.download] = /filename="(.+)"/.exec(response.headers.get("Content-Disposition"));
  link.href = URL.createObjectURL(await response.blob());
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000); // the browser has begun to read it by then
}

async function refused(response) {
  try {
    const body = await response.json();
    return new Refusal(response.status, message(body), body.parameter);
  } catch {
    return new Refusal(response.status, `The server answered ${response.status} ${response.statusText}.`);
  }
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}

// Latest runs one request at a time and lets at most one wait, the newest. What runs is given a moment to come home when
// something newer waits, so that answers keep coming while somebody paints, and is then cancelled.
export class Latest {
  #running = null;
  #waiting = null;
  #timer = null;

  constructor(moment = 150) {
    this.moment = moment;
  }

  // ask runs job.work(signal), then job.done(answer, newest) or job.failed(fault).
  ask(job) {
    this.#waiting = job;
    if (this.#running === null) {
      this.#start();
      return;
    }
    const running = this.#running;
    this.#timer ??= setTimeout(() => running.abort(), this.moment);
  }

  // cancel gives up what runs and what waits.
  cancel() {
    this.#waiting = null;
    this.#running?.abort();
  }

  async #start() {
    const job = this.#waiting;
    const controller = new AbortController();
    this.#waiting = null;
    this.#running = controller;
    try {
      const answer = await job.work(controller.signal);
      if (!controller.signal.aborted) job.done(answer, this.#waiting === null);
    } catch (fault) {
      if (!controller.signal.aborted && this.#waiting === null) job.failed(fault);
    } finally {
      clearTimeout(this.#timer);
      this.#timer = null;
      this.#running = null;
      if (this.#waiting !== null) this.#start();
    }
  }
}
