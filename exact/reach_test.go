package exact_test

import (
	"context"
	"math"
	"slices"
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
	"breadboard/toys"
)

// asia returns the network asia with xray = yes and dysp = yes: asia, tub, smoke, lung, bronc and
// either, each yes before no. Some of them may be summed out, as either, which is lung or tub.
//
// Source: Lauritzen and Spiegelhalter 1988, table 1.
func asia(t *testing.T, options string) *toys.Toy {
	t.Helper()
	return longtest.Must(toys.Parse("bif:../toys/networks/testdata/asia.bif:evidence=xray=yes+dysp=yes" + options))(t)
}

// TestAsia: no sampler of one site at a time leaves either = yes, and J tends to what that costs,
// which B - J does not show.
//
// Source: another program, in fractions and in 60 digits.
func TestAsia(t *testing.T) {
	const limit = 2.42797569932672
	toy := asia(t, "")
	l, prior, joint := toy.Space, toy.LogPrior, toy.G
	for _, c := range []struct {
		kernel string
		T      int
		J, B   float64
	}{{"heatbath-scan", 100, 2.4279787216443732608, 2.4343044096410965975}, {"flip", 100, 2.4287072505530864267, 2.4720435299202045566},
		{"heatbath-scan", 1000, 2.42797573, 2.4286}} {
		s := exacttest.Solve(t, exacttest.Build(t, prior, joint, schedules.Linear{}, longtest.Must(kernels.Parse(c.kernel, l))(t), c.T))
		tolerance := 1e-12
		if c.T == 1000 {
			tolerance = 5e-5 / limit // what is printed of it
		}
		if !exacttest.Same(s.J, c.J, min(tolerance, 1e-8), c.J) || !exacttest.Same(s.B, c.B, tolerance, c.B) {
			t.Errorf("%s, T = %d: J = %v, B = %v", c.kernel, c.T, s.J, s.B)
		}
		r := s.Reach
		if r == nil || !r.Limit || !r.Kept || len(r.Classes) != 2 {
			t.Fatalf("%s: %+v", c.kernel, r)
		}
		if yes := r.Classes[0]; math.Abs(r.Floor-limit) > 1e-10 || math.Abs(yes.Start-0.064828) > 1e-15 || math.Abs(yes.Target-0.728725092982882) > 1e-14 ||
			yes.States != 24 || yes.First != 0 {
			t.Errorf("%s: %+v", c.kernel, r)
		}
		want := "the kernel never moves between 2 classes of states, which have 0.064828 and 0.935172 of the initial distribution and 0.728725 and 0.271275 of the target: " +
			"J tends to 2.42797569933 as T grows, and so does B, so that B - J does not show it; a kernel that proposes any state, as jump:0.1, joins them"
		if !slices.Equal(s.Notes, []string{want}) {
			t.Errorf("%s: %q", c.kernel, s.Notes)
		}
	}
	for _, kernel := range []string{"jump:0.1", "independence", "mixture:1*flip+0.001*jump:1"} {
		s := exacttest.Solve(t, exacttest.Build(t, prior, joint, schedules.Linear{}, longtest.Must(kernels.Parse(kernel, l))(t), 20))
		if s.Reach != nil || s.Notes != nil {
			t.Errorf("%s joins the classes: %+v %q", kernel, s.Reach, s.Notes)
		}
	}
	toy = asia(t, ":hide=either")
	s := exacttest.Solve(t, exacttest.Build(t, toy.LogPrior, toy.G, schedules.Linear{}, longtest.Must(kernels.Parse("heatbath-scan", toy.Space))(t), 100))
	if !exacttest.Same(s.J, 0.00010486435197316274896, 1e-12, s.J) || !exacttest.Same(s.B, 0.03658725518234056664, 1e-12, s.B) || s.Reach != nil {
		t.Errorf("without either: J = %v, B = %v, %+v", s.J, s.B, s.Reach)
	}
}

// TestFloor: whatever the kernel, the ends and their zeros, J is not below the floor, and the
// output has what the classes started with. If nothing moves J is the floor, and if each class is a
// state of its own, too.
func TestFloor(t *testing.T) {
	judged := 0
	rapid.Check(t, func(t *rapid.T) {
		l := exacttest.SmallLattice(t, 16)
		initial, target := exacttest.DrawLogF(t, "initial", l.States(), true), exacttest.DrawLogF(t, "target", l.States(), true)
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
		kernel := longtest.Must(kernels.Parse(rapid.SampledFrom(library()).Draw(t, "kernel"), l))(t)
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
	if judged == 0 {
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
	output, target, states := make([]float64, len(r.Classes)), make([]float64, len(r.Classes)), 0
	for x, i := range r.Of {
		if i >= 0 {
			output[i] += s.Output[x]
			target[i] += s.Target[x]
			states++
		} else if s.Target[x] > 0 {
			t.Fatalf("state %d of the target is in no class", x)
		}
	}
	for i, c := range r.Classes {
		states -= c.States
		if r.Of[c.First] != int32(i) || !exacttest.Same(output[i], c.Start, 1e-12, 1) || !exacttest.Same(target[i], c.Target, 1e-12, 1) {
			t.Fatalf("class %d is %+v; the output has %v in it, and the target %v", i, c, output[i], target[i])
		}
	}
	if states != 0 || len(r.Classes) < 2 {
		t.Fatalf("%d states are counted wrongly in %d classes", states, len(r.Classes))
	}
	if _, stays := a.Kernel().(kernels.Stay); stays && r.Kept && !exacttest.Same(s.J, r.Floor, 1e-9, s.J+1e-12) {
		t.Fatalf("nothing moves; J is %v and the floor %v", s.J, r.Floor)
	}
}

// TestReachOfZeros says what is known if the ends are not positive on the same states. By hand: a
// line of five states is cut in two by the zero in its middle, and a start on the left alone never
// comes to the right; with mass on the zero chains leave it for both sides.
func TestReachOfZeros(t *testing.T) {
	l, no := grid.MustNew(5), math.Inf(-1)
	target := []float64{0, 1, no, 0, 0}
	for _, c := range []struct {
		name, kernel string
		initial      []float64
		kept, limit  bool
		floor        float64
		note         string
	}{
		{"same zeros", "metropolis", []float64{0, 0, no, 0, 0}, true, true, math.NaN(), "J tends to "},
		{"one side", "metropolis", []float64{0, 0, no, no, no}, true, false, math.Inf(1), "J is +Inf at every T"},
		{"from the zero", "metropolis", nil, false, false, math.NaN(), "at this T"},
		{"from the zero, which is left at once", "heatbath-axis:0", nil, true, true, 0, ""},
		{"from the left and the zero", "barker", []float64{0, 0, 0, no, no}, false, false, math.NaN(), "at this T"},
		{"masses alike", "metropolis", []float64{1, 0, no, 0, 0}, true, true, 0, "J tends to 0 all the same"},
		{"two flips", "repeat:2:metropolis", []float64{0, 0, no, 0, 0}, true, false, math.NaN(), "at every T"},
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
		if r == nil || len(r.Classes) != 2 || r.Kept != c.kept || r.Limit != c.limit || !strings.Contains(s.Notes[len(s.Notes)-1], c.note) {
			t.Errorf("%s: %+v, %q", c.name, r, s.Notes)
			continue
		}
		if !math.IsNaN(c.floor) && !exacttest.Same(r.Floor, c.floor, 1e-25, 1) {
			t.Errorf("%s: the floor is %v, by hand %v", c.name, r.Floor, c.floor)
		}
	}
}

// TestReachOfOtherKernels: a kernel of another package is examined at every stage, so that one
// stage in which it moves between the classes joins them, wherever it is. One without a target
// moves nowhere at all.
func TestReachOfOtherKernels(t *testing.T) {
	l := grid.MustNew(2, 2)
	lines, free := kernels.HeatBathAxis{Space: l, Axis: 0}, kernels.HeatBathAxis{Space: l, Axis: 1}
	target := []float64{0, 1, 2, 0.5}
	const T = 6
	for at := 1; at <= T; at++ { // at t = 1 no kernel moves, and the classes stay apart
		once := exacttest.MoveFunc(func(c chains.Chooser, logf []float64, x int) int {
			if beta := logf[1] - logf[0]; math.Abs(beta-float64(at-1)/(T-1)) < 1e-9 {
				return free.Move(c, logf, x)
			}
			return lines.Move(c, logf, x)
		})
		s := exacttest.Solve(t, exacttest.Build(t, nil, target, schedules.Linear{}, once, T))
		if (s.Reach != nil) != (at == 1) {
			t.Errorf("it moves between the classes at t = %d: %+v", at, s.Reach)
		}
		if at == 1 && (s.Reach.Limit || !s.Reach.Kept || !strings.Contains(s.Notes[0], "wherever it keeps to these classes")) {
			t.Errorf("%+v %q", s.Reach, s.Notes)
		}
	}
}
