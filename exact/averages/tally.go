package averages

import (
	"context"
	"fmt"
)

// counter says how a number, which stands for all that has been counted along a chain, changes with each sample. Different numbers
// never lead to the same one by samples of the same class.
type counter interface {
	size(samples int) int // after so many samples the numbers are below this
	next(to []int, i int) // sets to[class] to the number that follows i where a sample is of that class
}

// maxSizes is the largest number of sizes that are added up to find how many products a tally takes.
const maxSizes = 1 << 24

// maxTally is the largest number of probabilities of a state and a number, of which two copies are kept.
const maxTally = 1 << 26

// reach is the part of a chain that a law of the first sample can reach, with its moves listed by where they lead.
type reach struct {
	states []int // the states that are reached, ascending; the other fields number them by their places here
	start  []float64
	first  []int // the moves to state y are those from first[y] to first[y+1]
	from   []int32
	p      []float64
}

// reached returns the part of the chain that a start can reach. Time is O(entries).
func (c *Chain) reached(start []float64) *reach {
	place := make([]int, c.States())
	var queue []int
	visit := func(x int) {
		if place[x] == 0 {
			place[x] = 1
			queue = append(queue, x)
		}
	}
	for x, q := range start {
		if q > 0 {
			visit(x)
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, e := range c.Rows.Row(queue[i]) {
			if e.P > 0 {
				visit(e.To)
			}
		}
	}
	r := &reach{}
	for x := range place {
		if place[x] == 1 {
			place[x] = len(r.states)
			r.states, r.start = append(r.states, x), append(r.start, start[x])
		}
	}
	r.fill(c, place)
	return r
}

// fill lists the moves between the states that are reached by where they lead.
func (r *reach) fill(c *Chain, place []int) {
	r.first = make([]int, len(r.states)+1)
	for _, x := range r.states {
		for _, e := range c.Rows.Row(x) {
			if e.P > 0 {
				r.first[place[e.To]+1]++
			}
		}
	}
	for y := range r.states {
		r.first[y+1] += r.first[y]
	}
	r.from, r.p = make([]int32, r.first[len(r.states)]), make([]float64, r.first[len(r.states)])
	at := append([]int(nil), r.first...)
	for i, x := range r.states {
		for _, e := range c.Rows.Row(x) {
			if e.P > 0 {
				y := place[e.To]
				r.from[at[y]], r.p[at[y]] = int32(i), e.P
				at[y]++
			}
		}
	}
}

// roundings returns how many roundings a probability of a tally of n samples has gone through at most.
func (r *reach) roundings(n int) float64 {
	most := 0
	for y := range r.states {
		most = max(most, r.first[y+1]-r.first[y])
	}
	return float64(n)*float64(most+1) + float64(len(r.states))
}

// check returns how many products a tally of n samples takes. It fails where that is above a limit, and where the tally would take too much
// memory, before it takes any.
func (r *reach) check(n int, c counter, limit float64, what, cure string) (work float64, err error) {
	cells := float64(len(r.states)) * float64(c.size(n))
	if cells > maxTally {
		return 0, fmt.Errorf("%s over %d samples takes %.3g probabilities for %d states, and at most %.3g are kept; %s", what, n, cells, len(r.states), float64(maxTally), cure)
	}
	each := n/maxSizes + 1 // beyond maxSizes samples one size stands for several
	for left := n - 1; left > 0; left -= each {
		work += float64(c.size(n-left)) * float64(len(r.p)) * float64(min(each, left))
	}
	if work > limit {
		return 0, fmt.Errorf("%s over %d samples takes %.3g products, and at most %.3g are made; %s", what, n, work, limit, cure)
	}
	return work, nil
}

// tally returns the probability of each number after n samples, by a recursion over the law of the last state and the number. All its
// terms are positive, so that each probability is accurate to about n roundings. Memory is two numbers for each state and each number, time
// O(sizes entries), summed over the samples. It fails where the context ends.
func (r *reach) tally(ctx context.Context, n int, class []int32, classes int, c counter) ([]float64, error) {
	states, to := len(r.states), make([]int, classes)
	at, next := make([]float64, states*c.size(n)), make([]float64, states*c.size(n))
	c.next(to, 0)
	for y, q := range r.start {
		at[to[class[y]]*states+y] = q
	}
	look := 0 // how many products until the context is looked at
	for t := 1; t < n; t++ {
		clear(next[:states*c.size(t+1)])
		for i := range c.size(t) {
			if look -= len(r.p); look < 0 {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				look = 1 << 20
			}
			c.next(to, i)
			r.move(next, at[i*states:(i+1)*states], class, to)
		}
		at, next = next, at
	}
	out := make([]float64, c.size(n))
	for i := range out {
		for _, q := range at[i*states : (i+1)*states] {
			out[i] += q
		}
	}
	return out, ctx.Err()
}

// move takes the states of one number through one move and puts them where their classes lead.
func (r *reach) move(next, at []float64, class []int32, to []int) {
	states := len(at)
	for y := range states {
		first, last := r.first[y], r.first[y+1]
		p := r.p[first:last]
		total := 0.0
		for e, x := range r.from[first:last] {
			total += p[e] * at[x]
		}
		next[to[class[y]]*states+y] = total
	}
}
