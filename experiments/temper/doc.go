// Package temper answers: does parallel tempering pay, is its ladder good, and what does it say of log Z? It sets the round-trip rate of the kernel
// that explores beside the formula for perfect exploration (Syed et al. 2022), averages beside those of a plain chain at equal work, the best
// ladders by three criteria beside each other, and the cold chain beside annealing. Every number is exact. It never simulates.
//
// A ladder is the path and the schedule of an annealing: T rungs, N = T - 1 pairs, and the schedule acceptance has equal rejections.
//
//	breadboard temper --toy barrier:3x3 --schedule acceptance
//	breadboard temper ladder --toy barrier:3x3
//	breadboard temper z --toy random:2:7:3x3 --schedule acceptance
//	breadboard temper compare --toy barrier:3x3 --schedule acceptance
package temper
