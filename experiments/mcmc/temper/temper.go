// Package temper answers: does parallel tempering pay, is its ladder good, and how accurate is its
// log Z? It compares the round-trip rate of the given kernel with the formula for perfect
// exploration (Syed et al. 2022), averages with those of a plain chain at equal work, the best
// ladders by three criteria, and the cold chain with annealing. Every number is exact, unless the
// distribution of all replicas together is too large: then runs estimate it, with standard errors.
//
// A ladder is the path and the schedule of an annealing: T rungs, N = T - 1 pairs, and the schedule
// acceptance has equal rejections.
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
	"sync"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/chains/tempering"
	"breadboard/exact/averages"
	"breadboard/exact/replicas"
	"breadboard/exact/stages"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// Row is parallel tempering on one ladder, by one scheme, with one function of the cold chain.
type Row struct {
	subject.Case
	Setting
	Rejections []float64
	Barrier    float64        // Lambda; NaN if the path is zero somewhere
	Rate       *replicas.Rate // nil if TooLarge is not empty
	Formula    float64
	Variance   *replicas.Variance // nil if Rate is, and if NoFunction says why the function has no average
	// the asymptotic variance of a plain chain, in variances of the function; NaN if NoPlain says
	// why there is none
	Plain      number.Bounded
	NoPlain    string
	NoFunction string
	TooLarge   string     // the reason why the joint distribution of all replicas is not computed; else empty
	Simulated  *Simulated // nil if no runs were requested
	Local      []Point    // the rejections per unit of beta along the path; nil unless figures are drawn
}

// Point is a place on a curve.
type Point struct{ X, Y float64 }

// Setting is the tempering of a row.
type Setting struct {
	Scheme   tempering.Scheme
	Function string
	Betas    []float64
}

// Options are the options of the study.
type Options struct {
	Schemes   []string
	Functions []string
	Chains    int // the number of simulated runs
	Scans     int // the number of scans that each of them records
	Seed      uint64
}

// PerScan returns the round trips of all replicas together in a scan; estimated by runs if the
// exact rate is not known.
func (r *Row) PerScan() Estimate {
	switch {
	case r.Rate != nil:
		return Estimate{Bounded: rateOf(r.Rate)}
	case r.Simulated != nil:
		return r.Simulated.Rate
	}
	return Estimate{Bounded: number.Exactly(math.NaN())}
}

// ColdVariance returns the asymptotic variance of the cold chain's average; NaN if its system has
// no solution.
func (r *Row) ColdVariance() Estimate {
	if r.Rate == nil && r.Simulated != nil {
		return r.Simulated.Variance
	}
	return Estimate{Bounded: settled(r.Variance)}
}

// PlainVariance returns the asymptotic variance of a plain chain.
func (r *Row) PlainVariance() Estimate {
	if math.IsNaN(r.Plain.Value) && r.Rate == nil && r.Simulated != nil {
		return r.Simulated.Plain
	}
	return Estimate{Bounded: r.Plain}
}

// Gain returns the precision of the cold chain divided by that of a plain chain with as many moves.
func (r *Row) Gain() Estimate {
	plain := r.PlainVariance()
	cold := r.ColdVariance()
	gain := plain.Over(number.Exactly(float64(len(r.Betas))).Times(cold.Bounded))
	return Estimate{gain, gain.Value * math.Hypot(plain.SE/plain.Value, cold.SE/cold.Value)}
}

// rateOf returns the round trips in a scan. The flux at the bottom and that at the top have the
// same digits.
func rateOf(rate *replicas.Rate) number.Bounded { return number.Within(rate.PerScan, rate.Lost()) }

// settled returns a variance, and NaN if it is none.
func settled(v *replicas.Variance) number.Bounded {
	if v == nil || math.IsInf(v.Error, 1) {
		return number.Exactly(math.NaN())
	}
	return number.Within(v.PerScan, v.Error)
}

// Notes returns the reasons for missing numbers, and remarks on the runs.
func (r *Row) Notes() []string {
	var notes []string
	if r.TooLarge == "" {
		notes = unsettled(r.Variance)
	} else {
		notes = append(notes, r.TooLarge)
	}
	notes = append(notes, r.ofRuns()...)
	if r.NoFunction != "" {
		notes = append(notes, r.NoFunction)
	}
	if r.NoPlain != "" {
		notes = append(notes, "plain chain: "+r.NoPlain)
	}
	return notes
}

// ofRuns says what simulated runs say beside exact numbers, and if they are too short.
func (r *Row) ofRuns() (notes []string) {
	s := r.Simulated
	if s == nil {
		return nil
	}
	if r.TooLarge == "" {
		notes = append(notes, fmt.Sprintf(
			"%d runs of %d scans estimate: rate %.4g (standard error %.2g), variance %.4g (%.2g), plain %.4g (%.2g)",
			s.Runs,
			s.Scans,
			s.Rate.Value,
			s.Rate.SE,
			s.Variance.Value,
			s.Variance.SE,
			s.Plain.Value,
			s.Plain.SE,
		))
	}
	if s.Apart > s.Rate.SE {
		notes = append(notes,
			fmt.Sprintf("the runs are short: the unknown past of the replicas before the first scan still changes "+
				"the rate by %.2g; give more scans",
				s.Apart))
	}
	return notes
}

// unsettled says that a variance is none.
func unsettled(v *replicas.Variance) []string {
	if v != nil && math.IsInf(v.Error, 1) {
		return []string{
			"averages over the cold chain do not converge: with this kernel the replicas may never reach " +
				"some joint states"}
	}
	return nil
}

// together says why the distribution of all replicas of a case is not known, given a check of how
// large it is; nil if it is.
func together(c *subject.Case, rungs int, check func(states, rungs int) error) error {
	if c.Toy.Levels {
		return errs.New("it has too many states to list; only the distribution of log f is known, by its %s",
			selector.Count(c.Toy.Space.States(), "level"))
	}
	return check(c.Toy.Space.States(), rungs)
}

// replicasOf returns the replicas on the ladder of a case.
func replicasOf(ctx context.Context, c *subject.Case,
	scheme string) (*replicas.Replicas, *tempering.Tempering, error) {
	s, err := tempering.ParseScheme(scheme)
	if err != nil {
		return nil, nil, err
	}
	return replicasOn(ctx, c.Annealing(), s)
}

// replicasOn returns the replicas on the ladder of an annealing.
func replicasOn(ctx context.Context, a *chains.Annealing,
	s tempering.Scheme) (*replicas.Replicas, *tempering.Tempering, error) {
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

// moved returns the annealing of a case with its rungs at other betas, or another kernel if that is
// not nil.
func moved(c *subject.Case, betas []float64, k chains.Kernel) (*chains.Annealing, error) {
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

// coldChain returns the chain at the top of a ladder. Its rows are found when it is first asked
// for, and once.
func coldChain(ctx context.Context, m *tempering.Tempering) func() (*averages.Chain, error) {
	return sync.OnceValues(
		func() (*averages.Chain, error) { return averages.New(ctx, m.Kernel(), m.LogF(m.Rungs()-1)) },
	)
}

// functionOf returns a function of the state by its selector, and the chain at the top of the
// ladder. It fails if the function does not vary under the target.
func functionOf(c *subject.Case, cold func() (*averages.Chain, error),
	name string) (*averages.Chain, *averages.Function, error) {
	chain, err := cold()
	if err != nil {
		return nil, nil, err
	}
	f, err := samplers.ParseFunction(name, c.Toy, chain)
	if err != nil {
		return chain, nil, err
	}
	return chain, f.Parts[0], nil
}

// checkFunction fails if a selector names no function of the states of a case, or a vector of them.
func checkFunction(name string, c *subject.Case) error {
	if c.Toy.Levels && name != "g" {
		return errs.New("{function} %s: averages need states that can be listed; leave {function} out", name)
	}
	parts, err := samplers.FunctionParts(name, c.Toy)
	if err == nil && parts != 1 {
		err = errs.New("function %s is a vector, and averages are of numbers; give its components", name)
	}
	return err
}

// validate fails if an option is none.
func (o *Options) validate() error {
	if o.Chains == 1 {
		return errs.New("{chains} 1; give 2 or more, since a standard error needs two, or 0 for none")
	}
	if len(o.Schemes) == 0 || len(o.Functions) == 0 {
		return errs.New("{scheme} or {function} is empty; give at least one of each")
	}
	return knownSchemes(o.Schemes...)
}

// knownSchemes fails if a name is none of a scheme.
func knownSchemes(names ...string) error {
	for _, name := range names {
		if _, err := tempering.ParseScheme(name); err != nil {
			return err
		}
	}
	return nil
}

// Measured: the seconds and bytes of the systems of a ladder, by unknown.
const (
	unknownCost  = 14e-6
	unknownBytes = 780
)

// afford fails if the joint distribution of the replicas of a case takes more than its
// reader allows.
func (o *Options) afford(c *subject.Case) error {
	n := c.Toy.Space.States()
	T := c.Distributions()
	if together(c, T, replicas.CheckRate) != nil {
		return nil
	}
	unknowns := float64(max(1, T-2)) * math.Pow(float64(n), float64(T))
	return c.Reader.CheckCost(subject.Size{
		States:   n,
		Solution: subject.Cost{Seconds: unknownCost * unknowns, Bytes: unknownBytes * unknowns},
	})
}

// plan finds the rows of every ladder, scheme and function, and refuses what is too large before
// anything is computed.
func plan(ctx context.Context, cases []subject.Case, o *Options) (study.Plan[Row], error) {
	if err := o.validate(); err != nil {
		return study.Plan[Row]{}, err
	}
	var jobs []study.Job[Row]
	for i := range cases {
		c := &cases[i]
		if c.Toy.Levels && o.Chains > 0 {
			return study.Plan[Row]{}, c.Wrong(errs.New("runs need states that can be listed; give {chains} 0"))
		}
		for _, name := range o.Functions {
			if err := checkFunction(name, c); err != nil {
				return study.Plan[Row]{}, c.Wrong(err)
			}
		}
		for _, scheme := range o.Schemes {
			if err := c.Wrong(o.afford(c)); err != nil {
				return study.Plan[Row]{}, err
			}
			jobs = append(jobs, study.Job[Row]{
				Steps: 1 + len(o.Functions) + o.Chains,
				Rows: func(ctx context.Context, h study.How) ([]Row, error) {
					rows, err := o.ladderRows(ctx, c, scheme, h)
					return rows, c.Wrong(err)
				},
			})
		}
	}
	return study.Jobs(jobs), nil
}

// ladderRows finds the rows of one ladder and scheme.
func (o *Options) ladderRows(ctx context.Context, c *subject.Case, scheme string, h study.How) ([]Row,
	error) {
	m, err := tempering.New(c.Annealing(), tempering.Scheme(scheme))
	if err != nil {
		return nil, err
	}
	first, err := ofLaws(ctx, c, m)
	if err != nil {
		return nil, err
	}
	if h.Figures {
		first.Local = along(ctx, m.Path())
	}
	var many *replicas.Replicas
	if tooLarge := together(c, m.Rungs(), replicas.CheckRate); tooLarge != nil {
		first.TooLarge = tooLarge.Error() + "; only numbers that depend on each rung alone are given"
	} else if many, err = replicas.New(ctx, m); err != nil {
		return nil, err
	} else if first.Rate, err = many.Rate(ctx); err != nil {
		return nil, err
	}
	h.Add(1)
	cold := coldChain(ctx, m)
	var rows []Row
	for _, name := range o.Functions {
		r := first
		r.Setting = settingOf(m, name)
		if err := r.average(ctx, many, cold); err != nil {
			return nil, err
		}
		rows = append(rows, r)
		h.Add(1)
	}
	return rows, o.simulateRows(ctx, m, cold, rows, h)
}

// ofLaws returns what is known of a ladder from the distributions of its rungs, one by one.
func ofLaws(ctx context.Context, c *subject.Case, m *tempering.Tempering) (Row, error) {
	a := c.Annealing()
	laws, err := replicas.Ladder(ctx, a.Path(), a.Schedule(), a.Distributions())
	if err != nil {
		return Row{}, err
	}
	r := Row{Case: *c, Rejections: laws.Rejections(), Barrier: math.NaN(), Plain: number.Exactly(math.NaN())}
	if !a.Path().Zeros() {
		r.Barrier, err = replicas.Barrier(ctx, a.Path())
		if err != nil {
			return r, err
		}
	}
	r.Formula = replicas.Formula(m.Scheme(), r.Rejections)
	return r, nil
}

// simulateRows adds what runs say to the rows of one ladder and scheme.
func (o *Options) simulateRows(ctx context.Context, m *tempering.Tempering,
	cold func() (*averages.Chain, error),
	rows []Row, h study.How) error {
	if o.Chains == 0 {
		return nil
	}
	e := &experiment{Tempering: m, laws: replicas.LawsOf(m.Ladder).Stationary()}
	var of []*Row
	for i := range rows {
		if _, f, err := functionOf(&rows[i].Case, cold, rows[i].Function); err == nil {
			e.functions, of = append(e.functions, f.Values), append(of, &rows[i])
		}
	}
	all, err := e.simulated(ctx, o, h)
	for j := range all {
		of[j].Simulated = &all[j]
	}
	return err
}

// plainStates is the largest number of states on which a plain chain is solved where the
// distribution of all replicas is not: it takes below a second.
const plainStates = 4096

// average finds the variances of the cold chain's average and of a plain chain's, and says which
// there are not. It fails if the context ends.
func (r *Row) average(ctx context.Context, many *replicas.Replicas,
	cold func() (*averages.Chain, error)) error {
	if many == nil && (r.Toy.Levels || r.Toy.Space.States() > plainStates) {
		return nil
	}
	chain, f, err := functionOf(&r.Case, cold, r.Function)
	if chain == nil {
		return err
	}
	if err != nil {
		r.NoFunction = err.Error()
		return ctx.Err()
	}
	if many != nil {
		r.Variance, err = many.Variance(ctx, f.Values)
		if err != nil {
			return err
		}
	}
	plain, err := chain.Variance(ctx, f)
	if err != nil {
		r.NoPlain = err.Error()
		return ctx.Err()
	}
	tau := samplers.TauOf(plain)
	r.Plain = tau.Value
	r.NoPlain = tau.Note
	return nil
}

// along returns the density of rejections, by beta, at places along a path; nil if it is zero
// somewhere.
func along(ctx context.Context, path chains.Path) (points []Point) {
	path = paths.Levels(ctx, path)
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
