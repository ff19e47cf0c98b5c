// Package weights answers: how are log weights distributed, and what does averaging weights gain?
// It computes the distribution of the log weight of annealings, its tails and quantiles, and the
// expected bounds from several samples. It never prints, draws or reads flags.
//
// # What averaging gains
//
// With several samples a row has the exact expected distances from log R = log(Z_T/Z_1): how far
// the log of the mean of K forward weights lies below it, and how far the harmonic mean of K
// reverse weights, and the mean of one reverse and K-1 forward weights, lie above it.
//
//	$ breadboard weights --toy barrier -T 100 --samples 1,10,100,1000
//	 toy     │   T │    K │ log R (nats) │ forward, below (nats) │ reverse, above (nats) │ mixed, above (nats) │ error (nats)
//	─────────┼─────┼──────┼──────────────┼───────────────────────┼───────────────────────┼─────────────────────┼──────────────
//	 barrier │ 100 │    1 │      1.44461 │              0.970381 │              0.840052 │            0.840052 │      3.8e-12
//	 barrier │ 100 │   10 │      1.44461 │              0.129494 │              0.189728 │            0.110726 │      2.1e-12
//	 barrier │ 100 │  100 │      1.44461 │             0.0109616 │              0.017886 │           0.0108061 │        2e-12
//	 barrier │ 100 │ 1000 │      1.44461 │            0.00107902 │            0.00176571 │          0.00107751 │      1.9e-12
//
// K = 1 is known for every target. If the log weights spread too far for another K, its row is
// empty and has a note.
//
// The distribution for a single pair of chains gives the probability that the estimate of B is
// below J (38% on BARRIER at T = 100) or below zero (15%).
package weights

import (
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/weights"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Laws declares the study of the distributions of log weights. Probabilities are accurate to
// error_bound. If the column frequencies is 0, the distribution is on a lattice; otherwise it is
// the inverse of a characteristic function at that many frequencies. If that is resolved, the
// probabilities have many more digits than error_bound promises.
func Laws() *study.Study[subject.Case, Options, Row] {
	return study.New(Options{}, lawPlan, study.Declaration{
		Says: columns.Sentence{
			Text: "{toy}, T = {T}: the estimate of B from a pair of chains is below J with probability " +
				"{p_bhat_below_J}"},
		Name: "weights",
		Asks: "What is the exact distribution of log w? What does averaging gain?",
		Help: `weights computes the exact distribution of the log weight in both directions,
and the bounds on log(Z_T/Z_1) that averages of weights give.

If log weights lie on a lattice, the distribution is a table; otherwise the
column error is a proven bound on the error of the probabilities. Three flags
ask other questions, one at a time. --samples K has the log of the mean of K
forward weights, of the harmonic mean of K reverse weights, and of a mixture of
both. --tails has the probability that a log weight is wrong by more than b
nats, beside exp(-b).

See breadboard help logz.`,
		Examples: `  breadboard weights --toy barrier -T 100
  breadboard weights --samples 1,10,100,1000 --toy barrier,hard
  breadboard weights --tails 1,2,3 --format csv
  breadboard weights --quantiles 0.05,0.5,0.95 --schedule sigmoid`,
		Counts: "distributions", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{{
				Name: "frequencies",
				To:   study.Whole(&o.Frequencies, "N", 0, weights.MaxFrequencies),
			}}
		}),
		Columns: lawColumns(),
		Cost:    lawCost,
		View:    reports.Untyped(func(rows []Row) *reports.Report { return Report(rows, nil) }),
		About:   subject.Annealed(100),
		Tables: func(_ reports.Schema) []reports.Schema {
			return []reports.Schema{
				{Table: "weights", Of: Table(nil, nil)},
				{Table: "tails", Of: TailsTable(nil), By: "tails"},
				{Table: "quantiles", Of: QuantilesTable(nil), By: "quantiles"},
			}
		},
		Swept: &study.Swept{
			Parameters: subject.Parameters(), Subject: study.TheCase,
			Stored: []string{
				"mean_log_w_forward", "sd_forward", "mean_log_w_reverse", "sd_reverse", "p_bhat_below_J",
				"p_bhat_below_0", "ess_fraction", "J", "B", "log_z_ratio",
				"third_cumulant_forward", "fourth_cumulant_forward", "third_cumulant_reverse",
				"fourth_cumulant_reverse", "renyi_half",
				"p_zero_weight", "p_infinite_weight", "crooks_residual", "frequencies", "resolved",
				"error_bound",
			},
			Note: study.NoteOf(func(r *Row) (string, error) { return strings.Join(r.Solution.Notes, "; "), nil }),
		},
	})
}

// refuseBesideSamples refuses the flags of other questions about weights.
func refuseBesideSamples(_ *subject.Selection, given func(flag string) bool) error {
	switch {
	case given("tails"), given("quantiles"):
		return errs.New("one question at a time: give one of {samples}, {tails} and {quantiles}")
	case given("frequencies"):
		return errs.New(
			"{frequencies} is for the distribution of the log weight, and {samples} takes none of it; leave it out",
		)
	}
	return nil
}

// UsualK returns the numbers of weights that sweeps and the page average if none is given.
func UsualK() []int { return []int{1, 10, 100, 1000} }

// Samples declares the study of bounds from several samples, which the command weights also
// answers.
func Samples() *study.Study[subject.Case, SampleOptions, SampleRow] {
	samples := subject.Whole("K", "the number of weights", 1, weights.MaxSamples, UsualK()...)
	return study.New(SampleOptions{}, samplePlan, study.Declaration{
		Says: columns.Sentence{
			Text: "{toy}, T = {T}: the average of K = {K} weights bounds log R to within {forward_below} nats " +
				"from below and {reverse_above} from above",
		},
		Name: "samples", Asks: "What does averaging K weights gain, in bounds on log R = log(Z_T/Z_1)?",
		Counts: "distributions",
		Options: study.OptionsOf(func(o *SampleOptions) []study.Option {
			return []study.Option{{
				Name: "samples", Doc: "in each bound on log(Z_T/Z_1)", Swept: &samples,
				To: study.Wholes(&o.K, "N", 1, weights.MaxSamples),
			}}
		}),
		Behind:  &study.Behind{Command: "weights", Flag: "samples", Select: refuseBesideSamples},
		Columns: sampleColumns(),
		Cost:    samplesCost,
		View:    reports.Untyped(SamplesReport),
		Swept: &study.Swept{
			Parameters: subject.Parameters(), Subject: study.TheCase,
			Stored: []string{"forward_bound", "reverse_bound", "mixed_bound", "log_z_ratio", "error_bound",
				"forward_below", "reverse_above", "mixed_above"},
			Note: study.NoteOf(func(r *SampleRow) (string, error) { return r.Note, nil }),
			Restore: func(k study.StoredRow) any {
				bounds := weights.MultiSample{
					Forward: k.Get("forward_bound"),
					Reverse: k.Get("reverse_bound"),
					Mixed:   k.Get("mixed_bound"),
				}
				return &SampleRow{MultiSample: bounds, LogZRatio: k.Get("log_z_ratio")}
			},
		},
	})
}

// Measured: the time of the moments, and of a distribution by inversion with all of its
// frequencies, relative to an exact solution; that with the fewest frequencies, relative to one by
// the general method; and the largest time of a distribution with more in seconds, since inversion
// stops at a number of multiplications. A distribution on a lattice takes less.
const (
	momentsCost        = 15
	inversionSolutions = 8e5
	inversionLeast     = 40
	inversionCost      = 2.5
)

// lawCost: a distribution takes at least some solutions, and at most the limit of inversion.
func lawCost(s subject.Size) subject.Cost {
	law := max(inversionLeast*s.General.Seconds, min(inversionCost, inversionSolutions*s.Solution.Seconds))
	return subject.Cost{
		Seconds: momentsCost*s.Solution.Seconds + law,
		Bytes:   s.General.Bytes + weights.BandBytes(s.States),
	}
}

// samplesCost: one sample needs an exact solution, and more need transforms of the distributions.
func samplesCost(s subject.Size) subject.Cost {
	cost := subject.Cost{Seconds: 2 * s.Solution.Seconds, Bytes: s.Solution.Bytes}
	if s.Params.Int("K") > 1 {
		cost.Seconds += transformsCost + transformsSolutions*s.General.Seconds
		cost.Bytes += transformsBytes
	}
	return cost
}

// Measured: the time of the transforms, in seconds, plus a number of solutions by the general
// method; and their bytes.
const (
	transformsCost      = 0.05
	transformsSolutions = 100
	transformsBytes     = 10e6
)

// meansError is the meaning of the column error_bound.
const meansError = "a bound on the error of the probabilities or bounds of the row"

// Limits of a probability: it is a sum, which rounding may move slightly below zero or above one.
const (
	below0 = -1e-12
	above1 = 1 + 1e-12
)

// anything returns the Kept of a number that may have any value, or be missing.
func anything() columns.Kept {
	return columns.Kept{Low: math.Inf(-1), High: math.Inf(1), Missing: true}
}

// spread returns the Kept of a standard deviation.
func spread() columns.Kept { return columns.Kept{High: math.Inf(1), Missing: true, Shown: true} }

// lawColumns lists the columns of the study of distributions.
func lawColumns() columns.List {
	type row = Row
	infinite := math.Inf(1)
	theCase := (*row).TheCase
	nats := func(name, title string, digits int, meaning string, k columns.Kept,
		of func(*row) number.Bounded) columns.Field {
		return columns.Of(name, title, meaning, of).In("nats").Digits(digits).Keep(k)
	}
	cumulant := func(name, unit, meaning string, of func(*row) number.Bounded) columns.Field {
		return columns.Of(name, "", meaning, of).In(unit).Keep(anything())
	}
	return slices.Concat(
		subject.ShortCase(theCase),
		columns.List{
			nats("mean_log_w_forward", "mean fwd", 0, "the mean log weight of forward chains",
				columns.Kept{Low: -infinite, High: math.MaxFloat64, Shown: true},
				func(r *row) number.Bounded { return r.mean(0) }).Absolute().Answer(),
			nats("sd_forward", "sd fwd",
				5, "the standard deviation of log w of forward chains", spread(),
				func(r *row) number.Bounded { return r.sd(0) }).Answer(),
			nats("mean_log_w_reverse", "mean rev", 0, "the mean log weight of reverse chains",
				columns.Kept{Low: -math.MaxFloat64, High: infinite, Shown: true},
				func(r *row) number.Bounded { return r.mean(1) }).Absolute().Answer(),
			nats("sd_reverse", "sd rev",
				5, "the standard deviation of log w of reverse chains", spread(),
				func(r *row) number.Bounded { return r.sd(1) }).Answer(),
			columns.Of("p_bhat_below_J", "P(B-hat < J)",
				"P(estimate of B of one pair of chains < J)",
				func(r *row) float64 { return probability(r.BelowJ) }).Answer().Within(below0, above1).Shown(),
			columns.Of("p_bhat_below_0", "P(B-hat < 0)",
				"P(estimate of B of one pair of chains < 0)",
				func(r *row) float64 { return probability(r.Below0) }).Answer().Within(below0, above1).Shown(),
			columns.Of("ess_fraction", "ESS",
				"the effective sample size of forward chains over their number",
				func(r *row) float64 { return r.ESSFraction }).Digits(4).Within(0, above1).Shown(),
			columns.Of("method", "method", "how the distribution is computed",
				func(r *row) string { return string(r.Law.Method) }),
			columns.Of("error_bound", "error", meansError, (*row).ErrorBound).Digits(2).Within(0, infinite),
		},
		subject.RestOfCase(theCase),
		columns.List{
			columns.Of("J", "", columns.MeansJ,
				func(r *row) number.Bounded { return r.Solution.Numbers().J }).In("nats").Within(0, infinite).Missing(),
			columns.Of("B", "", columns.MeansB,
				func(r *row) number.Bounded { return r.Solution.Numbers().B }).In("nats").Within(-infinite, infinite).Missing(),
			columns.Of("log_z_ratio", "", columns.MeansLogZRatio,
				func(r *row) number.Bounded { return r.Solution.Numbers().LogZRatio }).In("nats").Within(
				-math.MaxFloat64,
				math.MaxFloat64,
			).Absolute(),
			cumulant("third_cumulant_forward", "nats^3", "the third cumulant of log w of forward chains; "+
				"empty if infinite",
				func(r *row) number.Bounded { return r.cumulant(0, 3) }),
			cumulant("fourth_cumulant_forward", "nats^4", "the fourth cumulant of log w of forward "+
				"chains; empty if infinite",
				func(r *row) number.Bounded { return r.cumulant(0, 4) }),
			cumulant("third_cumulant_reverse", "nats^3", "the third cumulant of log w of reverse chains; "+
				"empty if infinite",
				func(r *row) number.Bounded { return r.cumulant(1, 3) }),
			cumulant("fourth_cumulant_reverse", "nats^4", "the fourth cumulant of log w of reverse "+
				"chains; empty if infinite",
				func(r *row) number.Bounded { return r.cumulant(1, 4) }),
			columns.Of(
				"renyi_half", "", "the Rényi divergence of order 1/2 between the distributions of the paths",
				func(r *row) number.Bounded {
					// a sum of two logarithms, of a mass that each stage rounds and of Z_T/Z_1
					return number.UpTo(r.RenyiHalf,
						0x1p-50*(float64(r.Distributions())+r.RenyiHalf+math.Abs(r.Solution.LogZRatio)))
				}).In("nats").Keep(anything()),
			columns.Of("p_zero_weight", "", "the probability that a forward weight is zero",
				func(r *row) float64 { return r.Law.Forward.Zero }).Within(0, above1),
			columns.Of("p_infinite_weight", "", "the probability that a reverse weight is infinite",
				func(r *row) float64 { return r.Law.Reverse.Infinite }).Within(0, above1),
			columns.Of("crooks_residual", "",
				"the largest violation of Crooks' relation between both distributions, relative on a lattice",
				func(r *row) float64 { return r.Law.Crooks }).Within(0, infinite).Missing(),
			columns.Of("frequencies", "",
				"frequencies of the characteristic function; 0 on a lattice",
				func(r *row) int { return r.Law.Frequencies }).Within(0, weights.MaxFrequencies),
			columns.Of("resolved", "",
				"whether the characteristic function decays to zero within them",
				func(r *row) bool { return r.Law.Resolved }).Within(0, 1),
		})
}

// mean returns the mean of the log weight in a direction, which rounds as that of the solution.
func (r *Row) mean(d int) number.Bounded {
	n := r.Solution.Numbers()
	return number.UpTo(r.Moments[d].Mean, [...]number.Bounded{n.MeanLogWForward, n.MeanLogWReverse}[d].Error)
}

// sd returns the standard deviation of the log weight in a direction. An error of each log weight,
// which is centred, changes it by no more than that, and each stage rounds the probabilities.
func (r *Row) sd(d int) number.Bounded {
	m := r.Moments[d]
	sd := math.Sqrt(m.Variance)
	_, offset := r.Annealing().Centred()
	return number.UpTo(sd, r.Solution.ErrorLogW+0x1p-52*(math.Abs(m.Mean-offset)+float64(r.Distributions())*sd))
}

// cumulant returns the third or fourth cumulant of the log weight in a direction. An error of each
// log weight, which is bounded as in sd, changes E[s^k] by k E|s|^(k-1) times that at most, and
// E|s|^j is at most E[s^4]^(j/4).
func (r *Row) cumulant(d, k int) number.Bounded {
	m := r.Moments[d]
	size := math.Sqrt(math.Sqrt(m.Fourth + 3*m.Variance*m.Variance))
	value := [...]float64{m.Third, m.Fourth}[k-3]
	return number.UpTo(value, math.Pow(4, float64(k-2))*r.sd(d).Error*math.Pow(size, float64(k-1)))
}

// probability returns a probability from its bracket, which may extend beyond 0 and 1.
func probability(b weights.Bracket) float64 {
	return number.Probability(number.Bounded{Value: b.Value, Error: b.High - b.Low}).Value
}

// sampleColumns lists the columns of the study of several samples: for machines the bounds, for
// people their distances from log R.
func sampleColumns() columns.List {
	type row = SampleRow
	theCase := (*row).TheCase
	err := func(r *row) float64 { return r.Error }
	bound := func(name, meaning string, low, high float64, of func(*row) float64) columns.Field {
		return columns.Rounded(name, "(nats)", meaning, of, err).Absolute().Within(low, high).Missing()
	}
	distance := func(name, title, meaning string, of func(*row) float64) columns.Field {
		return columns.Rounded(name, title, meaning, of, err).In("nats").Derived().Missing().Shown()
	}
	return slices.Concat(subject.ShortCase(theCase),
		columns.List{
			columns.Of("K", "K", "the number of chains whose weights are averaged", func(r *row) int { return r.K }),
			bound("forward_bound",
				"the mean log of the mean of K forward weights, at most log_z_ratio", math.Inf(-1),
				math.MaxFloat64,
				func(r *row) float64 { return r.Forward }),
			bound("reverse_bound",
				"the mean log of the harmonic mean of K reverse weights, at least log_z_ratio",
				-math.MaxFloat64, math.Inf(1),
				func(r *row) float64 { return r.Reverse }),
			bound("mixed_bound",
				"the mean log of the mean of one reverse and K - 1 forward weights, at least log_z_ratio",
				-math.MaxFloat64,
				math.Inf(1), func(r *row) float64 { return r.Mixed }),
			columns.Rounded("log_z_ratio", "log R (nats)", columns.MeansLogZRatio,
				func(r *row) float64 { return r.LogZRatio }, err).Absolute().Within(
				-math.MaxFloat64,
				math.MaxFloat64,
			).Shown(),
			distance("forward_below", "forward, below", "how far forward_bound is below log_z_ratio",
				func(r *row) float64 { return r.LogZRatio - r.Forward }).Answer(),
			distance("reverse_above", "reverse, above", "how far reverse_bound is above log_z_ratio",
				func(r *row) float64 { return r.Reverse - r.LogZRatio }).Answer(),
			distance("mixed_above", "mixed, above", "how far mixed_bound is above log_z_ratio",
				func(r *row) float64 { return r.Mixed - r.LogZRatio }).Answer(),
			columns.Stated("error_bound", "error (nats)", meansError,
				func(r *row) float64 { return r.Error }).Digits(2).Within(0, math.Inf(1)),
		},
		subject.RestOfCase(theCase),
		columns.List{
			columns.Note(func(r *row) string { return r.Note }),
		})
}
