package toys

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/grid"
	"breadboard/grid/quotients"
)

// onClasses returns the toy on a quotient whose states have the given g in each class. Its G is
// that of whole classes: g plus the logarithm of the number of members.
func onClasses(name, description string, q quotients.Quotient, g func(class int) float64) (*Toy, error) {
	t := &Toy{
		Name:        name,
		Description: description,
		Space:       q,
		Members:     q.LogMembers(),
		Graph:       true,
		G:           make([]float64, q.States()),
		memberG:     make([]float64, q.States()),
	}
	for x := range t.G {
		v := g(x)
		if math.IsNaN(v) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("toy %s: g overflows at %s", name, q.Label(x))
		}
		t.memberG[x], t.G[x] = v, v+t.Members[x]
	}
	return t, nil
}

// MemberG returns g of one member of each class of a quotient, and g of each state if the toy is on
// no quotient. Classes with the same g have equal numbers to the last bit, as their states do,
// except in a mixture. The caller may change the list.
func (t *Toy) MemberG() []float64 {
	if t.Members == nil {
		return slices.Clone(t.G)
	}
	if t.memberG != nil {
		return slices.Clone(t.memberG)
	}
	g := slices.Clone(t.G)
	for x := range g {
		g[x] -= t.Members[x]
	}
	return g
}

// meanField is a model in which all spins act on one another alike, so that g depends on the number
// of those that are up.
type meanField struct {
	name, about string
	n           int
	g           func(up int) float64
}

// toy returns the model on the counts of its spins.
func (m meanField) toy() (*Toy, error) {
	q, err := quotients.NewCounts(m.n)
	if err != nil {
		return nil, err
	}
	return onClasses(m.name, m.about, q, m.g)
}

// curieWeiss returns the Ising model on the complete graph of n spins of -1 or 1, g = K/n times the
// sum of s s' over all pairs plus the field times the sum of s, by the number of spins that are up.
// Its critical point for large n without a field is at K = 1. The states are those of the lattice
// 2x2x...x2, on which a kernel moves one spin.
//
// Source: Curie 1895; Weiss 1907; Levin, Luczak and Peres 2010 for its dynamics.
func curieWeiss(n int, k, field float64) (*Toy, error) {
	k += 0
	field += 0
	name := fmt.Sprintf("curie-weiss:%d:%v", n, k)
	about := fmt.Sprintf("Ising model of %d spins on the complete graph, K = %v", n, k)
	if field != 0 {
		name += fmt.Sprintf(":%v", field)
		about += fmt.Sprintf(", field %v", field)
	}
	return meanField{name, about, n, func(up int) float64 {
		sum := float64(2*up - n)
		return float64(k*((sum*sum-float64(n))/2)/float64(n)) + float64(field*sum)
	}}.toy()
}

func curieWeissForm() toyForm {
	return termsForm(toyForm{
		Syntax:  "curie-weiss:N:K[:FIELD]",
		Doc:     "N spins that all interact, by their counts: g = K/N sum of s s' over pairs + FIELD sum of s",
		Source:  "Levin, Luczak and Peres 2010",
		Example: "curie-weiss:100:1",
		Missing: "the number of spins and K",
	}, "N:K or N:K:FIELD", 1, 1,
		1, func(a terms) (*Toy, error) { return curieWeiss(a.wholes[0], a.numbers[0], a.numbers[1]) })
}

// terms are the arguments of a selector: whole numbers first, and then numbers, of which those that
// are left out are zero.
type terms struct {
	wholes  []int
	numbers []float64
}

// termsForm returns a form whose arguments are terms (see readTerms), of which the toy is made.
func termsForm(form toyForm, write string, wholes, needed, more int,
	toy func(a terms) (*Toy, error)) toyForm {
	form.Parse = func(args selector.Args, _ Forms) (*Toy, error) {
		a, err := readTerms(args, write+", as in "+form.Example, wholes, needed, more)
		if err != nil {
			return nil, err
		}
		t, err := toy(a)
		return t, args.Wrap(err)
	}
	return form
}

// readTerms reads so many whole numbers, numbers, and numbers that may be left out. The text says
// what to write.
func readTerms(args selector.Args, write string, wholes, needed, more int) (terms, error) {
	parts := strings.Split(args.Text, ":")
	if len(parts) < wholes+needed || len(parts) > wholes+needed+more {
		return terms{}, args.Errorf("write %s", write)
	}
	t := terms{numbers: make([]float64, needed+more)}
	for _, part := range parts[:wholes] {
		n, err := selector.ParseWhole(part, 1, grid.MaxStates)
		if err != nil {
			return terms{}, args.Wrap(err)
		}
		t.wholes = append(t.wholes, n)
	}
	for i, part := range parts[wholes:] {
		var err error
		t.numbers[i], err = selector.ParseNumber(part)
		if err != nil {
			return terms{}, args.Wrap(err)
		}
	}
	return t, nil
}

// Larger returns the toy state by state, on the space whose states are the members of its classes.
// It fails if the toy is on no quotient, or if this space is too large.
func (t *Toy) Larger() (*Toy, error) {
	q, is := t.Space.(quotients.Listed)
	if !is {
		return nil, fmt.Errorf("toy %s: its states are not classes of a larger space that could be listed", t.Name)
	}
	larger, err := q.Larger()
	if err != nil {
		return nil, fmt.Errorf("toy %s: %w", t.Name, err)
	}
	whole := &Toy{
		Name:        t.Name + " state by state",
		Description: t.Description,
		Space:       larger.Space,
		G:           make([]float64, larger.Space.States()),
	}
	g := t.MemberG()
	for x, class := range larger.Class {
		whole.G[x] = g[class]
	}
	return whole, nil
}
