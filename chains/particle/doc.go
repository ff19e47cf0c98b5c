// Package particle answers: how does an inference algorithm get its output, and how might it have got a given output? It has the algorithms
// that AIDE compares (Cusumano-Towner and Mansinghka 2017): sequential Monte Carlo over any Flow, of which annealed importance sampling,
// Metropolis-Hastings, importance resampling and particle filters are cases, and samplers whose density is known. Each is written once,
// against a chains.Chooser, so that it can be sampled, enumerated and propagated.
//
// It never computes an exact law; package exact/smc does that.
package particle
