package networks

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"breadboard/chains/selector"
)

// Open reads a network from a text that is the selector of a toy of it, or the path of a file in one of the formats. To what the selector says
// it adds evidence and hidden variables, which are written as in the selector and may be empty. It also returns the selector, in canonical form.
func Open(text, evidence, hide string) (q *Query, selected string, err error) {
	format, arguments, err := formatOf(text)
	if err != nil {
		return nil, "", err
	}
	for _, option := range []struct{ key, value string }{{keyEvidence, evidence}, {keyHide, hide}} {
		if option.value != "" {
			arguments += ":" + option.key + "=" + option.value
		}
	}
	if q, err = format.Parse(arguments); err != nil {
		return nil, "", err
	}
	return q, format.Name + ":" + q.Selector, nil
}

// formatOf returns the format that a text for Open names, or that the ending of a path does, or else the first word of the file, and the
// arguments of its selector. A file that begins as none of the formats do is read as BIF, in which comments may stand first.
func formatOf(text string) (f Format, arguments string, err error) {
	for _, f := range Formats() {
		if arguments, is := strings.CutPrefix(text, f.Name+":"); is {
			return f, arguments, nil
		}
		if strings.EqualFold(filepath.Ext(text), "."+f.Name) {
			return f, text, nil
		}
	}
	data, err := selector.ReadFile(text, maxFile)
	if err != nil {
		return Format{}, "", err
	}
	if word := string(bytes.TrimSpace(data[:min(len(data), 10)])); strings.HasPrefix(word, "BAYES") || strings.HasPrefix(word, "MARKOV") {
		return uaiFormat(), text, nil
	}
	return bifFormat(), text, nil
}

// Infer computes the probability of the evidence and the marginal distribution of each variable given it, by elimination. Where a variable has
// been observed it has one value there. It fails where the evidence is impossible.
func (q *Query) Infer() (*Inference, error) {
	cards := q.Cards()
	for v, value := range q.Evidence {
		if value != Unseen {
			cards[v] = 1
		}
	}
	found, err := q.named(Infer(q.Clamped(), cards))
	if err == nil && found.Marginals == nil {
		return nil, fmt.Errorf("%s", q.impossible())
	}
	return found, err
}

// Prior is Infer before anything has been observed.
func (n *Network) Prior() (*Inference, error) { return n.named(Infer(n.Factors, n.Cards())) }

// named puts the names of the variables into the error of an elimination.
func (n *Network) named(found *Inference, err error) (*Inference, error) {
	if wide, is := err.(*TooWide); is {
		return nil, fmt.Errorf("%s", wide.explain(func(v int) string { return n.Variables[v].Name }))
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
	names := make([]string, len(variables))
	for i, v := range variables {
		names[i] = n.Variables[v].Name
	}
	return listed(names)
}
