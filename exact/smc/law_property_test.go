package smc

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid"
)

// TestEnginesAgree: on two or three states two particles are pairs, multisets and counts, and the law is the same, whatever the
// magnitudes of log f; zeros, ties and constants are among them. The identities hold, and both means of log Zhat bound the
// divergences.
func TestEnginesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 3).Draw(t, "states")
		size := rapid.SampledFrom([]float64{0, 1e-12, 1, 10, 60}).Draw(t, "size")
		constant := rapid.SampledFrom([]float64{0, 0, 1e12, -1e12}).Draw(t, "constant")
		target := rapid.SliceOfN(rapid.Float64Range(-size, size), n, n).Draw(t, "log f")
		lost := rapid.IntRange(-2, n-1).Draw(t, "lost")
		for x := range target {
			if target[x] += constant; x == lost {
				target[x] = math.Inf(-1)
			}
		}
		path, err := paths.NewGeometric(nil, target)
		if err != nil {
			t.Skip(err)
		}
		a := must(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(n)}, rapid.IntRange(2, 6).Draw(t, "T")))
		ctx := context.Background()
		laws := func(scheme particle.Scheme, engines ...engine) {
			var first *Law
			for _, e := range engines {
				l := must(propagate(ctx, a, Setting{2, scheme, 1}, e, Options{}))
				for _, i := range l.Identities {
					if !i.OK {
						t.Fatalf("%v, %v: %s: %v, want %v", scheme, l.Method, i.Name, i.Got, i.Want)
					}
				}
				if first == nil {
					first = l
				}
				agree(t, l, first)
			}
		}
		laws(particle.Multinomial{}, newPairs(n, particle.Multinomial{}), newMultisets(n, 2, true), newCounts(n, 2))
		laws(particle.Residual{}, newPairs(n, particle.Residual{}), newMultisets(n, 2, false))
	})
}

// agree fails where two laws differ by more than rounding.
func agree(t *rapid.T, got, want *Law) {
	t.Helper()
	for _, v := range []struct {
		name      string
		got, want float64
	}{
		{"J", got.J, want.J}, {"KL(q||p)", got.KLQP, want.KLQP}, {"KL(p||q)", got.KLPQ, want.KLPQ}, {"B", got.B, want.B},
		{"extinct", got.Extinct, want.Extinct}, {"relative variance", got.RelativeVariance, want.RelativeVariance},
	} {
		if v.got != v.want && !(math.Abs(v.got-v.want) <= 1e-12*(1+math.Abs(v.want))) {
			t.Fatalf("%s: %v by %v, %v by %v", v.name, v.got, got.Method, v.want, want.Method)
		}
	}
	if got.Extinct == 0 && !(got.J <= got.B+1e-12*(1+math.Abs(got.B))) {
		t.Fatalf("J = %v is above B = %v", got.J, got.B)
	}
}
