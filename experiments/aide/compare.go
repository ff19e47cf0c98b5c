package aide

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/chains/simulate"
	"breadboard/exact/smc"
	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/toys/models"
)

// Comparison is a problem of one kind with the algorithms that are compared on it. Its outputs are 0..n-1.
type Comparison struct {
	study string
	p     []float64                          // the posterior; nil where it has too many outputs to be counted
	gold  func() (particle.Algorithm, error) // the gold standard where there is no p
	why   string                             // why there is no p
	probe func(x int) float64                // nil where the study has none
	about string                             // what the probe is
	parts func(x int) []int                  // the parts of an output, whose marginals are wanted; nil for none
	kinds int                                // the number of values that a part may have
	all   []contender                        // the algorithms
}

// LoadComparison returns what a study compares, by its name. It reads the files of one's own data, and fails where one of them is malformed.
func LoadComparison(name string, own Data) (*Comparison, error) {
	load, known := studies()[name]
	switch {
	case !known:
		return nil, selector.UnknownError("study", name, ComparisonNames())
	case own.HMM != "" && name != "hmm":
		return nil, chains.NewAdvice("{hmm} is for the study hmm, and this is %s; leave it out", name)
	case own.Points != "" && name != "mixture":
		return nil, chains.NewAdvice("{points} is for the study mixture, and this is %s; leave it out", name)
	}
	return load(own)
}

// studies are the makers of the studies, by name.
func studies() map[string]func(Data) (*Comparison, error) {
	return map[string]func(Data) (*Comparison, error){
		"regression": regression,
		"hmm":        hmm,
		"bimodal":    bimodal,
		"mixture":    mixture,
	}
}

// compare returns how each algorithm of the studies is compared with draws from the posterior. Each has all workers, since some take
// much longer than the others.
func compare(_ context.Context, on []*Comparison, o *ComparisonOptions) (p study.Plan[ComparisonRow], err error) {
	if o.Chains == 1 || o.Chains < 0 {
		return p, chains.NewAdvice("{chains} %d; one run has no standard error: give 2 or more, or leave it out", o.Chains)
	}
	var all []compared
	for _, s := range on {
		if s.p == nil && o.Chains == 0 {
			return p, chains.NewAdvice("%s: give fewer points, or {chains} to sample up to %d", s.why, models.SampledPoints)
		}
		posterior := s.posterior()
		for i := range s.all {
			all = append(all, compared{s, &s.all[i], posterior, o})
		}
	}
	p.Steps = len(all)
	p.Run = func(ctx context.Context, h study.How) ([]ComparisonRow, error) {
		return experiments.Rows(ctx, len(all), h.Workers, func(ctx context.Context, i int) ([]ComparisonRow, error) {
			rows, err := all[i].rows(ctx, h.Workers)
			if err != nil {
				return nil, fmt.Errorf("study %s, %s with %d: %w", all[i].study, all[i].algorithm, all[i].particles, err)
			}
			h.Add(1)
			return rows, nil
		})
	}
	return p, nil
}

// posterior returns what the rows say of the posterior.
func (s *Comparison) posterior() *Posterior {
	p := &Posterior{Probe: s.about, Exact: s.mean(s.p, s.probe)}
	if s.p == nil {
		p.Gold = fmt.Sprintf("%d particles with the optimal proposal and scans", goldParticles)
	}
	if s.parts != nil {
		p.Marginals = s.marginals(s.p)
	}
	return p
}

// compared is an algorithm that is compared with the posterior of a study.
type compared struct {
	*Comparison
	*contender
	with *Posterior
	o    *ComparisonOptions
}

// rows returns the rows of the algorithm, one for each number of meta-inference runs.
func (c compared) rows(ctx context.Context, workers int) (rows []ComparisonRow, err error) {
	law := &Law{Method: MethodNone} // nothing is known where there is no posterior to which it could be compared
	if c.p != nil {
		if law, err = c.law(ctx, workers); err != nil {
			return nil, err
		}
	}
	if law.LogRatio() == nil && c.o.Chains > 0 {
		return c.sample(ctx, workers)
	}
	if rows, err = c.exact(ctx, law); err == nil && law.Solved != nil && c.o.Chains > 0 {
		err = c.estimate(ctx, rows, workers)
	}
	if err == nil && c.parts != nil && law.LogRatio() != nil && len(rows) > 0 {
		rows[0].Marginals = c.marginals(outputs(law, c.p))
	}
	return rows, err
}

// row returns a row of an algorithm in which no number is known yet.
func (c compared) row(meta int) ComparisonRow {
	nan := math.NaN()
	return ComparisonRow{
		Study: c.study, Algorithm: c.algorithm, Particles: c.particles, Rejuvenate: c.rejuvenate, Meta: meta,
		J: nan, Mean: nan, SD: nan, LMLError: nan, Probe: nan, Posterior: c.with,
	}
}

// exact returns the rows of an algorithm with all that its law determines. What is not known is NaN.
func (c compared) exact(ctx context.Context, law *Law) (rows []ComparisonRow, err error) {
	var estimates []smc.Estimate
	if law.Side != nil {
		if estimates, err = smc.AIDE(ctx, law.Side, smc.NewExact(len(c.p)), c.p, c.o.Metas, []int{1}); err != nil {
			return nil, err
		}
	}
	lml, probe, notes := math.NaN(), math.NaN(), law.Notes
	if law.LogRatio() != nil {
		probe = c.mean(outputs(law, c.p), c.probe)
		if !c.estimatesZ {
			notes = slices.Concat(notes, []string{"it estimates no log marginal likelihood"})
		} else if lml, err = law.LogZError(ctx, c.p); err != nil {
			return nil, err
		}
	}
	for i, m := range c.o.Metas {
		r, n := c.row(m), law.Means(m)
		r.LMLError, r.Probe, r.Method, r.Notes = lml, probe, law.Method, notes
		if estimates != nil {
			n, r.Notes = numbers(&estimates[i], false), slices.Concat(notes, estimates[i].Notes)
		}
		r.J, r.Mean, r.SD = n.J, n.Mean, n.SD
		rows = append(rows, r)
	}
	return rows, nil
}

// estimate sets the mean of AIDE from runs in the rows in which it is not known.
func (c compared) estimate(ctx context.Context, rows []ComparisonRow, workers int) error {
	estimates, err := c.sample(ctx, workers)
	for i, e := range estimates {
		if r := &rows[i]; math.IsNaN(r.Mean) {
			r.Mean, r.MeanError, r.SD, r.Method = e.Mean, e.MeanError, e.SD, SampledComparison
			r.Notes = []string{"AIDE is estimated from runs; J, the error of log Zhat and the probe are exact"}
		}
	}
	return err
}

// sample returns the rows of an algorithm from runs.
func (c compared) sample(ctx context.Context, workers int) ([]ComparisonRow, error) {
	lml, probe, err := c.runs(ctx)
	if err != nil {
		return nil, err
	}
	var rows []ComparisonRow
	for _, m := range c.o.Metas {
		e, err := Sampled(ctx, c.sampled, c.standard, EstimateOptions{
			Runs: c.o.Chains, Meta: m, GoldMeta: 1, Seed: c.o.Seed, Workers: workers, Purpose: c.purpose() + fmt.Sprintf(" M %d", m),
		})
		if err != nil {
			return nil, err
		}
		r := c.row(m)
		r.Mean, r.MeanError, r.Method = e.Value, e.StandardError, SampledComparison
		r.SD = e.StandardError * math.Sqrt(float64(c.o.Chains))
		r.LMLError, r.LMLStandardError = lml.mean(), lml.standardError()
		if c.probe != nil {
			r.Probe, r.ProbeError = probe.mean(), probe.standardError()
		}
		r.Notes = []string{"estimates from runs; J has none"}
		if c.p == nil {
			r.LMLError, r.LMLStandardError = math.NaN(), math.NaN()
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// standard returns the gold standard of sampled AIDE: draws from the posterior where it is known.
func (s *Comparison) standard() (particle.Algorithm, error) {
	if s.p == nil {
		return s.gold()
	}
	logp := make([]float64, len(s.p))
	for x, v := range s.p {
		logp[x] = math.Log(v)
	}
	return particle.NewDensity(logp), nil
}

// purpose tells the random numbers of an algorithm from those of the others.
func (c compared) purpose() string {
	return fmt.Sprintf("study %s %s %d %v", c.study, c.algorithm, c.particles, c.rejuvenate)
}

// runs returns the errors of log Zhat and the probes of runs of an algorithm. As xi = p~(x)/Zhat and p~ = Z p, log Zhat - log Z is
// log p(x) less log xi.
func (c compared) runs(ctx context.Context) (lml, probe *sums, err error) {
	alg, err := c.sampled()
	if err != nil {
		return nil, nil, err
	}
	src := simulate.NewStream(c.o.Seed, c.purpose(), 0)
	xs, logXi, err := particle.Runs(alg, src, c.o.Chains, &simulate.Watch{Look: ctx.Err})
	if err != nil {
		return nil, nil, err
	}
	lml, probe = &sums{}, &sums{}
	for i, x := range xs {
		if x < 0 {
			lml.add(math.Inf(-1))
			continue
		}
		if c.p != nil {
			lml.add(math.Log(c.p[x]) - logXi[i])
		}
		if c.probe != nil {
			probe.add(c.probe(int(x)))
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
func (s *Comparison) mean(q []float64, f func(x int) float64) float64 {
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
func (s *Comparison) marginals(q []float64) [][]float64 {
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

// contender is one algorithm of a study.
type contender struct {
	algorithm  string
	particles  int
	rejuvenate bool
	// law returns what is known exactly; its side is nil where nothing is, and its notes then say why.
	law func(ctx context.Context, workers int) (*Law, error)
	// sampled returns the algorithm, for one goroutine.
	sampled func() (particle.Algorithm, error)
	// estimatesZ says whether xi is p~/Zhat with a Zhat by which the algorithm is judged.
	estimatesZ bool
}

// onCase returns an algorithm on an annealing as a contender.
func onCase(c *experiments.Case, choice Choice) contender {
	return contender{
		algorithm: string(choice.Kind), particles: max(choice.Particles, choice.Moves), estimatesZ: choice.Kind != MH,
		law:     func(ctx context.Context, workers int) (*Law, error) { return choice.Law(ctx, c, workers, nil) },
		sampled: func() (particle.Algorithm, error) { return choice.New(c) },
	}
}

// onProposal returns importance resampling as a contender.
func onProposal(name string, flow *particle.Proposed, particles int) contender {
	return contender{
		algorithm: name, particles: particles, estimatesZ: true,
		law: func(ctx context.Context, workers int) (*Law, error) {
			return Independent(ctx, flow, particles, workers)
		},
		sampled: func() (particle.Algorithm, error) { return particle.NewSMC(flow, particles, particle.Multinomial{}, 0) },
	}
}
