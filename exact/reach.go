package exact

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/exact/internal/operator"
	"breadboard/exact/internal/stage"
	"breadboard/exact/kernel"
)

// Reach describes the classes of states between which the kernel of an annealing never moves, at
// any stage, and their effect on J. A chain stays in the class in which it starts, for any T. Let
// a_i be the mass of class i under the initial distribution, and so under the output, and c_i its
// mass under the target. The divergence of these masses is at most that of the distributions:
//
//	J >= sum over the classes of (a_i - c_i) (log a_i - log c_i)
//
// which is +Inf if one of the two masses is zero. B is at least J. If the kernel is irreducible on
// every class, then as T grows and steps become small the output tends to the target within each
// class, and J and B to this sum. So the width B of the bounds of bidirectional Monte Carlo does
// not vanish.
//
// Source: Kullback 1959, section 2.4 (a function of the data never adds to a divergence); the limit
// is the adiabatic theorem for chains, applied to each class.
type Reach struct {
	// the number of the class of each state, and -1 if all distributions after the first are zero
	Of      []int32
	Classes []Class // in the order of their first states
	Floor   float64 // the sum, in nats
	// Kept says that the masses of the initial distribution stay in their classes. If it is false,
	// chains have been at zeros of a later distribution, from which they may have moved to any
	// class: Class.Start is then the mass of the output, and Floor holds for this T.
	Kept bool
	// EveryT says that J is at least Floor at every T, since a kernel of the library has the same
	// classes for all T.
	EveryT bool
	// Limit says that J tends to Floor as T grows. It is true only if that is proven: the kernel is
	// of the library and irreducible on every class, and all distributions are positive on the same
	// states.
	Limit bool
}

// Class is a set of states that the kernel never leaves and never enters.
type Class struct {
	States int     // the number of its states
	Start  float64 // its mass under the initial distribution (see Reach.Kept)
	Target float64 // its mass under the target
}

// explorer finds the classes of an annealing while its stages are loaded one after another.
type explorer struct {
	sets *kernel.Sets
	on   []bool // where p_t is positive
	// apart says that two distributions next to each other are not positive on the same states.
	apart bool
	leaks bool // whether a row has led to a state of probability zero, so that the classes are unknown
}

// newExplorer returns the explorer of an annealing before the first stage; nil if all states are
// sure to be in one class.
func newExplorer(a *chains.Annealing) *explorer {
	if k := a.Kernel(); !a.Path().Zeros() && k != nil && operator.JoinsAll(k) {
		return nil
	}
	return &explorer{sets: kernel.NewSets(a.States()), on: make([]bool, a.States())}
}

// visit joins what the kernel of a stage joins. A kernel of the library joins the same states
// wherever the same states are positive, so that it is examined once for each such set, until all
// states are joined. The rows of any other kernel, and of one whose clusters depend on the
// distribution, are examined at every stage until then.
func (e *explorer) visit(ctx context.Context, s *stage.Stage, first bool) error {
	if e == nil {
		return nil
	}
	changed := first || s.Partial
	e.apart = e.apart || s.Partial
	if changed {
		e.setDistribution(s.Here.On)
	}
	switch {
	case e.sets.Count() == 1:
		return nil
	case s.Outside || operator.Varies(s.Kernel):
		for _, m := range s.Moves {
			e.leaks = !e.sets.JoinRows(m.Forward.Rows, e.on) || e.leaks
		}
	case changed || s.Annealing.Kernel() == nil:
		return operator.Connect(ctx, e.sets, s.Kernel, e.on)
	}
	return nil
}

// setDistribution sets the current distribution, given if it is positive.
func (e *explorer) setDistribution(positive func(x int) bool) {
	for x := range e.on {
		e.on[x] = positive(x)
		if e.on[x] {
			e.sets.Add(x)
		}
	}
}

// explore finds the classes of an annealing whose distributions are positive everywhere, with a
// kernel of the library; nil if all states are in one.
func explore(ctx context.Context, a *chains.Annealing) (*explorer, error) {
	e := newExplorer(a)
	if e == nil {
		return nil, nil
	}
	e.setDistribution(func(int) bool { return true })
	return e, operator.Connect(ctx, e.sets, a.Kernel(), e.on)
}

// report adds the classes to a solution, if there is more than one. lost says that the forward
// chain has been at zeros of a later distribution.
func (e *explorer) report(a *chains.Annealing, s *Solution, lost bool) {
	if e == nil || e.leaks || e.sets.Count() < 2 {
		return
	}
	r := &Reach{Of: e.sets.Numbered(), Classes: make([]Class, e.sets.Count()), Kept: !lost}
	_, geometric := a.Path().(*paths.Geometric) // it is positive if both ends are, at any beta between them
	same := !e.apart && (geometric || len(a.Path().Kinks()) == 0)
	r.EveryT = r.Kept && a.Kernel() != nil && chains.OfLibrary(a.Kernel()) && !operator.Varies(a.Kernel()) &&
		(same || geometric)
	r.Limit = r.EveryT && same && operator.Irreducible(a.Kernel())
	r.computeMasses(a, s)
	s.Reach = r
	s.note("%s", r.text())
}

// computeMasses finds the masses of the classes and the floor.
func (r *Reach) computeMasses(a *chains.Annealing, s *Solution) {
	logf := make([]float64, len(r.Of))
	a.LogF(logf, a.Distributions())
	target := r.logMasses(logf)
	a.LogF(logf, 1)
	if !r.Kept {
		for x, q := range s.Output {
			logf[x] = number.Log(q)
		}
	}
	start := r.logMasses(logf)
	for _, i := range r.Of {
		if i >= 0 {
			r.Classes[i].States++
		}
	}
	var floor number.Sum
	for i := range r.Classes {
		c := &r.Classes[i]
		c.Start = math.Exp(start[i])
		c.Target = math.Exp(target[i])
		if start[i] != target[i] { // also if both are -Inf
			floor.Add((c.Start - c.Target) * (start[i] - target[i]))
		}
	}
	r.Floor = floor.Value()
}

// logMasses returns the logarithm of the mass of each class under a distribution, given its log f,
// even if the mass underflows.
func (r *Reach) logMasses(logf []float64) []float64 {
	byClass := make([][]float64, len(r.Classes))
	for x, i := range r.Of {
		if i >= 0 {
			byClass[i] = append(byClass[i], logf[x])
		}
	}
	logZ := number.LogSumExp(logf)
	masses := make([]float64, len(r.Classes))
	for i, values := range byClass {
		masses[i] = number.LogSumExp(values) - logZ
	}
	return masses
}

const (
	// alike is the floor below which the masses of the classes differ by no more than their
	// rounding.
	alike = 1e-24
	// listed is the largest number of classes whose masses a note lists.
	listed = 3
	// allDigits is the floor from which on twelve digits of it are known: masses are right to some
	// 1e-15, and their differences to 1e-15 divided by the square root of the floor.
	allDigits = 1e-5
)

// text is the note on the effect of the classes on J.
func (r *Reach) text() string {
	whose := "the initial distribution"
	states := "states"
	if !r.Kept {
		whose = "the sampler's output"
		states = "the target's states"
	}
	text := fmt.Sprintf("the kernel never moves between %d classes of %s, %s: ",
		len(r.Classes), states, r.masses(whose))
	floor := fmt.Sprintf("%.2g", r.Floor)
	if r.Floor >= allDigits {
		floor = fmt.Sprintf("%.12g", r.Floor)
	}
	where := " wherever it keeps to these classes"
	switch {
	case r.EveryT:
		where = " at every T"
	case !r.Kept:
		where = " at this T"
	}
	const cure = "; a kernel that proposes any state, as jump:0.1, joins them"
	switch {
	case r.Floor < alike && r.Limit:
		return text + "J tends to 0 all the same"
	case r.Floor < alike:
		return text + "that alone adds nothing to J"
	case math.IsInf(r.Floor, 1):
		return text + "J is +Inf" + where + cure
	case r.Limit:
		return text + "J tends to " + floor + " as T grows, and so does B" + cure
	}
	return text + "J is at least " + floor + where + cure
}

// masses describes the masses of the classes, or those of the class that adds most to the floor.
func (r *Reach) masses(whose string) string {
	if len(r.Classes) > listed {
		most := slices.MaxFunc(r.Classes, func(c, d Class) int {
			if c.adds() < d.adds() {
				return -1
			}
			return 1
		})
		return fmt.Sprintf("of which one has %.6g of %s and %.6g of the target", most.Start, whose, most.Target)
	}
	var starts, targets []string
	for _, c := range r.Classes {
		starts = append(starts, fmt.Sprintf("%.6g", c.Start))
		targets = append(targets, fmt.Sprintf("%.6g", c.Target))
	}
	return fmt.Sprintf("which have %s of %s and %s of the target", and(starts), whose, and(targets))
}

// adds returns about the term of a class in the floor.
func (c Class) adds() float64 {
	if c.Start == c.Target {
		return 0
	}
	return (c.Start - c.Target) * number.LogRatio(c.Start, c.Target)
}

// and joins two texts or more.
func and(texts []string) string {
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}
