package networks

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/number"
	"breadboard/chains/selector"
)

const (
	// nearSum is the distance of a sum of probabilities from one up to which they are taken as they
	// are.
	nearSum = 1e-9
	// farSum is the distance up to which they are divided by their sum, since printed numbers are
	// rounded. Beyond it they are an error.
	farSum = 1e-3
)

// columnSum returns the sum of probabilities and how far it misses one.
func columnSum(column []float64) (sum, off float64) {
	sum = number.Total(column)
	return sum, math.Abs(sum - 1)
}

// newBayes makes a network of the probabilities of its variables, of which each has one
// distribution. It fails if they do not sum to one, and if a variable is its own ancestor.
func newBayes(variables []Variable, laws []law) (*Network, error) {
	n := &Network{Variables: variables, Bayes: true, Factors: make([]Factor, len(variables))}
	var rounded roundings
	var ambiguous []string
	lines := make([]int, len(variables))
	cards := n.Cards()
	for _, l := range laws {
		if err := rounded.normalise(variables, &l); err != nil {
			return nil, err
		}
		if l.other {
			ambiguous = append(ambiguous, variables[l.child].Name)
		}
		lines[l.child] = l.line
		n.Factors[l.child] = ascending(l, cards)
	}
	if cycle := n.cycle(); cycle != nil {
		return nil, mistakef(lines[cycle[0]], "%s is its own ancestor, through %s; leave one of these parents away",
			variables[cycle[0]].Name, n.arrows(cycle))
	}
	n.Notes = rounded.notes()
	n.empty, _ = n.reachableColumns(rounded.empty, slices.Repeat([]int{Unseen}, len(cards)))
	if n.empty != nil { // Format.Parse decides, given the evidence
		n.Bayes = false
		n.Notes = append(n.Notes, "without evidence they may, so that the network has no prior")
	}
	if ambiguous != nil {
		n.Notes = append(n.Notes,
			fmt.Sprintf("the columns of the table of %s sum to one with the child slowest, as BIF has it and as "+
				"they are read, and with the child fastest too; if that is how they are written add "+
				":table=child-fastest to the selector",
				listed(ambiguous)))
	}
	return n, nil
}

// ascending returns the factor of a distribution, whose parents stand in ascending order.
func ascending(l law, cards []int) Factor {
	scope := append(slices.Sorted(slices.Values(l.parents)), l.child)
	f := Factor{Scope: scope, Values: make([]float64, len(l.values))}
	strides := map[int]int{}
	size := 1
	for _, v := range append([]int{l.child}, reversed(l.parents)...) {
		strides[v], size = size, size*cards[v]
	}
	for i := range f.Values {
		rest := i
		at := 0
		for _, v := range reversed(scope) {
			at += rest % cards[v] * strides[v]
			rest /= cards[v]
		}
		f.Values[i] = l.values[at]
	}
	return f
}

// reversed returns a list from its end to its beginning.
func reversed(list []int) []int {
	turned := slices.Clone(list)
	slices.Reverse(turned)
	return turned
}

// roundings are the columns of tables that were divided by their sum.
type roundings struct {
	columns int
	worst   float64 // how far the sum of one missed one
	where   string  // which it is
	empty   []emptyColumn
}

// emptyColumn is a column of zeros, which is filled with equal probabilities: if its parents cannot
// have these values, any do.
type emptyColumn struct {
	child         int
	parents       []int
	configuration int
	line          int
	where         string
}

// reachableColumns returns, of the given columns of zeros, those of each variable whose parents can
// have the values of at least one of its columns, given evidence. Such a column is the first of its
// variable. Where this takes too much to find out, the columns are in the list, with an error.
//
// Any values of the child go with the values of its parents, since its column is filled; only what
// is above these or above evidence matters.
func (n *Network) reachableColumns(columns []emptyColumn, evidence []int) (list []emptyColumn, err error) {
	if columns == nil {
		return nil, nil
	}
	possible := n.possible(evidence)
	cards := n.Cards()
	columns = slices.DeleteFunc(slices.Clone(columns), func(e emptyColumn) (impossible bool) {
		rest := e.configuration
		for _, v := range reversed(e.parents) {
			impossible = impossible || !possible[v][rest%cards[v]]
			rest /= cards[v]
		}
		return impossible
	})
	q := &Query{Network: &Network{Variables: n.Variables}, Evidence: evidence}
	for len(columns) > 0 {
		first := columns[0]
		count := 0
		given := Factor{Scope: first.parents, Values: make([]float64, int(entries(first.parents, cards)))}
		for ; count < len(columns) && columns[count].child == first.child; count++ {
			given.Values[columns[count].configuration] = 1
		}
		var found *Inference
		var failed error
		for _, some := range [][]int{first.parents, n.withAncestors(slices.Concat(first.parents, q.Seen()))} {
			// the factors of the parents alone rule out most columns, whatever the network
			q.Factors = []Factor{given}
			for _, v := range some {
				q.Factors = append(q.Factors, n.Factors[v])
			}
			found, failed = q.Product(context.Background(), q.Clamped(), Outputs{Best: true})
			if failed == nil && found.Best == nil {
				break
			}
		}
		if failed != nil {
			err = mistakef(first.line,
				"the probabilities of %s sum to 0, and whether its parents can have these values is not known: %v",
				first.where, failed)
		} else if found.Best != nil {
			configuration := 0
			for _, v := range first.parents {
				configuration = configuration*cards[v] + max(found.Best[v], evidence[v])
			}
			i := slices.IndexFunc(columns, func(e emptyColumn) bool { return e.configuration == configuration })
			columns[0], columns[i] = columns[i], first
		}
		if failed != nil || found.Best != nil {
			list = append(list, columns[:count]...)
		}
		columns = columns[count:]
	}
	return list, err
}

// withAncestors returns variables and all their ancestors.
func (n *Network) withAncestors(variables []int) (all []int) {
	seen := make([]bool, len(n.Variables))
	for len(variables) > 0 {
		v := variables[0]
		variables = variables[1:]
		if !seen[v] {
			seen[v], all, variables = true, append(all, v), append(variables, n.Parents(v)...)
		}
	}
	return all
}

// possible returns for each variable which of its values may have a probability above zero, given
// evidence. Some that cannot may be among them.
func (n *Network) possible(evidence []int) [][]bool {
	const passes = 64
	cards := n.Cards()
	possible := make([][]bool, len(cards))
	for v, k := range cards {
		possible[v] = slices.Repeat([]bool{evidence[v] == Unseen}, k)
		if evidence[v] != Unseen {
			possible[v][evidence[v]] = true
		}
	}
	for range passes {
		changed := false
		for _, f := range n.Factors {
			backwards := reversed(f.Scope)
			now := make([][]bool, len(backwards))
			for k, w := range backwards {
				now[k] = make([]bool, cards[w])
			}
			values := make([]int, len(backwards))
			for i, p := range f.Values {
				can := p > 0
				rest := i
				for k, w := range backwards {
					values[k], rest = rest%cards[w], rest/cards[w]
					can = can && possible[w][values[k]]
				}
				for k, value := range values {
					now[k][value] = now[k][value] || can
				}
			}
			for k, w := range backwards {
				changed = changed || !slices.Equal(now[k], possible[w])
				possible[w] = now[k]
			}
		}
		if !changed {
			break
		}
	}
	return possible
}

// normalise divides columns that miss one by a rounding by their sum, and fails if one misses it by
// more.
func (r *roundings) normalise(variables []Variable, l *law) error {
	k := len(variables[l.child].Labels)
	for c := range l.lines {
		column := l.values[c*k : (c+1)*k]
		sum, off := columnSum(column)
		if off <= nearSum {
			continue
		}
		where := variables[l.child].Name
		if len(l.parents) > 0 {
			where += " given " + configurationOf(variables, l.parents, c)
		}
		if sum == 0 && len(l.parents) > 0 {
			for i := range column {
				column[i] = 1 / float64(k)
			}
			r.empty = append(r.empty, emptyColumn{l.child, l.parents, c, int(l.lines[c]), where})
			continue
		}
		if off > farSum {
			return mistakef(int(l.lines[c]),
				"the probabilities of %s sum to %.6g; make them sum to 1, within %v", where, sum, farSum)
		}
		for i := range column {
			column[i] /= sum
		}
		r.columns++
		if off > r.worst {
			r.worst, r.where = off, fmt.Sprintf("%s, in line %d", where, l.lines[c])
		}
	}
	return nil
}

// notes says that columns were divided by their sum.
func (r *roundings) notes() []string {
	var notes []string
	if r.empty != nil {
		notes = append(notes, fmt.Sprintf(
			"%s of probabilities have zeros alone (%s), which has no effect, since the parents cannot "+
				"have these values",
			selector.Count(len(r.empty), "column"),
			r.empty[0].where,
		))
	}
	if r.columns == 0 {
		return notes
	}
	return append(notes,
		fmt.Sprintf("%s of probabilities did not sum to one and were divided by their sum, the worst missed it by "+
			"%.2g (%s); log p(e) may move by as much for each",
			selector.Count(r.columns, "column"), r.worst, r.where))
}

// cycle returns variables of which each is a parent of the next, and the last of the first, and nil
// if there are none.
func (n *Network) cycle() []int {
	const (
		unseen = iota
		open
		done
	)
	state := make([]int, len(n.Variables))
	for root := range n.Variables {
		path := []int{} // of variables that are open, each a parent of the one before
		next := []int{} // which parent of each is looked at next
		push := func(v int) { state[v], path, next = open, append(path, v), append(next, 0) }
		if state[root] == unseen {
			push(root)
		}
		for len(path) > 0 {
			v := path[len(path)-1]
			last := len(path) - 1
			parents := n.Factors[v].Scope[:len(n.Factors[v].Scope)-1]
			if next[last] == len(parents) {
				state[v], path, next = done, path[:last], next[:last]
				continue
			}
			parent := parents[next[last]]
			next[last]++
			switch state[parent] {
			case unseen:
				push(parent)
			case open:
				return fromLeast(reversed(path[slices.Index(path, parent):]))
			}
		}
	}
	return nil
}

// fromLeast returns the same cycle from its least variable on.
func fromLeast(cycle []int) []int {
	i := slices.Index(cycle, slices.Min(cycle))
	return slices.Concat(cycle[i:], cycle[:i])
}

func (n *Network) arrows(cycle []int) string {
	names := namesOf(n.Variables, append(slices.Clone(cycle), cycle[0]))
	if len(names) > 13 {
		names = append(append(names[:6:6], "..."), names[len(names)-6:]...)
	}
	return strings.Join(names, " -> ")
}
