// Package aide answers: how do the algorithms of the AIDE article (Cusumano-Towner and Mansinghka
// 2017) compare on problems of the same kinds, exactly? It has four studies, after its figures 2 to
// 5: regression, a hidden Markov model, a bimodal target and a mixture. Rows without an exact
// method are sampled on request, and marked. It never prints or reads flags.
//
// # What an error of the log marginal likelihood hides
//
// Importance resampling from a proposal that misses one of two equal modes has a small error of the
// log marginal likelihood: it misses half of the mass, so that E log Zhat - log Z is about -log 2.
// J and AIDE detect the missing mode.
//
//	$ breadboard reproduce aide bimodal --meta 1
//	 study   │ algorithm │ particles │ meta │   J (nats) │ AIDE (nats) │ sd (nats) │ lml error (nats) │     probe │ method
//	─────────┼───────────┼───────────┼──────┼────────────┼─────────────┼───────────┼──────────────────┼───────────┼──────────
//	 bimodal │ broad     │         1 │    1 │    1.78869 │     1.78869 │   2.15791 │         -1.20188 │   0.52381 │ integral
//	 bimodal │ broad     │        10 │    1 │  0.0100819 │    0.119343 │  0.493013 │       -0.0627958 │  0.500357 │ integral
//	 bimodal │ broad     │       100 │    1 │ 7.01017e-5 │   0.0110282 │  0.148522 │       -0.0055381 │  0.500278 │ integral
//	 bimodal │ broad     │      1000 │    1 │ 6.80707e-7 │  0.00109541 │ 0.0468063 │     -0.000547942 │  0.500273 │ integral
//	 bimodal │ offset    │         1 │    1 │    6.46558 │     6.46558 │    6.7676 │        -0.814366 │ 0.0115236 │ integral
//	 bimodal │ offset    │        10 │    1 │    5.13669 │      5.1545 │   5.71459 │        -0.681706 │ 0.0104056 │ integral
//	 bimodal │ offset    │       100 │    1 │    3.97737 │     3.99929 │   4.68291 │        -0.641773 │ 0.0306157 │ integral
//	 bimodal │ offset    │      1000 │    1 │    2.83027 │     2.87727 │   3.68535 │        -0.567972 │ 0.0789265 │ integral
//
// # Rejuvenation
//
// In the filter of a mixture, a Gibbs scan over the assigned points after each step makes the
// output almost exact with a single particle. AIDE with one meta-inference run does not show this,
// like the steps of a Markov chain; the column rejuvenate marks the rows with scans.
package aide

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/exact/smc"
	algorithms "breadboard/experiments/particles/aide"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Study declares the studies of the AIDE article, each of which compares the algorithms of
// one problem.
func Study() *study.Study[*Comparison, Options, Row] {
	return study.New(Options{Metas: []int{1, 10, 100}, Seed: 1}, compare, study.Declaration{
		Says: columns.Sentence{Text: "{study}: AIDE of {algorithm} is {mean} nats, and J is {J}"},
		Name: "reproduce aide",
		Asks: "How do the algorithms of the AIDE article compare? " + strings.Join(names(), ", "),
		Help: `aide compares algorithms with a gold standard on one kind of problem, exactly,
after figures 2 to 5 of Cusumano-Towner and Mansinghka (2017).

The problems are regression (a line through five points), hmm (paths of a
hidden Markov model), bimodal (importance resampling) and mixture (partitions
under a Dirichlet process). lml_error is E log Zhat - log Z. probe is the mass
of the right mode, or the mean number of clusters. --gold optimal:100:scans
adds Gibbs scans. --points takes up to 12 numbers, or 100 with --chains. Rows
without an exact method need --chains.

See breadboard help estimators.`,
		Examples: `  breadboard reproduce aide regression
  breadboard reproduce aide hmm --hmm own.toml --out results
  breadboard reproduce aide hmm --proposal prior,optimal --particles 1,10,100 --gold exact,optimal:1000 --meta 1 --chains 300
  breadboard reproduce aide bimodal --meta 1`,
		Counts: "algorithms", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				{
					Name: "gold",
					Doc:  ": exact, or an algorithm with its number of particles, as optimal:1000 (default exact)",
					To:   study.Texts(&o.Golds),
				},
				{Name: "proposal", Doc: "of the study, as prior,optimal (default all)",
					To: study.Texts(&o.Proposals)},
				{
					Name: "particles",
					Doc:  ", or of steps of a Markov chain, 1 to 1e6 (default those of the study)",
					To:   study.Wholes(&o.Particles, "P", 1, maxCompared),
				},
				{Name: "meta",
					To: study.Wholes(&o.Metas, "M", 1, algorithms.MaxMeta)},
				study.CountOption("chains", "of rows without an exact method; 0 omits these rows", &o.Chains, nil),
				study.SeedOption(&o.Seed, nil),
			}
		}),
		Idle:    study.IdleOf(func(_ []*Comparison, o *Options) bool { return o.Chains == 0 }, "seed"),
		Columns: fields(),
		View:    reports.Untyped(report),
		Tables: func(reports.Schema) (list []reports.Schema) {
			for _, name := range names() {
				list = append(list, reports.Schema{Table: "aide_" + name, Of: Table(nil)})
			}
			return list
		},
		Unswept: "each study has the fixed algorithms and settings of the article",
	})
}

// fields lists the columns of the studies; those of standard errors have values in
// sampled rows.
func fields() columns.List {
	type row = Row
	nats := func(name, title, meaning string, of, err func(*row) float64) columns.Field {
		return columns.Rounded(name, title, meaning, of, func(r *row) float64 {
			if r.Method == MethodSampled { // its digits are those of its standard error
				return 0
			}
			return err(r)
		}).In("nats")
	}
	deviation := func(name, title, unit, meaning string, of func(*row) float64) columns.Field {
		return columns.Estimated(name, title, meaning+"; empty if the row is not sampled", func(r *row) float64 {
			if r.Method != MethodSampled {
				return math.NaN()
			}
			return of(r)
		}).OrEmpty().In(unit).Digits(2)
	}
	return columns.List{
		columns.Of("study", "study", "the study", func(r *row) string { return r.Study }),
		columns.Of("algorithm", "algorithm", "the algorithm: smc, mh or another of the study",
			func(r *row) string { return r.Algorithm }),
		columns.Of("particles", "particles", "the number of particles, or of steps of a Markov chain",
			func(r *row) int { return r.Particles }).Positive(),
		columns.Of("rejuvenate", "rejuvenate", "whether particles are moved after each resampling",
			func(r *row) bool { return r.Rejuvenate }),
		columns.Of("gold", "gold", "the gold standard: exact, or an algorithm with its number of particles",
			func(r *row) string { return r.Gold }),
		columns.Of("meta", "meta", "the number of meta-inference runs for an output",
			func(r *row) int { return r.Meta }),
		columns.Of("J", "J (nats)",
			"the Jeffreys divergence of the algorithm from the gold standard; NaN if it is not known",
			func(r *row) number.Bounded { return number.Divergence(r.J, r.Rounding) }).Answer(),
		nats("mean", "AIDE", "the mean of one estimate of AIDE", func(r *row) float64 { return r.Mean },
			(*row).errorMean).Answer(),
		nats("sd", "sd", "the standard deviation of one estimate", func(r *row) float64 { return r.SD },
			func(r *row) float64 { return algorithms.ErrorSD(r.SD, r.Mean, r.errorMean()) }),
		nats("lml_error", "lml error", "E log Zhat - log Z; NaN if it is not known",
			func(r *row) float64 { return r.LMLError },
			func(r *row) float64 { return r.Rounding }),
		columns.Of("probe", "probe", "the mean number of clusters, or the mass of the right mode; see the notes",
			func(r *row) float64 { return r.Probe }),
		columns.Of("method", "method", "exact, sampled (estimated from runs), or none",
			func(r *row) string { return r.Method }),
		deviation("mean_se", "se of AIDE", "nats", "the standard error of mean",
			func(r *row) float64 { return r.MeanError }),
		deviation("lml_error_se", "se of lml", "nats", "the standard error of lml_error",
			func(r *row) float64 { return r.LMLStandardError }),
		deviation("probe_se", "se of probe", "", "the standard error of probe",
			func(r *row) float64 { return r.ProbeError }),
		columns.Note(func(r *row) string { return strings.Join(r.Notes, "; ") }),
	}
}

// Row is one algorithm of a study, compared with a gold standard, for one number of
// meta-inference runs. Numbers are in nats, except the probe. Unknown numbers are NaN.
type Row struct {
	Study     string
	Algorithm string
	// the number of particles, or of steps of a Markov chain; 0 for an algorithm that has neither
	Particles  int
	Rejuvenate bool   // whether a Gibbs scan over the points so far follows each step
	Gold       string // the selector of the gold standard in canonical form
	Meta       int
	J          float64
	Mean, SD   float64 // of AIDE
	LMLError   float64 // E log Zhat - log Z, the mean error of the estimate of the log marginal likelihood
	Probe      float64 // the mean of the study's probe over the outputs (see Posterior)
	// Rounding bounds the error of the logarithm of a ratio of probabilities of an output, and
	// Error that of Mean and of moments of the estimate, apart from Rounding.
	Rounding, Error float64
	Method          string // how the distribution is computed; MethodSampled if it is not
	// Errors are standard errors of sampled numbers, and zero if all is exact.
	MeanError, LMLStandardError, ProbeError float64
	// Marginals are the distributions of the parts of its outputs, like those of the posterior.
	// Only the first row of an algorithm has them.
	Marginals [][]float64
	Notes     []string
	Posterior *Posterior
}

// errorMean bounds the rounding of Mean.
func (r *Row) errorMean() float64 {
	return r.Error + number.Divergence(r.Mean, r.Rounding).Error
}

// MethodSampled is the method of a row whose numbers are estimates.
const MethodSampled = "sampled"

// Posterior is what the algorithms of a study are compared with. All rows share it.
type Posterior struct {
	Probe string  // the meaning of the column probe; empty if the study has none
	Exact float64 // the probe of the posterior
	Gold  string  // what replaces the posterior if that has too many outputs to enumerate; otherwise empty
	// Marginals are the distributions of the parts of an output: Marginals[t][s] is the probability
	// that part t is s. Only the study of hidden Markov models has them.
	Marginals [][]float64
}

// names returns the names of the studies.
func names() []string { return []string{"regression", "hmm", "bimodal", "mixture"} }

// Data are the files of your data for a study.
type Data struct {
	HMM    string // a file with a hidden Markov model; empty for the study's own
	Points string // a file with points; empty for the study's own
}

// Options are the algorithms to compare, and the sizes of the runs.
type Options struct {
	Golds     []string // selectors of gold standards; empty for that of the study
	Proposals []string // the names of algorithms; empty for all of the study
	Particles []int    // numbers of particles, or of steps; empty for those of the study
	Metas     []int    // numbers of meta-inference runs
	Chains    int      // the number of runs of rows without an exact method; 0 omits them
	Seed      uint64
}

// maxCompared is the largest number of particles, or of steps, of an algorithm in a comparison.
const maxCompared = 1_000_000

// withScans follows the number of particles in the selector of a gold standard with a Gibbs scan
// after each step.
const withScans = "scans"

// contender is one algorithm of a study.
type contender struct {
	algorithm  string
	particles  int
	rejuvenate bool
	// law returns what is known exactly; its side is nil if nothing is, and its notes then have the
	// reason.
	law   func(ctx context.Context, h study.How) (*algorithms.Law, error)
	types int // the number of types of the particles of a filter that is counted; otherwise zero
	// sampled returns the algorithm, for one goroutine.
	sampled func() (particle.Algorithm, error)
	// estimatesZ reports whether xi is p~/Zhat, with a Zhat by which the algorithm is judged.
	estimatesZ bool
}

// family are the contenders of a study that differ only in their numbers of particles.
type family struct {
	algorithm  string
	rejuvenate bool
	counts     []int // the default numbers of particles, or of steps; nil for an algorithm that has none
	with       func(particles int) (contender, error)
}

// selector returns the selector of the family as a gold standard, with a number of particles.
func (f *family) selector(particles string) string {
	text := f.algorithm
	if f.counts != nil {
		text += ":" + particles
	}
	if f.rejuvenate {
		text += ":" + withScans
	}
	return text
}

// contenders returns the requested algorithms, by default all.
func (s *Comparison) contenders(o *Options) (list []contender, err error) {
	var names []string
	for _, f := range s.all {
		if !slices.Contains(names, f.algorithm) {
			names = append(names, f.algorithm)
		}
	}
	for _, name := range o.Proposals {
		if !slices.Contains(names, name) {
			return nil, selector.UnknownError("proposal of the study "+s.study, name, names)
		}
	}
	for _, f := range s.all {
		if len(o.Proposals) > 0 && !slices.Contains(o.Proposals, f.algorithm) {
			continue
		}
		counts := f.counts
		switch {
		case counts == nil:
			counts = []int{0}
		case len(o.Particles) > 0:
			counts = o.Particles
		}
		for _, n := range counts {
			if f.counts != nil && (n < 1 || n > maxCompared) {
				return nil, errs.New("{particles} %d; give whole numbers from 1 to %.0e",
					n, float64(maxCompared))
			}
			c, err := f.with(n)
			if err != nil {
				return nil, err
			}
			list = append(list, c)
		}
	}
	return list, nil
}

// standard is a gold standard with its exact distribution, if known.
type standard struct {
	contender
	name    string          // the selector in canonical form
	counted bool            // whether the outputs are enumerated; otherwise no distribution is known
	law     *algorithms.Law // after solve
}

// standards returns the gold standards of some selectors, each once, or the default of the study.
func (s *Comparison) standards(selectors []string) (list []*standard, err error) {
	if len(selectors) == 0 {
		selectors = []string{s.own}
	}
	for _, text := range selectors {
		g, err := s.standard(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(list, func(other *standard) bool { return other.name == g.name }) {
			list = append(list, g)
		}
	}
	return list, nil
}

// standard returns the gold standard of a selector: exact, or an algorithm of the study with its
// number of particles, as optimal:1000.
func (s *Comparison) standard(text string) (*standard, error) {
	if text == string(algorithms.Exact) {
		return s.posteriorGold()
	}
	name, rest, _ := strings.Cut(text, ":")
	count, behind, scans := strings.Cut(rest, ":")
	known := []string{string(algorithms.Exact)}
	for _, f := range s.all {
		known = append(known, f.selector("P"))
		if f.algorithm != name || f.rejuvenate != scans || scans && behind != withScans ||
			f.counts == nil && rest != "" {
			continue
		}
		n := 0
		err := error(nil)
		if f.counts != nil {
			if count == "" {
				return nil, errs.New("{gold} %s; give its number of particles, as in %s",
					text, f.selector("100"))
			}
			n, err = selector.ParseWhole(count, 1, maxCompared)
			if err != nil {
				return nil, errs.New("{gold} %s: the number of particles: %w", text, err)
			}
		}
		c, err := f.with(n)
		return &standard{contender: c, name: f.selector(strconv.Itoa(n)), counted: s.p != nil}, err
	}
	return nil, selector.UnknownError("gold standard of the study "+s.study, text, known)
}

// posteriorGold returns the gold standard that draws from the posterior itself.
func (s *Comparison) posteriorGold() (*standard, error) {
	if s.p == nil {
		return nil, errs.New("{gold} %s: %s; leave it out for %s", algorithms.Exact, s.why, s.own)
	}
	return &standard{name: string(algorithms.Exact), counted: true, contender: contender{
		law: func(context.Context, study.How) (*algorithms.Law, error) {
			return &algorithms.Law{Side: smc.NewExact(len(s.p))}, nil
		},
		sampled: func() (particle.Algorithm, error) {
			logp := make([]float64, len(s.p))
			for x, v := range s.p {
				logp[x] = number.Log(v)
			}
			return particle.NewDensity(logp), nil
		},
	}}, nil
}

// solveStandard computes the exact distribution of the gold standard, if possible.
func (g *standard) solveStandard(ctx context.Context, h study.How) (err error) {
	g.law = (&algorithms.Law{Method: string(smc.MethodNone)})
	if g.counted {
		g.law, err = g.contender.law(ctx, h)
	}
	return err
}

// notes returns the reason if no distribution of the gold standard is known.
func (g *standard) notes() (notes []string) {
	if g.law.Side != nil {
		return nil
	}
	for _, n := range g.law.Notes {
		notes = append(notes, "gold "+g.name+": "+n)
	}
	return notes
}
