package laws_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains/estimators"
	"breadboard/exact/laws"
	"breadboard/grid/longtest"
)

// labelled is a state with its label.
type labelled struct {
	logL, label float64
}

func (a labelled) below(b labelled) bool {
	return a.logL < b.logL || (a.logL == b.logL && a.label < b.label)
}

// runLabelled runs nested sampling as it is described: particles with labels, one of which dies at a time, and replacements by draws from
// the prior until one is above the dead. States are given by log L, all with the same prior.
func runLabelled(rng *rand.Rand, logL []float64, top float64, o estimators.NestedOptions) (logZ float64, deaths int) {
	draw := func() labelled { return labelled{logL[rng.IntN(len(logL))], rng.Float64()} }
	at := make([]labelled, o.Particles)
	for i := range at {
		at[i] = draw()
	}
	r := float64(o.Particles) / float64(o.Particles+1)
	switch o.Volume {
	case estimators.VolumeUnbiased:
		r = 1 - 1/float64(o.Particles)
	case estimators.VolumeExp:
		r = math.Exp(-1 / float64(o.Particles))
	}
	z, volume := 0.0, 1.0
	for {
		least := 0
		for i := range at {
			if at[i].below(at[least]) {
				least = i
			}
		}
		dead := at[least]
		if dead.logL == top {
			return math.Log(z + volume*math.Exp(top)), deaths
		}
		z, volume = z+volume*(1-r)*math.Exp(dead.logL), volume*r
		deaths++
		for at[least] = draw(); !dead.below(at[least]); at[least] = draw() {
		}
	}
}

// TestNestedLabels: the law of nested sampling with a label is that of runs with labels that are drawn. The means of 40,000 runs are
// within 5.5 standard errors, which fails with a probability of 4e-8 for each; the seed is fixed.
func TestNestedLabels(t *testing.T) {
	longtest.NotShort(t)
	const runs = 40_000
	logL := []float64{-1, -1, -1, 0.5, 0.5, 3}
	on := laws.NewTarget(nestedOnLine(t, make([]float64, len(logL)), logL))
	rng := rand.New(rand.NewPCG(16, 3))
	for _, o := range []estimators.NestedOptions{{Particles: 2}, {Particles: 4, Volume: estimators.VolumeUnbiased}, {Particles: 3, Volume: estimators.VolumeExp}} {
		var sum, squares, draws float64
		for range runs {
			z, deaths := runLabelled(rng, logL, 3, o)
			sum += z
			squares += z * z
			draws += float64(deaths)
		}
		law := newNested(on, o)
		m := momentsOfTrials(law, 1)
		mean, sd := sum/runs, math.Sqrt(squares/runs-sum/runs*sum/runs)
		if off := (mean - m.Mean - on.Offset) / (m.SD / math.Sqrt(runs)); math.Abs(off) > 5.5 {
			t.Errorf("%+v: the mean of the runs is %v, %v standard errors from %v", o, mean, off, m.Mean+on.Offset)
		}
		// The kurtosis of these laws is below 4, and the standard error of a standard deviation below sd/sqrt(runs).
		if off := (sd - m.SD) / (m.SD / math.Sqrt(runs)); math.Abs(off) > 5.5 {
			t.Errorf("%+v: the standard deviation of the runs is %v, %v standard errors from %v", o, sd, off, m.SD)
		}
		if off := (draws/runs - law.Work().Exact) / math.Sqrt(law.Work().Exact/runs); math.Abs(off) > 5.5 {
			t.Errorf("%+v: %v draws in a run, %v standard errors from %v", o, draws/runs, off, law.Work().Exact)
		}
	}
}
