package meeting_test

import (
	"context"
	"math"
	"math/cmplx"
	"testing"

	"breadboard/chains/couplings"
	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/exact/meeting"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestVariants holds the biases of wrong estimators to values of programs independent of this one, and their transforms to their moments.
func TestVariants(t *testing.T) {
	ctx := context.Background()
	const k, last = 5, 20
	pairs, chain, _ := enumerated(t, question{toy: "random:2:7:3x3", kernel: "heatbath", coupling: "rows"})
	law := longtest.Must(longtest.Must(pairs.Solve(ctx))(t).Meet(ctx, startOf("uniform", chain.States()), 1))(t)
	g := longtest.Must(chain.Standardise(chain.LogF))(t)
	for name, c := range map[string]struct {
		variant meeting.Variant
		bias    float64
	}{
		"right":           {meeting.Variant{}, 0},
		"no correction":   {meeting.Variant{Weight: func(int) float64 { return 0 }}, -0.0911686885918683},
		"without the lag": {meeting.Variant{Together: true}, -0.0911686885918683},
		"from k on": {meeting.Variant{Weight: func(t int) float64 {
			if t == k {
				return 1
			}
			return meeting.Weight(t, k, last, 1)
		}}, 0.005068293114802153},
		"stopped": {meeting.Variant{Until: 39}, -0.004735322205294331},
	} {
		bias, variance, err := law.VariantMoments(ctx, g, k, last, c.variant)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(bias-c.bias) > 1e-12 {
			t.Errorf("%s: bias %.16g, for %.16g", name, bias, c.bias)
		}
		theta := 1e-3 / math.Sqrt(variance)
		phi := longtest.Must(law.VariantTransform(ctx, g, k, last, c.variant, []float64{0, theta}))(t)
		second := variance + bias*bias
		if cmplx.Abs(phi[0]-1) > 1e-12 || math.Abs(imag(phi[1])/theta-bias) > 1e-4*math.Sqrt(variance) || math.Abs(2*(1-real(phi[1]))/(theta*theta)-second) > 1e-3*second {
			t.Errorf("%s: transforms %v at 0 and %v; mean %v, second moment %v", name, phi, theta, bias, second)
		}
	}
	if _, _, err := law.VariantMoments(ctx, g, 3, 2, meeting.Variant{}); err == nil {
		t.Error("k above m is taken")
	}
}

// TestWrongBounds holds what wrong bounds are on average to values of programs independent of this one: both are below the distance.
func TestWrongBounds(t *testing.T) {
	const lag = 10
	pairs, chain, _ := enumerated(t, question{toy: "random:2:7:3x3", kernel: "heatbath", coupling: "rows"})
	survival := longtest.Must(longtest.Must(pairs.Solve(context.Background()))(t).Survival(context.Background(), startOf("uniform", chain.States()), lag, 0x1p-80))(t)
	floor, twice, before := 0.0, 0.0, 1.0
	for s, apart := range survival { // tau is lag + s with probability before - apart
		over := float64(s) / lag
		floor += (before - apart) * math.Floor(over)
		twice += (before - apart) * max(0, math.Ceil(over-1))
		before = apart
	}
	near(t, "the quotient rounded down", floor, 0.32772994028209157)
	near(t, "the lag counted twice", twice, 0.2957962436310047)
}

// TestTransformByHand: a kernel that draws from the target meets in one move, so that the estimator is made of three independent draws.
func TestTransformByHand(t *testing.T) {
	ctx := context.Background()
	logf := []float64{0, math.Log(3)}
	k := longtest.Must(kernels.Parse("heatbath", grid.MustNew(2)))(t)
	chain := longtest.Must(averages.New(ctx, k, logf))(t)
	pairs := longtest.Must(meeting.New(ctx, longtest.Must(couplings.New("rows", k))(t), chain))(t)
	nu, p := []float64{0.9, 0.1}, []float64{0.25, 0.75}
	law := longtest.Must(longtest.Must(pairs.Solve(ctx))(t).Meet(ctx, nu, 1))(t)
	f := longtest.Must(chain.Standardise([]float64{0, 1}))(t)
	const theta = 0.7
	want := complex(0, 0)
	for x0, a := range nu {
		for y0, b := range nu {
			for x1, c := range p {
				h := (f.Values[x0] + f.Values[x1] + f.Values[x1] - f.Values[y0]) / 2 // where X_1 = Y_0 the difference is zero
				want += complex(a*b*c, 0) * cmplx.Rect(1, theta*h)
			}
		}
	}
	if got := longtest.Must(law.VariantTransform(ctx, f, 0, 1, meeting.Variant{}, []float64{theta}))(t)[0]; cmplx.Abs(got-want) > 1e-14 {
		t.Errorf("%v, for %v", got, want)
	}
	// The first chain begins with nu where both begin together, and the two differ with probability 0.18.
	solved := longtest.Must(pairs.Solve(ctx))(t)
	for lead, want := range []float64{0.18, 0.1*0.25 + 0.9*0.75} {
		if got := longtest.Must(solved.Survival(ctx, nu, lead, 0))(t); len(got) != 2 || math.Abs(got[0]-want) > 1e-15 || got[1] != 0 {
			t.Errorf("lead %d: %v, for %v and 0", lead, got, want)
		}
	}
	turns := longtest.Must(longtest.Must(meeting.New(ctx, longtest.Must(couplings.New("common", turning{}))(t), longtest.Must(averages.New(ctx, turning{}, []float64{0, 0}))(t)))(t).Solve(ctx))(t)
	if _, err := turns.Survival(ctx, []float64{0.5, 0.5}, 1, 0.1); err == nil {
		t.Error("chains that never meet have a law of the meeting time")
	}
}
