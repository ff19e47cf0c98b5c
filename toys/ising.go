package toys

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/chains/work"
)

// Ising returns the Ising model: a spin s of -1 or 1 at each site, and g = J times the sum of s s'
// over the neighbouring pairs, plus the field times the sum of s. The value 0 of an axis of the
// space is s = -1, and 1 is s = 1. J and the field are in nats, of either sign; a positive J
// favours equal spins. There are 2^(Rows*Cols) states, so at most grid.MaxBits sites.
//
// Both sums are whole numbers, so that states of the same energy have the same g to the last bit,
// and without a field a state has the g of the one in which every spin is turned over.
//
// Source: Ising 1925. On the plane without a field it is solved: Onsager 1944 found its free
// energy, and its critical point at J = ln(1 + sqrt 2)/2 = 0.4406867935097715; Kaufman 1949 found
// log Z on every finite torus, to which the tests hold it.
func Ising(sites Sites, j, field float64) (*Toy, error) {
	m := isingModel{sites, j + 0, field + 0} // this turns -0 into 0, whose name reads back
	space, err := sites.lattice(2)
	if err != nil {
		return nil, err
	}
	pairs := sites.pairCount()
	if err := checkCoupling(j, pairs, field, float64(space.Dims())); err != nil {
		return nil, err
	}
	t := &Toy{Name: m.name(), Description: m.describe(), Space: space, G: work.Slice[float64](space.States())}
	for x, equal := range sites.equalPairs(2, len(t.G)) {
		t.G[x] = m.g(x, int(equal), int(pairs))
	}
	return t, nil
}

// g returns log f of a state in which that many of all pairs of neighbours are equal.
func (m isingModel) g(x, equal, pairs int) float64 {
	// an equal pair adds 1 to the sum of s s', and another one -1
	products := 2*equal - pairs
	// the binary digits of a state are the values of its axes
	spins := 2*bits.OnesCount(uint(x)) - m.sites.Rows*m.sites.Cols
	// the conversions forbid a fused multiply-add
	return float64(m.j*float64(products)) + float64(m.field*float64(spins))
}

func (m isingModel) name() string {
	name := fmt.Sprintf("ising:%v:%v", m.sites, m.j)
	if m.field != 0 {
		name += fmt.Sprintf(":%v", m.field)
	}
	return name + m.sites.torus()
}

func (m isingModel) describe() string {
	about := fmt.Sprintf("Ising model of %v spins %s, J = %v", m.sites, m.sites.edges(), m.j)
	if m.field != 0 {
		about += fmt.Sprintf(", field %v", m.field)
	}
	return about
}

func isingForm() toyForm {
	return toyForm{
		Syntax:  "ising:RxC:J[:FIELD][:torus]",
		Doc:     "spins on a plane, g = J sum of s s' over neighbours + FIELD sum of s",
		Source:  "Ising 1925; Onsager 1944; Kaufman 1949",
		Example: "ising:2x3:0.5:0.1",
		Missing: "the sides and J",
		Parse:   parseIsing,
	}
}

func parseIsing(args selector.Args, _ Forms) (*Toy, error) {
	m, err := parseIsingModel(args)
	if err != nil {
		return nil, err
	}
	toy, err := Ising(m.sites, m.j, m.field)
	return toy, args.Wrap(err)
}

type isingModel struct {
	sites    Sites
	j, field float64
}

func parseIsingModel(args selector.Args) (m isingModel, err error) {
	parts, torus := cutTorus(strings.Split(args.Text, ":"))
	if len(parts) != 2 && len(parts) != 3 {
		return m, args.Errorf(
			"write ising:RxC:J or ising:RxC:J:FIELD, with :torus behind it where the edges are joined, as " +
				"in ising:4x4:0.44:torus",
		)
	}
	m.sites, err = parseSites(parts[0])
	if err != nil {
		return m, args.Wrap(err)
	}
	m.sites.Torus = torus
	m.j, err = selector.ParseNumber(parts[1])
	if err != nil {
		return m, args.Errorf("J: %w", err)
	}
	if len(parts) == 3 {
		m.field, err = selector.ParseNumber(parts[2])
		if err != nil {
			return m, args.Errorf("behind J stands the field, or torus, or both in this order: %w", err)
		}
	}
	return m, nil
}

// Potts returns the Potts model: one of q values at each site, 2 or more, and g = J times the
// number of neighbouring pairs that have the same value. J is in nats, of either sign. There are
// q^(Rows*Cols) states. With q = 2 it is the Ising model with half of the J and without a field, up
// to a constant. States with as many equal pairs have the same g to the last bit.
//
// Source: Potts 1952.
func Potts(q int, sites Sites, j float64) (*Toy, error) {
	m := pottsModel{q, sites, j + 0} // this turns -0 into 0, whose name reads back
	if err := m.check(); err != nil {
		return nil, err
	}
	space, err := sites.lattice(q)
	if err != nil {
		return nil, err
	}
	t := &Toy{Name: m.name(), Description: m.describe(), Space: space, G: work.Slice[float64](space.States())}
	for x, equal := range sites.equalPairs(q, len(t.G)) {
		t.G[x] = j * float64(equal)
	}
	return t, nil
}

type pottsModel struct {
	q     int
	sites Sites
	j     float64
}

func (m pottsModel) check() error {
	if m.q < 2 {
		return errs.New("the number of values is %d; it is 2 or more", m.q)
	}
	return checkCoupling(m.j, m.sites.pairCount(), 0, 0)
}

func (m pottsModel) name() string {
	return fmt.Sprintf("potts:%d:%v:%v", m.q, m.sites, m.j) + m.sites.torus()
}

func (m pottsModel) describe() string {
	return fmt.Sprintf("Potts model of %d values at %v sites %s, J = %v", m.q, m.sites, m.sites.edges(), m.j)
}

func pottsForm() toyForm {
	return toyForm{
		Syntax:  "potts:Q:RxC:J[:torus]",
		Doc:     "Q values at each site of a plane, g = J times the number of neighbours that are equal",
		Source:  "Potts 1952",
		Example: "potts:3:2x2:0.5",
		Missing: "the number of values, the sides and J",
		Parse:   parsePotts,
	}
}

func parsePotts(args selector.Args, _ Forms) (*Toy, error) {
	m, err := parsePottsModel(args)
	if err != nil {
		return nil, err
	}
	toy, err := Potts(m.q, m.sites, m.j)
	return toy, args.Wrap(err)
}

func parsePottsModel(args selector.Args) (m pottsModel, err error) {
	parts, torus := cutTorus(strings.Split(args.Text, ":"))
	if len(parts) != 3 {
		return m, args.Errorf(
			"write potts:Q:RxC:J, with :torus behind it where the edges are joined, as in potts:3:3x3:0.5",
		)
	}
	m.q, err = strconv.Atoi(parts[0])
	if err != nil {
		return m, args.Errorf("%q is not a number of values", parts[0])
	}
	m.sites, err = parseSites(parts[1])
	if err != nil {
		return m, args.Wrap(err)
	}
	m.sites.Torus = torus
	m.j, err = selector.ParseNumber(parts[2])
	if err != nil {
		return m, args.Errorf("J: %w", err)
	}
	return m, nil
}
