package columns

// Plot declares a figure of lines and points by the names of columns of a table.
type Plot struct {
	Name  string // the name of the figure's file
	Title string // what the figure shows, for pages
	// the subject of the figure, before those of the panels; of several figures by Each, their
	// distinction
	Of    string
	Parts []Part // each has panels of its own
	// the columns distinguished by colour and named in the legend; those constant over all rows are
	// omitted
	By      []string
	Panels  []string // the columns with a panel for each of their values, likewise
	Implied []string // those of By and Panels that are left out if the others determine them
	Each    Split    // the figures of which the plot is one
	// the legends of the bands, in the order of the pairs of columns of a part
	BandIs []string
	// Bars are columns of Y that are drawn as bars from X to Until, or as stems if this has no
	// width; the others are in its middle. No line joins the points of Dots.
	Bars, Dots []string
	Beyond     []string // levels that axes need not reach
	Upright    []string // columns of places along x with a vertical line
	// Members is a column that distinguishes thin lines, such as the data sets of a mean, from the
	// main lines, for whose rows it is empty.
	Members  []string
	Across   []float64 // the heights of grey lines, with AcrossIs in the legend
	AcrossIs string
	Kinds    []string // the legends of the columns of Y; if it is empty, their titles
	Joined   bool     // lines of fewer than two points are left out
	// a line goes also through points that stand above one another, in the order of the rows, and
	// is level over an interval
	Steps bool
	Named bool   // points have the name of their column also if it is the only one
	Lines bool   // lines have no marks
	Free  bool   // each panel has axes of its own
	Why   error  // the error if there is nothing to draw
	Asked string // the text in which a user asked for the plot
}

// Part is a part of a figure.
type Part struct {
	// X and Y are the columns along the axes. Each column of Y has its lines: those of the first
	// have full marks, the others open ones. Without X the horizontal axis is that of the first
	// part.
	X              string
	Y              []string
	XLabel, YLabel string // replace the headings of the columns
	StemsAre       string // what YLabel has behind it if there are stems
	XScale, YScale Scale
	// XUnit and YUnit, if not zero, are the numbers up to which an axis is linear; it is
	// logarithmic beyond, for numbers of both signs.
	XUnit, YUnit float64
	Until        string   // the end of the interval of a row that begins at X
	Errors       string   // the column of the distance to either end of a bar through Y
	Band         []string // two columns between which a band is shaded, or several pairs
	Thin         []string // columns that are drawn as dotted lines behind those of Y
	Level        []string // reference lines across a panel; those with one title have one style and one key
}

// Scale says when an axis is logarithmic.
type Scale int

const (
	Linear   Scale = iota
	Decades        // if its positive numbers span a factor of ten; only these are shown
	NonZero        // if its numbers other than zero are positive and span a factor of ten
	Positive       // if all numbers are positive and span a factor of ten
	Log            // always
)

// Split has a figure for the rows of each value of columns, those of Varying only if they vary. The
// name and the title of the figure have the values.
type Split struct{ Always, Varying []string }

// Columns returns the names of all columns that the plot needs, once for each use.
func (p Plot) Columns() (names []string) {
	for _, q := range p.Parts {
		for _, name := range []string{q.X, q.Until, q.Errors} {
			if name != "" {
				names = append(names, name)
			}
		}
		for _, list := range [][]string{q.Y, q.Band, q.Thin, q.Level} {
			names = append(names, list...)
		}
	}
	for _, list := range [][]string{p.By, p.Panels, p.Upright, p.Members, p.Each.Always, p.Each.Varying} {
		names = append(names, list...)
	}
	return names
}
