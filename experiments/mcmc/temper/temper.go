// Package temper answers: does parallel tempering pay, is its ladder good, and what does it say of log Z? It sets the round-trip rate of the kernel
// that explores beside the formula for perfect exploration (Syed et al. 2022), averages beside those of a plain chain at equal work, the best
// ladders by three criteria beside each other, and the cold chain beside annealing. Every number is exact. It never simulates.
//
// A ladder is the path and the schedule of an annealing: T rungs, N = T - 1 pairs, and the schedule acceptance has equal rejections.
//
//	breadboard temper --toy barrier:3x3 --schedule acceptance
//	breadboard temper ladder --toy barrier:3x3
//	breadboard temper z --toy random:2:7:3x3 --schedule acceptance
//	breadboard temper compare --toy barrier:3x3 --schedule acceptance
package temper

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/chains/tempering"
	"breadboard/exact/averages"
	"breadboard/exact/replicas"
	"breadboard/exact/stages"
	"breadboard/experiments"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
)

// Row is parallel tempering on one ladder, by one scheme, with one function of the cold chain.
type Row struct {
	experiments.Case
	Setting
	Rejections []float64
	Barrier    float64 // Lambda; NaN where the path is zero somewhere
	Rate       *replicas.Rate
	Formula    float64
	Variance   *replicas.Variance // nil where NoFunction says why the function has no average to speak of
	Plain      float64            // the asymptotic variance of a plain chain, in the variances of the function; NaN where NoPlain says why there is none
	NoPlain    string             // also how many digits are known, where they are few
	NoFunction string
	Local      []Point // the rejections per unit of beta along the path; nil unless figures are drawn
	Repeats    []Point // the round-trip rate by how often the kernel explores between swaps; nil unless figures are drawn
}

// Point is a place on a curve.
type Point struct{ X, Y float64 }

// Setting says how a row tempers.
type Setting struct {
	Scheme   tempering.Scheme
	Function string
	Betas    []float64
}

// Options says what the study asks.
type Options struct {
	Schemes   []string
	Functions []string
}

const (
	notDigits = 1e-10 // the part of a number above which a note says that it has lost digits
	notKnown  = 1e-2  // the part above which it is not shown
)

// ColdVariance returns the asymptotic variance of the cold chain's average; NaN where the system that gives it has no solution.
func (r *Row) ColdVariance() float64 { return settled(r.Variance) }

// settled returns a variance, and NaN where it is none.
func settled(v *replicas.Variance) float64 {
	if v == nil || !(v.Error <= notKnown) {
		return math.NaN()
	}
	return v.PerScan
}

// Gain returns the precision of the cold chain over that of a plain chain with as many moves.
func (r *Row) Gain() float64 { return r.Plain / (float64(len(r.Betas)) * r.ColdVariance()) }

// Notes says which numbers have lost digits, and which there are not.
func (r *Row) Notes() []string {
	notes := lost(r.Rate, r.Variance)
	if r.NoFunction != "" {
		notes = append(notes, r.NoFunction)
	}
	if r.NoPlain != "" {
		notes = append(notes, "plain chain: "+r.NoPlain)
	}
	return notes
}

// lost says which digits of a rate and of a variance are not known.
func lost(rate *replicas.Rate, v *replicas.Variance) (notes []string) {
	if lost := rate.Lost(); lost > notDigits {
		notes = append(notes, fmt.Sprintf("the rate is known to a part of %.1g: replicas hardly travel", lost))
	}
	switch {
	case v == nil:
	case math.IsNaN(settled(v)):
		notes = append(notes, "averages over the cold chain do not settle: replicas that explore by this kernel may never reach some states together")
	case v.Error > notDigits:
		notes = append(notes, fmt.Sprintf("the variance is known to a part of about %.1g", v.Error))
	}
	return notes
}

// replicasOf returns the replicas on the ladder of a case.
func replicasOf(ctx context.Context, c *experiments.Case, scheme string) (*replicas.Replicas, *tempering.Tempering, error) {
	s, err := tempering.ParseScheme(scheme)
	if err != nil {
		return nil, nil, err
	}
	return replicasOn(ctx, c.Annealing(), s)
}

// replicasOn returns the replicas on the ladder of an annealing.
func replicasOn(ctx context.Context, a *chains.Annealing, s tempering.Scheme) (*replicas.Replicas, *tempering.Tempering, error) {
	m, err := tempering.New(a, s)
	if err != nil {
		return nil, nil, err
	}
	r, err := replicas.New(ctx, m)
	return r, m, err
}

// settingOf describes a tempering.
func settingOf(m *tempering.Tempering, function string) Setting {
	s := Setting{Scheme: m.Scheme(), Function: function}
	for i := range m.Rungs() {
		s.Betas = append(s.Betas, m.Beta(i))
	}
	return s
}

// moved returns the annealing of a case with its rungs at other betas, or another kernel where that is not nil.
func moved(c *experiments.Case, betas []float64, k chains.Kernel) (*chains.Annealing, error) {
	a := c.Annealing()
	points, err := schedules.NewPoints("ladder", betas)
	if err != nil {
		return nil, err
	}
	if k == nil {
		k = a.Kernel()
	}
	return chains.NewAnnealing(a.Path(), points, k, len(betas))
}

// functionOf returns a function of the state by its selector, and the chain at the top of the ladder. It fails where the function does not vary under
// the target.
func functionOf(ctx context.Context, c *experiments.Case, m *tempering.Tempering, name string) (*averages.Chain, *averages.Function, error) {
	chain, err := averages.New(ctx, m.Kernel(), m.LogF(m.Rungs()-1))
	if err != nil {
		return nil, nil, err
	}
	f, err := samplers.ParseFunction(name, c.Toy, chain)
	if err != nil {
		return chain, nil, err
	}
	return chain, f.Parts[0], nil
}

// checkFunction fails where a selector names no function of the states of a case, or a vector of them.
func checkFunction(name string, c *experiments.Case) error {
	parts, err := samplers.FunctionParts(name, c.Toy)
	if err == nil && parts != 1 {
		err = fmt.Errorf("function %s is a vector, and an average is of a number; give its parts", name)
	}
	return err
}

// validate fails where an option is none.
func (o *Options) validate() error {
	if len(o.Schemes) == 0 || len(o.Functions) == 0 {
		return chains.NewAdvice("{scheme} or {function} is empty; give at least one of each")
	}
	return knownSchemes(o.Schemes...)
}

// knownSchemes fails where a name is none of a scheme.
func knownSchemes(names ...string) error {
	for _, name := range names {
		if _, err := tempering.ParseScheme(name); err != nil {
			return err
		}
	}
	return nil
}

// plan finds the rows of every ladder, scheme and function, and refuses what is too large before anything is computed.
func plan(ctx context.Context, cases []experiments.Case, o *Options) (study.Plan[Row], error) {
	if err := o.validate(); err != nil {
		return study.Plan[Row]{}, err
	}
	var jobs []study.Job[Row]
	for i := range cases {
		c := &cases[i]
		if err := replicas.CheckRate(c.Toy.Space.States(), c.Distributions()); err != nil {
			return study.Plan[Row]{}, c.Wrong(err)
		}
		for _, name := range o.Functions {
			if err := checkFunction(name, c); err != nil {
				return study.Plan[Row]{}, c.Wrong(err)
			}
		}
		for _, scheme := range o.Schemes {
			jobs = append(jobs, study.Job[Row]{Steps: 1 + len(o.Functions), Rows: func(ctx context.Context, h study.How) ([]Row, error) {
				rows, err := o.rows(ctx, c, scheme, h)
				return rows, c.Wrong(err)
			}})
		}
	}
	return study.Jobs(jobs), nil
}

// rows finds the rows of one ladder and scheme.
func (o *Options) rows(ctx context.Context, c *experiments.Case, scheme string, h study.How) ([]Row, error) {
	many, m, err := replicasOf(ctx, c, scheme)
	if err != nil {
		return nil, err
	}
	first := Row{Case: *c, Rejections: many.Rejections(), Barrier: math.NaN()}
	if !m.Path().Zeros() {
		if first.Barrier, err = replicas.Barrier(ctx, m.Path()); err != nil {
			return nil, err
		}
	}
	first.Formula = replicas.Formula(m.Scheme(), first.Rejections)
	if first.Rate, err = many.Rate(ctx); err != nil {
		return nil, err
	}
	if h.Figures {
		first.Local = along(m.Path())
		if first.Repeats, err = repeats(ctx, c, m); err != nil {
			return nil, err
		}
	}
	h.Add(1)
	var rows []Row
	for _, name := range o.Functions {
		r := first
		r.Setting = settingOf(m, name)
		if err := r.average(ctx, many, m); err != nil {
			return nil, err
		}
		rows = append(rows, r)
		h.Add(1)
	}
	return rows, nil
}

// average finds the variances of the cold chain's average and of a plain chain's, and says which there are not. It fails where the context ends.
func (r *Row) average(ctx context.Context, many *replicas.Replicas, m *tempering.Tempering) error {
	r.Plain = math.NaN()
	chain, f, err := functionOf(ctx, &r.Case, m, r.Function)
	if chain == nil {
		return err
	}
	if err != nil {
		r.NoFunction = err.Error()
		return ctx.Err()
	}
	if r.Variance, err = many.Variance(ctx, f.Values); err != nil {
		return err
	}
	plain, err := chain.Variance(ctx, f)
	if err != nil {
		r.NoPlain = err.Error()
		return ctx.Err()
	}
	tau := samplers.TauOf(plain)
	r.Plain, r.NoPlain = tau.Value, tau.Note
	return nil
}

// along returns the density of rejections, by beta, at places along a path; nil where it is zero somewhere.
func along(path chains.Path) (points []Point) {
	if path.Zeros() {
		return nil
	}
	const places = 200
	for i := range places + 1 {
		b := float64(i) / places
		points = append(points, Point{b, stages.RejectionRate(path, b)})
	}
	return points
}

// repeats returns the round-trip rate for a kernel that moves 1, 2, 4, ..., 64 times between swaps.
func repeats(ctx context.Context, c *experiments.Case, m *tempering.Tempering) (points []Point, err error) {
	for n := 1; n <= 64; n *= 2 {
		a, err := moved(c, settingOf(m, "").Betas, kernels.Repeat(n, m.Kernel()))
		if err != nil {
			return nil, err
		}
		many, _, err := replicasOn(ctx, a, m.Scheme())
		if err != nil {
			return nil, err
		}
		rate, err := many.Rate(ctx)
		if err != nil {
			return nil, err
		}
		points = append(points, Point{float64(n), rate.PerScan})
	}
	return points, nil
}
