package temper

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/number"
	"breadboard/chains/tempering"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
)

// ladders says in the help of every study how a ladder is given.
const ladders = `
The ladder is the path and the schedule of an annealing, all of whose T distributions stand at once: with T = 3 there are three replicas,
and two pairs of neighbours. The schedule acceptance has equal rejections, and curve:0:0.2:1 the rungs that it lists. In a scan every replica makes one move of the
kernel (repeat:4:metropolis makes four), and then pairs of neighbours are offered a swap: with deo the even and the odd pairs in turn, the even
ones first; with seo by the flip of a coin. A ladder has up to 32 rungs.`

// manyStates says in the help of studies what there is where states are too many to be listed.
const manyStates = `

What comes of each rung by itself needs the law of log f alone. So it is there too where the states of a product of factors are too many to be listed, as
of ising:10x10:0.4, potts:3:8x8:0.5, or a cut or an energy in a file with whole weights: an elimination counts how many states have each value
of log f. Its terms must be whole multiples of one number, as 0.4 and 0.1 are. Planes of spins have up to 16x16 sites, and tori up to 9x9. What needs
states is empty then.`

// Study declares the study of round trips.
func Study() *study.Study[experiments.Case, Options, Row] {
	return study.New(Options{Schemes: []string{string(tempering.DEO)}, Functions: []string{"g"}, Scans: 1000, Seed: 1}, plan, study.Declaration{
		Name: "temper",
		Asks: "Is this ladder of parallel tempering good? Round trips, variances",
		Help: `temper gives the exact number of round trips that replicas make in a scan with the kernel that explores, beside the formula of Syed,
Bouchard-Cote, Deligiannidis and Doucet (2022), which takes exploration to be perfect; and the asymptotic variance of the cold chain's average of
a function, beside that of a plain chain. The gain is at equal work: above one, tempering is worth its T moves a scan.

Round trips do not say that it mixes: with T = 2 there are (1 - r)/2 of them for every kernel, even one that never moves. On fine ladders
the rejections r of all pairs sum up to Lambda, the barrier of the path, and the formula tends to 1/(2 + 2 Lambda) for deo.

The rejections, Lambda and the formula come of each rung by itself. The rate and the variance take the law of all replicas together, up to 1e6
unknowns, (T-2) n^T for n states. Where there are more they are empty, and --chains runs estimate them and the plain chain, from exact draws at every rung, with
standard errors.` + manyStates + `
` + ladders + `

With --out it also draws the rejections per unit of beta along the path with the rungs on it, the round-trip rate against the number of moves between
swaps, and with T = 3 the probability that the replica in the middle is on its way up, by the state of the cold chain.`,
		Examples: `  breadboard temper
  breadboard temper --toy barrier:3x3 -T 3 --schedule acceptance --kernel metropolis --scheme deo,seo
  breadboard temper --toy random:2:7:3x3 -T 2 --kernel stay
  breadboard temper --toy ising:4x4:0.4 -T 25 --schedule acceptance --kernel heatbath --chains 20
  breadboard temper --toy ising:10x10:0.4 -T 20
  breadboard temper --toy easy -T 3 --schedule curve:0:0.4:1 --function x0,g --out results`,
		Counts: "ladders", Workers: "number of ladders that are solved at once",
		Options: []study.Option{
			schemesOption(func(o *Options) *[]string { return &o.Schemes }),
			{Name: "function", Doc: "functions of the cold chain's state, as x0, g, mode or x0<=3", Value: study.ValueOf(func(o *Options) study.Value { return study.Texts(&o.Functions) })},
			{Name: "chains", Doc: "number of simulated runs of all replicas; 0 is none", Value: study.ValueOf(func(o *Options) study.Value { return study.Whole(&o.Chains, "N", 0, 1_000_000) })},
			{Name: "scans", Letter: "R", Doc: "scans that each run records, after as many that it does not", Value: study.ValueOf(func(o *Options) study.Value { return study.Whole(&o.Scans, "R", 1, maxScans) })},
			study.SeedOption("seed of the runs", func(o *Options) *uint64 { return &o.Seed }, nil),
		},
		Columns: Columns(),
		Unswept: "a sweep of annealings takes hundreds of distributions, and these would be replicas; give several values of T and functions here",
	})
}

// Ladders declares the study of the best ladders.
func Ladders() *study.Study[experiments.Case, LadderOptions, LadderRow] {
	return study.New(LadderOptions{Scheme: string(tempering.DEO), Function: "g"}, ladderPlan, study.Declaration{
		Name: "temper ladder",
		Asks: "Which ladder is the best one? Equal rejections, most round trips, least variance",
		Help: `ladder finds the rungs of four ladders: that of equal rejections, those with the most round trips, by the formula for perfect exploration and
exactly, and that with the least asymptotic variance of a function. They differ: the ladder with the most round trips need not be the best for
what is estimated. Inner betas are improved one after another, so that with T above 3 it is a place where no single one can be moved with profit.
The exact rate and the variance take the law of all replicas together, up to 1e6 unknowns, (T-2) n^T for n states; the other two ladders come of each rung by itself.` + manyStates + `
` + ladders + `

The schedule is not read. With --out it also draws the ladders on the rejections per unit of beta, and with T = 3 rate and variance against the inner beta.`,
		Examples: `  breadboard temper ladder
  breadboard temper ladder --toy random:4:2:3x3 --function g --out results
  breadboard temper ladder --toy ising:4x4:0.4 --rungs 20
  breadboard temper ladder --toy ising:10x10:0.4 --rungs 20`,
		Counts: "ladders", Workers: "number of targets that are searched at once",
		Options: []study.Option{
			{Name: "scheme", Doc: "which pairs are offered swaps: deo or seo", Complete: study.Among(tempering.Schemes()...), Value: study.ValueOf(func(o *LadderOptions) study.Value { return study.Text(&o.Scheme) })},
			{Name: "function", Doc: "the function of the cold chain's state, as x0, g, mode or x0<=3", Value: study.ValueOf(func(o *LadderOptions) study.Value { return study.Text(&o.Function) })},
			{Name: "rungs", Doc: "number of rungs; 0 is that of the distributions, T", Value: study.ValueOf(func(o *LadderOptions) study.Value { return study.Whole(&o.Rungs, "N", 0, tempering.MaxRungs) })},
		},
		Columns: LadderColumns(),
		Unswept: "its rows are ladders of one question, which are held against each other",
	})
}

// Stones declares the study of estimates of log Z.
func Stones() *study.Study[experiments.Case, StoneOptions, StoneRow] {
	return study.New(StoneOptions{Schemes: []string{string(tempering.DEO)}, Starts: Starts(), Scans: []int{1, 2, 4, 16}}, stonePlan, study.Declaration{
		Name: "temper z",
		Asks: "What do replicas say of log Z? Stepping stone and thermodynamic integration",
		Help: `z gives the exact means of the estimates of log Z from R recorded scans of parallel tempering. Stepping stone (Xie et al. 2011) is the product
over pairs of the mean weight from each rung to the next; its reverse, from the upper rung of each pair, estimates 1/Z. Replicas swap, so that the
factors are not independent and Zhat is biased from the second or third scan on, even where replicas start at stationarity. Its logarithm is
below the truth on average and that of the reverse above it: from stationary starts always, term by term; from any other start the sandwich may
turn round, and then the upper bound is none.

What takes the law of all replicas together, up to 1e7 numbers, 3^(T-1) n^T for n states, is empty on larger ladders. Beside it stands what independent draws from each rung would
give, as if exploration were perfect, for any ladder.` + manyStates + `
` + ladders + `

All estimates are relative to the truth: Zhat in units of Z, logarithms as differences in nats. With --out it also draws them against R.`,
		Examples: `  breadboard temper z
  breadboard temper z --toy barrier:3x3 --schedule acceptance --start uniform --scans 1,2,4,16
  breadboard temper z --toy ising:10x10:0.4 -T 20 --start stationary`,
		Counts: "ladders", Workers: "number of ladders and starts that are computed at once",
		Options: []study.Option{
			schemesOption(func(o *StoneOptions) *[]string { return &o.Schemes }),
			{Name: "start", Doc: "where replicas start: " + strings.Join(Starts(), ", "), Complete: study.Among(Starts()...), Value: study.ValueOf(func(o *StoneOptions) study.Value { return study.Texts(&o.Starts) })},
			{Name: "scans", Letter: "R", Doc: "numbers of recorded scans", Value: study.ValueOf(func(o *StoneOptions) study.Value { return study.Wholes(&o.Scans, "R", 1, maxScans) })},
		},
		Columns: StoneColumns(),
		Unswept: "its rows from one start share their scans",
	})
}

// Comparison declares the comparison with annealing.
func Comparison() *study.Study[experiments.Case, CompareOptions, CompareRow] {
	return study.New(CompareOptions{Schemes: []string{string(tempering.DEO)}, Scans: []int{1, 4, 16, 64, 256}}, comparePlan, study.Declaration{
		Name: "temper compare",
		Asks: "Tempering or annealing? Both and a plain chain after as many moves",
		Help: `compare sets the law of the cold chain after s scans, from independent draws of the first distribution at all rungs, beside that of annealing
with as many moves as all replicas make together (T s of them, on a linear schedule), of annealing with s moves, which takes as long where each
replica has a processor of its own, and of a plain chain of the kernel under the target with T s moves. Annealing comes nearer by a power of the
number of moves, tempering exponentially; but annealing also gives weights.
` + ladders + `

Up to 1e7 joint states n^T are moved. With --out it also draws total variation and J against moves, and marks where tempering overtakes.`,
		Examples: `  breadboard temper compare
  breadboard temper compare --toy random:2:7:3x3 --schedule acceptance --scans 1,4,16,64,256 --out results`,
		Counts: "numbers of scans", Workers: "number of ladders that are computed at once",
		Options: []study.Option{
			schemesOption(func(o *CompareOptions) *[]string { return &o.Schemes }),
			{Name: "scans", Letter: "s", Doc: "numbers of scans", Value: study.ValueOf(func(o *CompareOptions) study.Value { return study.Wholes(&o.Scans, "s", 1, maxScans) })},
		},
		Columns: CompareColumns(),
		Unswept: "its rows of one ladder share their scans",
	})
}

// schemesOption returns the option of schemes.
func schemesOption[O any](of func(o *O) *[]string) study.Option {
	return study.Option{
		Name: "scheme", Doc: "which pairs are offered swaps: " + strings.Join(tempering.Schemes(), ", "), Complete: study.Among(tempering.Schemes()...),
		Value: study.ValueOf(func(o *O) study.Value { return study.Texts(of(o)) }),
	}
}

// column is the column of a number.
func column[Row any, V float64 | number.Bounded](name, title, unit, meaning string, of func(Row) V) columns.Field {
	return columns.Of(name, title, meaning, of).OrEmpty().In(unit)
}

// text is the column of a text.
func text[Row any](name, title, meaning string, of func(Row) string) columns.Field {
	return columns.Of(name, title, meaning, of)
}

// settings lists the columns of how a row tempers.
func settings[Row any](of func(Row) *Setting) columns.List {
	return columns.Lift(columns.List{
		schemeColumn(func(s *Setting) tempering.Scheme { return s.Scheme }),
		text("function", "function", "the function of the cold chain's state", func(s *Setting) string { return s.Function }),
		text("betas", "", "the betas of the rungs, with colons between them, as in the schedule curve", func(s *Setting) string { return join(s.Betas, "%v") }),
	}, of)
}

func schemeColumn[Row any](of func(Row) tempering.Scheme) columns.Field {
	return text("scheme", "scheme", "which pairs are offered swaps", func(r Row) string { return string(of(r)) })
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
	return slices.Concat(experiments.ShortCase(one), settings(func(r *Row) *Setting { return &r.Setting }), columns.List{
		columns.Any("rejections", "r", columns.String, "the probability that each pair refuses a swap, from the lowest pair on, with colons between them", func(r *Row) any {
			return columns.Both{Machine: join(r.Rejections, "%v"), People: inShort(r.Rejections)}
		}),
		column("sum_of_rejections", "", "", "the sum of the rejections, which tends to the barrier on fine ladders", func(r *Row) float64 {
			sum := 0.0
			for _, v := range r.Rejections {
				sum += v
			}
			return sum
		}),
		column("barrier", "Lambda", "", "the integral of the rejections per unit of beta along the path; empty where the path is zero somewhere", func(r *Row) float64 { return r.Barrier }),
		column("rate", "rate", "", "the round trips of all replicas together in a scan; by runs where rate_error is there", func(r *Row) number.Bounded { return r.PerScan().Bounded }),
		errorOf("rate", (*Row).PerScan),
		column("formula", "formula", "", "the same if exploration were perfect (Syed et al. 2022)", func(r *Row) float64 { return r.Formula }).Answer(),
		column("formula_over_rate", "over rate", "", "the formula over the rate", func(r *Row) number.Bounded { return number.Exactly(r.Formula).Over(r.PerScan().Bounded) }),
		column("flux_disagreement", "", "", "what arrives at the bottom over what arrives at the top, minus one: the digits of the exact rate", func(r *Row) float64 {
			if r.Rate == nil {
				return math.NaN()
			}
			return r.Rate.PerScan/r.Rate.Top - 1
		}),
		column("variance", "variance", "", "the asymptotic variance of the average over scans, in variances of the function: independent draws have one; empty where averages do not settle", func(r *Row) number.Bounded { return r.ColdVariance().Bounded }).Answer(),
		errorOf("variance", (*Row).ColdVariance),
		column("plain", "plain", "", "the same of a plain chain of the kernel, by move; empty where it does not reach all states", func(r *Row) number.Bounded { return r.PlainVariance().Bounded }),
		errorOf("plain", (*Row).PlainVariance),
		column("gain_at_equal_work", "gain", "", "the precision of the one over that of the other with as many moves", func(r *Row) number.Bounded { return r.Gain().Bounded }).Answer(),
		errorOf("gain_at_equal_work", (*Row).Gain),
		columns.Note(func(r *Row) string { return strings.Join(r.Notes(), "; ") }),
	}, experiments.RestOfCase(one))
}

// errorOf is the column of the standard error of a number that may come of runs.
func errorOf(name string, of func(r *Row) Estimate) columns.Field {
	return column(name+"_error", "", "", "its standard error where it is not exact; else empty", func(r *Row) float64 {
		if e := of(r); e.SE > 0 {
			return e.SE
		}
		return math.NaN()
	})
}

// LadderColumns lists the columns of the study of ladders.
func LadderColumns() columns.List {
	one := (*LadderRow).TheCase
	return slices.Concat(experiments.ShortCase(one), columns.List{
		text("criterion", "best by", "what the ladder is chosen by: equal rejections, the rate by the formula, the exact rate, or the variance", func(r *LadderRow) string { return r.Criterion }),
		columns.ForPeople("inner betas", func(r *LadderRow) any {
			return join(r.InnerBetas(), "%.4f")
		}),
	}, settings(func(r *LadderRow) *Setting { return &r.Setting }), columns.List{
		column("rate", "rate", "", "the round trips of all replicas together in a scan", func(r *LadderRow) number.Bounded { return r.Rate }).Answer(),
		column("formula", "formula", "", "the same if exploration were perfect", func(r *LadderRow) float64 { return r.Formula }).Answer(),
		column("variance", "variance", "", "the asymptotic variance of the average over scans, in variances of the function; empty where averages do not settle", func(r *LadderRow) number.Bounded { return r.Variance }).Answer(),
		columns.Note(func(r *LadderRow) string { return strings.Join(r.Notes(), "; ") }),
	}, experiments.CaseColumns(one, slices.DeleteFunc(experiments.ColumnOrder(experiments.Names(experiments.Parameters()))[2:], func(name string) bool { return name == "schedule" })...))
}

// StoneColumns lists the columns of the study of log Z.
func StoneColumns() columns.List {
	one := (*StoneRow).TheCase
	return slices.Concat(experiments.ShortCase(one), columns.List{
		schemeColumn(func(r *StoneRow) tempering.Scheme { return r.Scheme }),
		text("start", "start", "where the replicas start", func(r *StoneRow) string { return r.Start }),
		columns.Of("scans", "R", "the number of recorded scans", func(r *StoneRow) int { return r.Scans }),
		column("log_z", "", "nats", "the truth: log Z of the last distribution minus that of the first", func(r *StoneRow) float64 { return r.LogZ }),
		column("mean_z_forward", "E Zhat/Z", "", "the mean of stepping stone in units of Z", func(r *StoneRow) float64 { return r.MeanForward }).Answer(),
		column("relative_sd", "sd/mean", "", "its standard deviation over its mean; empty where rounding has left less than none", func(r *StoneRow) float64 { return r.relativeSD() }).Answer(),
		column("mean_z2_forward", "", "", "the mean of its square", func(r *StoneRow) float64 { return r.Square }),
		column("mean_z_reverse", "E Z/Zhat rev", "", "the mean of the reverse estimate of 1/Z in units of 1/Z", func(r *StoneRow) float64 { return r.MeanReverse }),
		column("log_forward", "log forward", "nats", "the mean of the logarithm of stepping stone minus the truth", func(r *StoneRow) float64 { return r.LogForward }),
		column("log_reverse", "log reverse", "nats", "the same of the reverse estimate", func(r *StoneRow) float64 { return r.LogReverse }),
		columns.Any("sandwich", "between", columns.Bool, "whether the truth is between the two; empty where these are not known", func(r *StoneRow) any {
			if math.IsNaN(r.LogForward) {
				return nil
			}
			return r.Sandwiched()
		}).Answer(),
		column("thermo_error", "thermo", "nats", "the mean of thermodynamic integration by the trapezoidal rule minus the truth", func(r *StoneRow) float64 { return r.Thermo }),
		column("thermo_variance", "", "nats^2", "its variance", func(r *StoneRow) float64 { return r.ThermoVar }),
		column("ideal_relative_sd", "sd/mean, perfect", "", "the standard deviation over the mean of stepping stone if exploration were perfect: of independent draws from each rung", func(r *StoneRow) float64 { return r.Ideal.relativeSD() }).DropOrder(1),
		column("ideal_log_forward", "log forward, perfect", "nats", "the mean of the logarithm of stepping stone minus the truth, the same", func(r *StoneRow) float64 { return r.Ideal.LogForward }).DropOrder(2),
		column("ideal_log_reverse", "log reverse, perfect", "nats", "that of the reverse estimate, the same", func(r *StoneRow) float64 { return r.Ideal.LogReverse }).DropOrder(2),
		columns.Note(func(r *StoneRow) string { return r.TooLarge }),
	}, experiments.RestOfCase(one))
}

// CompareColumns lists the columns of the comparison with annealing.
func CompareColumns() columns.List {
	one := (*CompareRow).TheCase
	return slices.Concat(experiments.ShortCase(one), columns.List{
		schemeColumn(func(r *CompareRow) tempering.Scheme { return r.Scheme }),
		columns.Of("scans", "scans", "the number of scans", func(r *CompareRow) int { return r.Scans }),
		columns.Of("moves", "moves", "the moves of all replicas together", func(r *CompareRow) int { return r.Moves }),
		column("tv", "TV", "", "the total variation distance of the cold chain from the target", func(r *CompareRow) number.Bounded { return r.Cold.TV }).Answer(),
		column("ais_tv", "AIS", "", "that of annealing with as many moves as all replicas make", func(r *CompareRow) number.Bounded { return r.AIS.TV }).Answer(),
		column("plain_tv", "plain", "", "that of a plain chain with as many moves", func(r *CompareRow) number.Bounded { return r.Plain.TV }).Answer(),
		column("ais_same_time_tv", "AIS, s moves", "", "that of annealing with one move a scan", func(r *CompareRow) number.Bounded { return r.Single.TV }),
		column("J", "J", "nats", "the Jeffreys divergence of the cold chain from the target", func(r *CompareRow) number.Bounded { return r.Cold.Jeffreys() }).Answer(),
		column("ais_J", "J of AIS", "nats", "that of annealing with as many moves as all replicas make", func(r *CompareRow) float64 { return r.AIS.J }).Answer(),
		column("plain_J", "of plain", "nats", "that of a plain chain with as many moves", func(r *CompareRow) number.Bounded { return r.Plain.Jeffreys() }).Answer(),
		column("ais_same_time_J", "", "nats", "that of annealing with one move a scan", func(r *CompareRow) float64 { return r.Single.J }),
	}, experiments.RestOfCase(one))
}
