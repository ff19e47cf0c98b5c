// Package success answers: with what probability does annealing find a best state, as an optimiser? It sets the law of the last state beside that of
// the best value on the way, and the time to solution of several T beside one another. Every number is exact where the states can be listed; else
// chains are run, and numbers have intervals. It never prints or reads flags.
//
//	breadboard success --toy ising:3x3:0.6 -T 10,100,1000 --kernel flip
package success

import (
	"cmp"
	"context"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/exact/climb"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
	"breadboard/toys"
)

// Row is how often annealing comes to a level of log f or above.
type Row struct {
	experiments.Case
	Reached
	MeanEnd  number.Bounded // of log f at x_T, in nats
	MeanBest number.Bounded // of the largest log f of x_1, ..., x_T; NaN where not all levels were asked for
	Least    bool           // whether no other T of the same toy has a smaller TTS
	// Simulated is nil where all numbers are exact.
	Simulated *Simulated
}

// Reached is what is known of a level.
type Reached struct {
	Level  float64 // log f
	States float64 // how many states are at this level or above; NaN where nobody knows
	// End and Seen are the probabilities that x_T is there, and that any of x_1, ..., x_T is; Unseen is one minus that, and
	// LogUnseen its logarithm (nats), also where Unseen is below what float64 holds.
	End, Seen, Unseen, LogUnseen number.Bounded
}

// target is the failure that the time to solution leaves.
const target = 0.01

// TTS returns how many distributions independent runs take together until one has been at the level with probability 0.99: T log 0.01/log(1 - Seen),
// and T where every run has.
//
// Source: Ronnow et al. 2014.
func (r *Row) TTS() number.Bounded { return tts(float64(r.Distributions()), r.LogUnseen) }

func tts(T float64, logUnseen number.Bounded) number.Bounded {
	switch {
	case logUnseen == number.Exactly(math.Inf(-1)):
		return number.Exactly(T)
	case logUnseen == number.Exactly(0):
		return number.Exactly(math.Inf(1))
	}
	return number.Exactly(T * number.Log(target)).Over(logUnseen)
}

// alike is how far apart values of log f may be that are one level, in nats.
const alike = 1e-9

// valueLevels are the values of log f of a toy.
type valueLevels struct {
	Values []float64 // from the largest on
	Counts []float64 // the number of states at each
	of     []int     // the level of each state
}

// levelsOf returns the levels of a toy. Values that are within 1e-9 nats of the largest one of a level belong to it.
func levelsOf(toy *toys.Toy) *valueLevels {
	g := toy.MemberG()
	order := make([]int, len(g))
	for x := range order {
		order[x] = x
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(g[y], g[x]) })
	l := &valueLevels{of: make([]int, len(g))}
	for _, x := range order {
		if last := len(l.Values) - 1; last < 0 || g[x] < l.Values[last]-alike {
			l.Values, l.Counts = append(l.Values, g[x]), append(l.Counts, 0)
		}
		at := len(l.Values) - 1
		l.of[x] = at
		count := 1.0
		if toy.Members != nil {
			count = math.Round(math.Exp(toy.Members[x]))
		}
		l.Counts[at] += count
	}
	return l
}

// ranks returns the rank of each state among the best levels: so many for the best one, and zero below them all.
func (l *valueLevels) ranks(levels int) []int32 {
	out := make([]int32, len(l.of))
	for x, at := range l.of {
		out[x] = int32(max(0, levels-at))
	}
	return out
}

// mostForMean is the largest number of levels that are all looked at, so that the mean of the best is known, where fewer were asked for.
const mostForMean = 32

// logStart returns the logarithms of the distribution of x_1; nil if it is the first distribution of the path. Those of the target may be of numbers below float64.
func (o *Options) logStart(c *experiments.Case) ([]float64, error) {
	if o.Start == "" {
		return nil, nil
	}
	start, err := experiments.ParseLaw(experiments.StartForms(), o.Start, c.Ends())
	if err != nil {
		return nil, err
	}
	for x, p := range start {
		start[x] = number.Log(p)
	}
	if o.Start == "target" {
		c.Annealing().LogF(start, c.Distributions())
		z := number.LogSumExp(start)
		for x := range start {
			start[x] -= z
		}
	}
	return start, nil
}

// Of returns the rows of a case.
func Of(ctx context.Context, c *experiments.Case, o *Options, h study.How) ([]Row, error) {
	start, err := o.logStart(c)
	if err != nil {
		return nil, err
	}
	l := levelsOf(c.Toy)
	levels := len(l.Values)
	if o.Levels > 0 {
		levels = min(o.Levels, levels)
	}
	ranks := levels
	if len(l.Values) <= mostForMean {
		ranks = len(l.Values)
	}
	law, err := climb.Of(ctx, c.Annealing(), l.ranks(ranks), ranks, climb.Options{LogStart: start, Workers: h.Workers, Progress: h.Progress})
	if err != nil {
		return nil, err
	}
	end, best := l.means(law, ranks)
	var rows []Row
	states := 0.0
	for i := range levels {
		states += l.Counts[i]
		at := ranks - i - 1
		rows = append(rows, Row{Case: *c, Reached: Reached{l.Values[i], states, law.End[at], law.Seen[at], law.Unseen[at], law.LogUnseen[at]}, MeanEnd: end, MeanBest: best})
	}
	return rows, nil
}

// masses adds up a law over the states of each level.
func (l *valueLevels) masses(law []float64) []float64 {
	sums := make([]number.BlockSum, len(l.Values))
	for x, p := range law {
		sums[l.of[x]].Add(p)
	}
	out := make([]float64, len(sums))
	for i := range sums {
		out[i] = sums[i].Value()
	}
	return out
}

// means returns the means of log f at the end, and of its largest value on the way, which is known where all levels were looked at. Each is the largest
// value less the gap below each value times the probability to be below it, of which no term is negative.
func (l *valueLevels) means(law *climb.Law, ranks int) (end, best number.Bounded) {
	mean := func(below func(i int) float64) number.Bounded {
		var less number.Sum
		for i := 1; i < len(l.Values); i++ {
			if p := below(i); p > 0 {
				less.Add(p * (l.Values[i-1] - l.Values[i]))
			}
		}
		if v := less.Value(); !math.IsInf(v, 1) {
			return number.Exactly(l.Values[0]).Minus(number.Within(v, law.Lost))
		}
		return number.Exactly(math.Inf(-1))
	}
	last := l.masses(law.Last)
	left := make([]float64, len(last)+1) // the mass at a level and below
	for i := len(last) - 1; i >= 0; i-- {
		left[i] = left[i+1] + last[i]
	}
	end, best = mean(func(i int) float64 { return left[i] }), number.Exactly(math.NaN())
	if ranks == len(l.Values) {
		best = mean(func(i int) float64 { return law.Unseen[ranks-i].Value })
	}
	return end, best
}

// Options says what is asked.
type Options struct {
	Levels int    // how many of the largest values of log f; 0 is all
	Start  string // the law of x_1, as experiments.ParseLaw reads it; empty is the first distribution of the path
	Chains int    // how many are run where the states of a toy are not listed; 0 is 1000
	Seed   uint64 // of these
}

// plan finds the rows of every case, and which T of a toy has the smallest time to solution.
func plan(_ context.Context, cases []experiments.Case, o *Options) (study.Plan[Row], error) {
	if err := o.validate(cases); err != nil {
		return study.Plan[Row]{}, err
	}
	jobs, best := make([]study.Job[Row], len(cases)), map[string]*optimum{}
	for i := range cases {
		c := &cases[i]
		if c.Factored() != nil {
			jobs[i] = o.job(c, best)
			continue
		}
		jobs[i].Steps = c.Distributions() - 1
		jobs[i].Rows = func(ctx context.Context, h study.How) ([]Row, error) {
			rows, err := Of(ctx, c, o, h)
			return rows, c.Wrong(err)
		}
	}
	p := study.Jobs(jobs)
	found := p.Run
	p.Run = func(ctx context.Context, h study.How) ([]Row, error) {
		rows, err := found(ctx, h)
		if fault := settle(rows); fault != nil {
			return nil, fault
		}
		markLeast(rows)
		return rows, err
	}
	return p, nil
}

// job returns the job of a case whose states are not listed. Cases of one toy share its optimum.
func (o *Options) job(c *experiments.Case, best map[string]*optimum) study.Job[Row] {
	toy := c.Param("toy")
	if best[toy] == nil {
		best[toy] = &optimum{}
	}
	of := best[toy]
	return study.Job[Row]{Steps: experiments.Blocks(o.chains()) * (c.Distributions() - 1), Rows: func(ctx context.Context, h study.How) ([]Row, error) {
		row, err := o.simulate(ctx, c, of, h)
		if err != nil {
			return nil, c.Wrong(err)
		}
		return []Row{*row}, nil
	}}
}

// markLeast marks, for each toy and level, the row with the smallest time to solution.
func markLeast(rows []Row) {
	type question struct {
		toy   string
		level float64
	}
	least := map[question]int{}
	for i := range rows {
		q := question{rows[i].Param("toy"), rows[i].Level}
		if at, is := least[q]; !is || rows[i].TTS().Value < rows[at].TTS().Value {
			least[q] = i
		}
	}
	for _, i := range least {
		rows[i].Least = !math.IsInf(rows[i].TTS().Value, 1)
	}
}

// Study declares the study. A row is of a level of log f.
func Study() *study.Study[experiments.Case, Options, Row] {
	return study.New(Options{Levels: 1, Seed: 1}, plan, study.Declaration{
		Name: "success",
		Asks: "How likely does annealing find the best state, and how soon?",
		Help: `success takes annealing as an optimiser: forward chains x_1, ..., x_T, of which the best state on the way counts. It gives, exactly, the probability
that the last state is a best one (p_end) and that any of the T states is (p_seen), the mean of log f at the end and of the largest log f on
the way, and the time to solution: TTS = T log 0.01/log(1 - p_seen) distributions, which independent runs take together until one has seen a best
state with probability 0.99. A distribution costs a move of the kernel, which for heatbath-scan is one of each variable. Parts of a run count, so that it is below T where p_seen is above 0.99; where every run has seen one it is T. Which T of those that are asked for has the smallest one is marked.

Best states are those whose log f is within 1e-9 of the largest. --levels N also gives the law of the best value so far: a row for each of
the N largest values of log f, in which p_end and p_seen are the probabilities of that value or a larger one, and TTS is the time to it; 0 is all
of them. The mean of the best needs all values, and is empty where there are more than 32 and not all are asked for.

A target to maximise is log f: rudy:FILE:J with J below zero cuts a graph, and qubo:FILE:BETA minimises. The states between the moves of a kernel
that makes several in a stage, as heatbath-scan, do not count. Chains begin at the first distribution of the path, or at --start. --quotient auto takes classes of symmetric states together.

Where a toy that is a product of factors, as ising, potts, qubo, rudy or a network, has too many states to be listed, --chains runs are simulated, by
--kernel flip, heatbath or heatbath-scan. The probabilities then have 95% intervals of Clopper and Pearson (p_seen_low to p_seen_high), TTS that of
p_seen, and the means standard errors. The optimum is that of elimination; where its tables do not fit, the level is the best value that a chain
of any T has seen, and the note says so. Such toys have one level.`,
		Examples: `  breadboard success
  breadboard success --toy ising:4x4:0.6 -T 10,100,1000 --kernel flip
  breadboard success --toy qubo:problem.qubo:5 -T 30,300 --kernel heatbath --levels 10
  breadboard success --toy barrier -T 100 --start point:0 --columns T,p_seen,tts
  breadboard success --toy ising:20x20:0.3 -T 100,1000 --kernel heatbath-scan --chains 1000 --seed 1`,
		Counts: "stages", Workers: "number of annealings at once; where there are fewer, several share the levels of one",
		Options: []study.Option{
			{Name: "levels", Doc: "number of the largest values of log f that have a row; 0 is all", Value: study.ValueOf(func(o *Options) study.Value { return study.Whole(&o.Levels, "N", 0, experiments.MaxNumber) })},
			{Name: "start", Doc: "where chains begin, as point:0, mode or uniform, in place of the first distribution of the path", Value: study.ValueOf(func(o *Options) study.Value { return study.Text(&o.Start) })},
			{Name: "chains", Doc: "number of simulated chains where the states of a toy are too many to be listed; 0 is 1000", Value: study.ValueOf(func(o *Options) study.Value { return study.Whole(&o.Chains, "N", 0, mostChains) })},
			study.SeedOption("seed of simulated chains", func(o *Options) *uint64 { return &o.Seed }, nil),
		},
		Columns: Columns(), Factored: true,
		Unswept: "which T has the smallest time to solution is said of several T together",
	})
}

// Columns lists the columns of the study.
func Columns() columns.List {
	one := (*Row).TheCase
	return slices.Concat(experiments.ShortCase(one), columns.List{
		columns.Of("level", "log f", "a value of log f, in nats; the probabilities are those of this value or a larger one", func(r *Row) float64 { return r.Level }).In("nats"),
		columns.Of("states", "states", "the number of states with this value or a larger one; empty where chains are simulated", func(r *Row) float64 { return r.States }).OrEmpty(),
		columns.Of("p_end", "p at the end", "the probability that the last state is one of them", func(r *Row) number.Bounded { return r.End }).Answer(),
		simulated("p_end_low", "end from", "where chains are simulated, the lower end of the 95% interval of p_end", func(r *Row) float64 { return r.Simulated.PEnd.Low }),
		simulated("p_end_high", "end to", "its upper end", func(r *Row) float64 { return r.Simulated.PEnd.High }),
		columns.Of("p_seen", "p on the way", "the probability that any of x_1, ..., x_T is one of them", func(r *Row) number.Bounded { return r.Seen }).Answer(),
		simulated("p_seen_low", "way from", "where chains are simulated, the lower end of the 95% interval of p_seen", func(r *Row) float64 { return r.Simulated.PSeen.Low }),
		simulated("p_seen_high", "way to", "its upper end", func(r *Row) float64 { return r.Simulated.PSeen.High }),
		columns.Of("p_not_seen", "", "the probability that none is", func(r *Row) number.Bounded { return r.Unseen }),
		columns.Of("log_p_not_seen", "", "its logarithm (nats), also where it is below what floating point holds", func(r *Row) number.Bounded { return r.LogUnseen }),
		columns.Of("tts", "TTS", "the time to solution, in distributions: T log 0.01/log(1 - p_seen), and T where p_seen is 1", (*Row).TTS).Answer(),
		simulated("tts_low", "TTS from", "where chains are simulated, the lower end of the 95% interval of tts, which is that of p_seen; 0 where p_seen may be anything up to 1", func(r *Row) float64 { return r.TTSInterval().Low }),
		simulated("tts_high", "TTS to", "its upper end", func(r *Row) float64 { return r.TTSInterval().High }),
		columns.Of("least", "least TTS", "whether no other T of the toy has a smaller time to solution", func(r *Row) bool { return r.Least }).Answer(),
		columns.Of("mean_end", "mean end", "the mean of log f at the last state", func(r *Row) number.Bounded { return r.MeanEnd }).In("nats").DropOrder(1),
		simulated("mean_end_standard_error", "", "where chains are simulated, the standard error of mean_end", func(r *Row) float64 { return r.Simulated.ErrEnd }).In("nats"),
		columns.Of("mean_best", "mean best", "the mean of the largest log f of x_1, ..., x_T; empty where not all values were looked at", func(r *Row) number.Bounded { return r.MeanBest }).OrEmpty().In("nats").DropOrder(1),
		simulated("mean_best_standard_error", "", "where chains are simulated, the standard error of mean_best", func(r *Row) float64 { return r.Simulated.ErrBest }).In("nats"),
		columns.Any("chains", "", columns.Int, "the number of simulated chains; empty where all is exact", func(r *Row) any {
			if r.Simulated == nil {
				return nil
			}
			return r.Simulated.Chains
		}).Optional(),
	}, experiments.RestOfCase(one), columns.List{
		columns.Note(func(r *Row) string {
			if r.Simulated == nil {
				return ""
			}
			return r.Simulated.Note
		}).OrEmpty().Optional(),
	})
}

// simulated returns the column of a number that only simulated rows have.
func simulated(name, title, meaning string, of func(r *Row) float64) columns.Field {
	return columns.Of(name, title, meaning, func(r *Row) float64 {
		if r.Simulated == nil {
			return math.NaN()
		}
		return of(r)
	}).OrEmpty().Optional().DropOrder(2)
}
