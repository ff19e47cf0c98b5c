package networks

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"breadboard/chains/selector"
)

// ParseFG reads a factor graph of libDAI, tokens apart by any white space, without lines that begin
// with #:
//
//	the number of factors
//	for each factor its number of variables, their labels, and their numbers of values
//	the number of its entries that are not zero, and for each its place and its value
//
// The first variable of a factor is fastest. Variables are called x and their label. Errors name
// the line.
//
// Source: the file formats of libDAI, Mooij 2010.
func ParseFG(data []byte) (*Network, error) {
	text, err := selector.PlainText(data)
	if err != nil {
		return nil, err
	}
	g := newGraph(text)
	for i := range g.count("the number of factors", 1, maxTables, 4) {
		if g.factor(i); g.err != nil {
			return nil, g.err
		}
	}
	if rest := g.rest(); g.err == nil && rest.text != "" {
		g.failf(rest.line, "expected the end of the file behind the last factor, found %q; is the number of factors too small?", cut(rest.text))
	}
	if g.err != nil {
		return nil, g.err
	}
	n, place := &Network{}, map[int]int{}
	for _, label := range slices.Sorted(maps.Keys(g.cards)) {
		v := Variable{Name: "x" + strconv.Itoa(label)}
		for value := range g.cards[label] {
			v.Labels = append(v.Labels, strconv.Itoa(value))
		}
		place[label] = len(n.Variables)
		n.Variables = append(n.Variables, v)
	}
	for _, f := range g.factors {
		for k, label := range f.Scope {
			f.Scope[k] = place[label]
		}
	}
	n.Factors = g.factors
	return n, nil
}

// factorGraph reads a factor graph. The scopes have labels until all are known.
type factorGraph struct {
	numerals
	cards   map[int]int
	factors []Factor
	entries int
}

func newGraph(text []byte) *factorGraph {
	return &factorGraph{numerals: newNumerals(string(text), "the factor graph"), cards: map[int]int{}}
}

// factor reads a factor.
func (g *factorGraph) factor(i int) {
	what, size := fmt.Sprintf("of factor %d", i+1), 1.0
	scope := make([]int, g.count("the number of variables "+what, 0, maxScope, 2))
	for k := range scope {
		if scope[k] = g.whole("the label of a variable "+what, 0, 1<<30); slices.Contains(scope[:k], scope[k]) {
			g.failf(g.line, "x%d stands twice in factor %d; name each variable once", scope[k], i+1)
		}
	}
	for _, label := range scope {
		card := g.whole(fmt.Sprintf("the number of values of x%d", label), 1, maxValues)
		if known, is := g.cards[label]; is && known != card {
			g.failf(g.line, "x%d has %d values, and %d before; make the two agree", label, card, known)
		}
		g.cards[label] = card
		size *= float64(card)
	}
	if g.err == nil && size+float64(g.entries) > maxNumbers {
		g.failf(g.line, "the tables up to that of factor %d have %.4g entries; the limit is %d", i+1, size+float64(g.entries), maxNumbers)
	}
	listed := g.count("the number of entries "+what, 0, maxNumbers, 2)
	if g.err != nil {
		return
	}
	g.entries += int(size)
	values, seen := make([]float64, int(size)), make([]bool, int(size))
	for range listed {
		at := g.whole("the place of an entry "+what, 0, len(values)-1)
		found := g.next()
		v, err := parseValue(found.text)
		switch {
		case err != nil:
			g.failf(found.line, "factor %d: %v", i+1, err)
		case seen[at]:
			g.failf(found.line, "factor %d has the entry %d twice; leave one", i+1, at)
		}
		if g.err != nil {
			return
		}
		values[at], seen[at] = v, true
	}
	g.factors = append(g.factors, Factor{Scope: reversed(scope), Values: values})
}
