package sites

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"breadboard/chains/errs"
)

// Factor is the logarithm (nats) of a table over some variables, the last of its scope fastest;
// -Inf for zero.
type Factor struct {
	Scope []int
	Logs  []float64
	// whether the factor belongs to the initial distribution of paths, which is not raised to a
	// power
	Base bool
}

// Model is a product f_0 f^beta, where f_0 is the product of the factors of the base and f that of
// the others, prepared for moves that change one variable at any power beta. A configuration at
// which a factor is zero is impossible at all powers.
type Model struct {
	cards   []int
	factors []Factor
	sites   []site
	tables  []*table // those of all sites, each once
	uneven  bool     // whether there is a base, or a factor is zero somewhere
}

// site describes the conditional distribution of a variable.
type site struct {
	card    int
	others  []int  // the variables that stand in a factor with it, in ascending order
	strides []int  // by how many rows the table moves with each of them
	table   *table // nil if there would be too many rows
	factors []int
}

// table has, for each configuration of the other variables, the conditional of a variable.
type table struct {
	card int
	conditional
}

// conditional holds the logarithm of a variable's factors at each of its values, up to a constant.
// Logs has those of f: 0 at the first value and at impossible values. Base has those of the base:
// -Inf at impossible values. It is nil if the model is not uneven.
//
//	P(x_v = k | others) proportional to exp(base_k + beta logs_k)
type conditional struct{ logs, base []float64 }

// logDensity returns the logarithm of f_0 f^beta at a value.
func (c conditional) logDensity(value int, beta float64) float64 {
	if c.base == nil {
		return beta * c.logs[value]
	}
	return beta*c.logs[value] + c.base[value]
}

// mostEntries is the largest number of entries of the table of a site. Conditionals with more are
// summed from their factors at each move.
const mostEntries = 1 << 10

// MaxCard is the largest number of values of a variable.
const MaxCard = 256

// New prepares a model of variables with these numbers of values. It fails if a factor is +Inf or
// NaN somewhere.
func New(cards []int, factors []Factor) (*Model, error) {
	m := &Model{cards: cards, factors: factors, sites: make([]site, len(cards))}
	for v, n := range cards {
		if n < 1 || n > MaxCard {
			return nil, errs.New("variable %d has %d values; moves by factors take 1 to %d", v, n, MaxCard)
		}
		m.sites[v].card = n
	}
	for i, f := range factors {
		m.uneven = m.uneven || f.Base
		for at, g := range f.Logs {
			if math.IsInf(g, 1) || math.IsNaN(g) {
				return nil, errs.New("factor %d has log f = %v at entry %d; it must be finite, or -inf for a zero",
					i, g, at)
			}
			m.uneven = m.uneven || math.IsInf(g, -1)
		}
		for _, v := range f.Scope {
			m.sites[v].factors = append(m.sites[v].factors, i)
			m.sites[v].others = append(m.sites[v].others, f.Scope...)
		}
	}
	known := map[string]*table{}
	for v := range m.sites {
		m.prepare(v, known)
	}
	return m, nil
}

// prepare lists the neighbours of a variable, and makes its table. Sites with equal tables share
// one.
func (m *Model) prepare(v int, known map[string]*table) {
	s := &m.sites[v]
	sort.Ints(s.others)
	s.others = slices.DeleteFunc(slices.Compact(s.others), func(w int) bool { return w == v })
	s.strides = make([]int, len(s.others))
	rows := 1
	for k := range s.others {
		s.strides[k] = rows
		rows *= m.cards[s.others[k]]
		if rows*s.card > mostEntries {
			return
		}
	}
	t := &table{card: s.card}
	x := make([]uint8, len(m.cards))
	c := m.newConditional(s.card)
	for row := range rows {
		for k, w := range s.others {
			x[w] = uint8(row / s.strides[k] % m.cards[w])
		}
		m.sumFactors(v, func(w int) uint8 { return x[w] }, c)
		t.logs, t.base = append(t.logs, c.logs...), append(t.base, c.base...)
	}
	key := fmt.Sprint(t.card, t.conditional)
	if known[key] == nil {
		known[key] = t
		m.tables = append(m.tables, t)
	}
	s.table = known[key]
}

// newConditional returns a conditional to be filled.
func (m *Model) newConditional(card int) conditional {
	c := conditional{logs: make([]float64, card)}
	if m.uneven {
		c.base = make([]float64, card)
	}
	return c
}

// sumFactors adds up the factors of a variable at each of its values. Each factor is taken relative
// to one of its nonzero entries, so that large factors cost no digits.
func (m *Model) sumFactors(v int, at func(w int) uint8, c conditional) {
	clear(c.logs)
	clear(c.base)
	for _, i := range m.sites[v].factors {
		first := 0
		stride := 0
		size := 1
		scope := m.factors[i].Scope
		for k := len(scope) - 1; k >= 0; k-- {
			if w := scope[k]; w == v {
				stride = size
			} else {
				first += size * int(at(w))
			}
			size *= m.cards[scope[k]]
		}
		c.addFactor(&m.factors[i], first, stride)
	}
	for value, b := range c.base {
		if math.IsInf(b, -1) {
			c.logs[value] = 0
		}
	}
	for first, value := c.logs[0], 0; value < len(c.logs) && first != 0; value++ {
		if c.base == nil || !math.IsInf(c.base[value], -1) {
			c.logs[value] -= first
		}
	}
}

// addFactor adds the entries of a factor; the given entry is that of the first value.
func (c conditional) addFactor(f *Factor, first, stride int) {
	into := c.logs
	reference := f.Logs[first]
	if f.Base {
		into = c.base
	}
	for value := 1; value < len(into) && math.IsInf(reference, -1); value++ {
		reference = f.Logs[first+value*stride]
	}
	for value := range into {
		if l := f.Logs[first+value*stride]; math.IsInf(l, -1) {
			c.base[value] = l
		} else {
			into[value] += l - reference
		}
	}
}

// LogF returns log f of a configuration (nats), without the base.
func (m *Model) LogF(at func(v int) uint8) float64 {
	total := 0.0
	for _, f := range m.factors {
		if f.Base {
			continue
		}
		entry := 0
		for _, v := range f.Scope {
			entry = entry*m.cards[v] + int(at(v))
		}
		total += f.Logs[entry]
	}
	return total
}
