package weights_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/exact/weights"
	logweights "breadboard/experiments/annealing/weights"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

func TestWeights(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{100}, "barrier"))
	rows := casetest.Rows(t, logweights.Laws(), cases, logweights.Options{})
	r := &rows[0]
	for _, q := range []struct {
		name           string
		got, want, off float64
	}{ // from exact/testdata/known.py
		{"sd forward", math.Sqrt(r.Moments[0].Variance), 1.30541178438, 1e-10},
		{"P(B-hat < J)", r.BelowJ.Value, 0.380828039358, 1e-11},
		{"P(B-hat < 0)", r.Below0.Value, 0.152447947594, 1e-11},
	} {
		if !(math.Abs(q.got-q.want) <= q.off) {
			t.Errorf("%s is %v, want %v", q.name, q.got, q.want)
		}
	}
	if r.Law.Method != weights.MethodLattice || !(r.ErrorBound() < 1e-11) || len(r.Notes) != 0 {
		t.Errorf("method %s, error bound %v, notes %v", r.Law.Method, r.ErrorBound(), r.Notes)
	}
	// Rényi divergences grow with their order, and that of order 2 is minus the logarithm of the
	// ESS.
	_, second, err := weights.Renyi(context.Background(), r.Annealing(), 2)
	longtest.NoError(t, err)
	if math.Abs(r.ESSFraction-math.Exp(-second)) > 1e-12 || !(0 < r.RenyiHalf && r.RenyiHalf < second) {
		t.Errorf("ESS %v, D_1/2 %v, D_2 %v", r.ESSFraction, r.RenyiHalf, second)
	}
	for _, tail := range logweights.Tails(rows, []float64{0, 1, 2}) {
		if tail.Forward.Low > tail.Bound || tail.Reverse.Low > tail.Bound {
			t.Errorf("tails %v and %v at %v, bound %v", tail.Forward, tail.Reverse, tail.B, tail.Bound)
		}
	}
	for _, q := range logweights.Quantiles(rows, []float64{0.5}) {
		if !(q.Forward.Value < r.Law.LogZRatio && q.Reverse.Value > r.Law.LogZRatio) {
			t.Errorf("medians %v and %v", q.Forward, q.Reverse)
		}
	}
}

// TestDensity: the bins hold all but the tails, and Crooks' relation gives the reverse density from
// the forward one.
func TestDensity(t *testing.T) {
	longtest.Only(t)
	for toy, tolerance := range map[string]float64{"barrier": 1e-10, "random:2:5:3x3": 1e-3} {
		rows := casetest.Rows(t, logweights.Laws(),
			casetest.MustCases(t, casetest.Selection([]int{300}, toy)), logweights.Options{Frequencies: 1000})
		forward, reverse := 0.0, 0.0
		for _, b := range rows[0].Density() {
			forward += b.Forward * (b.High - b.Low)
			reverse += b.Reverse * (b.High - b.Low)
			if math.Abs(b.Crooks-b.Reverse) > tolerance {
				t.Errorf("%s: density %v between %v and %v, by Crooks' relation %v", toy, b.Reverse, b.Low,
					b.High, b.Crooks)
			}
		}
		if forward < 0.997 || forward > 1+1e-9 || reverse < 0.997 || reverse > 1+1e-9 {
			t.Errorf("%s: the bins hold %v and %v", toy, forward, reverse)
		}
	}
}

// How far the bounds of K log weights are from the log Z ratio, in expectation.
func Example_weightsSamples() {
	cases, _ := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"barrier"},
		Distributions: []int{100},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}.Cases(context.Background())
	rows, err := study.Run(context.Background(), logweights.Samples(), cases,
		logweights.SampleOptions{K: []int{1, 10, 100}}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("K = %3d: %.6f below, %.6f above\n", r.K, r.LogZRatio-r.Forward, r.Reverse-r.LogZRatio)
	}
	// Output:
	// K =   1: 0.970381 below, 0.840052 above
	// K =  10: 0.129494 below, 0.189728 above
	// K = 100: 0.010962 below, 0.017886 above
}

// TestRelativeVarianceOfClasses: log(1 + the relative variance of a forward weight), which two
// other programs have computed, with mantissas of 64 bits and with 60 digits. For the largest of
// the targets there are 2^1000 states.
func TestRelativeVarianceOfClasses(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		toy, kernel, schedule string
		T                     int
		want                  float64
	}{
		{"curie-weiss:10:0.5", "flip", "linear", 10, 0.11316056648165661},
		{"curie-weiss:10:1.5", "heatbath", "linear", 100, 0.9656772137792484},
		{"curie-weiss:10:1.2:-0.1", "repeat:3:lazy:0.25:flip", "sigmoid", 30, 1.29841120777556},
		{"curie-weiss:100:0.5", "flip", "linear", 10, 0.6602881087359689},
		{"curie-weiss:100:0.9", "heatbath", "linear", 1000, 1.4183407205867988},
		{"curie-weiss:100:1", "flip", "linear", 100, 19.092905822734476},
		{"curie-weiss:100:1.2", "heatbath", "linear", 100, 35.614660567843984},
		{"curie-weiss:100:2", "flip", "linear", 100, 53.75782672439523},
		{"curie-weiss:100:1.5:0.02", "flip", "linear", 100, 45.78281914969786},
		{"curie-weiss:100:1.5:0.02", "repeat:10:flip", "linear", 100, 16.192243801152326},
		{"curie-weiss:100:1.5", "flip", "linear", 10, 55.37256882404923},
		{"curie-weiss:1000:0.5", "flip", "linear", 1000, 0.21890354159647854},
		{"curie-weiss:1000:1", "flip", "linear", 1000, 208.05786217003015},
		{"curie-weiss:1000:2", "flip", "linear", 100, 640.8083031365858},
		{"curie-weiss:1000:1.2:0.01", "flip", "linear", 1000, 349.1776536666338},
		{"potts-complete:3:12:3", "heatbath", "linear", 30, 3.9824537367640125},
		{"potts-complete:3:30:2.772588722239781", "flip", "linear", 100, 9.656382181355308},
		{"potts-complete:3:30:3:0.1", "flip", "linear", 100, 14.463668431462148},
		{"potts-colours:3:30:3", "mixture:1*flip+3*heatbath", "linear", 30, 17.97872087545216},
		{"potts-colours:3:100:2.772588722239781", "flip", "linear", 1000, 19.19446828555028},
		{"potts-colours:10:20:6", "flip", "linear", 100, 34.50490463739171},
		{"weight:10:needle:6.931471805599453", "flip", "linear", 100, 3.0195801073775894},
		{"weight:10:modes:0.2:0.9:0.5", "flip", "linear", 100, 0.5217937126694698},
		{"weight:200:modes:0.2:0.9:0.5", "flip", "linear", 100, 83.65738783440983},
		{"weight:200:modes:0.5:0.9:0.3", "flip", "linear", 1000, 40.52105470996828},
		{"weight:12:random:2:0", "flip", "linear", 100, 0.532919435201588},
		{"weight:300:random:3:1", "heatbath", "linear", 300, 1.164536751537519},
		{"coins:6:6:3:0.5", "heatbath", "linear", 100, 4.294627870068383},
		{"coins:30:30:2:0.5", "heatbath", "linear", 100, 36.47366018212876},
		{"coins:40:20:4:0.5", "flip", "linear", 300, 32.73690889898754},
		{"weight:200:needle:138.62943611198907", "flip", "linear", 1000, 135.20400281801548},
		{"weight:10:pspin:3:1.5", "flip", "linear", 100, 3.444322332604437},
		{"weight:100:pspin:3:1.5", "heatbath", "linear", 1000, 41.87284217781776},
		{"cycles:5:2:3", "metropolis", "linear", 50, 0.8395757742721265},
		{"cycles:24:0.5:4", "barker", "linear", 30, 0.8992716855589122},
	} {
		s := subject.Selection{
			Reader:        forms.Reader(),
			Toys:          []string{c.toy},
			Distributions: []int{c.T},
			Path:          "geometric",
			Schedule:      c.schedule,
			Kernel:        c.kernel,
		}
		a := casetest.MustCases(t, s)[0].Annealing()
		k := longtest.Must(weights.CGF(t.Context(), a, chains.Forward, []float64{1, 2}))(t)
		if got := k[1] - 2*k[0]; !(math.Abs(got-c.want) <= 1e-12*c.want) {
			t.Errorf("%s, %s, T = %d: %v, and %v elsewhere", c.toy, c.kernel, c.T, got, c.want)
		}
	}
}
