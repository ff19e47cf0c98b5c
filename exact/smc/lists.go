package smc

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"breadboard/chains/number"
	"breadboard/chains/particle"
)

const (
	// mostLists is the number of lists of the types of the particles that may be followed, of 96
	// bytes each.
	mostLists = 1 << 20
	// waySeconds and slotSeconds are measured: the time of a particle in one way to resample a list
	// by the systematic scheme, and in one parent of a slot that others leave.
	waySeconds, slotSeconds = 15e-9, 1.5e-9
	// sampledLists is the number of lists of a stage whose ways are counted for an estimate of the
	// time.
	sampledLists = 16
)

// lists is a filter that is resampled at every stage by a scheme that depends on the order of the
// particles. What is propagated is on the lists of their types: list x of P particles of n types
// has the type x/n^(P-1-i) mod n in slot i.
//
// A list x goes to x' with the probability that its slots have the parents j_1, ..., j_P, times the
// product over the slots of the move from the type of j_i to that of x'_i.
type lists struct {
	Setting
	stages  []stageOfFilter
	now     []tilted
	extinct number.Sum
	last    []tilted

	types   []int     // of the slots of a list
	logw, w []float64 // of these
	place   []int     // n^(P-1-i) for slot i
}

// solveLists returns the moments of a filter that is resampled at every stage. With n types it
// takes time O(n^P) for each way in which a list is resampled, and for P moves. A stage moves the
// particles one after another. It fails at once if the estimate of the time is more than within, or
// a minute if that is zero.
func solveLists(
	ctx context.Context, stages []stageOfFilter, start branch, logZ float64, s Setting, within time.Duration,
) (*FilterMoments, error) {
	if err := affordLists(stages, s, cmp.Or(within, time.Minute)); err != nil {
		return nil, err
	}
	l := newLists(stages, s)
	next := []branch{start}
	for t := range stages {
		if err := l.moveLists(ctx, next, len(stages[t].logw)); err != nil {
			return nil, err
		}
		if err := l.weighLists(ctx, t); err != nil {
			return nil, err
		}
		next = stages[t].next
	}
	m := &FilterMoments{LogZ: logZ}
	m.computeMoments(l.last, l.extinct.Value())
	return m, nil
}

func newLists(stages []stageOfFilter, s Setting) *lists {
	return &lists{
		Setting: s,
		stages:  stages,
		now:     []tilted{{mass: 1, z: 1}},
		types:   make([]int, s.Particles),
		place:   make([]int, s.Particles),
		logw:    make([]float64, s.Particles),
		w:       make([]float64, s.Particles),
	}
}

// affordLists fails if lists are too many, or would take too long. The error has the number of
// particles that fits.
func affordLists(stages []stageOfFilter, s Setting, within time.Duration) error {
	types := 0
	for t := range stages {
		types = max(types, len(stages[t].logw))
	}
	most := s
	seconds := 0.0
	fits := func() bool {
		seconds = math.Inf(1)
		if math.Pow(float64(types), float64(most.Particles)) <= mostLists {
			seconds = newLists(stages, most).seconds()
		}
		return seconds <= within.Seconds()
	}
	if fits() {
		return nil
	}
	taken := seconds
	for most.Particles--; most.Particles > 1 && !fits(); {
		most.Particles--
	}
	if math.IsInf(taken, 1) {
		return fmt.Errorf(
			"%d particles of %d types are one of %.3g lists, and the limit is %d: at most %d particles, or sample",
			s.Particles,
			types,
			math.Pow(float64(types), float64(s.Particles)),
			mostLists,
			most.Particles,
		)
	}
	minutes := math.Ceil(taken / 60)
	return fmt.Errorf(
		"%d particles of %d types with %d data, resampled by the %s scheme, would take about %.4g min on "+
			"one core, and the limit is %.3g min: at most %d particles, a time of %[5]vm, or sample",
		s.Particles,
		types,
		len(stages),
		s.Scheme,
		minutes,
		within.Minutes(),
		most.Particles,
	)
}

// seconds estimates the time on one core, from the ways in which some lists of each stage are
// resampled.
func (l *lists) seconds() (all float64) {
	for t := range l.stages {
		many := l.layOutSlots(t)
		for i := range sampledLists {
			_, part := math.Modf(float64(i) * math.Phi)
			each := waySeconds * float64(l.Particles) // to move
			l.readList(t, int(part*float64(many)))
			if !math.IsInf(number.LogMean(l.logw), -1) && l.stages[t].next != nil {
				particle.Normalize(l.w, l.logw)
				each += l.resampling()
			}
			all += each * float64(many) / sampledLists
		}
	}
	return all
}

// resampling estimates the time to resample a list by its weights.
func (l *lists) resampling() (seconds float64) {
	all, is := l.Scheme.(particle.Independent)
	if !is {
		return waySeconds * float64(l.Particles*l.Particles)
	}
	ways := slotSeconds * float64(l.Particles)
	for _, slot := range all.Slots(l.w) {
		parents := 0
		for _, p := range slot {
			if p > 0 {
				parents++
			}
		}
		ways *= float64(parents)
		seconds += ways
	}
	return seconds
}

// layOutSlots sets the places of slots for the lists of a stage, and returns how many there are.
func (l *lists) layOutSlots(stage int) (many int) {
	n := len(l.stages[stage].logw)
	for i := range l.place {
		l.place[i] = power(n, l.Particles-1-i)
	}
	return power(n, l.Particles)
}

// readList reads the types and the log weights of a list of a stage.
func (l *lists) readList(stage, x int) {
	s := &l.stages[stage]
	for i, place := range l.place {
		l.types[i] = x / place % len(s.logw)
		l.logw[i] = s.logw[l.types[i]]
	}
}

// moveLists moves the particles to the given number of types.
func (l *lists) moveLists(ctx context.Context, next []branch, types int) error {
	left, right := 1, power(len(next), l.Particles)
	for range l.Particles {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		right /= len(next)
		moved := make([]tilted, left*types*right)
		for x := range left * len(next) {
			b := &next[x%len(next)]
			from := l.now[x*right:][:right]
			for i, to := range b.types {
				there := moved[(x/len(next)*types+to)*right:][:right]
				for y, v := range from {
					if v.mass > 0 {
						there[y].addWeighted(b.p[i], v)
					}
				}
			}
		}
		l.now = moved
		left *= types
	}
	return nil
}

// weighLists weighs the lists at a stage and resamples them, or keeps what the last stage leaves.
func (l *lists) weighLists(ctx context.Context, stage int) error {
	l.layOutSlots(stage)
	var next []tilted
	if l.stages[stage].next != nil {
		next = make([]tilted, len(l.now))
	}
	for x, v := range l.now {
		if x%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if v.mass == 0 {
			continue
		}
		l.readList(stage, x)
		gain := number.LogMean(l.logw)
		if math.IsInf(gain, -1) {
			l.extinct.Add(v.mass)
			continue
		}
		v = v.weighed(gain)
		if next == nil {
			l.last = append(l.last, v)
			continue
		}
		particle.Normalize(l.w, l.logw)
		l.resample(func(to int, p float64) { next[to].addWeighted(p, v) })
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
			do(to, p)
		})
		return
	}
	slots := l.Scheme.(particle.Independent).Slots(l.w)
	var fill func(i, to int, p float64)
	fill = func(i, to int, p float64) {
		if i == len(slots) {
			do(to, p)
			return
		}
		for from, parent := range slots[i] {
			if parent > 0 {
				fill(i+1, to+l.types[from]*l.place[i], p*parent)
			}
		}
	}
	fill(0, 0, 1)
}

// power returns a whole power that is no more than mostLists.
func power(n, times int) int { return int(math.Pow(float64(n), float64(times)) + 0.5) }
