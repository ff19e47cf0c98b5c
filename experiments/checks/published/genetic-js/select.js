// The ranks of the individuals that a selector chooses in a generation of four individuals: node
// select.js SELECTOR SEED
const { writeSync } = require("fs"); // console.log in a loop without end would fill the memory
const [, , selector, seed] = process.argv;
Math.random = require("seedrandom")(seed);
const { Select1, Optimize } = require("genetic-js");
const population = [0, 1, 2, 3].map((rank) => ({ entity: rank, fitness: -rank })); // sorted, the fittest first
for (;;) {
    const genetic = { internalGenState: {}, optimize: Optimize.Maximize }; // each generation begins so
    for (const _ of population) writeSync(1, Select1[selector].call(genetic, population) + "\n");
}
