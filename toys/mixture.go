package toys

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Component is a part of a mixture.
type Component struct {
	Weight float64 // finite and above 0; only its proportion to those of the other parts counts
	Toy    *Toy
}

// Mixture returns the mixture of targets on one space: p = sum_i w_i p_i, where p_i is the
// normalised target of part i and w_i its weight, divided by the sum of all weights. So log Z of
// the mixture is 0. It is computed from logarithms: a target of 1e-300 beside one of 1e300 keeps
// its digits. The mixture has no dominant mode and no prior.
func Mixture(parts ...Component) (*Toy, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("a mixture has one part or more")
	}
	first := parts[0].Toy
	names := make([]string, len(parts))
	weights := make([]float64, len(parts))
	for i, p := range parts {
		if whole := p.Toy.WholeSelector(); whole != "" {
			return nil, errs.New(
				"part %d, %s, is on classes of its own; mix the states, here of %s, and then make classes "+
					"of the mixture",
				i+1,
				p.Toy.Name,
				whole,
			)
		}
		if !(p.Weight > 0) || math.IsInf(p.Weight, 1) {
			return nil, errs.New("the weight of part %d, %s, is %v; give a number above 0", i+1, p.Toy.Name, p.Weight)
		}
		if p.Toy.ByLabel() != first.ByLabel() || !slices.Equal(p.Toy.Members, first.Members) ||
			!sameSpace(p.Toy.Space, first.Space) {
			return nil, errs.New(
				"part 1, %s, is on %v, and part %d, %s, on %v; the parts of a mixture are on one space, "+
					"with the same states and neighbours",
				first.Name,
				first.Space,
				i+1,
				p.Toy.Name,
				p.Toy.Space,
			)
		}
		names[i] = weightText(p.Weight) + "*" + p.Toy.Name
		weights[i] = number.Log(p.Weight)
	}
	t := &Toy{
		Name:        "mixture:" + strings.Join(names, "+"),
		Description: fmt.Sprintf("mixture of %d normalised targets", len(parts)),
		Space:       first.Space,
		Graph:       first.Graph,
		Layout:      first.Layout,
		Members:     first.Members,
	}
	t.G = mixed(weights, parts)
	t.Doubt = doubtOf(parts)
	return t, nil
}

// doubtOf returns the doubts of the parts of a mixture, each once.
func doubtOf(parts []Component) string {
	var list []string
	for _, p := range parts {
		if p.Toy.Doubt != "" && !slices.Contains(list, p.Toy.Doubt) {
			list = append(list, p.Toy.Doubt)
		}
	}
	return strings.Join(list, "; ")
}

// mixed returns log sum_i w_i p_i of each state, for the logarithms of weights up to a constant.
func mixed(weights []float64, parts []Component) []float64 {
	total := number.LogSumExp(weights)
	out := make([]float64, len(parts[0].Toy.G))
	shifts := make([]float64, len(parts))
	terms := make([]float64, len(parts))
	for i, p := range parts {
		top := slices.Max(p.Toy.G) // taken out first, so that a large constant costs no digits
		shifts[i] = top
		rest := slices.Clone(p.Toy.G)
		for x := range rest {
			rest[x] -= top
		}
		weights[i] -= total + number.LogSumExp(rest)
	}
	for x := range out {
		for i, p := range parts {
			terms[i] = p.Toy.G[x] - shifts[i] + weights[i]
		}
		out[x] = number.LogSumExp(terms)
	}
	return out
}

// sameSpace reports whether two spaces have the same states, by their labels, and the same
// neighbours, in their order.
func sameSpace(a, b grid.Graph) bool {
	if a.States() != b.States() || a.String() != b.String() || a.Directions() != b.Directions() {
		return false
	}
	for x := range a.States() {
		if a.Label(x) != b.Label(x) {
			return false
		}
		for d := range a.Directions() {
			y, inside := a.Neighbour(x, d)
			if z, too := b.Neighbour(x, d); y != z || inside != too {
				return false
			}
		}
	}
	return true
}

// weightText writes a weight without a plus in its exponent, which would begin the next part.
func weightText(w float64) string {
	return strings.Replace(strconv.FormatFloat(w, 'g', -1, 64), "e+", "e", 1)
}

func mixtureForm() toyForm {
	return toyForm{
		Syntax:  "mixture:W1*TOY+W2*TOY...",
		Doc:     "weights times normalised targets on one space; weights count in proportion",
		Example: "mixture:0.3*random:2:0:5x5+0.7*barrier:5x5", Missing: "weights and targets",
		Parse: parseMixture,
	}
}

func parseMixture(args selector.Args, forms Forms) (*Toy, error) {
	texts := splitMixture(args.Text)
	parts := make([]Component, len(texts))
	for i, text := range texts {
		weight, name, found := strings.Cut(text, "*")
		if !found || !isWeight(weight) {
			return nil, args.Errorf(
				"part %d, %q, does not begin with a weight and *; write mixture:W1*TOY+W2*TOY, as in %s",
				i+1,
				text,
				mixtureForm().Example,
			)
		}
		var err error
		parts[i].Weight, err = selector.ParseNumber(weight)
		if err != nil {
			return nil, args.Errorf("weight of part %d: %w", i+1, err)
		}
		if kind, _, _ := strings.Cut(name, ":"); kind == "mixture" {
			return nil, args.Errorf("part %d is a mixture itself; write its parts here, with its weight times theirs",
				i+1)
		}
		parts[i].Toy, err = forms.parseUnnamed(name)
		if err != nil {
			return nil, args.Errorf("part %d: %w", i+1, err)
		}
	}
	toy, err := Mixture(parts...)
	return toy, args.Wrap(err)
}

// splitMixture splits the parts of a mixture. A plus begins a new part where a weight and an
// asterisk stand behind it; any other one belongs to a number or a path, as in 1e+3 and c++/g.csv.
// A path in which a plus, a number and an asterisk follow each other cannot stand in a mixture.
func splitMixture(text string) []string {
	var parts []string
	begin := 0
	for i, c := range text {
		if c != '+' || i == 0 {
			continue
		}
		if weight, _, found := strings.Cut(text[i+1:], "*"); found && isWeight(weight) {
			parts = append(parts, text[begin:i])
			begin = i + 1
		}
	}
	return append(parts, text[begin:])
}

// isWeight reports whether a text looks like a weight: a number that begins with a digit or a
// point.
func isWeight(text string) bool {
	_, err := selector.ParseNumber(text)
	return err == nil && text[0] != '+' && text[0] != '-'
}

// namesOfMixture returns the selectors of the parts of a mixture, without those that are mixtures
// themselves, which are refused.
func namesOfMixture(text string) (names []string) {
	for _, part := range splitMixture(text) {
		if _, name, found := strings.Cut(part, "*"); found && !strings.HasPrefix(name, "mixture:") {
			names = append(names, name)
		}
	}
	return names
}
