package tables

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

var (
	// How a table in JSON begins: as a list of lists or of objects.
	beginOfJSON = regexp.MustCompile(`^\s*\[\s*[\[{]`)
	// How an object in JSON begins, which is no table.
	beginOfObject = regexp.MustCompile(`^\s*\{\s*"`)
	// How a list of numbers begins, which is no table.
	beginOfFlat = regexp.MustCompile(`^\s*\[\s*[-0-9.]+\s*[,\]]`)
	// Numbers with decimal commas and other separators between them.
	decimalCommas = regexp.MustCompile(`(?m)^[ \t]*-?\d+,\d+([;\t]-?\d+,\d+)+[ \t\r]*$`)
	// A negative number whose sign is none of ASCII.
	printedMinus = regexp.MustCompile(`(?m)(^|[,;\t "\[])\x{2212}[0-9.]`)
	// A value that Python writes as a number, and that is none in JSON.
	noNumber = regexp.MustCompile(`([\[,:\s])(-?Infinity|NaN)\b`)
)

// Quoted puts quotation marks around NaN, Infinity and -Infinity, which Python writes and JSON
// lacks.
func Quoted(data []byte) []byte { return noNumber.ReplaceAll(data, []byte(`$1"$2"`)) }

// Scanner reads a text in JSON from its beginning to its end. Beyond JSON it knows NaN, Infinity
// and -Infinity, as Python writes them.
type Scanner struct {
	Text        []byte
	At          int // the place of the next byte
	lines, upTo int // the ends of lines before a place
}

// maxNested is how deep values may be nested.
const maxNested = 100

// ErrJSON is the error of a text that is no JSON.
var ErrJSON = errors.New("the text is no JSON")

// Peek passes over blanks and returns the next byte, and 0 at the end.
func (s *Scanner) Peek() byte {
	for s.At < len(s.Text) {
		switch c := s.Text[s.At]; c {
		case ' ', '\t', '\r', '\n':
			s.At++
		default:
			return c
		}
	}
	return 0
}

// Expect passes over a byte, and fails if it is not the next one.
func (s *Scanner) Expect(c byte) error {
	if s.Peek() != c {
		return ErrJSON
	}
	s.At++
	return nil
}

// Line returns the line of the next byte, counted from 1.
func (s *Scanner) Line() int {
	s.lines += bytes.Count(s.Text[s.upTo:s.At], []byte("\n"))
	s.upTo = s.At
	return 1 + s.lines
}

// quoted reads a text in quotation marks. The result is a part of the JSON unless there are
// escapes.
func (s *Scanner) quoted() ([]byte, error) {
	if err := s.Expect('"'); err != nil {
		return nil, err
	}
	start := s.At
	escapes := false
	for ; s.At < len(s.Text); s.At++ {
		switch c := s.Text[s.At]; {
		case c == '"':
			text := s.Text[start:s.At]
			s.At++
			if !escapes {
				return text, nil
			}
			var unescaped string
			if json.Unmarshal(s.Text[start-1:s.At], &unescaped) != nil {
				return nil, ErrJSON
			}
			return []byte(unescaped), nil
		case c == '\\':
			escapes = true
			s.At++
		case c < ' ':
			return nil, ErrJSON
		}
	}
	return nil, ErrJSON
}

// word reads a number, or one of the names that JSON and Python have for values.
func (s *Scanner) word() ([]byte, error) {
	start := s.At
	for s.At < len(s.Text) && isWord(s.Text[s.At]) {
		s.At++
	}
	word := s.Text[start:s.At]
	switch string(word) {
	case "true", "false", "null", "NaN", "Infinity", "-Infinity":
		return word, nil
	}
	if !json.Valid(word) {
		s.At = start
		return nil, ErrJSON
	}
	return word, nil
}

// isWord reports whether a byte is of a number or of a name.
func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '-' || c == '+' || c == '.'
}

// Cell reads a value as the text of a cell: a text without its quotation marks, a number as it is
// written, and the values of lists within lists with semicolons between them. Null is NA. An object
// is an error.
func (s *Scanner) Cell() ([]byte, error) { return s.readCell(0) }

func (s *Scanner) readCell(depth int) ([]byte, error) {
	if depth > maxNested {
		return nil, ErrJSON
	}
	switch s.Peek() {
	case '"':
		return s.quoted()
	case '[':
		var cells [][]byte
		err := s.Array(func() error {
			cell, err := s.readCell(depth + 1)
			cells = append(cells, cell)
			return err
		})
		return bytes.Join(cells, []byte(";")), err
	}
	word, err := s.word()
	if string(word) == "null" {
		return []byte("NA"), err
	}
	return word, err
}

// Object reads an object and calls read with each key, which must read the value. The key is valid
// until then.
func (s *Scanner) Object(read func(key []byte) error) error {
	return s.readList('{', '}', func() error {
		key, err := s.quoted()
		if err == nil {
			err = s.Expect(':')
		}
		if err != nil {
			return err
		}
		return read(key)
	})
}

// Array reads an array and calls read for each element, which must read it.
func (s *Scanner) Array(read func() error) error { return s.readList('[', ']', read) }

// readList reads what stands between two brackets, separated by commas.
func (s *Scanner) readList(opening, closing byte, read func() error) error {
	if err := s.Expect(opening); err != nil {
		return err
	}
	if s.Peek() == closing {
		s.At++
		return nil
	}
	for {
		if err := read(); err != nil {
			return err
		}
		if s.Peek() != ',' {
			return s.Expect(closing)
		}
		s.At++
	}
}

// End fails if anything but blanks is left.
func (s *Scanner) End() error {
	if s.Peek() != 0 || s.At < len(s.Text) {
		return ErrJSON
	}
	return nil
}

// ofJSON reads a list of rows, which are lists, or objects with the names of the columns.
func (t *Table) ofJSON(data []byte) error {
	s := &Scanner{Text: data}
	err := s.Array(func() error { return t.jsonRow(s) })
	if err == nil {
		err = s.End()
	}
	if errors.Is(err, ErrJSON) {
		err = fmt.Errorf("%w from %q on", err, selector.Cut(strings.TrimSpace(string(s.Text[s.At:]))))
	}
	if err == nil && t.Index != nil && len(t.Index) != len(t.Rows) {
		err = fmt.Errorf("%d of %d rows have names", len(t.Index), len(t.Rows))
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", s.Line(), err)
	}
	return nil
}

// jsonRow adds the next row.
func (t *Table) jsonRow(s *Scanner) error {
	next := s.Peek()
	line := s.Line()
	var names, row []string
	take := func(key []byte) error {
		cell, err := s.Cell()
		text := string(cell)
		if text == "NA" {
			text = ""
		}
		if string(key) == "_row" { // the names of rows, of R's jsonlite
			t.Index = append(t.Index, text)
			return err
		}
		names = append(names, string(key))
		row = append(row, text)
		return err
	}
	if next == '[' {
		if err := s.Array(func() error { return take(nil) }); err != nil {
			return err
		}
		return t.addRow(row, line)
	}
	if err := s.Object(take); err != nil {
		return err
	}
	if t.Rows == nil {
		t.Names = names
	}
	if !slices.Equal(names, t.Names) {
		return errs.New("row %d has %s, and the first one %s; give every row the same", len(t.Rows)+1,
			selector.Listed(names), selector.Listed(t.Names))
	}
	return t.addRow(row, line)
}
