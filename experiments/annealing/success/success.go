// Package success answers: with what probability does annealing find a best state, as an optimiser?
// It gives the distributions of the last state and of the best value of a chain, and compares the
// times to solution of several T. Every number is exact if the states can be listed. Else chains
// are run, and numbers have intervals. It never prints or reads flags.
//
//	breadboard success --toy ising:3x3:0.6 -T 10,100,1000 --kernel flip
package success

import (
	"context"
	"math"
	"slices"
	"sort"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/work"
	"breadboard/exact"
	"breadboard/exact/climb"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// Row is how often annealing reaches a level of log f or a higher one.
type Row struct {
	subject.Case
	Reached
	MeanEnd  number.Bounded // of log f at x_T, in nats
	MeanBest number.Bounded // of the largest log f of x_1, ..., x_T; NaN if Options.Levels limits the levels
	Least    bool           // whether no other row of the same problem has a smaller TTS, but for rounding
	// whether chains leave Least open: no other row surely has a smaller TTS, but some may
	Open bool
	Best string // a state of the level, in the order of the variables; empty unless Options.Best
	// Simulated is nil if all numbers are exact.
	Simulated *Simulated
}

// Reached holds the probabilities of a level.
type Reached struct {
	Level  float64 // log f
	Energy float64 // the energy at this level as in the file, with its own sign; NaN if there is no file
	States float64 // how many states are at this level or above; NaN if it is not known
	// LogTarget is the log probability of these states under the target; NaN if it is not known.
	LogTarget float64
	// End and Seen are the probabilities that x_T, and that any of x_1, ..., x_T, is at this level
	// or above. Unseen is 1 - Seen, and LogUnseen its logarithm (nats), even if Unseen underflows.
	End, Seen, Unseen, LogUnseen number.Bounded
}

// AllStates returns the number of states of the problem; for classes, the number of all members.
func (r *Row) AllStates() float64 {
	if f := r.Factored(); f != nil {
		return math.Exp(f.Query.LogStates())
	}
	if r.Toy.Members != nil {
		return math.Round(math.Exp(number.LogSumExp(r.Toy.Members)))
	}
	return float64(r.Toy.Space.States())
}

// target is the failure that the time to solution leaves.
const target = 0.01

// TTS returns the total number of updates of one variable after which one of several independent
// runs has reached the level with probability 0.99: the updates of the T - 1 moves of a run, times
// the number of runs, log 0.01/log(1 - Seen) rounded up. A quotient within 1e-12 of a whole number
// counts as that number. If Seen is surely 0.99 or more it is one run.
//
// Source: Ronnow et al. 2014.
func (r *Row) TTS() number.Bounded {
	if r.Seen.Value-r.Seen.Error >= 1-target {
		return r.timeToSolution(number.Exactly(math.Inf(-1)))
	}
	return r.timeToSolution(r.LogUnseen)
}

func (r *Row) timeToSolution(logUnseen number.Bounded) number.Bounded {
	if logUnseen == number.Exactly(0) {
		return number.Exactly(math.Inf(1))
	}
	run := float64((r.Distributions() - 1) * r.Updates())
	up := func(runs float64) float64 { return run * max(1, math.Ceil(runs*(1-1e-12))) }
	runs := number.Exactly(number.Log(target)).Over(logUnseen)
	return number.Bounded{Value: up(runs.Value), Error: up(runs.Value+runs.Error) - up(runs.Value-runs.Error)}
}

// alike is how far apart values of log f may be that are one level, in nats.
const alike = exact.Alike

// valueLevels are the values of log f of a toy.
type valueLevels struct {
	Values []float64 // from the largest on
	Counts []float64 // the number of states at each
	Firsts []int     // the first state of the largest value of each
	of     []int32   // the level of each state
}

// levelsOf returns the levels of a toy. Values that are within 1e-9 nats of the largest one of a
// level belong to it.
func levelsOf(toy *toys.Toy) *valueLevels {
	g := toy.G
	l := &valueLevels{}
	if toy.Members != nil {
		g = toy.MemberG()
	}
	sorted := work.Clone(g)
	slices.Sort(sorted)
	for _, v := range slices.Backward(sorted) {
		if last := len(l.Values) - 1; last < 0 || v < l.Values[last]-alike {
			l.Values = append(l.Values, v+0) // of minus zero it is zero
		}
	}
	l.Counts = make([]float64, len(l.Values))
	l.Firsts = make([]int, len(l.Values))
	l.of = work.Slice[int32](len(g))
	for x, v := range g {
		at := sort.Search(len(l.Values)-1, func(i int) bool { return v >= l.Values[i]-alike })
		l.of[x] = int32(at)
		if l.Counts[at] == 0 || v > g[l.Firsts[at]] {
			l.Firsts[at] = x
		}
		count := 1.0
		if toy.Members != nil {
			count = math.Round(math.Exp(toy.Members[x]))
		}
		l.Counts[at] += count
	}
	return l
}

// ranks returns the rank of each state among the best levels: that many for the best one, and zero
// below them all.
func (l *valueLevels) ranks(levels int) []int32 {
	out := work.Slice[int32](len(l.of))
	for x, at := range l.of {
		out[x] = max(0, int32(levels)-at)
	}
	return out
}

// mostForMean is the largest number of levels that are all looked at, so that the mean of the best
// is known, where fewer were asked for.
const mostForMean = 32

// logStart returns the logarithms of the distribution of x_1; nil if it is the first distribution
// of the path. Those of the target may be of numbers below float64.
func (o *Options) logStart(c *subject.Case) ([]float64, error) {
	if o.Start == "" {
		return nil, nil
	}
	start, err := subject.ParseLaw(subject.StartForms(), o.Start, c.Ends())
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

// SolveCase returns the rows of a case.
func SolveCase(ctx context.Context, c *subject.Case, o *Options, h study.How) ([]Row, error) {
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
	if len(l.Values) <= mostForMean && climb.CheckSize(len(l.of), len(l.Values)) == nil {
		ranks = len(l.Values)
	}
	law, err := climb.LawOf(ctx, c.Annealing(), l.ranks(ranks), ranks,
		climb.Options{LogStart: start, Workers: h.Workers, Progress: h.Progress})
	if err != nil {
		return nil, err
	}
	end, best := l.means(law, ranks)
	target := work.Clone(c.Toy.G)
	chains.Normalize(target)
	masses := l.masses(target)
	var rows []Row
	var states float64
	var all, mass number.Sum
	for _, m := range masses {
		all.Add(m) // 1 but for rounding, which would leave the last level above 1
	}
	for i := range levels {
		states += l.Counts[i]
		mass.Add(masses[i])
		at := ranks - i - 1
		row := Row{Case: *c, Reached: Reached{l.Values[i], math.NaN(), states,
			number.Log(mass.Value() / all.Value()),
			law.End[at], law.Seen[at], law.Unseen[at], law.LogUnseen[at]}, MeanEnd: end, MeanBest: best}
		text := c.Toy.Label(l.Firsts[i])
		if e, x := c.Toy.InFile(l.Firsts[i]); e != nil {
			row.Energy, text = e.EnergyOf(x), e.WriteState(x)
		}
		if o.Best {
			row.Best = text
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// masses adds up a distribution over the states of each level.
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

// means returns the means of log f at the end, and of its largest value on the way, which is known
// where all levels were looked at. Each is the largest value less the gap below each value times
// the probability to be below it, of which no term is negative.
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

// Options are the options of the study.
type Options struct {
	Levels int // the number of largest values of log f to report; 0 is all
	// the distribution of x_1, as subject.ParseLaw reads it; empty is the first distribution of the
	// path
	Start  string
	Chains int     // the number of chains if the states of a toy are not listed; 0 is 1000
	Seed   uint64  // of these chains
	Memory float64 // the bytes that elimination may take if the states of a toy are not listed
	Best   bool    // whether to name a state of each level

	cell bool // of a sweep, other cells of which may be simulated if this one is not
}

// plan finds the rows of every case, and which T of a toy has the smallest time to solution.
func plan(_ context.Context, cases []subject.Case, o *Options) (study.Plan[Row], error) {
	if err := o.validateCases(cases); err != nil {
		return study.Plan[Row]{}, err
	}
	jobs := make([]study.Job[Row], len(cases))
	best := &subject.Optima{Memory: o.Memory}
	for i := range cases {
		c := &cases[i]
		if c.Factored() != nil {
			jobs[i] = o.job(c, best)
			continue
		}
		jobs[i].Steps = c.Distributions() - 1
		jobs[i].Rows = func(ctx context.Context, h study.How) ([]Row, error) {
			rows, err := SolveCase(ctx, c, o, h)
			return rows, c.Wrong(err)
		}
	}
	p := study.Jobs(jobs)
	found := p.Run
	p.Run = func(ctx context.Context, h study.How) ([]Row, error) {
		best.Workers = h.Workers
		best.Share = h.Share
		rows, err := found(ctx, h)
		if fault := fillSimulated(rows); fault != nil {
			return nil, fault
		}
		if o.Best {
			nameBest(rows)
		}
		markLeast(rows)
		return rows, err
	}
	return p, nil
}

// job returns the job of a case whose states are not listed.
func (o *Options) job(c *subject.Case, best *subject.Optima) study.Job[Row] {
	steps := subject.Blocks(o.chains())*(c.Distributions()-1) + best.Steps(c.Factored())
	return study.Job[Row]{Steps: steps, Rows: func(ctx context.Context, h study.How) ([]Row, error) {
		row, err := o.simulateCase(ctx, c, best, h)
		if err != nil {
			return nil, c.Wrong(err)
		}
		return []Row{*row}, nil
	}}
}

// nameBest names the best state of simulated rows.
func nameBest(rows []Row) {
	for i := range rows {
		if s := rows[i].Simulated; s != nil && s.optimum.State != nil {
			rows[i].Best = rows[i].Factored().StateText(s.optimum.State)
		}
	}
}

// Problem names the optimisation problem, which rows of one file share for all factors of the
// energy.
func (r *Row) Problem() string {
	switch e := r.InFile(); {
	case e != nil:
		return e.Problem()
	case r.Factored() != nil:
		return r.Factored().Problem()
	}
	return r.Param("toy")
}

// InFile returns the energy in a file to which log f is proportional; nil if there is none.
func (r *Row) InFile() *toys.Energy {
	if f := r.Factored(); f != nil {
		return f.Energy
	}
	e, _ := r.Toy.InFile(0)
	return e
}

// Updates returns how many updates of one variable a move of the kernel makes: all those of a
// sequence such as a sweep, and one for any other move.
func (r *Row) Updates() int {
	if f := r.Factored(); f != nil {
		return f.Updates()
	}
	return chains.MovesOf(r.Annealing().Kernel())
}

// markLeast marks, for each problem and level, the rows with the smallest time to solution. Times
// that differ by rounding tie. Those of chains whose intervals overlap are open.
func markLeast(rows []Row) {
	const rounding = 1e-9
	type question struct {
		problem       string
		energy, level float64
	}
	groups := map[question][]int{}
	for i := range rows {
		q := question{problem: rows[i].Problem(), level: rows[i].Level}
		if !math.IsNaN(rows[i].Energy) {
			// log f is in other units for each factor
			q.energy = rows[i].Energy
			q.level = 0
		}
		groups[q] = append(groups[q], i)
	}
	for _, group := range groups {
		for _, i := range group {
			// the smallest upper and lower end of the others
			surely := math.Inf(1)
			perhaps := math.Inf(1)
			for _, k := range group {
				if in := rows[k].TTSInterval(); k != i {
					surely = min(surely, in.High*(1+rounding))
					perhaps = min(perhaps, in.Low*(1+rounding))
				}
			}
			in := rows[i].TTSInterval()
			rows[i].Least = in.High <= perhaps && !math.IsInf(in.High, 1)
			rows[i].Open = !rows[i].Least && in.Low <= surely && !math.IsInf(in.Low, 1)
		}
	}
}
