package figure

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sheet is the layout of a figure of panels. If a style is too narrow for all of them side by side,
// they are in several bands.
type Sheet struct {
	Name string
	// Rows has the panels. Those of one column belong together and stay above one another; a nil
	// leaves no hole where the whole row of a band is nil. All rows have the same length.
	Rows [][]*Panel
	// Columns is the largest number of columns side by side; 0 means all.
	Columns int
	// Width and Height are the size of a panel in the zero Style.
	Width, Height vg.Length
	// Least is the least width of a panel in the size of letters, for panels with long names at
	// their axes; 0 is leastPanel.
	Least float64
	// Lines says that the height of a panel is for lines of text at its axis, and does not shrink
	// with the width.
	Lines bool
	// Legend is at the right of the panels if Beside is set and there is room, and otherwise
	// below them. The legends of the panels are added to it.
	Legend  Legend
	Beside  bool
	Caption string // is below all else
}

const (
	// leastPanel is the least width of a panel, in the size of letters.
	leastPanel = 13
	// leastHeight is the least height of a panel, in the size of letters.
	leastHeight = 12.5
	// flatPanel is the largest height of panels that stand above one another because nothing fits
	// beside them, by their width.
	flatPanel = 0.52
	// pageHeight is that of all panels, if they have room for letters in it: about a page of paper.
	pageHeight = 9 * vg.Inch
)

// Panels arranges panels in rows of that many columns, row by row.
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

// arrangement is how the panels of a sheet stand: how many beside each other, the size of each with
// its axes, and the legend at their right, which has no width where it stands elsewhere.
type arrangement struct {
	columns       int
	width, height vg.Length
	beside        setLegend
}

// side returns the width of the part of the page that the legend at the right takes.
func (a *arrangement) side(em vg.Length) vg.Length {
	if a.beside.width == 0 {
		return 0
	}
	return a.beside.width + 1.5*em
}

// arranged returns the first arrangement in which the area within the axes of each panel is an inch
// wide: all panels beside each other with the legend in a hole or at their right, without it, and
// then with fewer and fewer columns. All panels are so high that their areas are an inch high.
func (s *Sheet) arranged(style Style) arrangement {
	columns := len(s.Rows[0])
	if s.Columns > 0 {
		columns = min(columns, s.Columns)
	}
	a, area := s.highEnough(style, s.arrange(style, columns, setLegend{}))
	if s.legendInside(style, &a).width == 0 {
		a, area = s.highEnough(style, s.arrange(style, columns, s.legendBeside(style, columns)))
	}
	for style.Width > 0 && area.X < leastArea && (a.columns > 1 || a.beside.width > 0) {
		fewer := a.columns - 1
		if a.beside.width > 0 {
			fewer = columns
		}
		a, area = s.highEnough(style, s.arrange(style, fewer, setLegend{}))
	}
	return a
}

// highEnough makes panels so high that their areas are an inch high, and returns the least width
// and height of these. A higher panel may need fewer lines at its axes, and may have numbers with
// more digits, which take from its width.
func (s *Sheet) highEnough(style Style, a arrangement) (arrangement, vg.Point) {
	area := s.leastArea(style, &a)
	for try := 0; try < alignments && area.Y < leastArea && !s.Lines; try++ {
		a.height += leastArea - area.Y
		area = s.leastArea(style, &a)
	}
	return a, area
}

// arrange returns the arrangement of at most that many columns with a legend at the right.
func (s *Sheet) arrange(style Style, columns int, beside setLegend) arrangement {
	em := style.Letters()
	all := len(s.Rows[0])
	a := arrangement{columns: columns, width: s.Width * vg.Length(style.Scale()), beside: beside}
	if style.Width > 0 {
		room := style.Width - 2*margin(style)
		for a.columns > 1 && room/vg.Length(a.columns) < s.least()*em {
			a.columns--
		}
		a.width = (room - a.side(em)) / vg.Length(a.columns)
	}
	bands := (all + a.columns - 1) / a.columns
	if narrower := (all + bands - 1) / bands; narrower < a.columns { // bands of about the same length
		if style.Width > 0 {
			a.width = a.width * vg.Length(a.columns) / vg.Length(narrower)
		}
		a.columns = narrower
	}
	rows := s.rowsOf(a.columns)
	a.height = max(min(a.width*s.Height/s.Width, pageHeight/vg.Length(rows)), leastHeight*em)
	if a.columns == 1 && all > 1 { // so that many panels above one another are not too high together
		a.height = max(min(a.height, flatPanel*a.width), leastHeight*em)
	}
	if s.Lines {
		a.height = s.Height * vg.Length(style.Scale())
	}
	if beside.width > 0 && rows > 0 {
		// panels are as high as a legend at their side, if that is not too high
		free := beside.height() + 1.5*em -
			(vg.Length(rows)*a.height + 0.9*em*vg.Length(len(s.bands(a.columns))-1))
		if free > 0 && !s.Lines {
			a.height = max(a.height, min(a.height+free/vg.Length(rows), 1.5*a.width))
		}
	}
	return a
}

// margin is the free space around a page.
func margin(style Style) vg.Length { return 0.7 * style.Letters() }

// least returns the least width of a panel, in the size of letters.
func (s *Sheet) least() vg.Length {
	return vg.Length(cmp.Or(max(0, s.Least), leastPanel))
}

// leastArea returns the least width and the least height of the areas within the axes of all
// panels.
func (s *Sheet) leastArea(style Style, a *arrangement) vg.Point {
	infinite := vg.Length(math.Inf(1))
	smallest := vg.Point{X: infinite, Y: infinite}
	for _, b := range s.bands(a.columns) {
		c := draw.Canvas{Rectangle: vg.Rectangle{
			Max: vg.Point{X: vg.Length(len(b[0])) * a.width, Y: vg.Length(len(b)) * a.height}}}
		plots, aligned := layBand(c, style, b)
		for i, row := range plots {
			for j, p := range row {
				if p != nil {
					size := p.DataCanvas(aligned[i][j]).Size()
					smallest = vg.Point{X: min(smallest.X, size.X), Y: min(smallest.Y, size.Y)}
				}
			}
		}
	}
	return smallest
}

// page lays the sheet out.
func (s *Sheet) page(style Style) Page {
	em := style.Letters()
	margin := margin(style)
	arranged := s.arranged(style)
	columns := arranged.columns
	width := arranged.width
	height := arranged.height
	beside := arranged.beside
	total := vg.Length(columns)*width + arranged.side(em) + 2*margin
	hole := s.hole(columns)
	inside := s.legendInside(style, &arranged)
	below := setLegend{}
	if beside.width == 0 && inside.width == 0 {
		below = s.Legend.layOut(style, total-2*margin, len(s.Legend.entries))
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
			box := vg.Rectangle{
				Min: vg.Point{X: left, Y: top - vg.Length(len(b))*height},
				Max: vg.Point{X: left + vg.Length(len(b[0]))*width, Y: top},
			}
			drawBand(draw.Canvas{Canvas: c.Canvas, Rectangle: box}, style, b, s.Lines)
			top = box.Min.Y - between
		}
		if inside.width > 0 {
			middle := vg.Point{
				X: left + (vg.Length(columns)-vg.Length(hole.columns)/2)*width,
				Y: top + between + vg.Length(hole.rows)*height/2,
			}
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

// legendInside lays the legend out for the free place among the panels, with no width if it has no
// room there or stands at their right.
func (s *Sheet) legendInside(style Style, a *arrangement) setLegend {
	hole := s.hole(a.columns)
	em := style.Letters()
	room := vg.Point{X: vg.Length(hole.columns)*a.width - 2*em, Y: vg.Length(hole.rows)*a.height - em}
	if l := s.Legend.layOut(style, room.X, 1); a.beside.width == 0 && l.width <= room.X &&
		l.height() <= room.Y {
		return l
	}
	return setLegend{}
}

// legendBeside lays the legend out for the right of the panels, with no width if it has no room
// there.
func (s *Sheet) legendBeside(style Style, columns int) setLegend {
	if !s.Beside || len(s.Legend.entries) == 0 {
		return setLegend{}
	}
	em := style.Letters()
	const ample = 30 // in the size of letters; names of several series have lines
	out := s.Legend.layOut(style, ample*em, 1)
	if style.Width > 0 &&
		(out.width > 0.3*style.Width || (style.Width-out.width-3*em)/vg.Length(columns) < 1.2*s.least()*em) {
		return setLegend{}
	}
	return out
}

// bands returns the bands of that many columns, without rows that are empty. A single row is one
// band of several rows, which share axes.
func (s *Sheet) bands(columns int) (out [][][]*Panel) {
	if len(s.Rows) == 1 {
		return [][][]*Panel{Panels(columns, s.Rows[0])}
	}
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

// rowsOf returns how many rows of panels stand above one another where that many columns stand
// beside each other.
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
