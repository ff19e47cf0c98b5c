package meeting

import (
	"context"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/exact/internal/linear"
	"breadboard/exact/kernel"
)

// sets are the sets that a chain never leaves, or goes through in turn (kernel.Diagnosis.Cycles),
// with the target on them.
type sets struct {
	of     []int // the set of each state; -1 if the target is zero
	masses []float64
	within []float64 // the probability of each state given its set
}

// setsOf returns the sets of a chain.
func setsOf(ctx context.Context, chain *averages.Chain) (*sets, error) {
	d, err := kernel.ForVariances(ctx, chain.Rows, chain.LogF)
	if err != nil {
		return nil, err
	}
	s := &sets{within: make([]float64, chain.States())}
	var count int
	s.of, count, err = d.Cycles(ctx)
	if err != nil {
		return nil, err
	}
	s.masses = s.totals(chain.Target, count)
	logs := make([][]float64, count)
	for x, set := range s.of {
		if set >= 0 {
			logs[set] = append(logs[set], chain.LogF[x])
		}
	}
	for x, set := range s.of {
		if set >= 0 {
			s.within[x] = math.Exp(chain.LogF[x] - number.LogSumExp(logs[set]))
		}
	}
	return s, nil
}

// totals returns the sums of a vector over the sets.
func (s *sets) totals(v []float64, count int) []float64 {
	sums := make([]float64, count)
	for x, set := range s.of {
		if set >= 0 {
			sums[set] += v[x]
		}
	}
	return sums
}

// floor returns a lower bound on the distance from the target at all times, given the initial
// distribution: the excess mass of sets. Sets of one class have the same probability, so that it
// does not matter which of them the chain is in. Mass outside of all sets is moved first.
//
// For a distribution q, the distance is at least sum_C max(0, q(C) - p(C)) over the sets C. Once no
// mass is outside of them, moves only exchange the q(C) of sets of one class.
func (s *sets) floor(chain *averages.Chain, law []float64) (floor float64) {
	const most, little = 10_000, 1e-14
	floor = beyond(chain, law)
	if len(s.masses) == 1 {
		return floor
	}
	for range most {
		if outside := 1 - number.Total(s.totals(law, len(s.masses))); outside <= little {
			break
		}
		next := make([]float64, len(law))
		chain.Rows.Push(next, law)
		law = next
	}
	excess := 0.0
	for i, q := range s.totals(law, len(s.masses)) {
		excess += max(0, q-s.masses[i])
	}
	if excess <= roundedFloor {
		return floor
	}
	return max(floor, excess)
}

// beyond returns the mass of the target that cannot be reached from a distribution by moves of
// normal floating-point probability, and 0 if that is rounding.
func beyond(chain *averages.Chain, law []float64) (mass float64) {
	const least = 0x1p-1000
	reached := make([]bool, len(law))
	var open []int
	mark := func(x int) {
		if !reached[x] {
			reached[x], open = true, append(open, x)
		}
	}
	for x, q := range law {
		if q > 0 {
			mark(x)
		}
	}
	for len(open) > 0 {
		x := open[len(open)-1]
		open = open[:len(open)-1]
		for _, e := range chain.Rows.Row(x) {
			if e.P >= least {
				mark(e.To)
			}
		}
	}
	for x, p := range chain.Target {
		if !reached[x] {
			mass += p
		}
	}
	if mass <= roundedFloor {
		return 0
	}
	return mass
}

// after returns the difference of a distribution from that after the given number of moves. The
// change by one move is computed from the flows into and out of each state, so that it keeps its
// digits for slow chains; further moves are applied to that change.
func (s *sets) after(chain *averages.Chain, law []float64, moves int) *difference {
	first := make([]float64, len(law))
	for x, mass := range law {
		for _, e := range chain.Rows.Row(x) {
			if e.To != x {
				first[x] += mass * e.P
				first[e.To] -= mass * e.P
			}
		}
	}
	one := s.differ(chain, first, make([]float64, len(law)))
	sum := s.differ(chain, first, make([]float64, len(law)))
	for range moves - 1 {
		one.moveBoth()
		for x, v := range one.values {
			sum.values[x] += v
		}
	}
	return sum
}

// roundedFloor is the distance from the target up to which a floor may be only rounding.
const roundedFloor = 1e-12

// difference is that of two distributions of one chain, which becomes zero in the end unless the
// first has too much of a set. It is moved as one vector, and the component along the target on
// each set, which is rounding, is removed after each move, so that a small distance keeps its
// digits.
type difference struct {
	chain *averages.Chain
	// nil if only the component along the whole target is removed, because those on sets do not
	// vanish, or not at once
	sets *sets

	values []float64
	next   []float64 // where move puts the values, nil before the first one
	off    float64   // about the rounding error of the difference
}

// differ returns the difference of two distributions.
func (s *sets) differ(chain *averages.Chain, first, second []float64) *difference {
	d := &difference{chain: chain, values: make([]float64, len(first))}
	outside := false
	apart := false
	largest := 0
	others := 0.0
	for x, p := range first {
		d.values[x] = p - second[x]
		outside = outside || s.of[x] < 0 && d.values[x] != 0
		if math.Abs(p)+math.Abs(second[x]) > math.Abs(first[largest])+math.Abs(second[largest]) {
			largest = x
		}
	}
	for x, v := range d.values {
		if x != largest {
			others += v
			d.off += ulps * (math.Abs(first[x]) + math.Abs(second[x]))
		}
	}
	// both have the same mass: if nearly all of it is at one state, the difference there follows
	// from the other states
	d.values[largest] = -others
	for _, total := range s.totals(d.values, len(s.masses)) {
		apart = apart || math.Abs(total) > roundedFloor
	}
	if len(s.masses) > 1 && !outside && !apart {
		d.sets = s
	}
	return d
}

// totalVariation returns the total variation distance of the two distributions.
func (d *difference) totalVariation() (sum float64) {
	for _, v := range d.values {
		sum += math.Abs(v) / 2
	}
	return sum
}

// moveBoth moves both distributions by one move of the chain.
func (d *difference) moveBoth() {
	if d.next == nil {
		d.next = make([]float64, len(d.values))
	}
	d.chain.Rows.Push(d.next, d.values)
	d.values, d.next = d.next, d.values
	d.centre()
}

// moveTimes moves both distributions by the given number of moves.
func (d *difference) moveTimes(count int) {
	for range count {
		d.moveBoth()
	}
}

// jumped returns the difference after the moves that a power of the chain makes.
func (d *difference) jumped(by *linear.Stochastic) *difference {
	after := &difference{d.chain, d.sets, make([]float64, len(d.values)), nil, d.off}
	by.Push(after.values, d.values)
	after.centre()
	return after
}

func (d *difference) clone() *difference {
	return &difference{d.chain, d.sets, slices.Clone(d.values), nil, d.off}
}

// centre removes the component along the target, which is rounding.
func (d *difference) centre() {
	if d.sets == nil {
		total := 0.0
		for _, v := range d.values {
			total += v
		}
		for x := range d.values {
			d.values[x] -= total * d.chain.Target[x]
		}
		return
	}
	totals := d.sets.totals(d.values, len(d.sets.masses))
	for x, set := range d.sets.of {
		if set >= 0 {
			d.values[x] -= totals[set] * d.sets.within[x]
		}
	}
}
