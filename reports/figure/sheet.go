package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sheet is the layout of a figure of panels. In a style that is too narrow for all of them beside each other they stand in several bands.
type Sheet struct {
	Name string
	// Rows has the panels. Those of one column belong together and stay above one another; a nil leaves no hole where the whole row of
	// a band is nil. All rows have the same length.
	Rows [][]*Panel
	// Columns is the largest number of columns that stand beside each other; 0 is all.
	Columns int
	// Width and Height are the size of a panel in the zero Style.
	Width, Height vg.Length
	// Least is the least width of a panel in the size of letters, for panels with long names at their axes; 0 is leastPanel.
	Least float64
	// Lines says that the height of a panel is for lines of text at its axis, and does not shrink with the width.
	Lines bool
	// Legend stands at the right of the panels where Beside is set and there is room, and else below them. The legends of the panels
	// are added to it.
	Legend  Legend
	Beside  bool
	Caption string // stands below all else
}

const (
	// leastPanel is the least width of a panel, in the size of letters.
	leastPanel = 13
	// leastHeight is the least height of a panel, in the size of letters.
	leastHeight = 12.5
)

// Panels returns rows of so many columns, from panels that come row by row.
func Panels(columns int, panels []*Panel) (rows [][]*Panel) {
	for row := range slices.Chunk(panels, columns) {
		full := make([]*Panel, columns)
		copy(full, row)
		rows = append(rows, full)
	}
	return rows
}

// Figure returns the figure of the sheet.
func (s Sheet) Figure() *Figure {
	for _, row := range s.Rows {
		for _, p := range row {
			if p != nil {
				s.Legend.Merge(p.Legend)
			}
		}
	}
	f := New(s.Name, s.page)
	panels := slices.DeleteFunc(slices.Concat(s.Rows...), func(p *Panel) bool { return p == nil })
	f.Data, f.Title = dataOf(panels), titleOf(panels)
	return f
}

// page lays the sheet out.
func (s *Sheet) page(style Style) Page {
	em := style.Letters()
	margin := 0.7 * em
	all := len(s.Rows[0])
	columns := all
	if s.Columns > 0 {
		columns = min(columns, s.Columns)
	}
	width := s.Width * vg.Length(style.Scale())
	beside := s.legendBeside(style, columns)
	side := vg.Length(0)
	if style.Width > 0 {
		least := vg.Length(leastPanel)
		if s.Least > 0 {
			least = vg.Length(s.Least)
		}
		room := style.Width - 2*margin
		if beside.width > 0 {
			side = beside.width + 1.5*em
		}
		for columns > 1 && room/vg.Length(columns) < least*em {
			columns--
		}
		width = (room - side) / vg.Length(columns)
	} else if beside.width > 0 {
		side = beside.width + 1.5*em
	}
	bands := (all + columns - 1) / columns
	if narrower := (all + bands - 1) / bands; narrower < columns { // bands of about the same length
		if style.Width > 0 {
			width = width * vg.Length(columns) / vg.Length(narrower)
		}
		columns = narrower
	}
	height := max(width*s.Height/s.Width, leastHeight*em)
	if s.Lines {
		height = s.Height * vg.Length(style.Scale())
	}
	total := vg.Length(columns)*width + side + 2*margin
	if rows := s.rowsOf(columns); beside.width > 0 && rows > 0 { // panels are as high as a legend at their side, if that is not too high
		free := beside.height() + 1.5*em - (vg.Length(rows)*height + 0.9*em*vg.Length(len(s.bands(columns))-1))
		if free > 0 && !s.Lines {
			height = max(height, min(height+free/vg.Length(rows), 1.5*width))
		}
	}
	hole, inside := s.hole(columns), setLegend{}
	if beside.width == 0 && hole.columns > 0 {
		room := vg.Point{X: vg.Length(hole.columns)*width - 2*em, Y: vg.Length(hole.rows)*height - em}
		if l := s.Legend.set(style, room.X, 1); l.width <= room.X && l.height() <= room.Y {
			inside = l
		}
	}
	below := setLegend{}
	if beside.width == 0 && inside.width == 0 {
		below = s.Legend.set(style, total-2*margin, len(s.Legend.entries))
	}
	caption := Label(style.Size(7.5), text.XLeft, text.YTop)
	note := Wrapped(s.Caption, caption, total-2*margin)
	foot := below.height()
	if foot > 0 {
		foot += 0.4 * em
	}
	if note != "" {
		foot += caption.Height(note) + 0.5*em
	}
	between := 0.9 * em // bands
	tall := -between
	for _, b := range s.bands(columns) {
		tall += vg.Length(len(b))*height + between
	}
	if beside.width > 0 {
		tall = max(tall, beside.height()+1.5*em)
	}
	return Page{Width: total, Height: tall + foot + 2*margin, Draw: func(c draw.Canvas) {
		c.FillPolygon(color.White, Corners(c.Rectangle))
		left, top := c.Min.X+margin, c.Max.Y-margin
		for _, b := range s.bands(columns) {
			box := vg.Rectangle{Min: vg.Point{X: left, Y: top - vg.Length(len(b))*height}, Max: vg.Point{X: left + vg.Length(len(b[0]))*width, Y: top}}
			drawBand(draw.Canvas{Canvas: c.Canvas, Rectangle: box}, style, b)
			top = box.Min.Y - between
		}
		if inside.width > 0 {
			middle := vg.Point{X: left + (vg.Length(columns)-vg.Length(hole.columns)/2)*width, Y: top + between + vg.Length(hole.rows)*height/2}
			inside.draw(c, vg.Point{X: middle.X - inside.width/2 + 0.5*em, Y: middle.Y + inside.height()/2})
		}
		if beside.width > 0 {
			beside.draw(c, vg.Point{X: c.Max.X - margin - beside.width, Y: c.Max.Y - margin - 1.5*em})
		}
		top = c.Min.Y + margin + foot - 0.4*em
		if below.height() > 0 {
			below.draw(c, vg.Point{X: c.Min.X + (total-below.width)/2, Y: top})
		}
		if note != "" {
			c.FillText(caption, vg.Point{X: left, Y: c.Min.Y + margin + caption.Height(note)}, note)
		}
	}}
}

// legendBeside lays the legend out for the right of the panels, with no width where it has no room there.
func (s *Sheet) legendBeside(style Style, columns int) setLegend {
	if !s.Beside || len(s.Legend.entries) == 0 {
		return setLegend{}
	}
	em := style.Letters()
	const ample = 100 * vg.Centimeter
	out := s.Legend.set(style, ample, 1)
	least := vg.Length(leastPanel)
	if s.Least > 0 {
		least = vg.Length(s.Least)
	}
	if style.Width > 0 && (out.width > 0.3*style.Width || (style.Width-out.width-3*em)/vg.Length(columns) < 1.2*least*em) {
		return setLegend{}
	}
	return out
}

// bands returns the bands of so many columns, without rows that are empty.
func (s *Sheet) bands(columns int) (out [][][]*Panel) {
	for from := 0; from < len(s.Rows[0]); from += columns {
		var b [][]*Panel
		for _, row := range s.Rows {
			part := row[from:min(len(row), from+columns)]
			if slices.ContainsFunc(part, func(p *Panel) bool { return p != nil }) {
				b = append(b, part)
			}
		}
		if len(b) > 0 {
			out = append(out, b)
		}
	}
	return out
}

// rowsOf returns how many rows of panels stand above one another where so many columns stand beside each other.
func (s *Sheet) rowsOf(columns int) (n int) {
	for _, b := range s.bands(columns) {
		n += len(b)
	}
	return n
}

// place is a part of a sheet that has no panels, in its lower right corner.
type place struct{ columns, rows int }

// hole returns how many columns and rows are free in the lower right corner.
func (s *Sheet) hole(columns int) (h place) {
	bands := s.bands(columns)
	if len(bands) == 0 {
		return h
	}
	last := bands[len(bands)-1]
	free := func(row []*Panel) int {
		n := columns - len(row)
		for i := len(row) - 1; i >= 0 && row[i] == nil; i-- {
			n++
		}
		return n
	}
	h.columns = free(last[len(last)-1])
	for i := len(last) - 1; i >= 0 && free(last[i]) >= h.columns; i-- {
		h.rows++
	}
	return h
}

// alignments is how often panels are laid out: each time the areas within their axes are known better, and the third time hardly
// anything moves.
const alignments = 3

// drawBand draws the panels of a band with their axes in line.
func drawBand(c draw.Canvas, style Style, panels [][]*Panel) {
	gap := 0.8 * style.Letters()
	tiles := draw.Tiles{Rows: len(panels), Cols: len(panels[0]), PadX: gap, PadY: gap}
	plots := make([][]*plot.Plot, len(panels))
	for i, row := range panels {
		plots[i] = make([]*plot.Plot, len(row))
		for j, p := range row {
			if p != nil {
				tile := tiles.At(c, j, i)
				plots[i][j] = p.laidOut(style, tile, tile.Rectangle.Size().Add(vg.Point{X: -4 * style.Letters(), Y: -4 * style.Letters()}))
			}
		}
	}
	aligned := plot.Align(plots, tiles, c)
	for range alignments - 1 {
		for i, row := range panels {
			for j, p := range row {
				if p != nil {
					plots[i][j] = p.laidOut(style, tiles.At(c, j, i), plots[i][j].DataCanvas(aligned[i][j]).Size())
				}
			}
		}
		aligned = plot.Align(plots, tiles, c)
	}
	for i, line := range aligned {
		for j, canvas := range line {
			if plots[i][j] != nil {
				plots[i][j].Draw(canvas)
				panels[i][j].addTips(canvas, plots[i][j])
			}
		}
	}
}
