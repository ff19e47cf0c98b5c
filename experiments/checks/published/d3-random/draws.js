// Binomial numbers: node draws.js SEED N P, which d3 finds by halving N with beta numbers until N p is small
const { randomBinomial } = require("d3-random");
const { writeSync } = require("fs"); // console.log in a loop without end would fill the memory
const [seed, n, p] = process.argv.slice(2).map(Number);
const draw = randomBinomial.source(require("seedrandom")(seed))(n, p);
for (;;) writeSync(1, draw() + "\n");
