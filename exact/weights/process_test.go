package weights_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/program"
	"breadboard/exact/weights"
	"breadboard/grid/longtest"
)

// TestEnumeratedSimulationHasTheLawOfTheWeights: simulate.Run is a program like any other. Its log
// weights, enumerated, have the probabilities of the distribution to 1e-15, and lie within rounding
// of its values.
func TestEnumeratedSimulationHasTheLawOfTheWeights(t *testing.T) {
	a := exacttest.Annealing(t, "barrier:3x3", "linear", "metropolis", 4)
	w := longtest.Must(weights.LawsOf(context.Background(), a, weights.Options{}))(t)
	for d, law := range map[chains.Direction]*weights.Law{chains.Forward: w.Forward, chains.Reverse: w.Reverse} {
		got := longtest.Must(program.Enumerate(context.Background(), simulated(a, d), program.Options{}))(t)
		values, p := law.Points()
		left := slices.Clone(p)
		for _, o := range got.Outcomes() {
			at, near := 0, math.Inf(1)
			for k, v := range values {
				if far := math.Abs(v - o.Value); far < near {
					at, near = k, far
				}
			}
			if near > 1e-13 {
				t.Fatalf("%v: log weight %v is %v from any of the distribution", d, o.Value, near)
			}
			left[at] -= o.P
		}
		for k, v := range values {
			if math.Abs(left[k]) > 1e-15 {
				t.Errorf("%v: log weight %v has probability %v and lacks %v of it", d, v, p[k], left[k])
			}
		}
		if got.Remainder() != 0 || len(values) < 4 {
			t.Errorf("%v: remainder %v, %d values", d, got.Remainder(), len(values))
		}
	}
}

// simulated is the log weight of one simulated chain, NaN if the simulation fails.
func simulated(a *chains.Annealing, d chains.Direction) func(chains.Chooser) float64 {
	return func(c chains.Chooser) float64 {
		b, err := simulate.Run(a, d, c, 1, nil)
		if err != nil {
			return math.NaN()
		}
		return b.LogW[0]
	}
}

// TestCutsPassThroughSimulate: a branch may be given up within a kernel's Move, from whose panics
// simulate.Run makes errors. The distribution is that of the process, which does not.
func TestCutsPassThroughSimulate(t *testing.T) {
	longtest.Only(t)
	a := exacttest.Annealing(t, "random:2:0:3", "linear", "metropolis", 9)
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		got := longtest.Must(program.Enumerate(context.Background(), simulated(a, d), program.Options{Cut: 1e-3}))(t)
		p := longtest.Must(simulate.NewAIS(a, d))(t)
		want := longtest.Must(program.Enumerate(context.Background(), func(c chains.Chooser) float64 {
			_, _, logw := chains.Run(p, c)
			return logw
		}, program.Options{Cut: 1e-3}))(t)
		if !slices.Equal(got.Outcomes(), want.Outcomes()) || got.Remainder() != want.Remainder() || !(got.Remainder() > 0 && got.Remainder() < 1) {
			t.Errorf("%v: %d outcomes with remainder %v, of the process %d with %v", d, len(got.Outcomes()), got.Remainder(), len(want.Outcomes()), want.Remainder())
		}
	}
}

// TestPropagatedProcessIsTheSolution compares Solve with the plainest way to the same numbers: the
// process of the annealing with its mass and the moments of its log weight. Subtracting such masses
// keeps a J near one to twelve digits, but not one near zero, which is why Solve goes another way.
func TestPropagatedProcessIsTheSolution(t *testing.T) {
	const tolerance = 1e-12
	T := 100
	if !longtest.Enabled() {
		T = 12
	}
	for _, toy := range []string{"easy", "hard", "barrier"} {
		a := exacttest.Annealing(t, toy, "linear", "metropolis", T)
		want := exacttest.Solve(t, a)
		forward, reverse := propagated(t, a, chains.Forward, program.NewMoments()), propagated(t, a, chains.Reverse, program.NewMoments())
		var klQP, klPQ float64
		for x, p := range want.Target {
			q := forward.At(x).Mass
			if math.Abs(q-want.Output[x]) > tolerance*q {
				t.Errorf("%s: state %d has mass %v, in the solution %v", toy, x, q, want.Output[x])
			}
			klQP += q * math.Log(q/p)
			klPQ += p * math.Log(p/q)
		}
		f, r := forward.Total(), reverse.Total()
		for name, pair := range map[string][2]float64{
			"E_fwd[log w]": {f.Mean, want.MeanLogWForward}, "E_rev[log w]": {r.Mean, want.MeanLogWReverse}, "B": {r.Mean - f.Mean, want.B},
			"J": {klQP + klPQ, want.J}, "KL(q||p)": {klQP, want.KLQP}, "KL(p||q)": {klPQ, want.KLPQ}, "mass": {f.Mass, 1}, "reverse mass": {r.Mass, 1},
		} {
			if math.Abs(pair[0]-pair[1]) > tolerance*math.Abs(pair[1]) {
				t.Errorf("%s: %s = %v by propagation, %v in the solution", toy, name, pair[0], pair[1])
			}
		}
		// Reweighted, both directions give the ratio of normalisers: E_fwd[w] = Z_T/Z_1 and
		// E_rev[1/w] = Z_1/Z_T.
		up := propagated(t, a, chains.Forward, program.NewTilted(1)).Total().Log()
		down := propagated(t, a, chains.Reverse, program.NewTilted(-1)).Total().Log()
		if math.Abs(up-want.LogZRatio) > tolerance || math.Abs(down+want.LogZRatio) > tolerance {
			t.Errorf("%s: log Z ratio %v forward, %v in reverse, %v in the solution", toy, up, -down, want.LogZRatio)
		}
	}
}

// propagated takes the process of an annealing through all steps.
func propagated[C program.Carrier[C]](t testing.TB, a *chains.Annealing, d chains.Direction, one C) *program.Propagated[int, C] {
	t.Helper()
	p := longtest.Must(simulate.NewAIS(a, d))(t)
	return longtest.Must(program.Propagate(context.Background(), p, one, program.Options{}))(t)
}
