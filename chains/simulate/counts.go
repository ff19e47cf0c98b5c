package simulate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Occupation is the result of a number of chains as a whole: how many were at each state at the
// first and the last stage, and the sum of their log weights. It has the same distribution as those
// sums over a Batch, but does not hold the log weight of any one chain.
type Occupation struct {
	First, Last []int
	SumLogW     float64
}

// Counts runs k independent chains by moving whole occupation counts: the chains at a state are
// split over its row by binomial draws. The time, O(T entries) draws, hardly depends on k. Memory
// is O(states), and for a kernel of parts also that of the rows of its parts (see PreparedRows).
// Watch counts the stages and can stop the run between rows; it may be nil.
func Counts(a *chains.Annealing, d chains.Direction, src rand.Source, k int, watch *Watch) (*Occupation, error) {
	s, err := newSweep(a, d, watch)
	if err != nil {
		return nil, err
	}
	rng := rand.New(src)
	counts := make([]int, a.States())
	next := make([]int, a.States())
	Split(rng, next, distributionRow(s.start), k)
	o := &Occupation{First: append([]int(nil), next...)}
	var row []chains.Entry
	for s.next() {
		counts, next = next, counts
		clear(next)
		s.prepareRows()
		for x, c := range counts {
			if c == 0 {
				continue
			}
			o.SumLogW += float64(c) * s.increment[x]
			var err error
			if row, err = s.appendRow(row[:0], x); err != nil {
				return nil, err
			}
			Split(rng, next, row, c)
		}
		watch.stage()
	}
	if s.err != nil {
		return nil, s.err
	}
	o.Last = append([]int(nil), next...)
	o.SumLogW += float64(k) * s.offset
	if d == chains.Reverse {
		for x, c := range next {
			if c > 0 {
				o.SumLogW += float64(c) * s.increment[x]
			}
		}
		o.First, o.Last = o.Last, o.First
	}
	return o, nil
}

// Split distributes k chains over the entries of a row, by a multinomial draw, and adds their
// numbers to counts. It makes one binomial draw an entry; the last entry of positive probability
// takes all remaining chains.
func Split(rng *rand.Rand, counts []int, row []chains.Entry, k int) {
	last, left := 0, 0.0
	for i, e := range row {
		if e.P > 0 {
			last = i
		}
		left += e.P
	}
	for i, e := range row {
		if k == 0 {
			return
		}
		take := k
		if i != last {
			take = binomial(rng, k, min(1, e.P/left))
		}
		counts[e.To] += take
		k -= take
		left -= e.P
	}
}

// smallMean is the mean below which binomial uses waiting times.
const smallMean = 10

// binomial returns the number of successes in n trials of probability p. For small means it adds up
// the waiting times between successes, because there gonum's method is an approximation.
func binomial(rng *rand.Rand, n int, p float64) int {
	switch {
	case p <= 0:
		return 0
	case p >= 1:
		return n
	case p > 0.5:
		return n - binomial(rng, n, 1-p)
	case float64(n)*p >= smallMean:
		return int(distuv.Binomial{N: float64(n), P: p, Src: rng}.Rand())
	}
	log1p := math.Log1p(-p)
	successes := 0
	for trial := 0.0; ; successes++ {
		trial += 1 + math.Floor(number.Log(1-rng.Float64())/log1p)
		if trial > float64(n) {
			return successes
		}
	}
}
