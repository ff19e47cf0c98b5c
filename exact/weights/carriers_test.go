package weights

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/exact/internal/stage"
	"breadboard/exact/program"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// The carriers that take whole stages are compared with those of package program, which take single
// branches of the process that chains simulates: other increments, other rows (enumerated, not in
// closed form), and another order of all sums.

// drawnCase is an annealing with the largest range of its log weights, and the constant in them.
type drawnCase struct {
	a               *chains.Annealing
	width, constant float64
}

// drawCase draws an annealing on six states, with zeros, ties and one of the constants. Values are
// multiples of a part of the size.
func drawCase(t *rapid.T, parts int, constants []float64, sizes ...float64) drawnCase {
	space := rapid.SampledFrom([]*grid.Lattice{grid.MustNew(2, 3), grid.MustNew(6)}).Draw(t, "space")
	size := rapid.SampledFrom(sizes).Draw(t, "size")
	end := func(what string) []float64 {
		v := make([]float64, 6)
		for x := range v {
			v[x] = size * float64(rapid.IntRange(0, parts).Draw(t, what)) / float64(parts)
			if rapid.IntRange(0, 5).Draw(t, "zero") == 0 {
				v[x] = math.Inf(-1)
			}
		}
		return v
	}
	initial := end("initial")
	target := end("target")
	if rapid.Bool().Draw(t, "uniform start") {
		initial = nil
	}
	constant := rapid.SampledFrom(constants).Draw(t, "constant")
	for x := range target {
		target[x] += constant
	}
	path, err := paths.NewGeometric(initial, target)
	if err != nil {
		t.Skip(err)
	}
	choices := []chains.Kernel{
		kernels.Metropolis{Space: space},
		// not reversible
		kernels.Compose(kernels.HeatBathAxis{Space: space, Axis: 0}, kernels.Metropolis{Space: space}),
	}
	if size <= 1 {
		// beyond that Move cannot say how likely Barker's kernel is to refuse: it flips with the
		// opposite
		choices = append(choices, kernels.Barker{Space: space})
	}
	kernel := rapid.SampledFrom(choices).Draw(t, "kernel")
	a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernel, rapid.IntRange(2, 9).Draw(t, "T")))(t)
	return drawnCase{a, size * 2, constant}
}

func largeConstants() []float64 { return []float64{0, 0, 1e12, -1e12} }

// rounding is what the rounding of a log weight may be, some units in the last place of its range
// and of its constant.
func (c drawnCase) rounding() float64 { return 1e-14*c.width + 4e-16*math.Abs(c.constant) }

// byBranches propagates the process of an annealing.
func byBranches[C program.Carrier[C]](t *rapid.T, a *chains.Annealing, d chains.Direction,
	one C) *program.Propagated[int, C] {
	p := longtest.Must(simulate.NewAIS(a, d))(t)
	return longtest.Must(program.Propagate(context.Background(), p, one, program.Options{}))(t)
}

// TestMomentsByBranches: the probability of a finite and positive weight, and the cumulants of its
// logarithm. The promise of the cumulants is 1e-10 of the powers of the deviation, beside what the
// rounding of a log weight does.
func TestMomentsByBranches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCase(t, 20, largeConstants(), 0, 1e-12, 1, 30)
		for _, d := range bothDirections() {
			p := newProblem(c.a, Options{})
			j := longtest.Must(p.propagateMoments(context.Background(), d))(t)
			mass, want := j.cumulants()
			// beside the constant a variance has no digits
			got := byBranches(t, p.Annealing, d, program.NewMoments()).Total()
			if math.Abs(got.Mass-mass) > 1e-13 {
				t.Fatalf("%v: mass %v by branches, %v by stages", d, got.Mass, mass)
			}
			if lost := got.MinusInf > 0 || got.PlusInf > 0; lost != j.lost {
				t.Fatalf("%v: weights are lost %v by branches, %v by stages", d, lost, j.lost)
			}
			if got.Mass < 1e-6 {
				continue // given so little, rounding is larger
			}
			if math.Abs(got.Mean-want.Mean) > 1e-12*c.width {
				t.Fatalf("%v: mean %v by branches, %v by stages", d, got.Mean, want.Mean)
			}
			if m, err := CumulantsOf(context.Background(), c.a, d); err != nil ||
				!j.lost && !(math.Abs(m.Mean-want.Mean-p.Offset) <= c.rounding()) {
				t.Fatalf("%v: mean %v with the constant %v, %v without; %v", d, m.Mean, p.Offset, want.Mean, err)
			}
			powers := []float64{1, -0.5}
			alone := longtest.Must(CumulantsOf(context.Background(), c.a, d))(t)
			cgf := longtest.Must(CGF(context.Background(), c.a, d, powers))(t)
			if m, k, err := CumulantsAndCGF(context.Background(), c.a, d, powers); err != nil ||
				fmt.Sprint(m, k) != fmt.Sprint(alone, cgf) {
				t.Fatalf("%v: %v and %v in one sweep, %v and %v in two; %v", d, m, k, alone, cgf, err)
			}
			deviation := math.Sqrt(got.Variance)
			for k, pair := range [][2]float64{
				{got.Variance, want.Variance}, {got.Third, want.Third},
				{got.Fourth - 3*got.Variance*got.Variance, want.Fourth},
			} {
				power := float64(k + 2)
				tolerance := 1e-10*math.Pow(deviation, power) + 1e-12*math.Pow(c.width, power)
				if math.Abs(pair[0]-pair[1]) > tolerance {
					t.Fatalf("%v: cumulant %v is %v by branches, %v by stages", d, power, pair[0], pair[1])
				}
			}
		}
	})
}

// bandAt returns a band that has come to a stage of an annealing, with the move of that stage.
func bandAt(t testing.TB, k chains.Kernel, g []float64, stageAt int) (*tilted, stage.Matrix) {
	t.Helper()
	path := longtest.Must(paths.NewGeometric(nil, g))(t)
	a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, k, 9))(t)
	f := newTilted(band{0, 0.3, 0.1, 20}, len(g))
	s := stage.NewStage(a)
	for at := 2; at <= stageAt; at++ {
		longtest.NoError(t, s.Load(context.Background(), at))
		if at == 2 {
			f.start(s.Origin(chains.Forward))
		}
		f.setStage(s)
		f.tilt(s)
	}
	return f, s.Moves[0].Forward
}

// TestRedrawnLines: a heat bath along an axis falls into its lines, and adding these up is the same
// as taking each state through its row, but for the order of the sums; the work that is counted is
// the same. Kernels whose rows differ have no lines.
func TestRedrawnLines(t *testing.T) {
	space := grid.MustNew(3, 4)
	g := make([]float64, space.States())
	for x := range g {
		g[x] = 3 * math.Sin(float64(7*x))
	}
	for _, c := range []struct {
		kernel chains.Kernel
		lines  bool
	}{
		{kernels.HeatBathAxis{Space: space, Axis: 0}, true},
		{kernels.HeatBathAxis{Space: space, Axis: 1}, true},
		{kernels.Metropolis{Space: space}, false}, {kernels.Barker{Space: space}, false},
	} {
		f, moves := bandAt(t, c.kernel, g, 5)
		if got := f.findLines(moves); got != c.lines {
			t.Errorf("%v: lines %v, want %v", c.kernel, got, c.lines)
		}
		if !c.lines {
			continue
		}
		before := slices.Clone(f.cur)
		work := f.work
		longtest.NoError(t, f.redraw(context.Background(), moves, 0.7))
		redrawn := slices.Clone(f.cur)
		redrawnWork := f.work - work
		copy(f.cur, before)
		work = f.work
		longtest.NoError(t, f.spreadRows(context.Background(), moves, 0.7))
		if redrawnWork != f.work-work {
			t.Errorf("%v: work %v, and %v state by state", c.kernel, redrawnWork, f.work-work)
		}
		for i, want := range f.cur {
			if !(math.Abs(redrawn[i]-want) <= 1e-15) {
				t.Fatalf("%v: column %d of state %d is %v, and %v state by state", c.kernel, i%f.width,
					i/f.width, redrawn[i], want)
			}
		}
	}
}
