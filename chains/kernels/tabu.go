package kernels

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Tabu is the sampler of Power and Goldman, which does not change back an axis that it has just
// changed, in discrete time. A move draws a set A of allowed axes, each with probability 1/2, and
// makes Steps steps. Each step proposes, among the other values of the allowed axes, y with
// probability g(f(y)/f(x))/Z_A(x), where Z_A(x) is the sum over them and g a balancing function
// (see Informed). It is accepted with min(1, Z_A(x)/Z_B(y)), where B is the complement of A with
// the changed axis: the set from which the reverse step is proposed. If the step is accepted, that
// axis leaves A. If it is rejected, or no allowed value has positive f, A becomes its complement.
// At the end A is discarded.
//
// One step takes (x, A) to (y, A without the axis) as often under f and a uniform A as it takes (y,
// B) to (x, complement of A), and a rejection takes (x, A) to (x, complement), which is its own
// reversal. So the reversal of any number of steps is the same steps between complements. The
// complement of a uniform set is uniform, so that the marginal move of x is reversible and leaves f
// invariant.
//
// From a state where f is zero proposals are as those of Informed, and always accepted. If f is the
// same on all states, a chain may return at every move, as with two steps on one axis of two
// values.
//
// Source: Power and Goldman 2019 ("Accelerated sampling on discrete spaces with non-reversible
// Markov processes"), the Tabu sampler.
type Tabu struct {
	Space *grid.Lattice
	Steps int
	Rule  string // the balancing function, as in Informed
}

// maxTabuWork bounds the work of the rows of all states: the states times the sets of axes times
// the square of the steps.
const maxTabuWork = 1 << 20

func (k Tabu) ways(dst []way, logf []float64, x int) []way {
	values := OtherValues{k.Space}
	bit := 0
	for axis := range k.Space.Dims() {
		side := k.Space.Side(axis)
		for value := range side - 1 {
			if to, is := balancedWay(k.Rule, logf, x, values.otherState(x, axis, value)); is {
				to.axis = bit
				dst = append(dst, to)
			}
		}
		if side > 1 {
			bit++
		}
	}
	return dst
}

// allow makes the outlook that of a state while a set of axes is allowed, axis k where bit k is
// one, given the ways along all axes.
func (o *outlook) allow(all []way, axes int) {
	o.ways = o.ways[:0]
	for _, to := range all {
		if axes>>to.axis&1 == 1 {
			o.ways = append(o.ways, to)
		}
	}
	o.setProbabilities()
}

// sets returns the number of sets of axes, without those of length one.
func (k Tabu) sets() int {
	sets := 1
	for axis := range k.Space.Dims() {
		sets <<= min(1, k.Space.Side(axis)-1)
	}
	return sets
}

// turned returns the complement of a set of axes.
func (k Tabu) turned(axes int) int { return k.sets() - 1 - axes }

// Move draws the set, and makes the steps.
func (k Tabu) Move(c chains.Chooser, logf []float64, x int) int {
	axes := c.Uniform(k.sets())
	var here, there outlook
	for range k.Steps {
		here.allow(k.ways(nil, logf, x), axes)
		if len(here.ways) == 0 {
			axes = k.turned(axes)
			continue
		}
		to := here.ways[c.Choose(here.p)]
		there.allow(k.ways(nil, logf, to.y), k.turned(axes)|1<<to.axis)
		if c.Flip(metropolisAccept(0, here.z.minus(there.z)+to.tilt)) {
			x = to.y
			axes = axes &^ (1 << to.axis)
		} else {
			axes = k.turned(axes)
		}
	}
	return x
}

// tabuState is a state that a row has reached. It holds its ways along all axes and, for each
// allowed set, log Z (NaN if not yet computed) and the probabilities before and after a step.
type tabuState struct {
	x       int
	ways    []way
	z       []logZ
	p, next []float64
}

// tabuRow holds the states that a row has reached, in the order in which it has.
type tabuRow struct {
	Tabu
	logf        []float64
	states      []*tabuState
	place       map[int]*tabuState
	here, there outlook
}

func (r *tabuRow) rowState(x int) *tabuState {
	s, known := r.place[x]
	if !known {
		n := r.sets()
		s = &tabuState{x, r.ways(nil, r.logf, x), slices.Repeat([]logZ{{coarse: math.NaN()}}, n),
			make([]float64, n), make([]float64, n)}
		r.states, r.place[x] = append(r.states, s), s
	}
	return s
}

// AppendRow appends an entry for every state within Steps steps. After each step it merges paths
// that lead to the same state and set.
func (k Tabu) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	r := tabuRow{Tabu: k, logf: logf, place: map[int]*tabuState{}}
	for axes := range r.rowState(x).p {
		r.rowState(x).p[axes] = 1 / float64(k.sets())
	}
	for range k.Steps {
		for _, s := range r.states {
			for axes, p := range s.p {
				if p > 0 {
					r.stepState(s, axes, p)
				}
			}
		}
		for _, s := range r.states {
			s.p, s.next = s.next, s.p
			clear(s.next)
		}
	}
	for _, s := range r.states {
		total := 0.0
		for _, p := range s.p {
			total += p
		}
		if total > 0 {
			dst = append(dst, chains.Entry{To: s.x, P: total})
		}
	}
	return dst
}

// stepState adds the transitions from a state and a set of probability p to the probabilities after
// a step.
func (r *tabuRow) stepState(s *tabuState, axes int, p float64) {
	turned := r.turned(axes)
	refused := 0.0
	r.here.allow(s.ways, axes)
	if len(r.here.ways) == 0 {
		refused = 1
	}
	for i, to := range r.here.ways {
		y := r.rowState(to.y)
		back := turned | 1<<to.axis
		if math.IsNaN(y.z[back].coarse) {
			r.there.allow(y.ways, back)
			y.z[back] = r.there.z
		}
		rise := r.here.z.minus(y.z[back]) + to.tilt
		refused += r.here.p[i] * metropolisRefuse(0, rise)
		y.next[axes&^(1<<to.axis)] += p * r.here.p[i] * metropolisAccept(0, rise)
	}
	s.next[turned] += p * refused
}

// States returns the number of states of the space.
func (k Tabu) States() int { return k.Space.States() }

// String returns the selector "tabu:", the number of steps and the rule.
func (k Tabu) String() string { return fmt.Sprintf("tabu:%d:%s", k.Steps, k.Rule) }

// Evaluations returns the largest number of evaluations of log f in a move that keeps the values at
// a state and at all states that differ from it on one axis. Every step evaluates those of the
// proposed state.
func (k Tabu) Evaluations() float64 {
	return float64(k.Steps * OtherValues{k.Space}.Directions())
}

// tabuProducts is the measured time of one way from one state and set, in products.
const tabuProducts = 60

// Products returns about how many products take as long as a row does: of each step those of the
// states that it may start from, their sets, and half of all ways.
func (k Tabu) Products() (products float64) {
	ways := float64(OtherValues{k.Space}.Directions())
	last := 1.0 // the states that a number of steps lead to, and all that up to this number do
	reached := 1.0
	for step := range k.Steps {
		products += reached * float64(k.sets()) * ways / 2 * tabuProducts
		last *= max(0, ways-float64(step)) / float64(step+1)
		reached = min(reached+last, float64(k.States()))
	}
	return products
}

func tabuForm() kernelForm {
	return kernelForm{
		Syntax:     "tabu:STEPS[:RULE]",
		Doc:        "tabu sampler: STEPS locally balanced changes of different axes; needs a grid of few axes",
		Source:     "Power and Goldman 2019",
		Example:    "tabu:3:sqrt",
		Missing:    "the number of steps of a move",
		Reversible: true,
		Others:     []string{"tabu-sampler", "non-backtracking", "power-goldman"},
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			count, rule := args.Cut()
			if rule == "" {
				rule = "sqrt"
			}
			steps, err := selector.ParseWhole(count, 1, 64)
			if err == nil {
				rule, err = parseRule(rule)
			}
			var space *grid.Lattice
			if err == nil {
				space, err = on.lattice("changes one axis at a time")
			}
			if err != nil {
				return nil, args.Wrap(err)
			}
			if most := math.Sqrt(maxTabuWork /
				(float64(space.States()) * float64(Tabu{Space: space}.sets()))); float64(steps) > most {
				fewer := fmt.Sprintf("at most %d steps do not", int(most))
				if most < 1 {
					fewer = "so does one step"
				}
				return nil, grid.TooLarge{What: "steps", Need: float64(steps), Limit: most, Err: args.Errorf(
					"a row is a sum over all sets of the %d axes, and %d steps on %d states take too "+
						"long; %s (balanced:sqrt:flip runs on any grid)",
					space.Dims(),
					steps,
					space.States(),
					fewer,
				)}
			}
			return Tabu{space, steps, rule}, nil
		},
	}
}
