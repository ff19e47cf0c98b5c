package networks

import (
	"fmt"
	"strconv"
	"strings"

	"breadboard/chains/selector"
)

// ParseBIF reads a Bayesian network from a text in the Interchange Format for Bayesian networks:
//
//	file        = { network | variable | probability | other } .
//	network     = "network" [ word ] "{" { property } "}" .
//	variable    = "variable" word "{" { property | type } "}" .
//	type        = "type" "discrete" "[" integer "]" "{" word { word } "}" [ ";" ] .
//	probability = "probability" "(" word { word } ")" "{" { property | entry | default | table } "}" .
//	entry       = "(" word { word } ")" number { number } ";" .
//	default     = "default" number { number } ";" .
//	table       = "table" number { number } ";" .
//	property    = "property" { any but ";" } ";" .
//
// Blanks, line ends, commas, bars and comments (from // to the end of the line, and between /* and
// */) separate the tokens. A word is anything but these, the marks { } ( ) [ ] ; and quotes, or
// what stands between two quotes in a line. Names may have brackets, and parentheses in pairs. Text
// between blocks is skipped. Blocks may be in any order. The first word of a probability is the
// child, the others are its parents.
//
// An entry has the values of the parents, by their names, and the probabilities of the values of
// the child; default has those for all configurations without an entry, wherever it stands. A table
// has all numbers, the child slowest and the last parent fastest, or in the order that is given.
// The probabilities given one configuration must sum to one within 1e-3, and if they miss it by
// more than 1e-9 they are divided by their sum, and the network has a note about this. Parents are
// in ascending order in the factors of the network.
//
// Errors name the line. Time and memory are proportional to the text and its tables. A table that
// is too large is an error before anything is allocated.
//
// Source: Cozman, The Interchange Format for Bayesian Networks, version 0.15, 1997; and what
// bnlearn, pgmpy, aGrUM and SamIam write.
func ParseBIF(data []byte, order TableOrder) (*Network, error) {
	text, err := selector.PlainText(data)
	if err != nil {
		return nil, err
	}
	b := &bif{words: words{text: string(text), line: 1}, draft: newDraft(), order: order}
	b.readBlocks()
	b.tables()
	if len(b.variables) == 0 {
		first, _, _ := strings.Cut(strings.TrimSpace(b.text), "\n")
		b.failf(b.line,
			"the file has no variables, each a block variable NAME { ... }%s; it begins with %q, and "+
				"breadboard help files says how to convert other formats",
			b.passed(), cut(first))
	}
	if b.err != nil {
		return nil, b.err
	}
	return b.finish("a block probability ( %s ) { ... }" + b.passed())
}

// What a variable and its type look like, for errors.
const (
	variableExample = "variable NAME { type discrete [ 2 ] { yes, no }; }"
	typeExample     = "type discrete [ 2 ] { yes, no };"
)

// bif reads a network: first its variables, and then the probabilities, which may stand before
// them.
type bif struct {
	words
	draft
	order         TableOrder
	probabilities []words // the places behind the word probability
	stray         *word   // the first word of a block whose keyword is none, which was passed over
}

// readBlocks reads the blocks of variables, and finds those of probabilities.
func (b *bif) readBlocks() {
	var before word // of the text between blocks
	for b.err == nil {
		found := b.other()
		switch {
		case found.kind == endOfText:
			return
		case found.is("network") && b.follows("{"):
			b.network()
		case found.is("variable") && b.follows("{"):
			b.variable()
		case found.is("probability") && b.follows("("):
			b.probabilities = append(b.probabilities, b.words)
			b.passProbability(found.line)
		case found.is("{") && b.stray == nil && before.kind == bare:
			stray := before
			b.stray = &stray
		case found.kind == bare && (before.kind != bare || before.line != found.line):
			before = found
		}
	}
}

// follows reports whether a mark comes next, or a name and then the mark, as behind a keyword that
// begins a block. What cannot be read is taken for a block, so that the mistake is reported.
func (b *bif) follows(mark string) bool {
	ahead := b.words
	first := ahead.label()
	return first.is(mark) || first.isName() && ahead.nextWord().is(mark) || ahead.err != nil
}

// network passes over the block that names the network.
func (b *bif) network() {
	found := b.nextWord()
	for !found.is("{") && b.err == nil {
		found = b.nextWord()
	}
	for b.err == nil {
		found = b.nextWord()
		switch {
		case found.is("}"):
			return
		case found.is("property"):
			b.property(found.line)
		default:
			b.wrong(found, "property or }", "a network has nothing but properties; write } at its end")
		}
	}
}

// variable reads a variable from behind its keyword.
func (b *bif) variable() {
	name := b.label()
	if !name.isName() || name.text == "" {
		b.wrong(name, "the name of a variable", "write "+variableExample)
	}
	b.expect("{", "write "+variableExample)
	v := Variable{Name: name.text}
	for b.err == nil {
		switch found := b.nextWord(); {
		case found.is("}"):
			b.fail(b.declare(v, name.line, "write "+typeExample+" in its block"))
			return
		case found.is("property"):
			b.property(found.line)
		case found.is("type") && v.Labels == nil:
			v.Labels = b.readValues(found.line)
		case found.is("type"):
			b.failf(found.line, "the variable %v has a second type; leave one", name)
		default:
			b.wrong(found, fmt.Sprintf("type, property or } in the variable %v", name), "write "+variableExample)
		}
	}
}

// readValues reads the names of the values from behind the word type.
func (b *bif) readValues(line int) (labels []string) {
	cure := "write " + typeExample + " with the number of values and their names"
	if kind := b.nextWord(); !kind.is("discrete") {
		b.wrong(kind, "discrete behind type", "variables have finitely many values; "+cure)
	}
	b.expect("[", cure)
	count := b.nextWord()
	b.expect("]", cure)
	b.expect("{", cure)
	for b.err == nil {
		found := b.label()
		if found.is("}") {
			break
		}
		if !found.isName() || found.text == "" {
			b.wrong(found, "the name of a value or }", cure)
		}
		labels = append(labels, found.text)
	}
	if k, err := strconv.Atoi(count.text); b.err == nil && (err != nil || k != len(labels) || k == 0) {
		b.failf(line, "the type says [%s] and has %s; write the number of the values in the brackets, at least 1",
			cut(count.text),
			selector.Count(len(labels), "value"))
	}
	if ahead := b.words; ahead.nextWord().is(";") {
		b.words = ahead
	}
	return labels
}

// passProbability passes over a block of probabilities, in which words may be values that are
// called like keywords.
func (b *bif) passProbability(line int) {
	for depth := 0; b.err == nil; {
		switch found := b.nextWord(); {
		case found.is("{"):
			depth++
		case found.is("}"):
			return
		case found.kind == endOfText:
			b.failf(line, "the block of probabilities that begins here has no end; write } behind it")
		case found.is("("):
			for b.err == nil && !found.is(")") && found.kind != endOfText {
				found = b.nextWord()
			}
		case found.is("property"):
			b.property(found.line)
		}
		if depth > 1 {
			b.failf(b.line,
				"there is a { within the block of probabilities that begins in line %d; write } at the "+
					"end of that block",
				line)
		}
	}
}

// passed says which block was passed over because its keyword is none.
func (b *bif) passed() string {
	if b.stray == nil {
		return ""
	}
	return fmt.Sprintf("; line %d begins a block with %v, which is not a keyword and was passed over: write network, "+
		"variable or probability",
		b.stray.line,
		b.stray)
}
