package temper

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/number"
	"breadboard/chains/tempering"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Study declares the study of round trips.
func Study() *study.Study[subject.Case, Options, Row] {
	return study.New(Options{
		Schemes:   []string{string(tempering.DEO)},
		Functions: []string{"g"},
		Scans:     1000,
		Seed:      1,
	}, plan, study.Declaration{
		Says: columns.Sentence{
			Text: "{toy}, T = {T}: {rate} round trips a scan; {formula} if each replica explored perfectly"},
		Name: "temper",
		Asks: "Is this ladder of parallel tempering good? Round trips, variances",
		Help: `Is parallel tempering worth its T moves a scan? temper gives the exact rate of
round trips of a ladder, the asymptotic variance of an average over its cold
chain, and the gain, which is above one if tempering beats a plain chain with as
many moves.

T is the number of replicas. --path and --schedule place their rungs. formula
is the rate under perfect exploration (Syed et al. 2022). Rate and variance need
(T-2) n^T unknowns for n states, at most 1e6. --chains simulates larger ladders.

See breadboard help tempering.`,
		Examples: `  breadboard temper
  breadboard temper --toy barrier:3x3 -T 3 --schedule acceptance --kernel metropolis --scheme deo,seo
  breadboard temper --toy ising:4x4:0.4 -T 25 --schedule acceptance --kernel heatbath --chains 20
  breadboard temper --toy easy -T 3 --schedule curve:0:0.4:1 --function x0,g --out results`,
		Counts: "ladders", Workers: true,
		Cost: cost,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				schemesOption(&o.Schemes),
				{Name: "function", Doc: "of the cold chain, as x0, g, mode or x0<=3",
					To: study.Texts(&o.Functions)},
				{Name: "chains", Doc: "of all replicas; 0 is none",
					To: study.Whole(&o.Chains, "N", 0, 1_000_000)},
				{Name: "scans", Letter: "R", Doc: "of each run, after as many unrecorded ones",
					To: study.Whole(&o.Scans, "N", 1, maxScans)},
				study.SeedOption(&o.Seed, nil),
			}
		}),
		Idle:    study.IdleOf(func(_ []subject.Case, o *Options) bool { return o.Chains == 0 }, "seed", "scans"),
		Columns: Columns(),
		View:    reports.Untyped(report),
		About:   onLadders(),
		Unswept: "a sweep of annealings takes hundreds of distributions, each of which would be a " +
			"replica; give several values of T and functions here",
	})
}

// cost: the rejections along the path, and between its rungs, sort the states. Measured: seconds
// per state, of the path and of a rung.
func cost(s subject.Size) subject.Cost {
	const (
		along = 1e-5
		rung  = 7e-7
	)
	c := s.Solution
	c.Seconds += float64(s.States) * (along + rung*float64(s.Distributions))
	return c
}

// Ladders declares the study of the best ladders.
func Ladders() *study.Study[subject.Case, LadderOptions, LadderRow] {
	return study.New(LadderOptions{Scheme: string(tempering.DEO), Function: "g"}, ladderPlan, study.Declaration{
		Says: columns.Sentence{
			Least: "variance",
			Text: "{toy}: the ladder by {criterion} has the smallest variance, {variance} times that " +
				"of independent draws",
		},
		Name: "temper ladder",
		Asks: "Which ladder is best? Equal rejections, most round trips, least variance",
		Help: `ladder finds the best rungs of a ladder of parallel tempering by four criteria.

The criteria are equal rejections, the most round trips by the formula for
perfect exploration, the most round trips exactly, and the least variance of an
average. Inner betas are improved one after another, so with T above 3 no
change of a single beta improves the ladder. The last two criteria need (T-2)
n^T unknowns for n states, at most 1e6.

See breadboard help tempering.`,
		Examples: `  breadboard temper ladder
  breadboard temper ladder --toy random:4:2:3x3 --function g --out results
  breadboard temper ladder --toy ising:4x4:0.4 -T 20
  breadboard temper ladder --toy ising:10x10:0.4 -T 20`,
		Counts: "ladders", Workers: true,
		Options: study.OptionsOf(func(o *LadderOptions) []study.Option {
			return []study.Option{
				{Name: "scheme",
					To: study.Text(&o.Scheme)},
				{Name: "function", Doc: "of the cold chain, as x0, g, mode or x0<=3",
					To: study.Text(&o.Function)},
			}
		}),
		Columns: ladderColumns(),
		View:    reports.Untyped(ladderReport),
		About:   onLadders().Scheduled(subject.Default("schedule")),
		Unswept: "its rows are ladders that are compared with one another",
	})
}

// Stones declares the study of estimates of log Z.
func Stones() *study.Study[subject.Case, StoneOptions, StoneRow] {
	return study.New(StoneOptions{
		Schemes: []string{string(tempering.DEO)},
		Starts:  Starts(),
		Scans:   []int{1, 2, 4, 16},
	}, stonePlan, study.Declaration{
		Says: columns.Sentence{
			Least: "relative_sd",
			Text: "{toy}: {scans} scans from {start} have the most precise estimate of Z, with a " +
				"relative standard deviation of {relative_sd}",
		},
		Name: "temper z",
		Asks: "How good are tempering's estimates of log Z? Stepping stone and integration",
		Help: `z gives the exact bias and variance of estimates of log Z from R recorded scans
of parallel tempering.

T is the number of replicas; --path and --schedule place their rungs. Stepping
stone (Xie et al. 2011) is the product over pairs of rungs of mean weights; its
reverse estimates 1/Z. Estimates are relative to the truth. From stationary
starts log Zhat is below the truth on average, and the reverse above it; from
other starts these bounds may fail. perfect means independent draws from each
rung.

See breadboard help tempering.`,
		Examples: `  breadboard temper z
  breadboard temper z --toy barrier:3x3 --schedule acceptance --start uniform --scans 1,2,4,16
  breadboard temper z --toy ising:10x10:0.4 -T 20 --start stationary`,
		Counts: "ladders", Workers: true,
		Options: study.OptionsOf(func(o *StoneOptions) []study.Option {
			return []study.Option{
				schemesOption(&o.Schemes),
				{Name: "start", Doc: ": " + strings.Join(Starts(), ", "),
					To: study.Texts(&o.Starts)},
				{Name: "scans", Letter: "R",
					To: study.Wholes(&o.Scans, "N", 1, maxScans)},
			}
		}),
		Columns: stoneColumns(),
		View:    reports.Untyped(stonesReport),
		About:   onLadders(),
		Unswept: "its rows from one start share their scans",
	})
}

// Comparison declares the comparison with annealing.
func Comparison() *study.Study[subject.Case, CompareOptions, CompareRow] {
	return study.New(CompareOptions{
		Schemes: []string{string(tempering.DEO)},
		Scans:   []int{1, 4, 16, 64, 256},
	}, comparePlan, study.Declaration{
		Says: columns.Sentence{
			Text: "{toy}: after {moves} moves tempering has J = {J} nats, annealing {ais_J} and a plain " +
				"chain {plain_J}"},
		Name: "temper compare",
		Asks: "Tempering, annealing or a plain chain? All after equal numbers of moves",
		Help: `compare gives the distance from the target of tempering, annealing and a plain
chain after equal numbers of moves.

T is the number of replicas; --path and --schedule place their rungs. The cold
chain runs for s scans, from independent draws of the first distribution at all
rungs. Beside it are annealing with T s moves on a linear schedule, annealing
with s moves, and a plain chain with T s moves under the target. The limit is
1e7 joint states n^T.

See breadboard help tempering.`,
		Examples: `  breadboard temper compare
  breadboard temper compare --toy random:2:7:3x3 --schedule acceptance --scans 1,4,16,64,256 --out results`,
		Counts: "numbers of scans", Workers: true,
		Options: study.OptionsOf(func(o *CompareOptions) []study.Option {
			return []study.Option{
				schemesOption(&o.Schemes),
				{Name: "scans", Letter: "s",
					To: study.Wholes(&o.Scans, "N", 1, maxScans)},
			}
		}),
		Columns: compareColumns(),
		View:    reports.Untyped(compareReport),
		About:   onLadders(),
		Unswept: "its rows of one ladder share their scans",
	})
}

// schemesOption returns the option of schemes.
func schemesOption(to *[]string) study.Option {
	return study.Option{
		Name: "scheme",
		To:   study.Texts(to),
	}
}

// column is the column of a number.
func column[Row any, V float64 | number.Bounded](name, title, unit, meaning string,
	of func(Row) V) columns.Field {
	return columns.Of(name, title, meaning, of).OrEmpty().In(unit)
}

// settings lists the columns of how a row tempers.
func settings[Row any](of func(Row) *Setting) columns.List {
	return columns.Lift(columns.List{
		schemeColumn(func(s *Setting) tempering.Scheme { return s.Scheme }),
		columns.Of("function", "function", "the function of the cold chain's state",
			func(s *Setting) string { return s.Function }),
		columns.Of("betas", "", "the betas of the rungs, as in the schedule curve",
			func(s *Setting) string { return join(s.Betas, "%v") }),
	}, of)
}

func schemeColumn[Row any](of func(Row) tempering.Scheme) columns.Field {
	return columns.Of("scheme", "scheme", "which pairs are offered swaps", func(r Row) string { return string(of(r)) })
}

// join writes numbers with colons between them.
func join(list []float64, format string) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = fmt.Sprintf(format, v)
	}
	return strings.Join(texts, ":")
}

// inShort writes numbers with colons between them, and of many only the smallest and the largest.
func inShort(list []float64) string {
	const most = 4
	low, high := fmt.Sprintf("%.6g", slices.Min(list)), fmt.Sprintf("%.6g", slices.Max(list))
	switch {
	case len(list) <= most:
		return join(list, "%.6g")
	case low == high:
		return fmt.Sprintf("%s (all %d)", low, len(list))
	}
	return fmt.Sprintf("%s to %s", low, high)
}

// Columns lists the columns of the study of round trips.
func Columns() columns.List {
	one := (*Row).TheCase
	return slices.Concat(subject.ShortCase(one), settings(func(r *Row) *Setting { return &r.Setting }), columns.List{
		columns.Any("rejections", "r", columns.String,
			"the probabilities that each pair refuses a swap",
			func(r *Row) any {
				return columns.Both{Machine: join(r.Rejections, "%v"), People: inShort(r.Rejections)}
			}).Answer(),
		column("sum_of_rejections", "", "",
			"the sum of the rejections, which tends to the barrier",
			func(r *Row) float64 {
				sum := 0.0
				for _, v := range r.Rejections {
					sum += v
				}
				return sum
			}),
		column("barrier", "Lambda", "",
			"the integral of the rejections along the path",
			func(r *Row) float64 { return r.Barrier }).Answer(),
		column("rate", "rate", "",
			"the round trips of all replicas per scan; estimated if rate_se is there",
			func(r *Row) number.Bounded { return r.PerScan().Bounded }).Answer(),
		errorOf("rate", (*Row).PerScan),
		column("formula", "formula", "", "the rate if exploration were perfect (Syed et al. 2022)",
			func(r *Row) float64 { return r.Formula }).Answer(),
		column("formula_over_rate", "formula/rate", "", "the formula divided by the rate",
			func(r *Row) number.Bounded { return number.Exactly(r.Formula).Over(r.PerScan().Bounded) }),
		column("flux_disagreement", "", "",
			"the relative difference of the flux at both ends",
			func(r *Row) float64 {
				if r.Rate == nil {
					return math.NaN()
				}
				return r.Rate.PerScan/r.Rate.Top - 1
			}),
		column("variance", "variance", "",
			"the asymptotic variance of the average over scans, over the function's",
			func(r *Row) number.Bounded { return r.ColdVariance().Bounded }).Answer(),
		errorOf("variance", (*Row).ColdVariance),
		column("plain", "plain",
			"", "the variance for a plain chain, per move",
			func(r *Row) number.Bounded { return r.PlainVariance().Bounded }),
		errorOf("plain", (*Row).PlainVariance),
		column("gain", "gain", "",
			"the precision over that of the plain chain with as many moves",
			func(r *Row) number.Bounded { return r.Gain().Bounded }).Answer(),
		errorOf("gain", (*Row).Gain),
		columns.Note(func(r *Row) string { return strings.Join(r.Notes(), "; ") }),
	}, subject.RestOfCase(one))
}

// errorOf is the column of the standard error of a number that may come of runs.
func errorOf(name string, of func(r *Row) Estimate) columns.Field {
	return column(name+"_se", "", "", "the standard error of "+name+"; empty if it is exact", func(r *Row) float64 {
		if e := of(r); e.SE > 0 {
			return e.SE
		}
		return math.NaN()
	})
}

// ladderColumns lists the columns of the study of ladders.
func ladderColumns() columns.List {
	one := (*LadderRow).TheCase
	return slices.Concat(subject.ShortCase(one), columns.List{
		columns.Of("criterion", "best by",
			"what the ladder is best by: equal rejections, the formula, the exact rate, or the variance",
			func(r *LadderRow) string { return r.Criterion }),
		columns.ForPeople("inner betas", func(r *LadderRow) any {
			return join(r.InnerBetas(), "%.4f")
		}),
	}, settings(func(r *LadderRow) *Setting { return &r.Setting }), columns.List{
		column("rate", "rate", "", "the round trips of all replicas together per scan",
			func(r *LadderRow) number.Bounded { return r.Rate }).Answer(),
		column("formula", "formula", "", "the rate if exploration were perfect",
			func(r *LadderRow) float64 { return r.Formula }).Answer(),
		column("variance", "variance", "",
			"the asymptotic variance of the average over scans, over the function's",
			func(r *LadderRow) number.Bounded { return r.Variance }).Answer(),
		columns.Note(func(r *LadderRow) string { return strings.Join(r.Notes(), "; ") }),
	}, subject.CaseColumns(one, slices.DeleteFunc(subject.ColumnOrder(subject.Names(subject.Parameters()))[2:],
		func(name string) bool { return name == "schedule" })...))
}

// stoneColumns lists the columns of the study of log Z.
func stoneColumns() columns.List {
	one := (*StoneRow).TheCase
	return slices.Concat(subject.ShortCase(one), columns.List{
		schemeColumn(func(r *StoneRow) tempering.Scheme { return r.Scheme }),
		columns.Of("start", "start", "the distribution from which the replicas start",
			func(r *StoneRow) string { return r.Start }),
		columns.Of("scans", "scans", "the number of recorded scans", func(r *StoneRow) int { return r.Scans }),
		column("log_z_ratio", "", "nats", "the truth: log Z of the last distribution minus that of the first",
			func(r *StoneRow) number.Bounded { return columns.LogRatio(r.LogZ) }).Absolute(),
		column("mean_z_forward", "E Zhat/Z", "", "the mean of stepping stone in units of Z",
			func(r *StoneRow) float64 { return r.MeanForward }).Answer(),
		column("relative_sd", "sd/mean", "", "the standard deviation of stepping stone divided by its mean",
			func(r *StoneRow) number.Bounded { return r.sd(&r.Estimated) }).Answer(),
		column("mean_z2_forward", "", "", "the mean of the square of stepping stone, in units of Z^2",
			func(r *StoneRow) float64 { return r.Square }),
		column("mean_z_reverse", "E Z/Zhat, rev", "", "the mean of the reverse estimate of 1/Z in units of 1/Z",
			func(r *StoneRow) float64 { return r.MeanReverse }),
		column("log_forward", "log forward", "nats",
			"the mean of the logarithm of stepping stone minus the truth",
			func(r *StoneRow) number.Bounded { return number.UpTo(r.LogForward, r.rounding()) }),
		column("log_reverse", "log reverse", "nats",
			"the mean of the logarithm of the reverse estimate of Z minus the truth",
			func(r *StoneRow) number.Bounded { return number.UpTo(r.LogReverse, r.rounding()) }),
		columns.Any("sandwich", "sandwich", columns.Bool, "whether the truth is between log_forward and log_reverse",
			func(r *StoneRow) any {
				if err := r.rounding(); math.Abs(r.LogForward) > err && math.Abs(r.LogReverse) > err {
					return r.Sandwiched()
				}
				return nil
			}).Answer(),
		column("thermo_error", "thermo", "nats",
			"the mean of thermodynamic integration by the trapezoidal rule minus the truth",
			func(r *StoneRow) number.Bounded { return number.UpTo(r.Thermo, r.rounding()) }),
		column("thermo_variance", "", "nats^2", "its variance", func(r *StoneRow) number.Bounded {
			return number.UpTo(r.ThermoVar, r.rounding()*(r.ThermoVar+r.Thermo*r.Thermo))
		}),
		column("ideal_relative_sd", "sd/mean, perfect",
			"", "relative_sd if exploration were perfect, with independent draws from each rung",
			func(r *StoneRow) number.Bounded { return r.sd(&r.Ideal) }),
		column("ideal_log_forward", "log forward, perfect", "nats", "log_forward if exploration were perfect",
			func(r *StoneRow) number.Bounded { return number.UpTo(r.Ideal.LogForward, r.rounding()) }),
		column("ideal_log_reverse", "log reverse, perfect", "nats", "log_reverse if exploration were perfect",
			func(r *StoneRow) number.Bounded { return number.UpTo(r.Ideal.LogReverse, r.rounding()) }),
		columns.Note(func(r *StoneRow) string { return r.TooLarge }),
	}, subject.RestOfCase(one))
}

// compareColumns lists the columns of the comparison with annealing.
func compareColumns() columns.List {
	one := (*CompareRow).TheCase
	return slices.Concat(subject.ShortCase(one), columns.List{
		schemeColumn(func(r *CompareRow) tempering.Scheme { return r.Scheme }),
		columns.Of("scans", "scans", "the number of scans", func(r *CompareRow) int { return r.Scans }),
		columns.Of("moves", "moves", "the moves of all replicas together",
			func(r *CompareRow) int { return r.Moves }),
		column("tv_distance", "TV", "", "the total variation distance of the cold chain from the target",
			func(r *CompareRow) number.Bounded { return r.Cold.TV }).Answer(),
		column("ais_tv_distance", "AIS",
			"", "tv_distance of annealing with as many moves",
			func(r *CompareRow) number.Bounded { return r.AIS.TV }).Answer(),
		column("plain_tv_distance", "plain", "",
			"tv_distance of a plain chain with as many moves",
			func(r *CompareRow) number.Bounded { return r.Plain.TV }).Answer(),
		column("ais_same_time_tv_distance", "AIS, s moves", "",
			"tv_distance of annealing with one move for each scan",
			func(r *CompareRow) number.Bounded { return r.Single.TV }),
		column("J", "J", "nats", "the Jeffreys divergence of the cold chain from the target",
			func(r *CompareRow) number.Bounded { return r.Cold.Jeffreys() }).Answer(),
		column("ais_J", "J of AIS", "nats",
			"J of annealing with as many moves",
			func(r *CompareRow) number.Bounded { return r.AIS.J }).Answer(),
		column("plain_J", "J of plain", "nats", "J of a plain chain with as many moves",
			func(r *CompareRow) number.Bounded { return r.Plain.Jeffreys() }).Answer(),
		column("ais_same_time_J", "", "nats", "J of annealing with one move for each scan",
			func(r *CompareRow) number.Bounded { return r.Single.J }),
	}, subject.RestOfCase(one))
}

// onLadders are annealings whose distributions are the rungs of a ladder.
func onLadders() *subject.Annealings {
	a := subject.Annealed(3)
	a.Toys = []string{"random:2:7:3x3", "barrier:3x3"}
	a.Schedule = "acceptance"
	a.Levels = true
	return a
}
