package grid

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"breadboard/chains/errs"
)

// ParseEdges returns the graph of a list of edges in CSV. Each line has two labels, the ends of an
// undirected edge, separated by a comma or, if the text has no commas, by blanks. States are
// numbered in the order in which their labels first occur. A line with a label and nothing after
// its comma ("c,") declares a state without an edge. Empty lines and lines that begin with # are
// skipped. The first line is an edge, unless it names the columns (see Heading). The {} that
// networkx writes after an edge is ignored.
//
// An edge that is repeated, in either order of its ends, is an error, and so is an edge from a
// state to itself. No kernel needs such an edge, since the chain stays at its state after a
// rejection. Errors name the line.
func ParseEdges(text []byte) (*Adjacency, error) {
	lines := float64(bytes.Count(text, []byte{'\n'}) + 1)
	if err := Fits("a list of edges", 0, 2*lines); err != nil {
		return nil, err
	}
	var labels []string
	var edges []edge
	known := map[string]int32{}
	state := func(label string) int32 {
		x, found := known[label]
		if !found {
			x = int32(len(labels))
			known[label] = x
			labels = append(labels, label)
		}
		return x
	}
	addRow := func(line int, fields []string) error {
		if len(fields) == 3 && strings.HasPrefix(fields[2], "{'") {
			return errs.New("%s are data of an edge; write networkx.write_edgelist(G, PATH, data=False)", fields[2])
		}
		if len(fields) != 2 {
			return errs.New("there are %d columns; write the labels of the two ends of an edge with a comma between "+
				"them, and a state without neighbours followed by a comma, as in c,",
				len(fields))
		}
		if strings.Contains(fields[0], " ") && strings.Trim(fields[0], "0123456789. ") == "" {
			return errs.New("%q has blanks between numbers; separate all by commas, or all by blanks", fields[0])
		}
		if err := CheckLabel(fields[0]); err != nil {
			return err
		}
		x := state(fields[0])
		if fields[1] == "" {
			return nil
		}
		if err := CheckLabel(fields[1]); err != nil {
			return err
		}
		if fields[0] == fields[1] {
			return errs.New("%s is joined to itself; take the line out, a rejected move stays there anyway",
				fields[0])
		}
		edges = append(edges, edge{x, state(fields[1]), line})
		return nil
	}
	var rows [][]string
	var numbers []int // of the lines of the rows
	err := EachLine(text, func(line int, fields []string) error {
		if len(fields) == 3 && fields[2] == "{}" {
			fields = fields[:2]
		}
		rows, numbers = append(rows, slices.Clone(fields)), append(numbers, line)
		return nil
	})
	if err != nil {
		return nil, err
	}
	headed, err := Heading(rows)
	for i, row := range rows {
		if err == nil && (i > 0 || !headed) {
			err = addRow(numbers[i], row)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", numbers[i], err)
		}
	}
	if len(labels) == 0 {
		return nil, errs.New(
			"there are no edges; write one a line, the labels of its two ends with a comma between them",
		)
	}
	if err := Fits("the graph", float64(len(labels)), 2*float64(len(edges))); err != nil {
		return nil, err
	}
	return fromEdges(labels, edges)
}

// Heading reports whether the first row of a list of edges names its columns: by names as pandas
// and networkx write them, or by two words that stand in no other row, above rows of numbers. It
// fails for two such words above other rows, which may name the columns or be an edge.
func Heading(rows [][]string) (bool, error) {
	if len(rows) < 2 || len(rows[0]) < 2 {
		return false, nil
	}
	first := rows[0][len(rows[0])-2:]
	known := []string{"source,target", "from,to", "node1,node2"}
	if slices.Contains(known, strings.ToLower(strings.Join(first, ","))) {
		return true, nil
	}
	isNumber := func(label string) bool { return label != "" && strings.ContainsAny(label[:1], "+-.0123456789") }
	words := !isNumber(first[0]) && !isNumber(first[1])
	numbers := true
	for _, row := range rows[1:] {
		for _, label := range row[max(0, len(row)-2):] {
			if len(row) != len(rows[0]) || label == first[0] || label == first[1] {
				return false, nil
			}
			numbers = numbers && strings.Trim(label, "0123456789") == ""
		}
	}
	switch {
	case first[1] == "", numbers && !words && isNumber(first[0]) == isNumber(first[1]):
		return false, nil
	case numbers && words:
		return true, nil
	}
	return false, errs.New("%s and %s stand in no other line, and may name the columns or be an edge; put # in front "+
		"of names, and the line source,target above edges", first[0], first[1])
}

// EachLine calls row with the fields of every line of CSV, without the spaces around them. If the
// text has no commas, the fields are separated by blanks. Empty lines, and lines that begin with #,
// % or //, are skipped. If row fails, EachLine returns the error with the number of the line,
// counted from 1, in front.
func EachLine(text []byte, row func(line int, fields []string) error) error {
	text, blanks := bytes.TrimPrefix(text, []byte("\ufeff")), !bytes.ContainsRune(text, ',')
	if blanks {
		text = bytes.ReplaceAll(text, []byte("\t"), []byte(" "))
	}
	r := csv.NewReader(bytes.NewReader(text))
	if blanks {
		r.Comma = ' '
	}
	r.FieldsPerRecord = -1
	r.ReuseRecord = true
	r.Comment = '#'
	r.TrimLeadingSpace = true
	for {
		fields, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return errs.New("%w; double quotation marks inside a cell", err) // encoding/csv names line and column
		}
		line, _ := r.FieldPos(0)
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		if blanks {
			fields = slices.DeleteFunc(fields, func(field string) bool { return field == "" })
		}
		if len(fields) == 0 || len(fields) == 1 && fields[0] == "" {
			continue
		}
		if fields[0] != "" && (fields[0][0] == '%' || strings.HasPrefix(fields[0], "//")) {
			continue
		}
		if err := row(line, fields); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// maxLabel is the largest number of bytes of a label.
const maxLabel = 100

// CheckLabel returns an error if a text cannot be the label of a state. A label is one line of at
// most 100 bytes of printable text, without spaces around it. It does not begin with #, which
// begins a comment in files.
func CheckLabel(label string) error {
	switch {
	case label == "":
		return errors.New("a label is empty")
	case len(label) > maxLabel:
		return errs.New("the label %.20q... has %d bytes; it has at most %d", label, len(label), maxLabel)
	case !utf8.ValidString(label):
		return fmt.Errorf("the label %q is not text in UTF-8", label)
	case strings.ContainsFunc(label, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("the label %q has a character that cannot be printed", label)
	case label[0] == '#':
		return fmt.Errorf("the label %q begins with #, which begins a comment", label)
	case strings.TrimSpace(label) != label:
		return fmt.Errorf("the label %q has spaces around it", label)
	}
	return nil
}

// checkLabels fails if a text is not a valid label, and if two states have the same one.
func checkLabels(labels []string) error {
	seen := map[string]bool{}
	for _, label := range labels {
		if err := CheckLabel(label); err != nil {
			return err
		}
		if seen[label] {
			return fmt.Errorf("two states have the label %s", label)
		}
		seen[label] = true
	}
	return nil
}
