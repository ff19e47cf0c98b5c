package networks

import (
	"strconv"
	"strings"
)

// numeral is a token of the formats of the UAI competitions.
type numeral struct {
	text string // empty at the end of the text
	line int
}

// numerals reads the tokens of a text, apart by any white space, without lines that begin with "c ". The first mistake ends the text: it is
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
		case c == 'c' && s.comment():
			s.at += index(s.text[s.at:], "\n")
		default:
			start := s.at
			s.at += indexAny(s.text[s.at:], white)
			return numeral{s.text[start:s.at], s.line}
		}
	}
	return numeral{line: s.line}
}

// comment reports whether a comment begins at this place: the letter c at the beginning of a line, with a blank behind it or nothing.
func (s *numerals) comment() bool {
	begins := s.at == 0 || s.text[s.at-1] == '\n'
	return begins && (s.at+1 == len(s.text) || strings.IndexByte(white, s.text[s.at+1]) >= 0)
}

// indexAny returns where the first of some characters stands in a text, and the length of the text where none does.
func indexAny(text, chars string) int {
	if i := strings.IndexAny(text, chars); i >= 0 {
		return i
	}
	return len(text)
}

// next reads a token, and fails at the end of the text.
func (s *numerals) next() numeral {
	found := s.rest()
	if found.text == "" {
		s.failf(found.line, "the file ends within %s; is it cut off?", s.of)
	}
	return found
}

// whole reads a whole number, of which the argument says what it is.
func (s *numerals) whole(what string, low, high int) int {
	found := s.next()
	if s.err != nil {
		return low
	}
	v, err := strconv.Atoi(found.text)
	switch {
	case err != nil:
		s.failf(found.line, "expected %s, a whole number from %d to %d, found %q", what, low, high, cut(found.text))
	case v < low || v > high:
		s.failf(found.line, "%s is %d; it is from %d to %d", what, v, low, high)
	default:
		return v
	}
	return low
}

// count reads a number of things of which each takes so many tokens at least.
func (s *numerals) count(what string, low, high, tokens int) int {
	v := s.whole(what, low, high)
	if s.err == nil && !s.left(v*tokens) {
		s.failf(s.line, "%s is %d, and the file ends before that; is it cut off, or the number wrong?", what, v)
	}
	if s.err != nil {
		return low
	}
	return v
}

// left reports whether the text may have so many more tokens.
func (s *numerals) left(tokens int) bool { return tokens <= (len(s.text)-s.at+1)/2 }
