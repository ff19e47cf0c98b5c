package networks

import (
	"math"
	"slices"

	"breadboard/chains/number"
)

// Inference is what elimination says of a product of factors.
type Inference struct {
	LogZ      float64     // the logarithm of the sum of the product over all configurations (nats), -Inf where it is zero
	Marginals [][]float64 // the probabilities of the values of each variable; nil where LogZ is -Inf
	Order     []int       // the variables of more than one value, in the order in which they were eliminated
	Width     int         // one less than the number of variables of the largest table
}

// Infer sums the product of factors over all configurations of variables with the given numbers of values, and computes the marginal
// distribution of every variable under the product, by variable elimination forwards and backwards over the tables of one order. The number of
// configurations does not matter: time and memory are in proportion to the tables of the order. All numbers are Wide, so that none under- or
// overflows, and nothing is subtracted. It fails with a TooWide where the tables would be too large.
//
// Source: Dechter 1999, Bucket elimination; the way backwards is that of Lauritzen and Spiegelhalter 1988.
func Infer(factors []Factor, cards []int) (*Inference, error) {
	several := severalValued(cards)
	tables := tablesOf(factors, cards)
	steps, err := plan(scopesOf(tables), cards, several)
	if err != nil {
		return nil, err
	}
	f := &Inference{Width: width(steps)}
	for _, s := range steps {
		f.Order = append(f.Order, s.variable)
	}
	cliques, rest := forwards(tables, cards, steps)
	z := number.Wide{M: 1}
	for _, t := range rest {
		z = z.Mul(t.values[0])
	}
	if f.LogZ = z.Log(); z.M > 0 {
		f.Marginals = backwards(cliques, cards)
	}
	return f, nil
}

// SumOut returns factors over the variables that are not hidden, whose product is the sum of the product of the given factors over all values
// of the hidden ones. Factors without hidden variables are returned as they are. A sum whose entries are too far apart for one table
// of float64 is returned as several, of which it is the product. It fails with a TooWide where the tables would be too large.
func SumOut(factors []Factor, cards, hidden []int) ([]Factor, error) {
	var kept, summed []Factor
	for _, f := range factors {
		if slices.ContainsFunc(f.Scope, func(v int) bool { return slices.Contains(hidden, v) }) {
			summed = append(summed, f)
		} else {
			kept = append(kept, f)
		}
	}
	tables := tablesOf(summed, cards)
	steps, err := plan(scopesOf(tables), cards, hidden)
	if err != nil {
		return nil, err
	}
	_, rest := forwards(tables, cards, steps)
	for _, t := range rest {
		kept = append(kept, t.factors()...)
	}
	return kept, nil
}

// severalValued returns the variables of more than one value.
func severalValued(cards []int) (list []int) {
	for v, n := range cards {
		if n > 1 {
			list = append(list, v)
		}
	}
	return list
}

// width returns the width of an order: one less than the number of variables of the largest table.
func width(steps []step) (width int) {
	for _, s := range steps {
		width = max(width, len(s.scope)-1)
	}
	return width
}

// table is a factor of Wide numbers.
type table struct {
	scope  []int
	values []number.Wide
}

// tablesOf returns factors as tables, without their variables of one value, which change neither the number of entries nor their order.
func tablesOf(factors []Factor, cards []int) []table {
	tables := make([]table, len(factors))
	for i, f := range factors {
		t := table{values: make([]number.Wide, len(f.Values))}
		for _, v := range f.Scope {
			if cards[v] > 1 {
				t.scope = append(t.scope, v)
			}
		}
		for k, v := range f.Values {
			t.values[k] = number.Scaled(v, 0)
		}
		tables[i] = t
	}
	return tables
}

func scopesOf(tables []table) [][]int {
	scopes := make([][]int, len(tables))
	for i, t := range tables {
		scopes[i] = t.scope
	}
	return scopes
}

// factors returns the table as factors of float64. The first has all digits, and the others are powers of two.
func (t table) factors() []Factor {
	first := Factor{Scope: t.scope, Values: make([]float64, len(t.values))}
	left := make([]int, len(t.values)) // the powers of 2^512 that no factor has yet
	for i, v := range t.values {
		first.Values[i], left[i] = v.M, v.E
	}
	all := []Factor{first}
	for slices.ContainsFunc(left, func(e int) bool { return e != 0 }) {
		next := Factor{Scope: t.scope, Values: make([]float64, len(left))}
		for i, e := range left {
			next.Values[i] = math.Ldexp(1, 512*max(-1, min(1, e)))
			left[i] -= max(-1, min(1, e))
		}
		all = append(all, next)
	}
	return all
}

// walk goes through the entries of a table over a scope, and calls visit with the number of each and with the number of the entry of the same
// configuration in a table over some of these variables, the inner ones, in any order.
func walk(scope, inner, cards []int, visit func(i, at int)) {
	strides, size := make([]int, len(scope)), 1
	for k := len(inner) - 1; k >= 0; k-- {
		strides[slices.Index(scope, inner[k])] = size
		size *= cards[inner[k]]
	}
	n := 1
	for _, v := range scope {
		n *= cards[v]
	}
	at, configuration := 0, make([]int, len(scope))
	for i := range n {
		visit(i, at)
		for k := len(scope) - 1; k >= 0; k-- {
			at += strides[k]
			if configuration[k]++; configuration[k] < cards[scope[k]] {
				break
			}
			at -= configuration[k] * strides[k]
			configuration[k] = 0
		}
	}
}

// clique is what a step leaves for the way backwards.
type clique struct {
	step
	parent int       // the step whose table has all variables of the message of this one, which is later; -1 where the message has none
	p      []float64 // the probabilities of the variable given the others of the scope, and after the way backwards of the whole scope
}

// forwards takes the steps: each multiplies all tables that its variable is in, and sums the product over it, which is a table for a later
// step. It returns what the way backwards needs, and the tables that are left.
func forwards(tables []table, cards []int, steps []step) (cliques []clique, rest []table) {
	at := make([]int, len(cards)) // the step of each variable
	for v := range at {
		at[v] = len(steps)
	}
	for i, s := range steps {
		at[s.variable] = i
	}
	turn := func(scope []int) int { // the step that takes a table over the scope
		first := len(steps)
		for _, v := range scope {
			first = min(first, at[v])
		}
		return first
	}
	waiting := make([][]table, len(steps)+1)
	for _, t := range tables {
		waiting[turn(t.scope)] = append(waiting[turn(t.scope)], t)
	}
	for i, s := range steps {
		p, message := eliminate(s, waiting[i], cards)
		waiting[i] = nil
		to := turn(message.scope)
		waiting[to] = append(waiting[to], message)
		c := clique{step: s, parent: to, p: p}
		if to == len(steps) {
			c.parent = -1
		}
		cliques = append(cliques, c)
	}
	return cliques, waiting[len(steps)]
}

// eliminate takes a step: it returns the product of the tables summed over the variable of the step, and the conditional probabilities of the
// values of the variable, which are zero where all are impossible.
func eliminate(s step, tables []table, cards []int) (p []float64, message table) {
	product := make([]number.Wide, s.entries)
	for i := range product {
		product[i] = number.Wide{M: 1}
	}
	for _, t := range tables {
		walk(s.scope, t.scope, cards, func(i, at int) { product[i] = product[i].Mul(t.values[at]) })
	}
	n := cards[s.variable]
	message = table{s.scope[:len(s.scope)-1], make([]number.Wide, s.entries/n)}
	for i, v := range product {
		message.values[i/n] = message.values[i/n].Add(v)
	}
	p = make([]float64, s.entries)
	for i, v := range product {
		if total := message.values[i/n]; total.M > 0 {
			p[i] = v.Div(total).Float()
		}
	}
	return p, message
}

// backwards turns the conditional probabilities of the cliques into those of their whole scopes, from the last to the first, and returns the
// marginal distribution of each variable. A variable that was not eliminated has one value.
func backwards(cliques []clique, cards []int) [][]float64 {
	marginals := make([][]float64, len(cards))
	for v := range marginals {
		marginals[v] = []float64{1}
	}
	for i := len(cliques) - 1; i >= 0; i-- {
		c := &cliques[i]
		n := cards[c.variable]
		if c.parent >= 0 {
			above := cliques[c.parent]
			others := make([]number.Sum, c.entries/n)
			walk(above.scope, c.scope[:len(c.scope)-1], cards, func(i, at int) { others[at].Add(above.p[i]) })
			for k := range c.p {
				c.p[k] *= others[k/n].Value()
			}
		}
		sums := make([]number.Sum, n)
		for k, p := range c.p {
			sums[k%n].Add(p)
		}
		marginals[c.variable] = make([]float64, n)
		for k := range sums {
			marginals[c.variable][k] = sums[k].Value()
		}
	}
	return marginals
}
