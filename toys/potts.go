package toys

import (
	"fmt"
	"strconv"
	"strings"

	"breadboard/chains/selector"
)

// Potts returns the Potts model: one of q values at each site, 2 or more, and g = J times the number of neighbouring pairs
// that have the same value. J is in nats, of either sign. There are q^(Rows*Cols) states. With q = 2 it is the Ising model
// with half of the J and without a field, up to a constant. States with as many equal pairs have the same g to the last bit.
//
// Source: Potts 1952.
func Potts(q int, sites Sites, j float64) (*Toy, error) {
	j += 0 // this turns -0 into 0, whose name reads back
	if q < 2 {
		return nil, fmt.Errorf("the number of values is %d; it is 2 or more", q)
	}
	space, err := sites.lattice(q)
	if err != nil {
		return nil, err
	}
	if err := checkCoupling(j, sites.pairs(), 0, space.Dims()); err != nil {
		return nil, err
	}
	t := &Toy{
		Name:        fmt.Sprintf("potts:%d:%v:%v", q, sites, j) + sites.torus(),
		Description: fmt.Sprintf("Potts model of %d values at %v sites %s, J = %v", q, sites, sites.edges(), j),
		Space:       space,
		G:           make([]float64, space.States()),
	}
	for x, equal := range sites.equalPairs(q, len(t.G)) {
		t.G[x] = j * float64(equal)
	}
	return t, nil
}

// pottsForm is how Potts is selected.
func pottsForm() toyForm {
	return toyForm{
		Syntax: "potts:Q:RxC:J[:torus]", Doc: "Q values at each site of a plane, g = J times the number of neighbours that are equal",
		Source: "Potts 1952", Example: "potts:3:2x2:0.5", Missing: "the number of values, the sides and J",
		Parse: parsePotts,
	}
}

func parsePotts(args selector.Args, _ selector.Nothing) (*Toy, error) {
	parts, torus := cutTorus(strings.Split(args.Text, ":"))
	if len(parts) != 3 {
		return nil, args.Errorf("write potts:Q:RxC:J, with :torus behind it where the edges are joined, as in potts:3:3x3:0.5")
	}
	q, err := strconv.Atoi(parts[0])
	if err != nil {
		return nil, args.Errorf("%q is no number of values", parts[0])
	}
	sites, err := parseSites(parts[1])
	if err != nil {
		return nil, args.Wrap(err)
	}
	sites.Torus = torus
	j, err := selector.ParseNumber(parts[2])
	if err != nil {
		return nil, args.Errorf("J: %w", err)
	}
	toy, err := Potts(q, sites, j)
	return toy, args.Wrap(err)
}
