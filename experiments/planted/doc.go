// Package planted answers: what does a program do that gets annealed importance sampling wrong? It holds annealing written
// down step by step, with a place for each bug, and kernels with one thing changed. They are programs like any other (see
// chains.Process), so that they can be sampled, to see whether a test finds the bug, and propagated, to know the exact law
// of what the bug puts out.
//
// It also has particle filters, and estimators of Z with what they ask of a model, with places for bugs.
//
// It never tests anything, and nothing but tests and hypotheses may use it.
package planted
