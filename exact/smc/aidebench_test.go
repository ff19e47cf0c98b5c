package smc_test

import (
	"context"
	"testing"

	"breadboard/chains/particle"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/smc"
)

// BenchmarkPairsOnBarrier times AIDE of two particles on 7 by 7 states at T = 100, and compares it with numbers that were
// computed in many digits.
func BenchmarkPairsOnBarrier(b *testing.B) {
	a := exacttest.Annealing(b, "barrier", "linear", "metropolis", 100)
	for b.Loop() {
		s := must(smc.NewPairs(context.Background(), a, particle.Multinomial{}, 0))
		for i, e := range against(s, probabilities(a), 1, 10, 100) {
			near(b, "J", e.J, 1.61288603901089722, 1e-11)
			near(b, "mean", e.Mean, []float64{1.72757818175265854, 1.62836371283199943, 1.61453274829811999}[i], 1e-11)
			near(b, "variance", e.Variance, []float64{2.67011689184598433, 2.51259391659914089, 2.48916915693623819}[i], 1e-11)
			near(b, "lower", e.KLQPLower, []float64{0.838849395044915735, 0.876903831637438791, 0.881864088479326735}[i], 1e-11)
			near(b, "upper", e.KLQPUpper, []float64{0.930298707305662442, 0.888135654945194086, 0.883036520607336395}[i], 1e-11)
			near(b, "pq", e.KLPQUpper, []float64{0.797279474446995984, 0.740228057886805235, 0.731496227690783374}[i], 1e-11)
		}
	}
}

// BenchmarkChainOnBarrier times AIDE of annealed importance sampling for five numbers of traces, which share the transforms.
func BenchmarkChainOnBarrier(b *testing.B) {
	a := exacttest.Annealing(b, "barrier", "linear", "metropolis", 100)
	for b.Loop() {
		s := must(smc.NewChain(context.Background(), a, 0, nil))
		against(s, probabilities(a), 1, 10, 100, 1000, 1_000_000_000)
	}
}
