package sites

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Factor is the logarithm (nats) of a table over some variables, the last of its scope fastest.
type Factor struct {
	Scope []int
	Logs  []float64
}

// Model is a product of factors, prepared for moves that change one variable.
type Model struct {
	cards   []int
	factors []Factor
	sites   []site
	tables  []*table // those of all sites, each once
}

// site is what a conditional law of a variable depends on.
type site struct {
	card    int
	others  []int  // the variables that stand in a factor with it, in ascending order
	strides []int  // by how many rows the table moves with each of them
	table   *table // nil where there would be too many rows
	factors []int
}

// table has, for each configuration of the other variables, the sum of the logarithms of a variable's factors at each of its values, less that at the
// first value.
type table struct {
	card int
	logs []float64
}

// mostEntries is the largest number of entries of the table of a site. Conditionals with more are summed from their factors at each move.
const mostEntries = 1 << 10

const maxCard = 256

// New prepares a model of variables with these numbers of values. It fails where a factor is zero or infinite somewhere: a chain that starts at a state of
// probability zero would have no weight, and where it cannot leave by one variable at a time, no law.
func New(cards []int, factors []Factor) (*Model, error) {
	m := &Model{cards: cards, factors: factors, sites: make([]site, len(cards))}
	for v, n := range cards {
		if n < 1 || n > maxCard {
			return nil, fmt.Errorf("variable %d has %d values; moves by factors take 1 to %d", v, n, maxCard)
		}
		m.sites[v].card = n
	}
	for i, f := range factors {
		for at, g := range f.Logs {
			if math.IsInf(g, 0) || math.IsNaN(g) {
				return nil, fmt.Errorf("factor %d has log f = %v at entry %d, and moves by factors take finite ones; a factor with zeros keeps single moves from some states", i, g, at)
			}
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

// prepare lists the variables beside one, and makes its table, which sites with the same one share.
func (m *Model) prepare(v int, known map[string]*table) {
	s := &m.sites[v]
	sort.Ints(s.others)
	s.others = slices.DeleteFunc(slices.Compact(s.others), func(w int) bool { return w == v })
	s.strides = make([]int, len(s.others))
	rows := 1
	for k := range s.others {
		s.strides[k] = rows
		if rows *= m.cards[s.others[k]]; rows*s.card > mostEntries {
			return
		}
	}
	t := &table{card: s.card}
	x, logs := make([]uint8, len(m.cards)), make([]float64, s.card)
	for row := range rows {
		for k, w := range s.others {
			x[w] = uint8(row / s.strides[k] % m.cards[w])
		}
		m.sum(v, func(w int) uint8 { return x[w] }, logs)
		t.logs = append(t.logs, logs...)
	}
	key := fmt.Sprint(t.card, t.logs)
	if known[key] == nil {
		known[key] = t
		m.tables = append(m.tables, t)
	}
	s.table = known[key]
}

// sum adds up the factors of a variable at each of its values, less those at the first.
func (m *Model) sum(v int, at func(w int) uint8, logs []float64) {
	clear(logs)
	for _, i := range m.sites[v].factors {
		first, stride, size := 0, 0, 1
		scope := m.factors[i].Scope
		for k := len(scope) - 1; k >= 0; k-- {
			if w := scope[k]; w == v {
				stride = size
			} else {
				first += size * int(at(w))
			}
			size *= m.cards[scope[k]]
		}
		values := m.factors[i].Logs
		for value := 1; value < len(logs); value++ {
			logs[value] += values[first+value*stride] - values[first]
		}
	}
}

// LogF returns log f of a configuration (nats).
func (m *Model) LogF(at func(v int) uint8) float64 {
	total := 0.0
	for _, f := range m.factors {
		entry := 0
		for _, v := range f.Scope {
			entry = entry*m.cards[v] + int(at(v))
		}
		total += f.Logs[entry]
	}
	return total
}
