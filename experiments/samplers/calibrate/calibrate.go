package calibrate

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/exact/averages"
	"breadboard/experiments"
	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/diagnose"
)

// Options say which question is asked.
type Options struct {
	N        []int64 // the numbers of samples
	Chains   int     // K, the number of simulated chains; 0 simulates none
	Seed     uint64  // of the simulated chains
	MeanOnly bool    // whether the errors of the variance and of the distribution are left out
	Workers  int     // the number of settings at once; 0 is one for each processor
	// Progress is called from several goroutines at once; the calls add up to Steps; may be nil.
	Progress func(settings int)
}

// Row is what the diagnostics say of the chains of a setting, and how far these are off.
type Row struct {
	samplers.Setting
	// Exact has the effective sample sizes that the exact expectations give, and exact RESS.
	Exact *Scores
	// Simulated has the numbers of K simulated chains; nil where none are simulated.
	Simulated *Scores
}

// Scores are the diagnostics of chains, and the real effective sample sizes (RESS) that these diagnostics should foretell. A number that
// does not exist is NaN.
type Scores struct {
	// ESS is that of a single chain: what the expectations of its autocovariances give, or the mean over simulated chains.
	ESS float64
	// All is the effective sample size of all K chains: what the expectations give, or the bulk ESS of simulated chains.
	All                         float64
	RHat, RHatSplit, RHatRank   float64 // of the expectations there is the first alone
	Geweke                      float64 // of the expectations the root mean square of the score, of simulated chains the largest |z|
	Mean, Variance, CramerMises float64 // RESS of a chain's mean, variance and distribution (Eq. 4)
	ESSD                        float64 // Eq. 8, of simulated chains
}
