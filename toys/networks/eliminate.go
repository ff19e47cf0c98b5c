package networks

import (
	"context"
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
// configurations does not matter: time and memory are in proportion to the tables of the order. No number under- or overflows, since they are Wide
// wherever they could, and nothing is subtracted. It fails with a TooWide where the tables would be too large, and between two steps where the
// context has ended.
//
// Source: Dechter 1999, Bucket elimination; the way backwards is that of Lauritzen and Spiegelhalter 1988.
func Infer(ctx context.Context, factors []Factor, cards []int) (*Inference, error) {
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
	cliques, rest, err := forwards(ctx, tables, cards, steps)
	if err != nil {
		return nil, err
	}
	z := number.Wide{M: 1}
	for _, t := range rest {
		z = z.Mul(t.at(0))
	}
	if f.LogZ = z.Log(); z.M > 0 {
		f.Marginals, err = backwards(ctx, cliques, cards)
	}
	return f, err
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
	_, rest, err := forwards(context.Background(), tables, cards, steps)
	if err != nil {
		return nil, err
	}
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

// table is a factor. Its numbers are values times scale, none of them above 1, or wide where they are too far apart for that.
type table struct {
	scope  []int
	values []float64
	scale  number.Wide // a power of two
	least  int         // the binary exponent of the smallest of values that is not zero
	wide   []number.Wide
}

// leastExponent bounds below how small a product of values may be that is computed without Wide: nothing is lost then in it, nor in its share of a
// sum.
const leastExponent = -900

// newTable returns the table of the numbers that at returns.
func newTable(scope []int, n int, at func(i int) number.Wide) table {
	low, high := math.MaxInt, math.MinInt
	for i := range n {
		if v := at(i); v.M > 0 {
			e := 512*v.E + math.Ilogb(v.M)
			low, high = min(low, e), max(high, e)
		}
	}
	if low > high { // all are zero
		low, high = 0, 0
	}
	high++ // the power of two above them
	t := table{scope: scope, scale: powerOfTwo(high), least: low - high}
	if t.least < leastExponent {
		t.wide = make([]number.Wide, n)
		for i := range t.wide {
			t.wide[i] = at(i)
		}
		return t
	}
	t.values = make([]float64, n)
	for i := range t.values {
		t.values[i] = at(i).Div(t.scale).Float()
	}
	return t
}

func powerOfTwo(e int) number.Wide { return number.Scaled(math.Ldexp(1, e%512), e/512) }

// at returns an entry.
func (t *table) at(i int) number.Wide {
	if t.wide != nil {
		return t.wide[i]
	}
	return number.Scaled(t.values[i], 0).Mul(t.scale)
}

// len returns the number of entries.
func (t *table) len() int { return max(len(t.values), len(t.wide)) }

// tablesOf returns factors as tables, without their variables of one value, which change neither the number of entries nor their order.
func tablesOf(factors []Factor, cards []int) []table {
	tables := make([]table, len(factors))
	for i, f := range factors {
		var scope []int
		for _, v := range f.Scope {
			if cards[v] > 1 {
				scope = append(scope, v)
			}
		}
		tables[i] = newTable(scope, len(f.Values), func(k int) number.Wide { return number.Scaled(f.Values[k], 0) })
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
	first := Factor{Scope: t.scope, Values: make([]float64, t.len())}
	left := make([]int, t.len()) // the powers of 2^512 that no factor has yet
	for i := range left {
		v := t.at(i)
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

// runLength is how many entries of a run of a table are looked for at once, about.
const runLength = 256

// walk goes through the entries of a table over a scope in runs, and calls visit with the number of the first of each run. The entry j of a run
// belongs to the entry at+run[j], of the same configuration, in a table over some of these variables, the inner ones, in any order.
func walk(scope, inner, cards []int, visit func(first, at int, run []int)) {
	strides, size := make([]int, len(scope)), 1
	for k := len(inner) - 1; k >= 0; k-- {
		strides[slices.Index(scope, inner[k])] = size
		size *= cards[inner[k]]
	}
	run, outer := []int{0}, len(scope) // the variables from outer on make a run
	for outer > 0 && len(run) < runLength {
		outer--
		var longer []int
		for c := range cards[scope[outer]] {
			for _, at := range run {
				longer = append(longer, at+c*strides[outer])
			}
		}
		run = longer
	}
	n := int(entries(scope[:outer], cards))
	at, configuration := 0, make([]int, outer)
	for i := range n {
		visit(i*len(run), at, run)
		for k := outer - 1; k >= 0; k-- {
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
func forwards(ctx context.Context, tables []table, cards []int, steps []step) (cliques []clique, rest []table, err error) {
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
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
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
	return cliques, waiting[len(steps)], nil
}

// eliminate takes a step: it returns the product of the tables summed over the variable of the step, and the conditional probabilities of the
// values of the variable, which are zero where all are impossible. Numbers are Wide where the product may be out of the range of float64;
// elsewhere these would be the same numbers, with the same roundings.
func eliminate(s step, tables []table, cards []int) (p []float64, message table) {
	least, scale := 0, number.Wide{M: 1}
	for _, t := range tables {
		least += t.least
		scale = scale.Mul(t.scale)
	}
	if least < leastExponent {
		return eliminateWide(s, tables, cards)
	}
	n := cards[s.variable]
	p, sums := make([]float64, int(s.entries)), make([]float64, int(s.entries)/n)
	if len(tables) == 0 {
		tables = []table{{values: []float64{1}}}
	}
	for i, t := range tables {
		walk(s.scope, t.scope, cards, func(first, at int, run []int) {
			part, values := p[first:first+len(run)], t.values[at:]
			if i == 0 {
				for j, k := range run {
					part[j] = values[k]
				}
				return
			}
			for j, k := range run {
				part[j] *= values[k]
			}
		})
	}
	for k := range sums {
		part := p[k*n : (k+1)*n]
		for _, v := range part {
			sums[k] += v
		}
		for j := range part {
			if sums[k] > 0 {
				part[j] /= sums[k]
			}
		}
	}
	return p, newTable(s.scope[:len(s.scope)-1], len(sums), func(i int) number.Wide { return number.Scaled(sums[i], 0).Mul(scale) })
}

// eliminateWide is eliminate in Wide numbers.
func eliminateWide(s step, tables []table, cards []int) (p []float64, message table) {
	product := slices.Repeat([]number.Wide{{M: 1}}, int(s.entries))
	for _, t := range tables {
		walk(s.scope, t.scope, cards, func(first, at int, run []int) {
			for j, k := range run {
				product[first+j] = product[first+j].Mul(t.at(at + k))
			}
		})
	}
	n := cards[s.variable]
	sums := make([]number.Wide, len(product)/n)
	for i, v := range product {
		sums[i/n] = sums[i/n].Add(v)
	}
	p = make([]float64, len(product))
	for i, v := range product {
		if total := sums[i/n]; total.M > 0 {
			p[i] = v.Div(total).Float()
		}
	}
	return p, newTable(s.scope[:len(s.scope)-1], len(sums), func(i int) number.Wide { return sums[i] })
}

// backwards turns the conditional probabilities of the cliques into those of their whole scopes, from the last to the first, and returns the
// marginal distribution of each variable. A variable that was not eliminated has one value.
func backwards(ctx context.Context, cliques []clique, cards []int) ([][]float64, error) {
	marginals := make([][]float64, len(cards))
	for v := range marginals {
		marginals[v] = []float64{1}
	}
	for i := len(cliques) - 1; i >= 0; i-- {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c := &cliques[i]
		n := cards[c.variable]
		if c.parent >= 0 {
			above := cliques[c.parent]
			others := make([]number.Sum, len(c.p)/n)
			walk(above.scope, c.scope[:len(c.scope)-1], cards, func(first, at int, run []int) {
				for j, k := range run {
					others[at+k].Add(above.p[first+j])
				}
			})
			for k := range others {
				total := others[k].Value()
				for j := range n {
					c.p[k*n+j] *= total
				}
			}
		}
		sums := make([]number.Sum, n)
		for k := 0; k < len(c.p); k += n {
			for j, p := range c.p[k : k+n] {
				sums[j].Add(p)
			}
		}
		marginals[c.variable] = make([]float64, n)
		for k := range sums {
			marginals[c.variable][k] = sums[k].Value()
		}
	}
	return marginals, nil
}
