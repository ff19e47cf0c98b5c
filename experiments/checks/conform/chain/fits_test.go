package chain

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/exact/kernel"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/forms"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestMovesBetween: the number of moves between two draws is named if the kernel cannot make such
// moves too, and also instead of the one that is given.
func TestMovesBetween(t *testing.T) {
	toy, k := parsed(t, "random:1:3:3x3", "metropolis")
	states := moverOf(t, k, toy.G, 66).states(0, 60_000)
	var third []int
	for i := 0; i < len(states); i += 3 {
		third = append(third, states[i])
	}
	if out := checked(t, toy, k, third); !strings.HasPrefix(out.Fault, "a move from state ") ||
		!strings.HasSuffix(out.Fault, "; it is as if 3 moves of the kernel were between two draws") {
		t.Error(out.Fault)
	}
	if out := checked(t, toy, kernels.Repeat(2, k), states); !strings.Contains(
		out.Fault,
		"it is as if the moves were those of metropolis",
	) {
		t.Error(out.Fault)
	}
	m := moverOf(t, kernels.Repeat(1000, k), toy.G, 67)
	if out := checked(t, toy, k, m.states(0, 20_000)); !strings.Contains(
		out.Fault,
		" moves or more of the kernel were between two draws",
	) {
		t.Error(out.Fault)
	}
}

// TestEdges: what becomes of proposals off the edge is named, for any Metropolis kernel on a grid
// that proposes the same steps everywhere; so is a prior that was left out, and Barker's rule.
func TestEdges(t *testing.T) {
	toy := longtest.Must(forms.All().Parse("random:1:3:1x6"))(t)
	line := longtest.Must(forms.All().Parse("cells:0:0.7:-0.5:1.1:-1:0.3"))(t)
	clip := func(c int) int { return max(0, min(5, c)) }
	for want, edge := range map[string]func(c int) int{
		"clamped to it":                clip,
		"turned back":                  func(c int) int { return max(-c, min(c, 10-c)) },
		"brought in on the other side": func(c int) int { return (c + 6) % 6 },
		"drawn again":                  nil,
		"":                             func(int) int { return -1 },
	} {
		for _, on := range []*toys.Toy{toy, line} {
			if on == toy && !longtest.Enabled() {
				continue
			}
			wide := steps{func(int) int { return -1 }}
			out := checked(t, on, wide, wrongMover(t, steps{edge}, on.G).states(0, 20_000))
			if (out.Fault == "") != (want == "") ||
				want != "" && !strings.Contains(out.Fault, "it is as if proposals off the edge were "+want) {
				t.Errorf("%s: %q: %s", on.Name, want, out.Fault)
			}
		}
	}
	square, metropolis := parsed(t, "random:1:3:4x4", "metropolis")
	states := []int{0}
	rng := rand.New(rand.NewPCG(5, 5))
	for x := 0; len(states) < 20_000; states = append(states, x) {
		if y := x + []int{1, -1, 4, -4}[rng.IntN(4)]; y >= 0 && y < 16 &&
			math.Log(rng.Float64()) < square.G[y]-square.G[x] {
			x = y
		}
	}
	if out := checked(t, square, metropolis, states); !strings.HasSuffix(
		out.Fault,
		"it is as if proposals off the edge were taken for states of the next row",
	) {
		t.Error(out.Fault)
	}
	prior := *line
	prior.LogPrior = []float64{0, -1, 0.5, -1, 0, -0.5}
	k := longtest.Must(kernels.Parse("metropolis", line.Space))(t)
	likelihood := slices.Clone(line.G)
	for x := range likelihood {
		likelihood[x] -= prior.LogPrior[x]
	}
	if out := checked(t, &prior, k, moverOf(t, k, likelihood, 1).states(0, 20_000)); !strings.HasPrefix(
		out.Fault,
		"it is as if the prior was left out (",
	) {
		t.Error(out.Fault)
	}
	// What kernel check knows is known here.
	for want, wrong := range map[string]chains.Kernel{
		"inverse acceptance ratio":          planted.TurnedRatio{Space: line.Space},
		"two end values are half as likely": planted.RoundedEnds{Space: line.Lattice()},
	} {
		if out := checked(t, line, k, wrongMover(t, wrong, line.G).states(0, 20_000)); !strings.Contains(
			out.Fault,
			want,
		) {
			t.Error(out.Fault)
		}
	}
}

// TestFirstAccepted: a first proposal that is accepted in any case is named, if there are many
// chains.
func TestFirstAccepted(t *testing.T) {
	longtest.Only(t)
	line, k := parsed(t, "cells:0:0.7:-0.5:1.1:-1:0.3", "metropolis")
	always := wrongMover(t, planted.AlwaysAccepted{Space: line.Space}, line.G)
	right := moverOf(t, k, line.G, 1)
	list := [][]int{}
	for i := range 300 {
		x := i % 6
		list = append(list, append([]int{x}, right.states(always.from(x), 3)...))
	}
	if out := checked(t, line, k, list...); !strings.Contains(
		out.Fault,
		"it is as if the first proposal of every chain was accepted",
	) {
		t.Error(out.Fault)
	}
}

// wrongMover makes moves of a kernel that need not be right.
func wrongMover(t *testing.T, k chains.Kernel, logf []float64) *mover {
	t.Helper()
	return &mover{&averages.Chain{Rows: longtest.Must(kernel.NewRows(t.Context(), k, logf))(t)},
		rand.New(rand.NewPCG(55, 1))}
}

// steps is Metropolis' kernel on a line of six states with steps of 1 and 2, and a rule for the
// edge: -1 is a refusal, and none draws again.
type steps struct{ edge func(c int) int }

func (k steps) Move(c chains.Chooser, logf []float64, x int) int {
	list := []int{x - 2, x - 1, x + 1, x + 2}
	off := func(y int) bool { return y < 0 || y > 5 }
	if k.edge == nil {
		list = slices.DeleteFunc(list, off)
	}
	y := list[c.Uniform(len(list))]
	if off(y) {
		y = k.edge(y)
	}
	if y >= 0 && c.Flip(math.Exp(min(0, logf[y]-logf[x]))) {
		return y
	}
	return x
}

// TestLikelier: moves that another kernel explains better by a factor that shows five standard
// errors are open, and no pass, though there is no fault yet. Right moves pass.
func TestLikelier(t *testing.T) {
	toy, heatbath := parsed(t, "ising:1x3:0.8", "heatbath")
	_, flip := parsed(t, "ising:1x3:0.8", "flip")
	for seed, named := range []bool{true, false, false, true} { // of the others no test says much yet
		o := checked(t, toy, heatbath, moverOf(t, flip, toy.G, uint64(seed)).states(0, 200))
		if !o.Open ||
			strings.Contains(o.Excluded, "times likelier that the moves were those of flip") != named {
			t.Errorf("seed %d: %q, %q", seed, o.Fault, o.Excluded)
		}
		if o := checked(t, toy, heatbath, moverOf(t, heatbath, toy.G, uint64(seed)).states(0, 400)); o.Open ||
			o.Fault != "" {
			t.Errorf("seed %d: %q, %q", seed, o.Fault, o.Excluded)
		}
	}
}

// TestLikelierKernels: moves of any kernel of the library, and independent draws, are no pass as
// those of another one either, also with several moves between two draws.
func TestLikelierKernels(t *testing.T) {
	for _, c := range []struct {
		toy, claimed, of string
		thin             int
		says             string
	}{
		{"random:0.8:3:2x2x2", "independence", "jump:0.3", 1, "the moves were those of jump:0.3"},
		{"random:0.8:3:2x2x2", "repeat:3:heatbath", "exact", 1, "the draws were independent"},
		{"random:1.3:5:2x3", "delayed-rejection", "independence", 2, "the moves were those of independence"},
	} {
		toy, claimed := parsed(t, c.toy, c.claimed)
		_, of := parsed(t, c.toy, c.of)
		o := checkedThinned(t, toy, claimed, c.thin, moverOf(t, kernels.Repeat(c.thin, of), toy.G, 4).states(0, 200))
		if !o.Open || !strings.Contains(o.Excluded, "times likelier that "+c.says) {
			t.Errorf("%s as %s: %q, %q", c.of, c.claimed, o.Fault, o.Excluded)
		}
	}
}

// TestFarArrivals: moves that come to a state too often by five standard errors are open, though
// from no single state they are as far; right moves pass.
func TestFarArrivals(t *testing.T) {
	toy, exact := parsed(t, "cells:0:0", "exact")
	for most, open := range map[int]bool{5_000: false, 5_280: true} { // of 10,000: 0 and 5.6 standard errors
		c := make([]int, 10_000)
		for i := most; i < len(c); i++ {
			c[i] = 1
		}
		rand.New(rand.NewPCG(7, 1)).Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
		if o := checked(t, toy, exact, c); (o.Open || o.Fault != "") != open {
			t.Errorf("%d of state 0: %q, %q", most, o.Fault, o.Excluded)
		}
	}
}

// TestFarSums: moves of a heat bath in a field whose sum of spins is off by six standard errors are
// open, though that of no spin is; right moves pass.
func TestFarSums(t *testing.T) {
	toy, heatbath := parsed(t, "ising:2x3:0.2", "heatbath")
	for field, open := range map[float64]bool{0: false, 0.06: true} {
		g := slices.Clone(toy.G)
		for x := range g {
			g[x] += field * float64(2*bits.OnesCount(uint(x))-6)
		}
		o := checked(t, toy, heatbath, moverOf(t, heatbath, g, 1).states(0, 20_000))
		if o.Fault != "" || o.Open != open ||
			open && !strings.HasPrefix(o.Excluded, "the mean of the changes of the sum of the variables") {
			t.Errorf("field %v: %q, %q", field, o.Fault, o.Excluded)
		}
	}
}

// TestRoundedSums: right moves on a target of 1,000 nats, whose number of moves that stay has a
// standard deviation far below the rounding of a sum, pass.
func TestRoundedSums(t *testing.T) {
	toy, flip := parsed(t, "random:300:5:4x4", "flip")
	likeliest := slices.Index(toy.G, slices.Max(toy.G))
	states := moverOf(t, kernels.Repeat(2, flip), toy.G, 1).states(likeliest, 30_000)
	if o := checkedThinned(t, toy, flip, 2, states); o.Open || o.Fault != "" {
		t.Errorf("%q, %q", o.Fault, o.Excluded)
	}
}

// TestLikelierRepeats: moves are no pass if another number of moves of the same kernel between two
// draws, up to twice the declared one, is far likelier. With the declared number they pass.
func TestLikelierRepeats(t *testing.T) {
	for _, c := range []struct {
		toy, kernel string
		thin, moves int
		draws       int
	}{
		{"random:1:3:3x3", "metropolis", 5, 7, 2000},
		{"random:1:3:3x3", "heatbath", 3, 2, 1500},
		{"cells:0:-1", "barker", 1, 2, 600},
		{"ising:1x3:0.8", "heatbath", 4, 6, 1000},
	} {
		toy, k := parsed(t, c.toy, c.kernel)
		at := func(moves int) *Outcome {
			states := moverOf(t, kernels.Repeat(moves, k), toy.G, 2).states(0, c.draws)
			return checkedThinned(t, toy, k, c.thin, states)
		}
		if o := at(c.moves); o.Fault != "" || !o.Open || !strings.Contains(o.Excluded,
			fmt.Sprintf("times likelier that %d moves of the kernel were between two draws", c.moves)) {
			t.Errorf("%+v: %q, %q", c, o.Fault, o.Excluded)
		}
		if o := at(c.thin); o.Fault != "" || strings.Contains(o.Excluded, "between two draws") {
			t.Errorf("%+v, of the declared number: %q, %q", c, o.Fault, o.Excluded)
		}
	}
}
