package scaling

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
)

// DefaultKernel is the kernel where none is given. It moves on all models of which only counts are known, but for permutations.
const DefaultKernel = "flip"

// DefaultToys are the models where none is given: a family at its critical point.
func DefaultToys() []string {
	return []string{"curie-weiss:50:1", "curie-weiss:100:1", "curie-weiss:200:1"}
}

// Study declares the study. A row is of a model of one size.
func Study() *study.Study[experiments.Case, Options, Row] {
	standard := Options{Limit: 1, MostT: 4096}
	mostT := experiments.Whole("most_T", "the largest number of distributions that is tried", 0, experiments.MaxDistributions, standard.MostT)
	return &study.Study[experiments.Case, Options, Row]{
		Name: "scaling",
		Asks: "How do J, B and the T that they need grow with the size of a model?",
		Help: `scaling solves models of several sizes exactly, and fits powers of the size to what it finds: J and B, their ratio,
log(1 + the relative variance of a weight), and the least numbers of distributions for which J and B are within --limit (1 nat).

The sizes of a family stand in braces in its selector: curie-weiss:{100..400..100}:1 is 100, 200, 300 and 400 spins, and
curie-weiss:{50,100,200}:1 these three. Quote it, since shells read braces too. Toys whose states only count have up to
2^1000 states and more, of which only classes are computed (breadboard help topics symmetry).
With --per-size the number of distributions is T times the size, so that all models have as many moves for each spin.

The table of fits has, for each family and quantity, the exponent of the size, the largest residual of the logarithm in nats, and
the exponent between the two largest sizes alone. Where these two exponents differ, the growth is no power yet. Least numbers of distributions are looked for up
to --most-T, by doubling and bisection, and are empty where none is enough.

With --out it also draws J and B, and the numbers of distributions that they need, against the size.`,
		Examples: `  breadboard scaling
  breadboard scaling --toy "curie-weiss:{100..400..100}:1" --kernel flip -T 100
  breadboard scaling --toy "curie-weiss:{50,100,200}:1" --kernel flip -T 2 --per-size --format json
  breadboard scaling --toy "weight:{20..60..20}:pspin:3:1.5,curie-weiss:{20..60..20}:1.5" --kernel flip -T 100 --most-T 0 --out results`,
		Counts: "models", Workers: "number of models solved at once",
		Standard: standard,
		Options: []study.Option[Options]{
			{
				Name: "per-size", Doc: "take T times the size of a model for the number of distributions",
				Value: func(o *Options) study.Value { return study.Switch(&o.PerSize) },
			},
			{Name: "limit", Doc: "what J and B are to be within, in nats", Value: func(o *Options) study.Value { return study.Number(&o.Limit) }},
			{
				Name: "most-T", Doc: "the largest number of distributions that is tried for that; 0 looks for none", Swept: &mostT,
				Value: func(o *Options) study.Value { return study.Whole(&o.MostT, "T", 0, experiments.MaxDistributions) },
			},
		},
		Columns: fields(), Plan: plan,
		Swept: &study.Swept[experiments.Case, Row]{
			Parameters: experiments.WithDefaults(experiments.Parameters(), map[string][]string{"kernel": {DefaultKernel}}), Subject: study.TheCase,
			Note:  func(r *Row) (string, error) { return strings.Join(r.Notes, "; "), nil },
			Check: contradiction, Cost: cost,
		},
	}
}

// fields lists the columns of the study.
func fields() []columns.Field[Row] {
	infinite := math.Inf(1)
	need := func(name, quantity string, of func(*Row) int) columns.Field[Row] {
		return columns.Field[Row]{
			Column: columns.Column{Name: name, Type: columns.Int, Title: "T for " + quantity, Meaning: "the least number of distributions found for which " + quantity + " is within limit; empty where none up to tried is"},
			Of:     func(r *Row) any { return columns.Positive(of(r)) },
			Kept:   &columns.Kept{Low: 2, High: experiments.MaxDistributions, Missing: true, Shown: true},
		}
	}
	return slices.Concat(
		experiments.ShortCase(func(r *Row) *experiments.Case { return &r.Case }),
		[]columns.Field[Row]{
			{Column: columns.Column{Name: "family", Type: columns.String, Meaning: "the model, with N in the place of its size"}, Of: func(r *Row) any { return r.Family }},
			{Column: columns.Column{Name: "size", Type: columns.Int, Title: "size", Spare: 1, Meaning: "the number of spins, or of whatever the model has any number of"}, Of: func(r *Row) any { return r.Size }},
			{Column: columns.Column{Name: "log_states", Type: columns.Float, Unit: "nats", Meaning: "the log of the number of states, whether they are listed or in classes"}, Of: func(r *Row) any { return r.LogStates }},
			{Column: columns.Column{Name: "distributions", Type: columns.Int, Meaning: "the number of distributions of the row: T, or T times the size"}, Of: func(r *Row) any { return r.Used }},
			columns.Number(columns.Column{Name: "J", Title: "J", Unit: "nats", Narrow: true, Meaning: columns.MeansJ}, columns.Kept{High: infinite, Shown: true}, func(r *Row) float64 { return r.J }),
			columns.Number(columns.Column{Name: "B", Title: "B", Unit: "nats", Narrow: true, Meaning: columns.MeansB}, columns.Kept{Low: -infinite, High: infinite, Shown: true}, func(r *Row) float64 { return r.B }),
			{Column: columns.Column{Name: "B_over_J", Type: columns.Float, Title: "B/J", Digits: 5, Meaning: "B/J"}, Of: func(r *Row) any { return r.B / r.J }},
			{Column: columns.Column{Name: "J_per_size", Type: columns.Float, Title: "J/size", Digits: 4, Unit: "nats", Narrow: true, Meaning: "J divided by the size"}, Of: func(r *Row) any { return r.J / float64(r.Size) }},
			{Column: columns.Column{Name: "B_per_size", Type: columns.Float, Title: "B/size", Digits: 4, Unit: "nats", Narrow: true, Meaning: "B divided by the size"}, Of: func(r *Row) any { return r.B / float64(r.Size) }},
			columns.Number(columns.Column{Name: "log1p_relative_variance", Title: "log(1+rv)", Digits: 5, Unit: "nats", Narrow: true, Meaning: "log(1 + the relative variance of the weight of a forward chain)"},
				columns.Kept{Low: -infinite, High: infinite, Shown: true}, func(r *Row) float64 { return r.RelativeVariance }),
			need("T_J", "J", func(r *Row) int { return r.NeedJ }),
			need("T_B", "B", func(r *Row) int { return r.NeedB }),
			{Column: columns.Column{Name: "limit", Type: columns.Float, Unit: "nats", Meaning: "what J and B are to be within"}, Of: func(r *Row) any { return r.Asked.Limit }},
			{Column: columns.Column{Name: "tried", Type: columns.Int, Meaning: "the largest number of distributions that was tried for that; 0 where none was looked for"}, Of: func(r *Row) any { return r.Asked.MostT }},
			{Column: columns.Column{Name: "note", Type: columns.String, Meaning: columns.MeansNote}, Of: func(r *Row) any { return strings.Join(r.Notes, "; ") }},
		},
		experiments.RestOfCase(func(r *Row) *experiments.Case { return &r.Case }))
}

// FitColumns lists the columns of the table of fits.
func FitColumns() []columns.Field[Fit] {
	return []columns.Field[Fit]{
		{Column: columns.Column{Name: "family", Type: columns.String, Title: "family", Meaning: "the model, with N in the place of its size"}, Of: func(f *Fit) any { return f.Family }},
		{Column: columns.Column{Name: "setting", Type: columns.String, Meaning: "what all rows of the fit have in common beside the family: the values of T, path, initial, schedule and kernel"}, Of: func(f *Fit) any { return f.Setting }},
		{Column: columns.Column{Name: "quantity", Type: columns.String, Title: "quantity", Meaning: "the column to which a power of the size is fitted"}, Of: func(f *Fit) any { return f.Quantity }},
		{Column: columns.Column{Name: "sizes", Type: columns.Int, Title: "sizes", Meaning: "how many sizes the fit has"}, Of: func(f *Fit) any { return f.Sizes }},
		{Column: columns.Column{Name: "from", Type: columns.Int, Title: "from", Meaning: "the smallest of these sizes"}, Of: func(f *Fit) any { return f.From }},
		{Column: columns.Column{Name: "to", Type: columns.Int, Title: "to", Meaning: "the largest of these sizes"}, Of: func(f *Fit) any { return f.To }},
		{Column: columns.Column{Name: "exponent", Type: columns.Float, Title: "exponent", Digits: 4, Meaning: "a in quantity = factor * size^a, by the least squares of logarithms"}, Of: func(f *Fit) any { return f.Exponent }},
		{Column: columns.Column{Name: "factor", Type: columns.Float, Title: "factor", Digits: 4, Meaning: "factor in quantity = factor * size^a"}, Of: func(f *Fit) any { return f.Factor }},
		{Column: columns.Column{Name: "residual", Type: columns.Float, Title: "residual", Digits: 2, Meaning: "the largest |log(value / fitted value)|, which is 0 for two sizes"}, Of: func(f *Fit) any { return f.Residual }},
		{Column: columns.Column{Name: "last_exponent", Type: columns.Float, Title: "last exponent", Digits: 4, Meaning: "the exponent between the two largest sizes alone"}, Of: func(f *Fit) any { return f.Last }},
	}
}

// contradiction: numbers of distributions that were looked for are within what was tried, and J is no more than B.
func contradiction(k study.Kept) error {
	most := float64(k.Params.Int("most_T"))
	for _, name := range []string{"T_J", "T_B"} {
		if v := k.Get(name); v > most {
			return fmt.Errorf("its %s is %v, and %v distributions are tried at most", name, v, most)
		}
	}
	if J, B := k.Get("J"), k.Get("B"); k.Note == "" && J > B+1e-12*(1+J) {
		return fmt.Errorf("its J is %v, and its B %v, which bounds it", J, B)
	}
	return nil
}

// cost: the moments of the weights take a sweep of the general method, and looking for numbers of distributions some four solutions of the largest.
func cost(s experiments.Size) experiments.Cost {
	most := 4 * float64(s.Params.Int("most_T")) / float64(s.Distributions)
	return experiments.Cost{Seconds: s.Solution.Seconds*(1+most) + s.General.Seconds, Bytes: s.Solution.Bytes + s.General.Bytes}
}
