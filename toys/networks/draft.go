package networks

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"breadboard/chains/selector"
)

// draft is a Bayesian network of which a file is being read. Its blocks may stand in any order.
type draft struct {
	variables []Variable
	lines     []int                  // where each variable is declared
	numbers   map[string]int         // the number of each variable, by its name
	index     map[int]map[string]int // the number of each value by its name, of a variable with many
	child     map[int]int            // where the probabilities of each variable begin that has them
	laws      []law                  // what the blocks say, in their order
	entries   int                    // of all tables so far
	notes     []string
}

func newDraft() draft {
	return draft{numbers: map[string]int{}, index: map[int]map[string]int{}, child: map[int]int{}}
}

// declare adds a variable.
func (d *draft) declare(v Variable, line int, cure string) error {
	if first, twice := d.numbers[v.Name]; twice {
		return mistakef(line, "the variable %q is declared a second time, first in line %d; give each its own name",
			cut(v.Name), d.lines[first])
	}
	if len(v.Labels) == 0 {
		return mistakef(line, "the variable %q has no values; %s", cut(v.Name), cure)
	}
	seen := make(map[string]int, len(v.Labels))
	for i, label := range v.Labels {
		if _, twice := seen[label]; twice {
			return mistakef(line, "the variable %q has the value %q twice; give each value its own name",
				cut(v.Name), cut(label))
		}
		seen[label] = i
	}
	for _, name := range append([]string{v.Name}, v.Labels...) {
		if name == "" || hidden(name) {
			return mistakef(
				line,
				"%q, of the variable %q, is not a name; write each name with characters that are printed",
				cut(name),
				cut(v.Name),
			)
		}
	}
	if len(v.Labels) > fewValues {
		d.index[len(d.variables)] = seen
	}
	d.numbers[v.Name] = len(d.variables)
	d.variables, d.lines = append(d.variables, v), append(d.lines, line)
	return nil
}

// hidden reports whether a text has characters that are not printed or are no UTF-8.
func hidden(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError })
}

// fewValues is the number of values up to which one is looked for among all.
const fewValues = 16

// valueOf returns the number of a value of a variable, and -1 if there is none of this name.
func (d *draft) valueOf(v int, label string) int {
	index, many := d.index[v]
	if !many {
		return slices.Index(d.variables[v].Labels, label)
	}
	if i, is := index[label]; is {
		return i
	}
	return -1
}

// newLaw makes room for the probabilities of a child given its parents, in the order of a file.
func (d *draft) newLaw(line int, child string, parents []string) (*law, error) {
	if len(parents) >= maxScope {
		return nil, mistakef(line, "the block has more than %d variables; give the child fewer parents", maxScope)
	}
	var scope []int
	size := 1.0
	for _, name := range append([]string{child}, parents...) {
		v, known := d.numbers[name]
		switch {
		case !known:
			return nil, mistakef(line, "%v", selector.UnknownError("variable", cut(name), d.names()))
		case slices.Contains(scope, v):
			return nil, mistakef(line,
				"the variable %q stands twice in one block of probabilities; name the child first, and "+
					"each parent once",
				cut(name))
		}
		scope = append(scope, v)
		size *= float64(len(d.variables[v].Labels))
	}
	l := &law{line: line, child: scope[0], parents: scope[1:]}
	if first, twice := d.child[l.child]; twice {
		return nil, mistakef(line, "%s has probabilities in line %d already; leave one of the two blocks", child, first)
	}
	d.child[l.child] = line
	if size+float64(d.entries) > maxNumbers {
		return nil, mistakef(line,
			"the table of %s given %s has %.4g numbers, and all tables of a network together at most %d; "+
				"give it fewer parents",
			child, selector.Count(len(parents), "parent"), size, maxNumbers)
	}
	d.entries += int(size)
	l.values = make([]float64, int(size))
	l.lines = make([]int32, int(size)/len(d.variables[l.child].Labels))
	return l, nil
}

func (d *draft) names() (names []string) {
	for _, v := range d.variables {
		names = append(names, cut(v.Name))
	}
	return names
}

// miscounted says that a table or a part of one has too few or too many numbers.
func (d *draft) miscounted(l *law, line int, what string, has, count int) error {
	text := "has " + selector.Count(has, "number")
	if has > count {
		text = "has more than " + selector.Count(count, "number")
	}
	need := fmt.Sprintf("one for each value of %s (%s)", d.variables[l.child].Name, listed(d.variables[l.child].Labels))
	if what == "table" && len(l.parents) > 0 {
		need += " and each configuration of " + d.joinNames(l.parents)
	}
	return mistakef(line, "the %s %s; give %d, %s", what, text, count, need)
}

// childFastest turns a table of which the child, with k values, is slowest into one of which it is
// fastest.
func childFastest(table []float64, k int) []float64 {
	turned := make([]float64, len(table))
	configurations := len(table) / k
	for i, v := range table {
		turned[i%configurations*k+i/configurations] = v
	}
	return turned
}

// finish makes the network. It fails if a variable has no probabilities: the cure says how they are
// written, with %s for the variable.
func (d *draft) finish(cure string) (*Network, error) {
	for v, variable := range d.variables {
		if _, has := d.child[v]; !has {
			return nil, mistakef(
				d.lines[v],
				"the variable %s has no probabilities; write "+cure,
				variable.Name,
				variable.Name,
			)
		}
	}
	n, err := newBayes(d.variables, d.laws)
	if err == nil {
		n.Notes = append(n.Notes, d.notes...)
	}
	return n, err
}

func (d *draft) joinNames(list []int) string { return listed(namesOf(d.variables, list)) }

// namesOf returns the names of some of the variables.
func namesOf(variables []Variable, some []int) []string {
	names := make([]string, len(some))
	for i, v := range some {
		names[i] = variables[v].Name
	}
	return names
}
