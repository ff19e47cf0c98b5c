package smc

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/number"
	"breadboard/chains/particle"
)

const (
	// mostLists is the number of lists of the types of the particles that may be followed, of 96
	// bytes each, and mostListSteps how often lists may be resampled to others, some minutes.
	mostLists     = 1 << 20
	mostListSteps = 1 << 30
)

// lists is a filter that is resampled at every stage by a scheme that depends on the order of the
// particles. What is propagated is on the lists of their types: list x of P particles of n types
// has the type x/n^(P-1-i) mod n in slot i.
type lists struct {
	Setting
	stages  []stageOfFilter
	now     []tilted
	extinct number.Sum
	last    []tilted
	steps   int

	types   []int     // of the slots of a list
	logw, w []float64 // of these
	place   []int     // n^(P-1-i) for slot i
}

// solveLists returns the moments of a filter that is resampled at every stage. With n types it
// takes time O(n^P) for each way in which a list is resampled, and for P moves. A stage moves the
// particles one after another.
func solveLists(ctx context.Context, stages []stageOfFilter, start branch, logZ float64, s Setting) (*FilterMoments, error) {
	l := &lists{Setting: s, stages: stages, now: []tilted{{mass: 1, z: 1, z2: 1}}}
	for t := range stages {
		if many := math.Pow(float64(len(stages[t].logw)), float64(s.Particles)); many > mostLists {
			return nil, fmt.Errorf("%d particles of %d types are one of %.3g lists, and the limit is %d: at most %d particles, or sample",
				s.Particles, len(stages[t].logw), many, mostLists, int(math.Log2(mostLists)/math.Log2(float64(len(stages[t].logw)))))
		}
	}
	l.types, l.place = make([]int, s.Particles), make([]int, s.Particles)
	l.logw, l.w = make([]float64, s.Particles), make([]float64, s.Particles)
	next := []branch{start}
	for t := range stages {
		if err := l.move(ctx, next, len(stages[t].logw)); err != nil {
			return nil, err
		}
		if err := l.weigh(ctx, t); err != nil {
			return nil, err
		}
		next = stages[t].next
	}
	m := &FilterMoments{LogZ: logZ}
	m.finish(l.last, l.extinct.Value())
	return m, nil
}

// move moves the particles to the given number of types.
func (l *lists) move(ctx context.Context, next []branch, types int) error {
	left, right := 1, power(len(next), l.Particles)
	for range l.Particles {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		right /= len(next)
		moved := make([]tilted, left*types*right)
		for x := range left * len(next) {
			b, from := &next[x%len(next)], l.now[x*right:][:right]
			for i, to := range b.types {
				there := moved[(x/len(next)*types+to)*right:][:right]
				for y, v := range from {
					if v.mass > 0 {
						there[y].add(b.p[i], v)
					}
				}
			}
		}
		l.now, left = moved, left*types
	}
	return nil
}

// weigh weighs the lists at a stage and resamples them, or keeps what the last stage leaves.
func (l *lists) weigh(ctx context.Context, stage int) error {
	s := &l.stages[stage]
	n := len(s.logw)
	for i := range l.place {
		l.place[i] = power(n, l.Particles-1-i)
	}
	var next []tilted
	if s.next != nil {
		next = make([]tilted, len(l.now))
	}
	for x, v := range l.now {
		if x%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if v.mass == 0 {
			continue
		}
		for i, place := range l.place {
			l.types[i] = x / place % n
			l.logw[i] = s.logw[l.types[i]]
		}
		gain := number.LogMean(l.logw)
		if math.IsInf(gain, -1) {
			l.extinct.Add(v.mass)
			continue
		}
		if v = v.weighed(gain); next == nil {
			l.last = append(l.last, v)
			continue
		}
		particle.Normalize(l.w, l.logw)
		l.resample(func(to int, p float64) { next[to].add(p, v) })
		if l.steps > mostListSteps {
			return fmt.Errorf("%d particles of %d types have too many ways to be resampled by the %s scheme; take fewer particles, or the systematic scheme, or sample",
				l.Particles, n, l.Scheme)
		}
	}
	l.now = next
	return nil
}

// resample calls do with lists of the types of the parents, and their probabilities. A list may
// come more than once.
func (l *lists) resample(do func(to int, p float64)) {
	if systematic, is := l.Scheme.(particle.Systematic); is {
		systematic.Each(l.w, func(p float64, parents []int) {
			to := 0
			for i, parent := range parents {
				to += l.types[parent] * l.place[i]
			}
			l.steps++
			do(to, p)
		})
		return
	}
	slots := l.Scheme.(particle.Independent).Slots(l.w)
	var fill func(i, to int, p float64)
	fill = func(i, to int, p float64) {
		if l.steps++; i == len(slots) {
			do(to, p)
			return
		}
		for from, parent := range slots[i] {
			if parent > 0 && l.steps <= mostListSteps {
				fill(i+1, to+l.types[from]*l.place[i], p*parent)
			}
		}
	}
	fill(0, 0, 1)
}

// power returns a whole power that is no more than mostLists.
func power(n, times int) int { return int(math.Pow(float64(n), float64(times)) + 0.5) }
