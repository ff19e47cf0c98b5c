package ground

import (
	"cmp"
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// Searches is how many searches Search makes, and reports as progress.
	Searches = 16
	// looks is how many variables a search looks at in all: one turn looks at all of them. It takes
	// a tenth of a second.
	looks = 6e7
	// leastTurns is the smallest number of turns of a search, in times of the variables.
	leastTurns = 10
	// mostTurns is the largest number of turns of a search on few variables.
	mostTurns = 200_000
	// patience is after how many turns without a better state a search goes back to its best one
	// and shakes it, in times of the variables.
	patience = 5
	// betweenLooks is how many turns pass before the end of the context is looked for.
	betweenLooks = 1 << 10
)

// Search returns the best state of several tabu searches from random states. Each flips the
// variable that improves the value most, or worsens it least, among those not flipped lately.
// Nothing proves that no state is better. The result is the same for any number of workers; zero
// workers means one for each processor.
//
// Source: Glover, Kochenberger and Alidaee 1998, Adaptive memory tabu search for binary quadratic
// programs; Palubeckis 2006, Iterated tabu search for the unconstrained binary quadratic
// optimization problem.
func (p *Problem) Search(ctx context.Context, workers int, progress func(int)) (*Found, error) {
	q, err := p.integers()
	if err != nil {
		return nil, err
	}
	searches := make([]*search, Searches)
	err = share(ctx, Searches, workers, progress, func(numbers iter.Seq[int]) {
		for i := range numbers {
			searches[i] = newSearch(q, rand.New(rand.NewPCG(1, uint64(i))))
			searches[i].makeTurns(ctx)
		}
	})
	if err != nil {
		return nil, err
	}
	best := slices.MinFunc(searches, func(a, b *search) int { return cmp.Compare(a.best, b.best) })
	return &Found{State: best.bestX, States: math.NaN(), unit: q.unit}, nil
}

// search is a tabu search.
type search struct {
	*integral
	random *rand.Rand
	x      []uint8
	value  int64
	change []int64 // of the value, if each variable is turned over
	until  []int   // the turn from which each variable may be turned over again
	turns  int
	best   int64
	bestX  []uint8
}

// newSearch returns a search that stands at a random state.
func newSearch(q *integral, random *rand.Rand) *search {
	n := len(q.fields)
	s := &search{
		integral: q,
		random:   random,
		x:        make([]uint8, n),
		change:   slices.Clone(q.fields),
		until:    make([]int, n),
	}
	for v := range s.x {
		if random.IntN(2) == 1 {
			s.flipVariable(v)
		}
	}
	s.best, s.bestX = s.value, slices.Clone(s.x)
	return s
}

// flipVariable turns a variable over.
func (s *search) flipVariable(v int) {
	s.value += s.change[v]
	s.change[v] = -s.change[v]
	s.x[v] ^= 1
	sign := int64(2)*int64(s.x[v]) - 1
	for _, l := range s.pairs[v] {
		s.change[l.to] += sign * l.weight * (1 - 2*int64(s.x[l.to]))
	}
}

// makeTurns makes all turns.
func (s *search) makeTurns(ctx context.Context) {
	n := len(s.x)
	most := max(leastTurns*n, min(mostTurns, looks/max(1, n)))
	last := 0
	for ; s.turns < most && n > 0; s.turns++ {
		if s.turns%betweenLooks == 0 && ctx.Err() != nil {
			return
		}
		if v := s.chooseVariable(); v >= 0 {
			s.flipVariable(v)
			s.until[v] = s.turns + min(20, n/4) + s.random.IntN(10) + 1
		}
		switch {
		case s.value < s.best:
			s.best = s.value
			last = s.turns
			copy(s.bestX, s.x)
		case s.turns-last > patience*n:
			s.shake()
			last = s.turns
		}
	}
}

// chooseVariable returns the variable to turn over: the best of those that may be, or of any that
// leads to a better value than ever. It is negative if there is none.
func (s *search) chooseVariable() int {
	chosen := -1
	least := int64(math.MaxInt64)
	for v, change := range s.change {
		if change < least && (s.until[v] <= s.turns || s.value+change < s.best) {
			chosen = v
			least = change
		}
	}
	return chosen
}

// shake goes back to the best state and turns over some of its variables.
func (s *search) shake() {
	for v, x := range s.bestX {
		if s.x[v] != x {
			s.flipVariable(v)
		}
	}
	for range 2 + s.random.IntN(len(s.x)/4+1) {
		s.flipVariable(s.random.IntN(len(s.x)))
	}
	clear(s.until)
}
