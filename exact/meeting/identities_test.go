package meeting_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/couplings"
	"breadboard/exact/meeting"
	"breadboard/grid/longtest"
)

// TestEveryEstimatorIsUnbiased: the mean of the estimator is that of the target to 1e-12 of its
// standard deviation, for every coupling, k, m and lag, from chains that meet after seven moves to
// chains that meet after a hundred thousand.
func TestEveryEstimatorIsUnbiased(t *testing.T) {
	ctx, judged := context.Background(), 0
	for _, q := range []question{{toy: "random:2:7:3x3", kernel: "heatbath"}, {toy: "barrier:3x3", kernel: "metropolis"}} {
		for _, name := range couplings.Names() {
			k, _ := kernelOf(t, q)
			if _, err := couplings.New(name, k); couplings.Refused(err) {
				continue
			}
			q.coupling = name
			pairs, chain, _ := enumerated(t, q)
			solved, g := longtest.Must(pairs.Solve(ctx))(t), longtest.Must(chain.Standardise(chain.LogF))(t)
			for _, lag := range []int{1, 3} {
				m := longtest.Must(solved.Meet(ctx, startOf("uniform", chain.States()), lag))(t)
				for _, u := range longtest.Must(m.EveryK(ctx, g, 7))(t) {
					if judged++; !(math.Abs(u.Bias) <= 1e-12*math.Sqrt(u.Variance)) {
						t.Errorf("%+v, lag %d, k = %d: the bias is %v of a deviation of %v", q, lag, u.K, u.Bias, math.Sqrt(u.Variance))
					}
				}
			}
		}
	}
	if judged == 0 {
		t.Error("no estimator was judged")
	}
}

// slowSurvival returns the probability that chains whose states are independent draws of two
// distributions have not met after that many moves, from the rows of all pairs, one after the
// other.
func slowSurvival(p *meeting.Pairs, first, second []float64, moves int) (apart float64) {
	n := len(first)
	law := make([]float64, n*n)
	for pair := range law {
		law[pair] = first[pair/n] * second[pair%n]
	}
	for range moves {
		next := make([]float64, n*n)
		for pair, mass := range law {
			for _, e := range p.Row(pair/n, pair%n) {
				next[e.To] += mass * e.P
			}
		}
		law = next
	}
	for pair, mass := range law {
		if pair/n != pair%n {
			apart += mass
		}
	}
	return apart
}

// TestLeastSurvival: no coupling is apart with a smaller probability than the best for that time,
// and none with a smaller one than the distributions of the two states differ; more moves make it
// no larger.
func TestLeastSurvival(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		n := d.chain.States()
		x, y := rapid.IntRange(0, n-1).Draw(t, "x"), rapid.IntRange(0, n-1).Draw(t, "y")
		point := func(x int) []float64 { law := make([]float64, n); law[x] = 1; return law }
		a, b, before := point(x), point(y), 1.0
		for moves := 1; moves <= 4; moves++ {
			a, b = longtest.Must(d.chain.After(ctx, a, 1))(t), longtest.Must(d.chain.After(ctx, b, 1))(t)
			apart := 0.0
			for z := range a {
				apart += math.Abs(a[z]-b[z]) / 2
			}
			least := longtest.Must(d.pairs.LeastSurvival(ctx, moves))(t)(x, y)
			own := slowSurvival(d.pairs, point(x), point(y), moves)
			if apart > least+1e-13 || least > own+1e-13 || least > before+1e-13 {
				t.Errorf("%s, %d moves: the distributions differ by %v, the least survival is %v, before %v, and that of the coupling %v", d.name, moves, apart,
					least, before, own)
			}
			before = least
		}
	})
}

// TestTimeIsTheFirst: the bound is met at its mixing time and not one move before, W1 is below its
// bound too, and the mixing time of the chain is no longer.
func TestTimeIsTheFirst(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		m := longtest.Must(d.solved.Meet(ctx, d.start, rapid.IntRange(1, 3).Draw(t, "lag")))(t)
		limit := rapid.SampledFrom([]float64{0.5, 0.25, 0.01}).Draw(t, "limit")
		if math.IsInf(m.Mean, 1) || m.Mean > 1e3 {
			t.Skip("the chains hardly meet")
		}
		at := int64(longtest.Must(m.Time(ctx, limit))(t).Moves)
		points := longtest.Must(m.Points(ctx, []int64{max(0, at-1), at}))(t)
		if points[1].Bound > limit || at > 0 && points[0].Bound <= limit || points[1].TV > limit*(1+1e-12) {
			t.Errorf("%s: the bound %v is said to be met at %d; it is %v before, and %v then", d.name, limit, at, points[0].Bound, points[1].Bound)
		}
		if w1, bound, err := m.Wasserstein(ctx, min(at, 5), func(x, y int) float64 { return math.Abs(float64(x - y)) }); err != nil || w1 > bound*(1+1e-11)+1e-13 {
			t.Errorf("%s: W1 is %v and its bound %v, %v", d.name, w1, bound, err)
		}
	})
}
