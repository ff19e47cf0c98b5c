package kerneltest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"breadboard/chains"
	"breadboard/chains/simulate"
)

const (
	// drawn is the number of moves whose frequencies are compared with the rows, under each target.
	drawn = 1 << 12
	// repeated is the number of moves that are made again, once in another order and once from several goroutines.
	repeated = 1 << 9
	// together is the number of goroutines that move at once.
	together = 4
	// falseAlarm is the probability with which a right kernel fails under a target, in the choice of the seeds: under all
	// of the fewer than 16 targets that is 1e-9.
	falseAlarm = 1e-9 / 16
)

// counting is a Chooser that draws its choices, and ends a move that makes too many of them by a panic.
type counting struct {
	chains.Sampler
	left int
}

// endless is the value with which counting panics.
type endless struct{}

func (c *counting) count() {
	if c.left--; c.left < 0 {
		panic(endless{})
	}
}

// Flip draws.
func (c *counting) Flip(p float64) bool { c.count(); return c.Sampler.Flip(p) }

// Uniform draws.
func (c *counting) Uniform(n int) int { c.count(); return c.Sampler.Uniform(n) }

// Choose draws.
func (c *counting) Choose(p []float64) int { c.count(); return c.Sampler.Choose(p) }

// move makes the i-th move that is repeated. Its choices are a function of i alone.
func (e *examination) move(i int) (y int, err error) {
	return e.sampled(chains.NewSampler(rand.NewPCG(1, uint64(i))), e.start(i))
}

// sampled makes one move with choices that are drawn.
func (e *examination) sampled(s chains.Sampler, x int) (y int, err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, loop := r.(endless); loop {
				err = fmt.Errorf("a sampled move from state %d makes more than %d choices", x, chains.MaxChoices)
				return
			}
			err = fmt.Errorf("a sampled move from state %d panics: %v", x, r)
		}
	}()
	y = e.kernel.Move(&counting{s, chains.MaxChoices}, e.logf, x)
	if y < 0 || y >= len(e.logf) {
		err = fmt.Errorf("a sampled move from state %d goes to %d, outside 0..%d", x, y, len(e.logf)-1)
	}
	return y, err
}

// start returns the state at which the i-th move begins.
func (e *examination) start(i int) int { return i % len(e.logf) }

// errOther says what is wrong with a kernel whose moves depend on more than their choices.
var errOther = errors.New("it must depend on log f, the state and its choices alone")

// repeat makes the same moves twice, the second time in reverse order, and checks that each goes to the same state.
func (e *examination) repeat() {
	first := make([]int, repeated)
	for i := range first {
		var err error
		if first[i], err = e.move(i); err != nil {
			e.fail("%w", err)
			return
		}
	}
	e.unchanged("a sampled move")
	for i := repeated - 1; i >= 0; i-- {
		again, err := e.move(i)
		if err != nil {
			e.fail("%w", err)
			return
		}
		if again != first[i] {
			e.fail("with the same choices Move goes from state %d to %d, and later to %d; %w", e.start(i), first[i], again, errOther)
			return
		}
	}
}

// concurrent makes the same moves from several goroutines at once, on one log f, as simulations do.
func (e *examination) concurrent() {
	want := make([]int, repeated)
	for i := range want {
		y, err := e.move(i)
		if err != nil {
			return // repeat has recorded this error already
		}
		want[i] = y
	}
	other := make([]int, together) // by goroutine, a move that went elsewhere; -1 for none
	var running sync.WaitGroup
	for g := range together {
		other[g] = -1
		running.Go(func() {
			for i := range want {
				at := (i + g*repeated/together) % repeated
				if y, err := e.move(at); err != nil || y != want[at] {
					other[g] = at
					return
				}
			}
		})
	}
	running.Wait()
	if at := slices.Max(other); at >= 0 {
		e.fail("with the same choices Move goes elsewhere from state %d while other goroutines move; %w", e.start(at), errOther)
	}
}

// frequencies compares how often sampled moves go where with the rows. For each entry of a row with probability p,
// the probability that k of m moves take it, or more where that is more than expected, or fewer, is at most
// exp(-m KL(k/m || p)), with the divergence KL of two laws of one flip (Chernoff 1952). Each entry is tested on both sides,
// so the bounds of all tests together sum to the false alarm.
func (e *examination) frequencies() {
	n := len(e.logf)
	counts := make([][]int, n)
	for x := range counts {
		counts[x] = make([]int, n)
	}
	made := make([]int, n)
	c := chains.NewSampler(simulate.NewStream(1, "kerneltest frequencies", 0))
	for i := range drawn {
		x := e.start(i)
		y, err := e.sampled(c, x)
		if err != nil {
			e.fail("%w", err)
			return
		}
		counts[x][y]++
		made[x]++
	}
	limit := math.Log(2 * float64(n*n) / falseAlarm)
	for x, row := range e.walked {
		for y, p := range row {
			if made[x] == 0 {
				continue
			}
			if counts[x][y] > 0 && p == 0 && e.lacks[x] == 0 {
				e.fail("a sampled move goes from state %d to %d, where its rows never go", x, y)
				return
			}
			m := float64(made[x])
			// The probability that enumeration left out, and its rounding, may belong to any entry of the row.
			share := float64(counts[x][y]) / m
			p = max(p-rounding, min(p+rounding+e.lacks[x], share))
			if surprise := m * flipKL(share, p); !(surprise <= limit) {
				e.fail("of %d moves from state %d %d go to %d, and its rows expect %.6g", made[x], x, counts[x][y], y, m*e.walked[x][y])
				return
			}
		}
	}
}

// flipKL returns the divergence, in nats, of a flip with probability q from one with probability p.
func flipKL(q, p float64) float64 {
	term := func(q, p float64) float64 {
		if q == 0 {
			return 0
		}
		return q * math.Log(q/p)
	}
	return term(q, p) + term(1-q, 1-p)
}
