package records

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
)

// Laws are the exact distributions of all kinds of records of a task. They are computed once for
// many implementations.
type Laws struct{ sides []*sideLaws }

// sideLaws are the distributions of one kind.
type sideLaws struct {
	*Kind
	values [][]value // by column of real numbers: every value under any of the distributions, rising
	atoms  [][]Atom  // by distribution
	solved []*Solved // by distribution, of a chain

	mu    sync.Mutex
	parts map[string]*partLaws // those that have been asked for
}

// partLaws are all distributions of a part of the records: the probabilities of its cells.
type partLaws struct {
	laws []map[string]float64
	mean map[string]float64 // the mean of them, around which an unknown distribution is supposed to be
	// specified and all are the cells of the specification and of the mean, in a fixed order.
	specified, all []string
}

// New computes the distributions of all kinds. progress is called with 1 for every distribution; it
// may be nil.
func New(ctx context.Context, kinds []Kind, workers int, progress func(int)) (*Laws, error) {
	l := &Laws{}
	type job struct {
		side *sideLaws
		at   int
	}
	var jobs []job
	for i := range kinds {
		s := &sideLaws{Kind: &kinds[i], parts: map[string]*partLaws{}, atoms: make([][]Atom, len(kinds[i].Ways)), solved: make([]*Solved, len(kinds[i].Ways))}
		for at := range s.Ways {
			jobs = append(jobs, job{s, at})
		}
		l.sides = append(l.sides, s)
	}
	err := subject.Parallel(ctx, len(jobs), workers, func(ctx context.Context, i int) error {
		j := jobs[i]
		var err error
		if chain := j.side.Chain; chain != nil {
			var exponents []float64
			if j.at == 0 {
				exponents = verdicts.Powers()
			}
			j.side.solved[j.at], err = chain.Solve(ctx, j.at, exponents)
		} else {
			j.side.atoms[j.at], err = j.side.Ways[j.at].Law(ctx)
		}
		if progress != nil {
			progress(1)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, s := range l.sides {
		s.collectValues()
	}
	return l, nil
}

// Near is the largest distance, relative to one plus their size, of two values of a real number
// that are equal apart from rounding, also of programs that compute in float32. Values of the
// distributions that are nearer than four times that count as one.
const Near = 1e-6

// reach returns how far a value may be from another one to be the same.
func reach(v float64) float64 { return Near * (1 + math.Abs(v)) }

// value is a value of a real number, or several that are too near each other to be told apart.
type value struct{ low, high float64 }

// collectValues collects the values of real numbers under all distributions.
func (s *sideLaws) collectValues() {
	s.values = make([][]value, len(s.Reals))
	for c := range s.Reals {
		var all []float64
		for _, atoms := range s.atoms {
			for _, a := range atoms {
				all = append(all, a.Reals[c])
			}
		}
		s.values[c] = distinctValues(all)
	}
	for _, atoms := range s.atoms {
		for i := range atoms {
			for c, v := range atoms[i].Reals {
				atoms[i].places = append(atoms[i].places, place(s.values[c], v))
			}
		}
	}
}

// unknown is the place of a value that a number has under none of the distributions.
const unknown = -1

// place returns the place among the values of the one that v is but for rounding, and unknown where
// it is none.
func place(values []value, v float64) int {
	if i := nearest(values, v); values[i].off(v) <= reach(v) {
		return i
	}
	return unknown
}

// nearest returns the place of the value that is nearest to v.
func nearest(values []value, v float64) int {
	i, _ := slices.BinarySearchFunc(values, v, func(of value, v float64) int { return cmp.Compare(of.high, v) })
	if i == len(values) || i > 0 && values[i-1].off(v) < values[i].off(v) {
		i--
	}
	return i
}

// off returns how far v is from a value.
func (of value) off(v float64) float64 { return max(0, of.low-v, v-of.high) }

// of returns the cell of a record: its numbers in the columns of the part.
func (p *part) of(whole string, places []int) string {
	text := make([]byte, 0, len(p.whole)+4*len(p.reals))
	for _, i := range p.whole {
		text = append(text, whole[i])
	}
	for _, i := range p.reals {
		at := places[i]
		text = append(text, byte(at), byte(at>>8), byte(at>>16), byte(at>>24))
	}
	return string(text)
}

// of returns the distributions of a part, which are kept for the next implementation.
func (s *sideLaws) of(p *part) *partLaws {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := fmt.Sprint(p.whole, p.reals)
	if known := s.parts[name]; known != nil {
		return known
	}
	l := &partLaws{mean: map[string]float64{}}
	for h, atoms := range s.atoms {
		cells := map[string]float64{}
		for _, a := range atoms {
			cells[p.of(a.Whole, a.places)] += a.P
		}
		if s.Chain != nil {
			cells = s.solved[h].Parts[p.name]
		}
		for cell, v := range cells {
			l.mean[cell] += v / float64(len(s.Ways))
		}
		l.laws = append(l.laws, cells)
	}
	l.specified, l.all = slices.Sorted(maps.Keys(l.laws[0])), slices.Sorted(maps.Keys(l.mean))
	s.parts[name] = l
	return l
}
