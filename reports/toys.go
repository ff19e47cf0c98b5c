package reports

import (
	"breadboard/chains"
	"breadboard/reports/table"
	"breadboard/toys"
)

// ToysReport returns the report that lists toys.
func ToysReport(list []*toys.Toy) *Report { return newReport("toys", Toys(list)) }

// ToyReport returns the report of one toy with its normalised target p. In the format table.Text it is the toy's description
// with a drawing in characters: a heat map of a plane, bars by label of a graph, and of a grid with more axes slices, or the marginals
// of pairs of axes where slices are many. Where these are many too, it is bars of few states, and else the shares of the levels of g. In
// the other formats it is a table of the states. Where CheckStates fails there is no table, and a note says why.
func ToyReport(toy *toys.Toy, p []float64) *Report {
	r := &Report{}
	if advice, many := tooManyStates(toy); many {
		text, notes := toyText(toy, p)
		r.add(Text(text))
		for _, n := range notes {
			r.note("%s", n)
		}
		r.add(Note{advice})
		return r
	}
	states := func() *table.Table { return ToyStates(toy, p) }
	r.add(Table{Name: FileName(toy.Name), Make: states, Plain: func() (text string, notes []string) { return toyText(toy, p) }})
	return r
}

const (
	// maxToyStates is the largest number of states of which a table is made.
	maxToyStates = 1 << 20
	// toyStateBytes is about the memory that a row of the table takes, with its text. It was measured.
	toyStateBytes = 1300
)

// CheckStates returns an error where a table of the states of a toy would take too much memory, and nil where it would not.
func CheckStates(toy *toys.Toy) error {
	if advice, many := tooManyStates(toy); many {
		return advice
	}
	return nil
}

// tooManyStates reports whether a toy has more states than a table is made of, and says what helps.
func tooManyStates(toy *toys.Toy) (chains.Advice, bool) {
	n := len(toy.G)
	return chains.NewAdvice("toy %s has %d states, and a table of them would take about %.2g GB; the limit is %d states (%.2g GB): {toys export|an export} writes g alone",
		toy.Name, n, float64(n)*toyStateBytes/1e9, maxToyStates, maxToyStates*toyStateBytes/1e9), n > maxToyStates
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
		return TextBars(toy, p)
	case l.Dims() > 2:
		if maps, drawn := textMaps(l, p); drawn {
			return maps, nil
		}
		if l.States() <= maxTextBars {
			return textBars(toy, p, l.Label), nil
		}
		return TextLevels(toy, p), nil
	}
	return TextHeatMap(toy, p)
}

// ExportReport returns the report that writes log f of a toy: to files as CSV, where it is a plane or a graph, and as
// .npy, which has no labels, where it is a grid.
func ExportReport(toy *toys.Toy) *Report {
	r := &Report{}
	name := FileName(toy.Name)
	if toy.ByLabel() || toy.Plane() != nil {
		r.add(File{Name: name + ".csv", Content: func() ([]byte, error) { return TargetCSV(toy) }})
	}
	if !toy.ByLabel() {
		r.add(File{Name: name + ".npy", Content: func() ([]byte, error) { return TargetNPY(toy) }})
	}
	return r
}

// ExportText returns the report that shows log f of a toy as CSV. It fails as TargetCSV does.
func ExportText(toy *toys.Toy) (*Report, error) {
	csv, err := TargetCSV(toy)
	if err != nil {
		return nil, err
	}
	return &Report{Parts: []Part{Text(csv)}}, nil
}
