package toys

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/grid"
	"breadboard/grid/quotients"
)

// quotientName begins the selectors of Quotient.
const quotientName = "quotient:"

// proposals are the words for quotients.Proposal in selectors.
func proposals() []string {
	return []string{quotients.Neighbour: "neighbours", quotients.Value: "values"}
}

// Quotient returns the classes of the states of a toy as a toy. Members of a class have the same
// log f (and the same prior, if the toy has one) and propose each class with the same probability,
// so that annealing on classes has the J, B and distribution of log weights of annealing on the
// states. For proposals of values an axis is a line, on which heatbath draws too.
//
// With tolerance zero, values of log f must be equal to the last bit. Otherwise values that differ
// by at most the tolerance, in nats, count as equal; LeftOut then says how far members of a class
// differ.
//
// Time is O(directions states log states). See quotients.Refined.
func Quotient(t *Toy, p quotients.Proposal, tolerance float64) (*Toy, error) {
	if t.Members != nil {
		return nil, errs.New("the states of %s are classes already; name it without a quotient", t.Name)
	}
	if !(tolerance >= 0) || math.IsInf(tolerance, 1) {
		return nil, errs.New("the tolerance is %v nats; give a finite number from 0 on", tolerance)
	}
	g := t.G
	spread := 0.0
	keys := [][]float64{g}
	if t.LogPrior != nil {
		keys = append(keys, t.LogPrior)
	}
	if tolerance > 0 {
		for i := range keys {
			var most float64
			keys[i], most = quotients.Rounded(keys[i], tolerance)
			spread = max(spread, most)
		}
	}
	q, err := quotients.Refined(t.Space, p, quotients.Colours(keys...))
	if err != nil {
		return nil, err
	}
	out, err := ofFirst(
		quotientSelector(p, tolerance)+t.Name,
		q,
		t.Space.States(),
		func(x int) float64 { return t.G[x] },
	)
	if err != nil {
		return nil, err
	}
	out.Doubt = t.Doubt
	out.states = t
	out.whole = t.Name
	out.Spread = spread
	if t.LogPrior != nil {
		out.LogPrior = make([]float64, q.States())
		for c := range out.LogPrior {
			out.LogPrior[c] = t.LogPrior[q.First(c)] + out.Members[c]
		}
	}
	return out, nil
}

// LeftOut says by how much log f differs within the classes of a toy made with a tolerance. Numbers
// computed on the classes do not show this difference. It is empty if there is none.
func (t *Toy) LeftOut() string {
	if !(t.Spread > 0) {
		return ""
	}
	return fmt.Sprintf(LeftOutBegins+"%s differ by up to %.3g nats, which its classes leave out", t.Name, t.Spread)
}

// LeftOutBegins begins the text of LeftOut.
const LeftOutBegins = "members of one class of "

// quotientSelector returns a selector up to the toy.
func quotientSelector(p quotients.Proposal, tolerance float64) string {
	text := quotientName + proposals()[p] + ":"
	if tolerance > 0 {
		text += strconv.FormatFloat(tolerance, 'g', -1, 64) + ":"
	}
	return text
}

// ofFirst returns the toy of the classes of so many states, given log f of a state, of which that
// of the first member counts.
func ofFirst(name string, q *quotients.Classes, states int, g func(state int) float64) (*Toy, error) {
	values := make([]float64, q.States())
	for c := range values {
		values[c] = g(q.First(c))
	}
	return onClasses(name, fmt.Sprintf("%d classes of %d states", q.States(), states), q,
		func(c int) float64 { return values[c] })
}

// joinNotes joins two notes, each of which may be empty.
func joinNotes(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return first + "; " + second
}

// States returns the toy from whose states the classes of this one were found, and nil for any
// other toy. It exists also if the states are too many to be listed, unlike WholeSelector.
func (t *Toy) States() *Toy { return t.states }

// OnClasses returns the value on each class of a function of the states of States. It fails if
// members of a class have different values.
func (t *Toy) OnClasses(values []float64) ([]float64, error) {
	on, err := t.Space.(*quotients.Classes).Common(values)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	return on, nil
}

// OnStates returns the probability of each state of States, given those of the classes under a
// distribution that is the same for all members of a class.
func (t *Toy) OnStates(law []float64) []float64 { return t.Space.(*quotients.Classes).Shared(law) }

// WholeSelector returns the selector of the toy whose classes this one has (see Quotient), and ""
// if there is none. Its states may be too many for Forms.Parse.
func (t *Toy) WholeSelector() string { return t.whole }

// cutQuotient returns the toy in a selector of a quotient, and what stands in front of it. Both are
// empty for another selector, and for one that Parse refuses because too many stand within it.
func (f Forms) cutQuotient(text string) (inner, front string) {
	args, is := strings.CutPrefix(text, quotientName)
	if !is || f.Targets.Listing.CheckNesting(text) != nil {
		return "", ""
	}
	_, rest, _ := strings.Cut(args, ":")
	if number, behind, found := strings.Cut(rest, ":"); found {
		if _, err := selector.ParseNumber(number); err == nil {
			rest = behind
		}
	}
	return rest, strings.TrimSuffix(text, rest)
}

func quotientForm() toyForm {
	return toyForm{
		Syntax:  quotientName + "PROPOSALS[:TOL]:TOY",
		Doc:     "classes of states that moves treat alike (help symmetry); PROPOSALS are neighbours or values",
		Source:  "Kemeny and Snell 1960; Paige and Tarjan 1987",
		Example: quotientName + "values:ising:3x3:0.4:torus",
		Missing: "the proposals and the toy",
		Parse:   parseQuotient,
	}
}

func parseQuotient(args selector.Args, forms Forms) (*Toy, error) {
	word, rest := args.Cut()
	p := -1
	for i, known := range proposals() {
		if word == known {
			p = i
		}
	}
	inner, front := forms.cutQuotient(quotientName + args.Text)
	if p < 0 || inner == "" {
		return nil,
			args.Errorf("write quotient:neighbours:TOY for the kernels metropolis and barker, and " +
				"quotient:values:TOY for flip and heatbath, with a tolerance in nats in front of the " +
				"toy where g is not equal to the last bit, as in quotient:values:ising:4x4:0.44:torus")
	}
	tolerance := 0.0
	if number := strings.TrimSuffix(strings.TrimPrefix(front, quotientName+word+":"), ":"); number != "" {
		tolerance, _ = selector.ParseNumber(number)
	}
	if m, large := largeTorus(rest); large && tolerance == 0 {
		toy, err := isingOrbits(m, quotients.Proposal(p))
		return toy, args.Wrap(err)
	}
	if space, err := grid.New(forms.DemandOf(inner).Sides...); err == nil { // before its states are made
		if err := quotients.CheckRefined(space); err != nil {
			return nil, args.Wrap(err)
		}
	}
	whole, err := forms.Targets.Parse(inner, forms)
	if err != nil {
		return nil, args.Wrap(err)
	}
	toy, err := Quotient(whole, quotients.Proposal(p), tolerance)
	return toy, args.Wrap(err)
}

// largeTorus returns the model of a selector of Ising on a torus that has too many states for
// Quotient.
func largeTorus(text string) (m isingModel, large bool) {
	args, is := strings.CutPrefix(text, "ising:")
	if !is {
		return m, false
	}
	m, err := parseIsingModel(selector.Args{Text: args})
	spins := m.sites.Rows * m.sites.Cols
	return m, err == nil && m.sites.Torus && min(m.sites.Rows, m.sites.Cols) >= 3 &&
		math.Pow(2, float64(spins)) > quotients.MaxRefined
}

// isingOrbits returns the quotient of an Ising model on a torus whose states are too many to have
// their log f listed: classes are the states that translations and reflections map to each other,
// the transposition where the sides are equal, and turning all spins over if there is no field.
func isingOrbits(m isingModel, p quotients.Proposal) (*Toy, error) {
	m.j += 0
	m.field += 0
	s := m.sites
	spins := m.sites.Rows * m.sites.Cols
	pairs := m.sites.pairCount()
	if err := checkCoupling(m.j, pairs, m.field, float64(spins)); err != nil {
		return nil, err
	}
	right := s.symmetry(func(i, j int) (int, int) { return i, j + 1 })
	down := s.symmetry(func(i, j int) (int, int) { return i + 1, j })
	group := []quotients.Symmetry{
		right, down,
		s.symmetry(func(i, j int) (int, int) { return s.Rows - 1 - i, j }),
		s.symmetry(func(i, j int) (int, int) { return i, s.Cols - 1 - j }),
	}
	if s.Rows == s.Cols {
		group = append(group, s.symmetry(func(i, j int) (int, int) { return j, i }))
	}
	if m.field == 0 {
		turned := right
		turned.Turned = true
		group = append(group, turned)
	}
	equal, err := equalOnTorus(spins, right, down)
	if err != nil {
		return nil, err
	}
	level := func(x uint32) int {
		spin := 0
		if m.field != 0 {
			spin = bits.OnesCount32(x)
		}
		return equal(x)*(spins+1) + spin
	}
	q, err := quotients.Orbits(spins, group, level)
	if err != nil {
		return nil, err
	}
	t, err := ofFirst(quotientSelector(p, 0)+m.name(), q, 1<<spins,
		func(x int) float64 { return m.g(x, equal(uint32(x)), int(pairs)) })
	if err == nil {
		t.whole = m.name()
	}
	return t, err
}

// symmetry returns what a map of the sites of a torus does to the axes.
func (s Sites) symmetry(to func(i, j int) (int, int)) quotients.Symmetry {
	out := quotients.Symmetry{To: make([]int, s.Rows*s.Cols)}
	for site := range out.To {
		i, j := to(site/s.Cols, site%s.Cols)
		out.To[site] = (i+s.Rows)%s.Rows*s.Cols + (j+s.Cols)%s.Cols
	}
	return out
}

// equalOnTorus returns a function that counts the pairs of equal neighbours of a state on a torus,
// given its translations by one: a spin and its neighbour differ where the state and its image do.
func equalOnTorus(spins int, translations ...quotients.Symmetry) (func(x uint32) int, error) {
	images, err := quotients.NewImages(spins, translations...)
	if err != nil {
		return nil, err
	}
	return func(x uint32) int {
		equal := len(translations) * spins
		low, high := images.ImagesOf(x)
		for i, part := range low {
			equal -= bits.OnesCount32(x ^ part ^ high[i])
		}
		return equal
	}, nil
}
