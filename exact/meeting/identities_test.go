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
	ctx := context.Background()
	judged := 0
	for _, q := range []question{
		{toy: "random:2:7:3x3", kernel: "heatbath"}, {toy: "barrier:3x3", kernel: "metropolis"}} {
		for _, name := range couplings.Names() {
			k, _ := kernelOf(t, q)
			if _, err := couplings.New(name, k); couplings.Refused(err) {
				continue
			}
			q.coupling = name
			pairs, chain, _ := enumerated(t, q)
			solved := longtest.Must(pairs.Solve(ctx))(t)
			g := longtest.Must(chain.Standardise(chain.LogF))(t)
			for _, lag := range []int{1, 3} {
				m := longtest.Must(solved.Meet(ctx, startOf("uniform", chain.States()), lag))(t)
				for _, u := range longtest.Must(m.EveryK(ctx, g, 7))(t) {
					judged++
					if !(math.Abs(u.Bias) <= meeting.Rounding*math.Sqrt(u.Variance)) {
						t.Errorf("%+v, lag %d, k = %d: the bias is %v of a deviation of %v", q, lag, u.K,
							u.Bias, math.Sqrt(u.Variance))
					}
				}
			}
		}
	}
	if judged == 0 {
		t.Error("no estimator was judged")
	}
}

// TestTimeIsTheFirst: the bound is met at its mixing time and not one move before, and the mixing
// time of the chain is no longer.
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
			t.Errorf("%s: the bound %v is said to be met at %d; it is %v before, and %v then", d.name, limit,
				at, points[0].Bound, points[1].Bound)
		}
	})
}
