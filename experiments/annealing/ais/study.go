// Package ais answers: how do Monte Carlo estimates compare with the exact answer? It runs annealed
// importance sampling in both directions and compares every estimate with its exact expectation.
// All random numbers come from the streams of its seed.
//
// # The quantities
//
// With l the log weights, the study has mean_log_w_forward and mean_log_w_reverse, their means in
// either direction, and B, the difference of the two; kl_q_p_upper and kl_p_q_upper, the one-sided
// bounds from one direction and a known log Z (Grosse, Ancha and Roy 2016, section 3.1);
// log_mean_w_forward and log_mean_w_reverse, the estimates of log(Z_T/Z_1) by the mean of the
// forward weights and by the harmonic mean of the reverse ones; bar, Bennett's acceptance ratio
// (see BAR); and J_plugin, J of the histogram of final states (see PlugInJ). Standard errors are
// exact if they can be: the variance of log w is propagated like all other quantities. Reverse
// chains start at exact draws from the target.
//
// J_plugin is empty, with a note, if there are too few chains: fewer than states, or fewer than
// five expected at some states and a bias of more than half of J. The histogram then measures the
// number of chains, not J.
package ais

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"breadboard/chains/number"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Study declares the study. For each Quantity of a row a sweep keeps its exact expectation, its
// estimate with standard error and bias, and, except for J_plugin, z. Seeds are at most
// subject.MaxNumber.
func Study() *study.Study[subject.Case, Options, Row] {
	count := subject.Whole("chains", "number of chains in each direction", 2, subject.MaxNumber, 10_000)
	seed := subject.Whole("seed", "seed of all random numbers", 0, subject.MaxNumber, 1)
	return study.New(Options{Chains: 10_000, Seed: 1}, plan, study.Declaration{
		Says: columns.Sentence{
			Text: "{toy}, T = {T}: chains estimate B = {B_estimate} nats, with a standard error of {B_se}"},
		Name: "ais",
		Asks: "How do Monte Carlo estimates compare with the exact answer?",
		Help: `ais runs annealed importance sampling in both directions, and compares the
estimates of bidirectional Monte Carlo with their exact expectations.

Reverse chains start at exact draws from the target. The same seed gives the
same numbers for any number of workers. If a product of factors has too many
states to list (ising, potts, a network or an energy in a file), chains move by
flip, heatbath or heatbath-scan, and elimination gives log Z and the exact
draws. J_plugin is J of the histogram of final states; it is empty if there are
too few chains.

See breadboard help logz.`,
		Examples: `  breadboard ais
  breadboard ais --toy ising:20x20:0.3 --kernel heatbath-scan --chains 1000
  breadboard ais --toy easy -T 100 --until "B_se<0.05"
  breadboard ais --toy easy -T 12 --check`,
		Counts: "chains", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				{Name: "chains", Doc: "in each direction", Swept: &count, To: study.Whole(&o.Chains, "N", 2,
					subject.MaxNumber)},
				study.SeedOption(&o.Seed, &seed),
			}
		}),
		Columns: kept(), Quick: sampled(), Factored: true,
		Size:  &study.Size{Option: "chains", Least: 2, Most: 100_000_000},
		Cost:  cost,
		View:  reports.Untyped(func(rows []Row) *reports.Report { return Report(rows, nil) }),
		About: subject.Annealed(1000),
		Tables: func(_ reports.Schema) []reports.Schema {
			return []reports.Schema{
				{Table: "ais", Of: Table(nil, nil)},
			}
		},
		Swept: &study.Swept{
			Parameters: subject.Parameters(), Subject: study.TheCase, Note: study.NoteOf(note),
		},
	})
}

// sampled lists the columns that need chains only.
func sampled() []string { return []string{"toy", "T", "quantity", "estimate", "chains", "seed"} }

// sweepable is a quantity of a Row in sweeps: the name of its exact value, and whether the table
// shows it.
type sweepable struct {
	quantity, exact, doc string
	shown                bool
}

// sweepables lists the quantities in the order of Row.Quantities.
func sweepables() []sweepable {
	return []sweepable{
		{"mean_log_w_forward", "mean_log_w_forward", "the mean log weight of forward chains", false},
		{"mean_log_w_reverse", "mean_log_w_reverse", "the mean log weight of reverse chains", false},
		{"B", "B", "the bidirectional Monte Carlo bound on J", true},
		{"kl_q_p_upper", "kl_q_p_upper", "log(Z_T/Z_1) minus the forward mean", false},
		{"kl_p_q_upper", "kl_p_q_upper", "the reverse mean minus log(Z_T/Z_1)", false},
		{"log_mean_w_forward", "log_mean_w_forward", "the log of the mean weight of forward chains", false},
		{"log_mean_w_reverse", "log_mean_w_reverse",
			"the log of the harmonic mean weight of reverse chains", false},
		{"bar", "log_z_ratio", "log(Z_T/Z_1) by Bennett's acceptance ratio", false},
		{plugIn, "J", "J of the histogram of final states, with its bias", true},
	}
}

// kept lists the columns of sweeps: for each quantity one of every kind of number that it has.
func kept() (fields columns.List) {
	infinite := math.Inf(1)
	for _, q := range sweepables() {
		add := func(name, unit, meaning string, k columns.Kept, of func(*Quantity) float64) {
			fields = append(fields, columns.Estimated(name, "", meaning,
				func(r *Row) float64 { found := r.Quantity(q.quantity); return of(&found) }).In(unit).Keep(k))
		}
		exact := columns.Kept{Low: -infinite, High: infinite, Missing: true, Shown: q.shown}
		if q.quantity == plugIn {
			exact.Low = 0 // of the exact J
		}
		estimated := columns.Kept{Low: -infinite, High: infinite, Missing: true, Shown: q.shown}
		meaning := map[string]string{
			"B": columns.MeansB, "J": columns.MeansJ, "log_z_ratio": columns.MeansLogZRatio}[q.exact]
		fields = append(fields, columns.Of(q.exact, "", cmp.Or(meaning, "exact: "+q.doc),
			func(r *Row) number.Bounded {
				found := r.Quantity(q.quantity)
				return r.Bound(&found)
			}).In("nats").Keep(exact))
		what := "the estimate of " + q.quantity
		if q.quantity != q.exact {
			what = "the estimate: " + q.doc
		}
		add(q.quantity+"_estimate", "nats", what, estimated,
			func(q *Quantity) float64 { return q.Estimate })
		add(q.quantity+"_se", "nats", "the standard error of "+q.quantity,
			columns.Kept{High: infinite, Missing: true, Shown: q.shown},
			func(q *Quantity) float64 { return q.StandardError })
		add(q.quantity+"_bias", "nats", "the bias, to first order, of "+q.quantity,
			columns.Kept{Low: -infinite, High: infinite, Missing: true},
			func(q *Quantity) float64 { return q.Bias })
		if q.quantity == plugIn {
			continue // it has no z
		}
		add(q.quantity+"_z", "", "the distance, in standard errors, of "+q.quantity,
			estimated, (*Quantity).Z)
	}
	return fields
}

// Bound returns the exact value of a quantity with a bound on its rounding error.
func (r *Row) Bound(q *Quantity) number.Bounded {
	n := r.Exact.Numbers()
	difference := 0x1p-52 * (1 + math.Abs(r.Exact.LogZRatio))
	return number.UpTo(q.Exact, map[string]float64{
		plugIn: n.J.Error, "B": n.B.Error, "mean_log_w_forward": n.MeanLogWForward.Error,
		"mean_log_w_reverse": n.MeanLogWReverse.Error,
		"kl_q_p_upper":       n.MeanLogWForward.Error + difference,
		"kl_p_q_upper":       n.MeanLogWReverse.Error + difference,
		"log_mean_w_forward": n.LogZRatio.Error, "log_mean_w_reverse": n.LogZRatio.Error,
		"bar": n.LogZRatio.Error,
	}[q.Name])
}

// note reports the digits that the exact values have lost, and the estimates that cannot be
// trusted. A kernel at fault is an error.
func note(r *Row) (string, error) {
	notes := slices.Clone(r.Exact.Notes)
	for i := range r.Quantities {
		if q := &r.Quantities[i]; q.Note != "" && q.Note != plugInNote {
			notes = append(notes, q.Name+": "+q.Note)
		}
	}
	return strings.Join(notes, "; "), r.Err
}

// Measured: the time of the distributions behind the standard errors, relative to a solution by the
// general method and to any, of which the smaller holds; the seconds per step of a chain; and those
// beside it, at most, and times states over chains, since chains in one state share its row.
const (
	lawsCost   = 6
	lawsLeast  = 10
	chainCost  = 4e-9
	rowCost    = 60e-9
	sharedCost = 6.4e-6
)

// cost estimates the time and memory of a row. The bytes of a chain are those of Options.Validate.
func cost(s subject.Size) subject.Cost {
	chains := float64(s.Params.Int("chains"))
	exact := s.Solution.Seconds + min(lawsLeast*s.Solution.Seconds, lawsCost*s.General.Seconds)
	step := chainCost * float64(s.Sites)
	if s.Sites == 0 {
		step = chainCost + min(rowCost, sharedCost*float64(s.States)/chains)
	}
	if s.Columns.Within(sampled()) {
		exact = 0
	}
	return subject.Cost{
		Seconds: exact + 2*chains*float64(s.Distributions-1)*step,
		Bytes:   1.4*s.Solution.Bytes + chains*(workPerChain+keptPerChain), // measured
	}
}
