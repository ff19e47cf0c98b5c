package mcmc

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/temper"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/targets"
)

// TemperUpFigure draws, by the state of the cold chain, the probability that the replica in the middle of a ladder of three is on its way up (see
// replicas.Rate). With perfect exploration it would be the same everywhere.
func TemperUpFigure(r *temper.Row) (*figure.Figure, error) {
	p, err := targets.PictureOf(r.Toy)
	if err != nil {
		return nil, err
	}
	shades, err := figure.Viridis()
	if err != nil {
		return nil, err
	}
	up := r.Rate.Up[1]
	f := figure.New(ladderFile("temper_up", &r.Case, r.Scheme), func(s figure.Style) figure.Page {
		return upPage(s, r, p, func(share float64) color.Color {
			c, err := shades.At(share)
			if err != nil {
				return color.White // a share that rounding has left outside
			}
			return c
		})
	})
	f.Title = "The probability that the middle replica is on its way up, by the state of the cold chain: " + r.Case.String()
	f.Data = &table.Table{Columns: []table.Column{
		{Name: "state", Type: table.String, Title: "state", Meaning: "the state of the replica at the target"},
		{Name: "up", Type: table.Float, Title: "up", Meaning: "the probability that the replica in the middle is on its way up"},
	}}
	for x, v := range up {
		f.Data.Rows = append(f.Data.Rows, []any{r.Toy.State(x), v})
	}
	return f, nil
}

// upPage lays out the map of who is up.
func upPage(s figure.Style, r *temper.Row, p targets.Picture, colour func(share float64) color.Color) figure.Page {
	up, em := r.Rate.Up[1], s.Letters()
	shown := targets.ShownValues(r.Toy, p, up)
	low, high := slices.Min(shown), slices.Max(shown)
	if high == low {
		high = low + 1
	}
	share := func(v float64) float64 { return (v - low) / (high - low) }
	shade := func(v float64) color.Color { return colour(share(v)) }
	names, beside, margin := vg.Length(0), 4.5*em, 0.8*em
	if p == targets.Bars {
		names, beside = targets.BarNames*vg.Length(s.Scale()), 0
	}
	size := 6 * vg.Centimeter * vg.Length(s.Scale())
	if s.Width > 0 {
		size = s.Width - 2*margin - names - beside
	}
	height, width := targets.HeightOf(r.Toy, p, size, s.Scale()), size+2*margin+names+beside
	note := figure.Label(s.Size(8), text.XLeft, text.YTop)
	caption := figure.Wrapped(strings.TrimSpace(fmt.Sprintf("P(middle replica on its way up) by the cold chain's state, %s. ", targets.RowName(r.Toy.Name))+targets.PartsNote(r.Toy, p)), note, width-2*margin)
	below := note.Height(caption) + 0.5*em
	return figure.Page{Width: width, Height: 2*margin + height + below, Draw: func(c draw.Canvas) {
		c.FillPolygon(color.White, figure.Corners(c.Rectangle))
		box := vg.Rectangle{Min: vg.Point{X: c.Min.X + margin + names, Y: c.Max.Y - margin - height}, Max: vg.Point{X: c.Min.X + margin + names + size, Y: c.Max.Y - margin}}
		targets.DrawStates(c, s, r.Toy, p, up, low, high, shade, box, true)
		if beside > 0 {
			scale := vg.Rectangle{Min: vg.Point{X: box.Max.X + 0.8*em, Y: box.Min.Y}, Max: vg.Point{X: box.Max.X + 1.6*em, Y: box.Max.Y}}
			figure.ColourBar(c, s, scale, low, high, share, func(at float64) float64 { return low + at*(high-low) }, shade)
		}
		c.FillText(note, vg.Point{X: c.Min.X + margin, Y: box.Min.Y - 0.5*em}, caption)
	}}
}
