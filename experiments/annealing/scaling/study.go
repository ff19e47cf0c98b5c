package scaling

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// DefaultKernel is the default kernel. It works on all models of which only counts are known,
// except permutations.
const DefaultKernel = "flip"

// DefaultToys are the default models: a family at its critical point.
func DefaultToys() []string {
	return []string{"curie-weiss:50:1", "curie-weiss:100:1", "curie-weiss:200:1"}
}

// Study declares the study. A row is of a model of one size.
func Study() *study.Study[subject.Case, Options, Row] {
	standard := Options{Limit: 1, MostT: 4096, Seed: 1}
	mostT := subject.Whole("most_T", "the largest number of distributions to try", 0, subject.MaxDistributions, standard.MostT)
	return study.New(standard, plan, study.Declaration{
		Says: columns.Sentence{Text: "{toy}, T = {T}: J = {J} nats; it is within the limit of {limit} with T = {T_J}"},
		Name: "scaling",
		Asks: "How do J, B and the T they need grow with the size of a model?",
		Help: `scaling shows how J, B and the number of distributions that they need grow with the size of a model:
it solves models of several sizes exactly and fits powers of the size.

It fits J, B, their ratio, log(1 + the relative variance of a weight), and the smallest numbers of
distributions for which J and B are within --limit (1 nat). Write the sizes of a family in braces:
curie-weiss:{100..400..100}:1 has 100, 200, 300 and 400 spins, and curie-weiss:{50,100,200}:1 has
these three. Quote the selector, since shells also read braces. Toys that depend on counts alone may
have 2^1000 states or more, because only classes of states are computed (breadboard help
symmetry). With --per-size the number of distributions is T times the size, so that all models have
the same number of kernel steps per spin.

The table of fits has, for each family and quantity, the exponent of the size, the largest residual
of the logarithm in nats, and the exponent between the two largest sizes alone. If the two exponents
differ, the growth is not yet a power of the size. The smallest numbers of distributions are
searched up to --most, by doubling and bisection, and are empty if none is enough.

Products of factors, such as ising and potts, may have too many states to list. Chains on their
factors then estimate B with its standard error, beside the exact log Z by elimination and the
distances of the two mean log weights from it. J is empty for them, and the smallest number of
distributions is the one at which the estimate of B is within --limit: breadboard scaling --toy
"ising:{4x4,8x8,12x12}:0.3" --kernel heatbath-scan.

With --out it also draws J, B and the numbers of distributions that they need against the size.`,
		Examples: `  breadboard scaling
  breadboard scaling --toy "curie-weiss:{100..400..100}:1" --kernel flip -T 100
  breadboard scaling --toy "curie-weiss:{50,100,200}:1" --kernel flip -T 2 --per-size --format json
  breadboard scaling --toy "weight:{20..60..20}:pspin:3:1.5,curie-weiss:{20..60..20}:1.5" --kernel flip -T 100 --most 0 --out results
  breadboard scaling --toy "ising:{3x3,5x5,10x10,20x20}:0.3" --kernel heatbath-scan -T 100 --most 0`,
		Counts: "models", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				{
					Name: "per-size",
					To:   study.Switch(&o.PerSize),
				},
				{Name: "limit", To: study.Number(&o.Limit)},
				{
					Name: "most", Doc: "of distributions in the search for the limit; 0 does not search", Swept: &mostT,
					To: study.Whole(&o.MostT, "N", 0, subject.MaxDistributions),
				},
				{
					Name: "chains", Doc: fmt.Sprintf("in each direction, if states are not listed; 0 for %d", DefaultChains),
					To: study.Whole(&o.Chains, "N", 0, subject.MaxNumber),
				},
				study.SeedOption(&o.Seed, nil),
			}
		}),
		Idle:    study.IdleOf(func(on []subject.Case, _ *Options) bool { return subject.Listed(on) }, "seed"),
		Columns: fields(), Factored: true,
		Plots: []columns.Plot{{
			Name: "scaling", Title: "J, B and the numbers of distributions they need, by size", Log: "xy", X: "size", Y: "J+B|T_J+T_B",
			By: "family+T+path+initial+schedule+kernel", YLabel: "J and B (nats)|number of distributions needed", XLabel: "size (parameter N of the family)", Kinds: "J|B", Joined: true,
			Why: chains.NewAdvice("nothing to draw: give at least two sizes of a family, as in {toy} curie-weiss:100:1,curie-weiss:200:1"),
		}},
		Cost: cost,
		Swept: &study.Swept{
			Parameters: subject.WithDefaults(subject.Parameters(), map[string][]string{"kernel": {DefaultKernel}}), Subject: study.TheCase,
			Note: study.NoteOf(func(r *Row) (string, error) { return strings.Join(r.Notes, "; "), nil }),
		},
	})
}

// fields lists the columns of the study.
func fields() columns.List {
	infinite := math.Inf(1)
	need := func(name, quantity string, of func(*Row) int) columns.Field {
		return columns.Of(name, "T for "+quantity, "the smallest number of distributions found for which "+quantity+
			" is within limit; empty if none up to tried is", of).Positive().Within(2, subject.MaxDistributions).Missing().Shown()
	}
	return slices.Concat(
		subject.ShortCase((*Row).TheCase),
		columns.List{
			columns.Of("family", "", "the model, with N instead of its size", func(r *Row) string { return r.Family }),
			columns.Of("size", "size", "the number of spins, or of the other parts of the model", func(r *Row) int { return r.Size }).DropOrder(1),
			columns.Of("log_states", "(nats)", "the log of the number of states", func(r *Row) float64 { return r.LogStates }),
			columns.Of("distributions", "", "the number of distributions of the row: T, or T times the size", func(r *Row) int { return r.Used }),
			columns.Of("J", "J (nats)", columns.MeansJ, func(r *Row) number.Bounded { return r.Numbers().J }).Answer().Within(0, infinite).Missing().Shown(),
			columns.Of("B", "B (nats)", columns.MeansB, func(r *Row) number.Bounded { return r.Numbers().B }).Answer().Within(-infinite, infinite).Missing().Shown(),
			columns.Of("B_se", "se of B", "the standard error of B if chains on factors estimate it; empty if B is exact",
				func(r *Row) float64 { return r.BSE }).OrEmpty().Digits(2),
			columns.Of("log_z_ratio", "log(Z_T/Z_1) (nats)", columns.MeansLogZRatio, func(r *Row) number.Bounded { return columns.LogRatio(r.LogZRatio) }).Absolute().DropOrder(3),
			columns.Of("kl_q_p_upper", "KL(q||p) bound (nats)", "log(Z_T/Z_1) minus the mean log weight of forward chains",
				func(r *Row) float64 { return r.LogZRatio - r.MeanLogWForward }).OrEmpty().Digits(4).DropOrder(2),
			columns.Of("kl_p_q_upper", "KL(p||q) bound (nats)", "the mean log weight of reverse chains minus log(Z_T/Z_1)",
				func(r *Row) float64 { return r.MeanLogWReverse - r.LogZRatio }).OrEmpty().Digits(4).DropOrder(2),
			columns.Of("B_over_J", "B/J", "B/J", func(r *Row) float64 { return r.B / r.J }).OrEmpty().Digits(5),
			columns.Of("J_per_size", "J/size (nats)", "J divided by the size", func(r *Row) float64 { return r.J / float64(r.Size) }).OrEmpty().Digits(4),
			columns.Of("B_per_size", "B/size (nats)", "B divided by the size", func(r *Row) float64 { return r.B / float64(r.Size) }).OrEmpty().Digits(4),
			columns.Of("log1p_relative_variance", "log(1+rv) (nats)", "log(1 + the relative variance of the weight of a forward chain)",
				func(r *Row) float64 { return r.RelativeVariance }).OrEmpty().Digits(5).Within(-infinite, infinite).Shown(),
			need("T_J", "J", func(r *Row) int { return r.NeedJ }).Answer(),
			need("T_B", "B", func(r *Row) int { return r.NeedB }).Answer(),
			columns.Of("limit", "(nats)", "the limit for J and B", func(r *Row) float64 { return r.Options.Limit }),
			columns.Of("tried", "", "the largest number of distributions tried for limit; 0 if none was searched", func(r *Row) int { return r.Options.MostT }),
			columns.Of("chains", "", "the number of chains in each direction that estimate B; empty if it is exact", func(r *Row) int { return r.Chains }).Positive(),
			columns.Note(func(r *Row) string { return strings.Join(r.Notes, "; ") }),
		},
		subject.RestOfCase((*Row).TheCase))
}

// FitColumns lists the columns of the table of fits.
func FitColumns() columns.List {
	return columns.List{
		columns.Of("family", "family", "the model, with N instead of its size", func(f *Fit) string { return f.Family }),
		columns.Of("setting", "", "what the rows of the fit share beside the family: the values of T, path, initial, schedule and kernel",
			func(f *Fit) string { return f.Setting }),
		columns.Of("quantity", "quantity", "the column to which a power of the size is fitted", func(f *Fit) string { return f.Quantity }).Answer(),
		columns.Of("sizes", "sizes", "the number of sizes in the fit", func(f *Fit) int { return f.Sizes }),
		columns.Of("from", "from", "the smallest of these sizes", func(f *Fit) int { return f.From }),
		columns.Of("to", "to", "the largest of these sizes", func(f *Fit) int { return f.To }),
		columns.Of("exponent", "exponent", "a in quantity = factor * size^a, by the least squares of logarithms",
			func(f *Fit) float64 { return f.Exponent }).Answer().Digits(4),
		columns.Of("factor", "factor", "factor in quantity = factor * size^a", func(f *Fit) float64 { return f.Factor }).Digits(4),
		columns.Of("residual", "residual", "the largest |log(value / fitted value)|, 0 for two sizes", func(f *Fit) float64 { return f.Residual }).Digits(2),
		columns.Of("last_exponent", "last exponent", "the exponent between the two largest sizes alone", func(f *Fit) float64 { return f.Last }).Digits(4),
	}
}

// cost: the moments of the weights take a sweep of the general method, and the search for numbers
// of distributions takes about four solutions of the largest.
func cost(s subject.Size) subject.Cost {
	most := 4 * float64(s.Params.Int("most_T")) / float64(s.Distributions)
	return subject.Cost{Seconds: s.Solution.Seconds*(1+most) + s.General.Seconds, Bytes: 0.85 * s.General.Bytes} // measured
}
