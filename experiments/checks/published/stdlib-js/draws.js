// Draws of a distribution of stdlib: node draws.js MODULE SEED PARAMETER...
const { writeSync } = require("fs"); // console.log in a loop without end would fill the memory
const [, , module_, seed, ...parameters] = process.argv;
const draw = require(module_).factory(...parameters.map(Number), { seed: Number(seed) });
for (;;) writeSync(1, draw() + "\n");
