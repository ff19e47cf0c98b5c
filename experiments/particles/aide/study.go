// Package aide answers: how close is AIDE to the divergence between two inference algorithms? AIDE
// estimates the symmetric Kullback-Leibler divergence between their outputs, and is an upper bound
// in expectation (Cusumano-Towner and Mansinghka 2017). On a finite space its mean, its standard
// deviation and the divergence are exact. It never prints, draws or reads flags.
//
// # What is computed
//
// An algorithm draws a trace u and an output x from q(u, x); meta-inference draws a trace from r(u;
// x) for a given output. AIDE runs both algorithms, the target a and the gold standard b, and adds
// up
//
//	log q_a(x)/q_b(x) + log S_a - log S_b at the output x of the target, and
//	log q_b(y)/q_a(y) + log S_b - log S_a at the output y of the gold standard,
//
// where S is the mean of q(u_k | x)/r(u_k; x) over M traces. In each half the algorithm that made
// the output uses the trace of its run as the first of the M; all other traces come from
// meta-inference. A density has no trace, and S is one.
//
//	$ breadboard aide --target ais --gold exact --toy barrier -T 100
//	 toy     │   T │ target │ gold  │ meta │ J (nats) │ AIDE (nats) │ sd (nats) │ bias (nats) │ method
//	─────────┼─────┼────────┼───────┼──────┼──────────┼─────────────┼───────────┼─────────────┼───────────
//	 barrier │ 100 │ ais    │ exact │    1 │  1.64786 │     1.81043 │   1.66932 │      0.1626 │ annealing
//	 barrier │ 100 │ ais    │ exact │   10 │  1.64786 │      1.6713 │   1.59996 │     0.02344 │ annealing
//	 barrier │ 100 │ ais    │ exact │  100 │  1.64786 │     1.65041 │   1.58873 │    0.002544 │ annealing
//
// The mean decreases to J as M grows. With M = 1 and an exact gold standard it is the bound B of
// tightness. One half is then bracketed: kl_q_p_lower <= KL(target||gold) <= kl_q_p_upper.
//
// With M = 1, AIDE does not depend on the number of steps of a Markov chain under its target: it is
// the divergence of the initial distribution from the target.
//
//	$ breadboard aide --target mh:100 --toy easy --meta 1,100
//	 toy  │   T │ target │ gold  │ meta │ J (nats) │ AIDE (nats) │ sd (nats) │ bias (nats) │ method
//	──────┼─────┼────────┼───────┼──────┼──────────┼─────────────┼───────────┼─────────────┼────────
//	 easy │ 100 │ mh:100 │ exact │    1 │ 0.129071 │     3.22238 │   2.55276 │       3.093 │ moves
//	 easy │ 100 │ mh:100 │ exact │  100 │ 0.129071 │    0.430959 │  0.971311 │      0.3019 │ moves
//
// # The first trace
//
// Some programs omit the trace of the run and take all M from meta-inference. Their result can be
// below J and bounds nothing; WithoutFirstTrace computes it.
//
// Two algorithms are compared output by output, so that both must have the same outputs. If one of
// them never returns an output of the other, J is infinite, and a note names the output and its
// mass.
//
// # Your algorithm
//
// Anything that implements chains/particle.Algorithm can be enumerated by exact/smc.Enumerate. Its
// findings say whether the meta-inference is right, and if not, for which output (see the example
// of exact/smc). Check does the same for the algorithms that have a selector.
//
// With annealed kernels that mix perfectly, Eq. 46 of the supplement gives the divergence between
// the traces of a run and those of meta-inference as a sum of KL(p_{t-1}||p_t). Enumeration gives
// the sum over t = 1..T-1; the printed range 2..T misses the first term.
package aide

import (
	"math"
	"slices"
	"strings"

	"breadboard/exact/weights"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// The parameters of the algorithms.
const (
	paramTarget = "target"
	paramGold   = "gold"
)

// Study declares the study.
func Study() *study.Study[subject.Case, Options, Row] {
	standard := Options{
		Target:    string(ais),
		Gold:      string(Exact),
		Metas:     []int{1, 10, 100},
		GoldMetas: []int{1},
		Seed:      1,
	}
	algorithm := func(name, doc, usual string, to *string) study.Option {
		forms := ": " + strings.Join(Forms().Listing.Syntaxes(), ", ")
		return study.Option{
			Name: name, Doc: forms,
			To: study.Selector(to, Forms().Listing.Syntaxes()),
			Swept: &subject.Parameter{
				Name: name, Doc: doc + forms, Defaults: subject.Just(usual),
				Canonical: func(text string) (string, error) {
					c, err := Parse(text)
					return c.Name, err
				},
			},
		}
	}
	metas := func(swept subject.Parameter, name string, to *[]int) study.Option {
		return study.Option{Name: name, Swept: &swept, To: metaCounts(to)}
	}
	return study.New(standard, plan, study.Declaration{
		Says: columns.Sentence{Text: "{target} on {toy}: AIDE with M = {meta} is {mean} nats, and J is {J}"},
		Name: "aide",
		Asks: "How close is AIDE to the divergence that it bounds?",
		Help: `aide shows how close AIDE is to the divergence that it bounds: the symmetric
Kullback-Leibler divergence J between the outputs of two inference algorithms.

AIDE (Cusumano-Towner and Mansinghka 2017) estimates J from runs of both
algorithms and from meta-inference, which draws a trace that might have
produced a given output. Its mean is an upper bound on J. bias is mean - J;
upper_half and lower_half are the contributions of the target's traces. If no
exact method applies, the numbers are empty and --chains estimates the mean.
breadboard help reference algorithms explains the algorithms.

See breadboard help estimators.`,
		Examples: `  breadboard aide
  breadboard aide --target smc:2 --gold exact --toy barrier -T 100
  breadboard aide --target sir:100 --gold smc:2 --toy easy -T 20 --chains 1e4`,
		Counts: "traces of algorithms", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				algorithm(paramTarget, "the algorithm to judge", standard.Target, &o.Target),
				algorithm(paramGold, "the gold standard", standard.Gold, &o.Gold),
				metas(subject.Whole("meta", "meta-inference runs of the target", 1, MaxMeta, standard.Metas...), "meta",
					&o.Metas),
				metas(subject.Whole("gold_meta", "meta-inference runs of the gold standard", 1, MaxMeta,
					standard.GoldMetas...), "gold-meta",
					&o.GoldMetas),
				{
					Name: "without-first-trace",
					To:   study.Switch(&o.WithoutFirstTrace),
				},
				study.CountOption("chains", "of the estimator; 0 for none", &o.Runs, nil),
				study.SeedOption(&o.Seed, nil),
			}
		}),
		Idle:    study.IdleOf(func(_ []subject.Case, o *Options) bool { return o.Runs == 0 }, "seed"),
		Columns: fields(),
		Cost:    cost,
		View:    reports.Untyped(report),
		About:   subject.Annealed(100),
		Tables: func(_ reports.Schema) []reports.Schema {
			return []reports.Schema{
				{Table: "aide", Of: Table(nil)},
			}
		},
		Swept: &study.Swept{
			// traces take longer than solutions
			Parameters: subject.WithDefaults(subject.Parameters(), map[string][]string{"T": {"100"}}),
			Subject:    study.TheCase,
			Note:       study.NoteOf(func(r *Row) (string, error) { return strings.Join(r.Notes, "; "), nil }),
		},
	})
}

// metaCounts is the value of an option that takes numbers of meta-inference runs.
func metaCounts(to *[]int) study.Value { return study.Wholes(to, "M", 1, MaxMeta) }

// Measured: the time of the distribution of a chain, and of a pair of particles for each state,
// relative to a solution by the general method.
const (
	chainCost = 65
	pairsCost = 4
	traceCost = 6e-4 // of a trace, in seconds by state
)

// cost estimates the time and memory of a row, for the slower of the two algorithms.
func cost(s subject.Size) subject.Cost {
	most := 0.0
	for _, name := range []string{paramTarget, paramGold} {
		c, err := Parse(s.Params.Get(name))
		if err != nil {
			continue
		}
		times := 0.0
		switch {
		case c.Kind == ais, c.Kind == SMC && c.Particles == 1:
			times = chainCost
		case c.Kind == MH:
			times = chainCost * float64(c.Moves) / float64(s.Distributions)
		case c.Kind == SMC:
			times = pairsCost * float64(s.States)
		}
		most = max(most, times)
	}
	return subject.Cost{
		Seconds: s.Solution.Seconds + traceCost*float64(s.States) + most*s.General.Seconds,
		Bytes:   2*s.Solution.Bytes + 4*weights.BandBytes(s.States),
	}
}

// fields lists the columns of the study; those of runs of the estimator are empty if a row has
// none.
func fields() columns.List {
	count := func(name, meaning string, of func(*Row) int) columns.Field {
		return columns.Of(name, strings.ReplaceAll(name, "_", " "), meaning, of)
	}
	nats := func(name, title string, digits int, low float64, meaning string,
		of, err func(*Row) float64) columns.Field {
		return columns.Rounded(name, title, meaning, of, err).In("nats").Digits(digits).Keep(
			columns.Kept{Low: low, High: math.Inf(1), Missing: true, Shown: title != ""},
		)
	}
	mean := func(name, title string, digits int, low float64, meaning string,
		of func(*Row) float64) columns.Field {
		return nats(name, title, digits, low, meaning, of, func(r *Row) float64 { return r.Error + r.errorJ(of(r)) })
	}
	return slices.Concat(subject.WholeCase((*Row).TheCase),
		columns.List{
			columns.Of("target", "target", "the algorithm to judge", func(r *Row) string { return r.Target }),
			columns.Of("gold", "gold", "the gold standard", func(r *Row) string { return r.Gold }),
			count("meta", "the number of meta-inference runs for an output of target",
				func(r *Row) int { return r.Meta }),
			count("gold_meta", "the number of meta-inference runs for an output of gold",
				func(r *Row) int { return r.GoldMeta }),
			nats("J", "J", 0, -checkTolerance,
				"the Jeffreys divergence between target and gold",
				func(r *Row) float64 { return r.J }, func(r *Row) float64 { return r.errorJ(r.J) }).Answer(),
			mean("mean", "AIDE", 0, -checkTolerance, "the mean of one estimate of AIDE, which bounds J",
				func(r *Row) float64 { return r.Mean }).Answer(),
			nats("sd", "sd", 0, 0, "the standard deviation of one estimate",
				func(r *Row) float64 { return r.SD }, (*Row).errorSD),
			mean("bias", "bias", 4, -checkTolerance, "mean - J",
				func(r *Row) float64 { return r.Bias }).Answer(),
			mean("upper_half", "", 0, -checkTolerance,
				"the contribution of the target's traces if all are from meta-inference",
				func(r *Row) float64 { return r.UpperHalf }),
			mean("lower_half", "", 0, -checkTolerance,
				"the contribution of the target's traces if the first is from the run itself",
				func(r *Row) float64 { return r.LowerHalf }),
			mean("kl_q_p_lower", "", 0, math.Inf(-1),
				"a lower bound on KL(target || gold)",
				func(r *Row) float64 { return r.KLQPLower }),
			mean("kl_q_p_upper", "", 0, -checkTolerance,
				"an upper bound on KL(target || gold)",
				func(r *Row) float64 { return r.KLQPUpper }),
			mean("kl_p_q_upper", "", 0, -checkTolerance,
				"an upper bound on KL(gold || target)",
				func(r *Row) float64 { return r.KLPQUpper }),
			columns.Of("method", "method", "how the distributions of the log weights are computed",
				func(r *Row) string { return r.Method }),
		},
		columns.Lift(ofSample(), func(r *Row) *Sample { return r.Sample }),
		columns.List{columns.Note(func(r *Row) string { return strings.Join(r.Notes, "; ") })})
}

// ofSample lists the columns of the results of runs of the estimator.
func ofSample() columns.List {
	return columns.List{
		columns.Estimated(
			"estimate",
			"estimate (nats)",
			"the mean of the estimates of runs; empty if none were asked for",
			func(s *Sample) float64 { return s.Estimate },
		).Answer(),
		columns.Estimated("estimate_se", "se (nats)", "the standard error of estimate",
			func(s *Sample) float64 { return s.StandardError }).Answer(),
		columns.Of("z", "z", columns.MeansZ, func(s *Sample) float64 { return s.Z }).Digits(2),
	}
}
