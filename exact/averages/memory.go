package averages

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// memory is what a chain remembers of its start in the long run: the set in which it is, of those of kernel.Diagnosis.Cycles.
type memory struct {
	setOf   []int     // the set of each state; -1 for states of probability zero
	masses  []float64 // the probability of each set under the target
	classes int
}

// remembered returns what the chain remembers. Time is O(entries).
func (c *Chain) remembered(ctx context.Context) (memory, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	d, err := c.diagnosed(ctx)
	if err != nil {
		return memory{}, err
	}
	setOf, sets, err := d.Cycles(ctx)
	if err != nil {
		return memory{}, err
	}
	return memory{setOf, massesOf(setOf, sets, c.Target), d.Classes}, nil
}

func massesOf(setOf []int, sets int, law []float64) []float64 {
	masses := make([]float64, sets)
	for x, q := range law {
		if setOf[x] >= 0 {
			masses[setOf[x]] += q
		}
	}
	return masses
}

// information returns what the mutual information tends to, which is the entropy of the set.
func (m memory) information() float64 {
	if len(m.masses) == 1 {
		return 0
	}
	sum := 0.0
	for _, p := range m.masses {
		if p > 0 {
			sum -= p * math.Log(p)
		}
	}
	return sum
}

// distance returns a number below which the total variation distance from a law never falls: by how much sets have too much. Sets of one
// class have the same probability, so that it does not matter which of them a chain is in. Mass outside of all sets may still come to any.
func (m memory) distance(law []float64) float64 {
	if len(m.masses) == 1 {
		return 0
	}
	sum := 0.0
	for i, q := range massesOf(m.setOf, len(m.masses), law) {
		sum += max(0, q-m.masses[i])
	}
	return sum
}

// String says what the chain remembers.
func (m memory) String() string {
	var why []string
	if m.classes > 1 {
		why = append(why, fmt.Sprintf("the states are in %d classes, and the chain never leaves the one where it began", m.classes))
	}
	if len(m.masses) > m.classes {
		why = append(why, fmt.Sprintf("the chain is periodic and goes through %d sets of states in turn", len(m.masses)))
	}
	return strings.Join(why, ", and ")
}
