package marginal

import (
	"fmt"
	"image/color"
	"math"
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

// SandwichTableReport returns the report of models that are fitted to the data of each other, with a figure.
func SandwichTableReport(rows []compare.CrossedRow) *reports.Report {
	whole := compare.CrossedWhole(rows)
	r := &reports.Report{Parts: []reports.Part{
		inBrief(sandwichTableFile, rows, whole, compare.Crossed().Columns),
		curves.Figure("Models that are fitted to the data of each other", "no figure of the table", whole, SandwichTableFigure),
	}}
	for _, finding := range compare.CrossedFindings(rows) {
		r.Note("%s", finding)
	}
	return r
}

// sandwichTableFile is the name of the table and of its figure.
const sandwichTableFile = "sandwich_table"

// SandwichTableFigure draws the table of models that are fitted to the data of each other: a line of cells for the data of each model, with
// the log mean weight of each fitted model and by how much it is behind, which is the colour. A frame is around the model that made the
// data. It fails where there are no rows, or where a cell is missing.
func SandwichTableFigure(rows []compare.CrossedRow) (*figure.Figure, error) {
	m := &crossedMap{rows: rows}
	for i := range rows {
		if rows[i].Diagonal() {
			m.models = append(m.models, rows[i].Made)
		}
		m.low, m.high = min(m.low, rows[i].Behind.Value), max(m.high, rows[i].Behind.Value)
	}
	if len(m.models) == 0 || len(rows) != len(m.models)*len(m.models) {
		return nil, chains.NewAdvice("a cell of the table is missing, as that of an interrupted run")
	}
	m.high = max(m.high, m.low+1)
	colors, err := curves.Shades()
	if err != nil {
		return nil, err
	}
	m.shade = func(v float64) color.Color { return colors(m.bright(v)) }
	f := figure.New(sandwichTableFile, func(s figure.Style) figure.Page {
		laid := *m
		laid.style = s
		return laid.page()
	})
	f.Title = "Log mean weights of models fitted to the data of each other"
	f.Data = table.New(compare.Crossed().Columns, rows)
	return f, nil
}

// crossedMap draws the table.
type crossedMap struct {
	style     figure.Style
	models    []string
	rows      []compare.CrossedRow // one for each cell
	low, high float64              // of the numbers that are colours
	shade     func(float64) color.Color

	cell, height    vg.Length // the size of a cell
	left, top, foot vg.Length
	right           vg.Length
}

// bright returns the place of a number on the scale of colours: the brightest is the least behind.
func (m *crossedMap) bright(v float64) float64 { return (m.high - v) / (m.high - m.low) }

// page returns the size of the drawing, and how it is drawn.
func (m *crossedMap) page() figure.Page {
	scale := vg.Length(m.style.Scale())
	m.cell, m.height, m.right, m.foot = 2.9*vg.Centimeter*scale, 1.3*vg.Centimeter*scale, 2.6*vg.Centimeter*scale, 0.4*vg.Centimeter*scale
	for _, name := range m.models {
		m.left = max(m.left, m.label(text.XRight).Width(name))
	}
	m.left += 1.1 * vg.Centimeter * scale
	m.top = 1.5 * vg.Centimeter * scale
	n := vg.Length(len(m.models))
	if m.style.Width > 0 {
		m.cell = (m.style.Width - m.left - m.right) / n
	}
	return figure.Page{Width: m.left + n*m.cell + m.right, Height: m.top + n*m.height + m.foot, Draw: m.draw}
}

func (m *crossedMap) label(x text.XAlignment) draw.TextStyle {
	return figure.Label(m.style.Size(9), x, text.YCenter)
}

func (m *crossedMap) draw(c draw.Canvas) {
	scale := vg.Length(m.style.Scale())
	c.FillPolygon(color.White, figure.Corners(c.Rectangle))
	n := vg.Length(len(m.models))
	box := vg.Rectangle{Min: vg.Point{X: c.Min.X + m.left, Y: c.Max.Y - m.top - n*m.height}, Max: vg.Point{X: c.Min.X + m.left + n*m.cell, Y: c.Max.Y - m.top}}
	figure.AddArea(c, box, "nats behind")
	figure.FillCells(c, box, len(m.models), len(m.models), func(row, column int) color.Color { return m.colour(m.at(row, column)) })
	for i := range m.models {
		m.names(c, box, i)
		for k := range m.models {
			m.write(c, m.at(i, k), m.boxOf(box, i, k))
		}
	}
	for i := range m.models {
		frame := m.boxOf(box, i, i)
		c.StrokeLines(draw.LineStyle{Color: color.Black, Width: vg.Points(1.5)}, append(figure.Corners(frame), frame.Min))
	}
	bar := vg.Rectangle{Min: vg.Point{X: box.Max.X + 0.5*vg.Centimeter*scale, Y: box.Min.Y}, Max: vg.Point{X: box.Max.X + 0.8*vg.Centimeter*scale, Y: box.Max.Y}}
	place := func(v float64) float64 { return (v - m.low) / (m.high - m.low) }
	figure.ColourBar(c, m.style, bar, m.low, m.high, place, func(at float64) float64 { return m.low + at*(m.high-m.low) }, m.shade)
	c.FillText(figure.Label(m.style.Size(8.5), text.XLeft, text.YBottom), vg.Point{X: bar.Min.X, Y: bar.Max.Y + 0.2*vg.Centimeter*scale}, "nats behind")
}

// names writes the name of model i beside its line and above its column, and the titles of both beside the first.
func (m *crossedMap) names(c draw.Canvas, box vg.Rectangle, i int) {
	scale := vg.Length(m.style.Scale())
	beside, above := m.label(text.XRight), m.label(text.XCenter)
	drop := beside.FontExtents().Descent
	c.FillText(beside, vg.Point{X: box.Min.X - 0.2*vg.Centimeter*scale, Y: box.Max.Y - (vg.Length(i)+0.5)*m.height + drop}, m.models[i])
	c.FillText(above, vg.Point{X: box.Min.X + (vg.Length(i)+0.5)*m.cell, Y: box.Max.Y + 0.4*vg.Centimeter*scale}, figure.CutTo(m.models[i], above, m.cell))
	if i > 0 {
		return
	}
	c.FillText(above, vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: box.Max.Y + 1*vg.Centimeter*scale}, "fitted model")
	above.Rotation = math.Pi / 2
	c.FillText(above, vg.Point{X: c.Min.X + 0.4*vg.Centimeter*scale, Y: (box.Min.Y + box.Max.Y) / 2}, "data of")
}

// at returns the row of a cell.
func (m *crossedMap) at(row, column int) *compare.CrossedRow {
	i := slices.IndexFunc(m.rows, func(r compare.CrossedRow) bool { return r.Made == m.models[row] && r.Fitted == m.models[column] })
	return &m.rows[i]
}

func (m *crossedMap) boxOf(box vg.Rectangle, row, column int) vg.Rectangle {
	corner := vg.Point{X: box.Min.X + vg.Length(column)*m.cell, Y: box.Max.Y - vg.Length(row+1)*m.height}
	return vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: m.cell, Y: m.height})}
}

// colour returns the colour of a cell: white where it is not known by how much the model is behind.
func (m *crossedMap) colour(r *compare.CrossedRow) color.Color {
	if !figure.Finite(r.Behind.Value) {
		return color.White
	}
	return m.shade(r.Behind.Value)
}

// write writes the numbers of a cell, in white on dark colours and in black on bright ones.
func (m *crossedMap) write(c draw.Canvas, r *compare.CrossedRow, box vg.Rectangle) {
	first, second := m.label(text.XCenter), figure.Label(m.style.Size(7.5), text.XCenter, text.YCenter)
	if figure.Finite(r.Behind.Value) && m.bright(r.Behind.Value) < 0.55 {
		first.Color, second.Color = color.White, color.White
	}
	middle := vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}
	behind := fmt.Sprintf("(%.1f)", r.Behind.Value)
	if figure.Finite(r.Behind.StandardError) {
		behind = fmt.Sprintf("(%.1f ± %.1f)", r.Behind.Value, r.Behind.StandardError)
	}
	if r.Diagonal() {
		behind = ""
	}
	apart := vg.Point{Y: m.height / 5}
	if behind == "" {
		apart.Y = 0
	}
	c.FillText(first, middle.Add(apart), fmt.Sprintf("%.1f", r.LogMean.Value))
	c.FillText(second, middle.Sub(apart), behind)
	figure.AddTip(c, figure.Tip{Text: fmt.Sprintf("%s fitted to data of %s: log mean weight %.1f, %.1f nats behind", r.Fitted, r.Made, r.LogMean.Value, r.Behind.Value), Box: box})
}
