package ladders

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/number"
	"breadboard/chains/tempering"
	"breadboard/exact/kernel"
	"breadboard/exact/program"
	"breadboard/experiments"
	"breadboard/experiments/conform/records"
	"breadboard/experiments/planted"
)

// The limits of a task, whose laws hold the states of all replicas together.
const (
	MaxRungs  = planted.MaxRungs
	MaxStates = planted.MaxTempered
	MaxScans  = 3
	maxLong   = 8
)

// Task is parallel tempering on one target that is to be implemented. It has every number, so that nothing else is needed to know its law.
type Task struct {
	Names   experiments.Params // the toy and where the path starts, for people
	Scheme  tempering.Scheme
	Betas   []float64   // the ladder, from 0 to 1
	LogF    [][]float64 // log f of every state at beta 0 and at beta 1, in nats; all finite
	Propose [][]float64 // the probability that Metropolis proposes y from x; symmetric
	Scans   int         // of a run in which states are recorded
	Long    int         // of a run in which round trips are counted
}

// New returns the task of the path of an annealing on a ladder. The proposals are those of its kernel, which is Metropolis: it accepts all where
// the density is constant.
func New(ctx context.Context, c experiments.Case, betas []float64, scheme tempering.Scheme, scans, long int) (*Task, error) {
	a := c.Annealing()
	t := &Task{Names: c.Parts(), Scheme: scheme, Betas: betas, Scans: scans, Long: long, LogF: [][]float64{make([]float64, a.States()), make([]float64, a.States())}}
	if a.States() > MaxStates {
		return nil, c.Wrong(fmt.Errorf("%d states; tempering is tested on 2 to %d, as on the toy random:2:0:3", a.States(), MaxStates))
	}
	a.LogF(t.LogF[0], 1)
	a.LogF(t.LogF[1], a.Distributions())
	rows, err := kernel.NewRows(ctx, a.KernelAt(a.Distributions()), make([]float64, a.States()))
	if err != nil {
		return nil, c.Wrong(err)
	}
	for x := range a.States() {
		row := make([]float64, a.States())
		for _, e := range rows.Row(x) {
			row[e.To] += e.P
		}
		t.Propose = append(t.Propose, row)
	}
	if err := t.check(); err != nil {
		return nil, c.Wrong(err)
	}
	return t, nil
}

// States returns the number of states of each replica, and Pairs that of pairs of neighbouring rungs.
func (t *Task) States() int { return len(t.Propose) }
func (t *Task) Pairs() int  { return len(t.Betas) - 1 }

// LogZRatio returns log(Z_1/Z_0), which log Zhat estimates.
func (t *Task) LogZRatio() float64 { return number.LogMean(t.LogF[1]) - number.LogMean(t.LogF[0]) }

const (
	tolerance = 1e-12 // how far rounding may leave rows off
	maxRange  = 300   // the largest difference of two log densities, in nats: with more, probabilities are rounded to zero
)

// check fails where the numbers are none of a task.
func (t *Task) check() error {
	if _, err := tempering.ParseScheme(string(t.Scheme)); err != nil {
		return err
	}
	n := t.States()
	switch rungs := len(t.Betas); {
	case rungs < 3 || rungs > MaxRungs:
		return fmt.Errorf("a ladder of %d betas; give 3 or %d, as in 0,0.3,1: with fewer there is no odd pair", rungs, MaxRungs)
	case t.Betas[0] != 0 || t.Betas[rungs-1] != 1:
		return fmt.Errorf("the ladder %v; it goes from 0 to 1", t.Betas)
	case n < 2 || n > MaxStates:
		return fmt.Errorf("%d states; tempering is tested on 2 to %d, as on the toy random:2:0:3", n, MaxStates)
	case t.Scans < 2 || t.Scans > MaxScans:
		return fmt.Errorf("runs of %d scans; give 2 or %d, of which the second offers odd pairs", t.Scans, MaxScans)
	case t.Long < t.Pairs()+1 || t.Long > maxLong:
		return fmt.Errorf("long runs of %d scans; give %d, after which the first round trip can be complete, to %d", t.Long, t.Pairs()+1, maxLong)
	case len(t.LogF) != 2 || len(t.LogF[0]) != n || len(t.LogF[1]) != n:
		return fmt.Errorf("log f is not given for %d states at either end", n)
	}
	for i := range t.Pairs() {
		if !(t.Betas[i] < t.Betas[i+1]) {
			return fmt.Errorf("the ladder %v; give betas that rise", t.Betas)
		}
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, logf := range t.LogF {
		for x, v := range logf {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				return fmt.Errorf("log f is %v at state %d; tempering is tested on targets without zeros", v, x)
			}
			low, high = min(low, v), max(high, v)
		}
	}
	if high-low > maxRange {
		return fmt.Errorf("log f has a range of %.4g nats; tempering is tested where it is at most %d", high-low, maxRange)
	}
	for x, row := range t.Propose {
		sum := 0.0
		if len(row) != n {
			return fmt.Errorf("the proposals of state %d have %d entries of %d", x, len(row), n)
		}
		for y, q := range row {
			if sum += q; !(q >= 0) || len(t.Propose[y]) <= x || q != t.Propose[y][x] {
				return fmt.Errorf("the proposal of %d from %d has the probability %v, and it must be that of %d from %d", y, x, q, x, y)
			}
		}
		if math.Abs(sum-1) > tolerance {
			return fmt.Errorf("the proposals of state %d sum to %v", x, sum)
		}
	}
	return t.checkWork()
}

// checkWork fails where the laws take too long. A scan goes from every state with every record to every state by every swap; in long runs the
// records are those of swaps alone.
func (t *Task) checkWork() error {
	states, ways := math.Pow(float64(t.States()), float64(len(t.Betas))), math.Pow(2, float64(len(t.Betas)/2))
	short, long := states*math.Pow(states*ways, float64(t.Scans)), 0.0
	for s := range t.Long {
		long += states * states * math.Pow(ways, float64(s+1))
	}
	if max(short, long) > maxWork {
		return fmt.Errorf("%d states on %d rungs for %d and %d scans have laws that take too long; give fewer of one of them", t.States(), len(t.Betas), t.Scans, t.Long)
	}
	return nil
}

// maxWork is the most moves of all replicas together that a law may take, which is some seconds.
const maxWork = 1 << 23

// program returns the algorithm of the task without a bug, with what a kind of records has.
func (t *Task) program(statistics bool) *planted.Tempering {
	scans := t.Long
	if statistics {
		scans = t.Scans
	}
	p := planted.NewTempering(t.Betas, t.LogF[0], t.LogF[1], t.Propose, scans, t.Scheme == tempering.SEO)
	p.Statistics = statistics
	return p
}

// law returns the exact law of the records of a program.
func (t *Task) law(ctx context.Context, p *planted.Tempering) ([]records.Atom, error) {
	ends, err := program.Propagate(ctx, p, program.Mass(1), program.Options{Cut: math.SmallestNonzeroFloat64, Branches: maxWork})
	if err != nil {
		return nil, err
	}
	var atoms []records.Atom
	for _, s := range ends.States() {
		if mass := float64(ends.At(s)); mass > 0 {
			r := t.record(p, p.Record(s))
			atoms = append(atoms, records.Atom{Whole: records.Key(r.Whole), Reals: r.Reals, P: mass})
		}
	}
	return atoms, nil
}
