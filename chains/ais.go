package chains

import (
	"fmt"
	"math"
)

// Direction is the direction in which annealing runs.
type Direction int

const (
	Forward Direction = iota // from p_1 to p_T
	Reverse                  // from p_T to p_1
)

// String returns "forward" or "reverse".
func (d Direction) String() string {
	if d == Reverse {
		return "reverse"
	}
	return "forward"
}

// Batch is what a number of independent chains came to, one entry a chain. States are by stage, whatever the
// direction: First is x_1 and Last is x_T.
type Batch struct {
	First, Last []int32
	LogW        []float64
}

// Simulate runs k independent chains of annealed importance sampling through the kernel's Move, with every
// choice made by c. Reverse chains start at an exact draw from p_T. It fails, with the stage and the state,
// where Move panics or leaves the space. Time is O(k T) moves, memory O(k).
//
// Watch is told of every stage, and looked at between some hundred moves of one; it may be nil.
//
// Source: Neal 2001; Grosse, Ancha and Roy 2016, sections 2.1 and 2.3.
func Simulate(a *Annealing, d Direction, c Chooser, k int, watch *Watch) (*Batch, error) {
	s := newSweep(a, d, watch)
	b := &Batch{First: make([]int32, k), Last: make([]int32, k), LogW: make([]float64, k)}
	start, end := b.First, b.Last
	if d == Reverse {
		start, end = end, start
	}
	for i := range start {
		start[i] = int32(c.Choose(s.start))
	}
	copy(end, start)
	for s.next() {
		if err := moveAll(s, c, end, b.LogW); err != nil {
			return nil, err
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	s.finish(end, b.LogW)
	return b, nil
}

// Watch is what a simulation calls on its way. Either of its functions may be nil.
type Watch struct {
	Look  func() error // called again and again, also within a stage; an error from it ends the simulation
	Stage func()       // called once for each of the T - 1 stages, when all chains have gone through it
}

// look calls the function of that name, where there is one.
func (w *Watch) look() error {
	if w == nil || w.Look == nil {
		return nil
	}
	return w.Look()
}

// stage says that a stage is done.
func (w *Watch) stage() {
	if w != nil && w.Stage != nil {
		w.Stage()
	}
}

// watchMoves is the number of moves between two looks at a watch. A move may be one of 10,000 parts, so that it takes a
// millisecond.
const watchMoves = 128

// moveAll takes every chain through one stage.
func moveAll(s *sweep, c Chooser, states []int32, logw []float64) (err error) {
	x := int32(-1)
	defer func() {
		if r := recover(); r != nil {
			err = s.errorAt(x, MovePanic(r))
		}
	}()
	for i := range states {
		if i%watchMoves == watchMoves-1 {
			if err := s.watch.look(); err != nil {
				return err
			}
		}
		x = states[i]
		logw[i] += s.increment[x]
		y := s.kernel.Move(c, s.logf, int(x))
		if y < 0 || y >= len(s.logf) {
			return s.errorAt(x, fmt.Errorf("Move went to state %d, outside 0..%d", y, len(s.logf)-1))
		}
		states[i] = int32(y)
	}
	return nil
}

// sweep walks through the stages of an annealing in one direction. At each it has the kernel to apply, and the
// increment of the log weight by the state before the move. In reverse the increment of stage t belongs to
// x_{t-1}, the state after the move; it is added before the next move, and the last one by finish.
type sweep struct {
	a         *Annealing // without the constants in log f, beside which digits would be lost
	offset    float64    // what that takes from every log weight
	direction Direction
	kernel    Kernel
	start     []float64 // the law of the first state, one probability for each state
	t         int       // stage of the kernel
	logf      []float64
	increment []float64
	pending   []float64    // reverse: of stage t
	rows      PreparedRows // of the kernel, where it is prepared
	watch     *Watch
	err       error // from the watch, or why there is no kernel
}

func newSweep(a *Annealing, d Direction, watch *Watch) *sweep {
	n := a.States()
	a, offset := a.Centred()
	s := &sweep{
		a: a, offset: offset, direction: d, kernel: a.Kernel(), t: 1, watch: watch,
		logf: make([]float64, n), increment: make([]float64, n), pending: make([]float64, n),
	}
	if d == Reverse {
		s.t = a.Distributions() + 1
	}
	s.start = make([]float64, n)
	if d == Forward {
		a.LogF(s.start, 1)
	} else {
		a.LogF(s.start, a.Distributions())
	}
	normalize(s.start)
	return s
}

// normalize turns log f into probabilities.
func normalize(logf []float64) {
	top := math.Inf(-1)
	for _, v := range logf {
		top = max(top, v)
	}
	total := 0.0
	for x, v := range logf {
		logf[x] = math.Exp(v - top)
		total += logf[x]
	}
	for x := range logf {
		logf[x] /= total
	}
}

// next moves to the next stage, and returns false when there is none or the watch has failed.
func (s *sweep) next() bool {
	if started := s.t != 1 && s.t != s.a.Distributions()+1; started {
		s.watch.stage()
	}
	if s.err = s.watch.look(); s.err != nil {
		return false
	}
	if s.direction == Forward {
		if s.t == s.a.Distributions() {
			return false
		}
		s.t++
		s.weigh(s.increment)
	} else {
		s.increment, s.pending = s.pending, s.increment
		if s.t == 2 {
			return false
		}
		s.t--
		s.weigh(s.pending)
	}
	s.a.LogF(s.logf, s.t)
	if s.kernel = s.a.KernelAt(s.t); s.direction == Reverse {
		reversal, err := s.a.ReversalAt(s.t)
		if err != nil {
			s.err = fmt.Errorf("stage t = %d of %d: kernel %v: %w", s.t, s.a.Distributions(), s.kernel, err)
			return false
		}
		s.kernel = reversal
	}
	return true
}

// weigh writes log f_t - log f_{t-1} of each state.
func (s *sweep) weigh(dst []float64) {
	s.a.LogRatio(dst, s.t)
	if s.a.path.Zeros() {
		s.weighZeros(dst)
	}
}

// weighZeros corrects the increments of states where f_{t-1} or f_t is zero: they are infinite where the chain
// can be and the other end of the step is zero, and of no effect where the chain cannot be or has lost its
// weight before.
func (s *sweep) weighZeros(dst []float64) {
	before, after := make([]float64, len(dst)), make([]float64, len(dst))
	s.a.LogF(before, s.t-1)
	s.a.LogF(after, s.t)
	for x := range dst {
		was, is := !math.IsInf(before[x], -1), !math.IsInf(after[x], -1)
		switch {
		case was && is:
		case was && s.direction == Forward:
			dst[x] = math.Inf(-1)
		case is && s.direction == Reverse:
			dst[x] = math.Inf(1)
		default:
			dst[x] = 0
		}
	}
}

// finish adds what is left of the log weights when the last state is known.
func (s *sweep) finish(states []int32, logw []float64) {
	for i, x := range states {
		if s.direction == Reverse {
			logw[i] += s.increment[x]
		}
		logw[i] += s.offset
	}
}

func (s *sweep) errorAt(x int32, err error) error {
	return Fault{fmt.Errorf("stage t = %d of %d, %s, state %d: kernel %v: %w", s.t, s.a.Distributions(), s.direction, x, s.kernel, err)}
}
