package subject

import (
	"context"
	"fmt"
	"math"
	"time"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/exact"
	"breadboard/experiments/placement"
	"breadboard/grid"
	"breadboard/reports/columns"
)

// Question is a question with one row of numbers for each case as its answer, so that a sweep can
// ask it for every combination of parameters. It has everything that the sweep, its tables, its
// figures and its help need.
type Question struct {
	Name string // the name of the command that answers the same question
	// Parameters are all parameters of the study's cases, in the order in which a sweep walks its
	// grid: those of Parameters that the study has, and then its own.
	Parameters []Parameter
	Values     []Value
	// Build makes the cases of the study's parameters. It is nil for a study of annealings, for
	// which SelectionOf is used.
	Build func(ctx context.Context, in Reader, params Params) ([]Case, error)
	// Solve returns the stored numbers of a case, in the order of Stored, and a note. It works in
	// the calling goroutine only, so that a panic can be recovered from, and its result depends
	// only on its arguments. The parameters are those of the study, including the toy, in canonical
	// form.
	Solve func(ctx context.Context, c *Case, params Params) (Reply, error)
	// Cost estimates the seconds and bytes that Solve takes on one core. It is nil for a study that
	// costs as much as an exact solution. A study without toys has one, and gets only the
	// parameters.
	Cost func(Size) Cost
}

// Value is a number in a study's answer: a column of its results that a sweep keeps.
type Value struct {
	columns.Column
	columns.Kept
	// Of computes the number from those that are stored, in the order of Stored. It is nil for a
	// number that is stored itself.
	Of func(stored []float64) float64
}

// Reply is the answer of a study for one case: the stored numbers, and a note on their digits or
// meaning.
type Reply struct {
	Numbers []float64
	Note    string
}

// Size has the inputs of a cost estimate.
type Size struct {
	Params        Params // of the study
	Distributions int
	States        int
	Sites         int  // of a case on factors, the number of its variables; else 0
	Solution      Cost // of one exact solution of the case
	// of one by the general method, which studies of more than an exact solution always use
	General Cost
	Placing Cost // of placing the distributions
	// Fits returns the option that has a part of the seconds, as in {scans} 100; nil if none does.
	Fits    func(part float64) string
	Columns columns.Wanted
	Unmade  bool // whether the toy is not made yet; the size is checked again once it is
}

func sizeOf(params Params, T int, k chains.Kernel, space grid.Graph, target []float64) Size {
	solution := CostOf(exact.WorkOf(k, space, target), T)
	general := CostOf(exact.GeneralWorkOf(k, space, target), T)
	solution.Seconds += StartSeconds * float64(space.States())
	path := params.Get("path")
	if _, path = selector.SplitName(path); path != "" && path != "geometric" {
		solution.Seconds += pathSeconds * float64(T) * float64(space.States())
	}
	s := Size{Params: params, Distributions: T, States: space.States(), Solution: solution, General: general}
	s.Placing.Seconds, s.Placing.Bytes = placement.Cost(params.Get("schedule"), T, s.States, general.Seconds)
	return s
}

// StartSeconds is the measured time, for each state, of making and checking a case and of its first
// distribution, in seconds.
const StartSeconds = 1e-6

// pathSeconds is the measured time of a distribution on a path that is not geometric, for each
// state, beyond that of a step.
const pathSeconds = 80e-9

// SlowStates is the number of states above which making a toy takes long.
const SlowStates = 1 << 20

// CostOf returns the cost of a solution with T distributions.
func CostOf(w exact.Work, T int) Cost {
	return Cost{Seconds: w.Start + w.Seconds*float64(max(1, T-1)), Bytes: w.Bytes}
}

// Part returns the size on a part of the states.
func (s Size) Part(part float64) Size {
	s.States = int(part * float64(s.States))
	for _, c := range []*Cost{&s.Solution, &s.General, &s.Placing} {
		c.Seconds = part * c.Seconds
		c.Bytes = part * c.Bytes
	}
	return s
}

// Cost is what a computation takes on one core of the machine on which the README's times were
// measured.
type Cost struct {
	Seconds, Bytes float64
	Kept           float64 // bytes of kept distributions, at most kernel.MaxBytes
	Late           error   // why too much time is taken, unless options are refused; nil if not
}

// Time returns the seconds as a duration.
func (c Cost) Time() time.Duration { return time.Duration(c.Seconds * float64(time.Second)) }

// Stored returns the stored values of each case. The others are computed from them.
func (s *Question) Stored() []Value {
	var out []Value
	for _, v := range s.Values {
		if v.Of == nil {
			out = append(out, v)
		}
	}
	return out
}

// Value returns a named value from the stored numbers. It panics for an unknown name.
func (s *Question) Value(name string, stored []float64) float64 {
	place := 0 // of the next value that is stored
	for i := range s.Values {
		v := &s.Values[i]
		switch {
		case v.Name == name && v.Of != nil:
			return v.Of(stored)
		case v.Name == name:
			return stored[place]
		case v.Of == nil:
			place++
		}
	}
	panic("experiments: the study " + s.Name + " has no value " + name)
}

// Own returns the parameters of the study that are not part of a case.
func (s *Question) Own() []Parameter {
	var out []Parameter
	for _, p := range s.Parameters {
		if !p.Built() {
			out = append(out, p)
		}
	}
	return out
}

// Validate returns an error if a reply cannot be an outcome of the study: if a number is missing or
// out of range.
func (s *Question) Validate(o Reply) error {
	place := 0 // of the next number
	for i := range s.Values {
		v := &s.Values[i]
		if v.Of != nil {
			continue
		}
		if place == len(o.Numbers) {
			return fmt.Errorf("it has no %s", v.Name)
		}
		x := o.Numbers[place]
		place++
		if v.Missing && math.IsNaN(x) {
			continue
		}
		if err := v.InRange(x); err != nil {
			return err
		}
	}
	if place < len(o.Numbers) {
		return fmt.Errorf("it has %d numbers, and the study %s has %d", len(o.Numbers), s.Name, place)
	}
	return nil
}

// InRange returns an error if x cannot be the value.
func (v *Value) InRange(x float64) error {
	if !(x >= v.Low && x <= v.High) {
		return fmt.Errorf("its %s is %v, which is not from %v to %v", v.Name, x, v.Low, v.High)
	}
	return nil
}

// SolveRow solves the case with these parameters. A panic becomes an error.
func (s *Question) SolveRow(ctx context.Context, in Reader, params Params) (o Reply, err error) {
	return s.RowOf(ctx, params, func(ctx context.Context) ([]Case, error) { return s.Cases(ctx, in, params) })
}

// Cases makes the cases with these parameters.
func (s *Question) Cases(ctx context.Context, in Reader, params Params) ([]Case, error) {
	if s.Build != nil {
		return s.Build(ctx, in, params)
	}
	return in.SelectionOf(params).Cases(ctx)
}

// RowOf is SolveRow for the first of the cases that build returns.
func (s *Question) RowOf(ctx context.Context, params Params,
	build func(context.Context) ([]Case, error)) (o Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	cases, err := build(ctx)
	if err != nil {
		return Reply{}, err
	}
	return s.Solve(ctx, &cases[0], params)
}

// Bounds are exact values of an annealing, in nats.
type Bounds struct {
	J, B             float64
	Forward, Reverse float64 // the mean log weights
	LogZ             float64 // log(Z_T/Z_1)
}

// CheckAgreement returns an error if the values, of an annealing with T distributions, contradict
// each other: B is at least J, and is the difference of the mean log weights, which enclose
// log(Z_T/Z_1). The tolerances are those of exact.Check. Equal infinities agree.
func (v Bounds) CheckAgreement(T int) error {
	relative := exact.IdentityTolerance(T)
	if !atMost(v.J, v.B, relative*(1+v.J)) {
		return fmt.Errorf("its B is %v and its J %v, but B must be at least J", v.B, v.J)
	}
	scale := relative * (1 + finite(v.Forward) + finite(v.Reverse))
	apart := v.Reverse - v.Forward
	switch {
	case !Near(v.B, apart, scale):
		return fmt.Errorf("its B is %v, and its mean log weights %v and %v are %v apart",
			v.B, v.Forward, v.Reverse, apart)
	case !atMost(v.Forward, v.LogZ, scale) || !atMost(v.LogZ, v.Reverse, scale):
		return fmt.Errorf("its log_z_ratio is %v, not between its mean log weights %v and %v",
			v.LogZ, v.Forward, v.Reverse)
	}
	return nil
}

// Near reports whether two numbers are the same infinity or differ by at most a tolerance.
func Near(a, b, tolerance float64) bool {
	return a == b || !math.IsInf(a, 0) && !math.IsInf(b, 0) && math.Abs(a-b) <= tolerance
}

// atMost reports whether a is at most b, or above it by a tolerance at most.
func atMost(a, b, tolerance float64) bool { return a <= b || Near(a, b, tolerance) }

// finite returns the size of a number, and nothing for an infinite one, which has no rounding.
func finite(v float64) float64 {
	if math.IsInf(v, 0) {
		return 0
	}
	return math.Abs(v)
}
