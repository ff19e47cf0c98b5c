package networks

import (
	"slices"
	"strconv"

	"breadboard/chains/particle"
	"breadboard/toys/models"
)

func hmmFormat() Format {
	return Format{
		Name:     "hmm",
		Title:    "a hidden Markov model",
		Options:  "[:evidence=x1=STATE+...][:hide=x1+...|:keep=x1+...]",
		Doc:      "the hidden paths of a hidden Markov model from TOML or JSON, or weather or wear",
		Example:  "hmm:chain.json",
		Source:   "Rabiner 1989, section II",
		keys:     []string{keyEvidence, keyHide, keyKeep},
		evidence: (*Query).observations,
		Endings:  []string{".toml", ".json"},
		builtIn:  models.BuiltInHMMs(),
		read: func(path string) (*Network, error) {
			h, err := models.NamedHMM(path)
			if err != nil {
				return nil, err
			}
			return OfHMM(h), nil
		},
		selected: byName,
	}
}

// OfHMM returns a hidden Markov model as a Bayesian network of x1, x2, ..., xT, of which y1, y2,
// ..., yT have been observed. Each y follows its x, so that eliminating in the order of the
// variables keeps every table as large as A or E.
func OfHMM(h *particle.HMM) *Network {
	n := &Network{Bayes: true, Of: h}
	states := orNumbers(h.States, len(h.Pi))
	symbols := orNumbers(h.Symbols, len(h.E[0]))
	for t, y := range h.Y {
		x := len(n.Variables)
		time := strconv.Itoa(t + 1)
		n.Variables = append(n.Variables, Variable{"x" + time, states}, Variable{"y" + time, symbols})
		move := Factor{[]int{x}, h.Pi}
		if t > 0 {
			move = Factor{[]int{x - 2, x}, slices.Concat(h.A...)}
		}
		n.Factors = append(n.Factors, move, Factor{[]int{x, x + 1}, slices.Concat(h.E...)})
		n.Given = append(n.Given, Unseen, y)
		n.Along = append(n.Along, x, x+1)
	}
	return n
}

// orNumbers returns names, and numbers from 0 if there are none.
func orNumbers(names []string, n int) []string {
	if names != nil {
		return names
	}
	for i := range n {
		names = append(names, strconv.Itoa(i))
	}
	return names
}

// Hidden is the model of a hidden Markov model of which only its symbols are observed and nothing
// is summed out: its data come one after another.
type Hidden struct {
	*Generative
	h *particle.HMM
}

var _ models.Sequential = (*Hidden)(nil)

// WholeHMM returns the hidden Markov model if the query is one with all hidden states free, and
// otherwise nil.
func (q *Query) WholeHMM() *particle.HMM {
	if q.Of == nil || len(q.Free()) < len(q.Of.Y) {
		return nil
	}
	return q.Of
}

// Chain returns the model of a target that is a whole hidden Markov model, and false if it is none.
func (q *Query) Chain(t *Target) (*Hidden, bool) {
	if q.WholeHMM() == nil {
		return nil, false
	}
	g, is := q.Generative(t)
	return &Hidden{g, q.Of}, is
}

// HMM returns the model as particle filters take it.
func (m *Hidden) HMM() *particle.HMM { return m.h }

// Data implements models.Sequential.
func (m *Hidden) Data() int { return len(m.h.Y) }

// First implements models.Sequential. It repeats no check that the whole model has passed.
func (m *Hidden) First(t int) models.Sequential {
	first := *m.h
	first.Y = first.Y[:t]
	n := OfHMM(&first)
	q := &Query{Network: n, Evidence: n.Given, Hidden: make([]bool, len(n.Variables))}
	target, err := q.EnumerateTarget()
	if err != nil {
		panic(err)
	}
	chain, _ := q.Chain(target)
	return chain
}
