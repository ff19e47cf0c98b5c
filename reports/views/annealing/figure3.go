package annealing

import (
	"errors"
	"fmt"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"breadboard/chains"
	"breadboard/experiments/tightness"
	"breadboard/reports/figure"
	"breadboard/toys"
)

// Figure3 draws J (solid) and B (dashed) against T on logarithmic axes, one colour a toy, as Figure 3 of
// Grosse, Ancha and Roy 2016. Values that are infinite or zero are left out. It fails where no toy has two
// points to join.
func Figure3(rows []tightness.Row) (*figure.Figure, error) {
	p := figure.NewPanel("", "number of distributions T", "nats")
	p.X.Tick.Marker, p.Y.Tick.Marker = figure.Decades{}, figure.Decades{}
	lines := 0
	for i, name := range toyNames(rows) {
		var j, b plotter.XYs
		for _, r := range rows {
			if r.Toy.Name == name {
				j, b = figure.AppendLog(j, r.Distributions(), r.J), figure.AppendLog(b, r.Distributions(), r.B)
			}
		}
		mark := figure.Full(i)
		drawn, err := figure.Curve(p, name+", J", j, mark)
		if err != nil {
			return nil, err
		}
		if _, err := figure.Curve(p, name+", B", b, mark.Open()); err != nil {
			return nil, err
		}
		if drawn {
			lines++
			p.Legend.Add(LegendName(name, toyNames(rows)), mark)
		}
	}
	if lines == 0 && len(rows) > len(toyNames(rows)) {
		return nil, errors.New("nothing to draw: J of no toy is positive and finite at two numbers of distributions")
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of distributions, as in {T|T =} 10,100,1000")
	}
	addJAndB(&p.Legend)
	p.RoomAround(0.03, 0.04)
	return figure.Alone("figure3", 13*vg.Centimeter, 8.5*vg.Centimeter, p), nil
}

// LegendName returns the name of a toy in the legend of a figure of several toys: a short one where it is painted, with a number where several
// have the same.
func LegendName(name string, all []string) string {
	short := toys.Painted(name)
	if short == name {
		return name
	}
	alike, number := 0, 0
	for _, other := range all {
		if toys.Painted(other) == short {
			alike++
		}
		if other == name {
			number = alike
		}
	}
	if alike == 1 {
		return short
	}
	return fmt.Sprintf("%s (%d)", short, number)
}

// addJAndB adds how J and B are told from each other, in whatever colour they are.
func addJAndB(l *figure.Legend) {
	grey := figure.FullIn(figure.KindGrey(), 0)
	l.Add("J, exact", grey)
	l.Add("B, the bound", grey.Open())
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
