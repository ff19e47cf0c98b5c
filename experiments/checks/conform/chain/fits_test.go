package chain

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid/longtest"
)

// plant is a mistake in the moves of a chain.
type plant struct {
	name string  // a part of the text that names it; empty if it is on no list
	at   float64 // its parameter
	rows other
}

const (
	byBeta     = "at the inverse temperature"
	byShare    = "of the rejected proposals"
	byRepeats  = "repeats the row before"
	byThinning = "of the kernel were between two draws"
)

// planted returns mistakes, half of which are inverse temperatures from 0.05 to 3 and a quarter of
// which are on no list.
func planted(t *testing.T, k, another chains.Kernel, m *mover, count int) (list []plant) {
	rows, n := entries(m.chain.Rows), len(m.chain.Target)
	for i := range count {
		u := m.rng.Float64()
		var p plant
		switch i % 8 {
		default:
			beta := 0.05 * math.Pow(60, u)
			p = plant{byBeta, beta, entries(heated(t.Context(), k, m.chain, beta))}
		case 4:
			p = plant{byShare, u * 0.9, written(rows, u*0.9)}
		case 5:
			times := 2 + i/8%6
			p = plant{byThinning, float64(times), entries(moverOf(t, kernels.Repeat(times, k), m.chain.LogF, 1).chain.Rows)}
			if i%16 == 5 {
				p = plant{byRepeats, u, repeated(rows, u)}
			}
		case 6: // some moves go anywhere
			p = plant{"", u, func(x int) []chains.Entry {
				row := repeated(rows, 0.1+u/2)(x)
				row[len(row)-1].P = 0
				for y := range n {
					row = append(row, chains.Entry{To: y, P: (0.1 + u/2) / float64(n)})
				}
				return row
			}}
			if i%16 == 6 { // one state is left too rarely
				p.rows = func(x int) []chains.Entry {
					if x == int(u*float64(n)) {
						return repeated(rows, 0.3+u/2)(x)
					}
					return rows(x)
				}
			}
		case 7: // another kernel, or the moves of half of the states at another temperature
			p = plant{"", u, entries(moverOf(t, another, m.chain.LogF, 1).chain.Rows)}
			if i%16 == 7 {
				hot := entries(heated(t.Context(), k, m.chain, 0.2))
				p.rows = func(x int) []chains.Entry {
					if x < n/2 {
						return hot(x)
					}
					return rows(x)
				}
			}
		}
		list = append(list, p)
	}
	return list
}

// TestNamed: causes are named by a fit that explains the moves, and at most 1 in 100 is wrong. With
// -long these are 200 chains of each kind.
func TestNamed(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct{ toy, kernel, another string }{{"random:1:3:3x3", "metropolis", "barker"}, {"ising:1x3:0.4:0.3", "flip", "heatbath"},
		{"random:2:2:2x2x2", "heatbath-scan", "heatbath"}} {
		toy, k := parsed(t, c.toy, c.kernel)
		_, another := parsed(t, c.toy, c.another)
		m := moverOf(t, k, toy.G, 66)
		found, named, wrong, missed, outside := 0, 0, 0, 0, 0
		count := longtest.Times(16, 200)
		for i, p := range planted(t, k, another, m, count) {
			states, x := make([]int, 10_000), m.rng.IntN(len(toy.G))
			for k := range states {
				states[k] = x
				x = drawn(p.rows(x), m.rng)
			}
			out := checked(t, toy, k, states)
			if out.Fault == "" {
				continue
			}
			found++
			if strings.Contains(fmt.Sprint(out.Findings), "moves depend on") {
				t.Errorf("%s, chain %d: moves of a chain without memory depend on the move before: %+v", c.toy, i, out.Findings)
			}
			says := out.Fault[max(0, strings.Index(out.Fault, "it is as if")):]
			switch is := strings.Contains(out.Fault, "it is as if"); {
			case is && (p.name == "" || !strings.Contains(says, p.name)):
				wrong++
				t.Logf("%s, chain %d: %q at %v is named wrongly: %s", c.toy, i, p.name, p.at, out.Fault)
			case is:
				named++
				var at, low, high float64
				if fmt.Sscanf(says[strings.Index(says, p.name)+len(p.name):], " %g (from %g to %g)", &at, &low, &high); p.name == byBeta &&
					(p.at < low*0.99 || p.at > high*1.01) {
					outside++
				}
			case p.name != "":
				missed++
				t.Logf("%s, chain %d: %q at %v is not named: %s", c.toy, i, p.name, p.at, out.Fault)
			}
		}
		t.Logf("%s, %s: of %d chains %d are at fault, %d are named rightly, %d wrongly, %d on the list are not named, %d intervals of beta miss it", c.toy,
			c.kernel, count, found, named, wrong, missed, outside)
		if 100*wrong > count || 20*missed > count || 20*outside > count || named < count/2 {
			t.Errorf("%s, %s: too many wrong names, or too few right ones", c.toy, c.kernel)
		}
	}
}

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
	if out := checked(t, toy, kernels.Repeat(2, k), states); !strings.Contains(out.Fault, "none of the known mistakes explains it") {
		t.Error(out.Fault) // half of a move is no number of moves
	}
	m := moverOf(t, kernels.Repeat(1000, k), toy.G, 67)
	if out := checked(t, toy, k, m.states(0, 20_000)); !strings.Contains(out.Fault, " moves or more of the kernel were between two draws") {
		t.Error(out.Fault)
	}
}

// drawn returns the state of an entry that is drawn.
func drawn(row []chains.Entry, rng *rand.Rand) int {
	u := rng.Float64()
	for _, e := range row {
		if u -= e.P; u < 0 {
			return e.To
		}
	}
	return row[0].To
}
