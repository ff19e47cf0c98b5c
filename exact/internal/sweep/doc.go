// Package sweep answers: what does one step of an annealing do to a distribution? It has the stage at hand, with its
// distributions, its kernel's rows and their reversal, the ratios q/p_t that are carried through the stages, divergences of
// such ratios, and checkpoints for going back. It decides nothing: what is carried, and what it is for, is its callers'.
package sweep
