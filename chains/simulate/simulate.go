// Package simulate draws chains of annealed importance sampling. Run draws the chains.Process of an
// annealing, chain by chain. Rows is faster and has the same distribution: it draws all chains of a
// stage from one table. Walk runs chains with a fixed kernel. All randomness comes from the given
// source.
//
// Chains run at 1.1e9 steps a second and core through Rows (7x7, T = 1000, 25,000 chains a block),
// and at 1.2 to 3.5e7 through Move, on a busy AMD EPYC (Zen 5). Random numbers derive from a seed
// and from everything that distinguishes two annealings, in canonical form (.5 is 0.5, and a file
// is represented by its numbers, not by its name), so that the same seed gives the same numbers for
// any number of workers.
package simulate

import (
	"breadboard/chains"
	"breadboard/chains/errs"
)

// Batch is the result of a number of independent chains, one entry a chain. The states are named by
// stage, for both directions: First is x_1 and Last is x_T.
type Batch struct {
	First, Last []int32
	LogW        []float64
}

// Run runs k independent chains of annealed importance sampling through the kernel's Move, with
// every choice made by c. Reverse chains start at an exact draw from p_T. It fails, with the stage
// and the state, if Move panics or leaves the space. Time is O(k T) moves, memory O(k).
//
// It runs the Process of the annealing, all chains one step before any takes the next, so that log
// f is computed once a stage. Watch counts the stages and can stop the run every hundred moves or
// so; it may be nil.
//
// Source: Neal 2001; Grosse, Ancha and Roy 2016, sections 2.1 and 2.3.
func Run(a *chains.Annealing, d chains.Direction, c chains.Chooser, k int, watch *Watch) (*Batch, error) {
	p, err := NewAIS(a, d)
	if err != nil {
		return nil, err
	}
	b := &Batch{First: make([]int32, k), Last: make([]int32, k), LogW: make([]float64, k)}
	start, end := b.First, b.Last
	if d == chains.Reverse {
		start, end = end, start
	}
	for i := range start {
		start[i] = int32(p.Start(c))
	}
	watch.see(p.stageAfter(0), start)
	copy(end, start)
	for t := 1; t <= p.Steps(); t++ {
		if err := watch.callLook(); err != nil {
			return nil, err
		}
		if err := stepAll(p, c, t, end, b.LogW, watch); err != nil {
			return nil, err
		}
		if t < p.Steps() { // the last step belongs to no stage
			watch.see(p.stageAfter(t), end)
			watch.countStage()
		}
	}
	return b, nil
}

// Watch has functions that a simulation calls while it runs. Any of them may be nil.
type Watch struct {
	Look  func() error // called repeatedly, also within a stage; an error from it ends the simulation
	Stage func()       // called once for each of the T - 1 stages, when all chains have gone through it
	// See is called by Run and Rows once for each of the T stages, in the order of the chains, with
	// the states of all chains there. It must neither change nor keep them. It does not affect the
	// random numbers.
	See func(t int, states []int32)
}

// callLook calls the function Look, if there is one.
func (w *Watch) callLook() error {
	if w == nil || w.Look == nil {
		return nil
	}
	return w.Look()
}

// countStage says that a stage is done.
func (w *Watch) countStage() {
	if w != nil && w.Stage != nil {
		w.Stage()
	}
}

// see shows the states at a stage.
func (w *Watch) see(t int, states []int32) {
	if w != nil && w.See != nil {
		w.See(t, states)
	}
}

// watchMoves is the number of moves between two calls of a watch. A move may be one of 10,000
// parts, so that it takes a millisecond.
const watchMoves = 128

// stepAll takes every chain through one step.
func stepAll(p *AIS, c chains.Chooser, t int, states []int32, logw []float64, watch *Watch) (err error) {
	x := int32(-1)
	defer func() {
		if r := recover(); r != nil {
			err = p.errorAt(x, chains.MovePanic(r))
		}
	}()
	for i := range states {
		if i%watchMoves == watchMoves-1 {
			if err := watch.callLook(); err != nil {
				return err
			}
		}
		x = states[i]
		y, increment := p.Step(c, t, int(x))
		states[i] = int32(y)
		logw[i] += increment
	}
	return nil
}

// sweep holds the data that all chains share at a stage of an annealing, for the simulations by
// rows and by counts, which do not take single steps of a Process. They add the increment of a log
// weight by the state before a move. In reverse the increment of stage t belongs to x_{t-1}, the
// state after the move of that stage: it is added before the next move, and that of the last stage
// by the caller.
type sweep struct {
	*AIS
	increment []float64           // what to add to a log weight, by the state before the move
	rows      chains.PreparedRows // the rows of the kernel, after prepareRows
	watch     *Watch
	err       error // the error of the watch, which has ended the simulation
}

// newSweep returns the sweep in a direction. It fails as NewAIS does, and for a kernel without rows
// in closed form.
func newSweep(a *chains.Annealing, d chains.Direction, watch *Watch) (*sweep, error) {
	if err := TablesError(a, d); err != nil {
		return nil, err
	}
	p, err := NewAIS(a, d)
	if err != nil {
		return nil, err
	}
	return &sweep{AIS: p, increment: make([]float64, a.States()), watch: watch}, nil
}

// atEnd reports whether there is no further stage.
func (s *sweep) atEnd() bool { return s.step == s.a.Distributions()-1 }

// nextStage moves to the next stage, and returns false when there is none or the watch has failed.
func (s *sweep) nextStage() bool {
	s.err = s.watch.callLook()
	if s.err != nil {
		return false
	}
	if s.direction == chains.Reverse {
		s.increment, s.delta = s.delta, s.increment
	}
	if s.atEnd() {
		return false
	}
	s.loadStep(s.step + 1)
	if s.direction == chains.Forward {
		s.increment = s.delta
	}
	return true
}

// addLastIncrement completes the log weights: it adds the last increment in reverse, which depends
// on the last states, and the constant that centring takes out of every log weight.
func (s *sweep) addLastIncrement(states []int32, logw []float64) {
	for i, x := range states {
		if s.direction == chains.Reverse {
			logw[i] += s.increment[x]
		}
		logw[i] += s.offset
	}
}

const (
	// maxTables is the most memory, in bytes, that the alias tables of a stage may take.
	maxTables = 2e9
	// tableBytes is the memory of an entry of a row, and of its place in the table.
	tableBytes = 16 + cellBytes
)

// TablesError returns nil if chains can move by alias tables in a direction. It fails if the kernel
// has no rows in closed form, and if the tables of a stage would take more than 2 GB. For the
// estimate it makes three rows, and assumes that no row is longer than the longest of them.
func TablesError(a *chains.Annealing, d chains.Direction) error {
	if err := a.RowsError(d); err != nil {
		return err
	}
	n := float64(a.States())
	if n*n*tableBytes <= maxTables {
		return nil
	}
	k := a.KernelAt(a.Distributions())
	if d == chains.Reverse {
		k, _ = a.ReversalAt(a.Distributions()) // RowsError has asked for it
	}
	logf := make([]float64, a.States())
	a.LogF(logf, a.Distributions())
	_, longest := chains.SampledEntries(k.(chains.Rower), logf)
	if bytes := n * longest * tableBytes; bytes > maxTables {
		return errs.New("the tables of kernel %s on %d states would take %s, and the limit is %.2g GB; let "+
			"chains move one by one, or take a smaller space or a kernel with shorter rows",
			chains.NameOf(k), a.States(), errs.Memory(bytes), maxTables/1e9)
	}
	return nil
}

// HasTables reports whether chains can move by alias tables in both directions.
func HasTables(a *chains.Annealing) bool {
	return TablesError(a, chains.Forward) == nil && TablesError(a, chains.Reverse) == nil
}
