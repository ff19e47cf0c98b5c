package table

import (
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// The least width to which the cells of a column are brought: a sentence by breaking it into lines, any other text by an ellipsis
// at its end. Numbers are never shortened.
const (
	leastProse = 28
	leastText  = 16
)

// maxWidth is the width to which sentences are broken where a table may have any: an editor or a pager shows as much of a line.
const maxWidth = 160

// fitted returns the table with lines of at most so many characters, where that can be done, and says how. A width of 0 is any, where
// sentences alone are broken, at maxWidth.
// It breaks headings and sentences between words. Where that is not enough it leaves out columns that can be spared; then it
// shortens texts, and at last leaves out any column that need not be kept but the first, from the last on.
func (p peopleTable) fitted(width int) (peopleTable, Fit) {
	if width <= 0 {
		p.breakSentences(maxWidth)
		return p, Fit{}
	}
	if p.width() <= width {
		return p, Fit{}
	}
	p.breakHeadings()
	order, spares := p.sparing()
	gone := map[int]bool{}
	shorten := false
	for k := 0; p.without(gone).narrowest(shorten) > width; k++ {
		if k >= spares && !shorten {
			shorten, k = true, k-1
			continue
		}
		if k >= len(order) {
			break
		}
		gone[order[k]] = true
	}
	var fit Fit
	for i := range p.columns {
		if gone[i] {
			fit.Omitted = append(fit.Omitted, called(p.columns[i]))
		}
	}
	out := p.without(gone)
	out.breakSentences(width)
	if shorten {
		fit.Shortened = out.shorten(width)
	}
	return out, fit
}

// called returns the name of a column, or its title where it has no name.
func called(c Column) string {
	if c.Name == "" {
		return c.Title
	}
	return c.Name
}

// sparing returns the columns that can be left out in the order in which that is done, and how many of them are marked so.
func (p peopleTable) sparing() (order []int, marked int) {
	for i := len(p.columns) - 1; i > 0; i-- {
		if p.columns[i].Spare != Keep {
			order = append(order, i)
		}
		if p.columns[i].Spare > 0 {
			marked++
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.columns[b].Spare - p.columns[a].Spare })
	return order, marked
}

// widthOf returns the number of characters of the longest line of a text.
func widthOf(text string) int {
	most := 0
	for line := range strings.SplitSeq(text, "\n") {
		most = max(most, twwidth.Width(line))
	}
	return most
}

// cellWidth returns the width of the widest cell of a column, its heading left aside.
func (p peopleTable) cellWidth(column int) int {
	most := 0
	for _, row := range p.rows {
		most = max(most, widthOf(row[column]))
	}
	return most
}

// columnWidth returns the width of a column.
func (p peopleTable) columnWidth(column int) int {
	return max(widthOf(p.header[column]), p.cellWidth(column))
}

// width returns the number of characters of a line: a blank stands on both sides of a cell, and a bar between two.
func (p peopleTable) width() int {
	sum := -1
	for i := range p.header {
		sum += p.columnWidth(i) + 3
	}
	return sum
}

// narrowest returns the least width that breaking sentences, and shortening texts where that is allowed, can bring a line to.
func (p peopleTable) narrowest(shorten bool) int {
	sum := -1
	for i := range p.header {
		cells := p.cellWidth(i)
		switch {
		case p.columns[i].Prose:
			cells = min(cells, max(leastProse, p.longestWord(i)))
		case shorten && !p.numeric[i]:
			cells = min(cells, leastText)
		}
		sum += max(widthOf(p.header[i]), cells) + 3
	}
	return sum
}

// longestWord returns the width of the longest word of a column of sentences.
func (p peopleTable) longestWord(column int) int {
	most := 0
	for _, row := range p.rows {
		for word := range strings.FieldsSeq(row[column]) {
			most = max(most, twwidth.Width(word))
		}
	}
	return most
}

// breakHeadings breaks headings that are wider than their columns between words.
func (p *peopleTable) breakHeadings() {
	for i, h := range p.header {
		if cells := p.cellWidth(i); widthOf(h) > cells {
			p.header[i] = broken(h, cells)
		}
	}
}

// breakSentences breaks the cells of sentences into lines, those of the widest column first, until the table has the width or no more can
// be done.
func (p *peopleTable) breakSentences(width int) {
	order := make([]int, len(p.header))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.cellWidth(b) - p.cellWidth(a) })
	for _, i := range order {
		excess := p.width() - width
		if excess <= 0 {
			return
		}
		if !p.columns[i].Prose {
			continue
		}
		room := max(leastProse, p.longestWord(i), p.cellWidth(i)-excess)
		for _, row := range p.rows {
			row[i] = broken(row[i], room)
		}
	}
}

// shorten cuts the ends of the widest texts, until the table has the width or no more can be done. It reports whether it has
// cut any.
func (p *peopleTable) shorten(width int) (some bool) {
	for excess := p.width() - width; excess > 0; excess = p.width() - width {
		widest := -1
		for i := range p.header {
			wide := !p.numeric[i] && !p.columns[i].Prose && p.cellWidth(i) > max(leastText, widthOf(p.header[i]))
			if wide && (widest < 0 || p.cellWidth(i) > p.cellWidth(widest)) {
				widest = i
			}
		}
		if widest < 0 {
			return some
		}
		room := max(leastText, p.cellWidth(widest)-excess)
		for _, row := range p.rows {
			if twwidth.Width(row[widest]) > room {
				row[widest] = strings.TrimRight(twwidth.Truncate(row[widest], room-1), " ") + "…"
			}
		}
		some = true
	}
	return some
}

// Broken breaks each line of a text between words into lines of at most so many characters; 0 is any number.
func Broken(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if width > 0 && twwidth.Width(line) > width {
			lines[i] = broken(line, width)
		}
	}
	return strings.Join(lines, "\n")
}

// broken breaks a text between words into lines of at most so many characters. A word that is longer stays whole.
func broken(text string, width int) string {
	var lines []string
	for word := range strings.FieldsSeq(text) {
		last := len(lines) - 1
		if last >= 0 && twwidth.Width(lines[last])+1+twwidth.Width(word) <= width {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return strings.Join(lines, "\n")
}
