// Package show answers: how is a target shown? It has the tables and files of targets, and draws
// them as text and as maps of their states.
package show

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/numpy"
	"breadboard/grid"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/toys"
)

// ToysReport returns the report that lists toys.
func ToysReport(list []*toys.Toy) *reports.Report { return reports.New("toys", Toys(list)) }

// ToyReport returns the report of one toy with its normalised target p. In the format table.Text it
// is the toy's description with a drawing in characters: a heat map for a plane, bars by label for
// a graph, and for a grid with more axes slices, or the marginals of pairs of axes if there are
// many slices. If these are many too, it is bars if there are few states, and otherwise the shares
// of the levels of g. In the other formats it is a table of the states. If CheckStates fails there
// is no table, and a note says why.
func ToyReport(toy *toys.Toy, p []float64) *reports.Report {
	r := &reports.Report{}
	if advice, many := tooManyStates(toy); many {
		text, notes := toyText(toy, p)
		r.Add(reports.Text(text))
		for _, n := range notes {
			r.Note("%s", n)
		}
		r.Add(reports.Note{Advice: advice})
		return r
	}
	states := func() *table.Table { return ToyStates(toy, p) }
	name := reports.FileName(toy.Name)
	r.Add(reports.Table{
		Name:  name,
		Make:  states,
		Plain: func() (text string, notes []string) { return toyText(toy, p) },
	},
		reports.Figure{Title: "The probabilities of the states", File: name, Missing: "no figure",
			Draw: func() (*figure.Figure, error) { return targetFigure(toy, p) }})
	return r
}

// targetFigure draws the probabilities of the states of a target.
func targetFigure(toy *toys.Toy, p []float64) (*figure.Figure, error) {
	picture, err := PictureOf(toy)
	if err != nil {
		return nil, err
	}
	shades, err := figure.Viridis()
	if err != nil {
		return nil, err
	}
	if len(p) > maxDrawn {
		return nil, errs.New("toy %s has %d cells; at most %d are drawn", toy.Name, len(p), maxDrawn)
	}
	high := slices.Max(p)
	m := StateMap{
		Toy:     toy,
		Picture: picture,
		Values:  p,
		High:    high,
		At:      func(v float64) float64 { return v / high },
		Color:   shades,
		Caption: "Probability of the state under " + RowName(toy) + ". ",
	}
	bright := 0
	for _, v := range p {
		if v >= high/darkest {
			bright++
		}
	}
	if picture != Bars && bright*darkest < len(p) {
		m.Log = true
		m.Low = high / decadesShown
		m.At = func(v float64) float64 { return 1 + number.Log(max(v, m.Low)/high)/number.Log(decadesShown) }
		m.Caption += "The darkest colour is that of all below the scale. "
	}
	f := figure.New(reports.FileName(toy.Name), func(figure.Style) *figure.Sheet { return m.Sheet() })
	f.Mapped = picture == Cells
	f.Title, f.Data = "The probabilities of the states of "+toy.Name, ToyStates(toy, p)
	return f, nil
}

const (
	// darkest is how many times the largest probability is that of cells that look alike. Where no
	// more than one cell in as many is brighter, the scale of colours is logarithmic.
	darkest = 20
	// decadesShown is the ratio of the ends of such a scale.
	decadesShown = 1e6
	// maxDrawn is the largest number of cells of the figure of a target.
	maxDrawn = 1 << 15
	// maxToyStates is the largest number of states of which a table is made.
	maxToyStates = 1 << 20
	// toyStateBytes is about the memory that a row of the table takes, with its text. It was
	// measured.
	toyStateBytes = 1300
)

// CheckStates returns an error if a table of the states of a toy would take too much memory.
func CheckStates(toy *toys.Toy) error {
	if advice, many := tooManyStates(toy); many {
		return advice
	}
	return nil
}

// tooManyStates reports whether a toy has more states than a table is made of, and says what helps.
func tooManyStates(toy *toys.Toy) (*errs.Advice, bool) {
	n := len(toy.G)
	return errs.New(
			"toy %s has %d states, and a table of them would take about %.2g GB, and the limit is %d states "+
				"(%.2g GB); {toys export|an export} writes g alone",
			toy.Name,
			n,
			float64(n)*toyStateBytes/1e9,
			maxToyStates,
			maxToyStates*toyStateBytes/1e9,
		), n >
			maxToyStates
}

// toyText describes a toy and draws its target, and returns notes that say what is not drawn.
func toyText(toy *toys.Toy, p []float64) (text string, notes []string) {
	text = DescribeToy(toy)
	drawn, err := drawText(toy, p)
	switch {
	case err != nil && toy.ByLabel():
		return text, []string{"not drawn: " + err.Error()}
	case err != nil:
		return text, []string{"no heat map: " + err.Error()}
	}
	return text + drawn, nil
}

// drawText draws a target in characters.
func drawText(toy *toys.Toy, p []float64) (string, error) {
	switch l := toy.Lattice(); {
	case toy.ByLabel() && toy.Plane() == nil:
		return textBars(toy, p)
	case toy.Labelled() && l.Dims() != 2 && l.States() <= maxTextBars:
		return textBars(toy, p)
	case l.Dims() > 2:
		if l.States() <= maxTextBars {
			return textBarsNamed(toy, p, l.Label), nil
		}
		return textLevels(toy, p), nil
	}
	return TextHeatMap(toy, p)
}

// ExportReport returns the report that writes log f of a toy: to files as CSV, if it is a plane or
// a graph, and as .npy, which has no labels, if it is a grid.
func ExportReport(toy *toys.Toy) *reports.Report {
	r := &reports.Report{}
	name := reports.FileName(toy.Name)
	if csv, err := TargetCSV(toy); err == nil {
		r.Add(reports.File{Name: name + ".csv", Stream: csv})
	}
	if npy, err := TargetNPY(toy); err == nil {
		r.Add(reports.File{Name: name + ".npy", Stream: npy})
	}
	return r
}

// ExportText returns the report that shows log f of a toy as CSV. It fails as TargetCSV does.
func ExportText(toy *toys.Toy) (*reports.Report, error) {
	csv, err := TargetCSV(toy)
	return &reports.Report{Parts: []reports.Part{csv}}, err
}

// RowName returns the short name of a toy for labels of rows, with the case of letters as given.
// For a toy from files it is the last part of the path of the last file.
func RowName(toy *toys.Toy) string {
	name := toys.Painted(toy.Name)
	if files := toy.Files(); len(files) > 0 {
		name = filepath.Base(files[len(files)-1])
	} else if graph, is := strings.CutPrefix(name, "graph:"); is {
		name, _, _ = strings.Cut(graph, ":random:")
	}
	return figure.Shorten(name, 20)
}

func asCSV(space *grid.Lattice) bool {
	return space.Dims() == 1 || space.Dims() == 2 && space.Side(0) > 1
}

// TargetCSV writes the toy's g as CSV. On a grid it is in the form that file:PATH reads, one row of
// the grid a line; on a graph it has a line label,g for each state, as toys.Numbers.ParseByLabel
// reads it, and if the values of axes have names it is a table with a row for each state. Every
// number is in the shortest form that reads back as itself. TargetCSV fails on grids with more than
// two axes, which would be read back as a plane, and on planes of one row, which would be read back
// as one axis.
func TargetCSV(toy *toys.Toy) (reports.Stream, error) {
	switch {
	case toy.ByLabel():
		return func(w *bufio.Writer) { targetByLabel(w, toy) }, nil
	case toy.Labelled():
		return func(w *bufio.Writer) { targetByAxes(w, toy) }, nil
	}
	space := toy.Lattice()
	switch dims := space.Dims(); {
	case dims > 2:
		return nil, errs.New("toy %s is %d-dimensional, and CSV a plane; write it as .npy{npy| instead}",
			toy.Name, dims)
	case !asCSV(space):
		return nil, errs.New(
			"toy %s is a plane of one row, and CSV of one row is one axis; write it as .npy{npy| instead}",
			toy.Name,
		)
	}
	cols := space.Side(space.Dims() - 1)
	return func(w *bufio.Writer) {
		for x, g := range toy.G {
			if _, err := w.WriteString(strings.ToLower(table.Shortest(g))); err != nil {
				return
			}
			if x%cols == cols-1 {
				w.WriteByte('\n')
			} else {
				w.WriteByte(',')
			}
		}
	}, nil
}

// targetByAxes writes the table of a toy with names of axes: their values, and log f.
func targetByAxes(out io.Writer, toy *toys.Toy) {
	w := csv.NewWriter(out)
	var names []string
	for _, axis := range toy.Axes {
		names = append(names, axis.Name)
	}
	w.Write(append(names, "lp")) // the buffer keeps an error until it is flushed
	for x, g := range toy.G {
		var row []string
		for k, axis := range toy.Axes {
			row = append(row, axis.WriteValue(toy.Lattice().Coord(x, k)))
		}
		if w.Write(append(row, strings.ToLower(table.Shortest(g)))) != nil {
			return
		}
	}
	w.Flush()
}

// TargetNPY writes the toy's g in NumPy's .npy format, as float64 with one index for each
// dimension. It fails on a toy whose states are named by label, because the format has no place for
// labels.
func TargetNPY(toy *toys.Toy) (reports.Stream, error) {
	if toy.ByLabel() {
		return nil, errs.New("toy %s is on a graph, and .npy has no labels; write CSV", toy.Name)
	}
	return func(w *bufio.Writer) {
		w.Write(numpy.Begin(toy.Lattice().Sides()...)) // the writer keeps an error until it is flushed
		for some := range slices.Chunk(toy.G, 1<<10) {
			if _, err := w.Write(numpy.AppendFloats(nil, some)); err != nil {
				return
			}
		}
	}, nil
}

// Toys returns the table of toys, with the size and the range of g of each.
func Toys(list []*toys.Toy) *table.Table {
	return table.New(columns.List{
		columns.Of("toy", "toy", columns.MeansRows, func(t **toys.Toy) string { return (*t).Name }),
		columns.Of("size", "size", "the shape of the space, such as 7x7",
			func(t **toys.Toy) string { return (*t).Space.String() }),
		columns.Of("states", "states", columns.MeansStates, func(t **toys.Toy) int { return (*t).Space.States() }),
		columns.Stated("g_min", "g min (nats)", "the least g of a state",
			func(t **toys.Toy) float64 { return slices.Min((*t).MemberG()) }).Digits(4),
		columns.Stated("g_max", "g max (nats)", "the largest g of a state",
			func(t **toys.Toy) float64 { return slices.Max((*t).MemberG()) }).Digits(4),
		columns.Of("description", "description", "what the target is",
			func(t **toys.Toy) string { return (*t).Description }).Prose(),
	}, list)
}

// ToyStates returns the table of a toy's states, with p the normalised target. Beside its number a
// state has its coordinates, or on a graph its label.
func ToyStates(toy *toys.Toy, p []float64) *table.Table {
	states := make([]int, len(toy.G))
	g := toy.MemberG()
	for x := range states {
		states[x] = x
	}
	inWords := func(is bool) func(*int) any {
		return func(x *int) any {
			if toy.InWords() != is {
				return nil
			}
			return toy.Label(*x)
		}
	}
	return table.New(columns.List{
		columns.Of("toy", "", columns.MeansRows, func(*int) string { return toy.Name }),
		columns.Of("state", "state", "the number of the state, from 0 on, in row-major order",
			func(x *int) int { return *x }),
		columns.Any("coordinates", "coordinates", columns.String, "the coordinates of the state on a grid",
			inWords(false)),
		columns.Any("label", "label", columns.String,
			"the label of the state on a graph, and of a network the value of each variable", inWords(true)),
		columns.Stated("g", "g (nats)", "log f of the state, or of one member of a class, up to a constant",
			func(x *int) float64 { return g[*x] }),
		columns.Stated("log_members", "log members (nats)",
			"the log of the number of states in the class; empty if states are not classes",
			func(x *int) float64 {
				if toy.Members == nil {
					return math.NaN()
				}
				return toy.Members[*x]
			}).OrEmpty(),
		columns.Of("p", "p", "the probability of the state under the target", func(x *int) float64 { return p[*x] }),
	}, states)
}

// DescribeToy returns lines of text with the description of a toy, and the published numbers with
// their sources.
func DescribeToy(toy *toys.Toy) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s: %s\n", toy.Name, toy.Space, toy.Description)
	for _, p := range toy.Printed {
		quantity := strings.ReplaceAll(p.Quantity, "_", " ")
		if p.T > 0 {
			quantity += fmt.Sprintf(" at T = %d", p.T)
		}
		fmt.Fprintf(&b, "  %s: %s (%s)\n", quantity, p.Text, p.Source)
	}
	return b.String()
}

// targetByLabel writes the file of g by label that toys.Numbers.ParseByLabel reads, with the places
// of the states where they have any.
func targetByLabel(b *bufio.Writer, toy *toys.Toy) {
	for x, g := range toy.G {
		name := toy.Space.Label(x)
		if strings.ContainsAny(name, `",`) {
			name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
		b.WriteString(name + "," + strings.ToLower(table.Shortest(g)))
		if toy.Layout != nil {
			b.WriteString("," + table.Shortest(toy.Layout[x].X) + "," + table.Shortest(toy.Layout[x].Y))
		}
		if b.WriteByte('\n') != nil {
			return
		}
	}
}
