// Package smc answers: what do more particles gain in sequential Monte Carlo? For sequential Monte
// Carlo on an annealing it computes, exactly if possible, the divergence of the output from the
// target and the error of the estimate of log Z, for each number of particles and each resampling
// scheme. It never prints, draws or reads flags.
//
// P particles go through the annealing in parallel. Stage t = 2..T weights each by f_t/f_{t-1} at
// its state, resamples, and moves every particle by the kernel T_t. The output x is the state of
// one of them, drawn by the remaining weights, and
//
//	Zhat = product of the mean weights, over the stages with resampling and the end
//
// estimates Z_T/Z_1. A conditional run starts from an output: it draws a path back by the reversed
// kernels, and then the other particles with that path kept in place. With one particle this is
// annealed importance sampling, and the numbers are those of package tightness. With q the
// distribution of the output and p the target, in nats,
//
//	J, kl_q_p, kl_p_q       KL(q||p) + KL(p||q), and its two parts
//	mean_log_z_forward      the mean of log Zhat in runs, at most log(Z_T/Z_1)
//	mean_log_z_conditional  the same in conditional runs to draws of the target, at least log(Z_T/Z_1)
//	B                       mean_log_z_conditional - mean_log_z_forward: at least J, and the mean of AIDE with
//	                        one meta-inference run and an exact gold standard
//	relative_variance       E[Zhat^2]/Z^2 - 1
//	limit_P_relative_variance, limit_P2_J
//	                        the limits of P relative_variance and of P^2 J for many particles
//	extinct                 the probability that all weights become zero, so that there is no output; J is
//	                        that of the other runs
//
// The study checks the identities between these: J <= B, each divergence is at most its half of B,
// and the mean of conditional runs is at most log(Z_T/Z_1) + log(1 + relative_variance), by
// Jensen's inequality.
//
// # Resampling
//
// The schemes are multinomial, stratified, systematic and residual (particle.ParseScheme). A
// threshold of 1 resamples at every stage, 0 never, and C if the effective sample size (sum
// w)^2/sum w^2 is below C P. On BARRIER resampling at every stage increases J: the weights vary
// little from stage to stage, and each resampling merges lineages without need.
//
//	$ breadboard smc --toy barrier --particles 1,2 --resample multinomial,systematic --threshold 1,0 --columns particles,resample,J,B
//	 particles │ resample    │ J (nats) │ B (nats)
//	───────────┼─────────────┼──────────┼──────────
//	         1 │ multinomial │  1.64786 │  1.81043
//	         2 │ multinomial │  1.61289 │  1.72758
//	         1 │ systematic  │  1.64786 │  1.81043
//	         2 │ systematic  │ 0.974158 │  1.27697
//	         1 │ never       │  1.64786 │  1.81043
//	         2 │ never       │ 0.844014 │  1.14792
//
// # More particles can be worse
//
// J need not fall with the number of particles. Here the likely state of the intermediate
// distribution has little mass in the target: f is (1, 1), then (1, e^5.5), then (1, e^-6). More
// particles fill the wrong state better, and only many more keep one in the right one. The kernel
// independence proposes either state with probability 1/2.
//
//	$ breadboard smc --toy cells:0:-6 --path via:0.5:experiments/particles/smc/examples/way.csv -T 3 --kernel independence --particles 1,2,30,100 --columns particles,J
//	 particles │ J (nats)
//	───────────┼──────────
//	         1 │  2.04345
//	         2 │  2.25266
//	        30 │  2.52525
//	       100 │  1.74694
//
// # Numbers without an exact method
//
// The joint distribution of the particles has as many entries as there are multisets of P states:
// 1,225 for two particles on 49 states, 20,825 for three. Particles on two or three states need
// only be counted, and those that are never resampled are independent; both are exact for any
// number. Beyond a fixed size the numbers are empty, and a note says what has to be smaller. The
// relative variance is nevertheless exact for any P if the multinomial scheme resamples at every
// stage, and simulation adds estimates, the same for any number of workers.
//
//	breadboard smc --toy barrier --particles 10,100,1000
//	breadboard smc --toy easy -T 20 --particles 10 --resample systematic --threshold 0.5 --chains 1e4
//
// A sweep runs the study as study = "smc", with the parameters particles, resample and threshold.
//
// Sources: Del Moral, Doucet and Jasra 2006; Andrieu, Doucet and Holenstein 2010; Cusumano-Towner
// and Mansinghka 2017, supplement, section A.
package smc

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/combin"

	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Study declares the study.
func Study() *study.Study[subject.Case, Options, Row] {
	count := subject.Whole("particles", "the number of particles", 1, maxParticles, 1, 2)
	scheme := subject.Parameter{
		Name:      "resample",
		Doc:       "the resampling scheme",
		Defaults:  subject.Just(particle.Multinomial{}.String()),
		Canonical: canonicalScheme,
	}
	threshold := subject.Parameter{
		Name:     "threshold",
		Doc:      "1 resamples at every stage, 0 never, and C if the effective sample size is below C times particles",
		Defaults: subject.Just("1"),
		Number:   &subject.Range{Low: 0, High: 1, Real: true},
	}
	return study.New(Options{
		Particles:  []int{1, 2},
		Resample:   []string{particle.Multinomial{}.String()},
		Thresholds: []float64{1},
		Seed:       1,
	}, plan,
		study.Declaration{
			Says: columns.Sentence{
				Least: "J",
				Text:  "{toy}, T = {T}: {particles} particles have J = {J} nats",
			},
			Name: "smc",
			Asks: "What do more particles gain in sequential Monte Carlo?",
			Help: `smc shows exactly what more particles gain in sequential Monte Carlo: the
divergence J of its output from the target, the mean of the estimate log Zhat
of log(Z_T/Z_1), and the relative variance of Zhat.

At each stage P particles are weighted, resampled and moved. With one particle
this is annealed importance sampling. B is the mean of log Zhat in conditional
runs, which keep the path of an exact draw, minus that in plain runs; it bounds
J. If no exact method applies, the numbers are empty and --chains estimates
them. With --adaptive, -T and --schedule are not used.

See breadboard help estimators.`,
			Examples: `  breadboard smc --toy barrier --resample multinomial,systematic --threshold 1,0
  breadboard smc --toy easy -T 20 --particles 10 --threshold 0.5 --chains 1e4
  breadboard smc --toy barrier -T 100 --threshold 0,1 --until "relative_variance<0.1"
  breadboard smc --adaptive 0.9 --particles 1,2,3,10,30 --toy random:1:1:4 --chains 1e4`,
			Counts: "particles", Workers: true,
			Options: study.OptionsOf(func(o *Options) []study.Option {
				return []study.Option{
					{Name: "particles", Swept: &count,
						To: study.Wholes(&o.Particles, "P", 1, maxParticles)},
					{
						Name:  "resample",
						Doc:   ": " + strings.Join(particle.Forms().Listing.Syntaxes(), ", "),
						Swept: &scheme,
						To:    study.Texts(&o.Resample),
					},
					{
						Name:  "threshold",
						Swept: &threshold,
						To:    study.Numbers(&o.Thresholds),
					},
					{
						Name: "chains", Doc: "and as many conditional ones, for each row; 0 for none",
						To: study.Whole(&o.Chains, "N", 0, subject.MaxNumber),
					},
					study.SeedOption(&o.Seed, nil),
				}
			}),
			Idle:    study.IdleOf(func(_ []subject.Case, o *Options) bool { return o.Chains == 0 }, "seed"),
			Columns: fields(),
			Size:    &study.Size{Option: "particles", Least: 1, Most: 1_000_000, Apart: "threshold"},
			Cost:    cost,
			View:    reports.Untyped(report),
			About:   subject.Annealed(100),
			Swept: &study.Swept{
				Parameters: subject.Parameters(), Subject: study.TheCase,
				Note: study.NoteOf(func(r *Row) (string, error) { return strings.Join(r.Notes, "; "), nil }),
			},
		})
}

// canonicalScheme is the Canonical of the parameter resample.
func canonicalScheme(text string) (string, error) {
	s, err := particle.ParseScheme(text)
	if err != nil {
		return "", err
	}
	return s.String(), nil
}

// Measured: the time of the recursion of the relative variance, and of the distribution of two
// particles for each state, relative to a solution by the general method; and the bytes of an entry
// of a distribution of several particles.
const (
	pairCost   = 0.3
	fourTimes  = 13   // of four particles, whose multisets are split
	countCost  = 8e-9 // in seconds, of the counts on two or three states, for each pair of counts
	entryBytes = 48
)

// cost estimates the time and memory of the rows of all numbers of particles. A distribution of k
// particles has states^k entries, and for k above 3 one for each multiset of k states.
func cost(s subject.Size) (c subject.Cost) {
	n := float64(max(1, s.States))
	c.Bytes = 2 * s.Solution.Bytes
	for text := range strings.SplitSeq(cmp.Or(s.Params.Get(":particles"), s.Params.Get("particles")), ",") {
		k, _ := strconv.ParseFloat(text, 64)
		entries := math.Pow(n, k)
		if k > 3 {
			entries = combin.GeneralizedBinomial(n+k-1, k)
		}
		if entries > 1<<25 {
			entries = n // of the relative variance alone, since smc.Solve has no more
		}
		c.Seconds += s.Solution.Seconds
		switch {
		case k > 4 && n <= 3:
			c.Seconds += countCost * entries * entries * float64(s.Distributions)
		case k == 4:
			c.Seconds += fourTimes * pairCost * entries / n * s.General.Seconds
		default:
			c.Seconds += pairCost * entries / n * s.General.Seconds
		}
		c.Bytes = max(c.Bytes, 2*s.Solution.Bytes+entryBytes*entries)
	}
	return c
}

// fields lists the columns of the study: for machines all, for people the exact numbers, or after a
// simulation the estimates beside them. Exact numbers without a method are empty, and missing in a
// sweep.
func fields() columns.List {
	nats := func(name, title string, low, high float64, meaning string,
		of, err func(*Row) float64) columns.Field {
		return columns.Rounded(name, title, meaning, of, err).In("nats").Keep(
			columns.Kept{Low: low, High: high, Missing: true, Shown: title != ""},
		)
	}
	infinite := math.Inf(1)
	largest := math.MaxFloat64
	errorJ := func(r *Row) float64 { return r.ErrorJ }
	errorMean := func(r *Row) float64 { return r.ErrorMean }
	ratio := nats("log_z_ratio", "", -largest, largest, columns.MeansLogZRatio,
		func(r *Row) float64 { return r.LogZRatio }, errorMean).Absolute()
	ratio.Kept.Missing = false // it is always known
	theCase := (*Row).TheCase
	return slices.Concat(subject.WholeCase(theCase),
		columns.List{
			columns.Of("particles", "particles", "the number P of particles",
				func(r *Row) int { return r.Particles }),
			columns.Of("resample", "resample", "the resampling scheme; never for a threshold of 0", (*Row).Resample),
			columns.Of("threshold", "threshold",
				"particles are resampled if their ESS is below this fraction of P; 1 is always",
				func(r *Row) float64 { return r.Threshold }),
			nats("J", "J", 0, infinite,
				"the Jeffreys divergence of the chosen particle from the target; "+
					"empty without an exact method",
				func(r *Row) float64 { return r.J }, errorJ).Answer(),
			nats("kl_q_p",
				"", 0, infinite, "KL(chosen particle || target)",
				func(r *Row) float64 { return r.KLQP }, errorJ),
			nats("kl_p_q",
				"", 0, infinite, "KL(target || chosen particle)",
				func(r *Row) float64 { return r.KLPQ }, errorJ),
			nats("mean_log_z_forward", "E log Z fwd", -infinite, largest, "the mean of log Zhat of runs",
				func(r *Row) float64 { return r.MeanLogZForward },
				errorMean).Absolute(),
			nats("mean_log_z_conditional", "E log Z cond.", -largest, infinite,
				"the mean of log Zhat of runs that contain a draw from the target",
				func(r *Row) float64 { return r.MeanLogZConditional },
				errorMean).Absolute(),
			nats("B", "B", -infinite, infinite,
				"mean_log_z_conditional - mean_log_z_forward, a bound on J; empty without an exact method",
				func(r *Row) float64 { return r.B },
				func(r *Row) float64 { return r.ErrorB }).Answer(),
			ratio,
			columns.Rounded("relative_variance", "rel. variance", "E[Zhat^2]/Z^2 - 1",
				func(r *Row) float64 { return r.RelativeVariance },
				func(r *Row) float64 { return r.ErrorVariance }).Answer().Within(-infinite, infinite).Missing().Shown(),
			columns.Of("limit_P_relative_variance", "",
				"the limit of particles times relative_variance for many particles; empty unless "+
					"resampling is multinomial at every stage, or at none",
				func(r *Row) float64 { return r.Limits.P }).Within(-infinite, infinite).Missing(),
			columns.Of("limit_P2_J", "(nats)", "the limit of particles^2 J for many particles, likewise",
				func(r *Row) number.Bounded { return r.Limits.P2J }).Within(-infinite, infinite).Missing(),
			columns.Of("extinct", "",
				"the probability that the weights of all particles become zero; empty without an exact method",
				func(r *Row) float64 { return r.Extinct }).Within(0, 1+
				1e-12).Missing(),
			columns.Of("method", "method",
				"how the numbers are computed",
				func(r *Row) string { return string(r.Method) }),
			columns.Note(func(r *Row) string { return strings.Join(r.Notes, "; ") }),
		},
		columns.Lift(estimateFields(), func(r *Row) *Estimates { return r.Estimates }))
}

// estimateFields lists the columns of simulated systems.
func estimateFields() (fields columns.List) {
	add := func(name, short, unit string, of func(*Estimates) ais.Estimate) {
		var value, spread string
		if short != "" {
			value = "estimate, " + short
			spread = "se, " + short
		}
		fields = append(fields,
			columns.Estimated("estimate_"+name,
				value, "the estimate from simulated runs of "+name+"; empty if none were asked for",
				func(e *Estimates) float64 { return of(e).Value }).In(unit).Answer(),
			columns.Estimated("estimate_"+name+"_se", spread, "the standard error of estimate_"+name,
				func(e *Estimates) float64 { return of(e).StandardError }).In(unit).Answer())
	}
	add("mean_log_z_forward", "fwd", "nats", func(e *Estimates) ais.Estimate { return e.MeanLogZForward })
	add("mean_log_z_conditional", "cond.", "nats",
		func(e *Estimates) ais.Estimate { return e.MeanLogZConditional })
	add("B", "", "nats", func(e *Estimates) ais.Estimate { return e.B })
	add("relative_variance", "", "", func(e *Estimates) ais.Estimate { return e.RelativeVariance })
	add("extinct", "", "", func(e *Estimates) ais.Estimate { return e.Extinct })
	return fields
}
