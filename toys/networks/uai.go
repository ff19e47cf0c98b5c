package networks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// What a UAI file may have at most. In such a file a short text may ask for much.
const (
	maxValues    = 1 << 16 // values of a variable
	maxVariables = 1 << 20
	maxTables    = 1 << 22
)

// ParseUAI reads a network from a text in the format of the UAI competitions, tokens apart by any
// white space. Lines that begin with "c ", and comments after # as aGrUM writes them, are skipped:
//
//	BAYES | MARKOV
//	the number of variables, and of the values of each
//	the number of tables, and for each its number of variables, and these, from 0
//	for each table its number of entries, and these, the last of its variables fastest
//
// Of a Bayesian network each variable is the last of exactly one table, which has its probabilities
// given the others; they must sum to one as ParseBIF says. The tables of a Markov network have any
// numbers from 0 on, and may have no variables. Variables are called x0, x1,... and their values 0,
// 1,....
//
// Errors name the line. Every count is compared with what is left of the text before anything is
// allocated.
//
// Source: the file formats of the UAI competitions of 2006 to 2022.
func ParseUAI(data []byte) (*Network, error) {
	text, err := selector.PlainText(data)
	if err != nil {
		return nil, err
	}
	u := &uai{numerals: newNumerals(string(text), "the network")}
	kind := u.nextToken()
	if u.err == nil && kind.text != "BAYES" && kind.text != "MARKOV" {
		u.failf(kind.line,
			"expected BAYES or MARKOV, found %q; write in the first line which of the two the network is",
			cut(kind.text))
	}
	u.variablesOf()
	u.scopesOf()
	u.tablesOf()
	if rest := u.rest(); u.err == nil && rest.text != "" {
		u.failf(rest.line,
			"expected the end of the file behind the last of %s, found %q; is the number of tables too small?",
			selector.Count(len(u.factors), "table"), cut(rest.text))
	}
	switch {
	case u.err != nil:
		return nil, u.err
	case kind.text == "MARKOV":
		return &Network{Variables: u.variables, Factors: u.factors}, nil
	}
	return u.bayes()
}

// uai reads a network.
type uai struct {
	numerals
	variables []Variable
	factors   []Factor
	lines     []int // where the scope of each factor stands
	at        []int // where its table begins
}

// variablesOf reads how many variables there are, and how many values each has.
func (u *uai) variablesOf() {
	n := u.readCount("the number of variables", 1, maxVariables, 1)
	cards := make([]int, 0, n)
	most := 0
	for v := range n {
		cards = append(cards, u.readWhole(fmt.Sprintf("the number of values of variable %d", v), 1, maxValues))
		most = max(most, cards[v])
		if u.err != nil {
			return
		}
	}
	labels := make([]string, most) // which all variables share
	for i := range labels {
		labels[i] = strconv.Itoa(i)
	}
	for v, k := range cards {
		u.variables = append(u.variables, Variable{Name: "x" + strconv.Itoa(v), Labels: labels[:k:k]})
	}
}

// scopesOf reads how many tables there are, and of which variables.
func (u *uai) scopesOf() {
	m := u.readCount("the number of tables", 0, maxTables, 3)
	u.factors = make([]Factor, 0, m)
	for i := range m {
		size := u.readCount(fmt.Sprintf("the number of variables of table %d", i+1), 0, maxScope, 1)
		u.lines = append(u.lines, u.line)
		if u.err != nil {
			return
		}
		scope := make([]int, 0, size)
		for range size {
			v := u.readWhole("the number of a variable", 0, len(u.variables)-1)
			if u.err == nil && slices.Contains(scope, v) {
				u.failf(u.line, "variable %d stands twice in the scope of table %d; name each once", v, i+1)
			}
			scope = append(scope, v)
		}
		u.factors = append(u.factors, Factor{Scope: scope})
	}
}

// tablesOf reads the entries of all tables.
func (u *uai) tablesOf() {
	entries := 0
	for i := range u.factors {
		f := &u.factors[i]
		size := 1.0
		for _, v := range f.Scope {
			size *= float64(len(u.variables[v].Labels))
		}
		n := u.readWhole(fmt.Sprintf("the number of entries of table %d", i+1), 0, maxNumbers)
		u.at = append(u.at, u.line)
		switch {
		case u.err != nil:
			return
		case float64(n) != size:
			u.failf(u.line,
				"table %d has %d entries, and its variables (%s) have %.15g configurations; make the two agree",
				i+1, n, u.joinNames(f.Scope), size)
		case !u.hasTokens(n):
			u.failf(u.line, "table %d has %d entries, and the file ends before that; is it cut off?", i+1, n)
		case entries+n > maxNumbers:
			u.failf(u.line, "the tables up to %d have %d entries together; the limit is %d", i+1,
				entries+n, maxNumbers)
		}
		if u.err != nil {
			return
		}
		entries += n
		f.Values = make([]float64, n)
		for k := range f.Values {
			f.Values[k] = u.readEntry(i)
		}
	}
}

// readEntry reads an entry of a table.
func (u *uai) readEntry(table int) float64 {
	found := u.nextToken()
	v, err := parseValue(found.text)
	if err != nil {
		u.failf(found.line, "table %d: %v", table+1, err)
	}
	return v
}

func (u *uai) joinNames(scope []int) string {
	if len(scope) == 0 {
		return "none"
	}
	return listed(namesOf(u.variables, scope))
}

// bayes makes a Bayesian network of tables of which each is that of its last variable.
func (u *uai) bayes() (*Network, error) {
	laws := make([]law, len(u.factors))
	seen := make([]int, len(u.variables))
	for i, f := range u.factors {
		if len(f.Scope) == 0 {
			return nil, mistakef(u.lines[i],
				"table %d has no variables, and in a Bayesian network each table has its child last; "+
					"write MARKOV in the first line if the tables are not probabilities",
				i+1)
		}
		last := len(f.Scope) - 1
		l := law{child: f.Scope[last], parents: f.Scope[:last], values: f.Values, line: u.lines[i]}
		seen[l.child]++
		if seen[l.child] > 1 {
			return nil, mistakef(u.lines[i],
				"%s is the last variable of a second table, and in a Bayesian network each variable is "+
					"that of one, which has its probabilities; write MARKOV in the first line if the "+
					"tables are not probabilities",
				u.variables[l.child].Name)
		}
		l.lines = make([]int32, len(f.Values)/len(u.variables[l.child].Labels))
		for c := range l.lines {
			l.lines[c] = int32(u.at[i])
		}
		laws[i] = l
	}
	if v := slices.Index(seen, 0); v >= 0 {
		return nil,
			errs.New("%s is the last variable of no table, and in a Bayesian network each variable is that of "+
				"one, which has its probabilities; write MARKOV in the first line if the tables are "+
				"no probabilities",
				u.variables[v].Name)
	}
	return newBayes(u.variables, laws)
}

// numeral is a token of the formats of the UAI competitions.
type numeral struct {
	text string // empty at the end of the text
	line int
}

// numerals reads the tokens of a text, apart by any white space, without lines that begin with "c "
// and what stands behind #. The first mistake ends the text: it is
// kept, and whatever is read after it is nothing.
type numerals struct {
	text string
	of   string // what the text describes, for messages
	at   int    // the byte that is read next
	line int    // the line of the last token, from 1
	err  error
}

func newNumerals(text, of string) numerals { return numerals{text: text, of: of, line: 1} }

func (s *numerals) failf(line int, format string, values ...any) {
	if s.err == nil {
		s.err = mistakef(line, format, values...)
		s.at = len(s.text)
	}
}

// white is the space between tokens.
const white = " \t\n\r\v\f"

// rest reads a token, which is empty at the end of the text.
func (s *numerals) rest() numeral {
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case c == '\n':
			s.line++
			s.at++
		case strings.IndexByte(white, c) >= 0:
			s.at++
		case c == 'c' && s.comment(), c == '#':
			s.at += index(s.text[s.at:], "\n")
		default:
			start := s.at
			s.at += indexAny(s.text[s.at:], white)
			return numeral{s.text[start:s.at], s.line}
		}
	}
	return numeral{line: s.line}
}

// comment reports whether a comment begins at this place: the letter c at the beginning of a line,
// with a blank behind it or nothing.
func (s *numerals) comment() bool {
	begins := s.at == 0 || s.text[s.at-1] == '\n'
	return begins && (s.at+1 == len(s.text) || strings.IndexByte(white, s.text[s.at+1]) >= 0)
}

// indexAny returns where the first of some characters stands in a text, and the length of the text
// if none does.
func indexAny(text, chars string) int {
	if i := strings.IndexAny(text, chars); i >= 0 {
		return i
	}
	return len(text)
}

// nextToken reads a token, and fails at the end of the text.
func (s *numerals) nextToken() numeral {
	found := s.rest()
	if found.text == "" {
		s.failf(found.line, "the file ends within %s; is it cut off?", s.of)
	}
	return found
}

// readWhole reads a whole number, of which the argument says what it is.
func (s *numerals) readWhole(what string, low, high int) int {
	found := s.nextToken()
	if s.err != nil {
		return low
	}
	v, err := strconv.Atoi(found.text)
	switch {
	case err != nil:
		s.failf(found.line, "expected %s, a whole number from %d to %d, found %q", what, low, high,
			cut(found.text))
	case v < low || v > high:
		s.failf(found.line, "%s is %d; it is from %d to %d", what, v, low, high)
	default:
		return v
	}
	return low
}

// readCount reads a number of things of which each takes that many tokens at least.
func (s *numerals) readCount(what string, low, high, tokens int) int {
	v := s.readWhole(what, low, high)
	if s.err == nil && !s.hasTokens(v*tokens) {
		s.failf(s.line, "%s is %d, and the file ends before that; is it cut off, or the number wrong?", what, v)
	}
	if s.err != nil {
		return low
	}
	return v
}

// hasTokens reports whether the text may have that many more tokens.
func (s *numerals) hasTokens(tokens int) bool { return tokens <= (len(s.text)-s.at+1)/2 }
