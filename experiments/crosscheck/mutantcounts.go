package crosscheck

import (
	"context"
	"math"
	"math/rand/v2"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/exact/stages"
	"breadboard/experiments/planted"
)

// countSimulation is the simulation by occupation counts, written down step by step, with a place for each bug.
type countSimulation struct {
	kernel     chains.Rower
	binomial   func(rng *rand.Rand, n int, p float64) int
	unscaled   bool // the probability of an entry is not divided by the probability that is left
	together   int  // up to this many chains at one state move as one
	onceAState bool // the log weight of a state is added once, not once for each of its chains
	lastFirst  bool // the entries of a row are taken in the opposite order
}

func countMutants(a *chains.Annealing) []Mutant {
	var list []Mutant
	add := func(name string, harmless bool, change func(*countSimulation)) {
		c := &countSimulation{kernel: a.Kernel().(chains.Rower), binomial: normalAbove(math.Inf(1), 1, math.Round)}
		change(c)
		list = append(list, Mutant{Name: name, Harmless: harmless, Annealing: a, Simulation: Simulation{Name: name, Totals: c.run}})
	}
	add("counts: normal draws of 1.2 times the variance", false, func(c *countSimulation) { c.binomial = normalAbove(10, 1.2, math.Round) })
	add("counts: normal draws in place of binomial ones", false, func(c *countSimulation) { c.binomial = normalAbove(10, 1, math.Round) })
	add("counts: normal draws rounded down", false, func(c *countSimulation) { c.binomial = normalAbove(10, 1, math.Floor) })
	add("counts: Poisson draws in place of binomial ones", false, func(c *countSimulation) { c.binomial = poisson })
	add("counts: shares not divided by what is left", false, func(c *countSimulation) { c.unscaled = true })
	add("counts: up to three chains of a state move as one", false, func(c *countSimulation) { c.together = 3 })
	add("counts: log weights added once a state", false, func(c *countSimulation) { c.onceAState = true })
	add("counts: entries of a row in the opposite order", true, func(c *countSimulation) { c.lastFirst = true })
	return list
}

// trials draws a binomial number, by waiting times between successes.
func trials(rng *rand.Rand, n int, p float64) int {
	switch {
	case p <= 0:
		return 0
	case p > 0.5:
		return n - trials(rng, n, 1-min(1, p))
	}
	log1p, k := math.Log1p(-p), 0
	for at := 0.0; ; k++ {
		if at += 1 + math.Floor(math.Log(1-rng.Float64())/log1p); at > float64(n) {
			return k
		}
	}
}

// normalAbove returns a function that draws binomial numbers where the mean is below a limit, and rounded normal numbers above it.
func normalAbove(limit, variance float64, round func(float64) float64) func(*rand.Rand, int, float64) int {
	return func(rng *rand.Rand, n int, p float64) int {
		p = min(1, p)
		if mean := float64(n) * p; mean >= limit && p < 1 {
			return max(0, min(n, int(round(mean+math.Sqrt(variance*mean*(1-p))*rng.NormFloat64()))))
		}
		return trials(rng, n, p)
	}
}

// poisson draws, in place of a binomial number, a Poisson number of the same mean that is at most n.
func poisson(rng *rand.Rand, n int, p float64) int {
	if p >= 1 || float64(n)*p > 10 {
		return trials(rng, n, p)
	}
	k, left := 0, float64(n)*p
	for left -= rng.ExpFloat64(); left > 0; left -= rng.ExpFloat64() {
		k++
	}
	return min(n, k)
}

func (c *countSimulation) run(ctx context.Context, a *chains.Annealing, d chains.Direction, block Block, k int) (*simulate.Occupation, error) {
	n := a.States()
	rng := rand.New(block.Stream(d))
	r := planted.New(a, c.kernel.(chains.Kernel), d)
	start := r.Target()
	if d == chains.Forward {
		start = make([]float64, n)
		copy(start, stages.Distribution(a.Path(), 0))
	}
	var row []chains.Entry
	for x, p := range start {
		row = append(row, chains.Entry{To: x, P: p})
	}
	counts := make([]int, n)
	c.split(rng, counts, row, k)
	o := &simulate.Occupation{First: counts}
	weigh := func(counts []int, t int) {
		for x, m := range counts {
			if m > 0 && c.onceAState {
				m = 1
			}
			o.SumLogW += float64(m) * r.Increment(t, x)
		}
	}
	for step := 1; step <= r.Steps(); step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := r.At(step)
		if d == chains.Forward {
			weigh(counts, t)
		}
		next := make([]int, n)
		for x, m := range counts {
			if m > 0 {
				row = c.kernel.AppendRow(row[:0], r.LogF[t], x)
				c.split(rng, next, row, m)
			}
		}
		if counts = next; d == chains.Reverse {
			weigh(counts, t)
		}
	}
	if o.Last = counts; d == chains.Reverse {
		o.First, o.Last = o.Last, o.First
	}
	return o, nil
}

// split distributes k chains over the entries of a row.
func (c *countSimulation) split(rng *rand.Rand, counts []int, row []chains.Entry, k int) {
	if k > 1 && k <= c.together {
		one := make([]int, len(counts))
		c.split(rng, one, row, 1)
		for x, m := range one {
			counts[x] += m * k
		}
		return
	}
	left := 0.0
	for _, e := range row {
		left += e.P
	}
	for i := range row {
		if k == 0 {
			return // the probability that is left may be zero now, and the next entry would be divided by it
		}
		e := row[i]
		if c.lastFirst {
			e = row[len(row)-1-i]
		}
		take := k
		if i < len(row)-1 {
			p := e.P
			if !c.unscaled {
				p /= left
			}
			take = c.binomial(rng, k, p)
		}
		counts[e.To] += take
		k -= take
		left -= e.P
	}
}
