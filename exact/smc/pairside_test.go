package smc_test

import (
	"context"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/smc"
	"breadboard/grid"
)

// TestPairsOnThree are numbers of two particles on three states, found by walking over all runs in many digits.
func TestPairsOnThree(t *testing.T) {
	a := exacttest.Build(t, nil, []float64{0, 1, -0.7}, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(3)}, 3)
	for _, c := range []struct {
		scheme                   particle.Scheme
		j                        float64
		mean, variance, faultily [3]float64
	}{
		{particle.Multinomial{}, 0.0033469269655079059, [3]float64{0.120517357407901066, 0.0654758044841917269, 0.0456765696404221738}, [3]float64{0.241425341595209841, 0.131113844596279894, 0.0914495297761391546}, [3]float64{0.0027609000044163251, 0.00301938226437838825, 0.00312080156397051903}},
		{particle.Systematic{}, 0.0030186686150582313, [3]float64{0.119910044995548692, 0.0649546151111737718, 0.0452030147204488877}, [3]float64{0.240077858589397536, 0.130030208413026205, 0.0904801407885511971}, [3]float64{0.00253306629766558017, 0.00274924474278247233, 0.00283295850837935598}},
	} {
		s := must(smc.NewPairs(context.Background(), a, c.scheme, 1))
		for i, e := range against(s, probabilities(a), 1, 2, 3) {
			near(t, "J", e.J, c.j, 1e-13)
			near(t, "mean", e.Mean, c.mean[i], 1e-13)
			near(t, "variance", e.Variance, c.variance[i], 1e-12)
			near(t, "without the first trace", e.MeanWithoutFirst, c.faultily[i], 1e-13)
		}
	}
}

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
