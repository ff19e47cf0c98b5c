package tightness

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"

	"breadboard/experiments/data/show"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// DistributionMaps draws a row of heat maps for each toy: distributions on the path, the target and
// the exact distribution of the sampler's output, like Figure 4 of Grosse, Ancha and Roy (2016). A
// graph is drawn as nodes if its states have places, and otherwise as bars. A grid with more than
// two axes is drawn as slices, or as the marginals of pairs of axes if there are many slices. The
// colour depends on the square root of the probability, from 0 to the largest probability of the
// row; the bar at the right shows the scale. DistributionMaps fails on graphs that are too large to
// draw.
func DistributionMaps(rows []Intermediates) (*figure.Figure, error) {
	if len(rows) == 0 {
		return nil, errors.New("nothing to draw: give at least one toy")
	}
	s := &figure.Sheet{
		Width: 2.9 * vg.Centimeter,
		Least: leastCells,
		Caption: "Probability: one colour scale per row, from 0 to the largest of the row; colours are linear " +
			"in its square root.",
	}
	for i := range rows {
		if err := addMaps(s, &rows[i]); err != nil {
			return nil, err
		}
	}
	f := figure.New("distributions", func(figure.Style) *figure.Sheet { return s })
	f.Mapped = true
	f.Title = "Probabilities of the states at some betas, in the target, and in the sampler's output"
	f.Data = &table.Table{Columns: []table.Column{
		{Name: "toy", Type: table.String, Title: "toy", Meaning: "the target"},
		{
			Name:    "distribution",
			Type:    table.String,
			Title:   "distribution",
			Meaning: "which distribution: at a beta, the target, or the output",
		},
		{Name: "state", Type: table.String, Title: "state", Meaning: "the state"},
		{Name: "p", Type: table.Float, Title: "p", Meaning: "the probability of the state"},
	}}
	for i := range rows {
		titles := panelTitles(&rows[i])
		for k, p := range panels(&rows[i]) {
			for x, v := range p {
				f.Data.Rows = append(f.Data.Rows, []any{rows[i].Toy.Name, titles[k], rows[i].Toy.State(x), v})
			}
		}
	}
	return f, nil
}

func panels(r *Intermediates) [][]float64 {
	return append(slices.Clone(r.P), r.Target, r.Output)
}

func panelTitles(r *Intermediates) (titles []string) {
	for _, b := range r.Betas { // the letters are ASCII, because the PDF has no Greek ones
		titles = append(titles, "beta = "+strconv.FormatFloat(b, 'g', -1, 64))
	}
	return append(titles, "target", fmt.Sprintf("AIS, T = %d", r.Distributions()))
}

// The least widths of a panel of cells and of others, in the size of letters, and the width of the
// others.
const (
	leastCells  = 5.5
	leastPlaces = 9
	placesWidth = 4.2 * vg.Centimeter
)

// addMaps adds the row of a toy to a sheet.
func addMaps(s *figure.Sheet, r *Intermediates) error {
	picture, err := show.PictureOf(r.Toy)
	if err != nil {
		return err
	}
	colors, err := figure.Viridis()
	if err != nil {
		return err
	}
	all := panels(r)
	high := 0.0
	for _, v := range all {
		high = max(high, slices.Max(v))
	}
	m := show.StateMap{
		Toy:     r.Toy,
		Picture: picture,
		High:    high,
		At:      func(v float64) float64 { return math.Sqrt(v / high) },
		Color:   colors,
	}
	var row []*figure.Panel
	for k, title := range panelTitles(r) {
		m.Values = all[k]
		p := m.Panel()
		if picture == show.Cells {
			p.HideAxes()
		}
		p.Title.Text, p.Y.Label.Text = title, show.RowName(r.Toy)
		row = append(row, p)
	}
	row[len(row)-1].Colors = m.Scale()
	s.Rows = append(s.Rows, row)
	if note := m.Note(); note != "" {
		s.Caption += " " + note
	}
	s.Ratio = max(s.Ratio, vg.Length(m.Ratio()))
	if picture != show.Cells {
		s.Width, s.Least = placesWidth, leastPlaces
	}
	if picture == show.Bars {
		s.Ratio = max(s.Ratio, m.Height()/placesWidth)
	}
	return nil
}
