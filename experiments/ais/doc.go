// Package ais answers: what do sampled chains estimate, beside the exact answer? It runs annealed importance sampling
// in both directions and sets every estimate beside its exact expectation. It never draws from anything but the
// streams of its seed.
package ais
