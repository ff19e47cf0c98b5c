package networks

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// law is what a block says of a child: its probabilities for each configuration of the parents, the
// last parent fastest, in entries of which the child is fastest.
type law struct {
	child   int
	parents []int
	values  []float64
	lines   []int32 // where the probabilities given each configuration stand; 0 if nothing has been said
	line    int     // where the block begins
	// whether the table has columns that sum to one in the other order too, and says something else
	// then
	other bool
}

func (b *bif) tables() {
	at := b.words
	for _, start := range b.probabilities {
		if at.err != nil {
			break
		}
		b.words = start
		b.probability()
		at = b.words
	}
	b.words = at
}

// probability reads a block from behind its keyword.
func (b *bif) probability() {
	l := b.header()
	if l == nil {
		return
	}
	var missing, table []float64 // what default and table say
	var from word                // the word default, or table
	for b.err == nil {
		switch found := b.nextWord(); {
		case found.is("}"):
			b.endBlock(l, from, missing, table)
			return
		case found.is("property"):
			b.property(found.line)
		case found.is("("):
			b.entry(l, found.line, table != nil)
		case found.is("default") && missing == nil && table == nil:
			from, missing = found, b.readNumbers(l, "default", len(b.variables[l.child].Labels))
		case found.is("table") && missing == nil && table == nil &&
			!slices.ContainsFunc(l.lines, func(line int32) bool { return line > 0 }):
			from, table = found, b.readNumbers(l, "table", len(l.values))
		case found.is("default"), found.is("table"):
			b.failf(found.line,
				"the probabilities of %s have %v beside what they have already; write either one table, "+
					"or entries with at most one default",
				b.variables[l.child].Name, found)
		default:
			b.wrong(found, fmt.Sprintf("(, table, default, property or } in the probabilities of %s",
				b.variables[l.child].Name),
				"write (VALUE, VALUE) 0.2, 0.8; for each configuration of the parents, or table with all numbers")
		}
	}
}

// header reads the child and its parents, and makes room for their table.
func (b *bif) header() *law {
	const cure = "write probability ( CHILD | PARENT, PARENT ) { ... }"
	line := b.line
	b.expect("(", cure)
	var names []string
	for b.err == nil {
		found := b.label()
		if found.is(")") {
			break
		}
		if !found.isName() {
			b.wrong(found, "the name of a variable", cure)
		}
		names = append(names, found.text)
	}
	b.expect("{", cure)
	if b.err == nil && names == nil {
		b.failf(line, "the probabilities have no variable; "+cure)
	}
	if b.err != nil {
		return nil
	}
	l, err := b.newLaw(line, names[0], names[1:])
	if err != nil && b.stray != nil {
		err = fmt.Errorf("%w%s", err, b.passed())
	}
	b.fail(err)
	return l
}

// entry reads the probabilities given one configuration of the parents from behind its parenthesis.
func (b *bif) entry(l *law, line int, table bool) {
	var values []word
	for b.err == nil {
		found := b.label()
		if found.is(")") {
			break
		}
		if !found.isName() {
			b.wrong(found, "a value of a parent or )", "write the values of all parents in parentheses")
		}
		values = append(values, found)
	}
	child := b.variables[l.child]
	switch configuration := b.configuration(l, values); {
	case b.err != nil:
	case len(l.parents) == 0:
		b.failf(line, "%s has no parents; write table and its probabilities instead of an entry", child.Name)
	case table:
		b.failf(line,
			"the probabilities of %s have an entry beside a table; write either one table, or entries "+
				"with at most one default",
			child.Name)
	case configuration < 0:
		b.failf(line, "the entry has %s, and %s has %s; write those of %s, in this order",
			selector.Count(len(values), "value"), child.Name,
			selector.Count(len(l.parents), "parent"), b.joinNames(l.parents))
	case l.lines[configuration] > 0:
		b.failf(line, "%s has a second entry given %s, the first is in line %d; leave one", child.Name,
			b.parentValues(l, configuration), l.lines[configuration])
	default:
		l.lines[configuration] = int32(line)
		k := len(child.Labels)
		copy(l.values[configuration*k:], b.readNumbers(l, "entry", k))
	}
}

// configuration returns which configuration of the parents an entry is about, and -1 if it does not
// have a value of each.
func (b *bif) configuration(l *law, values []word) (c int) {
	if len(values) != len(l.parents) {
		return -1
	}
	for i, found := range values {
		v := b.variables[l.parents[i]]
		value := b.valueOf(l.parents[i], found.text)
		if value < 0 {
			b.failf(found.line,
				"%v is not a value of %s, which has %s; an entry has the values of %s, in this order", found,
				v.Name, listed(v.Labels), b.joinNames(l.parents))
			return -1
		}
		c = c*len(v.Labels) + value
	}
	return c
}

// readNumbers reads numbers to the next semicolon.
func (b *bif) readNumbers(l *law, what string, count int) (numbers []float64) {
	line := b.line
	for b.err == nil {
		found := b.nextWord()
		if found.is(";") {
			break
		}
		if !found.isName() {
			b.wrong(found, "a probability or ;", fmt.Sprintf(
				"write a semicolon behind the numbers of the %s that begins in line %d",
				what,
				line,
			))
			return nil
		}
		v, err := probability(found.text)
		if err != nil {
			b.failf(found.line, "%v", err)
		}
		numbers = append(numbers, v)
		if len(numbers) > count {
			break
		}
	}
	if b.err == nil && len(numbers) != count {
		b.fail(b.miscounted(l, line, what, len(numbers), count))
	}
	return numbers
}

// probability reads a number from 0 to 1, without a sign.
func probability(text string) (float64, error) {
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		return 0, errs.New("%q has a sign; a probability is a number from 0 to 1, as 0.25", cut(text))
	}
	v, err := parseValue(text)
	if strings.EqualFold(text, "nan") { // as bnlearn writes a configuration that its data lack
		return 0, errs.New(
			"%s is not a probability; the data lack this configuration of the parents: write probabilities, "+
				"such as equal ones",
			text,
		)
	}
	if err == nil && v > 1 {
		err = errs.New("%s is above 1; a probability is a number from 0 to 1", text)
	}
	return v, err
}

// endBlock ends a block: it fills what default or a table gives, and fails if a configuration is
// missing.
func (b *bif) endBlock(l *law, from word, missing, table []float64) {
	k := len(b.variables[l.child].Labels)
	if table != nil {
		b.takeNumbers(l, from.line, table)
	}
	for c, line := range l.lines {
		switch {
		case line > 0:
		case missing == nil:
			b.failf(l.line, "%s", b.absent(l, c))
			return
		default:
			l.lines[c] = int32(from.line)
			copy(l.values[c*k:], missing)
		}
	}
	b.laws = append(b.laws, *l)
}

// absent says that there are no probabilities given a configuration.
func (b *bif) absent(l *law, configuration int) string {
	child := b.variables[l.child]
	if len(l.parents) == 0 {
		return fmt.Sprintf("%s has no probabilities; write table and %s in its block", child.Name,
			selector.Count(len(child.Labels), "number"))
	}
	return fmt.Sprintf("%s has no entry given %s; write one, or default with %s for all that have none",
		child.Name, b.parentValues(l, configuration),
		selector.Count(len(child.Labels), "number"))
}

// takeNumbers takes the numbers of a table in the order that was asked for, and fails if these are
// no probabilities and they are in the other one.
func (b *bif) takeNumbers(l *law, line int, table []float64) {
	for c := range l.lines {
		l.lines[c] = int32(line)
	}
	k := len(b.variables[l.child].Labels)
	standard := childFastest(table, k)
	l.values = standard
	other := table
	if b.order == ChildFastest {
		l.values = table
		other = standard
	}
	right := sumToOne(l.values, k)
	otherRight := sumToOne(other, k)
	switch {
	case !right && otherRight && b.order == ChildSlowest:
		b.failf(line,
			"the table of %s seems to be written with the child fastest, as in UAI files, since its "+
				"columns sum to one so and not in the order of BIF; add :table=child-fastest to the "+
				"selector if all tables of the file are",
			b.variables[l.child].Name)
	case !right && otherRight:
		b.failf(line,
			"the table of %s is in the order of BIF, as its columns sum to one so and not with the child "+
				"fastest; leave :table=child-fastest away",
			b.variables[l.child].Name)
	case right && otherRight && b.order == ChildSlowest:
		l.other = !slices.Equal(l.values, other)
	}
}

// sumToOne reports whether all columns of that many numbers sum to one.
func sumToOne(values []float64, k int) bool {
	for column := range slices.Chunk(values, k) {
		if _, off := columnSum(column); off > farSum {
			return false
		}
	}
	return true
}

// parentValues says which values the parents have in a configuration.
func (b *bif) parentValues(l *law, configuration int) string {
	return configurationOf(b.variables, l.parents, configuration)
}

// configurationOf writes which values variables have in a configuration of which the last is
// fastest, as a=yes, b=no.
func configurationOf(variables []Variable, scope []int, configuration int) string {
	texts := make([]string, len(scope))
	for i := len(scope) - 1; i >= 0; i-- {
		v := variables[scope[i]]
		texts[i] = v.Name + "=" + v.Labels[configuration%len(v.Labels)]
		configuration /= len(v.Labels)
	}
	return listed(texts)
}
