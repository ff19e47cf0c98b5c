// Weighted samples without replacement of two items, as their numbers: node reservoir.js SEED WEIGHT...
const { writeSync } = require("fs"); // console.log in a loop without end would fill the memory
const [, , seed, ...weights] = process.argv;
const { createWeightedReservoirSample } = require("pandemonium/weighted-reservoir-sample");
const sample = createWeightedReservoirSample({
    rng: require("seedrandom")(seed),
    getWeight: (item) => Number(weights[item]),
});
const items = weights.map((_, i) => i);
for (;;) writeSync(1, sample(2, items).sort().join("-") + "\n");
