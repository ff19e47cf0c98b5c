package smc

import (
	"context"
	"slices"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact/program"
)

// placed are lineages under any scheme of resampling, where it matters in which slot a particle is. A vector has a number for
// each way that the slots can stand, each slot of the path and each slot of a particle: the probability of the first two
// together with the particle having the past of y.
type placed struct {
	h     *particle.HMM
	P     int
	ways  int             // n^P ways that the slots can stand
	steps [][][][]toPlace // by time from 1, next state of the path and place
	last  []float64       // by place: the normalised weight of the particle at the last time
}

// toPlace is a place to which one goes with a probability, and the state that the particle then has.
type toPlace struct {
	to, state int
	p         float64
}

func newPlaced(ctx context.Context, h *particle.HMM, particles int, scheme particle.Scheme) (*placed, error) {
	l := &placed{h: h, P: particles, ways: 1}
	for range particles {
		l.ways *= len(h.Pi)
	}
	l.last = make([]float64, l.places())
	for place := range l.last {
		states, _, k := l.at(place)
		if w := l.weights(len(h.Y), states); w != nil {
			l.last[place] = w[k]
		}
	}
	for t := 1; t < len(h.Y); t++ {
		byNext := make([][][]toPlace, len(h.Pi))
		for next := range byNext {
			byNext[next] = make([][]toPlace, l.places())
		}
		for way := range l.ways {
			for j := range particles {
				if err := l.fill(ctx, byNext, scheme, t, way, j); err != nil {
					return nil, err
				}
			}
		}
		l.steps = append(l.steps, byNext)
	}
	return l, nil
}

func (l *placed) places() int { return l.ways * l.P * l.P }

// place is the number of a place, and at its inverse: the states of the slots, the slot of the path and that of the particle.
func (l *placed) place(way, j, k int) int { return (way*l.P+j)*l.P + k }
func (l *placed) at(place int) (states []int, j, k int) {
	way := place / (l.P * l.P)
	for range l.P {
		states = append(states, way%len(l.h.Pi))
		way /= len(l.h.Pi)
	}
	return states, place / l.P % l.P, place % l.P
}

// weights returns the normalised weights at a time; nil where all are zero.
func (l *placed) weights(t int, states []int) []float64 {
	w, sum := make([]float64, l.P), 0.0
	for i, s := range states {
		w[i] = l.h.E[s][l.h.Y[t-1]]
		sum += w[i]
	}
	if sum == 0 {
		return nil
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}

// fill finds the steps from time t for a way that the slots can stand and a slot of the path. How the scheme keeps the path is enumerated.
func (l *placed) fill(ctx context.Context, byNext [][][]toPlace, scheme particle.Scheme, t, way, j int) error {
	states, _, _ := l.at(l.place(way, j, 0))
	w := l.weights(t, states)
	if w == nil || w[j] == 0 {
		return nil
	}
	var parents []int
	var slot int
	var branches program.Branches
	keep := func(c chains.Chooser) {
		parents = make([]int, l.P)
		slot = scheme.Keep(c, w, j, parents)
	}
	_, err := branches.Walk(ctx, program.Limits{Choices: chains.MaxChoices, Branches: 1 << 20}, keep, func(p float64) error {
		for next, steps := range byNext {
			l.move(steps, states, parents, slot, next, p, l.place(way, j, 0))
		}
		return nil
	})
	return err
}

// move adds the steps by which the particles go on from their parents, the path in its slot to the state next.
func (l *placed) move(steps [][]toPlace, states, parents []int, slot, next int, p float64, from int) {
	for way := range l.ways {
		to, _, _ := l.at(l.place(way, 0, 0))
		if to[slot] != next {
			continue
		}
		q := p
		for i, parent := range parents {
			if i != slot {
				q *= l.h.A[states[parent]][to[i]]
			}
		}
		if q == 0 {
			continue
		}
		for k, parent := range parents {
			list := &steps[from+parent]
			place := l.place(way, slot, k)
			if at := slices.IndexFunc(*list, func(s toPlace) bool { return s.to == place }); at >= 0 {
				(*list)[at].p += q
			} else {
				*list = append(*list, toPlace{place, to[k], q})
			}
		}
	}
}

// start implements lineages.
func (l *placed) start(x, y int) []float64 {
	v := make([]float64, l.places())
	for place := range v {
		states, j, k := l.at(place)
		if states[j] != x || states[k] != y {
			continue
		}
		v[place] = 1 / float64(l.P)
		for i, s := range states {
			if i != j {
				v[place] *= l.h.Pi[s]
			}
		}
	}
	return v
}

// step implements lineages.
func (l *placed) step(t int, v []float64, _, _, nextX, nextY int) []float64 {
	out := make([]float64, len(v))
	for place, p := range v {
		if p == 0 {
			continue
		}
		for _, s := range l.steps[t-1][nextX][place] {
			if s.state == nextY {
				out[s.to] += p * s.p
			}
		}
	}
	return out
}

// end implements lineages.
func (l *placed) end(v []float64, _, _ int) float64 {
	sum := 0.0
	for place, p := range v {
		sum += p * l.last[place]
	}
	return sum
}
