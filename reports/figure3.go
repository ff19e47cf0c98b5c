package reports

import (
	"errors"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"breadboard/chains"
	"breadboard/experiments/tightness"
	"breadboard/reports/figure"
)

// Figure3 draws J (solid) and B (dashed) against T on logarithmic axes, one colour a toy, as Figure 3 of
// Grosse, Ancha and Roy 2016. Values that are infinite or zero are left out. It fails where no toy has two
// points to join.
func Figure3(rows []tightness.Row) (*figure.Figure, error) {
	p := plot.New()
	p.X.Label.Text = "number of distributions T"
	p.Y.Label.Text = "Jeffreys divergence (nats)"
	p.X.Tick.Marker, p.Y.Tick.Marker = figure.Decades{}, figure.Decades{}
	p.Add(figure.GridLines())
	lines := 0
	for i, name := range toyNames(rows) {
		var j, b plotter.XYs
		for _, r := range rows {
			if r.Toy.Name == name {
				j, b = figure.AppendLog(j, r.Distributions(), r.J), figure.AppendLog(b, r.Distributions(), r.B)
			}
		}
		solid, err := figure.Curve(p, j, figure.Color(i), nil)
		if err != nil {
			return nil, err
		}
		if _, err := figure.Curve(p, b, figure.Color(i), figure.Dashes()); err != nil {
			return nil, err
		}
		if solid != nil {
			lines++
			p.Legend.Add(name, solid)
		}
	}
	if lines == 0 && len(rows) > len(toyNames(rows)) {
		return nil, errors.New("nothing to draw: J of no toy is positive and finite at two numbers of distributions")
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of distributions, as in {T|T =} 10,100,1000")
	}
	p.Legend.Add("J, exact", figure.Key(nil))
	p.Legend.Add("B, the bound", figure.Key(figure.Dashes()))
	figure.Dress(p)
	p.Y.Min = math.Floor(p.Y.Min + 0.05) // a decade, so that the lowest tick has a label
	p.Y.Max += 0.2
	return figure.OfPlot("figure3", 13*vg.Centimeter, 9.5*vg.Centimeter, p), nil
}

func toyNames(rows []tightness.Row) []string {
	var names []string
	seen := map[string]bool{}
	for _, r := range rows {
		if !seen[r.Toy.Name] {
			seen[r.Toy.Name] = true
			names = append(names, r.Toy.Name)
		}
	}
	return names
}
