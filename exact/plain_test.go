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
	"breadboard/toys"
)

// problem is an annealing that the plain programs can solve too: on the geometric path from the uniform distribution to
// g, on a grid with walls and the linear schedule.
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
	k, err := kernels.Parse(p.kernel, grid.MustNew(p.sides...))
	if err != nil {
		tb.Fatal(err)
	}
	return exacttest.Build(tb, nil, p.g, schedule, k, p.T)
}

// onPattern is a problem whose target is exacttest.PatternLogF.
func onPattern(kernel string, T int, sides ...int) problem {
	return problem{kernel, sides, exacttest.PatternLogF(grid.MustNew(sides...).States()), T}
}

// onBarrier is a problem whose target is the paper's BARRIER.
func onBarrier(tb testing.TB, kernel string, T int) problem {
	tb.Helper()
	toy, err := toys.Barrier(7, 7)
	if err != nil {
		tb.Fatal(err)
	}
	return problem{kernel, []int{7, 7}, toy.G, T}
}

// onIsing is a problem whose target is the Ising model of 4x4 spins on a torus at its critical coupling, a spin an axis:
// log f is the coupling times the sum of the products of neighbouring spins.
func onIsing(kernel string, T int) problem {
	const side, coupling = 4, 0.44068679350977147
	p := problem{kernel: kernel, T: T, g: make([]float64, 1<<(side*side))}
	for range side * side {
		p.sides = append(p.sides, 2)
	}
	for x := range p.g {
		spin := func(i, j int) float64 { // coordinate side*i + j of state x
			return float64(2*(x>>(side*side-1-(side*(i%side)+j%side))&1) - 1)
		}
		sum := 0.0
		for i := range side {
			for j := range side {
				sum += spin(i, j) * (spin(i+1, j) + spin(i, j+1))
			}
		}
		p.g[x] = coupling * sum
	}
	return p
}

// plain is a plain program that solves problems, in C or in NumPy. The zero value is one that cannot run here.
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

// solve runs the program with a kernel that it knows, which is that of the problem by its own name. It returns J and B,
// and the time that the program took for them without its start.
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

// TestPlainPrograms holds the programs that the solver is measured against to the solver: they solve the same problem.
func TestPlainPrograms(t *testing.T) {
	entry, state := plainC(t)
	numpy := plainNumPy()
	for _, c := range []struct {
		problem  problem
		as       string // the name of the kernel in the programs
		programs []plain
	}{
		{onPattern("metropolis", 40, 4, 5), "metropolis", []plain{entry, state, numpy}},
		{onPattern("metropolis", 40, 4, 5), "stencil", []plain{entry, state}},
		{onPattern("metropolis", 40, 3, 2, 4), "metropolis", []plain{entry}},
		{onPattern("metropolis", 40, 3, 2, 4), "stencil", []plain{entry}},
		{onPattern("flip", 40, 2, 2, 2, 2), "flip", []plain{entry, state}},
		{onPattern("barker", 40, 4, 5), "barker", []plain{entry, state, numpy}},
		{onPattern("moore", 40, 4, 5), "moore", []plain{entry, state}},
		{onPattern("moore", 40, 3, 2, 4), "moore", []plain{entry}},
		{onPattern("heatbath", 10, 4, 5), "heatbath", []plain{entry, state}},
		{onPattern("heatbath-scan", 8, 3, 2, 4), "heatbath-scan", []plain{entry, state}},
		{onPattern("jump:0.05", 30, 4, 5), "jump:0.05", []plain{entry, state, numpy}},
		{onPattern("repeat:3:metropolis", 30, 4, 5), "repeat:3:metropolis", []plain{entry, state}},
	} {
		s := exacttest.Solve(t, c.problem.annealing(t))
		for i, program := range c.programs {
			j, b, _, err := program.solve(c.as, c.problem)
			if errors.Is(err, errNoPlain) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(j-s.J) <= 1e-9*s.J && math.Abs(b-s.B) <= 1e-9*s.B) {
				t.Errorf("%v, program %d as %s: J = %v and B = %v, the solver has %v and %v", c.problem, i, c.as, j, b, s.J, s.B)
			}
		}
	}
	if len(entry.command) == 0 || len(numpy.command) == 0 {
		t.Skipf("not all programs have been compared: %v", errNoPlain)
	}
}
