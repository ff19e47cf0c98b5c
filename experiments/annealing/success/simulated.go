package success

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/chains/sites"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid"
)

const (
	// standardChains is how many chains are run if nothing else is asked for, and mostChains the
	// most.
	standardChains, mostChains = 1000, 10_000_000
	// drift is how far log f of a chain, which is kept up to date move by move, may be off before
	// it is added up anew (nats). It is below half of what tells levels apart, so that no rounding
	// decides whether a chain has come to one.
	drift = 0.4 * alike
)

// Interval is an interval with a coverage of at least 0.95.
type Interval struct{ Low, High float64 }

// Simulated is what chains have found if there are too many states to list.
type Simulated struct {
	Chains          int
	Ends, Bests     []float64 // of each chain, log f at x_T, and the largest of x_1, ..., x_T (nats)
	PEnd, PSeen     Interval  // of Clopper and Pearson 1934
	ErrEnd, ErrBest float64   // the standard errors of the means
	Note            string
	goal            subject.Goal
	optimum         subject.Optimum
	top             []uint8 // of all states of chains the best, of each free variable its value
	lost            int
	asked           bool // whether chains were requested
}

// validateCases refuses what simulations, or exact answers, have no use for.
func (o *Options) validateCases(cases []subject.Case) error {
	simulated := 0
	for i := range cases {
		c := &cases[i]
		if c.Factored() == nil {
			continue
		}
		simulated++
		if initial := c.Param("initial"); o.Start != "" && o.Start != initial {
			return fmt.Errorf("%s: %w", c,
				errs.New("chains move on the factors, and begin at the first distribution of the path, which "+
					"is %s; leave {start} out",
					initial))
		}
		if step := c.Factored().LeastStep(); step > 0 && step < 4*alike {
			return errs.New("%s: values of log f that are %.2g nats apart are too close to be told from rounding; "+
				"take a larger factor of the energy, such as BETA",
				c, step)
		}
		if o.Levels != 1 {
			return fmt.Errorf("%s: %w", c, errs.New(
				"chains move on the factors, so that no level but the best is known; give {levels} 1",
			))
		}
	}
	switch {
	case o.Chains == 1:
		return errs.New("{chains} 1; a standard error needs at least 2")
	case o.Chains > 0 && simulated == 0 && !o.cell:
		return errs.New(
			"no toy is a product of factors whose states are not grouped, so that every number is exact, " +
				"and no chains are run; leave {chains} out",
		)
	}
	return nil
}

func (o *Options) chains() int {
	if o.Chains == 0 {
		return standardChains
	}
	return o.Chains
}

// simulateCase returns the row of a case whose states are not listed, of which settle finds what
// depends on the level.
func (o *Options) simulateCase(ctx context.Context, c *subject.Case, best *subject.Optima,
	h study.How) (*Row, error) {
	f := c.Factored()
	n := o.chains()
	s := &Simulated{
		Chains: n,
		asked:  o.Chains > 0,
		Ends:   make([]float64, n),
		Bests:  make([]float64, n),
	}
	var err error
	s.goal, err = f.Goal()
	if err == nil {
		s.optimum, err = best.OptimumOf(ctx, f, s.goal)
	}
	if err != nil {
		return nil, err
	}
	key := "success " + c.Key()
	first, err := f.FirstEnd(ctx, n, rand.New(simulate.NewStream(o.Seed, key+" first", 0)))
	if err != nil {
		return nil, err
	}
	watches := make([]*watch, subject.Blocks(n))
	err = subject.Parallel(ctx, len(watches), h.Workers, func(ctx context.Context, block int) error {
		crowd, from, to := f.Crowd(
			first,
			n,
			block,
			simulate.NewGenerator(simulate.ChainStream(o.Seed, key, chains.Forward, block)),
		)
		w := newWatch(crowd, s.goal, f.Updates())
		watches[block] = w
		_, err := w.Anneal(f.Move, f.Betas, false, func(int) error { h.Add(1); w.see(); return ctx.Err() })
		w.writeEnds(s.Ends[from:to], s.Bests[from:to])
		return err
	})
	if err != nil {
		return nil, err
	}
	top := math.Inf(-1)
	for _, w := range watches {
		s.lost += w.Lost
		if w.top > top {
			top, s.top = w.top, w.state
		}
	}
	return &Row{Case: *c, Simulated: s}, nil
}

// watch is chains with the largest log f that each has had.
type watch struct {
	*sites.Crowd
	goal   subject.Goal
	best   []float64
	top    float64 // the largest of all
	state  []uint8 // where it was; nil if no chain has been where f is positive
	every  int     // the number of stages after which log f of all chains is added up anew
	stages int
}

// newWatch returns a watch of chains, of which each stage changes log f so often. An update leaves
// no more than two roundings of the scale of log f.
func newWatch(c *sites.Crowd, g subject.Goal, updates int) *watch {
	w := &watch{Crowd: c, goal: g, every: 1, top: math.Inf(-1)}
	if !g.Based {
		const rounding = 0x1p-53
		w.every = max(1, int(min(1e9, drift/(2*rounding*g.Scale*float64(updates)))))
	}
	for i := range c.LogF {
		w.best = append(w.best, w.addLogF(i))
		w.keepBest(i)
	}
	return w
}

// addLogF adds up log f of a chain.
func (w *watch) addLogF(i int) float64 {
	return w.goal.Whole.LogF(func(v int) uint8 { return w.X[v][i] })
}

// see looks at all chains after a stage. Where log f may have become larger than ever it is added
// up anew.
func (w *watch) see() {
	w.stages++
	all := w.stages%w.every == 0
	for i, v := range w.LogF {
		if !all && v <= w.best[i]+alike/2 {
			continue
		}
		v = w.addLogF(i)
		if !w.goal.Based {
			w.LogF[i] = v
		}
		w.best[i] = max(w.best[i], v)
		w.keepBest(i)
	}
}

// keepBest keeps the state of a chain that is better than all.
func (w *watch) keepBest(i int) {
	v := w.addLogF(i)
	if v <= w.top {
		return
	}
	w.top = v
	w.state = make([]uint8, len(w.X))
	for k, x := range w.X {
		w.state[k] = x[i]
	}
}

// writeEnds writes log f of all chains at the end, and the largest. A chain that started at a zero
// of f has no lane, and counts as one that stays there.
func (w *watch) writeEnds(ends, bests []float64) {
	for i := range ends {
		ends[i], bests[i] = math.Inf(-1), math.Inf(-1)
		if i < len(w.best) {
			ends[i], bests[i] = w.addLogF(i), w.best[i]
		}
	}
}

// fillSimulated finds the numbers of simulated rows. If nothing proves what the optimum of a
// problem is, it is the best that the search or a chain of any of its rows has come to: one state
// for all rows of a problem, whatever the factor of the energy is.
func fillSimulated(rows []Row) error {
	better := map[string][]uint8{}
	for i := range rows {
		s := rows[i].Simulated
		if s == nil {
			continue
		}
		problem := rows[i].Factored().Problem()
		known := better[problem]
		if known == nil {
			known = s.optimum.State
		}
		if s.top == nil || known != nil && s.logF(s.top) <= s.logF(known)+alike {
			continue
		}
		if s.optimum.Open == nil {
			return chains.NewFault(fmt.Errorf("%s: a chain has log f = %v, above the optimum %v of %s",
				&rows[i].Case, s.logF(s.top), s.logF(known), s.optimum.How))
		}
		better[problem] = s.top
	}
	for i := range rows {
		if s := rows[i].Simulated; s != nil {
			if state := better[rows[i].Factored().Problem()]; state != nil {
				s.optimum.State = state
				s.optimum.How = "a chain of one of the rows"
			}
			rows[i].estimate()
		}
	}
	return nil
}

// logF returns log f of a state; -Inf of none.
func (s *Simulated) logF(state []uint8) float64 {
	if state == nil {
		return math.Inf(-1)
	}
	return s.goal.Whole.LogF(func(v int) uint8 { return state[v] })
}

// estimate finds the numbers of a simulated row, given its level.
func (r *Row) estimate() {
	s := r.Simulated
	f := r.Factored()
	n := float64(s.Chains)
	ends := 0
	seen := 0
	r.Level = s.logF(s.optimum.State)
	r.States = s.optimum.States
	r.LogTarget = s.optimum.LogP
	r.Energy = math.NaN()
	if f.Energy != nil {
		r.Energy = f.Energy.EnergyOf(s.optimum.State)
	}
	for i := range s.Ends {
		if s.Ends[i] >= r.Level-alike {
			ends++
		}
		if s.Bests[i] >= r.Level-alike {
			seen++
		}
	}
	part := func(k int) number.Bounded { return number.Exactly(float64(k) / n) }
	r.End, r.Seen, r.Unseen = part(ends), part(seen), part(s.Chains-seen)
	r.LogUnseen = number.Exactly(number.Log(r.Unseen.Value))
	s.PEnd, s.PSeen = clopperPearson(ends, s.lost, s.Chains), clopperPearson(seen, s.lost, s.Chains)
	r.MeanEnd, s.ErrEnd = meanOf(s.Ends)
	r.MeanBest, s.ErrBest = meanOf(s.Bests)
	s.Note = r.simulatedNote()
}

// simulatedNote says how the optimum is known.
func (r *Row) simulatedNote() string {
	s := r.Simulated
	why := "simulated, since the states are too many to be listed"
	switch {
	case r.AllStates() > grid.MaxStates:
	case s.asked:
		why = "simulated, since chains were asked for"
	default:
		why = "simulated, since exact numbers would take more memory or time than there is"
	}
	note := why + "; the optimum is that of " + s.optimum.How
	if s.optimum.Open != nil {
		note = fmt.Sprintf(
			"%s; log f = %.10g is the best found, by %s, and not proven to be the optimum: probabilities "+
				"and TTS are those of coming to it. %v",
			why,
			r.Level,
			s.optimum.How,
			s.optimum.Open,
		)
		if enough := s.optimum.Cure(); enough != "" {
			note += "; with memory " + enough + " it proves the optimum"
		}
	}
	if s.lost > 0 {
		note += fmt.Sprintf("; %d of %d chains started where f is zero, and count as chains that stay there, so that "+
			"probabilities are bounds from below; the intervals hold whatever they would do",
			s.lost, s.Chains)
	}
	return note
}

// meanOf returns the mean of numbers and its standard error; NaN if that of a chain is not finite.
func meanOf(v []float64) (mean number.Bounded, standardError float64) {
	m, deviation := stat.MeanStdDev(v, nil)
	return number.Exactly(m), deviation / math.Sqrt(float64(len(v)))
}

// clopperPearson returns the interval of a probability of which k in n cases have come true, with
// that many others unknown.
//
// Source: Clopper and Pearson 1934.
func clopperPearson(k, unknown, n int) Interval {
	const outside = 0.025 // on each side
	in := Interval{0, 1}
	if k > 0 {
		in.Low = mathext.InvRegIncBeta(float64(k), float64(n-k+1), outside)
	}
	if most := k + unknown; most < n {
		in.High = mathext.InvRegIncBeta(float64(most+1), float64(n-most), 1-outside)
	}
	return in
}

// TTSInterval returns the times to solution at both ends of the interval of Seen, which are equal
// if all numbers are exact.
func (r *Row) TTSInterval() Interval {
	if r.Simulated == nil {
		return Interval{r.TTS().Value, r.TTS().Value}
	}
	at := func(seen float64) float64 {
		return r.timeToSolution(number.Exactly(math.Log1p(0 - seen))).Value
	}
	return Interval{at(r.Simulated.PSeen.High), at(r.Simulated.PSeen.Low)}
}
