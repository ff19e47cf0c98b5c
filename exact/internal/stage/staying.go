package stage

import (
	"iter"
	"math"

	"breadboard/chains"
)

// Staying writes to dst the probability that the stage leaves a chain where it is, which is the same in both directions, for
// states of positive probability. For one move that is an entry of its matrix. For more, it is the sum over the states z in
// the middle of the probability to go from x to z by the first half of the moves, times that to go from z to x by the others.
// The latter is p(x)/p(z) times the probability of a reverse chain to go from x to z, so that both laws start at x and stay on
// few states.
func (s *Stage) Staying(dst []float64) {
	if len(s.Moves) == 1 {
		for x := range dst {
			dst[x] = s.Moves[0].Forward.At(x, x)
		}
		return
	}
	n := len(dst)
	there, back := newSparse(n), newSparse(n)
	for x := range dst {
		if dst[x] = 0; !s.Here.On(x) {
			continue
		}
		half := len(s.Moves) / 2
		there.through(x, along(s.Moves[:half], chains.Forward), chains.Forward)
		back.through(x, along(s.Moves[half:], chains.Reverse), chains.Reverse)
		for _, z := range there.reached {
			if there.mass[z] > 0 && back.mass[z] > 0 {
				dst[x] += there.mass[z] * back.mass[z] * math.Exp(s.Here.Log[x]-s.Here.Log[z])
			}
		}
	}
}

// sparse is a law on few of the states.
type sparse struct {
	mass, next     []float64 // by state, zero where the law has not been
	reached, other []int
}

func newSparse(n int) *sparse { return &sparse{mass: make([]float64, n), next: make([]float64, n)} }

// through makes the law that of a chain which has started at x and made the moves.
func (l *sparse) through(x int, moves iter.Seq[*Move], d chains.Direction) {
	l.forget()
	l.mass[x], l.reached = 1, append(l.reached, x)
	for m := range moves {
		for _, y := range l.reached {
			for _, e := range m.Along(d).Row(y) {
				if p := l.mass[y] * e.P; p > 0 {
					if l.next[e.To] == 0 {
						l.other = append(l.other, e.To)
					}
					l.next[e.To] += p
				}
			}
		}
		l.forget()
		l.mass, l.next, l.reached, l.other = l.next, l.mass, l.other, l.reached
	}
}

// forget makes the law empty.
func (l *sparse) forget() {
	for _, y := range l.reached {
		l.mass[y] = 0
	}
	l.reached = l.reached[:0]
}
