package networks

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"breadboard/chains/selector"
)

// element is an element of a document in XML.
type element struct {
	name     string
	line     int // where its tag begins
	attr     []xml.Attr
	children []*element
	text     []byte // without comments, of which the line ends stay
}

// What a document may have at most. In such a document a short text may ask for much memory.
const (
	maxElements = 1 << 19
	maxDepth    = 100
)

// readXML reads a document. Entities of its own are refused, and so is a text that is neither UTF-8
// nor Latin-1.
func readXML(data []byte) (*element, error) {
	data, err := selector.PlainText(data)
	if err != nil {
		return nil, err
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = charset
	open, elements := []*element{{}}, 0
	for {
		line, _ := d.InputPos()
		token, err := d.Token()
		last := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			e := &element{name: t.Name.Local, line: line, attr: t.Attr}
			if elements++; elements > maxElements || len(open) > maxDepth {
				return nil, mistakef(line, "the document has more than %d elements, or more than %d within one another; is it a network?", maxElements, maxDepth)
			}
			last.children, open = append(last.children, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			last.text = append(last.text, t...)
		case xml.Comment:
			last.text = append(append(last.text, ' '), bytes.Repeat([]byte{'\n'}, bytes.Count(t, []byte{'\n'}))...)
		}
		if err == io.EOF && len(open[0].children) == 1 {
			return open[0].children[0], nil
		}
		if err != nil {
			return nil, badXML(line, err)
		}
	}
}

// badXML says in which line a document is no XML.
func badXML(line int, err error) error {
	if syntax, is := errors.AsType[*xml.SyntaxError](err); is {
		return mistakef(syntax.Line, "this is no XML: %s; is the file cut off, or edited by hand?", syntax.Msg)
	}
	if inner := errors.Unwrap(err); inner != nil {
		err = inner // without "xml: opening charset"
	}
	if err == io.EOF {
		return mistakef(line, "the document has no element, or several of which none is around the others; is it a network?")
	}
	return mistakef(line, "%v", err)
}

// charset returns what reads a text in the encoding that a document names. The encodings are those
// in which programs write networks. A text that can be read so far is no UTF-16, also if it says
// so, as .NET has it of a text in memory.
func charset(name string, from io.Reader) (io.Reader, error) {
	switch strings.ToLower(name) {
	case "us-ascii", "ascii", "utf8", "utf-16":
		return from, nil
	case "iso-8859-1", "latin1", "windows-1252":
		data, err := io.ReadAll(from)
		return bytes.NewReader(fromLatin1(data)), err
	}
	return nil, fmt.Errorf("the encoding %q is not read; save the file as UTF-8", cut(name))
}

// get returns the value of an attribute, and "" if there is none.
func (e *element) get(name string) string {
	for _, a := range e.attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// all yields the children with one of some names.
func (e *element) all(names ...string) iter.Seq[*element] {
	return func(yield func(*element) bool) {
		for _, c := range e.children {
			for _, name := range names {
				if c.name == name && !yield(c) {
					return
				}
			}
		}
	}
}

// texts returns the texts of the children with one of some names, without the blanks around them.
func (e *element) texts(names ...string) (list []string) {
	for c := range e.all(names...) {
		list = append(list, strings.TrimSpace(string(c.text)))
	}
	return list
}

// only returns the only child of a name.
func (e *element) only(name string) (only *element, err error) {
	for c := range e.all(name) {
		if only != nil {
			return nil, mistakef(c.line, "<%s> has a second <%s>, the first is in line %d; leave one", e.name, name, only.line)
		}
		only = c
	}
	if only == nil {
		return nil, mistakef(e.line, "<%s> has no <%s>; write one in it", e.name, name)
	}
	return only, nil
}

// words yields the words of the text.
func (e *element) words() iter.Seq[numeral] {
	return func(yield func(numeral) bool) {
		line := e.line
		for text := range bytes.Lines(e.text) {
			for word := range bytes.FieldsSeq(text) {
				if !yield(numeral{string(word), line}) {
					return
				}
			}
			line++
		}
	}
}

// ParseXMLBIF reads a Bayesian network from a document in XMLBIF 0.3, as Weka, aGrUM, pgmpy and
// JavaBayes write it:
//
//	<BIF><NETWORK>
//	  <VARIABLE TYPE="nature"><NAME>rain</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
//	  <DEFINITION><FOR>grass</FOR><GIVEN>rain</GIVEN><TABLE>0.9 0.1 0.2 0.8</TABLE></DEFINITION>
//	</NETWORK></BIF>
//
// A table has the child fastest and the last GIVEN before it. VALUE for OUTCOME and PROBABILITY for
// DEFINITION are names of version 0.2. Other elements are passed over. Errors name the line and the
// element.
//
// Source: Cozman, The Interchange Format for Bayesian Networks, XMLBIF 0.3, 1998.
func ParseXMLBIF(data []byte) (*Network, error) {
	root, err := rootOf(data, "BIF", "NETWORK")
	if err != nil {
		return nil, err
	}
	if root.name == "NETWORK" { // some programs leave out what is around it
		root = &element{name: "BIF", children: []*element{root}}
	}
	network, err := root.only("NETWORK")
	if err != nil {
		return nil, err
	}
	d := newDraft()
	for v := range network.all("VARIABLE") {
		name, err := v.only("NAME")
		if err != nil {
			return nil, err
		}
		named := strings.TrimSpace(string(name.text))
		if kind := v.get("TYPE"); kind != "" && kind != "nature" && kind != "discrete" {
			return nil, mistakef(v.line, `<VARIABLE>: %q is of the type %q, and a network has variables of nature alone; take it out`, cut(named), cut(kind))
		}
		if err := d.declare(Variable{named, v.texts("OUTCOME", "VALUE")}, v.line, "write an <OUTCOME> for each in <VARIABLE>"); err != nil {
			return nil, err
		}
	}
	if len(d.variables) == 0 {
		return nil, mistakef(network.line, "<NETWORK> has no <VARIABLE>; other XML of UnBBayes is not read: save the network as .net there")
	}
	for block := range network.all("DEFINITION", "PROBABILITY") {
		child, err := block.only("FOR")
		if err != nil {
			return nil, err
		}
		table, err := block.only("TABLE")
		if err != nil {
			return nil, err
		}
		l, err := d.begin(block.line, strings.TrimSpace(string(child.text)), block.texts("GIVEN"))
		if err == nil {
			err = d.take(l, table.words())
		}
		if err != nil {
			return nil, err
		}
	}
	return d.finish("<DEFINITION> with <FOR>%s</FOR> and its <TABLE>")
}

// rootOf reads a document whose outermost element has one of some names.
func rootOf(data []byte, names ...string) (*element, error) {
	root, err := readXML(data)
	if err == nil && !slices.Contains(names, root.name) {
		err = mistakef(root.line,
			"the document is in <%s>, and a network in XMLBIF is in <BIF>, one of GeNIe in <smile>; for other XML, save the network as one of these, as .bif or .net",
			cut(root.name))
	}
	return root, err
}

// beginsXML reports whether a text is XML whose outermost element has one of some names.
func beginsXML(names ...string) func(data []byte) bool {
	return func(data []byte) bool {
		d := xml.NewDecoder(bytes.NewReader(data))
		d.CharsetReader = func(_ string, from io.Reader) (io.Reader, error) { return from, nil }
		for {
			token, err := d.Token()
			if text, is := token.(xml.CharData); err != nil || is && len(bytes.TrimSpace(text)) > 0 {
				return false
			}
			if start, is := token.(xml.StartElement); is {
				return slices.Contains(names, start.Name.Local)
			}
		}
	}
}
