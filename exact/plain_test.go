package exact_test

import (
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// problem is an annealing that the plain programs can solve too: on the geometric path from the
// uniform distribution to g, on a grid with walls and the linear schedule.
type problem struct {
	kernel string // a selector
	sides  []int
	g      []float64
	T      int
}

// String names the problem for people, with 2^16 for sixteen axes of two values.
func (p problem) String() string {
	space := p.space()
	if d := len(p.sides); d > 2 && slices.Min(p.sides) == slices.Max(p.sides) {
		space = fmt.Sprintf("%d^%d", p.sides[0], d)
	}
	return fmt.Sprintf("%s,%s,T=%d", p.kernel, space, p.T)
}

// space is how the plain programs and package grid write the sides: "7x7".
func (p problem) space() string {
	var sides []string
	for _, side := range p.sides {
		sides = append(sides, strconv.Itoa(side))
	}
	return strings.Join(sides, "x")
}

// annealing returns the annealing of the problem.
func (p problem) annealing(tb testing.TB) *chains.Annealing {
	tb.Helper()
	return p.annealingOn(tb, schedules.Linear{})
}

// annealingOn returns the annealing of the problem on another schedule.
func (p problem) annealingOn(tb testing.TB, schedule chains.Schedule) *chains.Annealing {
	tb.Helper()
	k := longtest.Must(kernels.Parse(p.kernel, grid.MustNew(p.sides...)))(tb)
	return exacttest.Build(tb, nil, p.g, schedule, k, p.T)
}

// onPattern is a problem whose target is exacttest.PatternLogF.
func onPattern(kernel string, T int, sides ...int) problem {
	return problem{kernel, sides, exacttest.PatternLogF(grid.MustNew(sides...).States()), T}
}

// onToy is a problem whose target is a toy on a grid with walls.
func onToy(tb testing.TB, toy, kernel string, T int) problem {
	tb.Helper()
	y := longtest.Must(toys.Parse(toy))(tb)
	return problem{kernel, y.Space.(*grid.Lattice).Sides(), y.G, T}
}

// onIsing is a problem whose target is the Ising model of 4x4 spins on a torus at its critical
// coupling, a spin an axis.
func onIsing(tb testing.TB, kernel string, T int) problem {
	tb.Helper()
	return onToy(tb, "ising:4x4:0.44068679350977147:torus", kernel, T)
}

// plain is a plain program that solves problems, in C or in NumPy. The zero value is one that
// cannot run here.
type plain struct {
	command []string
	style   []string // further arguments at the end
}

// errNoPlain is why a plain program is not run: there is no compiler, or no NumPy.
var errNoPlain = errors.New("there is no C compiler, or no Python with NumPy, to compare with")

// plainC returns the programs in testdata/plain.c: with one exp an entry, and with one exp a state.
func plainC(tb testing.TB) (entry, state plain) {
	tb.Helper()
	program := filepath.Join(tb.TempDir(), "plain")
	for _, compiler := range []string{"gcc", "cc"} {
		out, err := exec.Command(compiler, "-O3", "-march=native", "-o", program, "testdata/plain.c", "-lm").CombinedOutput()
		if err == nil {
			return plain{[]string{program}, []string{"entry"}}, plain{[]string{program}, []string{"state"}}
		}
		tb.Logf("%s cannot compile testdata/plain.c: %v %s", compiler, err, out)
	}
	return plain{}, plain{}
}

// plainNumPy returns the program in testdata/plain.py.
func plainNumPy() plain {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import numpy").Run() == nil {
			return plain{command: []string{python, "testdata/plain.py"}}
		}
	}
	return plain{}
}

// solve runs the program with a kernel that it knows, which is that of the problem by its own name.
// It returns J and B, and the time that the program took for them without its start.
func (p plain) solve(kernel string, on problem) (j, b float64, took time.Duration, err error) {
	if len(p.command) == 0 {
		return 0, 0, 0, errNoPlain
	}
	args := append([]string{kernel, on.space(), strconv.Itoa(on.T)}, p.style...)
	command := exec.Command(p.command[0], append(p.command[1:len(p.command):len(p.command)], args...)...)
	var g strings.Builder
	for _, v := range on.g {
		fmt.Fprintln(&g, v)
	}
	command.Stdin = strings.NewReader(g.String())
	out, err := command.Output()
	if err != nil {
		return 0, 0, 0, fmt.Errorf("%v: %w", command, err)
	}
	var perStep float64
	if _, err := fmt.Sscan(string(out), &j, &b, &perStep); err != nil {
		return 0, 0, 0, fmt.Errorf("%v wrote %q: %w", command, out, err)
	}
	return j, b, time.Duration(perStep * float64(on.T-1)), nil
}

// TestPlainC holds the programs in C that the solver is measured against to the solver: they solve
// the same problem.
func TestPlainC(t *testing.T) {
	longtest.Only(t)
	entry, state := plainC(t)
	for _, c := range []struct {
		problem problem
		as      string // the name of the kernel in the programs
	}{
		{onPattern("metropolis", 40, 4, 5), "metropolis"}, {onPattern("metropolis", 40, 4, 5), "stencil"},
		{onPattern("metropolis", 40, 3, 2, 4), "metropolis"}, {onPattern("metropolis", 40, 3, 2, 4), "stencil"},
		{onToy(t, "ising:3x3:0.2", "flip", 40), "flip"}, {onPattern("barker", 40, 4, 5), "barker"},
		{onPattern("moore", 40, 4, 5), "moore"}, {onPattern("moore", 40, 3, 2, 4), "moore"},
		{onPattern("heatbath", 10, 4, 5), "heatbath"}, {onPattern("heatbath-scan", 8, 3, 2, 4), "heatbath-scan"},
		{onPattern("jump:0.05", 30, 4, 5), "jump:0.05"},
		{onPattern("repeat:3:metropolis", 30, 4, 5), "repeat:3:metropolis"},
	} {
		entry.mustAgree(t, c.as, c.problem)
		state.mustAgree(t, c.as, c.problem)
	}
}

// TestPlainNumPy does for the program in NumPy what TestPlainC does for those in C.
func TestPlainNumPy(t *testing.T) {
	longtest.Only(t)
	numpy := plainNumPy()
	list := []string{"jump:0.05", "barker"} // jump has what metropolis has
	if longtest.More() {
		list = append(list, "metropolis")
	}
	for _, kernel := range list {
		numpy.mustAgree(t, kernel, onPattern(kernel, 30, 4, 5))
	}
}

// mustAgree compares J and B of the program with those of the solver. The program works in plain
// doubles, and the problems are such that this costs it few digits.
func (p plain) mustAgree(t *testing.T, kernel string, on problem) {
	t.Helper()
	j, b, _, err := p.solve(kernel, on)
	if errors.Is(err, errNoPlain) {
		t.Skip(err)
	} else if err != nil {
		t.Error(err)
		return
	}
	if s := exacttest.Solve(t, on.annealing(t)); !(math.Abs(j-s.J) <= 1e-9*s.J && math.Abs(b-s.B) <= 1e-9*s.B) {
		t.Errorf("%v as %s %v: J = %v and B = %v, the solver has %v and %v", on, kernel, p.style, j, b, s.J, s.B)
	}
}
