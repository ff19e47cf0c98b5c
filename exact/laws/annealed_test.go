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
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/laws"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// annealedLaw returns a distribution, and the target's offset.
func annealedLaw(a *chains.Annealing, d chains.Direction) (*laws.Annealed, *laws.Target) {
	on := laws.NewTarget(a)
	law := longtest.Sure(laws.NewAnnealing(context.Background(), on, a, d, 2))
	return law, on
}

// TestAnnealedLawByEnumeration compares distributions with the estimator run over all of its
// outcomes: any path, zeros at either end, large constants, kernels that are reversible and one
// that is not.
func TestAnnealedLawByEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := exacttest.Problem(t, 4, 3)
		l := grid.MustNew(drawn.States())
		k := longtest.Sure(kernels.Parse(rapid.SampledFrom(
			[]string{"metropolis", "heatbath", "compose:barker+metropolis"},
		).Draw(t, "moves"), l))
		a := longtest.Sure(chains.NewAnnealing(drawn.Path(), drawn.Schedule(), k, drawn.Distributions()))
		a, _ = a.Centred()
		m := longtest.Sure(estimators.NewFinite(a))
		forward := longtest.Sure(estimators.NewAnnealed(m, estimators.Places(a)))
		reverse := longtest.Sure(estimators.NewReverseAnnealed(m, estimators.Places(a)))
		for d, e := range []estimators.Estimator[chains.Chooser]{forward, reverse} {
			law, _ := annealedLaw(a, chains.Direction(d))
			Enumerated(e, 0).Agree(t, law, e.Combination(), 0, 1e-8)
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

// TestAnnealedLawIsChecked: an annealing to another target, and one whose kernel does not state its
// time reversal, have no distribution.
func TestAnnealedLawIsChecked(t *testing.T) {
	on := laws.NewTarget(exacttest.Annealing(t, "easy", "linear", "metropolis", 3))
	ctx := context.Background()
	longtest.Refuses(laws.NewAnnealing(
		ctx,
		on,
		exacttest.Annealing(t, "hard", "linear", "metropolis", 3),
		chains.Forward,
		1,
	))(t, "target")
	a := exacttest.Build(t, nil, []float64{0, 1}, schedules.Linear{},
		exacttest.MoveOnly{Kernel: kernels.Metropolis{Space: grid.MustNew(2)}}, 3)
	longtest.Refuses(laws.NewAnnealing(ctx, laws.NewTarget(a), a, chains.Forward, 1))(t,
		"does not state its time reversal")
	law, _ := annealedLaw(exacttest.Annealing(t, "easy", "linear", "metropolis", 3), chains.Forward)
	for _, trials := range []int{-1, 0, 2_000_000_000} {
		longtest.Refuses(law.Moments(ctx, trials))(t, "trials", trials)
	}
	longtest.Refuses(law.Above(ctx, math.NaN()))(t, "NaN")
}
