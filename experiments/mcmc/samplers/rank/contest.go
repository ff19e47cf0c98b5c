package rank

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/exact/averages"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// Contest has the chains that compete at equal work, and the kernels that do not compete.
type Contest struct {
	Problems []samplers.Problem
	Excluded []Exclusion
}

// Exclusion is a kernel that does not compete on some targets.
type Exclusion struct {
	Kernel  string
	Targets []string
	Why     error // on the first of them
}

// NewContest builds the chains of a selection. A selection without functions gets the default one
// of each target. A kernel does not compete on a target with an unsuitable space, or if it does not
// state its work. If other chains cannot be built it returns the rest, with the error
// subject.Failures. It fails if no kernel competes, if a kernel other than a default one competes
// nowhere, and if one does not leave its target invariant.
func NewContest(ctx context.Context, s samplers.Selection) (*Contest, error) {
	switch {
	case len(s.Kernels) == 0:
		return nil, chains.NewAdvice("no kernel is named; give some, as in {kernel} metropolis,heatbath")
	case len(s.Starts) == 0:
		return nil, chains.NewAdvice("no start is named; give one, as in {start} uniform")
	}
	var failed subject.Failures
	for _, kernel := range s.Kernels { // a target is for all of them
		one := s
		one.Kernels = []string{kernel}
		if err := one.Afford(ctx, &failed); err != nil {
			return nil, err
		}
		s.Toys = one.Toys
	}
	targets, err := s.Targets(ctx)
	if err != nil {
		return nil, err
	}
	c := &Contest{}
	for _, toy := range targets {
		own := s
		if len(s.Functions) == 0 {
			own.Functions = []string{samplers.DefaultFunction(toy)}
		}
		for _, kernel := range s.Kernels {
			err := c.enter(ctx, own, toy, strings.TrimSpace(kernel))
			if err := failed.Keep(ctx, subject.NewFailure(samplers.Parts(toy, kernel), err)); err != nil {
				return nil, err
			}
			if s.Progress != nil {
				s.Progress(1)
			}
		}
	}
	named := !slices.Equal(s.Kernels, DefaultKernels())
	for _, l := range c.Excluded {
		if len(l.Targets) == len(targets) && (named || len(c.Problems) == 0) {
			return nil, fmt.Errorf("kernel %s can compete on no target: toy %s: %w", l.Kernel, l.Targets[0], l.Why)
		}
	}
	if len(c.Problems) == 0 {
		return nil, failed.OrNil()
	}
	return c, failed.OrNil()
}

// enter adds the chain of a kernel on a target, or to those that do not compete.
func (c *Contest) enter(ctx context.Context, s samplers.Selection, toy *toys.Toy, kernel string) error {
	if _, err := subject.ParseKernel(ctx, kernel, toy, s.Programs); err != nil {
		if chains.IsFault(err) || ctx.Err() != nil {
			return err
		}
		c.leave(kernel, toy.Name, err)
		return nil
	}
	p, err := s.Problem(ctx, toy, kernel)
	if err != nil {
		return err
	}
	switch {
	case math.IsNaN(p.Evaluations):
		c.leave(kernel, toy.Name, errors.New("the number of evaluations of log f per move is unknown, so work cannot be made equal"))
		return nil
	case p.Evaluations <= 0:
		c.leave(kernel, toy.Name, errors.New("its moves never evaluate log f, so every number of samples is within every budget"))
		return nil
	}
	for i := range c.Problems {
		if c.Problems[i].Toy == toy && c.Problems[i].Kernel == p.Kernel {
			return fmt.Errorf("the kernel %s is named twice; name each once", p.Kernel)
		}
	}
	c.Problems = append(c.Problems, *p)
	return nil
}

// leave notes that a kernel does not compete on a target.
func (c *Contest) leave(kernel, target string, why error) {
	i := slices.IndexFunc(c.Excluded, func(l Exclusion) bool { return l.Kernel == kernel })
	if i < 0 {
		c.Excluded = append(c.Excluded, Exclusion{Kernel: kernel, Why: why})
		i = len(c.Excluded) - 1
	}
	c.Excluded[i].Targets = append(c.Excluded[i].Targets, target)
}

// check fails if the budget is none, does not pay for the start and one move of each chain, or pays
// for more samples than can be asked about.
func (c *Contest) check(budget float64) error {
	if !(budget >= 1) || math.IsInf(budget, 1) {
		return chains.NewAdvice("{work} %v; give a number of evaluations of log f, 2 or more", budget)
	}
	for i := range c.Problems {
		p := &c.Problems[i]
		n := p.Samples(budget)
		if n < 2 {
			return chains.NewAdvice("{work} %v: the start and one move of %s on %s take %v evaluations of log f; give at least as many, or leave the kernel out",
				budget, p.Kernel, p.Toy.Name, p.Work(2))
		}
		if n > averages.MaxRecursion {
			return chains.NewAdvice("{work} %v pays for more than %d samples of %s on %s, the limit of the search for a warm-up; give less",
				budget, averages.MaxRecursion, p.Kernel, p.Toy.Name)
		}
	}
	return nil
}

// able fails if the errors of a chain that a budget pays for cannot be computed.
func able(p *samplers.Problem, budget float64) error {
	for _, f := range p.Functions {
		if _, err := p.Chain.Fastest(question(f.Parts[0], nil, []int64{p.Samples(budget)})); err != nil {
			return subject.NewFailure(p.Parts(), chains.NewAdvice("{work} %v: toy %s, kernel %s, function %s: %w", budget, p.Toy.Name, p.Kernel, f.Name, err))
		}
	}
	return nil
}

// question asks for all errors of a function.
func question(f *averages.Function, starts [][]float64, n []int64) averages.Question {
	return averages.Question{Function: f, Starts: starts, N: n, Variance: true, Distribution: true}
}

// DefaultKernels returns the kernels that compete by default: local moves, moves that sometimes go
// anywhere, and draws of a coordinate given the others.
func DefaultKernels() []string {
	return []string{"metropolis", "barker", "moore", "jump:0.1", "heatbath", "heatbath-scan", "suwa-todo"}
}

// Standing is a kernel's place on the leaderboard, over all examples on which it competes.
type Standing struct {
	Kernel     string
	Examples   int
	Scores     [3]Summary // by Estimate
	Success    float64    // the mean of the probabilities of success
	Variance   float64    // the mean of those of the variance
	Efficiency float64    // the median of RESS/N of the mean (Eq. 6)
	DropGain   float64    // the median of the best gain by dropping the first samples
	DropPays   float64    // the share of examples on which that gain is more than a hundredth
}

// Summary summarises a kernel's scores over all examples.
type Summary struct {
	MeanNESS, MedianNESS float64
	Enough               float64 // the share of examples with RESS of at least samplers.SuccessRESS
	MeanRank             float64
	Wins                 float64 // the number of examples on which it is best; a tie is shared
}

// Standings returns the leaderboard, the best kernel by mean rank of the mean first.
func Standings(rows []Row) []Standing {
	var kernels []string
	for i := range rows {
		if !slices.Contains(kernels, rows[i].Kernel) {
			kernels = append(kernels, rows[i].Kernel)
		}
	}
	best := winners(rows)
	var all []Standing
	for _, kernel := range kernels {
		var own []*Row
		for i := range rows {
			if rows[i].Kernel == kernel {
				own = append(own, &rows[i])
			}
		}
		all = append(all, standing(kernel, own, best))
	}
	slices.SortStableFunc(all, func(a, b Standing) int { return cmp.Compare(a.Scores[Mean].MeanRank, b.Scores[Mean].MeanRank) })
	return all
}

// winners returns for each row by how many a win is shared, by Estimate, and zero if the row has
// not won.
func winners(rows []Row) map[*Row][3]float64 {
	shared := map[*Row][3]float64{}
	for _, example := range Examples(rows) {
		for e := range estimates {
			first := slices.MinFunc(example, func(a, b *Row) int { return cmp.Compare(a.Scores[e].Rank, b.Scores[e].Rank) }).Scores[e].Rank
			for _, r := range example {
				if r.Scores[e].Rank == first {
					s := shared[r]
					s[e] = 2*first - 1 // of the ranks 1 to n the mean is (n + 1)/2
					shared[r] = s
				}
			}
		}
	}
	return shared
}

func standing(kernel string, rows []*Row, best map[*Row][3]float64) Standing {
	s := Standing{Kernel: kernel, Examples: len(rows)}
	over := func(of func(*Row) float64) []float64 {
		var all []float64
		for _, r := range rows {
			all = append(all, of(r))
		}
		return all
	}
	for e := range estimates {
		ness := over(func(r *Row) float64 { return r.Scores[e].NESS })
		sum := &s.Scores[e]
		sum.MeanNESS, sum.MedianNESS = stat.Mean(ness, nil), diagnostics.Median(ness)
		sum.Enough = stat.Mean(over(func(r *Row) float64 { return indicator(r.Scores[e].RESS >= samplers.SuccessRESS) }), nil)
		sum.MeanRank = stat.Mean(over(func(r *Row) float64 { return r.Scores[e].Rank }), nil)
		for _, r := range rows {
			if by := best[r][e]; by > 0 {
				sum.Wins += 1 / by
			}
		}
	}
	s.Success = stat.Mean(over(func(r *Row) float64 { return r.Success }), nil)
	s.Variance = stat.Mean(over(func(r *Row) float64 { return r.SuccessVariance }), nil)
	s.Efficiency = diagnostics.Median(over(func(r *Row) float64 { return r.Scores[Mean].RESS / float64(r.N) }))
	s.DropGain = diagnostics.Median(over(func(r *Row) float64 { return r.DropGain }))
	s.DropPays = stat.Mean(over(func(r *Row) float64 { return indicator(r.DropGain > 1.01) }), nil)
	return s
}

func indicator(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}
