package kernels

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/internal/library"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Tabu is the sampler of Power and Goldman that does not go back on an axis that it has just changed, in discrete time and with its direction of
// time forgotten after each move. A move draws a set A of allowed axes, each with probability 1/2, and makes Steps steps. Each proposes, among the
// other values of the allowed axes, y with probability g(f(y)/f(x))/Z_A(x), where Z_A(x) is the sum over them and g a balancing function (see
// Balanced). It is accepted with min(1, Z_A(x)/Z_B(y)), where B is the complement of A with the axis that has changed: the set from which the
// way back is proposed when time is turned. Where it is accepted that axis leaves A. Where it is refused, or nothing is allowed
// that has positive f, A becomes its complement. At the end A is forgotten.
//
// One step takes (x, A) to (y, A without the axis) as often under f and a uniform A as it takes (y, B) to (x, complement of A), and a refusal takes
// (x, A) to (x, complement), which is its own mirror image. So any number of steps turned round is the same steps between complements. The
// complement of a uniform set is uniform, and what is left of x alone is reversible and leaves f invariant.
//
// From a state where f is zero proposals are as those of Balanced, and always accepted. Where f is the same on all states, the steps of a chain
// may come out even and never move, as two on one axis of two values do.
//
// Source: Power and Goldman 2019 ("Accelerated sampling on discrete spaces with non-reversible Markov processes"), the Tabu sampler.
type Tabu struct {
	Space *grid.Lattice
	Steps int
	Rule  string // the balancing function, as in Balanced
}

const (
	maxTabuSteps = 64
	maxTabuAxes  = 10 // a row sums over all sets of axes
)

// allowed is what a Tabu proposes while the axes of a set are allowed, axis k where bit k is one.
type allowed struct {
	Tabu
	axes uint
}

func (k allowed) ways(dst []way, logf []float64, x int) []way {
	values := OtherValues{k.Space}
	for axis, side := range k.Space.Sides() {
		if k.axes>>axis&1 == 0 {
			continue
		}
		for value := range side - 1 {
			if to, is := balancedWay(k.Rule, logf, x, values.along(x, axis, value)); is {
				to.axis = axis
				dst = append(dst, to)
			}
		}
	}
	return dst
}

// sets returns the number of sets of axes.
func (k Tabu) sets() int { return 1 << k.Space.Dims() }

// turned returns the complement of a set of axes.
func (k Tabu) turned(axes uint) uint { return axes ^ uint(k.sets()-1) }

// Move draws the set, and makes the steps.
func (k Tabu) Move(c chains.Chooser, logf []float64, x int) int {
	axes := uint(c.Uniform(k.sets()))
	var here, there outlook
	for range k.Steps {
		if here.look(allowed{k, axes}, logf, x); len(here.ways) == 0 {
			axes = k.turned(axes)
			continue
		}
		to := here.ways[c.Choose(here.p)]
		there.look(allowed{k, k.turned(axes) | 1<<to.axis}, logf, to.y)
		if c.Flip(metropolisAccept(there.logZ, here.logZ+to.tilt)) {
			x, axes = to.y, axes&^(1<<to.axis)
		} else {
			axes = k.turned(axes)
		}
	}
	return x
}

// tabuState is a state with the axes that are allowed there.
type tabuState struct {
	x    int
	axes uint
}

// tabuLaw is a law over them, in the order in which they have been reached.
type tabuLaw struct {
	states []tabuState
	p      []float64
	place  map[tabuState]int
}

func (l *tabuLaw) add(s tabuState, p float64) {
	i, known := l.place[s]
	if !known {
		i = len(l.p)
		l.place[s] = i
		l.states, l.p = append(l.states, s), append(l.p, 0)
	}
	l.p[i] += p
}

// AppendRow appends an entry for every state within so many steps. It adds up the ways that lead to the same state and set after each step.
func (k Tabu) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	law := tabuLaw{place: map[tabuState]int{}}
	for axes := range uint(k.sets()) {
		law.add(tabuState{x, axes}, 1/float64(k.sets()))
	}
	var here outlook
	logZ := map[tabuState]float64{} // log Z of what has been asked for
	for range k.Steps {
		before := law
		law = tabuLaw{place: make(map[tabuState]int, len(before.p))}
		for i, s := range before.states {
			k.step(&law, s, before.p[i], logf, &here, logZ)
		}
	}
	ends := tabuLaw{place: map[tabuState]int{}}
	for i, s := range law.states {
		ends.add(tabuState{s.x, 0}, law.p[i])
	}
	for i, s := range ends.states {
		if ends.p[i] > 0 {
			dst = append(dst, chains.Entry{To: s.x, P: ends.p[i]})
		}
	}
	return dst
}

// step adds to a law what a step makes of a state that has probability p.
func (k Tabu) step(law *tabuLaw, s tabuState, p float64, logf []float64, here *outlook, logZ map[tabuState]float64) {
	here.look(allowed{k, s.axes}, logf, s.x)
	refused := 0.0
	if len(here.ways) == 0 {
		refused = 1
	}
	for i, to := range here.ways {
		back := tabuState{to.y, k.turned(s.axes) | 1<<to.axis}
		from, known := logZ[back]
		if !known {
			var there outlook
			there.look(allowed{k, back.axes}, logf, to.y)
			from = there.logZ
			logZ[back] = from
		}
		refused += here.p[i] * metropolisRefuse(from, here.logZ+to.tilt)
		if accepted := p * here.p[i] * metropolisAccept(from, here.logZ+to.tilt); accepted > 0 {
			law.add(tabuState{to.y, s.axes &^ (1 << to.axis)}, accepted)
		}
	}
	if refused > 0 {
		law.add(tabuState{s.x, k.turned(s.axes)}, p*refused)
	}
}

// States returns the number of states of the space.
func (k Tabu) States() int { return k.Space.States() }

// String returns the selector "tabu:", the number of steps and the rule.
func (k Tabu) String() string { return fmt.Sprintf("tabu:%d:%s", k.Steps, k.Rule) }

// Library returns the Word of the library for this type: it leaves its distribution invariant and knows its time reversal.
func (k Tabu) Library() library.Word { return library.For(k) }

// Visited returns the number of states with a set that a row begins with, in every step.
func (k Tabu) Visited() int { return k.Steps * k.sets() }

// Evaluations returns how often a move asks for log f at most, where its values at a state and at all that differ from it on one axis are kept:
// in every step at all that differ on one axis from the proposed state.
func (k Tabu) Evaluations() float64 {
	return float64(k.Steps * OtherValues{k.Space}.Directions())
}

func tabuForm() kernelForm {
	return kernelForm{
		Syntax: "tabu:STEPS[:RULE]", Doc: "so many locally balanced changes of one axis (by sqrt, barker or min) that do not go back on an axis just changed, then all is forgotten; needs a grid of at most 10 axes", Source: "Power and Goldman 2019", Example: "tabu:3:sqrt", Missing: "the number of steps of a move", Reversible: true,
		Others: []string{"tabu-sampler", "non-backtracking", "power-goldman"},
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			count, rule := args.Cut()
			if rule == "" {
				rule = "sqrt"
			}
			steps, err := selector.ParseWhole(count, 1, maxTabuSteps)
			if err == nil {
				rule, err = parseRule(rule)
			}
			if err != nil {
				return nil, args.Wrap(err)
			}
			space, err := on.lattice("changes one axis at a time")
			switch {
			case err != nil:
				return nil, args.Wrap(err)
			case space.Dims() > maxTabuAxes:
				return nil, args.Errorf("the grid has %d axes, and a row of this kernel is a sum over all sets of axes; it takes at most %d (balanced:sqrt:flip takes any number)", space.Dims(), maxTabuAxes)
			}
			return Tabu{space, steps, rule}, nil
		},
	}
}
