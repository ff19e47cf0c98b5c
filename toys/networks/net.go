package networks

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"breadboard/chains/selector"
)

// ParseNet reads a Bayesian network from a text in the NET language of Hugin, which SamIam,
// UnBBayes, aGrUM, pgmpy, GeNIe and gRain write too:
//
//	file      = { "net" "{" { field } "}" | "class" word "{" | node | potential | field | "}" } .
//	node      = [ "discrete" ] "node" word "{" { field | "states" "=" "(" word { word } ")" ";" } "}" .
//	potential = "potential" "(" word [ "|" { word } ] ")" "{" { field | "data" "=" numbers ";" } "}" .
//	numbers   = number | "(" { numbers } ")" .
//	field     = word "=" { any but ";" outside quotes } ";" .
//
// Comments begin with a percent sign. The numbers have the child fastest and the last parent before
// it; parentheses stand around all probabilities given one configuration, or around the whole
// table. A potential without numbers, or of ones alone, as Hugin writes an empty table, is uniform,
// which a note says. A text that is not UTF-8 is read as Latin-1, with a note. Nodes of other
// kinds, and tables given by an expression, are errors.
//
// Source: the NET language in the Hugin API Reference Manual; and what the programs above write.
func ParseNet(data []byte) (*Network, error) {
	h := hugin{draft: newDraft()}
	if _, err := selector.PlainText(data[:min(2, len(data))]); err != nil { // UTF-16
		return nil, err
	}
	if !utf8.Valid(data) {
		data = fromLatin1(data)
		h.notes = append(h.notes, "the text is no UTF-8 and was read as Latin-1")
	}
	data = bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n")) // older programs end lines so
	text, err := selector.PlainText(data)
	if err != nil {
		return nil, err
	}
	const marks = "{}()=;"
	h.words = words{dialect: dialect{marks: marks, label: marks, ignored: " \t\n\r\v\f,|", comment: "%", escapes: true}, text: string(text), line: 1}
	h.blocks()
	for _, start := range h.potentials {
		if h.err != nil {
			break
		}
		h.words = start
		h.potential()
	}
	if h.err == nil && len(h.variables) == 0 {
		h.failf(h.line, `the file has no nodes, each a block node NAME { states = ("yes" "no"); }; is it a network of Hugin's?`)
	}
	if h.err != nil {
		return nil, h.err
	}
	return h.finish("a block potential (%s) { data = (0.2 0.8); }")
}

// fromLatin1 returns a text of Latin-1 in UTF-8.
func fromLatin1(data []byte) []byte {
	text := make([]rune, len(data))
	for i, c := range data {
		text[i] = rune(c)
	}
	return []byte(string(text))
}

// hugin reads a network in the NET language: first its nodes, and then the potentials, which may
// stand before them.
type hugin struct {
	words
	draft
	potentials []words // the places behind the word potential
}

// blocks reads the nodes, and finds the potentials.
func (h *hugin) blocks() {
	for inside := 0; h.err == nil; {
		var head []word // the words before a mark
		found := h.next()
		for ; found.name(); found = h.next() {
			head = append(head, found)
		}
		switch {
		case head != nil && strings.HasPrefix(head[0].text, "#"):
			h.failf(head[0].line, "comments in NET begin with %%, and this line with #; write %% there")
		case found.kind == endOfText && head == nil && inside == 0:
			return
		case found.is("}") && head == nil && inside > 0:
			inside--
		case len(head) == 1 && found.is("="):
			h.value(found.line)
		case len(head) == 1 && head[0].is("potential") && found.is("("):
			h.potentials = append(h.potentials, h.words)
			for found = h.next(); found.name() || found.is(")"); found = h.next() {
			}
			h.fields(head[0].line, nil)
		case len(head) == 1 && head[0].is("net") && found.is("{"):
			h.fields(found.line, nil)
		case len(head) == 2 && head[0].is("class") && found.is("{"):
			inside++
		case len(head) > 1 && found.is("{"):
			h.node(head)
		default:
			h.wrong(append(head, found)[0], "a block of Hugin's",
				`write net { ... }, node NAME { ... } or potential (CHILD | PARENT PARENT) { ... }, each with } at its end`)
		}
	}
}

// fields reads the fields of a block to its end. Those that are not read are passed over.
func (h *hugin) fields(line int, read func(name word) bool) {
	for h.err == nil {
		switch found := h.next(); {
		case found.is("}"):
			return
		case found.kind == endOfText:
			h.failf(line, "the block that begins here has no end; write } behind it")
		case found.kind == bare && (read == nil || !read(found)):
			h.value(found.line)
		}
	}
}

// node reads a node from behind its brace.
func (h *hugin) node(head []word) {
	name := head[len(head)-1]
	var kinds []string
	for _, w := range head[:len(head)-1] {
		kinds = append(kinds, w.text)
	}
	if kind := strings.Join(kinds, " "); kind != "node" && kind != "discrete node" {
		h.failf(name.line, "%v is of the kind %q, and a network has discrete nodes alone; take it out in Hugin, or make it a discrete chance node", name, cut(kind))
		return
	}
	const cure = `write states = ("yes" "no"); in its block`
	v := Variable{Name: name.text}
	h.fields(name.line, func(field word) bool {
		if !field.is("states") {
			return false
		}
		h.expect("=", cure)
		h.expect("(", cure)
		found := h.next()
		for ; found.name(); found = h.next() {
			v.Labels = append(v.Labels, found.text)
		}
		if !found.is(")") {
			h.wrong(found, "the name of a state or )", cure)
		}
		h.expect(";", cure)
		return true
	})
	if h.err == nil {
		h.fail(h.declare(v, name.line, cure))
	}
}

// potential reads a potential from behind its parenthesis.
func (h *hugin) potential() {
	const cure = "write potential (CHILD | PARENT PARENT) { data = ((0.2 0.8)); }"
	line := h.line
	var names []string
	found := h.next()
	for ; found.name(); found = h.next() {
		names = append(names, found.text)
	}
	if !found.is(")") || names == nil {
		h.wrong(found, "the name of a node or )", cure)
		return
	}
	h.expect("{", cure)
	l, err := h.begin(line, names[0], names[1:])
	if h.fail(err); h.err != nil {
		return
	}
	data, model := false, false
	h.fields(line, func(field word) bool {
		model = model || field.is("model_data")
		if !field.is("data") || data {
			return false
		}
		data = true
		h.expect("=", cure)
		err := h.take(l, func(yield func(numeral) bool) { h.numbers(len(h.variables[l.child].Labels), yield) })
		h.fail(err)
		return true
	})
	ones := !slices.ContainsFunc(l.values, func(v float64) bool { return v != 1 }) && len(l.values) > len(l.lines)
	switch {
	case h.err != nil || data && !ones:
		return
	case model && !data:
		h.failf(line, "the table of %s is given by an expression (model_data); have Hugin write its numbers", names[0])
		return
	case !data:
		for c := range l.lines {
			l.lines[c] = int32(line)
		}
		h.laws = append(h.laws, *l)
	}
	for i := range l.values {
		l.values[i] = float64(len(l.lines)) / float64(len(l.values))
	}
	h.notes = append(h.notes, fmt.Sprintf("the potential of %s, in line %d, has no numbers other than 1 and is uniform", names[0], line))
}

// numbers yields the numbers of a table to its semicolon. It fails if a parenthesis stands around
// some but not all probabilities given a configuration.
func (h *hugin) numbers(k int, yield func(numeral) bool) {
	depth, run, deepest := 0, 0, 0
	for h.err == nil {
		switch found := h.next(); {
		case found.is("("):
			depth, run = depth+1, 0
			deepest = max(deepest, depth)
		case found.is(")") && depth > 0:
			if run > 0 && deepest > 1 && run != k {
				h.failf(found.line,
					"a parenthesis has %s, and the node has %s; put one around the probabilities given each configuration of the parents, or around the whole table",
					selector.Count(run, "number"), selector.Count(k, "state"))
			}
			depth, run = depth-1, 0
		case found.is(";") && depth == 0:
			return
		case found.name():
			if run++; !yield(numeral{found.text, found.line}) {
				return
			}
		default:
			h.wrong(found, "a number, a parenthesis or ; behind the last", "write data = ((0.2 0.8) (0.5 0.5)); with parentheses in pairs")
		}
	}
}

// beginsNet reports whether a text begins as those of Hugin do.
func beginsNet(data []byte) bool {
	w := words{dialect: dialect{marks: "{}()=;", ignored: " \t\n\r\v\f", comment: "%"}, text: string(data)}
	first := w.other()
	for strings.HasPrefix(first.text, "#") { // no comment in NET, which ParseNet says
		w.pass(index(w.text[w.at:], "\n"))
		first = w.other()
	}
	second := w.other()
	return first.is("net") && second.is("{") || first.is("class") && w.other().is("{")
}
