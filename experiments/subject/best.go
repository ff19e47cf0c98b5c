package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"breadboard/chains/number"
	"breadboard/chains/sites"
	"breadboard/toys/ground"
	"breadboard/toys/networks"
)

// Goal is the target of an annealing on factors as an objective to maximise.
type Goal struct {
	Whole *sites.Model // the product of all factors, including those of the start
	Based bool         // whether log f of the chains (sites.Crowd) lacks some of the factors
	// a bound on the absolute value of any sum of logarithms of factors (nats), without zeros
	Scale float64
}

// Goal returns the target.
func (f *Factored) Goal() (g Goal, err error) {
	whole := *f
	whole.base, whole.rest = nil, append(slices.Clone(f.base), f.rest...)
	g.Based = f.base != nil
	g.Whole, err = whole.model()
	for _, factor := range whole.rest {
		largest := 0.0
		for _, v := range factor.Values {
			if v > 0 {
				largest = max(largest, math.Abs(number.Log(v)))
			}
		}
		g.Scale += largest
	}
	return g, err
}

// Problem names the optimisation problem: toys with the same one have the same best states.
func (f *Factored) Problem() string {
	if f.Energy != nil {
		return f.Energy.Problem()
	}
	return f.Target
}

// Optimum is the best known state of a target.
type Optimum struct {
	State  []uint8 // a best state, the value of each free variable; nil if no state is known
	States float64 // the number of best states; NaN if it is not known
	LogP   float64 // the log probability of these states under the target; NaN if it is not known
	How    string  // how it was found
	Open   error   // the reason why it is not proven that no state is better; nil if it is
}

// DefaultMemory is the memory, in bytes, that elimination may take by default.
const DefaultMemory = networks.DefaultMemory

// Optima finds optima, each problem's once, also for toys that differ only in a factor of the
// energy. The zero value is ready for use.
type Optima struct {
	Memory  float64 // the bytes that elimination may take; 0 for networks.DefaultMemory
	Workers int     // the number of goroutines; 0 is one for each processor
	// Share converts the progress of a number of parts to a number of steps; see study.How.
	Share func(steps, parts int) (add func(int), done func())
	mu    sync.Mutex
	known map[string]*knownOptimum
}

// findSteps is what finding an optimum reports as progress.
const findSteps = 1000

// Steps returns the progress steps of finding the optimum of a target: none from the second target
// of a problem on.
func (o *Optima) Steps(f *Factored) int {
	if _, known := o.takeOptimum(f); known {
		return 0
	}
	return findSteps
}

// takeOptimum returns the optimum of the problem of a target, and whether it was asked for before.
func (o *Optima) takeOptimum(f *Factored) (k *knownOptimum, before bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.known == nil {
		o.known = map[string]*knownOptimum{}
	}
	name := f.Problem()
	k, before = o.known[name]
	if !before {
		k = &knownOptimum{}
		o.known[name] = k
	}
	return k, before
}

// knownOptimum is an optimum with what its probability is computed from.
type knownOptimum struct {
	once sync.Once
	Optimum
	found  *ground.Found       // nil if elimination has found it
	last   *networks.Inference // what that has found of target
	target string
	err    error
}

// OptimumOf returns the optimum of the target.
func (o *Optima) OptimumOf(ctx context.Context, f *Factored, g Goal) (Optimum, error) {
	k, _ := o.takeOptimum(f)
	k.once.Do(func() { k.err = k.findOptimum(ctx, f, g, o) })
	if k.err != nil {
		return Optimum{}, k.err
	}
	out := k.Optimum
	if k.found != nil {
		out.LogP = k.found.LogShare(f.problemBeta())
		return out, nil
	}
	out.LogP = math.NaN()
	if math.IsNaN(out.States) {
		return out, nil
	}
	z := k.last.LogZ
	if f.Target != k.target {
		again, err := f.Query.Infer(ctx, networks.Outputs{Memory: o.Memory})
		if err != nil {
			return out, err
		}
		z = again.LogZ
	}
	out.LogP = min(0, number.Log(out.States)+g.Whole.LogF(func(v int) uint8 { return out.State[v] })-z)
	return out, nil
}

// findOptimum finds the optimum by elimination if its tables are few, or else by looking at all
// states if these are few, or else by a search.
func (k *knownOptimum) findOptimum(ctx context.Context, f *Factored, g Goal, o *Optima) error {
	p := f.quadratic()
	parts := ground.Searches
	memory := cmp.Or(o.Memory, networks.DefaultMemory)
	few := p != nil && len(p.Fields) <= ground.MostVariables
	if few {
		// larger tables take longer than a look at all states
		memory = min(memory, networks.OwnMemory+math.Ldexp(1, len(p.Fields)-2))
		parts = ground.Chunks(len(p.Fields))
	}
	add, done := o.Share(findSteps, parts)
	defer done()
	wide, err := k.eliminate(ctx, f, g, memory)
	switch {
	case err != nil || wide == nil:
		return err
	case p == nil:
		k.States = math.NaN()
		k.LogP = math.NaN()
		k.Open = wide
		return nil
	case few:
		k.How = fmt.Sprintf("enumeration of all 2^%d states", len(p.Fields))
		k.found, err = p.Enumerate(ctx, o.Workers, add)
	default:
		k.How = "a tabu search"
		k.Open = wide
		k.found, err = p.Search(ctx, o.Workers, add)
	}
	if err == nil {
		k.State = k.found.State
		k.States = k.found.States
	}
	return err
}

// LeastStep returns the least difference of two values of log f that are not equal (nats); 0 if it
// is not known.
func (f *Factored) LeastStep() float64 {
	if p := f.quadratic(); p != nil {
		return p.Unit() * f.problemBeta()
	}
	return 0
}

// Cure returns the memory with which elimination would prove the optimum; empty if none would.
func (o *Optimum) Cure() string {
	if wide, is := errors.AsType[*networks.TooWide](o.Open); is {
		return wide.Enough()
	}
	return ""
}

// eliminate finds the optimum by elimination. If the tables do not fit, wide says why.
func (k *knownOptimum) eliminate(ctx context.Context, f *Factored, g Goal, memory float64) (wide, err error) {
	found, err := f.Query.Infer(ctx, networks.Outputs{Best: true, Memory: memory})
	wide, err = tooWide(err)
	if wide != nil || err != nil {
		return wide, err
	}
	k.How = "elimination"
	k.last = found
	k.target = f.Target
	for _, v := range f.free {
		k.State = append(k.State, uint8(found.Best[v]))
	}
	k.States, err = f.countBest(ctx, g, k.State, memory)
	if err == nil && math.IsNaN(k.States) {
		k.States, err = f.countAll(ctx)
	}
	return nil, err
}

// countAll returns how many states have the largest log f by a look at all states; NaN if that
// takes more than a second or two.
func (f *Factored) countAll(ctx context.Context) (float64, error) {
	const fast = 28
	p := f.quadratic()
	if p == nil || len(p.Fields) > fast {
		return math.NaN(), nil
	}
	found, err := p.Enumerate(ctx, 0, nil)
	if err != nil {
		return math.NaN(), err
	}
	return found.States, nil
}

// StateText names a state of the free variables: by one character for each if their values have
// such names, and else in the form of evidence.
func (f *Factored) StateText(state []uint8) string {
	if f.Energy != nil {
		return f.Energy.WriteState(state)
	}
	var short, long []string
	for i, v := range f.free {
		variable := f.Query.Variables[v]
		label := variable.Labels[state[i]]
		short, long = append(short, label), append(long, variable.Name+"="+label)
	}
	if slices.ContainsFunc(short, func(label string) bool { return len(label) != 1 }) {
		return strings.Join(long, "+")
	}
	return strings.Join(short, "")
}

// countBest returns how many states have the largest log f, of which one is given: log Z less that
// at a power so high that other states, which are a unit below, have no part in it. It is NaN if
// there is no unit, or if rounding hides the number.
func (f *Factored) countBest(ctx context.Context, g Goal, state []uint8, memory float64) (float64, error) {
	unit := f.LeastStep()
	if unit == 0 {
		return math.NaN(), nil
	}
	const hidden = 40 // nats
	power := (f.Query.LogStates() + hidden) / unit
	var factors []networks.Factor
	for _, one := range f.Query.Clamped() {
		logs := make([]float64, len(one.Values))
		for i, v := range one.Values {
			logs[i] = power * number.Log(v)
		}
		more, err := networks.LogFactor(one.Scope, logs)
		if err != nil {
			return math.NaN(), nil // the power is too high
		}
		factors = append(factors, more...)
	}
	found, err := f.Query.Product(ctx, factors, networks.Outputs{Memory: memory})
	if wide, other := tooWide(err); wide != nil || other != nil {
		return math.NaN(), other
	}
	const rounding = 0x1p-50
	count := math.Exp(found.LogZ - power*g.Whole.LogF(func(v int) uint8 { return state[v] }))
	if count*rounding*power*g.Scale > 0.25 {
		return math.NaN(), nil
	}
	return math.Round(count), nil
}

// problemBeta returns what the function of quadratic is multiplied by in -log f.
func (f *Factored) problemBeta() float64 {
	if f.Energy != nil {
		return f.Energy.Beta()
	}
	return 1
}

// quadratic returns what is least where log f is largest, as a quadratic function of variables that
// are 0 or 1; nil if log f is none.
func (f *Factored) quadratic() *ground.Problem {
	p := &ground.Problem{}
	if f.Energy != nil {
		p.Fields, p.Pairs = f.Energy.Quadratic()
		return p
	}
	place := map[int]int{}
	for i, v := range f.free {
		place[v] = i
		if len(f.Query.Variables[v].Labels) != 2 {
			return nil
		}
		p.Fields, p.Pairs = append(p.Fields, 0), append(p.Pairs, make([]float64, i))
	}
	for _, one := range f.Query.Clamped() {
		var free []int
		for _, v := range one.Scope {
			if i, is := place[v]; is {
				free = append(free, i)
			}
		}
		if !addQuadratic(p, free, one.Values) {
			return nil
		}
	}
	return p
}

// addQuadratic takes the logarithms of a factor over at most two variables, the last fastest, from
// a function. It reports whether it can.
func addQuadratic(p *ground.Problem, free []int, values []float64) bool {
	if len(free) > 2 || len(values) != 1<<len(free) || slices.Min(values) == 0 {
		return false
	}
	at := func(k int) float64 { return number.Log(values[k]) }
	switch len(free) {
	case 1:
		p.Fields[free[0]] -= at(1) - at(0)
	case 2:
		p.Fields[free[0]] -= at(2) - at(0)
		p.Fields[free[1]] -= at(1) - at(0)
		p.Pairs[max(free[0], free[1])][min(free[0], free[1])] -= at(3) - at(2) - at(1) + at(0)
	}
	return true
}
