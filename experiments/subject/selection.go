// Package subject turns selectors into the cases of a study. It never prints, draws random numbers
// or reads flags. The files, in the order in which a study uses them:
//
//	parameter.go   the parameters that describe a case, with their defaults and ranges
//	selection.go   selectors of toys, T, path, schedule and kernel become cases
//	quotient.go    classes of symmetric states instead of the states
//	case.go        one annealing with its parameters and columns
//	factored.go    products of factors that are too large to list
//	crossed.go     every case with every setting of an option
//	key.go         the text that identifies a case, for a store of results
//	reader.go      how selectors are read: programs, limits and doubts
//	question.go    the part of a study that sweeps use
//	parallel.go    jobs on several workers, rows in their order
//	failures.go    cases without an answer, with the rows of the others
//	law.go         distributions given by name or in a file
//	best.go        the states of largest f, for studies of optimisation
package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/chains/work"
	"breadboard/exact"
	"breadboard/experiments/placement"
	"breadboard/experiments/programs"
	"breadboard/grid"
	"breadboard/toys"
)

// Selection names a family of annealings by the selectors of the command line: every toy with every
// number of distributions, along one path, schedule and kernel.
type Selection struct {
	Reader
	Toys []string // the selectors of the toys, for toys.Forms.Parse
	// the values of T; if empty, the length of a schedule from a file, or Default
	Distributions []int
	Default       []int  // the values of T if nothing else gives them; if empty, PaperDistributions
	Path          string // the selector of the path, for toys.Forms.ParsePath
	// the selector of the initial distribution, for toys.Forms.ParseInitial; if empty,
	// toys.Toy.DefaultInitial
	Initial  string
	Schedule string // the selector of the schedule, for placement.Parse
	Kernel   string // the selector of the kernel, for programs.Env.Parse
	// whether products of factors with too many states make cases too, whose algorithm is a
	// Factored
	Factored bool
	// whether cases are made on levels of log f, for kernels that never move (see
	// toys.Forms.OfLevels)
	Levels   bool
	Progress func(cases int) // called for each annealing that has been built; may be nil
}

// PaperDistributions are numbers of distributions that span Figure 3 of Grosse, Ancha and Roy
// (2016).
func PaperDistributions() []int { return []int{10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000} }

// PaperToys are the selectors of the toys of Grosse, Ancha and Roy (2016).
func PaperToys() []string { return []string{"easy", "hard", "barrier"} }

// kernel returns the selection's kernel on a toy. It fails if the kernel cannot be used in exact
// annealing.
func (s Selection) kernel(ctx context.Context, toy *toys.Toy) (*chains.Transitions, error) {
	k, err := s.ParseKernel(ctx, s.Kernel, toy)
	if err != nil {
		return nil, err
	}
	if _, only := k.Kernel().(*programs.Matrix); only {
		return nil, errs.New(
			"kernel %v is for the target alone; give a matrix for each stage, or use kernel check; see "+
				"breadboard help files",
			k,
		)
	}
	if err := CheckExact(k); err != nil {
		return nil, err
	}
	return k, nil
}

// CheckExact fails if transitions cannot have exact answers: for a program that makes its own
// choices, and for matrices of too few digits, unless their rows sum to one.
func CheckExact(k *chains.Transitions) error {
	if p, is := k.Kernel().(interface{ Samples() bool }); is && p.Samples() {
		return errs.New(
			"kernel %v makes its own random choices; exact answers need the mode choose; kernel check can test it",
			k,
		)
	}
	if r := programs.InexactOf(k); r > programs.ExactRounding {
		return errs.New(
			"kernel %v is rounded to %.1g, so its rows do not sum to one; exact answers need all digits: "+
				"write them all, or .npy",
			k,
			2*r,
		)
	}
	return nil
}

// path returns the path from the initial distribution to a toy, and that distribution. Both may be
// in files; reading them is abandoned if the context ends.
func (s Selection) path(ctx context.Context, toy *toys.Toy) (_ chains.Path, initial toys.Initial, err error) {
	from := cmp.Or(s.Initial, toy.DefaultInitial())
	var start toys.Initial
	// not a result of path, because abandoned work may still write to it after path has returned
	var found chains.Path
	var failed error
	ended := work.Unless(ctx, func() {
		start, failed = s.Forms.ParseInitial(ctx, from, toy)
		if failed == nil {
			found, failed = s.Forms.ParsePath(s.Path, start.Ends, toy)
		}
	})
	if ended != nil {
		return nil, toys.Initial{}, ended
	}
	s.tellDoubt(start.Doubt)
	return found, start, failed
}

// KernelName returns the selector of a kernel in canonical form, from the kernel itself: it is the
// same for lazy:.5 and lazy:0.5. A name that the user has given stands in front.
func KernelName(moves *chains.Transitions, text string) string {
	if k := moves.Kernel(); k != nil {
		if _, named := k.(fmt.Stringer); !named {
			return text
		}
	}
	name, _ := selector.SplitName(text)
	return selector.WithName(name, moves.String())
}

// Cases builds and validates every annealing of a selection, toy by toy. If some cannot be built it
// returns the others, with the error Failures. It fails if the context ends, also while a schedule
// that depends on the path is placed.
func (s Selection) Cases(ctx context.Context) ([]Case, error) {
	cases, err := s.readCases(ctx)
	shared := Params{{"schedule", s.Schedule}, {"kernel", s.Kernel}}
	if len(s.Toys) == 1 {
		shared = append(Params{{"toy", s.Toys[0]}}, shared...)
	}
	return cases, withParams(err, shared)
}

// readCases is Cases without the parameters of all in its error.
func (s Selection) readCases(ctx context.Context) ([]Case, error) {
	family, err := placement.Parse(s.Schedule, s.Forms.Schedules)
	if err != nil {
		return nil, err
	}
	var failed Failures
	asked := len(s.Toys)
	s, large, err := s.splitLarge(ctx, s.lengths(family))
	if err := failed.Keep(ctx, err); err != nil {
		return nil, err
	}
	if !family.OwnLength && !(s.Factored && slices.ContainsFunc(s.Toys, s.Forms.OfFactors)) {
		s.Toys, err = s.Affordable(s.Toys, []string{s.Kernel}, s.lengths(family))
		if err := failed.Keep(ctx, err); err != nil {
			return nil, err
		}
	}
	if asked > 0 && len(s.Toys) == 0 {
		return large, failed.OrNil()
	}
	listed, err := s.onToys(ctx, func(text string, toy *toys.Toy) ([]Case, error) {
		cases, err := s.casesOf(ctx, toy, family)
		if _, large := errors.AsType[grid.TooLarge](err); large && s.Factored && len(cases) == 0 {
			if others, refused := s.OnFactors(ctx, strings.TrimSpace(text)); refused == nil {
				return others, nil
			}
		}
		return cases, err
	})
	all := append(listed, large...)
	return all, failed.With(ctx, len(all), err)
}

// splitLarge returns the cases of toys that are products of factors with too many states, and the
// selection without these. If some of them have no annealing it returns the cases of the others,
// with the error Failures.
func (s Selection) splitLarge(ctx context.Context, lengths []int) (rest Selection, large []Case, err error) {
	if !s.Factored {
		return s, nil, nil
	}
	rest = s
	rest.Toys = nil
	var failed Failures
	for _, text := range s.Toys {
		text = strings.TrimSpace(text)
		chained, err := s.onFactors(ctx, text)
		if err != nil {
			return rest, nil, err
		}
		refused, all := s.refusals(text, []string{s.Kernel}, lengths)
		if !chained && !all {
			rest.Toys = append(rest.Toys, text)
			continue
		}
		cases, err := s.OnFactors(ctx, text)
		if err != nil && !chained { // the states cannot be listed either
			err = refused[0].error
		}
		if err := failed.Keep(ctx, NewFailure(Params{{"toy", text}}, err)); err != nil {
			return rest, nil, err
		}
		large = append(large, cases...)
	}
	return rest, large, failed.OrNil()
}

// onToys returns the cases on every toy of a selection. If there are none on some of them it
// returns those on the others, with the error Failures.
func (s Selection) onToys(ctx context.Context,
	of func(text string, toy *toys.Toy) ([]Case, error)) (all []Case, err error) {
	if len(s.Toys) == 0 {
		return nil, errs.New("no toy is named; give one, as in {toy} barrier")
	}
	var failed Failures
	err = EachToy(ctx, s.Toys, s.toy, &failed, func(text string, toy *toys.Toy) error {
		some, err := of(text, toy)
		all = append(all, some...)
		return failed.Keep(ctx, NewFailure(Params{{"toy", toy.Name}}, err))
	})
	if err != nil {
		return nil, err
	}
	return all, failed.OrNil()
}

// toy returns the toy of a selector, on classes or on levels where the selection asks for these.
func (s Selection) toy(ctx context.Context, text string) (*toys.Toy, error) {
	if !s.Levels {
		return s.ReadToy(ctx, text)
	}
	many, err := s.TooMany(ctx, text)
	switch {
	case err != nil:
		return nil, err
	case !many:
		return s.ReadToy(ctx, text)
	case s.Path != "geometric" || s.Initial != "" && s.Initial != uniform:
		return nil,
			errs.New("toy %s has too many states to list; its levels of log f can be counted only for {path} "+
				"geometric and {initial} uniform; give these",
				text)
	}
	return s.Forms.OfLevels(ctx, text)
}

// On builds and validates the annealings of the selection to a given toy.
func (s Selection) On(ctx context.Context, toy *toys.Toy) ([]Case, error) {
	family, err := placement.Parse(s.Schedule, s.Forms.Schedules)
	if err != nil {
		return nil, err
	}
	return s.casesOf(ctx, toy, family)
}

// casesOf builds and validates the annealings to one toy.
func (s Selection) casesOf(ctx context.Context, toy *toys.Toy, family placement.Family) ([]Case, error) {
	path, initial, err := s.path(ctx, toy)
	if err != nil {
		return nil, toy.Explain(err)
	}
	if err := exact.ValidatePath(path); err != nil {
		return nil, fmt.Errorf("toy %s: %w", toy.Name, err)
	}
	kernel, name, err := s.makeKernel(ctx, toy)
	if err != nil {
		return nil, err
	}
	called, _ := selector.SplitName(s.Path)
	names := Setting{selector.WithName(called, path.String()), initial.Name, family.Name, name, 0}
	lengths := s.lengths(family)
	refused := make([]error, len(lengths)) // before the ground of the schedule is measured
	for i, T := range lengths {
		names.T = T
		if T > 0 {
			refused[i] = s.affords(toy, kernel, names)
		}
	}
	var placed placement.Placement
	if slices.Contains(refused, nil) {
		placed, err = place(ctx, toy, family, path, kernel)
		if err != nil {
			return nil, err
		}
	}
	var cases []Case
	var failed Failures
	for i, T := range lengths {
		var c Case
		err := refused[i]
		names.T = T
		if err == nil {
			c, err = s.onPath(ctx, toy, path, kernel, placed, names)
		}
		if err := failed.Keep(ctx, NewFailure(Params{{"toy", toy.Name}, {"T", strconv.Itoa(T)}}, err)); err != nil {
			return nil, err
		}
		if err != nil {
			continue
		}
		cases = append(cases, c)
		if s.Progress != nil {
			s.Progress(1)
		}
	}
	return cases, failed.OrNil()
}

// place returns where a family of schedules has its distributions on a path to a toy.
func place(ctx context.Context, toy *toys.Toy, family placement.Family, path chains.Path,
	kernel *chains.Transitions) (placement.Placement, error) {
	ground := placement.NewGround(path, kernel, 1)
	ground.Classes = toy.Members != nil
	placed, err := family.OnGround(ctx, ground)
	if err != nil && toy.Levels {
		err = fmt.Errorf("no kernel moves on levels of log f, so schedules that depend on moves cannot be used: %w",
			err)
	}
	if err != nil {
		return placed, fmt.Errorf("toy %s: %w", toy.Name, toy.Explain(err))
	}
	return placed, nil
}

// affords fails if an annealing of a toy is refused for its size.
func (r Reader) affords(toy *toys.Toy, kernel *chains.Transitions, names Setting) error {
	if toy.Levels {
		return nil
	}
	return r.CheckSize(names.Params(), names.T, kernel.Kernel(), toy)
}

// makeKernel returns the kernel of the selection on a toy, and its name. On levels none moves, and
// one that stays has the name.
func (s Selection) makeKernel(ctx context.Context,
	toy *toys.Toy) (kernel *chains.Transitions, name string, err error) {
	if toy.Levels {
		space, err := grid.New(2, 2)
		if err != nil {
			return nil, "", err
		}
		kernel, err = s.kernel(ctx, &toys.Toy{Space: space})
		if err != nil {
			return nil, "", err
		}
		name = KernelName(kernel, s.Kernel)
		s.Kernel = "stay"
	}
	kernel, err = s.kernel(ctx, toy)
	if err == nil && name == "" {
		name = KernelName(kernel, s.Kernel)
	}
	return kernel, name, RefusedOnClasses(err, toy)
}

// onPath builds and validates an annealing of a toy along a path with the names of a setting. Its T
// is that of the schedule, if that has its own.
func (r Reader) onPath(ctx context.Context, toy *toys.Toy, path chains.Path, kernel *chains.Transitions,
	by placement.Placement, names Setting) (none Case, err error) {
	known := names.T > 0
	placed, err := by.Place(ctx, names.T)
	if err != nil {
		return none, toy.Explain(err)
	}
	if placed.Doubt != "" {
		r.tellDoubt(fmt.Sprintf("toy %s, T = %d, schedule %s: %s", toy.Title(), names.T,
			selector.Called(names.Schedule), placed.Doubt))
	}
	if points, ok := placed.Schedule.(*schedules.Points); ok {
		names.T = points.Len()
	}
	if !known {
		if err := r.affords(toy, kernel, names); err != nil {
			return none, err
		}
	}
	a, err := chains.NewAnnealingBy(path, placed.Schedule, kernel, names.T)
	if err != nil {
		return none, err
	}
	return Unless(ctx, func() (Case, error) {
		if err := exact.Validate(a); err != nil {
			return none, fmt.Errorf("toy %s: %w", toy.Name, toy.Explain(err))
		}
		return Case{Toy: toy, Algorithm: a, Params: names.Params(), Reader: r}, nil
	})
}

// lengths returns the numbers of distributions to place; 0 asks a schedule for its own.
func (s Selection) lengths(family placement.Family) []int {
	switch {
	case len(s.Distributions) > 0:
		return s.Distributions
	case family.OwnLength:
		return []int{0}
	case len(s.Default) > 0:
		return s.Default
	}
	return PaperDistributions()
}

// OwnLength reports whether the schedule determines the number of distributions.
func (s Selection) OwnLength() (bool, error) {
	family, err := placement.Parse(s.Schedule, s.Forms.Schedules)
	return family.OwnLength, err
}
