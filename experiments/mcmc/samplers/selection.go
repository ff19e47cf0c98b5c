package samplers

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/exact/averages"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// Selection names problems by the selectors of the command line: every kernel on every target.
type Selection struct {
	subject.Reader
	// the selectors of the targets, for toys.Forms.Parse; if empty, those of the corpus
	Toys      []string
	Corpus    string             // the selector of a corpus, for ReadCorpus; empty if toys are given
	Kernels   []string           // the selectors of the kernels, for programs.Env.Parse
	Starts    []string           // the selectors of the distributions of the first sample, for ParseStart
	Functions []string           // the selectors of the functions, for ParseFunction
	Warmup    int                // the number of moves before the first sample
	Tempering bool               // whether temper:T[:KERNEL] means parallel tempering
	Progress  func(problems int) // called for each problem that has been built; may be nil
	// called with the first problem on a target, which an error excludes, before the others are
	// built; may be nil
	Refuse func(Problem) error
}

// maxWarmup is the largest number of moves of a warm-up.
const maxWarmup = 1_000_000_000

// Afford keeps the targets that Check accepts with one of the kernels, before any is made,
// and adds the reasons for the others to failed. It fails if none is left.
func (s *Selection) Afford(ctx context.Context, failed *subject.Failures) error {
	kept, err := s.Affordable(s.Toys, s.Kernels, []int{2})
	if failed.Keep(ctx, err) != nil || len(kept) < len(s.Toys) && len(kept) == 0 {
		return err
	}
	s.Toys = kept
	return nil
}

// Problems builds every problem, target by target. If some cannot be built, for example because a
// kernel does not leave its target invariant, it returns the others, with the error
// subject.Failures. It fails if no target can be read, and if the context ends.
func (s Selection) Problems(ctx context.Context) ([]Problem, error) {
	var failed subject.Failures
	if err := s.Afford(ctx, &failed); err != nil {
		return nil, err
	}
	targets, err := s.Targets(ctx)
	if err := failed.KeepBeside(ctx, len(targets), err); err != nil {
		return nil, err
	}
	if s.Warmup < 0 || s.Warmup > maxWarmup {
		return nil, errs.New("{warmup} %d; give a number of moves from 0 to %d", s.Warmup, maxWarmup)
	}
	if len(s.Kernels) == 0 {
		return nil, errs.New("no kernel is named; give one, as in {kernel} metropolis")
	}
	var problems []Problem
	for _, toy := range targets {
		for _, kernel := range s.Kernels {
			kernel = strings.TrimSpace(kernel)
			p, err := s.Problem(ctx, toy, kernel)
			if chains.IsFault(err) && ctx.Err() == nil { // of this kernel alone
				failed.Add(subject.NewFailure(Parts(toy, kernel), err))
				continue
			}
			if err := failed.Keep(ctx, subject.NewFailure(Parts(toy, kernel), err)); err != nil {
				return nil, err
			}
			if err != nil {
				continue
			}
			if s.Refuse != nil {
				if err := s.Refuse(*p); err != nil {
					if err := failed.Keep(ctx, subject.NewFailure(Parts(toy, kernel), err)); err != nil {
						return nil, err
					}
					break
				}
			}
			problems = append(problems, *p)
			if s.Progress != nil {
				s.Progress(1)
			}
		}
	}
	return problems, failed.OrNil()
}

// Targets returns the toys of the selection, or those of its corpus. If some of the selection
// cannot be read it returns the others, with the error subject.Failures. It fails if a target is
// named twice.
func (s Selection) Targets(ctx context.Context) ([]*toys.Toy, error) {
	switch {
	case s.Corpus != "" && len(s.Toys) > 0:
		return nil, errs.New("give {corpus} or {toy}, not both")
	case s.Corpus != "":
		corpus, err := ReadCorpus(s.Corpus)
		if err != nil {
			return nil, err
		}
		return corpus.Load(ctx, s.Reader)
	case len(s.Toys) == 0:
		return nil, errs.New("no toy is named; give one, as in {toy} barrier")
	}
	return loadTargets(ctx, s.Reader, s.Toys)
}

// Problem builds the problem of a kernel on a toy. It fails if it cannot be built.
func (s Selection) Problem(ctx context.Context, toy *toys.Toy, text string) (*Problem, error) {
	if err := subject.CheckRange(toy); err != nil {
		return nil, err
	}
	called, _ := selector.SplitName(text)
	rungs, text, err := s.readTempering(text)
	if err != nil {
		return nil, err
	}
	k, name, err := s.Kernel(ctx, toy, text)
	if err != nil {
		return nil, err
	}
	if err := s.CheckSize(Parts(toy, name), 2, k, toy); err != nil {
		return nil, err
	}
	p, err := newProblem(ctx, toy, k, name)
	if err != nil {
		return nil, err
	}
	p.Reader = s.Reader
	p.Warmup = s.Warmup
	if rungs > 0 {
		if err := s.addReplicas(ctx, p, rungs, text); err != nil {
			return nil, err
		}
		p.Kernel = cmp.Or(called, p.Kernel)
	}
	for _, name := range s.Starts {
		law, err := parseStart(name, toy, p.Chain)
		if err != nil {
			return nil, fmt.Errorf("toy %s: %w", toy.Name, err)
		}
		law, err = p.Chain.After(ctx, law, s.Warmup)
		if err != nil {
			return nil, err
		}
		p.Starts = append(p.Starts, Start{strings.TrimSpace(name), law})
	}
	for _, name := range s.Functions {
		f, err := ParseFunction(name, toy, p.Chain)
		if err != nil {
			return nil, err
		}
		p.Functions = append(p.Functions, f)
	}
	return p, p.checkFinite()
}

// Kernel returns the kernel of a selector and its selector in canonical form.
func (s Selection) Kernel(ctx context.Context, toy *toys.Toy,
	selector string) (chains.Kernel, string, error) {
	moves, err := s.ParseKernel(ctx, selector, toy)
	if err != nil {
		return nil, "", fmt.Errorf("toy %s: %w", toy.Name, subject.RefusedOnClasses(err, toy))
	}
	if moves.Kernel() == nil {
		return nil, "", errs.New(
			"kernel %v has a file for each stage of an annealing; a chain at the target needs a single kernel",
			moves,
		)
	}
	return moves.Kernel(), subject.KernelName(moves, selector), subject.CheckExact(moves)
}

// checkFinite fails if a function is infinite at a state where a chain may begin.
func (p *Problem) checkFinite() error {
	for _, s := range p.Starts {
		for _, f := range p.Functions {
			for _, part := range f.Parts {
				if x := part.InfiniteAt(s.Law); x >= 0 {
					return errs.New("function %q is %v at state %s of %s, where chains from start %s may be; give a "+
						"start among the states of positive probability",
						f.Name, part.Raw[x], p.Toy.State(x), p.Toy.Name, s.Name)
				}
			}
		}
	}
	return nil
}

// parseStart returns the distribution of a start on a toy: one of subject.LawForms. It fails if
// the distribution has no mass where the target has some.
func parseStart(text string, toy *toys.Toy, c *averages.Chain) ([]float64, error) {
	law, err := subject.ParseLaw(subject.StartForms(), strings.TrimSpace(text), subject.Ends{
		Toy:     toy,
		Target:  func() []float64 { return c.Target },
		Initial: func() []float64 { return initial(toy) },
	})
	if err != nil {
		return nil, err
	}
	if err := c.CheckLaw(law); err != nil {
		return nil, fmt.Errorf("start %q: %w", text, err)
	}
	return law, nil
}

// initial returns the distribution that annealing to a toy begins with: the prior of a model, and
// else every state alike.
func initial(toy *toys.Toy) []float64 {
	law := make([]float64, toy.Space.States())
	copy(law, toy.Members)
	copy(law, toy.LogPrior)
	chains.Normalize(law)
	return law
}

// Chains are the problems of samplers that flags name, with the flag of functions and those of
// averages or without.
type Chains struct {
	Selection
	OfFunctions, OfAverages bool
}

// BothKernels are the kernels that commands of samplers compare by default.
func BothKernels() []string { return []string{"metropolis", "heatbath"} }

// OnPaper are the chains from these starts on the toys of Grosse et al. (2016).
func OnPaper(starts []string, functions ...string) *Chains {
	return &Chains{OfFunctions: true, OfAverages: true, Selection: Selection{
		Toys:      subject.PaperToys(),
		Kernels:   BothKernels(),
		Starts:    starts,
		Functions: functions,
	}}
}

// OnCorpus are the chains on the targets of a corpus.
func OnCorpus(name string, functions ...string) *Chains {
	c := OnPaper([]string{"uniform"}, functions...)
	c.Toys = nil
	c.Corpus = name
	return c
}
