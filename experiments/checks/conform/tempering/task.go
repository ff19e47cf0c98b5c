// Package tempering answers: is an external program for parallel tempering right, and if not, which
// known mistake is it? A task says what to implement on a small target: a ladder, Metropolis,
// swaps, an estimate of log Z and round trips. Records of runs are tested against their exact
// distributions, which are propagated scan by scan, and against those of all known mistakes
// (package records).
//
// It never runs a program, and never samples.
package tempering

import (
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/chains/number"
	"breadboard/chains/tempering"
	"breadboard/exact/kernel"
	"breadboard/exact/program"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/subject"
)

// The limits of a task, whose distributions hold the states of all replicas together.
const (
	maxRungs  = planted.MaxRungs
	maxStates = planted.MaxTempered
	maxScans  = 3
	maxLong   = 8
)

// Task is parallel tempering on one target, to be implemented. It has every number on which its
// distribution depends.
type Task struct {
	Names   subject.Params // the toy and where the path starts, for people
	Scheme  tempering.Scheme
	Betas   []float64   // the ladder, from 0 to 1
	LogF    [][]float64 // log f of every state at beta 0 and at beta 1, in nats; all finite
	Propose [][]float64 // the probability that Metropolis proposes y from x; symmetric
	Scans   int         // of a run in which states are recorded
	Long    int         // of a run in which round trips are counted
}

// New returns the task of the path of an annealing on a ladder. The proposals are those of its
// kernel, which must be Metropolis: they are its moves under a constant density.
func New(ctx context.Context, c subject.Case, betas []float64, scheme tempering.Scheme, scans, long int) (*Task, error) {
	a := c.Annealing()
	t := &Task{Names: c.Parts(), Scheme: scheme, Betas: betas, Scans: scans, Long: long,
		LogF: [][]float64{make([]float64, a.States()), make([]float64, a.States())}}
	if a.States() > maxStates {
		return nil, c.Wrong(fmt.Errorf("%d states; tempering is tested on 2 to %d, as on the toy random:2:0:3", a.States(), maxStates))
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

// States returns the number of states of each replica, and Pairs the number of pairs of
// neighbouring rungs.
func (t *Task) States() int { return len(t.Propose) }
func (t *Task) pairs() int  { return len(t.Betas) - 1 }

// LogZRatio returns log(Z_1/Z_0), which log Zhat estimates.
func (t *Task) LogZRatio() float64 { return number.LogMean(t.LogF[1]) - number.LogMean(t.LogF[0]) }

const (
	tolerance = 1e-12 // how far rounding may leave rows off
	maxRange  = 300   // the largest difference of two log densities, in nats: with more, probabilities are rounded to zero
)

// check fails if the numbers are none of a task.
func (t *Task) check() error {
	if _, err := tempering.ParseScheme(string(t.Scheme)); err != nil {
		return err
	}
	n := t.States()
	switch rungs := len(t.Betas); {
	case rungs < 3 || rungs > maxRungs:
		return fmt.Errorf("a ladder of %d betas; give 3 or %d, as in 0,0.3,1: an odd pair needs 3", rungs, maxRungs)
	case t.Betas[0] != 0 || t.Betas[rungs-1] != 1:
		return fmt.Errorf("the ladder %v; it must go from 0 to 1", t.Betas)
	case n < 2 || n > maxStates:
		return fmt.Errorf("%d states; tempering is tested on 2 to %d, as on the toy random:2:0:3", n, maxStates)
	case t.Scans < 2 || t.Scans > maxScans:
		return fmt.Errorf("runs of %d scans; give 2 or %d: the second scan offers odd pairs", t.Scans, maxScans)
	case t.Long < t.pairs()+1 || t.Long > maxLong:
		return fmt.Errorf("long runs of %d scans; give %d, the least for a round trip, to %d", t.Long, t.pairs()+1, maxLong)
	case len(t.LogF) != 2 || len(t.LogF[0]) != n || len(t.LogF[1]) != n:
		return fmt.Errorf("log f is not given for %d states at either end", n)
	}
	for i := range t.pairs() {
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
		return fmt.Errorf("log f has a range of %.4g nats; the limit of the test is %d", high-low, maxRange)
	}
	for x, row := range t.Propose {
		sum := 0.0
		if len(row) != n {
			return fmt.Errorf("the proposals of state %d have %d entries of %d", x, len(row), n)
		}
		for y, q := range row {
			if sum += q; !(q >= 0) || len(t.Propose[y]) <= x || q != t.Propose[y][x] {
				return fmt.Errorf("the proposal of %d from %d has probability %v, which must equal that of %d from %d", y, x, q, x, y)
			}
		}
		if math.Abs(sum-1) > tolerance {
			return fmt.Errorf("the proposals of state %d sum to %v", x, sum)
		}
	}
	return t.checkWork()
}

// checkWork fails if the distributions take too long. A scan goes from every state with every
// record to every state by every swap; in long runs the records are those of swaps alone.
func (t *Task) checkWork() error {
	states, ways := math.Pow(float64(t.States()), float64(len(t.Betas))), math.Pow(2, float64(len(t.Betas)/2))
	short, long := states*math.Pow(states*ways, float64(t.Scans)), 0.0
	for s := range t.Long {
		long += states * states * math.Pow(ways, float64(s+1))
	}
	if max(short, long) > maxWork {
		return fmt.Errorf("%d states on %d rungs for %d and %d scans have laws that take too long; give fewer of one of them", t.States(), len(t.Betas),
			t.Scans, t.Long)
	}
	return nil
}

// maxWork is the most moves of all replicas together that a distribution may take, which is some
// seconds.
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

// law returns the exact distribution of the records of a program.
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

// document is what task.json holds.
type document struct {
	records.Head

	Target []records.Named `json:"target"` // for people; what counts are the numbers

	Scheme    string      `json:"scheme"`
	Betas     []float64   `json:"betas"`
	States    int         `json:"states"`
	Scans     int         `json:"scans"`
	LongScans int         `json:"long_scans"`
	LogZRatio float64     `json:"log_z_ratio"`
	Runs      []string    `json:"columns_of_runs"`
	Trips     []string    `json:"columns_of_trips"`
	Says      []string    `json:"conventions"`
	LogF      [][]float64 `json:"logf"`
	Propose   [][]float64 `json:"proposals"`
}

// Document returns the content of task.json.
func (t *Task) Document() any {
	kinds := t.Kinds()
	return &document{
		Head: records.HeadOf(name), Target: t.target(), Scheme: string(t.Scheme), Betas: t.Betas, States: t.States(), Scans: t.Scans, LongScans: t.Long,
		LogZRatio: t.LogZRatio(),
		Runs:      kinds[0].Columns(), Trips: kinds[1].Columns(), Says: t.conventions(), LogF: t.LogF, Propose: t.Propose,
	}
}

// target names the target, for people.
func (t *Task) target() (list []records.Named) {
	for _, p := range t.Names {
		if p.Name == "toy" || p.Name == "initial" {
			list = append(list, records.Named(p))
		}
	}
	return list
}

// taskOf returns the task of a document.
func taskOf(d *document) (records.Task, error) {
	t := &Task{Names: records.ParamsOf(d.Target), Scheme: tempering.Scheme(d.Scheme), Betas: d.Betas, LogF: d.LogF, Propose: d.Propose, Scans: d.Scans,
		Long: d.LongScans}
	return t, t.check()
}

// Page returns the text about the task for the README.
func (t *Task) Page() records.Page {
	p := records.Page{
		Title: fmt.Sprintf("parallel tempering on %d rungs", len(t.Betas)),
		Setting: fmt.Sprintf("There are %d states and %d replicas at the betas %s. The target is:", t.States(), len(t.Betas),
			strings.Trim(fmt.Sprint(t.Betas), "[]")),
		Names: t.target(), Conventions: t.conventions(),
		Numbers: fmt.Sprintf(
			"`logf[0][x]`, which is log f_0(x), and `logf[1][x]`, which is log f_1(x), `betas`, and `proposals[x][y]`, the probability that Metropolis proposes y from x; y may be x. log Z_1/Z_0 is %v.",
			t.LogZRatio()),
		Rows:   []string{fmt.Sprintf("runs of %d scans", t.Scans), fmt.Sprintf("runs of %d scans", t.Long)},
		Looks:  "A test of the last states alone finds the mistakes that break invariance. The others do not change the distribution at any rung, and show only in the swaps, the estimates and the round trips.",
		Unseen: "A mistake that has the same distribution as the task cannot be found. `needs.txt` says which ones these are, and how many runs find each of the others.",
	}
	for _, w := range ways() {
		p.Ways = append(p.Ways, fmt.Sprintf("%s (breaks %s): %s", w.Name, w.Breaks, w.Meaning))
	}
	return p
}

// conventions are whole sentences that say what to implement, which the README has too.
func (t *Task) conventions() []string {
	offers := "Scans 1, 3, ... offer a swap to the even pairs, which are pairs 0, 2, ..., and scans 2, 4, ... to the odd pairs, which are pairs 1, 3, ..."
	if t.Scheme == tempering.SEO {
		offers = "In each scan a fair coin says whether a swap is offered to the even pairs, which are pairs 0, 2, ..., or to the odd pairs, which are pairs 1, 3, ..."
	}
	return []string{
		"States, rungs and pairs are numbered from 0, and scans from 1. Rung i has the density f at b_i, with log f = (1 - b_i) log f_0 + b_i log f_1. Pair i has the rungs i and i+1. Logarithms are natural.",
		"A run begins with a replica at each rung, whose state is an exact draw of the density there, independently of the others.",
		"A scan explores and then swaps. Exploring, the replica at every rung makes one move of Metropolis: from x it proposes y with the probability given, and accepts with probability min(1, f(y)/f(x)), by f at its rung.",
		offers +
			" Each of them is accepted, independently, with probability a = min(1, exp((b_(i+1) - b_i) (g(x) - g(y)))), where x is at rung i, y at rung i+1, both after exploring, and g = log f_1 - log f_0. An accepted swap exchanges the states.",
		"The records of a scan are made after its swaps.",
		"log Zhat is the sum, over the pairs i, of the log of the mean of exp((b_(i+1) - b_i) g(x)), over the states x at rung i after each scan of the run.",
		"For round trips replicas have a label, which travels with their state. At the beginning it is down for the replica at the top rung and up for all others. A replica that comes to the top rung is down. When a replica that is down comes to rung 0 it is up again, and has completed a round trip. Trips of all replicas count.",
		"Runs are independent, and each row of a file is one run."}
}
