// Draws of a function: node draws.js SEED FUNCTION PARAMETER... (prng, which reads the operating system's noise, is seeded)
const { writeSync } = require("fs"); // console.log in a loop without end would fill the memory
const [, , seed, name, ...parameters] = process.argv;
const PD = require("probability-distributions");
PD.prng = require("seedrandom")(seed);
for (;;) writeSync(1, PD[name](1, ...parameters.map(Number))[0] + "\n");
