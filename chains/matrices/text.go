package matrices

import (
	"bytes"
	"strconv"
	"strings"

	"breadboard/chains/selector"
)

// maxLine is the largest number of bytes of a line: a line that a program has written for people, or for another program by their example, has
// far fewer.
const maxLine = 1 << 16

// lines reads a text line by line, and splits each at blanks.
type lines struct {
	rest    []byte
	comment string // what a line of a comment begins with
	number  int    // of the line that was read last, from 1 on
	text    string // that line
	fields  []string
	remarks []string // the comments that were passed over since the beginning
	written digits   // those of the probabilities that have been read
}

// newLines begins to read a text whose comments begin with the given mark.
func newLines(data []byte, comment string) (*lines, error) {
	text, err := selector.PlainText(data)
	if err != nil {
		return nil, err
	}
	return &lines{rest: text, comment: comment}, nil
}

// next reads the next line that has something in it and is no comment, and reports whether there is one.
func (l *lines) next() (bool, error) {
	for len(l.rest) > 0 {
		end := bytes.IndexByte(l.rest, '\n') + 1
		if end == 0 {
			end = len(l.rest)
		}
		l.number++
		if end > maxLine {
			return false, at(l.number, "the line has more than %d bytes; is it the right file?", maxLine)
		}
		l.text, l.rest = strings.TrimSpace(string(l.rest[:end])), l.rest[end:]
		switch {
		case l.text == "":
		case strings.HasPrefix(l.text, l.comment):
			if len(l.remarks) < maxRemarks {
				l.remarks = append(l.remarks, l.text)
			}
		default:
			l.fields = selector.Fields(l.text)
			return true, nil
		}
	}
	return false, nil
}

// maxRemarks is the number of comments that are looked at: what a file is stands in its first.
const maxRemarks = 16

// count reads a whole number that counts or numbers something.
func (l *lines) count(text, what string) (uint64, error) {
	v, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, at(l.number, "%q is no %s; write a whole number", text, what)
	}
	return v, nil
}

// place reads the number of a state from first on, of n states, and returns it from 0 on.
func (l *lines) place(text, what string, first, n int) (int32, error) {
	v, err := l.count(text, what)
	if err != nil {
		return 0, err
	}
	if v < uint64(first) || v > uint64(n-1+first) {
		return 0, at(l.number, "%s %d is none of %d to %d", what, v, first, n-1+first)
	}
	return int32(v - uint64(first)), nil
}

// probability reads a number from 0 to 1.
func (l *lines) probability(text string) (float64, error) {
	v, err := l.value(text)
	if err == nil && !(v >= 0 && v <= 1+slack) {
		err = at(l.number, "%s is no probability; a chain's rows have numbers from 0 to 1", text)
	}
	l.written.add(text)
	return v, err
}

// slack is how far above one a probability may stand in a text that gives few digits. What the text's own digits allow is checked when they are
// known.
const slack = 1e-3

// value reads a finite number.
func (l *lines) value(text string) (float64, error) {
	v, err := selector.ParseNumber(text)
	if err != nil {
		return 0, at(l.number, "%v; write a decimal number, as 0.25 or 2.5e-1", err)
	}
	return v, nil
}
