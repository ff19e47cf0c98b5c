// Package samplers answers: how well does a sampler really work? It is the benchmark of Turner and Neal (2017) with exact numbers in the
// place of noisy ones: a problem is a kernel on a target, with the laws from which its chains start and the functions whose averages they
// estimate. Its rooms ask one question each of problems. It never prints, draws or reads flags.
package samplers
