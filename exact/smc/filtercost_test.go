package smc

import (
	"context"
	"math"
	"testing"

	"breadboard/chains/particle"
	"breadboard/grid/longtest"
)

// takenBytes counts what tables and the columns at the last stage take: for each row 24 bytes for
// its header, 8 for the mean weight and 16 for a probability, and twice as many that await the
// garbage collector; for a multiset at the end 8 for the mean weight, and two blocks.
func takenBytes(tables *filterTables) (bytes float64) {
	for _, l := range tables.levels {
		each := 3 * 8.0
		if l.resample == nil {
			each = 8 + 2*64
		}
		for _, means := range l.logMean {
			bytes += each * float64(len(means))
		}
		for _, r := range append([]rows{l.move}, l.resample...) {
			bytes += 3 * float64(24*len(r)+16*r.entries())
		}
	}
	return bytes
}

// The memory of the tables is known before it is taken, for long and for short rows.
func TestFilterMemory(t *testing.T) {
	for _, c := range []struct {
		tokens, length, particles int
	}{{2, 8, 2}, {3, 4, 2}, {40, 2, 2}, {3, 3, 3}, {2, 5, 4}} {
		size := int(math.Pow(float64(c.tokens), float64(c.length)))
		m := &particle.Tilted{A: make([][]float64, c.tokens)}
		for range c.tokens {
			m.Pi = append(m.Pi, 1/float64(c.tokens))
		}
		for v := range m.A {
			m.A[v] = m.Pi
		}
		for x := range size {
			m.LogPhi = append(m.LogPhi, math.Sin(float64(x*x)))
		}
		psi := m.Expected(c.length)[1:]
		for t := range psi[:c.length-1] {
			for y := range psi[t] {
				psi[t][y] += math.Cos(float64(3 * y * y))
			}
		}
		f := particle.NewTwisted(m, psi, false)
		stages, start, _, err := stagesOf(context.Background(), f, c.particles)
		longtest.NoError(t, err)
		stages, start, class := lump(stages, start)
		tree := newPathTree(f, class)
		tables, err := tabulateFilter(context.Background(), tree, stages, start, c.particles-1)
		longtest.NoError(t, err)
		entries, _ := filterCost(tree, stages, c.particles-1)
		if taken := takenBytes(tables); taken > entryBytes*entries || taken < 0.75*entryBytes*entries {
			t.Errorf("%+v: %v bytes are taken, and %v were expected", c, taken, entryBytes*entries)
		}
	}
}
