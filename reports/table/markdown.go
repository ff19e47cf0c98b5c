package table

import (
	"io"
	"strings"

	"github.com/olekukonko/tablewriter/renderer"
)

// writeMarkdown writes the columns for people as a table of Markdown with the extension that GitHub describes.
func (t *Table) writeMarkdown(w io.Writer, s Style) error {
	p := t.forPeople(s.Digits)
	for i, title := range p.header {
		p.header[i] = escapePipes(title)
	}
	for _, row := range p.rows {
		for i, cell := range row {
			row[i] = strings.ReplaceAll(escapePipes(cell), "<", "&lt;")
		}
	}
	return render(w, p, renderer.NewMarkdown())
}

// escapePipes writes a backslash before each pipe in a text, so that it does not end the cell. In a text with pipes it doubles
// backslashes as well: otherwise a backslash before a pipe would escape the backslash that belongs to the pipe.
func escapePipes(s string) string {
	if !strings.Contains(s, "|") {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, "|", `\|`).Replace(s)
}
