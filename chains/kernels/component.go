package kernels

import (
	"math"
	"math/bits"

	"breadboard/chains"
)

// component is a set of sites that can be bound to one another in a state, with the distribution of
// their clusters. Its subsets are numbered by their bits.
//
// Two sites that agree are bound with probability 1 - exp(-K). That the bonds join all of a subset
// S is built up from positive terms, so that no digits cancel: with r the first site of S, v the
// second, and A the part of S without r that the bonds within S, those of r left out, join to v, it
// is the sum over A of P(A is joined) P(no bond between A and the rest of S without r) P(r is bound
// to A) P(S without A is joined). There are 3^sites/4 terms; those of sets without a connecting
// bond are zero.
type component struct {
	couplings
	x         int
	members   []int     // the sites; the ghost comes first if it is one of them
	energy    []float64 // of each subset the sum of K over its pairs that agree, in nats
	connected []float64 // of each subset the probability that the bonds within it join all of it
}

// components returns the parts of the sites of a state between which there are no bonds, the ghost
// first. Sites of one value, which have no bonds and never change, are left out.
func (m couplings) components(x int) (list []*component) {
	m.setState(x)
	seen := make([]bool, m.sites())
	for site := range m.space.Dims() {
		seen[site] = m.valueCount(site) == 1
	}
	for site := m.sites() - 1; site >= 0; site-- { // the ghost first
		if seen[site] {
			continue
		}
		members := []int{site}
		seen[site] = true
		for i := 0; i < len(members); i++ {
			for j := range seen {
				if !seen[j] && m.agree(members[i], j) > 0 {
					seen[j] = true
					members = append(members, j)
				}
			}
		}
		list = append(list, newComponent(m, x, members))
	}
	return list
}

func newComponent(m couplings, x int, members []int) *component {
	size := 1 << len(members)
	c := &component{m, x, members, make([]float64, size), make([]float64, size)}
	link := make([]float64, size) // of each subset, K of its first site with all others that agree with it
	for s := 1; s < size; s++ {
		rest := s & (s - 1)
		if rest > 0 {
			last := bits.Len(uint(s)) - 1
			link[s] = link[s&^(1<<last)] + m.agree(members[bits.TrailingZeros(uint(s))], members[last])
		}
		c.energy[s] = c.energy[rest] + link[s]
		c.connected[s] = c.connectedProbability(s, link)
	}
	return c
}

// connectedProbability returns the probability that the bonds within a subset join all of it, given
// that of all smaller ones.
func (c *component) connectedProbability(s int, link []float64) float64 {
	rest := s & (s - 1)
	if rest == 0 {
		return 1
	}
	first := s ^ rest
	second := rest & -rest
	free := rest ^ second
	total := 0.0
	for sub := free; ; sub = (sub - 1) & free {
		a := sub | second
		if p := c.connected[a] * c.connected[s^a]; p > 0 {
			total += p * -math.Expm1(-link[a|first]) * math.Exp(c.energy[a]+c.energy[rest^a]-c.energy[rest])
		}
		if sub == 0 {
			return total
		}
	}
}

// separateProbability returns the probability that no bond joins a subset to the rest of the
// component.
func (c *component) separateProbability(s int) float64 {
	all := len(c.energy) - 1
	return math.Exp(c.energy[s] + c.energy[all^s] - c.energy[all])
}

// siteNumbers returns a subset by the numbers of the sites.
func (c *component) siteNumbers(s int) (sites uint32) {
	for ; s > 0; s &= s - 1 {
		sites |= 1 << c.members[bits.TrailingZeros(uint(s))]
	}
	return sites
}

// valueCount returns how many values the sites of the component may take.
func (c *component) valueCount() int { return c.couplings.valueCount(c.members[len(c.members)-1]) }

// clusterMoves returns by how much the number of the state changes, and with which probability,
// when each cluster takes one of all values.
func (c *component) clusterMoves() []chains.Entry {
	size := len(c.energy)
	// of each subset, the probability that all clusters take one certain value when only bonds
	// within it count
	alike := make([]float64, size)
	alike[0] = 1
	for s := 1; s < size; s++ {
		first := s & -s
		each := 1 / float64(c.valueCount())
		if c.ghostly(first) {
			each = 1 // the ghost stays as it is
		}
		free := s ^ first
		for sub := free; ; sub = (sub - 1) & free {
			if a := sub | first; c.connected[a] > 0 {
				alike[s] += each * c.connected[a] * alike[s^a] *
					math.Exp(c.energy[a]+c.energy[s^a]-c.energy[s])
			}
			if sub == 0 {
				break
			}
		}
	}
	// of each number and subset, by how much the number of the state changes when the values are
	// raised by it
	raised := make([][]int, c.valueCount())
	for by := range raised {
		raised[by] = make([]int, size)
		for s := 1; s < size; s++ {
			if one := s & -s; one < s {
				raised[by][s] = raised[by][s^one] + raised[by][one]
			} else {
				raised[by][s] = c.rotateSpins(c.x, c.siteNumbers(s), by) - c.x
			}
		}
	}
	return spreading{c, alike, raised}.appendOutcomes(make([]chains.Entry, 0, size), size-1, 0,
		-c.energy[size-1],
		chains.Entry{P: 1})
}

// spreading holds the numbers of every subset that spread uses: see moves.
type spreading struct {
	*component
	alike  []float64
	raised [][]int
}

// ghostly reports whether the ghost is in a subset. It is then the first member.
func (c *component) ghostly(s int) bool { return s&1 == 1 && c.members[0] == c.space.Dims() }

// appendOutcomes appends the outcomes of a state when the values of the remaining sites are raised
// by at least the given number. The logarithm of the probability that no bond joins sites that are
// raised differently is apart less the energies of the recursive calls.
func (c spreading) appendOutcomes(dst []chains.Entry, left, by int, apart float64,
	e chains.Entry) []chains.Entry {
	last := by == c.valueCount()-1
	for s := left; ; s = (s - 1) & left {
		if by == 0 || !c.ghostly(s) {
			raised := chains.Entry{To: e.To + c.raised[by][s], P: e.P * c.alike[s]}
			if last {
				return append(dst, chains.Entry{To: raised.To, P: raised.P * math.Exp(apart+c.energy[s])})
			}
			dst = c.appendOutcomes(dst, left^s, by+1, apart+c.energy[s], raised)
		}
		if s == 0 || last {
			return dst
		}
	}
}
