package annealing_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"breadboard/exact/weights"
	logweights "breadboard/experiments/annealing/weights"
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
	if err != nil {
		t.Fatal(err)
	}
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
		rows := casetest.Rows(t, logweights.Laws(), casetest.MustCases(t, casetest.Selection([]int{300}, toy)), logweights.Options{Frequencies: 1000})
		forward, reverse := 0.0, 0.0
		for _, b := range rows[0].Density() {
			forward += b.Forward * (b.High - b.Low)
			reverse += b.Reverse * (b.High - b.Low)
			if math.Abs(b.Crooks-b.Reverse) > tolerance {
				t.Errorf("%s: density %v between %v and %v, by Crooks' relation %v", toy, b.Reverse, b.Low, b.High, b.Crooks)
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
		Toys: []string{"barrier"}, Distributions: []int{100}, Path: "geometric", Schedule: "linear", Kernel: "metropolis",
	}.Cases(context.Background())
	rows, err := study.Run(context.Background(), logweights.Samples(), cases, logweights.SampleOptions{K: []int{1, 10, 100}}, study.How{})
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
