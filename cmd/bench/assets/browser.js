// The program in the browser, where no server answers: workers that run it. Nothing interrupts a computation in a worker, so that a request which
// is given up ends its worker. Another one has started by then.
const GRACE = 150; // milliseconds in which a request that is given up may still come to its end
const FIRST = /^api\/(catalog|solve|target|file)\b/; // the requests that wait for no others

const said = document.getElementById("browser");
let program = null; // what all workers share: the script of each, and what it runs

// file asks for a file beside this one.
async function file(name) {
  const response = await fetch(new URL(name, import.meta.url), { cache: "no-cache" });
  if (!response.ok) throw new Error(`the server answers ${response.status} for ${name}`);
  return response;
}

// load loads and compiles all that workers need, so that they start without a network. The program is packed, and some servers unpack it on the way.
async function load() {
  said.textContent = "Loading the program. The controls work when it is here.";
  const scripts = await Promise.all(["wasm_exec.js", "worker.js"].map(async (name) => (await file(name)).blob()));
  const reader = (await file("bench.wasm.gz")).body.getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    said.textContent = `Loading the program: ${(size / 1e6).toFixed(1)} MB so far. The controls work when it is here.`;
  }
  const stream = new Blob(parts).stream();
  const packed = parts[0]?.[0] === 0x1f;
  const module = await WebAssembly.compileStreaming(new Response(packed ? stream.pipeThrough(new DecompressionStream("gzip")) : stream, { headers: { "Content-Type": "application/wasm" } }));
  said.textContent = "Running in your browser: what you enter stays here. This page reads no files by their names, starts no programs, and takes about ten times as long as breadboard serve.";
  return { module, script: URL.createObjectURL(new Blob(scripts, { type: "text/javascript" })) };
}

const MOST = 4; // workers, one of which is to spare
const idle = [];
const takers = []; // requests that wait for a worker
let alive = 0;

// start starts a worker, which goes to the first request that waits for one.
function start() {
  alive++;
  program ??= load().catch((fault) => {
    said.textContent = "";
    program = null; // so that the next request loads it again
    throw new Error(`The program of this page does not load (${fault.message}). Load the page again, or use a newer browser.`);
  });
  program.then(({ module, script }) => new Promise((resolve, reject) => {
    const worker = new Worker(script);
    worker.onmessage = () => resolve(worker);
    worker.onerror = (event) => reject(new Error(`The program does not start: ${event.message}`));
    worker.postMessage(module);
  })).then(give, (fault) => {
    alive--;
    takers.shift()?.reject(fault);
  });
}

function give(worker) {
  const taker = takers.shift();
  if (taker) taker.resolve(worker);
  else idle.push(worker);
}

function take() {
  return idle.shift() ?? new Promise((resolve, reject) => {
    takers.push({ resolve, reject });
    if (alive < MOST) start();
  });
}

// finish ends a worker, and starts another one.
function finish(worker) {
  worker.terminate();
  alive--;
  start();
}

// Lane lets a few requests be answered at once; the others wait.
class Lane {
  #waiting = [];

  constructor(places) {
    this.places = places;
  }

  async enter(signal) {
    if (this.places-- > 0) return;
    await new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        this.places++;
        reject(signal.reason);
      };
      this.#waiting.push(enter);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  leave() {
    this.places++;
    this.#waiting.shift()?.();
  }
}

const first = new Lane(1);
const others = new Lane(2);

// answer does what fetch does, by a worker.
export async function answer(url, { method = "GET", body, signal } = {}) {
  signal?.throwIfAborted();
  const bytes = body && new Uint8Array(await body.arrayBuffer());
  const lane = FIRST.test(url) ? first : others;
  await lane.enter(signal);
  try {
    const worker = await take();
    if (!signal?.aborted) return asked(worker, { method, url: `/${url}`, body: bytes }, signal, lane);
    give(worker);
  } catch (fault) {
    lane.leave();
    throw fault;
  }
  lane.leave();
  throw signal.reason;
}

// asked returns the answer of a worker, whose parts come as they are made. The place on the lane is free at its end.
function asked(worker, request, signal, lane) {
  return new Promise((resolve, reject) => {
    let parts = null;
    const stream = new ReadableStream({ start: (controller) => (parts = controller) });
    const end = () => {
      signal?.removeEventListener("abort", giveUp);
      lane.leave();
    };
    const fail = (fault) => {
      parts.error(fault);
      reject(fault);
      end();
    };
    const giveUp = () => {
      fail(signal.reason);
      const late = setTimeout(finish, GRACE, worker);
      worker.onmessage = ({ data }) => {
        if (!data.end) return;
        clearTimeout(late);
        give(worker);
      };
    };
    worker.onerror = (event) => {
      finish(worker);
      fail(new Error(`This is a mistake in breadboard itself, please report it: ${event.message}`));
    };
    worker.onmessage = ({ data }) => {
      if (data.status) resolve(new Response(stream, data));
      if (data.bytes) parts.enqueue(data.bytes);
      if (!data.end) return;
      parts.close();
      end();
      give(worker);
      if (alive < MOST) start();
    };
    signal?.addEventListener("abort", giveUp);
    worker.postMessage(request);
  });
}
