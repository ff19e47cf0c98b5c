package columns

import "strings"

// Plot declares a figure of lines and points by the names of columns of a table. Several names are
// separated by +, and parts of a figure with panels of their own by |, as in "J+B|seconds".
type Plot struct {
	Name  string // the name of the figure's file; empty for one that is made of the columns
	Title string // what the figure shows, for pages; empty for the columns along the axes
	// the subject of the figure, before those of the panels; of several figures by Each, their
	// distinction
	Of string
	// X and Y are the columns along the axes. Each column of Y has its lines: those of the first
	// have full marks, the others open ones.
	X, Y string
	// the columns distinguished by colour and named in the legend; those constant over all rows are
	// omitted
	By     string
	Panels string // the columns with a panel for each of their values, likewise
	// the columns with a figure for each of their values, in its name and title; those after a |
	// only if they vary
	Each   string
	Band   string // two columns between which a band is shaded, or several pairs; with | between parts
	BandIs string // the legends of the pairs, with | between them
	Spread string // the column of the distance to either side of Y: an area of its own
	Errors string // the same, drawn as bars, with | between parts
	Thin   string // columns that are drawn as thin lines behind those of Y, with | between parts
	// Level has columns that are drawn as reference lines across a panel, with | between parts: the
	// first is dashed, and those with one title have one style and one key.
	Level  string
	Beyond string // columns of Level that axes need not reach
	// Until is the column of the end of the interval of a row that begins at X, with | between
	// parts. Columns of Y that Bars names are drawn as bars over it, or as stems if it has no
	// width; the others are in its middle.
	Until, Bars string
	Upright     string // columns of places along x with a vertical line
	// Members is a column that distinguishes thin lines, such as the data sets of a mean, from the
	// main lines, for whose rows it is empty.
	Members string
	// Log has the logarithmic axes: x, y, xy or none, with | between parts. They are logarithmic if
	// their positive numbers span a factor of ten. If it is empty, all axes without other numbers
	// are logarithmic; with ? after its letter an axis may have zeros, which are not shown. With
	// Signed, other vertical axes are linear up to this number and logarithmic beyond, and with
	// SignedX other horizontal ones.
	Log             string
	Asked           bool // by a user: axes are logarithmic as Log says, for any range
	Signed, SignedX float64
	Across          []float64 // the heights of grey lines, with AcrossIs in the legend
	AcrossIs        string
	// XLabel and YLabel replace the labels that follow from the headings of the columns, with |
	// between parts.
	XLabel, YLabel string
	// the legends of the columns of Y, with | between them; if it is empty, their titles
	Kinds  string
	Joined bool // lines of fewer than two points are left out
	// a line goes also through points that stand above one another, in the order of the rows, and
	// is level over an interval
	Steps bool
	Named bool   // points have the name of their column also if it is the only one
	Lines bool   // lines have no marks
	Bold  string // lines whose names begin so are wide
	Dots  string // columns of Y whose points no line joins
	Free  bool   // each panel has axes of its own
	Why   error  // the error if there is nothing to draw
}

// Columns returns the names of all columns that the plot needs, once for each use.
func (p Plot) Columns() (names []string) {
	for _, list := range []string{p.X, p.Y, p.By, p.Panels, p.Band, p.Spread, p.Errors, p.Thin, p.Level,
		p.Until, p.Upright, p.Members, p.Each} {
		for part := range strings.SplitSeq(list, "|") {
			names = append(names, NamesIn(part)...)
		}
	}
	return names
}

// NamesIn returns the names in a list of a Plot.
func NamesIn(list string) (names []string) {
	for name := range strings.SplitSeq(list, "+") {
		name = strings.TrimSpace(name)
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// About names the subject of the plot, which distinguishes the plots of a table.
func (p Plot) About() string {
	return strings.NewReplacer("|", "_beside_", "+", "_and_").Replace(p.Y + "_against_" + p.X + p.rest("_", "_"))
}

// String returns the plot in the form of the command line.
func (p Plot) String() string { return "x=" + p.X + ", y=" + p.Y + p.rest(", ", "=") }

// rest writes the parts beside the axes that the plot has, each behind its name.
func (p Plot) rest(before, is string) (text string) {
	for _, part := range [][2]string{{"by", p.By}, {"panels", p.Panels}, {"band", p.Band}, {"log", p.Log}} {
		if part[1] != "" {
			text += before + part[0] + is + part[1]
		}
	}
	return text
}
