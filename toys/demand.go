package toys

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/selector"
	"breadboard/grid"
)

// Demand is what making a toy takes, as far as its selector tells.
type Demand struct {
	// of the toy, and of all parts where it is a mixture; an estimate from above if the selector
	// does not say it
	States float64
	Sites  float64 // of a plane of spins
	Passes float64 // over the states along an axis, beside one in which the toy is made
	Sides  []int   // of the toy's lattice; nil if the selector does not say them, or says too many
}

// unsaidStates is the number of states of a toy whose selector says nothing of them. The models
// that are built in have fewer.
const unsaidStates = 1000

// DemandOf returns what making the toy of a selector takes. It makes no toy and reads no file, so
// it does not know the size of a toy in a file. The result has no meaning for a selector that Parse
// does not accept.
func (f Forms) DemandOf(text string) Demand {
	_, text = selector.SplitName(text)
	name, args, _ := strings.Cut(text, ":")
	parts := strings.Split(args, ":")
	part := func(i int) string {
		if i < len(parts) {
			return parts[i]
		}
		return ""
	}
	switch name {
	case "mixture":
		return f.demandOfMixture(args)
	case cellsName:
		return Demand{States: MaxCells}
	case "barrier", "schools":
		return onSides(part(0))
	case "random":
		return onSides(part(2))
	case "smooth":
		sigma, _ := strconv.ParseFloat(part(0), 64)
		passes, _ := strconv.ParseFloat(part(2), 64)
		d := onSides(part(3))
		d.Passes = smoothing(passes, 1+strings.Count(cmp.Or(part(3), "7x7"), "x"), sigma > deepSigma)
		return d
	case "ising":
		return onSpins(2, part(0))
	case "potts":
		q, _ := strconv.ParseFloat(part(0), 64)
		return onSpins(q, part(1))
	case "quotient":
		inner, _ := f.cutQuotient(text)
		d := f.DemandOf(inner)
		d.Sides = nil
		return d
	case "graph":
		return Demand{States: statesOfGraph(args)}
	}
	return Demand{States: unsaidStates}
}

// onSides returns the demand of a lattice with sides that are joined by x, and that of an unknown
// one if the text has no sides.
func onSides(text string) Demand {
	sides, _ := grid.ParseSides(text)
	return Demand{States: product(text, unsaidStates), Sides: sides}
}

// onSpins returns the demand of spins of q values on a plane.
func onSpins(q float64, plane string) (d Demand) {
	d.Sites = product(plane, 0)
	d.States = math.Pow(q, d.Sites)
	if d.States <= grid.MaxStates && q > 1 {
		d.Sides = slices.Repeat([]int{int(q)}, int(d.Sites))
	}
	return d
}

// deepSigma is the sigma above which a random target may span more than deep nats: a normal number
// is larger than eight, on either side, once in 10^15 times.
const deepSigma = deep / 16.0

// deepCost is measured: how many times as long a pass takes where Smooth filters logarithms as
// well.
const deepCost = 10

// smoothing returns the passes over the states that that many passes of Smooth take.
func smoothing(passes float64, axes int, isDeep bool) float64 {
	if isDeep {
		passes *= deepCost
	}
	return passes * float64(axes)
}

// DemandOfInitial returns what making the initial distribution of a selector for a toy takes. It
// makes nothing and reads no file. The result has no meaning for a selector that ParseInitial does
// not accept.
func DemandOfInitial(text string, toy *Toy) Demand {
	d := Demand{States: float64(toy.Space.States())}
	name, args, _ := strings.Cut(text, ":")
	if space := toy.Lattice(); name == "smoothed" && space != nil {
		passes, _ := strconv.ParseFloat(args, 64)
		d.Passes = smoothing(passes, space.Dims(), isDeep(toy.G))
	}
	return d
}

// demandOfMixture returns the sum over the parts of a mixture, which are all made before they are
// mixed.
func (f Forms) demandOfMixture(text string) (sum Demand) {
	for _, name := range namesOfMixture(text) {
		of := f.DemandOf(name)
		sum.States += of.States
		sum.Passes = max(sum.Passes, of.Passes)
	}
	return sum
}

// statesOfGraph returns the number of states of one of graphSpaces.
func statesOfGraph(text string) float64 {
	s, err := splitGraph(text)
	if err != nil || s.name == "" {
		return unsaidStates
	}
	n, _ := strconv.ParseFloat(s.arg, 64)
	switch s.name {
	case "torus":
		return product(s.arg, unsaidStates)
	case "hypercube":
		return math.Pow(2, n)
	case "permutations":
		return math.Gamma(n + 1)
	}
	return n
}

// product returns the product of sides that are joined by x, and another number if the text has no
// sides. It is a float since it may exceed an int.
func product(sides string, otherwise float64) float64 {
	list, err := grid.ParseSides(sides)
	if err != nil {
		return otherwise
	}
	p := 1.0
	for _, side := range list {
		p *= float64(max(0, side)) // a toy with a negative side is refused when it is made
	}
	return p
}
