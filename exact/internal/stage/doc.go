// Package stage answers: what does one step of an annealing do to a distribution? It holds one stage at a time, with its
// distributions and its moves: one by the kernel or, for a sequence, one by each part, each as rows with their time reversal.
// It has the ratios q/p_t that are carried through the stages, divergences of such ratios, and checkpoints for going backwards.
// It never decides what is carried through the stages or what for: its callers do. Kernels that are applied without rows are
// not here but in package operator.
package stage
