package laws_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/laws"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// annealingOf returns the annealing of a toy from its prior on the schedule sigmoid:4 with the
// kernel heatbath-scan.
func annealingOf(name, pathName string, T int) *chains.Annealing {
	toy := longtest.Sure(toys.Parse(name))
	initial := longtest.Sure(toys.ParseInitial(context.Background(), "prior", toy))
	path := longtest.Sure(toys.ParsePath(pathName, initial.Ends, toy))
	k := longtest.Sure(kernels.Parse("heatbath-scan", toy.Space))
	return longtest.Sure(chains.NewAnnealing(path, schedules.Sigmoid{Delta: 4}, k, T))
}

// annealedLaw returns a distribution, and the target's offset.
func annealedLaw(a *chains.Annealing, d chains.Direction) (*laws.Annealed, *laws.Target) {
	on := laws.NewTarget(a)
	law := longtest.Sure(laws.NewAnnealing(context.Background(), on, a, d, 2))
	return law, on
}

// TestAnnealedReference holds means and variances to 1e-11, and J to 1e-8 of itself, of figures
// that programs independent of this project have computed. Both divergences of clu8 at T = 100 are
// of a computation with 40 digits.
func TestAnnealedReference(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		toy, path string
		T         int
		// Mean and deviation forward and in reverse, B, J, KL(q||p) and KL(p||q).
		want [8]float64
	}{
		{"clu8", "geometric", 2, [8]float64{-28.0493184162787, 3.29190249790693, -14.9308753229398, 0.823214850873273, 13.1184430933389, 1.05542475288733,
			0.816150575048295, 0.23927417783904}},
		{"clu8", "geometric", 100, [8]float64{-19.1522695700138, 0.541812248267798, -18.8738286531504, 0.513783574556745, 0.278440916863481, 6.467971e-09,
			3.234499674231e-09, 3.233471321743e-09}},
		{"clu8", "tempered", 30, [8]float64{-19.5336770391578, 1.08267169317485, -18.5448709314448, 0.90979110433964, 0.988806107712932, 8.61451034e-08,
			4.30989423e-08, 4.30461611e-08}},
		{"bin4", "tempered", 30, [8]float64{-17.2976564389841, 0.405742116216766, -17.1331559795836, 0.405201892360063, 0.164500459400525, 1.55728263e-06,
			7.78759123e-07, 7.78523505e-07}},
	} {
		a := annealingOf(c.toy, c.path, c.T)
		forward, on := annealedLaw(a, chains.Forward)
		reverse, _ := annealedLaw(a, chains.Reverse)
		f, r := momentsOfTrials(forward, 1), momentsOfTrials(reverse, 1)
		s := longtest.Sure(exact.Solve(context.Background(), a, exact.Options{}))
		got := [8]float64{f.Mean + on.Offset, f.SD, r.Mean + on.Offset, r.SD, r.Mean - f.Mean, s.J, s.KLQP, s.KLPQ}
		for i, want := range c.want {
			near := math.Abs(got[i]-want) <= 1e-11
			switch {
			case i == 1 || i == 3:
				near = math.Abs(got[i]*got[i]-want*want) <= 1e-11
			case i >= 5 && want < 1e-4:
				near = math.Abs(got[i]/want-1) <= 2e-8
			}
			if !near {
				t.Errorf("%s, %s, T = %d: number %d is %.15g, want %.15g", c.toy, c.path, c.T, i, got[i], want)
			}
		}
		if !(math.Abs(f.LogMean-on.LogZ) < 1e-12) || !(r.LogMean > on.LogZ) {
			t.Errorf("%s, %s, T = %d: log E Z-hat %v and %v, log Z %v", c.toy, c.path, c.T, f.LogMean, r.LogMean, on.LogZ)
		}
	}
}

// TestAnnealedLawByEnumeration compares distributions with the estimator run over all of its
// outcomes: any path, zeros at either end, large constants, kernels that are reversible and one
// that is not.
func TestAnnealedLawByEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := exacttest.Problem(t, 4, 3)
		l := grid.MustNew(drawn.States())
		k := longtest.Sure(kernels.Parse(rapid.SampledFrom([]string{"metropolis", "heatbath", "compose:barker+metropolis"}).Draw(t, "moves"), l))
		a := longtest.Sure(chains.NewAnnealing(drawn.Path(), drawn.Schedule(), k, drawn.Distributions()))
		a, _ = a.Centred()
		m := longtest.Sure(estimators.NewFinite(a))
		forward := longtest.Sure(estimators.NewAnnealed(m, estimators.Places(a)))
		reverse := longtest.Sure(estimators.NewReverseAnnealed(m, estimators.Places(a)))
		for d, e := range []estimators.Estimator[chains.Chooser]{forward, reverse} {
			law, _ := annealedLaw(a, chains.Direction(d))
			laws.Enumerated(e, 0).Agree(t, law, e.Combination(), 0, 1e-8)
			if law.Work() != e.Work() {
				t.Fatalf("work %+v, of the estimator %+v", law.Work(), e.Work())
			}
		}
	})
}

// TestNoteOfZeros: chains forward start at the zero of f with probability 1/4, so that those in
// reverse have a mean that lacks as much.
func TestNoteOfZeros(t *testing.T) {
	law, _ := annealedLaw(nestedOnLine(t, make([]float64, 4), []float64{math.Inf(-1), 1, 2, 3}), chains.Reverse)
	for _, trials := range []int{1, 3} {
		if m := momentsOfTrials(law, trials); !strings.HasPrefix(m.Note, "E 1/Z-hat lacks 0.25 of 1/Z") {
			t.Errorf("%d trials: %q", trials, m.Note)
		}
	}
}

// TestAnnealedOnAnotherPath: the distribution along another path to the same target leaves the
// target's own offset out.
func TestAnnealedOnAnotherPath(t *testing.T) {
	on := laws.NewTarget(annealingOf("clu6", "geometric", 2))
	a := annealingOf("clu6", "tempered", 5)
	law := longtest.Sure(laws.NewAnnealing(context.Background(), on, a, chains.Forward, 1))
	own, at := annealedLaw(a, chains.Forward)
	for _, trials := range []int{1, 2} {
		got, want := momentsOfTrials(law, trials), momentsOfTrials(own, trials)
		if !(math.Abs(got.Mean+on.Offset-want.Mean-at.Offset) < 1e-11 && math.Abs(got.LogMean-on.LogZ) < 1e-11) {
			t.Errorf("%d trials: %+v with offset %v, its own target's %+v with %v", trials, got, on.Offset, want, at.Offset)
		}
	}
}

// TestAnnealedLawIsChecked: an annealing to another target, and one whose kernel does not state its
// time reversal, have no distribution.
func TestAnnealedLawIsChecked(t *testing.T) {
	on := laws.NewTarget(exacttest.Annealing(t, "easy", "linear", "metropolis", 3))
	ctx := context.Background()
	longtest.Refuses(laws.NewAnnealing(ctx, on, exacttest.Annealing(t, "hard", "linear", "metropolis", 3), chains.Forward, 1))(t, "target")
	a := exacttest.Build(t, nil, []float64{0, 1}, schedules.Linear{}, exacttest.MoveOnly{Kernel: kernels.Metropolis{Space: grid.MustNew(2)}}, 3)
	longtest.Refuses(laws.NewAnnealing(ctx, laws.NewTarget(a), a, chains.Forward, 1))(t, "does not state its time reversal")
	law, _ := annealedLaw(exacttest.Annealing(t, "easy", "linear", "metropolis", 3), chains.Forward)
	for _, trials := range []int{-1, 0, 2_000_000_000} {
		longtest.Refuses(law.Moments(ctx, trials))(t, "trials", trials)
	}
	longtest.Refuses(law.Above(ctx, math.NaN()))(t, "NaN")
}
