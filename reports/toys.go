package reports

import (
	"breadboard/reports/table"
	"breadboard/toys"
)

// ToysReport returns the report that lists toys.
func ToysReport(list []*toys.Toy) *Report { return newReport("toys", Toys(list)) }

// ToyReport returns the report of one toy with its normalised target p. In the format table.Text it is the toy's description
// with a drawing in characters: a heat map of a plane, bars by label of a graph, and of a grid with more axes slices, or the marginals
// of pairs of axes where slices are many. Where these are many too, it is bars of few states, and else the shares of the levels of g. In the other formats it is a table of the states.
func ToyReport(toy *toys.Toy, p []float64) *Report {
	states := func() *table.Table { return ToyStates(toy, p) }
	r := &Report{}
	r.add(Table{Name: FileName(toy.Name), Make: states, Plain: func() (text string, notes []string) {
		text = DescribeToy(toy)
		drawn, err := drawText(toy, p)
		switch {
		case err != nil && toy.ByLabel():
			return text, []string{"not drawn: " + err.Error()}
		case err != nil:
			return text, []string{"no heat map: " + err.Error()}
		}
		return text + drawn, nil
	}})
	return r
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
