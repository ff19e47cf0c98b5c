package paths_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/grid/longtest"
)

// logFAt returns log f of all states at a beta.
func logFAt(p chains.Path, beta float64) []float64 {
	f := make([]float64, p.States())
	p.LogF(f, chains.At(beta))
	return f
}

// drawPath draws a path of any kind between two positive distributions.
func drawPath(t *rapid.T, n int, span float64) chains.Path {
	draw := func(what string) []float64 {
		return rapid.SliceOfN(rapid.Float64Range(-span, span), n, n).Draw(t, what)
	}
	var p chains.Path
	var err error
	switch kind := rapid.SampledFrom(
		[]string{"geometric", "arithmetic", "q", "piecewise", "stepwise", "tempered"},
	).Draw(t, "path"); kind {
	case "q":
		p, err = paths.NewPowerMean(rapid.Float64Range(-2, 3).Draw(t, "q"), draw("initial"), draw("target"))
	case "piecewise":
		p, err = paths.NewPiecewise("via", draw("initial"), draw("intermediate"), draw("target"),
			rapid.Float64Range(0.1, 0.9).Draw(t, "at"))
	case "stepwise":
		p, err = paths.NewStepwise("data", [][]float64{draw("initial"), draw("second"), draw("third"), draw("target")})
	case "arithmetic":
		p, err = paths.NewArithmetic(draw("initial"), draw("target"))
	case "tempered":
		p, err = tempered(draw("initial"), draw("likelihood"))
	default:
		p, err = paths.NewGeometric(draw("initial"), draw("target"))
	}
	longtest.NoError(t, err)
	return p
}

// TestPathsAgreeWithThemselves compares the log ratio with the difference of log f, the slope with
// the ratio of a small step, and the centred path with the path.
func TestPathsAgreeWithThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		p := drawPath(t, n, 20)
		beta := rapid.Float64Range(0, 0.9).Draw(t, "beta")
		step := rapid.Float64Range(0, 0.1).Draw(t, "step")
		low := logFAt(p, beta)
		high := logFAt(p, beta+step)
		got := make([]float64, n)
		p.LogRatio(got, chains.At(beta), chains.At(beta+step), step)
		for x, v := range got {
			if d := high[x] - low[x]; math.Abs(d-v) > 1e-12*(1+math.Abs(low[x])+math.Abs(high[x])) {
				t.Fatalf("%v at %v: log ratio %v of state %d, difference %v", p, beta, v, x, d)
			}
		}
		c, offset := p.Centred()
		for x, v := range logFAt(c, 1) {
			moved := logFAt(p, 1)[x] - v - (logFAt(p, 0)[x] - logFAt(c, 0)[x])
			if math.Abs(moved-offset) > 1e-12*(1+math.Abs(offset)) {
				t.Fatalf("%v: centring moved state %d by %v, not %v", p, x, moved, offset)
			}
		}
		const h = 1e-6
		slope := make([]float64, n)
		ratio := make([]float64, n)
		c.Slope(slope, chains.At(beta))
		c.LogRatio(ratio, chains.At(beta), chains.At(beta+h), h)
		for x, v := range slope {
			// the second derivative of a power mean between normalised ends is -k times the square
			// of the first
			if d := ratio[x] / h; math.Abs(d-v) > 4*h*(1+v*v)+1e-8 {
				t.Fatalf("%v at %v: slope %v of state %d, of a small step %v", p, beta, v, x, d)
			}
		}
	})
}

// TestPowerMeanByDefinition compares with the formula itself, (1-b) p_0^k + b p_1^k to the power
// 1/k.
func TestPowerMeanByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.SliceOfN(rapid.Float64Range(-5, 5), 4, 4).Draw(t, "target")
		k := rapid.OneOf(rapid.Float64Range(-2, -0.01), rapid.Float64Range(0.01, 4)).Draw(t, "k")
		beta := rapid.Float64Range(0.01, 0.99).Draw(t, "beta")
		q := 1 - k
		p := longtest.Sure(paths.NewPowerMean(q, nil, g))
		z := 0.0
		for _, v := range g {
			z += math.Exp(v)
		}
		got := logFAt(p, beta)
		for x, v := range g {
			mean := (1-beta)*math.Pow(0.25, k) + beta*math.Pow(math.Exp(v)/z, k)
			want := math.Log(mean)/k + (1-beta)*math.Log(4) + beta*math.Log(z)
			if math.Abs(got[x]-want) > 1e-11 {
				t.Fatalf("q %v, beta %v, state %d: log f %v, by definition %v", q, beta, x, got[x], want)
			}
		}
	})
}

// TestPowerMeanFarEnd: steps to and from ends that span more than exp can hold.
func TestPowerMeanFarEnd(t *testing.T) {
	p := longtest.Sure(paths.NewPowerMean(0.5, nil, []float64{0, -3000}))
	steep := longtest.Sure(paths.NewPowerMean(2, nil, []float64{0, -800}))
	for _, c := range []struct {
		path     chains.Path
		from, to float64
	}{{p, 0.75, 1}, {steep, 0, 0.75}} {
		low := logFAt(c.path, c.from)
		high := logFAt(c.path, c.to)
		ratio := make([]float64, 2)
		c.path.LogRatio(ratio, chains.At(c.from), chains.At(c.to), c.to-c.from)
		for x, v := range ratio {
			if d := high[x] - low[x]; math.Abs(v-d) > 1e-12*(1+math.Abs(d)) {
				t.Errorf("%v, state %d: log ratio %v, difference %v", c.path, x, v, d)
			}
		}
	}
}

func TestPowerMeanZeros(t *testing.T) {
	inf := math.Inf(-1)
	logf := logFAt(longtest.Sure(paths.NewArithmetic([]float64{0, inf, inf}, []float64{inf, inf, 0})), 0.25)
	for x, want := range []float64{math.Log(0.75), inf, math.Log(0.25)} {
		if logf[x] != want && math.Abs(logf[x]-want) > 1e-15 {
			t.Errorf("mixture at state %d: %v, want %v", x, logf[x], want)
		}
	}
	longtest.Refuses(paths.NewPowerMean(2, []float64{0, inf}, []float64{inf, 0}))(t, "no common state")
	logf = logFAt(longtest.Sure(paths.NewPowerMean(2, []float64{0, 0, inf}, []float64{0, inf, 0})), 0.5)
	if !(logf[0] > -10) || logf[1] != inf || logf[2] != inf {
		t.Errorf("harmonic mean with zeros: %v", logf)
	}
}

func TestPiecewiseGoesThrough(t *testing.T) {
	middle := []float64{1, 2, math.Inf(-1)}
	longtest.Refuses(paths.NewPiecewise("via", nil, middle, []float64{0, 5, 1}, 0.3))(t, "state 2")
	p := longtest.Sure(paths.NewPiecewise("via", nil, middle, []float64{0, 5, math.Inf(-1)}, 0.3))
	if got := logFAt(p, 0.3); !slices.Equal(got, middle) || !p.Zeros() {
		t.Errorf("it is %v at the intermediate distribution, want %v", got, middle)
	}
	longtest.Refuses(paths.NewPiecewise("via", nil, []float64{0}, []float64{0}, 1))(t, "stands at beta 1")
	longtest.Refuses(paths.NewPiecewise("via", nil, []float64{0}, []float64{0, 1}, 0.5))(t,
		"has 1 states and the target 2")
	nan := math.NaN()
	for want, logf := range map[string][][]float64{
		"1 distributions; a path has two ends": {{0, 1}}, "distribution 1 has 1 states": {{0, 1}, {0}},
		"of distribution 1 is -Inf at state 1": {{0, 1}, {0, -math.Inf(1)}},
		"of distribution 0 is NaN at state 0":  {{nan}, {0}},
	} {
		longtest.Refuses(paths.NewStepwise("data", logf))(t, want)
	}
}

func TestPathsDoNotShareMemory(t *testing.T) {
	g := []float64{1, 2}
	p := longtest.Sure(paths.NewGeometric(nil, g))
	g[0] = 99
	p.Difference()[1] = 99
	if got := logFAt(p, 1); !slices.Equal(got, []float64{1, 2}) {
		t.Errorf("the path changed to %v behind its back", got)
	}
}
