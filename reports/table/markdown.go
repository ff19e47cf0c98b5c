package table

import (
	"io"
	"strings"
	"unicode"

	"github.com/olekukonko/tablewriter/renderer"
)

// writeMarkdown writes the columns for people as a table of Markdown with the extension that GitHub describes.
func (t *Table) writeMarkdown(w io.Writer, s Style) error {
	p := t.forPeople(s.Digits)
	for i, title := range p.header {
		p.header[i] = escapeMarkdown(title)
	}
	for _, row := range p.rows {
		for i, cell := range row {
			row[i] = escapeMarkdown(cell)
		}
	}
	return render(w, p, renderer.NewMarkdown())
}

// escapeMarkdown writes a backslash before each character of a text that Markdown would take for something else: a pipe, which ends the cell,
// a backtick, a star or a tilde, an underscore that does not stand alone between letters or digits, and what would begin a link, a symbol by
// its name, or an escape. A < becomes &lt;, which begins no tag.
func escapeMarkdown(text string) string {
	var b strings.Builder
	runes := append([]rune(text), ' ')
	before := ' '
	for i, r := range runes[:len(runes)-1] {
		switch next := runes[i+1]; {
		case r == '<':
			before = r
			b.WriteString("&lt;")
			continue
		case strings.ContainsRune("|`*~", r), r == '_' && !(inWord(before) && inWord(next)), r == ']' && next == '(',
			r == '&' && (next == '#' || inWord(next)), r == '\\' && next != ' ' && !inWord(next):
			b.WriteByte('\\')
		}
		before = r
		b.WriteRune(r)
	}
	return b.String()
}

// inWord reports whether a character is a letter or a digit. Between two of these an underscore is never taken for emphasis.
func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
