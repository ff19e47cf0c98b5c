package policy

import (
	"math"
	"strings"

	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/experiments/particles/smc"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Twisted declares the study of twisted SMC.
func Twisted() *study.Study[subject.Case, TwistOptions, TwistRow] {
	standard := smc.Study().Standard
	standard.Chains = 10_000
	return study.New(TwistOptions{standard, proposals()[:1]}, twistPlan, study.Declaration{
		Says: columns.Sentence{
			Least: "J",
			Text:  "{toy}: the twist {twist} with P = {particles} has J = {J} nats, and the bound B = {B} nats",
		},
		Name: "policy twist",
		Asks: "What do twists and particles gain in twisted SMC on sequences?",
		Help: `twist gives both bounds on log Z of twisted SMC on short sequences, exactly for
few particles, and how far its output is from the target.

The target is p_0 phi / Z: p_0 is a chain over tokens (breadboard help
reference chains), and the toy is the potential phi of whole sequences.
Particles draw token after token, and are resampled towards p_0 psi_t, with a
twist psi_t of the prefix (breadboard help reference twists). Rows that are too
large are means over --chains runs. The limit is 2^20 sequences.

See breadboard help policies.`,
		Examples: `  breadboard policy twist
  breadboard policy twist --toy random:2:0:3x3x3x3 --base-chain markov:1:0 --twist none,lookahead:1,noisy:0.5:1 --particles 1,2,16
  breadboard policy twist --toy ising:1x5:0.8 --twist local,exact --resample systematic --threshold 0.5
  breadboard policy twist --toy ising:1x10:0 --base-chain hmm:weather --twist local --out results`,
		Counts: "rows", Workers: true,
		Options: study.OptionsOf(func(o *TwistOptions) []study.Option {
			return []study.Option{
				{Name: "particles", To: study.Wholes(&o.Particles, "P", 1, 1e9)},
				{Name: "proposal", Doc: ": " + strings.Join(proposals(), ", "),
					To: study.Texts(&o.Proposals)},
				{Name: "resample", Doc: ": " + strings.Join(particle.Forms().Listing.Syntaxes(), ", "),
					To: study.Texts(&o.Resample)},
				{Name: "threshold",
					To: study.Numbers(&o.Thresholds)},
				{
					Name: "chains",
					Doc:  "and as many conditional ones, for each row that is not exact; 0 for none",
					To:   study.Whole(&o.Chains, "N", 0, subject.MaxNumber),
				},
				study.SeedOption(&o.Seed, nil),
			}
		}),
		Idle:    study.IdleOf(func(_ []subject.Case, o *TwistOptions) bool { return o.Chains == 0 }, "seed"),
		Columns: twistColumns(),
		View:    reports.Untyped(twistReport),
		About: &TwistSelection{
			Toys:   []string{"random:2:0:3x3x3x3"},
			Bases:  []string{"markov:1:0"},
			Twists: []string{"none", "lookahead:1", "exact"},
		},
		Unswept: "its options are lists of settings, so that one command already makes the table",
	})
}

func twistColumns() columns.List {
	inf := math.Inf(1)
	text := func(name, meaning string, of func(*TwistRow) string) columns.Field {
		return columns.Of(name, name, meaning, of)
	}
	nats := func(name, title, meaning string, of func(*TwistRow) float64) columns.Field {
		return columns.Estimated(name, title, meaning, of).OrEmpty().In("nats").Within(-inf, inf)
	}
	rounded := func(name, title, meaning string, of func(*TwistRow) float64) columns.Field {
		return columns.Rounded(name, title, meaning, of, func(r *TwistRow) float64 { return r.rounding }).
			Absolute().In("nats").Within(-inf, inf).Missing()
	}
	divergence := func(name, meaning string, of func(*TwistRow) float64) columns.Field {
		return columns.Of(name, name, meaning, func(r *TwistRow) number.Bounded {
			return r.boundedDivergence(of(r))
		}).Absolute().
			In("nats").Within(0, inf).Missing()
	}
	return append(subject.CaseColumns((*TwistRow).TheCase, "toy"), columns.List{
		text("base", "the chain p_0", func(r *TwistRow) string { return r.Param("base") }),
		text("twist", "the twists psi_t", func(r *TwistRow) string { return r.Param("twist") }),
		text("proposal", "how particles propose: twist or base",
			func(r *TwistRow) string { return r.Proposal }),
		columns.Of("particles", "P", "the number of particles", func(r *TwistRow) int { return r.Particles }),
		text("resample", "the resampling scheme; never for a threshold of 0", (*TwistRow).Resample),
		columns.Of("threshold", "",
			"particles are resampled if their ESS is below this fraction of P; 1 is always",
			func(r *TwistRow) float64 { return r.Threshold }),
		divergence("J", "the Jeffreys divergence between the output and the target; empty if it is not known",
			func(r *TwistRow) float64 { return r.J }).Answer(),
		divergence("kl_q_p", "KL divergence of the output from the target",
			func(r *TwistRow) float64 { return r.KLQP }).Titled(""),
		divergence("kl_p_q", "KL divergence of the target from the output",
			func(r *TwistRow) float64 { return r.KLPQ }).Titled(""),
		rounded("B", "B", "upper_bound - lower_bound, which bounds J",
			func(r *TwistRow) float64 { return r.B }).Answer(),
		rounded("lower_bound", "lower bound", "the mean of log Zhat of runs",
			func(r *TwistRow) float64 { return r.Lower.Value }).Answer(),
		rounded("log_z", "log Z", "the log of the sum of p_0 phi over all sequences",
			func(r *TwistRow) float64 { return r.LogZRatio }),
		rounded("upper_bound", "upper bound", "the mean of log Zhat of conditional runs",
			func(r *TwistRow) float64 { return r.Upper.Value }).Answer(),
		nats("B_se", "se of B", "the standard error of B; empty if it is exact",
			func(r *TwistRow) float64 { return math.Hypot(r.Lower.StandardError, r.Upper.StandardError) }).
			Digits(2),
		nats("lower_bound_se", "", "the standard error of lower_bound; empty if that is exact",
			func(r *TwistRow) float64 { return r.Lower.StandardError }),
		nats("upper_bound_se", "", "the standard error of upper_bound; empty if that is exact",
			func(r *TwistRow) float64 { return r.Upper.StandardError }),
		columns.Rounded("relative_variance", "", "E[Zhat^2]/Z^2 - 1; empty if it is not known",
			func(r *TwistRow) float64 { return r.RelativeVariance },
			func(r *TwistRow) float64 { return 4 * r.rounding * (1 + r.RelativeVariance) }),
		columns.Of("extinct", "", "the probability that all weights become zero; empty if it is not known",
			func(r *TwistRow) float64 { return r.Extinct }).OrEmpty(),
		columns.Of("method", "method", "how the bounds are computed: paths, enumeration, simulation or none",
			func(r *TwistRow) string { return string(r.Method) }),
		columns.Note((*TwistRow).Note),
	}...)
}
