// Draws of a distribution of stdlib: node draws.js MODULE SEED PARAMETER...
const [, , module_, seed, ...parameters] = process.argv;
const draw = require(module_).factory(...parameters.map(Number), { seed: Number(seed) });
for (;;) console.log(draw());
