package exact_test

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/stages"
	"breadboard/exact/weights"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// A sequence is taken as its parts, and a mixture of nothing but that sequence as one matrix, the
// product of the parts. It is the same kernel.

// partsCase is an annealing with a sequence, and the same one with the product of its matrices.
type partsCase struct {
	apart, whole *chains.Annealing
	size         float64
	zeros        bool
	// rough says that small entries of the rows depend on the last bits of f, as they do where the
	// flows of Suwa and Todo go into what is left of a box after others. Rows that are computed in
	// two ways then differ by more than rounding.
	rough bool
}

// drawParts draws an annealing on twelve states with a sequence: reversible or not, nested, with
// and without zeros, over ranges from 1e-12 to the given size.
func drawParts(t *rapid.T, sizes ...float64) partsCase {
	space := rapid.SampledFrom([]*grid.Lattice{grid.MustNew(3, 4), grid.MustNew(2, 2, 3)}).Draw(t, "space")
	c := partsCase{size: rapid.SampledFrom(sizes).Draw(t, "size"), zeros: rapid.Bool().Draw(t, "zeros")}
	if c.size > 30 {
		c.zeros = false // rows that lead out of zeros have no logarithms, so that what underflows in a product need not in its parts
	}
	end := func() []float64 {
		v := make([]float64, space.States())
		for x := range v {
			v[x] = c.size * rapid.SampledFrom([]float64{0, 1, 0.5, rapid.Float64Range(0, 1).Draw(t, "log f")}).Draw(t, "value")
			if c.zeros && rapid.IntRange(0, 4).Draw(t, "zero") == 0 {
				v[x] = math.Inf(-1)
			}
		}
		return v
	}
	var initial []float64
	if rapid.Bool().Draw(t, "initial") {
		initial = end()
	}
	path, err := paths.NewGeometric(initial, end())
	if err != nil {
		t.Skip(err)
	}
	selector := rapid.SampledFrom([]string{
		"heatbath-scan", "repeat:3:metropolis", "compose:metropolis+barker", "compose:suwa-todo-axis:0+suwa-todo-axis:1", "palindrome:jump:0.1+heatbath-axis:0+moore",
		"repeat:2:lazy:0.25:suwa-todo", "repeat:40:heatbath",
	}).Draw(t, "kernel")
	k := longtest.Must(kernels.Parse(selector, space))(t)
	if rapid.Bool().Draw(t, "nested") {
		k = kernels.Compose(k, kernels.SuwaTodoAxis{Space: space, Axis: 1}, kernels.Repeat(2, k))
	}
	c.rough = strings.Contains(fmt.Sprint(k), "suwa-todo")
	product := longtest.Must(kernels.Mixture([]float64{1}, []chains.Kernel{k}))(t)
	T := rapid.IntRange(2, 12).Draw(t, "T")
	c.apart = longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, k, T))(t)
	c.whole = longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, product, T))(t)
	return c
}

// agree fails unless two numbers are equal to 2e-12 of the larger of them and the scale: 1e-12 for
// each, where both have all digits. Numbers of a rough kernel agree to some digits.
func (c *partsCase) agree(t *rapid.T, what string, apart, whole, scale float64) {
	t.Helper()
	tolerance := 2e-12 * max(math.Abs(apart), math.Abs(whole), scale)
	if c.rough {
		tolerance = 1e-7 * max(math.Abs(apart), math.Abs(whole), scale, 1e-3)
	}
	if apart != whole && !(math.Abs(apart-whole) <= tolerance) {
		t.Fatalf("%v: %s: %v by parts, %v by their product", c.apart.Kernel(), what, apart, whole)
	}
}

// complete reports whether a solution has all digits.
func complete(s *exact.Solution) bool {
	n := s.Numbers()
	return n.J.Error+n.B.Error+n.MeanLogWForward.Error+n.MeanLogWReverse.Error == 0
}

// TestPartsSolve: the solution by the general method, its identities, and the brackets of the
// stages.
func TestPartsSolve(t *testing.T) {
	longtest.Only(t)
	rapid.Check(t, func(t *rapid.T) {
		c := drawParts(t, 0, 1e-6, 1, 30, 100)
		ctx := context.Background()
		apart := longtest.Must(exact.Solve(ctx, c.apart, exact.Options{General: true}))(t)
		whole := longtest.Must(exact.Solve(ctx, c.whole, exact.Options{General: true}))(t)
		digits := complete(apart) && complete(whole)
		if digits {
			c.agree(t, "J", apart.J, whole.J, 0)
			c.agree(t, "KL(q||p)", apart.KLQP, whole.KLQP, 0)
			c.agree(t, "KL(p||q)", apart.KLPQ, whole.KLPQ, 0)
			c.agree(t, "B", apart.B, whole.B, 0)
		}
		c.agree(t, "E_fwd[log w]", apart.MeanLogWForward, whole.MeanLogWForward, 1)
		c.agree(t, "E_rev[log w]", apart.MeanLogWReverse, whole.MeanLogWReverse, 1)
		if bad := exacttest.Failing(t, c.apart, apart); bad != nil {
			t.Fatalf("%v do not hold; %v", bad, apart.Notes)
		}
		gap := longtest.Must(stages.GapByStage(ctx, c.apart, nil))(t)
		gapWhole := longtest.Must(stages.GapByStage(ctx, c.whole, nil))(t)
		for i, s := range gap.Stages {
			w := gapWhole.Stages[i]
			scale := 1e-3 * (1 + c.size) // of a bracket that is small beside the steps, digits are lost
			c.agree(t, "bracket of the forward chain", s.Forward, w.Forward, scale)
			c.agree(t, "bracket of the reverse chain", s.Reverse, w.Reverse, scale)
			c.agree(t, "Jeffreys divergence", s.Jeffreys, w.Jeffreys, scale)
		}
		if digits {
			for _, i := range gap.Check(apart) {
				if !i.OK {
					t.Fatalf("%+v", i)
				}
			}
		}
	})
}

// TestPartsBeyondFloat64: mass that moves through a state of probability exp(-2000) has a
// probability below what float64 holds in both directions, and none in a product of rows. The
// number was computed with 60 digits.
func TestPartsBeyondFloat64(t *testing.T) {
	space := grid.MustNew(3, 4)
	initial, target := make([]float64, 12), make([]float64, 12)
	initial[9], target[9], target[7] = 2000, 2000, 2000
	k := longtest.Must(kernels.Parse("heatbath-scan", space))(t)
	const want = 999.1041202653859724995937613208
	if s := exacttest.Solve(t, exacttest.Build(t, initial, target, schedules.Linear{}, k, 2)); !(math.Abs(s.J-want) <= 1e-12*want) {
		t.Errorf("J is %v, want %v", s.J, want)
	}
}

// TestTooManyEntries: a kernel with too many entries is refused before they take memory, whatever
// is computed of it.
func TestTooManyEntries(t *testing.T) {
	longtest.Only(t)
	space := grid.MustNew(112, 112)
	g := make([]float64, space.States())
	g[0] = 1
	ctx := context.Background()
	for _, selector := range []string{"jump:0.05", "mixture:1*metropolis+1*independence", "compose:metropolis+independence", "lazy:0.5:repeat:2:jump:0.1"} {
		k := longtest.Must(kernels.Parse(selector, space))(t)
		a := exacttest.Build(t, nil, g, schedules.Linear{}, k, 3)
		for what, compute := range map[string]func() error{
			"Solve": func() error { _, err := exact.Solve(ctx, a, exact.Options{General: true}); return err },
			"Check": func() error { _, err := exact.Check(ctx, a, &exact.Solution{}, nil); return err },
			"Gap":   func() error { _, err := stages.GapByStage(ctx, a, nil); return err },
			"Moments": func() error {
				_, err := weights.CumulantsOf(ctx, a, chains.Forward)
				return err
			},
		} {
			if what != "Solve" && (selector != "jump:0.05" || !longtest.More()) {
				continue // all of them load stages in the same way
			}
			if selector != "jump:0.05" && !strings.HasPrefix(selector, "mixture") && !longtest.More() {
				continue // a mixture has parts too
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := compute()
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), "12544 states") || !strings.Contains(err.Error(), "the limit is 1.25e+08 entries (4 GB)") {
				t.Errorf("%s by %s: %v", what, selector, err)
			}
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 100e6 {
				t.Errorf("%s by %s takes %d bytes", what, selector, taken)
			}
		}
	}
}

// TestPartsSubjective: subjective divergences after moves by the last kernel.
func TestPartsSubjective(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawParts(t, 1, 5)
		moves := []int{0, 1, 2, 5}
		reference := make([]float64, c.apart.States())
		logf := make([]float64, len(reference))
		c.apart.LogF(logf, c.apart.Distributions())
		top := 0
		for x, v := range logf {
			if v > logf[top] {
				top = x
			}
		}
		reference[top] = 1
		values := func(a *chains.Annealing) []exact.SubjectivePoint {
			s := longtest.Must(exact.NewSubjective(context.Background(), a, nil))(t)
			points, _, err := s.From(context.Background(), reference, moves)
			if err != nil {
				t.Fatal(err)
			}
			return points
		}
		apart, whole := values(c.apart), values(c.whole)
		for i := range apart {
			c.agree(t, "subjective divergence", apart[i].Value, whole[i].Value, 1)
			c.agree(t, "KL(r||p)", apart[i].KL, whole[i].KL, 1e-3)
		}
	})
}
