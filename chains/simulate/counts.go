package simulate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Split distributes k chains over the entries of a row, by a multinomial draw, and adds their
// numbers to counts. It makes one binomial draw an entry; the last entry of positive probability
// takes all remaining chains.
//
//	n_1 ~ Bin(k, p_1), n_i ~ Bin(k - n_1 - ... - n_(i-1), p_i/(p_i + p_(i+1) + ...))
func Split(rng *rand.Rand, counts []int, row []chains.Entry, k int) {
	last := 0
	left := 0.0
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
//
// The wait for the next success is 1 + floor(log U/log(1 - p)), with U uniform, so that the time is
// O(n p).
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
