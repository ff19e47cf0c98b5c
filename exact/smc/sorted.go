package smc

import (
	"context"
	"math"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
)

const (
	// mostSorted is the number of pairs of multisets, of particles that have moved and of those
	// that have not, that may be followed, of 96 bytes each, and mostSortedSteps the number of
	// their moves, some ten seconds.
	mostSorted      = 1 << 21
	mostSortedSteps = 1 << 29
)

// solveSorted returns the moments of a filter whose particles are sorted by type before they are
// resampled, at every stage. Multisets of types are followed, and the parents of one type are as
// many as points fall on it. Parents move one after another, in the order of their types.
//
// There are M(k, n) = C(n+k-1, k) multisets of k particles of n types. To move P particles from m
// types to n, one after another, takes
//
//	sum over k < P of M(k, n) M(P-k, m) n
//
// steps, for the k that have moved and the P - k that have not.
func solveSorted(ctx context.Context, stages []stageOfFilter, start branch, logZ float64,
	s Setting) (*FilterMoments, error) {
	if pairs, steps := sortedCost(stages, s.Particles); pairs > mostSorted || steps > mostSortedSteps {
		most := s.Particles
		for most > 1 && (pairs > mostSorted || steps > mostSortedSteps) {
			most--
			pairs, steps = sortedCost(stages, most)
		}
		return nil, errs.New("%d sorted particles take too many multisets of types; at most %d particles, or sample",
			s.Particles, most)
	}
	now := []tilted{{mass: 1, z: 1}}
	next := []branch{start}
	extinct := number.Sum{}
	m := &FilterMoments{LogZ: logZ}
	for t := range stages {
		var err error
		now, err = moveSorted(ctx, now, next, len(stages[t].logw), s.Particles)
		if err != nil {
			return nil, err
		}
		var last []tilted
		space := newCountSpace(s.Particles, len(stages[t].logw))
		after := make([]tilted, len(now))
		logw := make([]float64, s.Particles)
		w := make([]float64, s.Particles)
		space.eachMultiset(upTo(space.types), func(c int, types, counts []int) {
			v := now[c]
			of := []int{}
			if v.mass == 0 || ctx.Err() != nil {
				return
			}
			for i, k := range types {
				for range counts[i] {
					logw[len(of)] = stages[t].logw[k]
					of = append(of, k)
				}
			}
			gain := number.LogMean(logw)
			if math.IsInf(gain, -1) {
				extinct.Add(v.mass)
				return
			}
			v = v.weighed(gain)
			if stages[t].next == nil {
				last = append(last, v)
				return
			}
			particle.Normalize(w, logw)
			parentsOfSorted(s.Scheme.(particle.Sorted).Scheme, w, of, space.types, func(p float64, counts []int) {
				after[space.multisetNumber(counts)].addWeighted(p, v)
			})
		})
		now = after
		next = stages[t].next
		if next == nil {
			m.computeMoments(last, extinct.Value())
		}
	}
	return m, ctx.Err()
}

// parentsOfSorted calls do with the numbers of parents of each type, and their probabilities, given
// the weights and the types of sorted particles. They may come more than once.
func parentsOfSorted(scheme particle.Scheme, w []float64, of []int, types int,
	do func(p float64, counts []int)) {
	counts := make([]int, types)
	if systematic, is := scheme.(particle.Systematic); is {
		systematic.Each(w, func(p float64, parents []int) {
			clear(counts)
			for _, parent := range parents {
				counts[of[parent]]++
			}
			do(p, counts)
		})
		return
	}
	slots := scheme.(particle.Independent).Slots(w)
	var fill func(i int, p float64)
	fill = func(i int, p float64) {
		if i == len(slots) {
			do(p, counts)
			return
		}
		share := 0.0
		for j, q := range slots[i] {
			share += q
			if share > 0 && (j+1 == len(of) || of[j+1] != of[j]) {
				counts[of[j]]++
				fill(i+1, p*share)
				counts[of[j]]--
				share = 0
			}
		}
	}
	fill(0, 1)
}

// sortedCost bounds the pairs of multisets and the steps that solveSorted takes.
func sortedCost(stages []stageOfFilter, particles int) (pairs, steps float64) {
	before := 1
	for t := range stages {
		n := len(stages[t].logw)
		for k := range particles {
			here := Multisets(k, n) * Multisets(particles-k, before)
			pairs = max(pairs, here, Multisets(k+1, n)*Multisets(particles-k-1, before))
			steps += here * float64(n)
		}
		steps += Multisets(particles, n) * float64(particles*particles)
		before = n
	}
	return pairs, steps
}

// moveSorted moves the particles of multisets of types by the distributions of these, to the given
// number of types. An entry is of a multiset of particles that have moved and one of those that
// have not, whose first type moves next.
func moveSorted(ctx context.Context, now []tilted, next []branch, types, particles int) ([]tilted, error) {
	for k := range particles {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		from, to := newCountSpace(k, types), newCountSpace(k+1, types) // of those that have moved
		with := make([]int, from.size()*types)
		from.eachMultiset(upTo(types), func(a int, places, n []int) {
			counts := countsOf(places, n, types)
			for x := range counts {
				counts[x]++
				with[a*types+x] = to.multisetNumber(counts)
				counts[x]--
			}
		})
		stay := newCountSpace(particles-k, len(next))
		rest := newCountSpace(particles-k-1, len(next))
		moved := make([]tilted, to.size()*rest.size())
		stay.eachMultiset(upTo(len(next)), func(b int, places, n []int) {
			counts := countsOf(places, n, len(next))
			first := &next[places[0]]
			counts[places[0]]--
			left := rest.multisetNumber(counts)
			for a := range from.size() {
				if v := now[a*stay.size()+b]; v.mass > 0 {
					for i, x := range first.types {
						moved[with[a*types+x]*rest.size()+left].addWeighted(first.p[i], v)
					}
				}
			}
		})
		now = moved
	}
	return now, nil
}

// countsOf returns the counts of all types, given those that are there.
func countsOf(places, n []int, types int) []int {
	counts := make([]int, types)
	for i, k := range places {
		counts[k] = n[i]
	}
	return counts
}
