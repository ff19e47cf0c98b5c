package crosscheck

import (
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

// BenchmarkAdd counts chains on 49 states with all columns, in batches as a reader makes them.
func BenchmarkAdd(b *testing.B) {
	const batch, all = 1 << 13, 1 << 18
	l := laws(b, annealing(b, "easy", 12))
	chain := longtest.Must(Simulations(l.a)[1].Chains(b.Context(), l.a, chains.Forward, Block{}, all))(b)
	for _, c := range []struct {
		name    string
		columns Columns
	}{{"all", Columns{true, true, true}}, {"weights", Columns{LogW: true}}, {"last", Columns{Last: true}}} {
		b.Run(c.name, func(b *testing.B) {
			t := NewTally(l.ChainLaws, chains.Forward, c.columns)
			for b.Loop() {
				for i := 0; i < all; i += batch {
					first, last, logw := chain.First[i:i+batch], chain.Last[i:i+batch], chain.LogW[i:i+batch]
					if !c.columns.First {
						first = nil
					}
					if !c.columns.Last {
						last = nil
					}
					if !c.columns.LogW {
						logw = nil
					}
					t.Add(first, last, logw)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/all, "ns/chain")
		})
	}
}

// BenchmarkPairs compares the chains of both directions.
func BenchmarkPairs(b *testing.B) {
	const batch = 1 << 13
	l := laws(b, annealing(b, "easy", 12))
	chain := longtest.Must(Simulations(l.a)[1].Chains(b.Context(), l.a, chains.Forward, Block{}, batch))(b)
	all := Columns{First: true, Last: true}
	t := NewPairTally(l.ChainLaws, all, all)
	t.most = math.MaxInt
	for b.Loop() {
		t.Add(chains.Forward, chain.First, chain.Last)
		t.Add(chains.Reverse, chain.First, chain.Last)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/pair")
}
