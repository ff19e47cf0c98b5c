package aide

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/chains/simulate"
	"breadboard/exact/smc"
	algorithms "breadboard/experiments/particles/aide"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/toys/models"
)

// Comparison is a problem of one kind with the algorithms that are compared on it. Its outputs are
// 0..n-1.
type Comparison struct {
	study string
	p     []float64           // the posterior; nil if it has too many outputs to be counted
	own   string              // the selector of the default gold standard
	why   string              // the reason why there is no p
	probe func(x int) float64 // nil if the study has none
	about string              // what the probe is
	parts func(x int) []int   // the parts of an output whose marginals are wanted; nil for none
	kinds int                 // the number of values of a part
	all   []family            // the algorithms
}

// Load returns the comparison of a study, by its name. It reads the files of your data,
// and fails if one of them is malformed.
func Load(name string, own Data) (*Comparison, error) {
	load, known := studies()[name]
	switch {
	case !known:
		return nil, selector.UnknownError("study", name, names())
	case own.HMM != "" && name != "hmm":
		return nil, errs.New("{hmm} is for the study hmm, and this is %s; leave it out", name)
	case own.Points != "" && name != "mixture":
		return nil, errs.New("{points} is for the study mixture, and this is %s; leave it out", name)
	}
	return load(own)
}

// studies are the makers of the studies, by name.
func studies() map[string]func(Data) (*Comparison, error) {
	return map[string]func(Data) (*Comparison, error){
		"regression": regression, "hmm": hmm, "bimodal": bimodal, "mixture": mixture}
}

// compare returns how each algorithm of the studies is compared with the gold standards. Each
// algorithm has all workers, since some take much longer than others.
func compare(_ context.Context, on []*Comparison,
	o *Options) (p study.Plan[Row], err error) {
	if o.Chains == 1 || o.Chains < 0 {
		return p, errs.New("{chains} %d, and one run has no standard error; give 2 or more, or leave it out",
			o.Chains)
	}
	var golds []*standard
	var all []compared
	for _, s := range on {
		if s.p == nil && o.Chains == 0 {
			return p, errs.New("%s: give fewer points, or {chains} to sample up to %d points",
				s.why, models.SampledPoints)
		}
		its, err := s.standards(o.Golds)
		if err != nil {
			return p, err
		}
		contenders, err := s.contenders(o)
		if err != nil {
			return p, err
		}
		golds = append(golds, its...)
		posterior := s.posterior(its)
		for i := range contenders {
			all = append(all, compared{s, &contenders[i], its, posterior, o})
		}
	}
	for i := range all {
		p.Steps += all[i].progressSteps()
	}
	p.Run = func(ctx context.Context, h study.How) ([]Row, error) {
		for _, g := range golds {
			if err := g.solveStandard(ctx, study.How{Workers: h.Workers}); err != nil {
				return nil, err
			}
		}
		return subject.Rows(ctx, len(all), h.Workers, func(ctx context.Context, i int) ([]Row, error) {
			add, done := h.Share(all[i].progressSteps(), filterPieces)
			defer done()
			rows, err := all[i].computeRows(ctx, study.How{Workers: h.Workers, Progress: add})
			if err != nil {
				return nil, fmt.Errorf("study %s, %s with %d: %w",
					all[i].study, all[i].algorithm, all[i].particles, err)
			}
			return rows, nil
		})
	}
	return p, nil
}

// filterPieces is the approximate number of transforms for the traces of a filter.
const filterPieces = 150

// progressSteps returns the progress that an algorithm counts for: more for a filter with many ways
// to divide its particles into types.
func (c *contender) progressSteps() int {
	if c.types == 0 {
		return 1
	}
	ways := smc.Multisets(c.particles-1, c.types)
	size := ways * ways / 2e4 // a transform takes about the square of the ways
	if size > 1e6 {           // it is refused
		return 1
	}
	return 1 + int(size)
}

// posterior returns the properties of the posterior that the rows share.
func (s *Comparison) posterior(golds []*standard) *Posterior {
	p := &Posterior{Probe: s.about, Exact: s.outputMean(s.p, s.probe)}
	if s.p == nil {
		var names []string
		for _, g := range golds {
			names = append(names, g.name)
		}
		p.Gold = strings.Join(names, ", ")
	}
	if s.parts != nil {
		p.Marginals = s.marginals(s.p)
	}
	return p
}

// compared is an algorithm that is compared with the gold standards of a study.
type compared struct {
	*Comparison
	*contender
	golds []*standard
	with  *Posterior
	o     *Options
}

// computeRows returns the rows of the algorithm, one for each gold standard and number of
// meta-inference runs.
func (c compared) computeRows(ctx context.Context, h study.How) (all []Row, err error) {
	law := &algorithms.Law{Method: string(smc.MethodNone)} // nothing is known without a posterior
	if c.p != nil {
		law, err = c.law(ctx, h)
		if err != nil {
			return nil, err
		}
	}
	whole := law.LogRatio() == nil && c.o.Chains > 0 // everything comes from runs
	var lml, probe []float64
	if whole {
		lml, probe, err = c.runs(ctx)
		if err != nil {
			return nil, err
		}
	}
	for _, g := range c.golds {
		rows, err := c.exact(ctx, law, g)
		if err == nil && c.o.Chains > 0 {
			err = c.estimateMeans(ctx, rows, g, h.Workers)
		}
		if err != nil {
			return nil, err
		}
		if whole {
			c.estimateErrors(rows, lml, probe)
		}
		all = append(all, rows...)
	}
	if c.parts != nil && law.LogRatio() != nil && len(all) > 0 {
		all[0].Marginals = c.marginals(outputs(law, c.p))
	}
	return all, nil
}

// mostParts bounds the number of parts of an output, each of which has a probability.
const mostParts = 64

// newRow returns a row of an algorithm without numbers yet. The logarithm of a probability is
// rounded for each part and for each particle, and relative to its size.
func (c compared) newRow(g *standard, meta int) Row {
	nan := math.NaN()
	least := 1.0
	for _, v := range c.p {
		if v > 0 {
			least = min(least, v)
		}
	}
	return Row{
		Rounding:   0x1p-52 * (mostParts + float64(c.particles) - number.Log(least)),
		Study:      c.study,
		Algorithm:  c.algorithm,
		Particles:  c.particles,
		Rejuvenate: c.rejuvenate,
		Gold:       g.name,
		Meta:       meta,
		J:          nan,
		Mean:       nan,
		SD:         nan,
		LMLError:   nan,
		Probe:      nan,
		Posterior:  c.with,
	}
}

// exact returns the rows of an algorithm with all numbers that its distribution and that of the
// gold standard determine. The others are NaN.
func (c compared) exact(ctx context.Context, law *algorithms.Law, g *standard) (rows []Row, err error) {
	var estimates []smc.Estimate
	if law.Side != nil && g.law.Side != nil {
		estimates, err = smc.AIDE(ctx, law.Side, g.law.Side, c.p, c.o.Metas, []int{1})
		if err != nil {
			return nil, err
		}
	}
	lml := math.NaN()
	probe := math.NaN()
	notes := slices.Concat(law.Notes, g.notes())
	if law.LogRatio() != nil {
		probe = c.outputMean(outputs(law, c.p), c.probe)
		if !c.estimatesZ {
			notes = append(notes, "it estimates no log marginal likelihood")
		} else if lml, err = law.LogZError(ctx, c.p); err != nil {
			return nil, err
		}
	}
	for i, m := range c.o.Metas {
		r := c.newRow(g, m)
		n := algorithms.Unknown()
		r.LMLError = lml
		r.Probe = probe
		r.Method = law.Method
		r.Notes = notes
		switch {
		case estimates != nil:
			n, r.Notes = algorithms.NumbersOf(&estimates[i], false), slices.Concat(notes, estimates[i].Notes)
		case g.name == string(algorithms.Exact):
			n = law.Means(m)
		}
		r.J = n.J
		r.Mean = n.Mean
		r.SD = n.SD
		r.Error = n.Error
		rows = append(rows, r)
	}
	return rows, nil
}

// estimateMeans estimates the mean of AIDE from runs in the rows without it.
func (c compared) estimateMeans(ctx context.Context, rows []Row, g *standard, workers int) error {
	for i := range rows {
		r := &rows[i]
		if !math.IsNaN(r.Mean) {
			continue
		}
		purpose := c.purpose() + fmt.Sprintf(" M %d", r.Meta)
		if g.name != c.own {
			purpose += " gold " + g.name
		}
		e, err := algorithms.Sampled(ctx, c.sampled, g.sampled, algorithms.EstimateOptions{
			Runs: c.o.Chains, Meta: r.Meta, GoldMeta: 1, Seed: c.o.Seed, Workers: workers, Purpose: purpose,
		})
		if err != nil {
			return err
		}
		r.Mean = e.Value
		r.MeanError = e.StandardError
		r.Method = MethodSampled
		r.SD = e.StandardError * math.Sqrt(float64(c.o.Chains))
		r.Notes = []string{"AIDE is estimated from runs; J, the error of log Zhat and the probe are exact"}
		if math.IsNaN(r.J) {
			r.Notes = []string{
				"AIDE is estimated from runs, and J is not known; the error of log Zhat and the probe are exact"}
		}
	}
	return nil
}

// estimateErrors estimates the error of log Zhat and the probe from runs, in rows of an algorithm
// without exact numbers.
func (c compared) estimateErrors(rows []Row, lml, probe []float64) {
	for i := range rows {
		r := &rows[i]
		if c.p != nil {
			r.LMLError, r.LMLStandardError = meanAndError(lml)
		}
		if c.probe != nil {
			r.Probe, r.ProbeError = meanAndError(probe)
		}
		r.Notes = []string{"all numbers are estimates from runs; J has no estimate"}
	}
}

// purpose identifies the random numbers of an algorithm.
func (c compared) purpose() string {
	return fmt.Sprintf("study %s %s %d %v", c.study, c.algorithm, c.particles, c.rejuvenate)
}

// runs returns the errors of log Zhat and the probes of runs of an algorithm. Since xi = p~(x)/Zhat
// and p~ = Z p, log Zhat - log Z is log p(x) - log xi.
func (c compared) runs(ctx context.Context) (lml, probe []float64, err error) {
	alg, err := c.sampled()
	if err != nil {
		return nil, nil, err
	}
	src := simulate.NewStream(c.o.Seed, c.purpose(), 0)
	xs, logXi, err := particle.SampleRuns(alg, src, c.o.Chains, &simulate.Watch{Look: ctx.Err})
	if err != nil {
		return nil, nil, err
	}
	for i, x := range xs {
		if x < 0 {
			lml = append(lml, math.Inf(-1))
			continue
		}
		if c.p != nil {
			lml = append(lml, number.Log(c.p[x])-logXi[i])
		}
		if c.probe != nil {
			probe = append(probe, c.probe(int(x)))
		}
	}
	return lml, probe, nil
}

// meanAndError returns the mean of numbers and its standard error.
func meanAndError(v []float64) (mean, standardError float64) {
	mean, deviation := stat.MeanStdDev(v, nil)
	return mean, stat.StdErr(deviation, float64(len(v)))
}

// outputs returns the distribution of the outputs of an algorithm, over the runs that have one.
func outputs(law *algorithms.Law, p []float64) []float64 {
	q := make([]float64, len(p))
	for x, l := range law.LogRatio() {
		if p[x] > 0 {
			q[x] = p[x] * math.Exp(l)
		}
	}
	floats.Scale(1/floats.SumCompensated(slices.Clone(q)), q)
	return q
}

// outputMean returns the mean of a function of the output, and NaN if there is no function.
func (s *Comparison) outputMean(q []float64, f func(x int) float64) float64 {
	if f == nil || q == nil {
		return math.NaN()
	}
	terms := make([]float64, len(q))
	for x := range q {
		terms[x] = q[x] * f(x)
	}
	return floats.SumCompensated(terms)
}

// marginals returns the distribution of each part of an output.
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

// onCase returns an algorithm on an annealing as a contender.
func onCase(c *subject.Case, choice algorithms.Choice) contender {
	return contender{
		algorithm:  string(choice.Kind),
		particles:  max(choice.Particles, choice.Moves),
		estimatesZ: choice.Kind != algorithms.MH,
		law: func(ctx context.Context, h study.How) (*algorithms.Law, error) {
			return choice.ExactLaw(ctx, c, h.Workers, nil)
		},
		sampled: func() (particle.Algorithm, error) { return choice.New(c) },
	}
}

// onProposal returns importance resampling as a contender.
func onProposal(name string, flow *particle.Proposed, particles int) contender {
	return contender{
		algorithm: name, particles: particles, estimatesZ: true,
		law: func(ctx context.Context, h study.How) (*algorithms.Law, error) {
			return algorithms.Independent(ctx, flow, particles, h.Workers)
		},
		sampled: func() (particle.Algorithm, error) {
			return particle.NewSMC(flow, particles, particle.Multinomial{}, 0)
		},
	}
}
