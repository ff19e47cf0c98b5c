package simulate

import "breadboard/chains"

// Batch is the result of a number of independent chains, one entry a chain. The states are named by stage, whatever the
// direction of the chains: First is x_1 and Last is x_T.
type Batch struct {
	First, Last []int32
	LogW        []float64
}

// Run runs k independent chains of annealed importance sampling through the kernel's Move, with every
// choice made by c. Reverse chains start at an exact draw from p_T. It fails, with the stage and the state,
// where Move panics or leaves the space. Time is O(k T) moves, memory O(k).
//
// It runs the Process of the annealing, all chains one step before any takes the next, so that log f is computed
// once a stage. Watch is told of every stage, and looked at between some hundred moves of one; it may be nil.
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
		if err := watch.look(); err != nil {
			return nil, err
		}
		if err := stepAll(p, c, t, end, b.LogW, watch); err != nil {
			return nil, err
		}
		if t < p.Steps() { // the last step belongs to no stage
			watch.see(p.stageAfter(t), end)
			watch.stage()
		}
	}
	return b, nil
}

// Watch is what a simulation calls on its way. Any of its functions may be nil.
type Watch struct {
	Look  func() error // called again and again, also within a stage; an error from it ends the simulation
	Stage func()       // called once for each of the T - 1 stages, when all chains have gone through it
	// See is called by Run and Rows once for each of the T stages, in the order of the chains, with the states of all chains there. It
	// must neither change nor keep them. It changes no random number.
	See func(t int, states []int32)
}

// look calls the function Look, where there is one.
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

// see shows the states at a stage.
func (w *Watch) see(t int, states []int32) {
	if w != nil && w.See != nil {
		w.See(t, states)
	}
}

// watchMoves is the number of moves between two looks at a watch. A move may be one of 10,000 parts, so that it takes a millisecond.
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
			if err := watch.look(); err != nil {
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
