package files

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// literals reads the part of Python's notation that headers of .npy files use: dictionaries with texts as keys, tuples and
// lists, texts, whole numbers, True and False. A tuple and a list both become []any.
type literals struct {
	text string
	at   int
}

// error returns the error of something that is not there.
func (p *literals) error(want string) error {
	return fmt.Errorf("at byte %d there should be %s", p.at, want)
}

// peek passes over blanks and returns the next byte, and 0 at the end.
func (p *literals) peek() byte {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// value reads a value that stands so deep in others.
func (p *literals) value(depth int) (any, error) {
	if depth > maxNested {
		return nil, errors.New("it is nested too deeply")
	}
	switch c := p.peek(); {
	case c == '{':
		return p.dict(depth)
	case c == '(':
		return p.sequence(')', depth)
	case c == '[':
		return p.sequence(']', depth)
	case c == '\'' || c == '"':
		return p.string()
	case c >= '0' && c <= '9' || c == '-':
		return p.integer()
	case strings.HasPrefix(p.text[p.at:], "True"):
		p.at += len("True")
		return true, nil
	case strings.HasPrefix(p.text[p.at:], "False"):
		p.at += len("False")
		return false, nil
	}
	return nil, p.error("a value")
}

// dict reads a dictionary.
func (p *literals) dict(depth int) (any, error) {
	dict := map[string]any{}
	p.at++
	for p.peek() != '}' {
		if c := p.peek(); c != '\'' && c != '"' {
			return nil, p.error("a key in quotation marks")
		}
		key, err := p.string()
		if err != nil {
			return nil, err
		}
		if _, twice := dict[key]; twice {
			return nil, fmt.Errorf("the key %q stands there twice", key)
		}
		if p.peek() != ':' {
			return nil, p.error("a colon")
		}
		p.at++
		if dict[key], err = p.value(depth + 1); err != nil {
			return nil, err
		}
		if err := p.comma('}'); err != nil {
			return nil, err
		}
	}
	p.at++
	return dict, nil
}

// sequence reads a list, or a tuple, up to the byte that closes it. A value in parentheses without a comma is a tuple too.
func (p *literals) sequence(closing byte, depth int) (any, error) {
	list := []any{}
	p.at++
	for p.peek() != closing {
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if err := p.comma(closing); err != nil {
			return nil, err
		}
	}
	p.at++
	return list, nil
}

// comma passes over a comma, which may be missing before the byte that closes.
func (p *literals) comma(closing byte) error {
	switch p.peek() {
	case ',':
		p.at++
	case closing:
	default:
		return p.error("a comma")
	}
	return nil
}

// string reads a text in single or double quotation marks. Of escapes it knows those of the marks and of the backslash, and
// of characters by their number.
func (p *literals) string() (string, error) {
	mark := p.text[p.at]
	var b strings.Builder
	for rest := p.text[p.at+1:]; rest != ""; {
		if rest[0] == mark {
			p.at = len(p.text) - len(rest) + 1
			return b.String(), nil
		}
		if rest[0] != '\\' {
			b.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		if len(rest) > 1 && (rest[1] == '\'' || rest[1] == '"') {
			b.WriteByte(rest[1])
			rest = rest[2:]
			continue
		}
		r, _, tail, err := strconv.UnquoteChar(rest, mark)
		if err != nil {
			return "", p.error("a text without strange escapes")
		}
		b.WriteRune(r)
		rest = tail
	}
	return "", p.error("a text that is closed")
}

// integer reads a whole number.
func (p *literals) integer() (any, error) {
	end := p.at + 1
	for end < len(p.text) && p.text[end] >= '0' && p.text[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(p.text[p.at:end], 10, 64)
	if err != nil {
		return nil, p.error("a whole number of 64 bits")
	}
	p.at = end
	if p.at < len(p.text) && p.text[p.at] == 'L' { // Python 2 wrote long numbers so
		p.at++
	}
	return n, nil
}
