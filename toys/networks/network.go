// Package networks answers: which probabilities does a file of a graphical model state? It reads
// Bayesian networks in BIF, and Bayesian and Markov networks in the format of the UAI competitions,
// clamps what has been observed, sums out what is hidden, and makes of the rest a target with its
// prior. It never draws a sample, never learns a probability from data, and never rescales a table
// without saying so.
package networks

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/particle"
	"breadboard/chains/selector"
)

// Variable is a variable with finitely many values.
type Variable struct {
	Name string
	// what its values are called, in the order of the file; there is at least one, and none stands
	// twice
	Labels []string
}

// Factor is a table over some variables, whose product with the others is the function f that a
// network stands for.
type Factor struct {
	// the numbers of its variables, each once, in the order of the table; without any it is a
	// constant
	Scope []int
	// 0 or more and finite: an entry for each configuration of the scope, the last variable of the
	// scope fastest
	Values []float64
}

// Network is a product of tables over variables.
//
// Where Bayes is true it is a Bayesian network: it has as many factors as variables, Factors[v] is
// the probability of variable v given its parents, v is last in the scope of that factor with its
// parents before it, for each configuration of the parents the entries sum to one, and the graph of
// parents and children has no cycle. Otherwise it is a Markov network, in which there are any
// factors, in the order of the file.
type Network struct {
	Variables []Variable
	Factors   []Factor
	Bayes     bool
	Of        *particle.HMM // the hidden Markov model that it is; nil for others
	Notes     []string      // what was noticed where it was read and its reader should know
	// the evidence that the file itself has, by variable, or Unseen; nil if it has none
	Given []int
	empty []emptyColumn // columns of zeros that matter, unless evidence rules their parents out
	// an order of all variables in which they may be eliminated well, as along the short side of a
	// lattice; nil if none is known
	Along []int
}

// Cards returns the number of values of each variable.
func (n *Network) Cards() []int {
	cards := make([]int, len(n.Variables))
	for v := range cards {
		cards[v] = len(n.Variables[v].Labels)
	}
	return cards
}

// Open reads a network from a text that is a selector of it, or the path of a file in one of the
// formats. It adds evidence and hidden variables, which are written as in the selector and may be
// empty. It also returns the selector, in canonical form.
func Open(text, evidence, hide string) (q *Query, selected string, err error) {
	format, arguments, err := formatNamed(text)
	if err != nil {
		return nil, "", err
	}
	for _, option := range []struct{ key, value string }{{keyEvidence, evidence}, {keyHide, hide}} {
		if option.value != "" {
			arguments += ":" + option.key + "=" + option.value
		}
	}
	q, err = format.Parse(arguments)
	if err != nil {
		return nil, "", err
	}
	return q, format.Name + ":" + q.Selector, nil
}

// formatNamed returns the format that a text for Open names, and the arguments of its selector. The
// format of a path is UAI if the file begins so, and otherwise that of the ending of the path, or
// BIF, in which comments may stand first.
func formatNamed(text string) (f Format, arguments string, err error) {
	f = Formats()[0]
	for _, known := range Formats() {
		if arguments, is := strings.CutPrefix(text, known.Name+":"); is {
			return known, arguments, nil
		}
		if slices.Contains(known.Endings, selector.Ending(text)) {
			f = known
		}
	}
	if f.read != nil {
		return f, text, nil
	}
	if err := selector.Unread(text); err != nil {
		return f, "", err
	}
	data, err := selector.ReadFile(text, maxFile)
	return formatOf(data, f), text, err
}

// Infer computes the probability of the evidence and, given the evidence, the outputs, by
// elimination. An observed variable has one value. It fails if the evidence is impossible.
func (q *Query) Infer(ctx context.Context, a Outputs) (*Inference, error) {
	found, err := q.Product(ctx, q.Clamped(), a)
	if err == nil && math.IsInf(found.LogZ, -1) {
		return nil, fmt.Errorf("%s", q.impossible())
	}
	return found, err
}

// Product is Infer of factors instead of those of the query. Their sum may be zero.
func (q *Query) Product(ctx context.Context, factors []Factor, a Outputs) (*Inference, error) {
	a.Along = q.Along
	return q.nameError(Infer(ctx, factors, q.FreeCards(), a))
}

// FreeCards returns the number of values that each variable may have, given the evidence: one where
// it is observed.
func (q *Query) FreeCards() []int {
	cards := q.Cards()
	for v, value := range q.Evidence {
		if value != Unseen {
			cards[v] = 1
		}
	}
	return cards
}

// Fits fails if the tables of an elimination for log Z and all distributions would be too large for
// DefaultMemory. It eliminates nothing.
func (q *Query) Fits() error {
	cards := q.FreeCards()
	_, err := choose(context.Background(), scopesOf(q.Clamped(), cards), cards, severalValued(cards),
		need{memory: DefaultMemory, along: q.Along, back: true, laws: true})
	return err
}

// PriorMarginals is Infer of the distribution of each variable before anything has been observed.
func (n *Network) PriorMarginals(ctx context.Context, memory float64) (*Inference, error) {
	return n.nameError(Infer(ctx, n.Factors, n.Cards(),
		Outputs{Memory: memory, Along: n.Along, Marginals: true}))
}

// nameError puts the names of the variables into the error of an elimination.
func (n *Network) nameError(found *Inference, err error) (*Inference, error) {
	if wide, is := errors.AsType[*TooWide](err); is {
		wide.name = func(v int) string { return n.Variables[v].Name }
	}
	return found, err
}

// Parents returns the parents of a variable of a Bayesian network, in ascending order.
func (n *Network) Parents(v int) []int {
	scope := n.Factors[v].Scope
	return scope[:len(scope)-1]
}

// Seen returns the variables that have been observed, in ascending order.
func (q *Query) Seen() (list []int) {
	for v, value := range q.Evidence {
		if value != Unseen {
			list = append(list, v)
		}
	}
	return list
}

// Names lists the names of variables, the first twelve of many.
func (n *Network) Names(variables []int) string {
	return listed(namesOf(n.Variables, variables))
}
