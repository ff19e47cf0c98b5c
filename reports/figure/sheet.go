package figure

import (
	"cmp"
	"image/color"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sheet is the layout of a figure of panels. If a style is too narrow for all of them side by side,
// they are in several bands. The legend stands at the right if all panels have room beside it, and
// else below them.
type Sheet struct {
	// Rows has the panels. Those of one column belong together and stay above one another; a nil
	// leaves no hole where the whole row of a band is nil. All rows have the same length.
	Rows [][]*Panel
	// Columns is the largest number of columns side by side; 0 means all.
	Columns int
	// Width and Height are the size of a panel in the zero Style.
	Width, Height vg.Length
	// Least is the least width of a panel in the size of letters.
	Least vg.Length
	// Lines says that Height is for lines of text at the vertical axis, and does not shrink with
	// the width; Ratio, if not zero, is the height of the area within the axes by its width.
	Lines   bool
	Ratio   vg.Length
	Caption string // is below all else
	legend  legend
}

const (
	// leastPanel and leastHeight are the least width and height of a panel, in the size of letters.
	leastPanel  = 13
	leastHeight = 12.5
	// leastArea is the least width and height within the axes of a panel.
	leastArea = vg.Inch
	// flatPanel is the largest height of panels that stand above one another because nothing fits
	// beside them, by their width.
	flatPanel = 0.52
	// pageHeight is that of all panels, if they have room for letters in it: about a page of paper.
	pageHeight = 9 * vg.Inch
	// bandGap is the distance of bands, and panelGap that of panels, in the size of letters.
	bandGap  = 0.9
	panelGap = 0.8
	// widestLegend is the part of a width that a legend beside the panels may take.
	widestLegend = 0.3
	// legendLine is the length of the lines of a legend beside the panels, in the size of letters.
	legendLine = 30
	// alignments is how often panels are laid out: each time the areas within their axes are known
	// better, and the third time hardly anything moves.
	alignments = 3
)

// panels returns the panels of the sheet.
func (s *Sheet) panels() []*Panel {
	return slices.DeleteFunc(slices.Concat(s.Rows...), func(p *Panel) bool { return p == nil })
}

// arrangement is how the panels of a sheet stand: how many beside each other, the size of each with
// its axes, and what is at their right.
type arrangement struct {
	columns             int
	width, height, side vg.Length
	beside              bool // the legend is at the right
}

// arrange returns the first arrangement in which the area within the axes of each panel is an inch
// wide: as many panels as have room beside each other, and fewer and fewer if that is not enough.
// All panels are so high that their areas are an inch high.
func (s *Sheet) arrange(style Style, right setLegend) (a arrangement) {
	em := style.Letters()
	room := style.Width - 2*margin(style)
	if slices.ContainsFunc(s.panels(), func(p *Panel) bool { return p.Colors != nil }) {
		a.side = scaleWidth * em
	}
	all := len(s.Rows[0])
	a.columns = all
	if s.Columns > 0 {
		a.columns = min(all, s.Columns)
	}
	least := cmp.Or(s.Least, leastPanel) * em
	side := a.side
	if right.width > 0 {
		side += right.width + 1.5*em
	}
	a.beside = style.Width == 0 || style.Width >= narrow &&
		right.width <= widestLegend*style.Width && vg.Length(a.columns)*least <= room-side
	if a.beside {
		a.side = side
	}
	if style.Width > 0 {
		a.columns = max(1, min(a.columns, int((room-a.side)/least)))
	}
	for {
		bands := (all + a.columns - 1) / a.columns
		a.columns = (all + bands - 1) / bands // bands of about the same length
		a.width = s.Width * vg.Length(style.Scale())
		if style.Width > 0 {
			a.width = (room - a.side) / vg.Length(a.columns)
		}
		rows := vg.Length(0)
		for _, b := range s.bands(a.columns) {
			rows += vg.Length(len(b))
		}
		a.height = max(min(a.width*s.Height/s.Width, pageHeight/rows), leastHeight*em)
		if a.columns == 1 && all > 1 {
			a.height = max(min(a.height, flatPanel*a.width), leastHeight*em)
		}
		area := s.fit(style, &a)
		if style.Width == 0 || area >= leastArea || s.Ratio > 0 || a.columns == 1 {
			return a
		}
		a.columns--
	}
}

// fit makes panels so high that their areas are an inch high, or as high as they say, and returns
// the least width of these. A higher panel may need fewer lines at its axes, and may have numbers
// with more digits, which take from its width.
func (s *Sheet) fit(style Style, a *arrangement) (width vg.Length) {
	if s.Lines {
		a.height = s.Height * vg.Length(style.Scale())
	}
	for range alignments {
		least := vg.Point{X: vg.Length(math.Inf(1)), Y: vg.Length(math.Inf(1))}
		for _, b := range s.bands(a.columns) {
			c := draw.Canvas{Rectangle: vg.Rectangle{
				Max: vg.Point{X: vg.Length(len(b[0])) * a.width, Y: vg.Length(len(b)) * a.height}}}
			plots, aligned := layBand(c, style, b)
			for i, row := range plots {
				for j, p := range row {
					if p != nil {
						size := p.DataCanvas(aligned[i][j]).Size()
						least = vg.Point{X: min(least.X, size.X), Y: min(least.Y, size.Y)}
					}
				}
			}
		}
		width = least.X
		switch {
		case s.Ratio > 0:
			a.height += least.X*s.Ratio - least.Y
		case s.Lines || least.Y >= leastArea:
			return width
		default:
			a.height += leastArea - least.Y
		}
	}
	return width
}

// margin is the free space around a page.
func margin(style Style) vg.Length { return 0.7 * style.Letters() }

// page is a figure laid out in a style: its size, and the function that draws it.
type page struct {
	width, height vg.Length
	draw          func(draw.Canvas) []tip
}

// page lays the sheet out.
func (s *Sheet) page(style Style) page {
	em := style.Letters()
	margin := margin(style)
	right := s.legend.layOut(style, legendLine*em, false)
	a := s.arrange(style, right)
	total := vg.Length(a.columns)*a.width + a.side + 2*margin
	below := setLegend{}
	if !a.beside {
		below = s.legend.layOut(style, total-2*margin, true)
	}
	caption := Label(style.Size(7.5), text.XLeft, text.YTop)
	note := Wrapped(s.Caption, caption, total-2*margin)
	foot := below.height
	if note != "" {
		foot += caption.Height(note) + 0.5*em
	}
	tall := -bandGap * em
	for _, b := range s.bands(a.columns) {
		tall += vg.Length(len(b))*a.height + bandGap*em
	}
	if a.beside {
		tall = max(tall, right.height)
	}
	return page{total, tall + foot + 2*margin, func(c draw.Canvas) (tips []tip) {
		c.FillPolygon(color.White, corners(c.Rectangle))
		corner := vg.Point{X: c.Min.X + margin, Y: c.Max.Y - margin}
		if a.beside {
			right.draw(c, em, vg.Point{X: c.Max.X - margin - right.width, Y: corner.Y})
		}
		for _, b := range s.bands(a.columns) {
			box := vg.Rectangle{
				Min: vg.Point{X: corner.X, Y: corner.Y - vg.Length(len(b))*a.height},
				Max: vg.Point{X: corner.X + vg.Length(len(b[0]))*a.width, Y: corner.Y},
			}
			tips = append(tips, drawBand(draw.Canvas{Canvas: c.Canvas, Rectangle: box}, style, b)...)
			corner.Y = box.Min.Y - bandGap*em
		}
		corner.Y = c.Min.Y + margin + foot
		below.draw(c, em, corner)
		c.FillText(caption, vg.Point{X: corner.X, Y: c.Min.Y + margin + caption.Height(note)}, note)
		return tips
	}}
}

// bands returns the bands of that many columns, without rows that are empty. A single row is one
// band of several rows, which share axes.
func (s *Sheet) bands(columns int) (out [][][]*Panel) {
	var single [][]*Panel
	for from := 0; from < len(s.Rows[0]); from += columns {
		var b [][]*Panel
		for _, row := range s.Rows {
			part := make([]*Panel, min(columns, len(row)))
			copy(part, row[from:min(len(row), from+columns)])
			if slices.ContainsFunc(part, func(p *Panel) bool { return p != nil }) {
				b = append(b, part)
			}
		}
		out = append(out, b)
		single = append(single, b...)
	}
	if len(s.Rows) == 1 {
		return [][][]*Panel{single}
	}
	return out
}

// layBand lays the panels of a band out with their axes in line, each in its part of a canvas. It
// draws nothing. Panels beside or above one another that have one axis have its labels once.
func layBand(c draw.Canvas, style Style, panels [][]*Panel) (plots [][]*plot.Plot, aligned [][]draw.Canvas) {
	gap := panelGap * style.Letters()
	across, down, c := shared(c, Label(style.Letters(), text.XCenter, text.YBottom), panels)
	tiles := draw.Tiles{Rows: len(panels), Cols: len(panels[0]), PadX: gap, PadY: gap}
	plots = make([][]*plot.Plot, len(panels))
	for try := range alignments {
		for i, row := range panels {
			previous := plots[i]
			plots[i] = make([]*plot.Plot, len(row))
			for j, p := range row {
				if p == nil {
					continue
				}
				tile := tiles.At(c, j, i).Size()
				data := tile.Add(vg.Point{X: -4 * style.Letters(), Y: -4 * style.Letters()})
				if try > 0 {
					tile = aligned[i][j].Size()
					data = previous[j].DataCanvas(aligned[i][j]).Size()
				}
				q := p.laidOut(style, tile.X, data)
				plots[i][j] = q
				if across != "" {
					q.X.Label.Text = ""
				}
				if down != "" {
					q.Y.Label.Text = ""
				}
				if j > 0 && row[j-1] != nil && row[j-1].Y.Label.Text == p.Y.Label.Text {
					q.Y.Label.Text = ""
					unlabel(&q.Y, &row[j-1].Y, &p.Y)
				}
				if i+1 < len(panels) && panels[i+1][j] != nil && unlabel(&q.X, &panels[i+1][j].X, &p.X) {
					q.X.Label.Text = ""
				}
				if i > 0 && panels[i-1][j] != nil && panels[i-1][j].Title.Text == p.Title.Text {
					q.Title.Text = ""
				}
			}
		}
		aligned = plot.Align(plots, tiles, c)
	}
	return plots, aligned
}

// shared returns the labels that the axes of all panels of several rows have, if there is room for
// them in a line, and the part of the canvas that they leave. They stand there once.
func shared(c draw.Canvas, style draw.TextStyle, panels [][]*Panel) (across, down string, rest draw.Canvas) {
	var x, y []string
	for _, p := range slices.Concat(panels...) {
		if p != nil {
			x, y = append(x, p.X.Label.Text), append(y, p.Y.Label.Text)
		}
	}
	take := func(labels []string, room vg.Length, edge *vg.Length) string {
		if len(panels) < 2 || labels[0] == "" || slices.Min(labels) != slices.Max(labels) ||
			style.Width(labels[0]) > room {
			return ""
		}
		*edge += 1.6 * style.Font.Size
		return labels[0]
	}
	rest = c
	return take(x, c.Size().X, &rest.Min.Y), take(y, c.Size().Y, &rest.Min.X), rest
}

// unlabel takes the labels from the ticks of an axis if two panels have one label and the same
// numbers or names at the same places. Blanks keep the ticks, and the lines behind the panel.
func unlabel(drawn, a, b *plot.Axis) bool {
	if a.Label.Text != b.Label.Text || a.Min != b.Min || a.Max != b.Max ||
		!reflect.DeepEqual(a.Tick.Marker, b.Tick.Marker) {
		return false
	}
	ticks := slices.Clone(drawn.Tick.Marker.Ticks(drawn.Min, drawn.Max))
	for i := range ticks {
		ticks[i].Label = strings.Repeat(" ", min(1, len(ticks[i].Label)))
	}
	drawn.Tick.Marker = plot.ConstantTicks(ticks)
	drawn.Tick.Label.Font.Size = 0.01
	drawn.Tick.Label.Rotation = 0
	return true
}

// drawBand draws the panels of a band.
func drawBand(c draw.Canvas, style Style, panels [][]*Panel) (tips []tip) {
	plots, aligned := layBand(c, style, panels)
	label := Label(style.Letters(), text.XCenter, text.YBottom)
	across, down, area := shared(c, label, panels)
	c.FillText(label, vg.Point{X: area.Center().X, Y: c.Min.Y}, across)
	label.Rotation = math.Pi / 2
	label.YAlign = text.YTop
	c.FillText(label, vg.Point{X: c.Min.X, Y: area.Center().Y}, down)
	for i, row := range panels {
		for j, p := range row {
			if p == nil {
				continue
			}
			q := plots[i][j]
			q.Draw(aligned[i][j])
			inside := q.DataCanvas(aligned[i][j])
			p.drawLabels(inside, style, q)
			tips = append(tips, p.tips(inside, q)...)
			if p.Colors != nil {
				p.Colors.draw(c, style, inside.Rectangle)
			}
		}
	}
	return tips
}
