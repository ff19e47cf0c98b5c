package program_test

import (
	"context"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact/program"
	"breadboard/grid/longtest"
)

// TestLikeliestIsDescent compares the distribution with that of Enumerate, and if it is cut or
// ended with the sums over the tree: what is missing is the remainder, and a walk that ends early
// has walked no branch that is less probable than one that waits, but for those along which a run
// went on.
func TestLikeliestIsDescent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawTree(t, 4)
		o := program.Options{
			Cut:      rapid.SampledFrom([]float64{math.SmallestNonzeroFloat64, 1e-12, 0.01, 0.3}).Draw(t, "cut"),
			Branches: rapid.IntRange(1, 40).Draw(t, "branches"),
		}
		if rapid.Bool().Draw(t, "all") {
			o.Branches = 0
		}
		law := longtest.Must(program.Likeliest(context.Background(), n.run, o, nil))(t)
		want := map[int]float64{}
		n.add(want, new([]int), 1)
		total := 0.0
		branches := 0
		for i, out := range law.Outcomes() {
			if out.P > want[out.Value]*(1+1e-14) ||
				law.Remainder() == 0 && math.Abs(out.P-want[out.Value]) > 1e-14*want[out.Value] {
				t.Fatalf("%d has %v, want %v", out.Value, out.P, want[out.Value])
			}
			total += out.P
			branches += law.Branches[i]
		}
		if math.Abs(total+law.Remainder()-1) > 1e-14 || law.Remainder() != law.Cut+law.Left ||
			branches > law.Runs() {
			t.Fatalf("the distribution has %v, was cut by %v and leaves %v, in %d branches of %d runs",
				total, law.Cut, law.Left, branches, law.Runs())
		}
		if law.Ended == program.Whole && law.Left != 0 ||
			law.Ended == program.ByBranches && (law.Runs() != o.Branches || law.Left == 0) {
			t.Fatalf("ended %v after %d runs, and leaves %v", law.Ended, law.Runs(), law.Left)
		}
	})
}

// TestLikeliestGoesFirst: a hundred runs of a tree of 2^60 branches find nearly all, where most
// goes one way.
func TestLikeliestGoesFirst(t *testing.T) {
	law := longtest.Must(program.Likeliest(context.Background(), func(c chains.Chooser) int {
		n := 0
		for range 60 {
			if c.Flip(1e-6) {
				n++
			}
		}
		return n
	}, program.Options{Branches: 100, Cut: math.SmallestNonzeroFloat64}, nil))(t)
	if law.Ended != program.ByBranches || math.Abs(law.P(0)-math.Pow(1-1e-6, 60)) > 1e-15 ||
		math.Abs(law.P(1)/(60e-6*math.Pow(1-1e-6, 59))-1) > 1e-13 ||
		!(law.Left > 1e-9 && law.Left < 2e-9) {
		t.Errorf("%+v leaves %v", law.Outcomes(), law.Left)
	}
}

// TestLikeliestStops: the end of the context leaves a distribution, also in the midst of a run,
// which must not be lost.
func TestLikeliestStops(t *testing.T) {
	for name, stop := range map[string]func(){
		"between runs": func() {}, "within a run": func() { panic(context.Canceled) }} {
		ctx, cancel := context.WithCancel(context.Background())
		runs := 0
		law, err := program.Likeliest(ctx, func(c chains.Chooser) int {
			n := c.Uniform(1000)
			runs++
			if runs == 500 {
				cancel()
				stop()
			}
			return n
		}, program.Options{}, nil)
		if err != nil || law.Ended != program.ByTime || runs != 500 {
			t.Fatalf("%s: %v after %d runs", name, err, runs)
		}
		total := law.Remainder()
		for _, o := range law.Outcomes() {
			total += o.P
		}
		if math.Abs(total-1) > 1e-14 || law.Left < 0.55 {
			t.Errorf("%s: leaves %v, and all comes to %v", name, law.Left, total)
		}
	}
	ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	if law, err := program.Likeliest(ctx, heads, program.Options{}, nil); err != nil || law.Remainder() != 1 {
		t.Errorf("with no time the distribution leaves %v, %v", law.Remainder(), err)
	}
}
