package draws

import (
	"fmt"
	"math"

	"breadboard/chains/number"
	"breadboard/chains/work"
)

// Blocks bets that draws which repeat an earlier block of draws go on to repeat it. The predicted
// state has half of the probability, and the distribution the other half. The e-value is the
// product of the gains.
type Blocks struct {
	length      int // of a block that hardly comes again by chance; 0 if there is none
	hash, power uint64
	places      places // where the draw behind each block stands
	next        int    // the place of the draw that is predicted; 0 if nothing is
	logE        float64
	run, most   int // how many predictions in a row came true, and the most
	from, to    int // the rows of that run, and those it repeats begin there, counted from 1
}

// odd is the multiplier of the hash.
const odd = 0x9E3779B97F4A7C15

// everyPlace is the number of draws behind which only those blocks are looked for whose hash is one
// in eight: what comes again is then found some draws later.
const everyPlace = 1 << 16

// NewBlocks returns the bets on draws, given the probability that two of them are equal.
func NewBlocks(collision float64) Blocks {
	b := Blocks{places: places{entries: make([]uint64, 1<<10)}, power: 1}
	each := -number.Log(collision)
	if length := math.Ceil(natsOfBlock / each); collision < 1 && length <= longestBlock {
		b.length = int(max(1, length))
		for range b.length {
			b.power *= odd
		}
	}
	return b
}

// Add takes the draw x after the history; x had the probability p.
func (b *Blocks) Add(history []int32, p float64, x int) {
	at := len(history)
	if b.length == 0 || at >= Remembered {
		return
	}
	if b.next > 0 {
		if int(history[b.next]) == x {
			b.logE += number.Log(0.5+0.5*p) - number.Log(p)
			b.run++
			if b.run > b.most {
				b.most = b.run
				b.from = at + 2 - b.run
				b.to = b.next + 2 - b.run
			}
			b.next++
		} else {
			b.logE -= math.Ln2
			b.next = 0
			b.run = 0
		}
	}
	b.hash = b.hash*odd + uint64(x) + 1
	if at >= b.length {
		b.hash -= (uint64(history[at-b.length]) + 1) * b.power
	}
	if at+1 < b.length || at >= everyPlace && b.hash*odd>>61 != 0 {
		return
	}
	if place := b.places.firstPlace(b.hash, int32(at+1)); b.next == 0 && int(place) <= at {
		b.next = int(place)
		b.run = 0
	}
}

// Again is the name of the test of repeated blocks.
const Again = "blocks that come again"

// Value returns the e-value of the bets.
func (b *Blocks) Value() Value {
	v := Value{Name: Again, LogE: b.logE}
	if b.most > 0 {
		v.Says = fmt.Sprintf("rows repeat: rows %d to %d equal rows %d to %d, with a period of %d", b.from,
			b.from+b.most-1, b.to, b.to+b.most-1, b.from-b.to)
	}
	return v
}

// places is a map from hashes to places from 1 to Remembered, at a fifth of the time of Go's. An
// entry has 41 bits of a hash before its place, so that two hashes of a million are taken for one
// with a probability of a fifth.
type places struct {
	entries []uint64 // 0 if there is none
	count   int
}

// placeBits is how many bits of an entry are its place.
const placeBits = 23

// firstPlace returns the place of a hash, which is the given one if it has none yet.
func (p *places) firstPlace(hash uint64, at int32) int32 {
	if 2*p.count >= len(p.entries) {
		larger := places{entries: work.Slice[uint64](2 * len(p.entries))}
		for _, old := range p.entries {
			if old > 0 {
				larger.placeOf(old)
			}
		}
		*p = larger
	}
	return p.placeOf((hash^hash>>32)*odd>>placeBits<<placeBits | uint64(at))
}

// placeOf returns the place of the entry with the same hash, which is the given one if there was
// none.
func (p *places) placeOf(entry uint64) int32 {
	last := uint64(len(p.entries) - 1)
	i := entry >> placeBits & last
	for ; p.entries[i] > 0 && (p.entries[i]^entry)>>placeBits > 0; i = (i + 1) & last {
	}
	if p.entries[i] == 0 {
		p.entries[i] = entry
		p.count++
	}
	return int32(p.entries[i] & (1<<placeBits - 1))
}

// urn bets that draws are without replacement, from an urn in which states are as often as the
// distribution says, and which is filled again when it is empty. Counts then come out more even
// than those of independent draws.
type urn struct {
	size int
	in   []float64 // what is left of each state
	// what a bet on each state would win, by their probabilities, which all urns share; 0 if there
	// is none
	odds []float64
	n    int
	left float64 // in the urn
	logE float64
	// what bets have won since logE was brought up to date: a logarithm of each bet would take most
	// of the time
	won float64
}

// trust is the part of each bet that is on the urn.
const trust = 0.9

// largestUrn bounds the sizes of urns that are tried.
const largestUrn = 1 << 20

func newUrns(p []float64) (list []urn) {
	sizes := map[int]bool{1: true}
	odds := make([]float64, len(p))
	for x := range p {
		if p[x] > 0x1p-1000 {
			odds[x] = trust / p[x]
		}
	}
	add := func(size int) {
		if !sizes[size] && size <= largestUrn {
			sizes[size] = true
			u := urn{size: size, in: make([]float64, len(p)), odds: odds, won: 1}
			u.fill(p)
			list = append(list, u)
		}
	}
	add(len(p))
	for k := 2; k <= largestUrn; k *= 2 {
		add(k)
	}
	for k := 10; k <= largestUrn; k *= 10 {
		add(k)
		add(2 * k)
		add(5 * k)
	}
	return list
}

// fill fills the urn.
func (u *urn) fill(p []float64) {
	u.n = 0
	u.left = float64(u.size)
	for x := range p {
		u.in[x] = u.left * p[x]
	}
}

// addDraws takes further draws: those of the history from a place on. It goes by runs in which
// every draw is bet on, or none, and what bets win stays in range.
func (u *urn) addDraws(p []float64, history []int32, from int) {
	for from < len(history) {
		won := u.won
		end := from + min(len(history)-from, u.size-u.n, 16)
		bets := int(math.Ceil(u.left - 0.5)) // below that the rounding of what is left would count
		if bets > 0 {
			end = min(end, from+bets)
		}
		left, times := u.takeDraws(history[from:end])
		if bets > 0 {
			won *= times
		}
		if won < 0x1p-600 {
			u.logE -= 600 * math.Ln2
			won *= 0x1p600
		} else if won > 0x1p600 {
			u.logE += 600 * math.Ln2
			won = won * 0x1p-600
		}
		u.n = u.n + end - from
		u.left = left
		u.won = won
		from = end
		if u.n < u.size {
			continue
		}
		if u.size >= len(p) {
			u.fill(p)
			continue
		}
		u.n = 0
		u.left = float64(u.size)
		for _, x := range history[end-u.size : end] {
			u.in[x] = u.left * p[x]
		}
	}
}

// takeDraws takes draws out of the urn, and returns how much is left in it and by what bets on them
// multiply. It divides once for all of them.
func (u *urn) takeDraws(draws []int32) (left, times float64) {
	in, odds, above, below := u.in, u.odds[:len(u.in)], 1., 1.
	left = u.left
	for _, x := range draws {
		if odds[x] > 0 {
			above *= float64((1-trust)*left) + float64(in[x]*odds[x])
			below *= left
		}
		taken := min(1, in[x])
		in[x] -= taken
		left -= taken
	}
	return left, above / below
}

func (u *urn) value() float64 { return u.logE + number.Log(u.won) }

func evenness(urns []urn, rows int) Value {
	v := Value{Name: testEvenness}
	if len(urns) == 0 {
		return v
	}
	logs := make([]float64, len(urns))
	best := 0
	for i := range urns {
		logs[i] = urns[i].value()
		if logs[i] > logs[best] {
			best = i
		}
	}
	v.LogE = number.LogMean(logs)
	v.Says = fmt.Sprintf("the counts are too even for independent draws, in blocks of %d rows, as in draws without "+
		"replacement or stratified draws",
		min(rows, urns[best].size))
	return v
}
