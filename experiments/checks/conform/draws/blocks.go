package draws

import (
	"fmt"
	"math"

	"breadboard/chains/number"
)

// Blocks bets that draws which repeat an earlier block of draws go on to repeat what came behind it. Its e-value is the product of what each bet
// has won: the predicted state has half of the probability, and the law the other half.
type Blocks struct {
	length      int // of a block that hardly comes again by chance; 0 where there is none
	hash, power uint64
	places      map[uint64]int32 // where the draw behind each block stands
	next        int              // the place of the draw that is predicted; 0 where nothing is
	logE        float64
	run, most   int // how many predictions in a row came true, and the most
	from, to    int // the rows of that run, and those it repeats begin there, counted from 1
}

// odd is the multiplier of the hash.
const odd = 0x9E3779B97F4A7C15

// NewBlocks returns the bets on draws of which two are the same with a probability, that of a collision.
func NewBlocks(collision float64) Blocks {
	b := Blocks{places: map[uint64]int32{}, power: 1}
	each := -number.Log(collision)
	if length := math.Ceil(nats / each); collision < 1 && length <= longestBlock {
		b.length = int(max(1, length))
		for range b.length {
			b.power *= odd
		}
	}
	return b
}

// Add takes a draw behind those of the history, which had the probability p.
func (b *Blocks) Add(history []int32, p float64, x int) {
	at := len(history)
	if b.length == 0 || at >= remembered {
		return
	}
	if b.next > 0 {
		if int(history[b.next]) == x {
			b.logE += number.Log(0.5+0.5*p) - number.Log(p)
			if b.run++; b.run > b.most {
				b.most, b.from, b.to = b.run, at+2-b.run, b.next+2-b.run
			}
			b.next++
		} else {
			b.logE -= math.Ln2
			b.next, b.run = 0, 0
		}
	}
	b.hash = b.hash*odd + uint64(x) + 1
	if at >= b.length {
		b.hash -= (uint64(history[at-b.length]) + 1) * b.power
	}
	if at+1 < b.length {
		return
	}
	place, known := b.places[b.hash]
	if !known {
		b.places[b.hash] = int32(at + 1)
	}
	if b.next == 0 && known {
		b.next, b.run = int(place), 0
	}
}

func (b *Blocks) Value() Value {
	v := Value{Name: "blocks that come again", LogE: b.logE}
	if b.most > 0 {
		v.Says = fmt.Sprintf("rows come again: rows %d to %d repeat rows %d to %d, with a period of %d", b.from, b.from+b.most-1, b.to, b.to+b.most-1, b.from-b.to)
	}
	return v
}

// urn bets that draws are without replacement, from an urn in which states are as often as the law says, and which is filled again when it is
// empty. Counts then come out more even than those of independent draws.
type urn struct {
	size   int
	counts []int
	n      int
	left   float64 // in the urn
	logE   float64
}

// trust is the part of each bet that is on the urn.
const trust = 0.9

// largestUrn bounds the sizes of urns that are tried.
const largestUrn = 1 << 20

func newUrns(p []float64) (list []urn) {
	sizes := map[int]bool{1: true}
	add := func(size int) {
		if !sizes[size] && size <= largestUrn {
			sizes[size] = true
			list = append(list, urn{size: size, counts: make([]int, len(p)), left: float64(size)})
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

func (u *urn) add(p []float64, x int) {
	in := max(0, float64(u.size)*p[x]-float64(u.counts[x]))
	if u.left > 0.5 && p[x] > 0 { // below that the rounding of what is left would count
		u.logE += number.Log(1 - trust + trust*in/(u.left*p[x]))
	}
	u.left -= min(1, in)
	u.counts[x]++
	if u.n++; u.n == u.size {
		clear(u.counts)
		u.n, u.left = 0, float64(u.size)
	}
}

func evenness(urns []urn) Value {
	v := Value{Name: "counts that are too even"}
	if len(urns) == 0 {
		return v
	}
	logs, best := make([]float64, len(urns)), 0
	for i := range urns {
		if logs[i] = urns[i].logE; logs[i] > logs[best] {
			best = i
		}
	}
	v.LogE = number.LogMean(logs)
	v.Says = fmt.Sprintf("the counts are more even than those of independent draws, as where draws are without replacement or stratified, in blocks of %d rows", urns[best].size)
	return v
}
