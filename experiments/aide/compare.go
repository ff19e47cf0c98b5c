package aide

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	sampler "breadboard/chains/particle"
	"breadboard/chains/simulate"
	"breadboard/exact/particle"
	"breadboard/experiments"
)

// problem is what the algorithms of a study are compared on. Its outputs are 0..n-1.
type problem struct {
	study string
	p     []float64                         // the posterior; nil where it has too many outputs to be counted
	gold  func() (sampler.Algorithm, error) // the gold standard where there is no p
	probe func(x int) float64               // nil where the study has none
	said  string                            // what the probe is
	parts func(x int) []int                 // the parts of an output, whose marginals are wanted; nil for none
	kinds int                               // the number of values that a part may have
	all   []contender                       // the algorithms
}

// Comparison is a study that is ready to be run.
type Comparison struct {
	*problem
	options ComparisonOptions
}

// LoadComparison returns a study by its name. It reads the files that the options name, and fails where one of them is malformed.
func LoadComparison(ctx context.Context, name string, o ComparisonOptions) (*Comparison, error) {
	if err := o.Validate(name); err != nil {
		return nil, err
	}
	p, err := studies()[name](ctx, &o)
	return &Comparison{p, o}, err
}

// studies are the makers of the studies, by name.
func studies() map[string]func(context.Context, *ComparisonOptions) (*problem, error) {
	return map[string]func(context.Context, *ComparisonOptions) (*problem, error){
		"regression": regression,
		"hmm":        hmm,
		"bimodal":    bimodal,
		"mixture":    mixture,
	}
}

// Steps returns the sum of the steps that Run reports to Progress.
func (s *Comparison) Steps() int { return len(s.all) }

// Progress has Run call a function, from several goroutines at once, with the number of steps that have been done.
func (s *Comparison) Progress(add func(steps int)) { s.options.Progress = add }

// Run compares each algorithm of the study with draws from the posterior. It stops at the first error.
func (s *Comparison) Run(ctx context.Context) (*ComparisonResult, error) {
	result := &ComparisonResult{Study: s.study, Probe: s.said, Exact: s.mean(s.p, s.probe)}
	if s.p == nil {
		result.Gold = fmt.Sprintf("%d particles with the optimal proposal and scans", goldParticles)
	}
	rows, marginals := make([][]ComparisonRow, len(s.all)), make([]Marginals, len(s.all))
	err := experiments.Parallel(ctx, len(s.all), s.options.Workers, func(ctx context.Context, i int) error {
		c := &s.all[i]
		law, err := s.law(ctx, c)
		switch {
		case err != nil:
		case law.Side != nil:
			rows[i], err = s.known(ctx, c, law)
		case law.Solved != nil:
			rows[i], err = s.solved(ctx, c, law)
		case s.options.Chains > 0:
			rows[i], err = s.sample(ctx, c)
		default:
			rows[i] = s.missing(c, law)
		}
		if err == nil && s.parts != nil && law.LogRatio() != nil {
			marginals[i] = Marginals{c.algorithm, c.particles, s.marginals(outputs(law, s.p))}
		}
		if err == nil && s.options.Progress != nil {
			s.options.Progress(1)
		}
		if err != nil {
			return fmt.Errorf("study %s, %s with %d: %w", s.study, c.algorithm, c.particles, err)
		}
		return nil
	})
	result.Rows = slices.Concat(rows...)
	if s.parts != nil {
		result.Marginals = []Marginals{{Algorithm: "posterior", P: s.marginals(s.p)}}
		for _, m := range marginals {
			if m.P != nil {
				result.Marginals = append(result.Marginals, m)
			}
		}
	}
	return result, err
}

// law returns what is known of an algorithm: nothing where there is no posterior to which it could be compared.
func (s *problem) law(ctx context.Context, c *contender) (*Law, error) {
	if s.p == nil {
		return &Law{Method: MethodNone}, nil
	}
	return c.law(ctx)
}

// row returns a row of an algorithm in which no number is known yet.
func (s *problem) row(c *contender, meta int) ComparisonRow {
	nan := math.NaN()
	return ComparisonRow{
		Study: s.study, Algorithm: c.algorithm, Particles: c.particles, Rejuvenate: c.rejuvenate, Meta: meta,
		J: nan, Mean: nan, SD: nan, LMLError: nan, Probe: nan,
	}
}

// known returns the rows of an algorithm whose law is known.
func (s *Comparison) known(ctx context.Context, c *contender, law *Law) ([]ComparisonRow, error) {
	estimates, err := particle.AIDE(ctx, law.Side, particle.NewExact(len(s.p)), s.p, s.options.Metas, []int{1})
	if err != nil {
		return nil, err
	}
	lml, notes := math.NaN(), law.Notes
	if c.estimatesZ {
		if lml, err = law.LogZError(ctx, s.p); err != nil {
			return nil, err
		}
	} else {
		notes = append(slices.Clone(notes), "it estimates no log marginal likelihood")
	}
	probe := s.mean(outputs(law, s.p), s.probe)
	var rows []ComparisonRow
	for i := range estimates {
		e, r := &estimates[i], s.row(c, estimates[i].Meta)
		r.J, r.Mean, r.SD, r.LMLError, r.Probe, r.Method = e.J, e.Mean, e.SD(), lml, probe, law.Method
		r.Notes = slices.Concat(notes, e.Notes)
		rows = append(rows, r)
	}
	return rows, nil
}

// solved returns the rows of an algorithm of which the means of log Zhat are known, and not the law of the traces.
func (s *Comparison) solved(ctx context.Context, c *contender, law *Law) (rows []ComparisonRow, err error) {
	for _, m := range s.options.Metas {
		r, n := s.row(c, m), law.Means(m)
		r.J, r.Mean, r.SD, r.Probe, r.Method, r.Notes = n.J, n.Mean, n.SD, s.mean(outputs(law, s.p), s.probe), law.Method, law.Notes
		if r.LMLError, err = law.LogZError(ctx, s.p); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	if s.options.Chains == 0 {
		return rows, nil
	}
	estimates, err := s.sample(ctx, c)
	for i, e := range estimates {
		if r := &rows[i]; math.IsNaN(r.Mean) {
			r.Mean, r.MeanError, r.SD, r.Method = e.Mean, e.MeanError, e.SD, SampledComparison
			r.Notes = []string{"AIDE is estimated from runs; J, the error of log Zhat and the probe are exact"}
		}
	}
	return rows, err
}

// missing returns the rows of an algorithm of which nothing is known.
func (s *Comparison) missing(c *contender, law *Law) (rows []ComparisonRow) {
	for _, m := range s.options.Metas {
		r := s.row(c, m)
		r.Method, r.Notes = law.Method, law.Notes
		rows = append(rows, r)
	}
	return rows
}

// sample returns the rows of an algorithm from runs.
func (s *Comparison) sample(ctx context.Context, c *contender) ([]ComparisonRow, error) {
	lml, probe, err := s.runs(ctx, c)
	if err != nil {
		return nil, err
	}
	var rows []ComparisonRow
	for _, m := range s.options.Metas {
		e, err := Sampled(ctx, c.sampled, s.standard, EstimateOptions{
			Runs: s.options.Chains, Meta: m, GoldMeta: 1, Seed: s.options.Seed, Workers: s.options.Workers, Purpose: s.purpose(c) + fmt.Sprintf(" M %d", m),
		})
		if err != nil {
			return nil, err
		}
		r := s.row(c, m)
		r.Mean, r.MeanError, r.Method = e.Value, e.StandardError, SampledComparison
		r.SD = e.StandardError * math.Sqrt(float64(s.options.Chains))
		r.LMLError, r.LMLStandardError = lml.mean(), lml.standardError()
		if s.probe != nil {
			r.Probe, r.ProbeError = probe.mean(), probe.standardError()
		}
		r.Notes = []string{"estimates from runs; J has none"}
		if s.p == nil {
			r.LMLError, r.LMLStandardError = math.NaN(), math.NaN()
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// standard returns the gold standard of sampled AIDE: draws from the posterior where it is known.
func (s *problem) standard() (sampler.Algorithm, error) {
	if s.p == nil {
		return s.gold()
	}
	logp := make([]float64, len(s.p))
	for x, v := range s.p {
		logp[x] = math.Log(v)
	}
	return sampler.NewDensity(logp), nil
}

// purpose tells the random numbers of an algorithm from those of the others.
func (s *problem) purpose(c *contender) string {
	return fmt.Sprintf("study %s %s %d %v", s.study, c.algorithm, c.particles, c.rejuvenate)
}

// runs returns the errors of log Zhat and the probes of runs of an algorithm. As xi = p~(x)/Zhat and p~ = Z p, log Zhat - log Z is
// log p(x) less log xi.
func (s *Comparison) runs(ctx context.Context, c *contender) (lml, probe *sums, err error) {
	alg, err := c.sampled()
	if err != nil {
		return nil, nil, err
	}
	src := simulate.NewStream(s.options.Seed, s.purpose(c), 0)
	xs, logXi, err := sampler.Runs(alg, src, s.options.Chains, &simulate.Watch{Look: ctx.Err})
	if err != nil {
		return nil, nil, err
	}
	lml, probe = &sums{}, &sums{}
	for i, x := range xs {
		if x < 0 {
			lml.add(math.Inf(-1))
			continue
		}
		if s.p != nil {
			lml.add(math.Log(s.p[x]) - logXi[i])
		}
		if s.probe != nil {
			probe.add(s.probe(int(x)))
		}
	}
	return lml, probe, nil
}

// sums collects numbers for their mean.
type sums struct{ values []float64 }

func (s *sums) add(v float64) { s.values = append(s.values, v) }

func (s *sums) mean() float64 { return floats.Sum(s.values) / float64(len(s.values)) }

// standardError returns the standard error of the mean.
func (s *sums) standardError() float64 {
	mean, squares := s.mean(), 0.0
	for _, v := range s.values {
		squares += (v - mean) * (v - mean)
	}
	n := float64(len(s.values))
	return math.Sqrt(squares / (n - 1) / n)
}

// outputs returns the law of the outputs of an algorithm, among the runs that have one.
func outputs(law *Law, p []float64) []float64 {
	q := make([]float64, len(p))
	for x, l := range law.LogRatio() {
		if p[x] > 0 {
			q[x] = p[x] * math.Exp(l)
		}
	}
	floats.Scale(1/floats.SumCompensated(slices.Clone(q)), q)
	return q
}

// mean returns the mean of a function of the output, and NaN where there is no function.
func (s *problem) mean(q []float64, f func(x int) float64) float64 {
	if f == nil || q == nil {
		return math.NaN()
	}
	terms := make([]float64, len(q))
	for x := range q {
		terms[x] = q[x] * f(x)
	}
	return floats.SumCompensated(terms)
}

// marginals returns the law of each part of an output.
func (s *problem) marginals(q []float64) [][]float64 {
	out := make([][]float64, len(s.parts(0)))
	for t := range out {
		out[t] = make([]float64, s.kinds)
	}
	for x := range q {
		for t, v := range s.parts(x) {
			out[t][v] += q[x]
		}
	}
	return out
}
