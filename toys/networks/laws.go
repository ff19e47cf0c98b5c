package networks

import (
	"slices"

	"breadboard/chains/number"
)

// laws is a way backwards that computes the distribution of each variable, and that of the
// variables of each factor.
type laws struct {
	*tape
	// the distribution of the scope of the message of each step, where the step that takes it has
	// been visited
	messages  [][]float64
	marginals [][]float64
	joint     map[[2]int][]float64 // of pairs that stand in a factor; nil if they are not wanted
}

// visit takes a step backwards. The distribution of all variables of a step is that of its
// message's scope, which the step that has taken the message has computed, times the conditional
// distribution of the variable: the product of the tables divided by the message. It is computed
// for one value of the variable after the other.
func (l *laws) visit(i int) {
	s := &l.steps[i]
	in := l.incoming(i)
	n := l.cards[l.steps[i].variable]
	for _, j := range s.children {
		l.messages[j] = l.buffer(int(l.steps[j].size))
	}
	factors := l.factorsOf(i)
	is, product := narrow(in)
	ratio := l.messages[i]
	part := l.buffer(int(s.size))
	if s.parent == len(l.steps) {
		ratio = []float64{1}
	}
	if is {
		l.divide(ratio, &l.tape.messages[i], product.scale)
	}
	l.marginals[s.variable] = make([]float64, n)
	for value := range n {
		if is {
			l.multiply(parts(in, value, n), s.scope, part)
			for k := range part {
				part[k] *= ratio[k]
			}
		} else {
			l.wideLaw(in, value, ratio, i, part)
		}
		l.project(part, s.scope, nil, l.marginals[s.variable][value:value+1])
		for _, j := range s.children {
			at := len(l.messages[j]) / n
			l.project(part, s.scope, l.steps[j].scope[1:], l.messages[j][value*at:][:at])
		}
		for _, f := range factors {
			at := len(f.values) / n
			l.project(part, s.scope, f.scope[1:], f.values[value*at:][:at])
		}
	}
	for _, f := range factors {
		l.sumToPairs(f)
	}
	l.release(part)
	l.release(l.messages[i])
	l.messages[i] = nil
}

// divide divides a distribution by a message, as it is in products of the scale. Where the message
// is zero the distribution is too.
func (l *laws) divide(law []float64, message *table, scale number.Wide) {
	if message.wide != nil {
		for k, p := range law {
			if p > 0 {
				law[k] = p / message.wide[k].Div(scale).Float()
			}
		}
		return
	}
	factor := message.scale.Div(scale).Float()
	for k, v := range message.values {
		if v > 0 {
			law[k] /= v * factor
		}
	}
}

// wideLaw computes a part of the distribution of a step in Wide numbers.
func (l *laws) wideLaw(in []table, value int, law []float64, i int, part []float64) {
	n := l.cards[l.steps[i].variable]
	for k, v := range l.wideProduct(in, l.steps[i].scope, func(one table) table { return one.sliceAt(value, n) }) {
		part[k] = 0
		if v.M > 0 {
			part[k] = law[k] * v.Div(l.tape.messages[i].entry(k)).Float()
		}
	}
}

// project sums a table over the variables of a scope that are not among the inner ones. Where many
// entries are added to one, sums are those of number.Sum.
func (l *laws) project(part []float64, scope, inner []int, into []float64) {
	const few = 64
	if len(part) <= few*len(into) {
		clear(into)
		walk(scope, inner, l.cards, func(first, at int, run []int) {
			for j, p := range part[first : first+len(run)] {
				into[at+run[j]] += p
			}
		})
		return
	}
	sums := make([]number.Sum, len(into))
	rough := make([]float64, len(into))
	walk(scope, inner, l.cards, func(first, at int, run []int) {
		if run[len(run)-1] > 0 {
			for j, p := range part[first : first+len(run)] {
				sums[at+run[j]].Add(p)
			}
			return
		}
		for _, p := range part[first : first+len(run)] { // the run belongs to one entry
			rough[at] += p
		}
		sums[at].Add(rough[at])
		rough[at] = 0
	})
	for k := range sums {
		into[k] = sums[k].Value()
	}
}

// factorsOf returns tables for the distributions of the variables of those factors that a step
// takes, and that have pairs whose distribution is not known yet.
func (l *laws) factorsOf(i int) (list []table) {
	if l.joint == nil {
		return nil
	}
	for _, f := range l.given[i] {
		fresh := false
		for k, v := range f.scope {
			for _, w := range f.scope[:k] {
				if pair := [2]int{min(v, w), max(v, w)}; l.joint[pair] == nil {
					l.joint[pair], fresh = []float64{}, true
				}
			}
		}
		if fresh {
			list = append(list, table{scope: f.scope, values: make([]float64, f.len())})
		}
	}
	return list
}

// sumToPairs sums the distribution of the variables of a factor to those of pairs, of which the
// first variable is slower.
func (l *laws) sumToPairs(f table) {
	for k, v := range f.scope {
		for _, w := range f.scope[:k] {
			pair := [2]int{min(v, w), max(v, w)}
			if len(l.joint[pair]) == 0 {
				l.joint[pair] = make([]float64, l.cards[v]*l.cards[w])
				l.project(f.values, f.scope, slices.Clone(pair[:]), l.joint[pair])
			}
		}
	}
}
