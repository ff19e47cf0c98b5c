// Package agreement answers: do the samplers at full size have the exact laws of their algorithms? It runs the models of package
// toys/latent, through the same code as the sandwich, on the data of models that are small enough for a lattice, and holds what they
// estimate to the laws of package exact/evidence, in which nothing is sampled. The tests are the e-processes of package
// experiments/evidence. It never prints, draws or reads flags.
//
// A lattice holds a state as a number and draws an axis from a table of all states. A model at full size holds assignments and
// statistics, and draws each variable from formulas. The two share no code of a move, so that their agreement says of both that they
// are right: at any b, forward and in reverse, and along the data.
package agreement
