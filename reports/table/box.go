package table

import (
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// box returns the table as a box of text, which has bars between its columns and a line below the headings.
func (p peopleTable) box(bar, line, cross string) string {
	rule := make([]string, len(p.header))
	for i, w := range p.widths() {
		rule[i] = strings.Repeat(line, w+2)
	}
	return p.drawn("", bar, "", strings.Join(rule, cross)+"\n")
}

// markdown returns the table in Markdown, where the line below the headings says at which side of a column its cells stand.
func (p peopleTable) markdown() string {
	under := ""
	for i, w := range p.widths() {
		if p.numeric[i] {
			under += "|" + strings.Repeat("-", w+1) + ":"
		} else {
			under += "|:" + strings.Repeat("-", w+1)
		}
	}
	return p.drawn("|", "|", "|", under+"|\n")
}

// widths returns the number of characters of each column.
func (p peopleTable) widths() []int {
	widths := make([]int, len(p.header))
	for i := range widths {
		widths[i] = max(widthOf(p.header[i]), p.cellWidth(i))
	}
	return widths
}

// drawn returns the headings, a line under them and the rows, and nothing where no column has a cell. A cell has a blank on both sides.
func (p peopleTable) drawn(before, between, behind, under string) string {
	if len(p.header) == 0 {
		return ""
	}
	var b strings.Builder
	widths := p.widths()
	for i, row := range append([][]string{p.header}, p.rows...) {
		for _, line := range p.lines(row, widths) {
			b.WriteString(before + " " + strings.Join(line, " "+between+" ") + " " + behind + "\n")
		}
		if i == 0 {
			b.WriteString(under)
		}
	}
	return b.String()
}

// lines returns the lines of a row, in which a cell may have several. Numbers stand at the right of their columns.
func (p peopleTable) lines(row []string, widths []int) (lines [][]string) {
	for i, cell := range row {
		for k, text := range strings.Split(cell, "\n") {
			if k == len(lines) {
				lines = append(lines, make([]string, len(row)))
			}
			lines[k][i] = text
		}
	}
	for _, line := range lines {
		for i, text := range line {
			blank := strings.Repeat(" ", widths[i]-twwidth.Width(text))
			if line[i] = text + blank; p.numeric[i] {
				line[i] = blank + text
			}
		}
	}
	return lines
}
