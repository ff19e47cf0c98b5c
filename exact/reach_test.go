package exact_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestFloor: whatever the kernel, the ends and their zeros, J is not below the floor, and the
// output has what the classes started with. If nothing moves J is the floor, and if each class is a
// state of its own, too.
func TestFloor(t *testing.T) {
	judged := 0
	rapid.Check(t, func(t *rapid.T) {
		l := exacttest.SmallLattice(t, 16)
		initial := exacttest.DrawLogF(t, "initial", l.States(), true)
		target := exacttest.DrawLogF(t, "target", l.States(), true)
		if rapid.Bool().Draw(t, "the same zeros") {
			for x := range initial {
				if math.IsInf(initial[x], -1) != math.IsInf(target[x], -1) {
					initial[x] = target[x]
				}
			}
		}
		path, err := paths.NewGeometric(initial, target)
		if err != nil {
			t.Skip(err)
		}
		kernel := longtest.Must(kernels.Parse(rapid.SampledFrom(exacttest.Library()).Draw(t, "kernel"), l))(t)
		if rapid.IntRange(0, 3).Draw(t, "outside") == 0 {
			kernel = exacttest.MoveOnly{Kernel: kernel}
		}
		a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernel, rapid.IntRange(2, 12).Draw(t, "T")))(t)
		s, err := exact.Solve(context.Background(), a, exact.Options{General: rapid.Bool().Draw(t, "general")})
		if err != nil || s.Reach == nil {
			return
		}
		judged++
		checkFloor(t, a, s)
	})
	if judged == 0 && longtest.Enabled() {
		t.Error("no classes were judged")
	}
}

// checkFloor compares the classes of a solution with its output.
func checkFloor(t *rapid.T, a *chains.Annealing, s *exact.Solution) {
	r := s.Reach
	if !(s.J >= r.Floor*(1-1e-9)-1e-20) || !(r.Floor >= -1e-25) {
		t.Fatalf("J is %v and the floor %v", s.J, r.Floor)
	}
	if r.Limit && !r.EveryT || r.EveryT && !r.Kept {
		t.Fatal("a limit of chains that change their class")
	}
	output := make([]float64, len(r.Classes))
	target := make([]float64, len(r.Classes))
	states := make([]int, len(r.Classes))
	for x, i := range r.Of {
		if i >= 0 {
			output[i] += s.Output[x]
			target[i] += s.Target[x]
			states[i]++
		} else if s.Target[x] > 0 {
			t.Fatalf("state %d of the target is in no class", x)
		}
	}
	for i, c := range r.Classes {
		if c.States != states[i] || !exacttest.Same(output[i], c.Start, 1e-12, 1) ||
			!exacttest.Same(target[i], c.Target, 1e-12, 1) {
			t.Fatalf("class %d is %+v; the output has %v in it, and the target %v", i, c, output[i], target[i])
		}
	}
	if len(r.Classes) < 2 {
		t.Fatalf("%d classes", len(r.Classes))
	}
	if _, stays := a.Kernel().(kernels.Stay); stays && r.Kept &&
		!exacttest.Same(s.J, r.Floor, 1e-9, s.J+1e-12) {
		t.Fatalf("nothing moves; J is %v and the floor %v", s.J, r.Floor)
	}
}

// TestReachOfZeros says what is known if the ends are not positive on the same states. By hand: a
// line of five states is cut in two by the zero in its middle, and a start on the left alone never
// comes to the right; with mass on the zero chains leave it for both sides.
func TestReachOfZeros(t *testing.T) {
	l := grid.MustNew(5)
	no := math.Inf(-1)
	target := []float64{0, 1, no, 0, 0}
	for _, c := range []struct {
		name, kernel string
		initial      []float64
		kept, limit  bool
		floor        float64
		note         string
	}{
		{"same zeros", "metropolis", []float64{0, 0, no, 0, 0}, true, true, math.NaN(), "J tends to "},
		{"one side", "metropolis", []float64{0, 0, no, no, no}, true, false, math.Inf(1),
			"J is +Inf at every T"},
		{"from the zero", "metropolis", nil, false, false, math.NaN(), "at this T"},
		{"from the zero, which is left at once", "heatbath-axis:0", nil, true, true, 0, ""},
		{"from the left and the zero", "barker", []float64{0, 0, 0, no, no}, false, false, math.NaN(),
			"at this T"},
		{"masses alike", "metropolis", []float64{1, 0, no, 0, 0}, true, true, 0, "J tends to 0 all the same"},
		{"two flips", "repeat:2:metropolis", []float64{0, 0, no, 0, 0}, true, false, math.NaN(),
			"at every T"},
	} {
		kernel := longtest.Must(kernels.Parse(c.kernel, l))(t)
		s := exacttest.Solve(t, exacttest.Build(t, c.initial, target, schedules.Linear{}, kernel, 10))
		r := s.Reach
		if c.note == "" {
			if r != nil {
				t.Errorf("%s: %+v", c.name, r)
			}
			continue
		}
		if r == nil || len(r.Classes) != 2 || r.Kept != c.kept || r.Limit != c.limit ||
			!strings.Contains(s.Notes[len(s.Notes)-1], c.note) {
			t.Errorf("%s: %+v, %q", c.name, r, s.Notes)
			continue
		}
		if !math.IsNaN(c.floor) && !exacttest.Same(r.Floor, c.floor, 1e-25, 1) {
			t.Errorf("%s: the floor is %v, by hand %v", c.name, r.Floor, c.floor)
		}
	}
}
