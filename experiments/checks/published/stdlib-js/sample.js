// Ordered samples of two of a, b, c without replacement: node sample.js sample|redraw SEED
const { writeSync } = require("fs"); // console.log in a loop without end would fill the memory
const { factory } = require("@stdlib/random-sample");
const items = ["a", "b", "c"], probs = [0.6, 0.3, 0.1];
const sample = factory({ seed: Number(process.argv[3]) });

function redraw() { // draws both anew where they are equal, which is another law
    const pair = sample(items, { size: 2, replace: true, probs });
    return pair[0] === pair[1] ? redraw() : pair;
}

const pair = process.argv[2] === "redraw" ? redraw : () => sample(items, { size: 2, replace: false, probs });
for (;;) writeSync(1, pair().join("") + "\n");
