// A worker that runs the program, behind wasm_exec.js. It answers one request at a time, by messages: a head, parts, and an end.
let answer = null;

// listen is called by the program once it is ready.
self.listen = (handle) => {
  answer = handle;
  postMessage({});
};

const page = {
  head: (status, headers) => postMessage({ status, headers }),
  part: (bytes) => postMessage({ bytes }, [bytes.buffer]),
  end: () => postMessage({ end: true }),
};

self.onmessage = async ({ data }) => {
  if (answer !== null) {
    answer(data, page);
    return;
  }
  const go = new Go();
  await go.run(await WebAssembly.instantiate(data, go.importObject));
  setTimeout(() => {
    throw new Error("the program has ended");
  });
};
