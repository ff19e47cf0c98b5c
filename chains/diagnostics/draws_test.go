package diagnostics_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains/diagnostics"
	"breadboard/grid/longtest"
)

// ofDraws are all diagnostics of several chains.
func ofDraws() map[string]func(diagnostics.Draws) (float64, error) {
	return map[string]func(diagnostics.Draws) (float64, error){
		"ESS": diagnostics.ESS, "ESSMean": diagnostics.ESSMean,
		"RHat": diagnostics.RHat, "RHatSplit": diagnostics.RHatSplit,
		"ESSBulk":    byOrder((*diagnostics.Ordered).ESSBulk),
		"ESSTail":    byOrder((*diagnostics.Ordered).ESSTail),
		"RHatRank":   byOrder((*diagnostics.Ordered).RHatRank),
		"BatchMeans": func(d diagnostics.Draws) (float64, error) { return first(d, diagnostics.BatchMeans) },
		"Geweke":     func(d diagnostics.Draws) (float64, error) { return first(d, diagnostics.Geweke) },
		// Errors over the standard deviation, which have no unit.
		"MCSEMean": func(d diagnostics.Draws) (float64, error) { return overSD(d, diagnostics.MCSEMean) },
		"MCSESD":   func(d diagnostics.Draws) (float64, error) { return overSD(d, diagnostics.MCSESD) },
	}
}

// byOrder returns a diagnostic that needs the order of the draws.
func byOrder(find func(*diagnostics.Ordered) float64) func(diagnostics.Draws) (float64, error) {
	return func(d diagnostics.Draws) (float64, error) {
		order, err := diagnostics.Order(d)
		if err != nil {
			return 0, err
		}
		return find(order), nil
	}
}

// overSD returns a number over the standard deviation of the draws.
func overSD(d diagnostics.Draws, f func(diagnostics.Draws) (float64, error)) (float64, error) {
	_, sd, err := diagnostics.Moments(d)
	if err != nil {
		return 0, err
	}
	got, err := f(d)
	return got / sd, err
}

// first applies a diagnostic of one chain to the first.
func first(d diagnostics.Draws, f func([]float64) (float64, error)) (float64, error) {
	if len(d) == 0 {
		return f(nil)
	}
	return f(d[0])
}

// noise returns chains of independent normal draws.
func noise(chains, draws int) diagnostics.Draws {
	r := rand.New(rand.NewPCG(5, 6))
	d := make(diagnostics.Draws, chains)
	for k := range d {
		for range draws {
			d[k] = append(d[k], r.NormFloat64())
		}
	}
	return d
}

// TestBadDraws: each diagnostic refuses them, and says where the fault is.
func TestBadDraws(t *testing.T) {
	nan := noise(3, 60)
	inf := noise(2, 60)
	nan[2][57], inf[1][0] = math.NaN(), math.Inf(-1)
	ragged := noise(2, 60)
	ragged[1] = ragged[1][:59]
	for _, c := range []struct {
		draws diagnostics.Draws
		want  string
	}{
		{nil, "there are no chains; give at least one"},
		{diagnostics.Draws{{}}, "chain 0 has 0 draws; give at least 4 in each chain"},
		{noise(2, 3), "chain 0 has 3 draws; give at least 4 in each chain"},
		{ragged, "chain 1 has 59 draws and chain 0 has 60; give chains of one length"},
		{nan, "chain 2, draw 57 (both counted from 0) is NaN; give finite numbers"},
		{inf, "chain 1, draw 0 (both counted from 0) is -Inf; give finite numbers"},
	} {
		for name, f := range ofDraws() {
			if name != "BatchMeans" && name != "Geweke" {
				longtest.Refuses(f(c.draws))(t, c.want, name)
			}
		}
	}
	longtest.Refuses(diagnostics.RHat(noise(1, 60)))(t, "one chain")
	for _, f := range []func([]float64) (float64, error){diagnostics.BatchMeans, diagnostics.Geweke} {
		longtest.Refuses(f(nil))(t, "has 0 draws")
		longtest.Refuses(f(nan[2]))(t, "draw 57")
	}
	longtest.Refuses(diagnostics.Geweke(noise(1, 39)[0]))(t,
		"the chain has 39 draws; Geweke's test needs 40, so that its first tenth has 4")
}

// constants returns a constant chain for each value.
func constants(draws int, values ...float64) diagnostics.Draws {
	d := make(diagnostics.Draws, len(values))
	for k, v := range values {
		for range draws {
			d[k] = append(d[k], v)
		}
	}
	return d
}

// TestConstantDraws: all equal draws have as effective sample size their number and no R-hat;
// constant chains that differ have an infinite R-hat.
func TestConstantDraws(t *testing.T) {
	for _, v := range []float64{0, 0.1, -3e300, 5e-324} {
		for name, f := range ofDraws() {
			got, err := f(constants(50, v, v))
			want := math.NaN()
			switch {
			case name == "ESSTail": // no draw is above the 95% quantile
			case strings.HasPrefix(name, "ESS"):
				want = 100
			case name == "BatchMeans":
				want = 50
			}
			if err != nil || got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s of the constant %v: %v (%v), want %v", name, v, got, err, want)
			}
		}
	}
	for name, f := range ofDraws() {
		got, err := f(constants(50, 0.1, 0.3))
		if strings.HasPrefix(name, "RHat") && !math.IsInf(got, 1) ||
			strings.HasPrefix(name, "ESS") && !(got > 0 && got < 4) && name != "ESSTail" || err != nil {
			t.Errorf("%s of two constants: %v (%v)", name, got, err)
		}
	}
	for _, c := range []struct {
		late float64
		want float64
	}{{0, math.NaN()}, {1, math.Inf(-1)}, {-1, math.Inf(1)}} {
		x := constants(40, 0)[0]
		for i := 20; i < 40; i++ {
			x[i] = c.late
		}
		x[10] = 5 // outside of both windows
		if got, err := diagnostics.Geweke(x); err != nil ||
			got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("windows at 0 and %v: %v (%v)", c.late, got, err)
		}
	}
	x := diagnostics.Draws{{0, 1, 0, 1, 0, 1, 0, 1}}[0]
	if got, err := diagnostics.BatchMeans(x); err != nil || !math.IsInf(got, 1) {
		t.Errorf("batches of equal means: %v (%v)", got, err)
	}
}

// TestESSDNeverSaturates: scores of chi-squared variables with two degrees of freedom, whose upper
// tail is exp(-ratio).
func TestESSDNeverSaturates(t *testing.T) {
	for _, ratio := range []float64{1e-290, 1e-9, 0.1, 0.69, 0.7, 3, 100, 700} {
		z := diagnostics.ESSD(ratio, 1, 2)
		upper := math.Erfc(z/math.Sqrt2) / 2
		lower := math.Erfc(-z/math.Sqrt2) / 2
		if want := math.Exp(-ratio); math.Abs(upper-want) > 1e-11*want {
			t.Errorf("ratio %v: upper tail %v, want %v", ratio, upper, want)
		}
		if want := -math.Expm1(-ratio); math.Abs(lower-want) > 1e-11*want {
			t.Errorf("ratio %v: lower tail %v, want %v", ratio, lower, want)
		}
	}
	for _, c := range []struct {
		ess, ress float64
		chains    int
		want      float64
	}{
		{1e18, 1, 2, 1.4142135623730951e9}, {0, 1, 2, math.Inf(-1)}, {1, 0, 2, math.Inf(1)},
		{math.Inf(1), 1, 2, math.Inf(1)},
		// Values of a program independent of this one.
		{100, 100, 8, 0.16754627393285}, {10, 100, 8, -3.1646862269741094}, {1, 1, 1, 0.4752328492470836},
		{10000, 10000, 16, 0.11818431335422393},
		{400, 2, 4, 27.91975954803317}, {1e5, 1, 8, 894.3773018418833},
	} {
		if got := diagnostics.ESSD(c.ess, c.ress, c.chains); got != c.want &&
			!(math.Abs(got-c.want) <= 1e-11*math.Abs(c.want)) {
			t.Errorf("ESSD of %+v is %v", c, got)
		}
	}
	for _, v := range []float64{diagnostics.ESSD(-1, 1, 2), diagnostics.ESSD(0, 0, 2),
		diagnostics.ESSD(1, math.NaN(), 2), diagnostics.ESSD(1, 1, 0)} {
		if !math.IsNaN(v) {
			t.Errorf("%v, want NaN", v)
		}
	}
}

// TestRegionHasItsProbability: with two degrees of freedom the quantiles are logarithms.
func TestRegionHasItsProbability(t *testing.T) {
	for _, level := range []float64{1e-9, 0.5, 0.95, 1 - 1e-12} {
		low, high := diagnostics.Region(2, level)
		tail := (1 - level) / 2
		if want := -1 / math.Log(tail); math.Abs(low-want) > 1e-13*want {
			t.Errorf("level %v: from %v, want %v", level, low, want)
		}
		if want := -1 / math.Log1p(-tail); math.Abs(high-want) > 1e-13*want {
			t.Errorf("level %v: to %v, want %v", level, high, want)
		}
	}
	for _, c := range []struct {
		chains int
		level  float64
	}{{0, 0.5}, {3, 0}, {3, 1}, {3, math.NaN()}} {
		if low, high := diagnostics.Region(c.chains, c.level); !math.IsNaN(low) || !math.IsNaN(high) {
			t.Errorf("%v: %v to %v", c, low, high)
		}
	}
}
