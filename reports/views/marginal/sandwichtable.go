package marginal

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// SandwichTableReport returns the report of models fitted to the data of each other, with a figure.
func SandwichTableReport(rows []compare.CrossedRow) *reports.Report {
	whole := compare.CrossedWhole(rows)
	r := &reports.Report{Parts: []reports.Part{
		inBrief(sandwichTableFile, rows, whole, compare.Crossed().Declaration.Columns),
		curves.Figure("Models fitted to the data of each other", "no figure of the table", whole, SandwichTableFigure),
	}}
	for _, finding := range compare.CrossedFindings(rows) {
		r.Note("%s", finding)
	}
	return r
}

// sandwichTableFile is the name of the table and of its figure.
const sandwichTableFile = "sandwich_table"

// SandwichTableFigure draws the table of models fitted to the data of each other: a line of cells
// for the data of each model, with the log mean weight of each fitted model and its distance below
// the model that made the data, which is the colour. A frame marks the model that made the data. It
// fails if there are no rows, or if a cell is missing.
func SandwichTableFigure(rows []compare.CrossedRow) (*figure.Figure, error) {
	var models []string
	low, high := 0.0, 0.0 // of the numbers shown as colours
	for i := range rows {
		if rows[i].Diagonal() {
			models = append(models, rows[i].Made)
		}
		low, high = min(low, rows[i].Behind.Value), max(high, rows[i].Behind.Value)
	}
	if len(models) == 0 || len(rows) != len(models)*len(models) {
		return nil, chains.NewAdvice("a cell of the table is missing; the run may have been interrupted")
	}
	high = max(high, low+1)
	colors, err := curves.Shades()
	if err != nil {
		return nil, err
	}
	at := func(row, column int) *compare.CrossedRow {
		return &rows[slices.IndexFunc(rows, func(r compare.CrossedRow) bool { return r.Made == models[row] && r.Fitted == models[column] })]
	}
	bright := func(v float64) float64 { return (high - v) / (high - low) } // the brightest has the smallest distance
	f := figure.TileMap{
		Name: sandwichTableFile, Rows: models, Columns: models, Low: low, High: high, Width: 2.9 * vg.Centimeter, Height: 1.3 * vg.Centimeter,
		Beside: "data of", Above: "fitted model", Scale: "nats behind", Ticks: figure.Linear{},
		Value: func(row, column int) float64 { return at(row, column).Behind.Value },
		Shade: func(v float64) color.Color { return colors(bright(v)) },
		Cell: func(c draw.Canvas, s figure.Style, row, column int, box vg.Rectangle) {
			r := at(row, column)
			writeCrossed(c, s, r, box, figure.Finite(r.Behind.Value) && bright(r.Behind.Value) < 0.55)
		},
	}.Figure()
	f.Title = "Log mean weights of models fitted to the data of each other"
	f.Data = table.New(compare.Crossed().Declaration.Columns, rows)
	return f, nil
}

// writeCrossed writes the numbers of a cell, in white on dark colours and in black on bright ones,
// with a frame for the model that made the data.
func writeCrossed(c draw.Canvas, s figure.Style, r *compare.CrossedRow, box vg.Rectangle, dark bool) {
	first, second := figure.Label(s.Size(9), text.XCenter, text.YCenter), figure.Label(s.Size(7.5), text.XCenter, text.YCenter)
	ink := color.Color(color.Gray{1}) // the black of letters on paper is white on dark pages
	if dark {
		ink = color.White
	}
	first.Color, second.Color = ink, ink
	middle, apart := vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}, vg.Point{Y: box.Size().Y / 5}
	if r.Diagonal() {
		apart.Y = 0
		c.StrokeLines(draw.LineStyle{Color: color.Gray{1}, Width: vg.Points(1.5)}, append(figure.Corners(box), box.Min))
	} else {
		behind := fmt.Sprintf("%.1f", r.Behind.Value)
		if figure.Finite(r.Behind.StandardError) {
			behind += fmt.Sprintf(" ± %.1f", r.Behind.StandardError)
		}
		c.FillText(second, middle.Sub(apart), "("+behind+")")
	}
	c.FillText(first, middle.Add(apart), fmt.Sprintf("%.1f", r.LogMean.Value))
	figure.AddTip(c, figure.Tip{Text: fmt.Sprintf("%s fitted to data of %s: log mean weight %.1f, %.1f nats behind", r.Fitted, r.Made, r.LogMean.Value,
		r.Behind.Value), Box: box})
}
