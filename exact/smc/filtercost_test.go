package smc

import (
	"context"
	"math"
	"testing"

	"breadboard/chains/particle"
)

// keptBytes counts what tables and the columns at the last stage keep: 16 bytes for a probability,
// 24 for the header of a row, 8 for a mean weight, and two blocks for each multiset at the end.
func keptBytes(tables *filterTables) (bytes float64) {
	for _, l := range tables.levels {
		for _, means := range l.logMean {
			bytes += 8 * float64(len(means))
			if l.resample == nil {
				bytes += 128 * float64(len(means))
			}
		}
		for _, r := range append([]rows{l.move}, l.resample...) {
			bytes += float64(24*len(r) + 16*r.entries())
		}
	}
	return bytes
}

// The memory of the tables is known before it is taken, for long and for short rows.
func TestFilterMemory(t *testing.T) {
	for _, c := range []struct{ tokens, length, particles int }{{2, 8, 2}, {3, 4, 2}, {40, 2, 2}, {3, 3, 3}, {2, 5, 4}} {
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
		if err != nil {
			t.Fatal(err)
		}
		stages, start, class := lump(stages, start)
		tree := newPathTree(f, class)
		tables, err := tabulateFilter(context.Background(), tree, stages, start, c.particles-1)
		if err != nil {
			t.Fatal(err)
		}
		entries, _ := filterCost(tree, stages, c.particles-1)
		if kept := keptBytes(tables); kept > 16*entries || kept < 0.75*16*entries {
			t.Errorf("%+v: %v bytes are kept, and %v were expected", c, kept, 16*entries)
		}
	}
}
