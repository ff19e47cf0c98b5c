package matrices

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// marketBanner is what a file of MatrixMarket begins with.
const marketBanner = "%%MatrixMarket"

// market is what the first line of a file of MatrixMarket says.
type market struct {
	dense     bool // the format is array, and not coordinate
	pattern   bool // entries have no value, which is one
	symmetric bool // the lower triangle alone is given
}

// ParseMatrixMarket reads a square matrix of probabilities of at most the given number of rows in
// the format of MatrixMarket: coordinate (from row and column 1 on) or array (column after column),
// real, integer or pattern, general or symmetric. A repeated entry is an error, since the format
// does not define it.
func ParseMatrixMarket(data []byte, most int) (*Rows, error) {
	l, err := newLines(data)
	if err != nil {
		return nil, err
	}
	// which is a comment to those who read no further
	first, _, _ := strings.Cut(string(l.rest[:min(len(l.rest), maxLine)]), "\n")
	if words := strings.Fields(first); len(words) == 0 || !strings.EqualFold(words[0], marketBanner) {
		if advice := selector.DIMACSAdvice(string(data)); advice != "" {
			return nil, lineError(1, "%s", advice)
		}
		return nil, lineError(1, "the file does not begin with %s; is it a file of MatrixMarket?", marketBanner)
	}
	kind, err := marketKind(first)
	if err != nil {
		return nil, lineError(1, "%w", err)
	}
	sizes := []string{"rows", "columns", "entries"}
	if kind.dense {
		sizes = sizes[:2]
	}
	size, err := l.header(sizes)
	if err != nil {
		return nil, err
	}
	if size[0] != size[1] {
		return nil, lineError(l.number, "the matrix is %dx%d; a chain has as many rows as columns", size[0], size[1])
	}
	if err := fits(size[0], uint64(most)); err != nil {
		return nil, lineError(l.number, "%w", err)
	}
	n := int(size[0])
	entries, err := l.marketEntries(kind, n, size)
	if err != nil {
		return nil, err
	}
	r, err := gather(n, entries)
	if err != nil {
		return nil, err
	}
	r.Rounding = l.written.halfUnit()
	return r, nil
}

// marketKind reads the first line, which begins with the banner.
func marketKind(line string) (k market, err error) {
	words := strings.Fields(line)
	if len(words) != 5 {
		return k, errs.New(
			"%q has %d words; write %s matrix, coordinate or array, real, integer or pattern, general or symmetric",
			strings.TrimSpace(line),
			len(words),
			marketBanner,
		)
	}
	for i, known := range [][]string{{"matrix"}, {"coordinate", "array"},
		{"real", "double", "integer", "pattern"}, {"general", "symmetric"}} {
		words[i+1] = strings.ToLower(words[i+1])
		if !slices.Contains(known, words[i+1]) {
			return k, errs.New("a matrix of probabilities is not %s; write %s",
				words[i+1], strings.Join(known, " or "))
		}
	}
	k = market{dense: words[2] == "array", pattern: words[3] == "pattern", symmetric: words[4] == "symmetric"}
	if k.dense && k.pattern {
		return k, errs.New("a pattern has no numbers, and an array nothing else; write coordinate")
	}
	return k, nil
}

// header reads the line of sizes.
func (l *lines) header(names []string) ([]uint64, error) {
	found, err := l.nextLine()
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, errs.New("the file ends before its sizes; write a line of them: %s", strings.Join(names, ", "))
	case len(l.fields) != len(names):
		return nil, lineError(l.number, "%q has %d numbers, and there should be %d: %s", l.text, len(l.fields),
			len(names), strings.Join(names, ", "))
	}
	size := make([]uint64, len(names))
	for i, text := range l.fields {
		size[i], err = l.parseCount(text, "number of "+names[i])
		if err != nil {
			return nil, err
		}
	}
	return size, nil
}

// marketEntries reads the entries of a matrix of n rows.
func (l *lines) marketEntries(kind market, n int, size []uint64) ([]entry, error) {
	if kind.dense {
		return l.columns(kind, n)
	}
	parts := []string{"row", "column", "probability"}
	if kind.pattern {
		parts = parts[:2]
	}
	const shortest = 4 // bytes that an entry takes, with the end of its line
	var entries []entry
	err := l.promised("entries", size[2], shortest, func() (err error) {
		if len(l.fields) != len(parts) {
			return lineError(l.number, "%q has %d words; an entry has %d: %s", l.text, len(l.fields), len(parts),
				strings.Join(parts, ", "))
		}
		e := entry{line: int32(l.number), p: 1}
		e.from, err = l.readState(l.fields[0], "row", 1, n)
		if err != nil {
			return err
		}
		e.to, err = l.readState(l.fields[1], "column", 1, n)
		if err != nil {
			return err
		}
		if !kind.pattern {
			e.p, err = l.probability(exponent(l.fields[2]))
			if err != nil {
				return err
			}
		}
		entries = append(entries, e)
		if kind.symmetric && e.from != e.to {
			if e.from < e.to {
				return lineError(l.number,
					"row %d, column %d is above the diagonal, and a symmetric matrix is given by its "+
						"entries below; exchange them, or write general",
					e.from+1, e.to+1)
			}
			entries = append(entries, entry{e.to, e.from, e.line, e.p})
		}
		return nil
	})
	return entries, err
}

// exponent returns a number with e in the place of the D of Fortran's double precision.
func exponent(text string) string {
	if strings.Trim(text, "+-.0123456789") == "D" {
		return strings.Replace(text, "D", "e", 1)
	}
	return text
}

// columns reads the entries of an array, one column after another.
func (l *lines) columns(kind market, n int) (entries []entry, err error) {
	row, column := 0, 0
	for {
		found, err := l.nextLine()
		if err != nil {
			return nil, err
		}
		if !found {
			break
		}
		for _, text := range l.fields {
			if column == n {
				return nil, lineError(l.number, "there are more numbers than a matrix of %dx%d has", n, n)
			}
			p, err := l.probability(exponent(text))
			if err != nil {
				return nil, err
			}
			if p != 0 {
				entries = append(entries, entry{int32(row), int32(column), int32(l.number), p})
				if kind.symmetric && row != column {
					entries = append(entries, entry{int32(column), int32(row), int32(l.number), p})
				}
			}
			row++
			if row == n {
				column++
				row = 0
				if kind.symmetric {
					row = column
				}
			}
		}
	}
	if column < n {
		return nil, lineError(l.number, "the file ends in column %d, row %d of a matrix of %dx%d; it is cut off",
			column+1, row+1, n, n)
	}
	return entries, nil
}

// MatrixMarket returns the rows in MatrixMarket's coordinate format, with 17 digits for each entry,
// which determine a float64. The comment may be empty or have several lines.
func MatrixMarket(r *Rows, comment string) []byte {
	b := []byte(marketBanner + " matrix coordinate real general\n")
	if comment != "" {
		for line := range strings.SplitSeq(comment, "\n") {
			b = append(b, "% "+line+"\n"...)
		}
	}
	b = fmt.Appendf(b, "%d %d %d\n", r.Len(), r.Len(), len(r.P))
	for x := range r.Len() {
		to, p := r.Row(x)
		for i := range to {
			b = strconv.AppendInt(b, int64(x+1), 10)
			b = append(b, ' ')
			b = strconv.AppendInt(b, int64(to[i])+1, 10)
			b = append(b, ' ')
			b = append(appendNumber(b, p[i]), '\n')
		}
	}
	return b
}

// appendNumber appends a number with 17 significant digits, including zeros, so that readers who
// infer the rounding from the digits see none.
func appendNumber(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'e', 16, 64) }
