package table

import (
	"cmp"
	"slices"
	"strings"

	"breadboard/chains/number"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// The least width to which the cells of a column are brought: a sentence by breaking it into lines,
// any other text by breaking its words. Numbers are never broken.
const (
	leastProse = 28
	leastText  = 16
)

// maxWidth is the width to which sentences are broken if a table may have any: an editor or a pager
// shows as much of a line.
const maxWidth = 160

// fitted returns the table with lines of at most so many characters, if that can be done, and says
// how. A width of 0 is any, where sentences alone are broken, at maxWidth. What is the same in
// every row goes above the table; headings and sentences are broken between words. If that is not
// enough it leaves out columns behind the first answer, from the right, then has several tables,
// one below the other, or breaks words, and at last leaves out any column but the answers and the
// first. If nothing helps, as where all columns are asked for, the cells of a row are below each
// other.
func (p peopleTable) fitted(width int) ([]peopleTable, Fit) {
	if width <= 0 {
		p.breakSentences(maxWidth)
		return []peopleTable{p}, Fit{}
	}
	if p.width() <= width {
		return []peopleTable{p}, Fit{}
	}
	p, above := p.lifted(width)
	fit := Fit{Above: above}
	if p.width() <= width {
		return []peopleTable{p}, fit
	}
	upright := p
	upright.upright, upright.header = true, slices.Clone(p.header)
	p.breakHeadings()
	order, spares := p.sparing()
	gone := map[int]bool{}
	var parts []peopleTable
	within := false
	for k := 0; len(parts) == 0; k++ {
		out := p.without(gone)
		switch {
		case out.narrowest(within) <= width:
			parts = []peopleTable{out}
		case k >= spares && !within:
			parts = out.splitColumns(width, false)
			within = true
			k -= 1
		case k >= len(order):
			parts = out.splitColumns(width, true)
			if parts == nil {
				return []peopleTable{upright}, fit
			}
		default:
			gone[order[k]] = true
		}
	}
	for i := range p.columns {
		if gone[i] {
			fit.Omitted = append(fit.Omitted, called(p.columns[i]))
		}
	}
	for i := range parts {
		parts[i].breakSentences(width)
		if within {
			parts[i].breakTexts(width)
		}
	}
	return parts, fit
}

// splitColumns returns several tables that show the columns from the first answer on, as many in
// each as the width has room for, behind those left of it. It returns none if no column is left of
// it, so that rows would have no names, or if there is no room for one of them, with or without
// breaking words.
func (p peopleTable) splitColumns(width int, within bool) (parts []peopleTable) {
	first := p.firstAnswer()
	for from := first; 0 < from && from < len(p.columns); {
		var part peopleTable
		to := from
		for to < len(p.columns) {
			gone := map[int]bool{}
			for i := first; i < len(p.columns); i++ {
				gone[i] = i < from || i > to
			}
			more := p.without(gone)
			if more.narrowest(within) > width {
				break
			}
			part = more
			to += 1
		}
		if to == from {
			return nil
		}
		parts = append(parts, part)
		from = to
	}
	return parts
}

// lifted returns the table without the columns that are the same in every row and no answers, which
// stand above it, and what these are called. Of a single row they are those left of the first
// answer, which say what it is about.
func (p peopleTable) lifted(width int) (out peopleTable, names []string) {
	var items []string
	gone := map[int]bool{}
	for i, c := range p.columns {
		differs := func(row []string) bool { return row[i] != p.rows[0][i] }
		if c.Answer || slices.ContainsFunc(p.rows, differs) || len(p.rows) == 1 && i > p.firstAnswer() {
			continue
		}
		gone[i] = true
		items, names = append(items, p.header[i]+" "+p.rows[0][i]+","), append(names, called(c))
	}
	if len(items) == 0 || len(items) == len(p.columns) {
		return p, nil
	}
	p.above = Broken(filled(items, width), width)
	p.above = strings.TrimSuffix(p.above, ",") + "\n"
	return p.without(gone), names
}

// firstAnswer returns the place of the first answer, and -1 if there is none.
func (p peopleTable) firstAnswer() int {
	return slices.IndexFunc(p.columns, func(c Column) bool { return c.Answer })
}

// called returns the name of a column, or its title if it has no name.
func called(c Column) string {
	return cmp.Or(c.Name, c.Title)
}

// sparing returns the columns that can be left out, from the right: all but the answers, the first
// and those that the sentence above names. The spares among them, behind the first answer, are left
// out before any word is broken.
func (p peopleTable) sparing() (order []int, spares int) {
	first := p.firstAnswer()
	for i := len(p.columns) - 1; i > 0; i-- {
		if p.columns[i].Answer || p.columns[i].Named {
			continue
		}
		order = append(order, i)
		if first >= 0 && i > first {
			spares++
		}
	}
	return order, spares
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

// width returns the number of characters of a line: a blank stands on both sides of a cell, and a
// bar between two.
func (p peopleTable) width() int {
	sum := -1
	for i := range p.header {
		sum += max(widthOf(p.header[i]), p.cellWidth(i)) + 3
	}
	return sum
}

// narrowest returns the least width that breaking sentences, and other texts within words if that
// is allowed, can bring a line to.
func (p peopleTable) narrowest(within bool) int {
	sum := -1
	for i := range p.header {
		cells := p.cellWidth(i)
		switch {
		case p.columns[i].Prose:
			cells = min(cells, max(leastProse, p.longestWord(i)))
		case within && p.canBreak(i):
			cells = min(cells, leastText)
		}
		sum += max(widthOf(p.header[i]), cells) + 3
	}
	return sum
}

// canBreak reports whether the words of a column may be broken: numbers, sentences and answers are
// not.
func (p peopleTable) canBreak(column int) bool {
	c := p.columns[column]
	return !p.numeric[column] && !c.Prose && !c.Answer
}

// longestWord returns the width of the longest word of a column of sentences.
func (p peopleTable) longestWord(column int) int {
	most := 0
	for _, row := range p.rows {
		most = max(most, widthOf(strings.Join(strings.Fields(row[column]), "\n")))
	}
	return most
}

// breakHeadings breaks headings that are wider than their columns between words.
func (p *peopleTable) breakHeadings() {
	for i, h := range p.header {
		if cells := p.cellWidth(i); widthOf(h) > cells {
			p.header[i] = breakLines(h, cells)
		}
	}
}

// breakSentences breaks the cells of sentences into lines, those of the widest column first, until
// the table has the width or no more can be done.
func (p *peopleTable) breakSentences(width int) {
	order := number.Range(len(p.header))
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
			row[i] = breakLines(row[i], room)
		}
	}
}

// breakTexts breaks the widest texts within words, until the table has the width or no more can be
// done.
func (p *peopleTable) breakTexts(width int) {
	for excess := p.width() - width; excess > 0; excess = p.width() - width {
		widest := -1
		for i := range p.header {
			wide := p.canBreak(i) && p.cellWidth(i) > max(leastText, widthOf(p.header[i]))
			if wide && (widest < 0 || p.cellWidth(i) > p.cellWidth(widest)) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		room := max(leastText, p.cellWidth(widest)-excess)
		for _, row := range p.rows {
			row[widest] = within(strings.ReplaceAll(row[widest], "\n", ""), room)
		}
	}
}

// within breaks a text into lines of at most that many characters, if possible in front of a blank
// or of a part of a selector.
func within(text string, room int) string {
	line := twwidth.Truncate(text, room)
	if line == "" || line == text {
		return text
	}
	if at := strings.LastIndexAny(line, " [+*/,"); at > len(line)/2 {
		line = line[:at]
	}
	return line + "\n" + within(text[len(line):], room)
}

// Broken breaks each line of a text between words into lines of at most width characters. Width 0
// means any number.
func Broken(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if width > 0 && twwidth.Width(line) > width {
			lines[i] = breakLines(line, width)
		}
	}
	return strings.Join(lines, "\n")
}

// breakLines breaks a text between words into lines of at most that many characters. A word that is
// longer stays whole.
func breakLines(text string, width int) string { return filled(strings.Fields(text), width) }

// filled returns words, with blanks between them, in lines of at most that many characters.
func filled(words []string, width int) string {
	var lines []string
	for _, word := range words {
		last := len(lines) - 1
		if last >= 0 && twwidth.Width(lines[last])+1+twwidth.Width(word) <= width {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return strings.Join(lines, "\n")
}
