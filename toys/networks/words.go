package networks

import (
	"fmt"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// word is a token of BIF: a word, with quotes around it or without, one of the marks { } ( ) [ ]
// and ;, or the end of the text.
type word struct {
	text string
	kind wordKind
	line int
}

type wordKind int

const (
	endOfText wordKind = iota
	mark
	bare
	quoted
)

// is reports whether a token is a mark or a keyword. A quoted word is neither.
func (w word) is(text string) bool { return w.text == text && (w.kind == mark || w.kind == bare) }

// isName reports whether a token is a word.
func (w word) isName() bool { return w.kind == bare || w.kind == quoted }

// String returns how messages show a token.
func (w word) String() string {
	switch w.kind {
	case endOfText:
		return "the end of the file"
	case mark:
		return w.text
	}
	return `"` + cut(w.text) + `"`
}

// cut shortens what a message shows of a word.
func cut(text string) string {
	const most = 60
	shown := 0
	for at := range text {
		shown++
		if shown > most {
			return text[:at] + "..."
		}
	}
	return text
}

// words reads the tokens of a text in BIF. A copy of it goes on at the same place. The first
// mistake ends the text: it is kept, and every token after it is the end.
type words struct {
	text string
	at   int // the byte that is read next
	line int // the line in which it stands, from 1
	err  error
}

const (
	marks      = "{}()[];"       // the tokens of one character
	labelMarks = "{}();"         // the same where a name may come
	ignored    = " \t\n\r\v\f,|" // the characters between tokens: a bar and a comma are blanks too
	comment    = "//"            // what begins a comment that ends with the line
)

// fail keeps a mistake, unless there has been one.
func (w *words) fail(err error) {
	if w.err == nil && err != nil {
		w.err = err
		w.at = len(w.text)
	}
}

func (w *words) failf(line int, format string, values ...any) {
	w.fail(mistakef(line, format, values...))
}

// skip goes to the next token, over blanks and comments.
func (w *words) skip() {
	for w.at < len(w.text) {
		rest := w.text[w.at:]
		switch {
		case strings.IndexByte(ignored, rest[0]) >= 0:
			w.pass(1)
		case strings.HasPrefix(rest, comment):
			w.pass(index(rest, "\n"))
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				w.failf(w.line, "the comment that begins here has no end; write */ behind it")
				return
			}
			w.pass(2 + end + 2)
		default:
			return
		}
	}
}

// index returns where a text begins in another, and the length of that if it does not.
func index(text, part string) int {
	if i := strings.Index(text, part); i >= 0 {
		return i
	}
	return len(text)
}

func (w *words) pass(bytes int) {
	w.line += strings.Count(w.text[w.at:w.at+bytes], "\n")
	w.at += bytes
}

func (w *words) nextWord() word { return w.token(marks, false) }

// label reads a token if a name may come: a bracket is part of a name, and parentheses are that
// open and close within it, as in bnlearn's _18_65] and in lead(Pb).
func (w *words) label() word { return w.token(labelMarks, true) }

// token reads a token of which some characters are marks. Names may have parentheses in them.
func (w *words) token(marks string, parentheses bool) word {
	w.skip()
	if w.at >= len(w.text) {
		return word{line: w.line}
	}
	rest := w.text[w.at:]
	line := w.line
	switch {
	case strings.IndexByte(marks, rest[0]) >= 0:
		w.pass(1)
		return word{rest[:1], mark, line}
	case rest[0] == '"':
		return w.quoted(rest[1:])
	}
	length := bareLength(rest, marks)
	for parentheses && length < len(rest) && rest[length] == '(' {
		inner := bareLength(rest[length+1:], marks)
		if end := length + 1 + inner; end < len(rest) && rest[end] == ')' {
			length = end + 1 + bareLength(rest[end+1:], marks)
			continue
		}
		break
	}
	text := rest[:length]
	w.pass(len(text))
	return w.checked(word{text, bare, line})
}

// quoted reads a word in quotes, which stands in one line.
func (w *words) quoted(rest string) word {
	end := strings.IndexAny(rest, "\"\n")
	if end < 0 || rest[end] == '\n' {
		w.failf(w.line,
			"the name in quotes that begins here does not end in this line; write a second quote behind it")
		return word{line: w.line}
	}
	w.pass(1 + end + 1)
	return w.checked(word{rest[:end], quoted, w.line})
}

// bareLength returns the length of the word without quotes at the beginning of a text.
func bareLength(text, marks string) int {
	for i := range len(text) {
		switch {
		case strings.IndexByte(ignored, text[i]) >= 0, strings.IndexByte(marks, text[i]) >= 0, text[i] == '"',
			strings.HasPrefix(text[i:], comment), strings.HasPrefix(text[i:], "/*"):
			return i
		}
	}
	return len(text)
}

// checked refuses a word with characters that cannot be seen.
func (w *words) checked(read word) word {
	if hidden(read.text) {
		w.failf(read.line,
			"the word %q has characters that are not printed or are no UTF-8; is it a text? if so, write "+
				"the word with letters and digits, or save the file as UTF-8",
			cut(read.text))
		return word{line: read.line}
	}
	return read
}

// other passes over one token of the text between blocks, in which quotes need not come in pairs,
// and returns it.
func (w *words) other() word {
	w.skip()
	if w.at >= len(w.text) {
		return word{line: w.line}
	}
	rest := w.text[w.at:]
	line := w.line
	length := max(1, bareLength(rest, marks))
	w.pass(length)
	kind := bare
	if strings.IndexByte(marks, rest[0]) >= 0 {
		kind = mark
	}
	return word{rest[:length], kind, line}
}

// property passes over what stands behind the word property: everything to the first semicolon,
// quotes or not.
func (w *words) property(line int) {
	end := strings.IndexByte(w.text[w.at:], ';')
	if end < 0 {
		w.failf(line, "the property that begins here has no end; write a semicolon behind it")
		return
	}
	w.pass(end + 1)
}

// wrong refuses a token.
func (w *words) wrong(found word, expected, cure string) {
	w.failf(found.line, "expected %s, found %v; %s", expected, found, cure)
}

func (w *words) expect(text, cure string) {
	if found := w.nextWord(); !found.is(text) {
		w.wrong(found, text, cure)
	}
}

const (
	maxFile    = 32 << 20 // bytes of a file of a network
	maxEvid    = 4 << 20  // bytes of a file of evidence
	maxNumbers = 1 << 24  // entries of all tables of a network together
	maxScope   = 1000     // variables of one table, most of which have one value then
)

// mistake is what is wrong in a line of a file.
type mistake struct {
	line int // from 1
	text string
}

// Error implements error.
func (m *mistake) Error() string { return fmt.Sprintf("line %d: %s", m.line, m.text) }

func mistakef(line int, format string, values ...any) error {
	return &mistake{line, fmt.Sprintf(format, values...)}
}

// parseValue reads a number of a table, which is finite and 0 or more. A number that is too small
// for a float64 is refused, as it would become a zero, and with it what it stands for impossible.
func parseValue(text string) (float64, error) {
	v, err := selector.ParseNumber(text)
	if err != nil {
		return 0, err
	}
	if v < 0 {
		return 0, errs.New("%s is negative; the numbers of a table are 0 or more", text)
	}
	digits, _, _ := strings.Cut(strings.ToLower(text), "e")
	if v == 0 && strings.ContainsAny(digits, "123456789") {
		return 0,
			errs.New("%s is above 0 and below the smallest number that can be held, 5e-324; write 0 where "+
				"something is impossible, and otherwise a larger number",
				text)
	}
	return v, nil
}
