package program

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
)

// Carrier is what Propagate carries with the mass of a state: a number or several that are sums over the paths that lead there, such as their
// probability, or the expectation of a function of their total. A Carrier is a value: neither method changes it, or what it is given.
type Carrier[C any] interface {
	// Along returns what goes on along a branch of probability p, on which the total grows by the increment.
	Along(p, increment float64) C
	// Plus returns what is carried by the paths of both together.
	Plus(other C) C
}

// Propagated is what a process carries to each of its last states.
type Propagated[S comparable, C Carrier[C]] struct {
	states    []S
	carried   []C
	place     map[S]int
	none      C
	remainder float64
}

// States returns the states in the order of first appearance; they belong to the receiver.
func (r *Propagated[S, C]) States() []S { return r.states }

// At returns what is carried to a state: what a path of probability zero carries where it is not reached.
func (r *Propagated[S, C]) At(s S) C {
	if i, found := r.place[s]; found {
		return r.carried[i]
	}
	return r.none
}

// Total returns what is carried to all states together.
func (r *Propagated[S, C]) Total() C {
	total := r.none
	for _, c := range r.carried {
		total = total.Plus(c)
	}
	return total
}

// Remainder returns the probability of the paths that were given up (see Options.Cut), which nothing carries.
func (r *Propagated[S, C]) Remainder() float64 { return r.remainder }

// Propagate takes a process through all of its steps, with all of its probability at once. Every step is enumerated from
// every state, and what comes to equal states is merged. One is what a path of probability one and of no steps carries.
//
// It fails as Enumerate does, with the step and the state, also where an increment is NaN; and where the process is at more
// states after a step than Options.Branches. Time is O(steps states branches) runs of a step, where the branches are those
// from one state, times the cost of a carrier; memory is that of the carriers at the states of a step.
func Propagate[S comparable, C Carrier[C]](ctx context.Context, p chains.Process[S], one C, o Options) (*Propagated[S, C], error) {
	l, err := o.limits()
	if err != nil {
		return nil, err
	}
	start := newEnumeration[S]()
	if err := start.walk(ctx, l, p.Start); err != nil {
		return nil, fmt.Errorf("the start: %w", err)
	}
	now := newFront[S](one.Along(0, 0))
	for _, first := range start.law.outcomes {
		now.add(first.Value, first.P, one.Along(first.P, 0))
	}
	remainder := start.law.remainder
	next, step := newFront[S](now.none), newEnumeration[arrival[S]]()
	for t := 1; t <= p.Steps(); t++ {
		for i, s := range now.states {
			err := step.walk(ctx, l, func(c chains.Chooser) (a arrival[S]) {
				a.state, a.increment = p.Step(c, t, s)
				return a
			})
			if err != nil {
				return nil, fmt.Errorf("step %d from state %v: %w", t, s, err)
			}
			remainder += step.law.remainder * now.mass[i]
			for _, to := range step.law.outcomes {
				next.add(to.Value.state, now.mass[i]*to.P, now.carried[i].Along(to.P, to.Value.increment))
			}
			if len(next.states) > l.Branches {
				return nil, errorAbout(TooManyBranches, "is at more than %d states after step %d; let states be equal where what follows does not depend on the difference", l.Branches, t)
			}
		}
		now, next = next, now
		next.clear()
	}
	return &Propagated[S, C]{now.states, now.carried, now.place, now.none, remainder}, nil
}

// arrival is where a step leads to.
type arrival[S comparable] struct {
	state     S
	increment float64
}

// front is what has come to the states after a step.
type front[S comparable, C Carrier[C]] struct {
	states  []S
	mass    []float64
	carried []C
	place   map[S]int
	none    C // what a path of probability zero carries
}

func newFront[S comparable, C Carrier[C]](none C) *front[S, C] {
	return &front[S, C]{place: map[S]int{}, none: none}
}

// add merges what comes to a state with what is there.
func (f *front[S, C]) add(s S, mass float64, c C) {
	i, found := f.place[s]
	if found {
		f.mass[i] += mass
		f.carried[i] = f.carried[i].Plus(c)
		return
	}
	f.place[s] = len(f.states)
	f.states, f.mass, f.carried = append(f.states, s), append(f.mass, mass), append(f.carried, c)
}

func (f *front[S, C]) clear() {
	f.states, f.mass, f.carried = f.states[:0], f.mass[:0], f.carried[:0]
	clear(f.place)
}

// Mass is the probability alone. Propagate starts with Mass(1).
type Mass float64

// Along returns the share of the branch.
func (m Mass) Along(p, _ float64) Mass { return m * Mass(p) }

// Plus returns the sum.
func (m Mass) Plus(other Mass) Mass { return m + other }

// Finite carries what another carrier does along the paths with a finite total only.
type Finite[C Carrier[C]] struct{ Of C }

// Along leaves a path out where the increment is infinite.
func (f Finite[C]) Along(p, increment float64) Finite[C] {
	if math.IsInf(increment, 0) {
		p, increment = 0, 0
	}
	return Finite[C]{f.Of.Along(p, increment)}
}

// Plus returns the sum.
func (f Finite[C]) Plus(other Finite[C]) Finite[C] { return Finite[C]{f.Of.Plus(other.Of)} }
