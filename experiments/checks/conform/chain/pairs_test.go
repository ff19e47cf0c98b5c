package chain

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains/number"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// shared returns chains whose moves use the same uniform number in a share of the rows, by the
// order of the states or against it.
func shared(m *mover, n int, share float64, turned bool, starts ...int) [][]int {
	list := make([][]int, len(starts))
	at := append([]int{}, starts...)
	for range n {
		u := m.rng.Float64()
		for k := range at {
			list[k] = append(list[k], at[k])
			v := u
			if turned && k%2 > 0 {
				v = 1 - u
			}
			if m.rng.Float64() >= share {
				v = m.rng.Float64()
			}
			x := at[k]
			for _, e := range m.chain.Rows.Row(x) {
				v -= e.P
				if v < 0 {
					at[k] = e.To
					break
				}
			}
		}
	}
	return list
}

// TestSharedNumbers: chains that share random numbers depend on each other, though the moves of
// each are right; independent ones, right or wrong in the same way, do not.
func TestSharedNumbers(t *testing.T) {
	longtest.Only(t)
	const says = "as if they shared random numbers"
	for _, c := range []struct {
		toy, kernel string
		share       float64
		turned      bool
	}{
		{"random:1:3:3x3", "metropolis", 1, false}, {"random:1:3:3x3", "metropolis", 1, true},
		{"ising:2x2:0.3", "heatbath", 0.5, false},
		{"barrier", "metropolis", 1, false}, {"cells:0:-2:0:-2:0", "barker", 0.6, true},
		{"ising:2x2:0.3", "heatbath-scan", 0.5, false},
	} {
		if c.toy != "barrier" && !c.turned && !longtest.Enabled() {
			continue
		}
		toy, k := parsed(t, c.toy, c.kernel)
		m := moverOf(t, k, toy.G, 1)
		last := len(toy.G) - 1
		if out := checked(t, toy,
			k, shared(m, 5000, c.share, c.turned, 0, last, last/2)...); !strings.Contains(out.Fault, says) {
			t.Errorf("%s, %s, share %v: %q", c.toy, c.kernel, c.share, out.Fault)
			for _, f := range out.Findings {
				t.Logf("   %s: %.3g %s", f.Name, f.Value, f.Where)
			}
		}
		if out := checked(t, toy, k, shared(m, 5000, 0, false, 0, last, last/2)...); out.Fault != "" {
			t.Errorf("%s, %s, independent: %q", c.toy, c.kernel, out.Fault)
		}
	}
	toy, k := parsed(t, "random:1:3:2x2", "heatbath")
	if out := checked(t, toy, k, scanned(toy, 10_000), scanned(toy, 10_001),
		scanned(toy, 10_002)); out.Fault == "" || strings.Contains(out.Fault, says) {
		t.Errorf("independent chains that take the sites in turn: %q", out.Fault)
	}
}

// scanned returns a chain that draws the coordinates anew in turn, one in each move, from a stream
// of its own.
func scanned(toy *toys.Toy, moves int) (states []int) {
	l := toy.Space.(*grid.Lattice)
	x := 0
	rng := rand.New(rand.NewPCG(uint64(moves), 1))
	for t := range moves {
		y := x
		for z := range toy.G {
			if z != x && l.Coord(z, t%2) != l.Coord(x, t%2) && l.Coord(z, 1-t%2) == l.Coord(x, 1-t%2) {
				y = z
			}
		}
		if rng.Float64() < 1/(1+math.Exp(toy.G[x]-toy.G[y])) {
			x = y
		}
		states = append(states, x)
	}
	return states
}

// TestPairsMeanOne: the e-value of each way in which two chains may be joined has the mean one over
// all paths of two independent chains.
func TestPairsMeanOne(t *testing.T) {
	for _, c := range []struct {
		toy, kernel string
	}{{"cells:0:1:3", "metropolis"}, {"cells:-30:0", "independence"}, {"random:1:3:2x2", "heatbath-scan"}} {
		toy, k := parsed(t, c.toy, c.kernel)
		chain := moverOf(t, k, toy.G, 1).chain
		mean := 0.0
		m := newMoves(toy, chain, nil)
		paths(chain, 0, 4, func(a []int, pa float64) {
			paths(chain, 1, 4, func(b []int, pb float64) {
				p := &pair{logs: make([]float64, 3*len(joints()))}
				for i := 1; i < len(a); i++ {
					p.addChains(m, []int32{int32(a[i-1]), int32(a[i])}, []int32{int32(b[i-1]), int32(b[i])})
				}
				mean += pa * pb * math.Exp(number.LogMean(p.logs))
			})
		})
		if math.Abs(mean-1) > 1e-9 {
			t.Errorf("%s, %s: the mean is %v", c.toy, c.kernel, mean)
		}
	}
}

// TestIndependentPairs: few of many independent chains have a large e-value: by Markov's inequality
// at most one in 20 has 20 or more.
func TestIndependentPairs(t *testing.T) {
	longtest.Only(t)
	const files = 300
	large := 0
	faults := 0
	for seed := range files {
		of := []struct {
			toy, kernel string
		}{{"random:1:3:3x3", "metropolis"}, {"ising:2x2:0.3", "heatbath"}, {"barrier", "metropolis"},
			{"cells:0:0:-3", "barker"}}[seed%4]
		toy, k := parsed(t, of.toy, of.kernel)
		m := moverOf(t, k, toy.G, uint64(seed))
		r := &run{moves: newMoves(toy, m.chain, nil)}
		for range 4 {
			c := r.startTrack("")
			for _, x := range m.states(m.rng.IntN(len(toy.G)), 3000) {
				c.states = append(c.states, int32(x))
				r.moves.addMove(c.states, nil)
				r.paired(c)
			}
		}
		v := r.together()
		if v.LogE >= math.Log(20) {
			large++
		}
		if v.Depend {
			faults++
		}
	}
	t.Logf("e-values of 20 and more: %d of %d; dependent by the observed frequencies: %d", large, files, faults)
	if large > files/20 || faults > 0 {
		t.Error("too many")
	}
}
