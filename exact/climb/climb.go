// Package climb answers: how high does annealing come on its way? Given a rank of each state, as by log f, it has the probability that a chain has been
// at a rank or above at any of its T states, and the law of the last one. So it says with what probability annealing finds the best state of an
// optimisation. Every number is exact. It never draws a state, and it never says which states are good: the caller ranks them.
package climb

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/stage"
)

// Law says how high forward chains come.
type Law struct {
	// Seen is the probability that one of x_1, ..., x_T has this rank or a higher one, by rank from 1 on, at index rank - 1. Unseen is one minus that. Both have
	// all their digits, however small they are, down to what float64 holds. LogUnseen is the logarithm of Unseen (nats), also of what is smaller than that, and
	// -Inf where every chain has been there.
	Seen, Unseen, LogUnseen []float64
	Last                    []float64 // the law of x_T, by state
}

func newLaw(ranks, states int) *Law {
	return &Law{Seen: make([]float64, ranks), Unseen: make([]float64, ranks), LogUnseen: make([]float64, ranks), Last: make([]float64, states)}
}

// set sets what has been found of a rank, given the mass that is left as it was raised.
func (l *Law) set(j int, seen, left number.BlockSum, raised raised) {
	l.Seen[j], l.Unseen[j] = seen.Value(), raised.lower(left.Value())
	l.LogUnseen[j] = number.Log(left.Value()) - float64(raised)*raiseBits*math.Ln2
}

// raised is how often the masses of a rank have been multiplied by raise, so that they do not become so small that they lose digits.
type raised int

const (
	raiseBits = 400
	raise     = 1 << raiseBits
)

// due reports whether the masses of a rank are to be raised, of which so much is left in all, and counts that.
func (r *raised) due(left float64) bool {
	is := left > 0 && left < 1.0/raise
	if is {
		*r++
	}
	return is
}

// lower returns what a mass is.
func (r raised) lower(mass float64) float64 { return math.Ldexp(mass, -raiseBits*int(r)) }

// Options says how a law is computed.
type Options struct {
	Start    []float64       // the law of x_1; nil is p_1
	Workers  int             // how many goroutines share the ranks; 0 is one for each processor
	Progress func(steps int) // is called now and then with the number of stages taken since its last call; may be nil
}

// mostNumbers is the largest number of masses that are kept: twice as many stand in memory, 8 bytes each.
const mostNumbers = 1 << 26

// Check fails where Of would for the size of the space, before any memory is taken for it.
func Check(states, ranks int) error {
	if n := states * (ranks + 1); n > mostNumbers {
		return fmt.Errorf("%d states and %d levels take %d masses, and at most %d are kept; ask for fewer levels", states, ranks, n, mostNumbers)
	}
	return nil
}

// Of returns how high the chains of an annealing come, where each state has a rank from 0 to so many. For each rank it moves the mass that has never
// been there or above through the stages: what arrives is taken off and added up, so that no probability is a difference. A state of a high rank
// has mass for the ranks above it alone. The states between the moves of one stage are not looked at, since they are none of x_1, ..., x_T. Time is
// O(T ranks entries); memory is 16 bytes for each state and rank. Kernels of the library on targets of moderate range are applied without rows; local ones
// that accept as Metropolis does move eight ranks at once.
func Of(ctx context.Context, a *chains.Annealing, rank []int32, ranks int, o Options) (*Law, error) {
	if err := exact.Validate(a); err != nil {
		return nil, err
	}
	if len(rank) != a.States() {
		return nil, fmt.Errorf("%d ranks for %d states; give one for each", len(rank), a.States())
	}
	if err := Check(a.States(), ranks); err != nil {
		return nil, err
	}
	if o.Start != nil && len(o.Start) != a.States() {
		return nil, fmt.Errorf("the law of x_1 is of %d states, and chains are on %d; give one probability for each", len(o.Start), a.States())
	}
	p := stage.NewProblem(a, o.Progress)
	if law, err := applied(ctx, p, rank, ranks, o); law != nil || err != nil {
		return law, err
	}
	p.Restart()
	return plainly(ctx, p, rank, ranks, o)
}

// plainly moves masses by the rows of the kernel, for any kernel and any target.
func plainly(ctx context.Context, p *stage.Problem, rank []int32, ranks int, o Options) (*Law, error) {
	c := newClimber(rank, ranks, o.Workers)
	defer c.crew.Dismiss()
	s := stage.NewStage(p.Annealing)
	start := o.Start
	if start == nil {
		start = s.Here.P
	}
	c.begin(start)
	for t := 2; t <= p.Annealing.Distributions(); t++ {
		if err := p.Load(ctx, s, t); err != nil {
			return nil, err
		}
		for m := range s.Along(chains.Forward) {
			c.move(m.Along(chains.Forward))
		}
		c.arrive()
	}
	p.Flush()
	return c.law(), nil
}

// climber moves masses. Of a state x it has, one after another, those of chains that have never been at rank 1, 2, ... or above, and that of all chains.
type climber struct {
	rank       []int32
	width      int // ranks and one
	mass, next []float64
	seen       []number.BlockSum
	left       []float64 // about the mass of each column
	raised     []raised
	bounds     []int // of the columns that a worker has
	crew       *crew.Crew
}

func newClimber(rank []int32, ranks, workers int) *climber {
	c := &climber{rank: rank, width: ranks + 1, seen: make([]number.BlockSum, ranks), left: make([]float64, ranks+1), raised: make([]raised, ranks+1)}
	c.mass, c.next = make([]float64, len(rank)*c.width), make([]float64, len(rank)*c.width)
	workers = crew.Share(len(rank)*c.width, workers)
	workers = max(1, min(workers, c.width))
	for i := range workers + 1 {
		c.bounds = append(c.bounds, i*c.width/workers)
	}
	c.crew = crew.New(workers)
	return c
}

// begin puts the law of x_1 in place.
func (c *climber) begin(law []float64) {
	for x, p := range law {
		for j := range c.width {
			c.mass[x*c.width+j] = p
		}
	}
	c.arrive()
}

// share has each worker do its columns.
func (c *climber) share(do func(from, to int)) {
	c.crew.Run(len(c.bounds)-1, func(i int) { do(c.bounds[i], c.bounds[i+1]) })
}

// arrive takes off the mass that is at each rank or above, and raises what is left where it has become small.
func (c *climber) arrive() {
	c.share(func(from, to int) {
		clear(c.left[from:to])
		for x, r := range c.rank {
			m := c.mass[x*c.width : (x+1)*c.width]
			for j := from; j < min(to, int(r)); j++ {
				if m[j] != 0 {
					c.seen[j].Add(c.raised[j].lower(m[j]))
					m[j] = 0
				}
			}
			for j := max(from, int(r)); j < to; j++ {
				c.left[j] += m[j]
			}
		}
		for j := from; j < to; j++ {
			if !c.raised[j].due(c.left[j]) {
				continue
			}
			for x := range c.rank {
				c.mass[x*c.width+j] *= raise
			}
		}
	})
}

// move makes a move of all masses. A state has none below its rank, but between the moves of a stage.
func (c *climber) move(o stage.Operator) {
	c.share(func(from, to int) {
		for x := range c.rank {
			clear(c.next[x*c.width+from : x*c.width+to])
		}
		for x := range c.rank {
			source := c.mass[x*c.width+from : x*c.width+to]
			begin := 0
			for begin < len(source) && source[begin] == 0 {
				begin++
			}
			if begin == len(source) {
				continue
			}
			c.scatter(source[begin:], from+begin, o.Row(x))
		}
		for _, e := range o.Tiny {
			p := math.Exp(e.LogP)
			for j := from; j < to; j++ {
				c.next[e.To*c.width+j] += float64(p * c.mass[e.From*c.width+j])
			}
		}
	})
	c.mass, c.next = c.next, c.mass
}

// scatter adds what a row makes of masses, the first of which is in the given column.
func (c *climber) scatter(source []float64, column int, row []chains.Entry) {
	for _, e := range row {
		if e.P == 0 {
			continue
		}
		target := c.next[e.To*c.width+column:][:len(source)]
		for j, m := range source {
			target[j] += float64(e.P * m)
		}
	}
}

// law returns what has been found at the end.
func (c *climber) law() *Law {
	l := newLaw(c.width-1, len(c.rank))
	for j := range l.Seen {
		var left number.BlockSum
		for x := range c.rank {
			left.Add(c.mass[x*c.width+j])
		}
		l.set(j, c.seen[j], left, c.raised[j])
	}
	for x := range c.rank {
		l.Last[x] = c.mass[(x+1)*c.width-1]
	}
	return l
}
