package smc

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
	"breadboard/exact/kernel"
)

// MH is the Side of a Markov chain that makes S moves under the target from the first distribution of an annealing, as
// chains/particle.MCMC does. The trace matters only by the state x_1 in which the chain began: W is p_1(x_1)/p(x_1) over
// q(x)/p(x), where x_1 is found by S moves of the time reversal from x. So W has no more values than there are states.
type MH struct {
	*Atoms
	deviation []float64
	extinct   float64
}

// maxMHStates is the largest number of states that NewMH takes, as the law of x_1 given x takes their square in memory.
const maxMHStates = 4096

// NewMH returns the side of a chain that starts from p_1 and makes S moves by the kernel of the last stage. It takes
// O(S states entries) time and O(states^2) memory.
func NewMH(ctx context.Context, a *chains.Annealing, moves int) (*MH, error) {
	n := a.States()
	if moves < 0 {
		return nil, fmt.Errorf("%d moves; a Markov chain makes none or more", moves)
	}
	if n > maxMHStates {
		return nil, fmt.Errorf("%d states; the law of the start given the output is computed for up to %d", n, maxMHStates)
	}
	p := stage.NewProblem(a, nil)
	s := stage.NewStage(p.Annealing)
	start := append([]float64(nil), s.Here.Log...)
	if err := s.Load(ctx, a.Distributions()); err != nil {
		return nil, err
	}
	m := &MH{deviation: make([]float64, n)}
	logW := make([]float64, n) // log p_1/p; chains back never come to a state where it is not known
	for x, target := range s.Here.Log {
		switch {
		case s.Here.On(x):
			logW[x] = start[x] - target
			m.deviation[x] = math.Expm1(logW[x])
		default:
			logW[x] = math.Inf(-1)
			m.extinct += math.Exp(start[x]) // a chain that starts there has the weight zero
		}
	}
	back, err := backwards(ctx, s, moves, m.deviation)
	if err != nil {
		return nil, err
	}
	m.Atoms, err = NewAtoms(m.laws(s, logW, back))
	return m, err
}

// laws returns log q/p of every output, and the law of W there.
func (m *MH) laws(s *stage.Stage, logW []float64, back [][]float64) (logRatio []float64, laws []TraceLaw) {
	n := len(logW)
	logRatio, laws = make([]float64, n), make([]TraceLaw, n)
	for x := range n {
		logRatio[x] = math.Inf(-1)
		if !s.Here.On(x) {
			continue
		}
		terms := make([]float64, n) // of E[p_1/p], by their logarithms
		for from := range n {
			terms[from] = math.Log(back[from][x]) + logW[from]
		}
		if logRatio[x] = number.LogSumExp(terms); math.Abs(m.deviation[x]) < 0.5 {
			logRatio[x] = math.Log1p(m.deviation[x])
		}
		for from := range n {
			if p := back[from][x]; p > 0 {
				laws[x].Atoms = append(laws[x].Atoms, Atom{logW[from] - logRatio[x], p})
			}
		}
	}
	return logRatio, laws
}

// Deviation returns q(x)/p(x) - 1 of every output with p(x) > 0, to full relative accuracy.
func (m *MH) Deviation() []float64 { return m.deviation }

// Extinct implements Mortal.
func (m *MH) Extinct() float64 { return m.extinct }

// backwards takes a function of the first state through S moves of the reverse chain, in place, and returns the law of the
// first state: the probability that it is y where the last one is x stands at [y][x]. Where that is near p(y), as it is after
// many moves, it comes from its deviation, on which the roundings of many moves do not add up.
func backwards(ctx context.Context, s *stage.Stage, moves int, function []float64) ([][]float64, error) {
	n := len(function)
	scratch := make([]float64, n)
	for range moves {
		s.Average(function, scratch)
	}
	law := make([][]float64, n)
	for y := range law {
		plain, deviation := make([]float64, n), make([]float64, n)
		for x := range deviation {
			deviation[x] = -1
		}
		p := s.Here.P[y]
		plain[y], deviation[y] = 1, 1/max(p, kernel.Tiny)-1
		for range moves {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			s.Average(plain, scratch)
			s.Average(deviation, scratch)
		}
		for x, d := range deviation {
			if p > kernel.Tiny && math.Abs(d) < 0.5 {
				plain[x] = p + p*d
			}
		}
		law[y] = plain
	}
	return law, nil
}
