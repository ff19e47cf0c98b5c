package conform

import (
	"fmt"
	"math"

	"breadboard/chains/number"
	"breadboard/experiments/checks/annealed"
	"breadboard/experiments/checks/conform/hypotheses"
)

// repeats looks for identical chains, to the last bit of what was sent, as earlier ones: as the one
// before, or as those of a block that comes again. Chains of any distribution that are independent
// of each other do so by chance only.
//
// Each of the two has an e-process. Before a chain is seen, one chain before it is chosen that it
// may repeat; the bet is that it does so with the probability rate. If a right chain has the
// columns of that chain with a probability of at most p, the factor (1 - rate) + rate/p if it does
// and 1 - rate if it does not has a mean of at most one. The e-value is the average over both ways
// to choose and over the rates. A second one takes for p the larger of that and of the share of
// chains so far with the same ends: it says how much likelier repeated chains are than independent
// ones of whatever distribution.
//
// A block is found by a sum over repeatedBlock chains: that of the last ones is looked up among
// those of chains before, as in the method of Karp and Rabin 1987.
type repeats struct {
	n       int // the number of states
	chance  func(first, last int32, logw float64) float64
	columns annealed.Columns

	rows   int
	chain  []uint64 // a number for what was sent of each chain, as far as it is kept
	recent [repeatedBlock]uint64
	// the power of repeatFactor with which the oldest of the recent ones stands in the sum
	far    uint64
	sum    uint64         // of the recent ones, each times a power of repeatFactor
	blocks map[uint64]int // the row after each block that is kept, by its sum
	at     int            // the row that the next chain may repeat; none if no block does
	before uint64         // the chain before
	// the number of chains with each pair of ends, or with each first end if there are too many
	ends []int

	last, block copies // of the chain before, and of blocks
	run         run    // the blocks that have come again
}

const (
	repeatedBlock = 8                  // the length of a block that is looked up
	keptChains    = 1 << 20            // the number of chains of which repetitions are found
	repeatFactor  = 0x9e3779b97f4a7c15 // an odd number with bits that look random
	mostEnds      = 1 << 16            // the largest number of pairs of ends that are counted
	none          = -1
)

// repeatRates returns the probabilities with which chains may repeat others.
func repeatRates() []float64 { return []float64{0.003, 0.03, 0.3, 0.9, 0.999} }

// run is the longest block of chains that has come again, and how many chains have come again in
// blocks in all.
type run struct {
	from, of, length int // the longest, the first row of what it repeats, and its length
	now              int // the length of the one at hand
	all              int
	counted          int // the number of rows of which it is known whether they are among all
}

// copies counts the chains that repeat another one, among those that might.
type copies struct {
	bets, hits int
	// the log e-values of the hits by rate: for the distribution that is right, and for any
	right, whatever []float64
}

func newCopies() copies {
	return copies{right: make([]float64, len(repeatRates())), whatever: make([]float64, len(repeatRates()))}
}

// newRepeats returns a search for repeated chains, where chance bounds the probability of what was
// sent of a right chain.
func newRepeats(n int, columns annealed.Columns,
	chance func(first, last int32, logw float64) float64) *repeats {
	r := &repeats{
		n:       n,
		chance:  chance,
		columns: columns,
		blocks:  map[uint64]int{},
		at:      none,
		last:    newCopies(),
		block:   newCopies(),
		far:     1,
	}
	for range repeatedBlock - 1 {
		r.far *= repeatFactor
	}
	r.ends = make([]int, n)
	if n*n <= mostEnds {
		r.ends = make([]int, n*n)
	}
	return r
}

// addEnds takes the next chains. Columns that are missing are nil.
func (r *repeats) addEnds(first, last []int32, logw []float64) {
	for i := range max(len(first), len(last), len(logw)) {
		r.addChain(hypotheses.EntryAt(first, i), hypotheses.EntryAt(last, i), hypotheses.EntryAt(logw, i))
	}
}

func (r *repeats) addChain(x, y int32, logw float64) {
	chain := mixed(mixed(uint64(uint32(x))<<32|uint64(uint32(y))) ^ math.Float64bits(logw))
	again := r.rows > 0 && chain == r.before
	repeated := r.at != none && r.chain[r.at] == chain
	var p chances
	if again || repeated {
		p = r.chances(x, y, logw)
	}
	if r.rows > 0 {
		r.last.bet(again, p)
	}
	if r.at != none {
		r.block.bet(repeated, p)
	}
	r.followBlock(repeated)
	r.ends[r.end(x, y)]++
	r.before = chain
	r.keepChain(chain)
	r.rows++
	if r.at == none && r.rows >= repeatedBlock {
		if at, is := r.blocks[r.sum]; is && at < len(r.chain) {
			r.at = at
		}
	}
	if r.rows%repeatedBlock == 0 && r.rows <= keptChains {
		if _, is := r.blocks[r.sum]; !is {
			r.blocks[r.sum] = r.rows
		}
	}
}

// followBlock goes on in the block that may come again, or ends it.
func (r *repeats) followBlock(repeated bool) {
	if !repeated {
		r.at = none
		r.run.now = 0
		return
	}
	if r.run.now == 0 {
		r.run.now = repeatedBlock
	}
	r.run.now++
	r.run.all += min(r.run.now, r.rows+1-r.run.counted)
	r.run.counted = r.rows + 1
	if r.run.now > r.run.length {
		r.run.length = r.run.now
		r.run.from = r.rows - r.run.now + 1
		r.run.of = r.at - r.run.now + 1
	}
	r.at++
	if r.at == len(r.chain) && r.rows >= keptChains {
		r.at = none
	}
}

// keepChain adds a chain to the sum of the recent ones, and to those that are kept.
func (r *repeats) keepChain(chain uint64) {
	out := r.recent[r.rows%repeatedBlock]
	r.recent[r.rows%repeatedBlock] = chain
	r.sum = (r.sum-out*r.far)*repeatFactor + chain
	if r.rows < keptChains {
		r.chain = append(r.chain, chain)
	}
}

// mixed returns a number that depends on all bits of another one (the last steps of MurmurHash3).
func mixed(v uint64) uint64 {
	v ^= v >> 33
	v *= 0xff51afd7ed558ccd
	v ^= v >> 33
	v *= 0xc4ceb9fe1a85ec53
	return v ^ v>>33
}

// end returns the number of the ends of a chain.
func (r *repeats) end(x, y int32) int {
	switch {
	case len(r.ends) == r.n*r.n:
		return int(x)*r.n + int(y)
	case !r.columns.First:
		return int(y)
	}
	return int(x)
}

// chances are bounds on the probability of a chain: of a right one, and one of whatever
// distribution.
type chances struct{ right, whatever float64 }

// chances returns the bounds for what was sent of a chain. An impossible one has none, because
// other tests find it.
func (r *repeats) chances(x, y int32, logw float64) chances {
	right := r.chance(x, y, logw)
	if right == 0 {
		return chances{1, 1}
	}
	return chances{right, max(right, float64(r.ends[r.end(x, y)]+1)/float64(r.rows+1))}
}

// bet takes a chain that might repeat another one, with its chances if it does.
func (c *copies) bet(hit bool, p chances) {
	c.bets++
	if !hit {
		return
	}
	c.hits++
	for i, rate := range repeatRates() {
		c.right[i] += number.Log(1 - rate + rate/p.right)
		c.whatever[i] += number.Log(1 - rate + rate/p.whatever)
	}
}

// logE returns the log e-value of hits of one kind: the average over the rates.
func (c *copies) logE(hits []float64) float64 {
	terms := make([]float64, len(hits))
	for i, rate := range repeatRates() {
		terms[i] = hits[i] + float64(c.bets-c.hits)*math.Log1p(-rate)
	}
	return number.LogMean(terms)
}

// logEValue returns the log e-value, and what was found.
func (r *repeats) logEValue() (float64, func() string) {
	return number.LogMean([]float64{r.last.logE(r.last.right), r.block.logE(r.block.right)}), r.describeRepeats
}

// logOdds returns the log of how much likelier the chains are if some repeat others than if they
// are independent, whatever their distribution is.
func (r *repeats) logOdds() float64 {
	return number.LogMean([]float64{r.last.logE(r.last.whatever), r.block.logE(r.block.whatever)})
}

// describeRepeats says how many chains are the same as others.
func (r *repeats) describeRepeats() string {
	if r.block.logE(r.block.right) > r.last.logE(r.last.right) && r.run.length > 0 {
		return fmt.Sprintf("%d of %d chains repeat in blocks: rows %d to %d equal rows %d to %d", r.run.all, r.rows,
			r.run.from, r.run.from+r.run.length-1, r.run.of, r.run.of+r.run.length-1)
	}
	return fmt.Sprintf("%d of %d chains equal the previous one", r.last.hits, r.rows)
}
