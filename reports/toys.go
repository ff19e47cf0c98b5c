package reports

import (
	"breadboard/toys"
)

// ToysReport returns the report that lists toys.
func ToysReport(list []*toys.Toy) *Report { return newReport("toys", Toys(list)) }

// ToyReport returns the report of one toy with its normalised target p. In the format table.Text it is the toy's description
// with a drawing in characters, a heat map or on a graph bars by label; in the other formats it is a table of the states.
func ToyReport(toy *toys.Toy, p []float64) *Report {
	r := &Report{}
	r.add(Table{Name: FileName(toy.Name), Table: ToyStates(toy, p), Plain: func() (text string, notes []string) {
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

// drawText draws a target in characters: a plane as a heat map, a graph as bars by label.
func drawText(toy *toys.Toy, p []float64) (string, error) {
	if toy.ByLabel() && toy.Plane() == nil {
		return TextBars(toy, p)
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
