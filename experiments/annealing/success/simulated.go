package success

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/chains/sites"
	"breadboard/experiments"
	"breadboard/experiments/study"
)

const (
	// standardChains is how many chains are run where nothing else is asked for, and mostChains the most.
	standardChains, mostChains = 1000, 10_000_000
	// drift is how far log f of a chain, which is kept up to date move by move, may be off before it is added up anew (nats). It is below half of what tells
	// levels apart, so that no rounding decides whether a chain has come to one.
	drift = 0.4 * alike
)

// Interval is where a number is with probability 0.95, at least.
type Interval struct{ Low, High float64 }

// Simulated is what chains have found where the states are too many to be listed.
type Simulated struct {
	Chains          int
	Seed            uint64
	Ends, Bests     []float64 // of each chain, log f at x_T, and the largest of x_1, ..., x_T (nats)
	PEnd, PSeen     Interval  // of Clopper and Pearson 1934
	ErrEnd, ErrBest float64   // the standard errors of the means
	Note            string
	optimum         float64 // NaN where it is not known
	wide            error   // why it is not
	lost            int
}

// validate refuses what simulations, or exact answers, have no use for.
func (o *Options) validate(cases []experiments.Case) error {
	simulated := 0
	for i := range cases {
		c := &cases[i]
		if c.Factored() == nil {
			continue
		}
		simulated++
		if initial := c.Param("initial"); o.Start != "" && o.Start != initial {
			return fmt.Errorf("%s: %w", c, chains.NewAdvice("the states are too many to be listed, and chains begin at the first distribution of the path, which is %s; leave {start} out", initial))
		}
		if o.Levels != 1 {
			return fmt.Errorf("%s: %w", c, chains.NewAdvice("the states are too many to be listed, so that no level but the best is known; give {levels} 1"))
		}
	}
	switch {
	case o.Chains == 1:
		return chains.NewAdvice("{chains} 1; a standard error needs at least 2")
	case (o.Chains > 0 || o.Seed > 1) && simulated == 0:
		return chains.NewAdvice("the states of all toys are listed, so that every number is exact, and no chains are run; leave {chains} and {seed} out")
	}
	return nil
}

// optimum is what is climbed on a toy, which several cases share, and the largest log f. It is found once.
type optimum struct {
	once      sync.Once
	goal      experiments.Goal
	value     float64
	wide, err error
}

func (o *optimum) find(ctx context.Context, f *experiments.Factored) error {
	o.once.Do(func() {
		if o.goal, o.err = f.Goal(); o.err == nil {
			o.value, o.wide, o.err = f.Best(ctx, o.goal)
		}
	})
	return o.err
}

func (o *Options) chains() int {
	if o.Chains == 0 {
		return standardChains
	}
	return o.Chains
}

// simulate returns the row of a case whose states are not listed, of which settle finds what depends on the level.
func (o *Options) simulate(ctx context.Context, c *experiments.Case, best *optimum, h study.How) (*Row, error) {
	f, n := c.Factored(), o.chains()
	if err := best.find(ctx, f); err != nil {
		return nil, err
	}
	s := &Simulated{Chains: n, Seed: o.Seed, Ends: make([]float64, n), Bests: make([]float64, n), optimum: best.value, wide: best.wide}
	key := "success " + c.Key()
	first, err := f.First(ctx, n, rand.New(simulate.NewStream(o.Seed, key+" first", 0)))
	if err != nil {
		return nil, err
	}
	lost := make([]int, experiments.Blocks(n))
	err = experiments.Parallel(ctx, len(lost), h.Workers, func(ctx context.Context, block int) error {
		crowd, from, to := f.Crowd(first, n, block, simulate.NewGenerator(simulate.ChainStream(o.Seed, key, chains.Forward, block)))
		w := newWatch(crowd, best.goal, f.Updates())
		lost[block] = w.Lost
		_, err := w.Anneal(f.Move, f.Betas, false, func(int) error { h.Add(1); w.see(); return ctx.Err() })
		w.found(s.Ends[from:to], s.Bests[from:to])
		return err
	})
	for _, k := range lost {
		s.lost += k
	}
	return &Row{Case: *c, Simulated: s}, err
}

// watch is chains with the largest log f that each has had.
type watch struct {
	*sites.Crowd
	goal   experiments.Goal
	best   []float64
	every  int // the number of stages after which log f of all chains is added up anew
	stages int
}

// newWatch returns a watch of chains, of which each stage changes log f so often. An update leaves no more than two roundings of the scale of log f.
func newWatch(c *sites.Crowd, g experiments.Goal, updates int) *watch {
	w := &watch{Crowd: c, goal: g, every: 1}
	if !g.Based {
		const rounding = 0x1p-53
		w.every = max(1, int(min(1e9, drift/(2*rounding*g.Scale*float64(updates)))))
	}
	for i := range c.LogF {
		w.best = append(w.best, w.value(i))
	}
	return w
}

// value adds up log f of a chain.
func (w *watch) value(i int) float64 {
	return w.goal.Whole.LogF(func(v int) uint8 { return w.X[v][i] })
}

// see looks at all chains after a stage. Where log f may have become larger than ever it is added up anew.
func (w *watch) see() {
	w.stages++
	all := w.stages%w.every == 0
	for i, v := range w.LogF {
		if !all && v <= w.best[i]+alike/2 {
			continue
		}
		if v = w.value(i); !w.goal.Based {
			w.LogF[i] = v
		}
		w.best[i] = max(w.best[i], v)
	}
}

// found writes log f of all chains at the end, and the largest. A chain that started at a zero of f has no lane, and counts as one that stays there.
func (w *watch) found(ends, bests []float64) {
	for i := range ends {
		if ends[i], bests[i] = math.Inf(-1), math.Inf(-1); i < len(w.best) {
			ends[i], bests[i] = w.value(i), w.best[i]
		}
	}
}

// settle finds the numbers of simulated rows. Where elimination does not say what the optimum of a toy is, the level is the best that a chain of any of its
// rows has seen.
func settle(rows []Row) error {
	top := map[string]float64{}
	for i := range rows {
		if s := rows[i].Simulated; s != nil {
			toy := rows[i].Param("toy")
			if _, is := top[toy]; !is {
				top[toy] = math.Inf(-1)
			}
			for _, v := range s.Bests {
				top[toy] = max(top[toy], v)
			}
		}
	}
	for i := range rows {
		s := rows[i].Simulated
		if s == nil {
			continue
		}
		seen := top[rows[i].Param("toy")]
		if seen > s.optimum+alike {
			return chains.NewFault(fmt.Errorf("%s: a chain has log f = %v, above the optimum %v of elimination", &rows[i].Case, seen, s.optimum))
		}
		if rows[i].Level = s.optimum; s.wide != nil {
			rows[i].Level = seen
		}
		rows[i].estimate()
	}
	return nil
}

// estimate finds the numbers of a simulated row, given its level.
func (r *Row) estimate() {
	s := r.Simulated
	n, ends, seen := float64(s.Chains), 0, 0
	for i := range s.Ends {
		if s.Ends[i] >= r.Level-alike {
			ends++
		}
		if s.Bests[i] >= r.Level-alike {
			seen++
		}
	}
	part := func(k int) number.Bounded { return number.Exactly(float64(k) / n) }
	r.States, r.End, r.Seen, r.Unseen = math.NaN(), part(ends), part(seen), part(s.Chains-seen)
	r.LogUnseen = number.Exactly(number.Log(r.Unseen.Value))
	s.PEnd, s.PSeen = clopperPearson(ends, s.lost, s.Chains), clopperPearson(seen, s.lost, s.Chains)
	r.MeanEnd, s.ErrEnd = meanOf(s.Ends)
	r.MeanBest, s.ErrBest = meanOf(s.Bests)
	s.Note = "simulated, since the states are too many to be listed; the optimum is that of elimination"
	if s.wide != nil {
		s.Note = fmt.Sprintf("simulated, since the states are too many to be listed; nobody knows whether the level %.10g is the optimum: it is the best that a chain of any T has seen, and probabilities and TTS are those of coming to it. %v", r.Level, s.wide)
	}
	if s.lost > 0 {
		s.Note += fmt.Sprintf("; %d of %d chains started where f is zero, and count as chains that stay there, so that probabilities are bounds from below; the intervals hold whatever they would do", s.lost, s.Chains)
	}
}

// meanOf returns the mean of numbers and its standard error; NaN where that of a chain is not finite.
func meanOf(v []float64) (mean number.Bounded, standardError float64) {
	m, deviation := stat.MeanStdDev(v, nil)
	return number.Exactly(m), deviation / math.Sqrt(float64(len(v)))
}

// clopperPearson returns the interval of a probability of which k in n cases have come true, and of so many others nobody knows whether they have.
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

// TTSInterval returns where the time to solution is, given the interval of Seen. Where that ends at 1 any time may do up to T, which is what 1 takes.
func (r *Row) TTSInterval() Interval {
	p, T := r.Simulated.PSeen, float64(r.Distributions())
	at := func(seen float64) float64 { return tts(T, number.Exactly(math.Log1p(0-seen))).Value }
	if p.High == 1 {
		return Interval{0, max(T, at(p.Low))}
	}
	return Interval{at(p.High), at(p.Low)}
}
