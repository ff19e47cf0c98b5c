package particles

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/subject"
)

// NewModel returns the task of a bootstrap filter of a hidden Markov model with its first
// observations, as many as given. It fails if New does.
func NewModel(h *particle.HMM, name string, observations int, s Setting) (*Task, error) {
	if observations < 1 || observations > len(h.Y) {
		return nil, chains.NewAdvice("{observations} %d; %s has %d", observations, name, len(h.Y))
	}
	first := *h
	first.Y = h.Y[:observations]
	t := &Task{Setting: s, HMM: &first, Names: subject.Params{{Name: "hmm", Value: name}, {Name: "observations", Value: fmt.Sprint(observations)}}}
	return t, t.check()
}

// checkModel fails if the numbers are no hidden Markov model, or if a particle can have the weight
// zero.
func (t *Task) checkModel() error {
	h := t.HMM
	if err := h.Validate(); err != nil {
		return err
	}
	if err := t.checkSizes(len(h.Pi), len(h.Y)-1); err != nil {
		return err
	}
	for _, y := range h.Y {
		least, most := math.Inf(1), 0.0
		for x, e := range h.E {
			if e[y] == 0 {
				return fmt.Errorf("the observed symbol %d has probability zero in state %d; the test needs positive weights", y, x)
			}
			least, most = min(least, e[y]), max(most, e[y])
		}
		if spread := number.LogRatio(most, least); spread > maxRange {
			return fmt.Errorf("the probabilities of symbol %d have a range of %.4g nats; the limit of the test is %d", y, spread, maxRange)
		}
	}
	return nil
}

// flowOf returns what the particles of a bootstrap filter go through.
func flowOf(h *particle.HMM) *flow {
	laws, logZ := h.Forward()
	f := &flow{first: h.Pi, last: laws[len(laws)-1], logZ: logZ}
	for t, y := range h.Y {
		f.weights = append(f.weights, make([]float64, len(h.Pi)))
		for x, e := range h.E {
			f.weights[t][x] = number.Log(e[y])
		}
		if t+1 < len(h.Y) {
			f.moves, f.back = append(f.moves, h.A), append(f.back, reversed(laws[t], h.A))
		}
	}
	return f
}

// changed returns a bug that is another flow: change gets a copy of the one of the task, of which
// it replaces tables.
func changed(change func(f *flow)) func(*planted.Particles) {
	return func(s *planted.Particles) {
		other := *s.Flow.(*flow)
		change(&other)
		s.Flow = &other
	}
}

func uniformFirst(f *flow) {
	f.first = slices.Repeat([]float64{1 / float64(len(f.first))}, len(f.first))
}

func movedFirst(f *flow) {
	first := make([]float64, len(f.first))
	for x, p := range f.first {
		for y, a := range f.moves[0][x] {
			first[y] += p * a
		}
	}
	f.first = first
}

func transposed(f *flow) {
	back := reversed(slices.Repeat([]float64{1}, len(f.first)), f.moves[0]) // its columns, each divided by its sum
	f.moves = slices.Repeat([][][]float64{back}, len(f.moves))
}

// transposable reports whether each column of the matrix of moves has a sum to be divided by.
func (t *Task) transposable() bool {
	for y := range t.HMM.A {
		if !slices.ContainsFunc(t.HMM.A, func(row []float64) bool { return row[y] > 0 }) {
			return false
		}
	}
	return true
}

func nextWeights(f *flow) {
	f.weights = append(slices.Clone(f.weights[1:]), f.weights[len(f.weights)-1])
}
