package samplers

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"breadboard/chains/errs"
	"breadboard/exact/averages"
	"breadboard/grid"
)

// LawsOptions are the options of Laws.
type LawsOptions struct {
	N      []int
	Chains int
}

// withFunctions gives the problems that ask for no function those that this study takes by default:
// the first coordinate, and for several chains also a function with the values 0 and 1, of which
// R-hat has a distribution. That is the dominant mode if the target names one, and else whether the
// first coordinate is at most its median. On a graph, whose states have no coordinates, it is
// whether log f is, alone.
func (o *LawsOptions) withFunctions(problems []Problem) ([]Problem, error) {
	problems = slices.Clone(problems)
	for i := range problems {
		p := &problems[i]
		if len(p.Functions) > 0 {
			continue
		}
		var names []string
		if p.Toy.Lattice() != nil {
			names = []string{DefaultFunction(p.Toy)}
		}
		if o.Chains > 1 || p.Toy.Lattice() == nil {
			names = append(names, indicator(p)...)
		}
		for _, name := range names {
			f, err := ParseFunction(name, p.Toy, p.Chain)
			if err != nil {
				return nil, err
			}
			p.Functions = append(p.Functions, f)
		}
	}
	return problems, nil
}

// indicator returns the selector of a function with the values 0 and 1 on a target, if it has one.
func indicator(p *Problem) []string {
	if len(p.Toy.Mode) > 0 {
		return []string{"mode"}
	}
	f, err := ParseFunction(DefaultFunction(p.Toy), p.Toy, p.Chain)
	if err != nil || isIndicator(f.Parts[0]) {
		return nil // where it is constant, the first function is refused
	}
	part := f.Parts[0]
	values := part.Taken()
	median := 0
	below := 0.0
	for l, v := range part.Levels.Values {
		below += part.Masses[l]
		if below >= 0.5 || v >= values[len(values)-2] {
			// at most the last value but one, because all states are at or below the last
			median = l
			break
		}
	}
	return []string{fmt.Sprintf("%s<=%v", f.Name, part.Levels.Values[median])}
}

// isIndicator reports whether a function has the values 0 and 1 alone, also at states of
// probability zero, where a chain may begin.
func isIndicator(f *averages.Function) bool {
	return !slices.ContainsFunc(f.Raw, func(v float64) bool { return v != 0 && v != 1 })
}

func (o *LawsOptions) checkOptions() error {
	if len(o.N) == 0 {
		return errs.New("no number of samples; give numbers from 1 on, as in {N} 100")
	}
	for _, n := range o.N {
		if n < 1 {
			return errs.New("{N} %d; give numbers of samples from 1 on", n)
		}
	}
	if o.Chains < 1 || o.Chains > MaxChains {
		return errs.New("{chains} %d; give a number of chains from 1 to %d", o.Chains, MaxChains)
	}
	return nil
}

// checkAll fails if the distributions of a problem cannot be had.
func (o *LawsOptions) checkAll(problems []Problem) error {
	for i := range problems {
		for _, f := range problems[i].Functions {
			if err := o.validateFunction(&problems[i], f); err != nil {
				return err
			}
		}
	}
	for _, s := range Settings(problems, o.N) {
		if err := s.checkSum(); err != nil {
			return fmt.Errorf("%v: %w", &s, s.Toy.Explain(err))
		}
	}
	return nil
}

// checkSum fails if there is no distribution of the sum of a setting. If that is for its size,
// the error says for how many samples there is one.
func (s *Setting) checkSum() error {
	fails := func(n int) error { return s.Chain.CheckSumLaw(s.Function.Parts[0], s.Start.Law, n) }
	err := fails(int(s.N))
	if large, is := errors.AsType[grid.TooLarge](err); is {
		if most := sort.Search(int(s.N)-1, func(i int) bool { return fails(i+1) != nil }); most > 0 {
			large.Err = fmt.Errorf("%w: up to %d samples fit", large.Err, most)
		}
		return large
	}
	return err
}

// Refuse fails if a problem is too large for any kernel: the chains start from a distribution on
// all states, so that no kernel reaches fewer.
func (o *LawsOptions) Refuse(p Problem) error {
	for _, s := range p.Starts {
		if slices.Min(s.Law) == 0 {
			return nil
		}
	}
	all, err := o.withFunctions([]Problem{p})
	if err == nil && o.checkOptions() == nil {
		err = o.checkAll(all)
	}
	if large, is := errors.AsType[grid.TooLarge](err); is && large.What == "probabilities" {
		// products are fewer for other kernels
		return err
	}
	return nil // what else is wrong is found with the plan
}

// validateFunction says why the distributions of a function make no sense.
func (o *LawsOptions) validateFunction(p *Problem, f Function) error {
	if !f.IsScalar() {
		return errs.New(
			"{function} %s on %s: the distribution is that of a single function; give the coordinates one "+
				"by one, as in x0,x1",
			f.Name,
			p.Toy.Name,
		)
	}
	if o.Chains < 2 && isIndicator(f.Parts[0]) {
		return errs.New(
			"R-hat of function %s on %s compares several chains; give {chains} 2 or more, or a function "+
				"with other values than 0 and 1",
			f.Name,
			p.Toy.Name,
		)
	}
	if slices.Min(o.N) < 2 && isIndicator(f.Parts[0]) {
		return errs.New(
			"R-hat of function %s on %s needs the variance of a chain of 2 samples or more; give {N} 2 or "+
				"more, or a function with other values than 0 and 1",
			f.Name,
			p.Toy.Name,
		)
	}
	return nil
}
