package climb_test

import (
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/climb"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
	"breadboard/toys/forms"
)

// annealing returns one to a toy by a kernel, and ranks of its states by log f: that of the
// likeliest is the largest.
func annealing(t testing.TB, toy, moves string, T int) (*chains.Annealing, []int32, int) {
	t.Helper()
	on := longtest.Must(forms.Targets().Parse(toy))(t)
	k := longtest.Must(kernels.Parse(moves, on.Space))(t)
	a := longtest.Must(
		chains.NewAnnealing(longtest.Must(paths.NewGeometric(nil, on.G))(t), schedules.Linear{}, k, T),
	)(t)
	values := slices.Clone(on.G)
	slices.Sort(values)
	values = slices.Compact(values)
	rank := make([]int32, len(on.G))
	for x, g := range on.G {
		rank[x] = int32(slices.Index(values, g))
	}
	return a, rank, len(values) - 1
}

// TestEnumerated: the distribution is that of all paths x_1, ..., x_T one by one, on targets with
// ties, zeros and spans of 37, 700 and 1e4 nats, by kernels that are reversible or not, draw
// exactly, or never move.
func TestClimbEnumerated(t *testing.T) {
	for _, toy := range []string{"cells:0:1/2:0", "cells:0:0:0", "cells:0:-inf:3", "cells:0:-37:3",
		"cells:0:700/0:350", "cells:0:1e4/0:0",
		"cells:0:1e-9", "cells:0:-800:-800",
		"cells:-740:-744:-741"} {
		for _, moves := range []string{"metropolis", "heatbath-scan", "independence", "stay", "suwa-todo"} {
			const T = 4
			a, rank, ranks := annealing(t, toy, moves, T)
			law := longtest.Must(climb.LawOf(t.Context(), a, rank, ranks, climb.Options{Workers: 2}))(t)
			seen, unseen, last := enumerated(t, a, rank, ranks)
			for i := range ranks {
				end := 0.0
				for x, p := range last {
					if int(rank[x]) > i {
						end += p
					}
				}
				for what, pair := range map[string]struct {
					got  number.Bounded
					want float64
				}{"seen": {law.Seen[i], seen[i]}, "unseen": {law.Unseen[i], unseen[i]},
					"end": {law.End[i], end}} {
					if off := math.Abs(pair.got.Value - pair.want); off > 1e-13*pair.want ||
						off > pair.got.Error+1e-14*pair.want {
						t.Errorf("%s, %s, rank %d: %s %v, want %v", toy, moves, i+1, what, pair.got, pair.want)
					}
				}
				want := math.Log(unseen[i])
				if seen[i] < 0.5 {
					want = math.Log1p(-seen[i])
				}
				if got := law.LogUnseen[i]; got.Value != want &&
					math.Abs(got.Value-want) > 1e-12*math.Abs(want) && unseen[i] > 1e-280 {
					t.Errorf("%s, %s, rank %d: log of unseen %v, want %v", toy, moves, i+1, got, want)
				}
			}
			for x, p := range law.Last {
				if math.Abs(p-last[x]) > 1e-14 {
					t.Errorf("%s, %s: x_T is %d with %v, want %v", toy, moves, x, p, last[x])
				}
			}
		}
	}
}

// enumerated adds up the probabilities of all paths.
func enumerated(t *testing.T, a *chains.Annealing, rank []int32, ranks int) (seen, unseen, last []float64) {
	t.Helper()
	n := a.States()
	rows := make([]*kernel.Rows, a.Distributions()+1)
	logf := make([]float64, n)
	for s := 2; s <= a.Distributions(); s++ {
		a.LogF(logf, s)
		rows[s] = longtest.Must(kernel.NewRows(t.Context(), a.KernelAt(s), logf))(t)
	}
	seen = make([]float64, ranks)
	unseen = make([]float64, ranks)
	last = make([]float64, n)
	var walk func(stage, x int, p float64, highest int32)
	walk = func(stage, x int, p float64, highest int32) {
		highest = max(highest, rank[x])
		if stage == a.Distributions() {
			last[x] += p
			for r := range ranks {
				if int(highest) >= r+1 {
					seen[r] += p
				} else {
					unseen[r] += p
				}
			}
			return
		}
		for _, e := range rows[stage+1].Row(x) {
			if e.P > 0 {
				walk(stage+1, e.To, p*e.P, highest)
			}
		}
	}
	for x := range n {
		walk(1, x, 1/float64(n), 0)
	}
	return seen, unseen, last
}

// TestRefused: what cannot be computed is refused before memory is taken.
func TestClimbRefused(t *testing.T) {
	a, rank, ranks := annealing(t, "cells:0:1/2:0", "metropolis", 3)
	longtest.Refuses(climb.LawOf(t.Context(), a, rank[1:], ranks, climb.Options{}))(t, "give one for each")
	longtest.Refused(t, climb.CheckSize(1<<24, 20), "ask for fewer levels")
}

// TestGroups: what moves eight ranks at once says what moves by rows, on spaces of several blocks,
// with walls, rings and several values on an axis, and ranks that do not fill a group, from f or
// from a state.
func TestGroups(t *testing.T) {
	for _, c := range []struct {
		toy, moves string
		ranks      int
	}{{"ising:3x4:0.6", "flip", 0}, {"random:2:7:25x27", "metropolis", 17}, {"random:1:3:9x9x9", "moore", 3},
		{"random:3:2:5x5x5x5", "flip", 31}} {
		if c.ranks > 0 && !longtest.Enabled() {
			continue
		}
		a, rank, ranks := annealing(t, c.toy, c.moves, 12)
		if c.ranks > 0 {
			for x := range rank {
				rank[x] = max(0, rank[x]-int32(ranks-c.ranks))
			}
			ranks = c.ranks
		}
		point := make([]float64, len(rank))
		point[1] = 1
		for _, start := range [][]float64{nil, point} {
			o := climb.Options{Workers: 2}
			if start != nil {
				o.LogStart = make([]float64, len(start))
				for x, p := range start {
					o.LogStart[x] = math.Log(p)
				}
			}
			law := longtest.Must(climb.LawOf(t.Context(), a, rank, ranks, o))(t)
			byRows := longtest.Must(chains.NewAnnealing(
				a.Path(),
				schedules.Linear{},
				exacttest.MoveOnly{Kernel: a.Kernel()},
				12,
			))(t)
			want := longtest.Must(climb.LawOf(t.Context(), byRows, rank, ranks, o))(t)
			for i := range ranks {
				for _, pair := range [][2]number.Bounded{
					{law.Seen[i], want.Seen[i]}, {law.Unseen[i], want.Unseen[i]}, {law.End[i], want.End[i]}} {
					if math.Abs(pair[0].Value-pair[1].Value) > 1e-13*pair[1].Value {
						t.Errorf("%s, %s, rank %d: %v, want %v", c.toy, c.moves, i+1, pair[0], pair[1])
					}
				}
			}
			for x, v := range law.Last {
				if math.Abs(v-want.Last[x]) > 1e-13*want.Last[x] {
					t.Errorf("%s, %s: x_T is %d with %v, want %v", c.toy, c.moves, x, v, want.Last[x])
				}
			}
		}
	}
}

// TestWide: under targets that span 600 to 10,000 nats masses go where the rows of each stage take
// them, which are pushed here one by one, also if the probabilities are far below float64.
func TestWide(t *testing.T) {
	for _, c := range []struct {
		toy, moves string
		T, start   int // the state of x_1, or none below zero
	}{
		{"ising:3x3:30", "flip", 3, -1}, {"ising:2x3:60", "flip", 300, 5}, {"ising:3x3:150", "flip", 12, 3},
		{"ising:3x3:30", "heatbath", 12, -1},
		{"ising:2x3:250", "heatbath", 60, 5}, {"ising:3x3:150", "heatbath-scan", 12, -1},
		{"potts:3:2x2:200", "heatbath-scan", 3, 1},
		{"cells:0:-300/-200:1/-500:-900", "metropolis", 40, 0},
		{"cells:0:-900:0/-900:-900:-900", "metropolis", 8, 0}, {"cells:0:350:700", "heatbath", 2000, 0},
	} {
		if c.T > 3 && !longtest.Enabled() {
			continue
		}
		a, rank, ranks := annealing(t, c.toy, c.moves, c.T)
		n := len(rank)
		start := slices.Repeat([]float64{-math.Log(float64(n))}, n)
		if c.start >= 0 {
			start = slices.Repeat([]float64{math.Inf(-1)}, n)
			start[c.start] = 0
		}
		law := longtest.Must(climb.LawOf(t.Context(), a, rank, ranks, climb.Options{LogStart: start}))(t)
		products := make([]kernel.Product, c.T+1)
		for s, logf := 2, make([]float64, n); s <= c.T; s++ {
			a.LogF(logf, s)
			products[s] = longtest.Must(kernel.NewProduct(t.Context(), a.KernelAt(s), logf))(t)
		}
		for j := range ranks {
			mass := make([]number.Wide, n)
			seen := number.Wide{}
			for x, v := range start {
				mass[x] = number.WideExp(v)
			}
			for s := 1; s <= c.T; s++ {
				for _, rows := range products[s] {
					next := make([]number.Wide, n)
					for x, m := range mass {
						for _, e := range rows.Row(x) {
							next[e.To] = next[e.To].Add(m.Mul(number.Scaled(e.P, 0)))
						}
					}
					mass = next
				}
				for x, r := range rank {
					if int(r) > j {
						seen, mass[x] = seen.Add(mass[x]), number.Wide{}
					}
				}
			}
			left := number.WideTotal(func(x int) number.Wide { return mass[x] }, n)
			got := law.Seen[j]
			lost := law.Seen[j].Error
			if want := seen.Float(); math.Abs(got.Value-want) > 1e-11*want+lost || lost > 1e-11*want+1e-300 {
				t.Errorf("%s, %s, T = %d, rank %d: seen %v, want %v", c.toy, c.moves, c.T, j+1, got, want)
			}
			if want, got := left.Log(), law.LogUnseen[j]; got.Value != want &&
				math.Abs(got.Value-want) > 1e-12+got.Error {
				t.Errorf("%s, %s, T = %d, rank %d: log of unseen %v, want %v", c.toy, c.moves, c.T, j+1, got, want)
			}
		}
	}
}
