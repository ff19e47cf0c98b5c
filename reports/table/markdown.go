package table

import (
	"io"
	"strings"

	"github.com/olekukonko/tablewriter/renderer"
)

// writeMarkdown writes the columns for people as a table of Markdown with the extension that GitHub describes.
func (t *Table) writeMarkdown(w io.Writer) error {
	p := t.forPeople()
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

// escapePipes keeps the pipes in a text from ending the cell. Where there are any, backslashes are doubled as well: one
// before a pipe would otherwise make the pipe's own backslash a letter.
func escapePipes(s string) string {
	if !strings.Contains(s, "|") {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, "|", `\|`).Replace(s)
}
