package conform

import (
	"math"
	"testing"

	"breadboard/experiments/checks/annealed"
	"breadboard/grid/longtest"
)

// TestRepeatsMean: over all sequences of independent chains with two states the e-values have a
// mean of one, where the probabilities are exact, and of less, if they are bounds. Blocks of eight
// chains come again in many of the sequences.
func TestRepeatsMean(t *testing.T) {
	longtest.Only(t)
	const length = 14
	p := []float64{0.7, 0.3}
	for _, excess := range []float64{1, 1.2} {
		total := 0.0
		blocks := 0.0
		for bits := range 1 << length {
			r := newRepeats(2, annealed.Columns{Last: true},
				func(_, last int32, _ float64) float64 { return excess * p[last] })
			weight := 1.0
			for i := range length {
				x := int32(bits >> i & 1)
				weight *= p[x]
				r.addEnds(nil, []int32{x}, nil)
			}
			logE, _ := r.logEValue()
			total += weight * math.Exp(logE)
			blocks += weight * float64(r.block.bets)
		}
		if excess == 1 && math.Abs(total-1) > 1e-12 || excess > 1 && total > 0.999 || blocks < 0.1 {
			t.Errorf("with %v times the probabilities the mean is %v, and %v bets on blocks are made", excess,
				total, blocks)
		}
	}
}

// TestRepeatsRows: the longest block that comes again is given with its rows, each chain is counted
// once, and chains beyond those that are kept are still compared with these.
func TestRepeatsRows(t *testing.T) {
	longtest.Only(t)
	chance := func(_, _ int32, _ float64) float64 { return 1e-3 }
	of := func(logw []float64) *repeats {
		r := newRepeats(1, annealed.Columns{LogW: true}, chance)
		r.addEnds(nil, nil, logw)
		return r
	}
	var logw []float64
	for i := range 1000 {
		logw = append(logw, float64(i))
	}
	logw = append(logw, logw[200:260]...) // rows 1000 to 1059
	logw = append(logw, -1, -2)
	logw = append(logw, logw[10:30]...) // rows 1062 to 1081
	// A block is known by eight chains of which the first one stands at a multiple of eight: the
	// second one is found from row 16 on.
	if got, want := of(logw).describeRepeats(),
		"74 of 1082 chains repeat in blocks: rows 1000 to 1059 equal rows 200 to 259"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for name, logw := range map[string][]float64{
		"the same": {3, 3, 3}, "not a number": {math.NaN(), math.NaN(), math.NaN()}} {
		if r := of(logw); r.last.hits != 2 || r.describeRepeats() != "2 of 3 chains equal the previous one" {
			t.Errorf("%s: %s", name, r.describeRepeats())
		}
	}
	// Beyond what is kept.
	long := make([]float64, keptChains+100)
	for i := range long {
		long[i] = float64(i)
	}
	copy(long[keptChains+20:], long[keptChains-40:keptChains])
	if r := of(long); r.run.length < 60-20-2*repeatedBlock || len(r.chain) != keptChains {
		t.Errorf("%d of %d chains kept: %s", len(r.chain), len(long), r.describeRepeats())
	}
}
