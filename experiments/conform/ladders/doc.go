// Package ladders answers: is somebody's parallel tempering right, and if not, which known mistake is it? A task says what to implement on a
// small target: a ladder, Metropolis, swaps, an estimate of log Z and round trips. Records of runs are tested against their exact laws, which are
// propagated scan by scan, and against those of all known ways to get it wrong (package records).
//
// It never runs a program, and never samples.
package ladders
