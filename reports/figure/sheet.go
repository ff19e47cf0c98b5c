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
	em, all := style.Letters(), len(s.Rows[0])
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
	a.height = max(a.width*s.Height/s.Width, leastHeight*em)
	if a.columns == 1 && all > 1 { // so that many panels above one another are not too high together
		a.height = max(min(a.height, flatPanel*a.width), leastHeight*em)
	}
	if s.Lines {
		a.height = s.Height * vg.Length(style.Scale())
	}
	if rows := s.rowsOf(a.columns); beside.width > 0 && rows > 0 { // panels are as high as a legend at their side, if that is not too high
		free := beside.height() + 1.5*em - (vg.Length(rows)*a.height + 0.9*em*vg.Length(len(s.bands(a.columns))-1))
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
		c := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: vg.Length(len(b[0])) * a.width, Y: vg.Length(len(b)) * a.height}}}
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
	em, margin := style.Letters(), margin(style)
	arranged := s.arranged(style)
	columns, width, height, beside := arranged.columns, arranged.width, arranged.height, arranged.beside
	total := vg.Length(columns)*width + arranged.side(em) + 2*margin
	hole, inside := s.hole(columns), s.legendInside(style, &arranged)
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
			drawBand(draw.Canvas{Canvas: c.Canvas, Rectangle: box}, style, b, s.Lines)
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

// legendInside lays the legend out for the free place among the panels, with no width if it has no
// room there or stands at their right.
func (s *Sheet) legendInside(style Style, a *arrangement) setLegend {
	hole, em := s.hole(a.columns), style.Letters()
	room := vg.Point{X: vg.Length(hole.columns)*a.width - 2*em, Y: vg.Length(hole.rows)*a.height - em}
	if l := s.Legend.set(style, room.X, 1); a.beside.width == 0 && l.width <= room.X && l.height() <= room.Y {
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
	out := s.Legend.set(style, ample*em, 1)
	if style.Width > 0 && (out.width > 0.3*style.Width || (style.Width-out.width-3*em)/vg.Length(columns) < 1.2*s.least()*em) {
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

// alignments is how often panels are laid out: each time the areas within their axes are known
// better, and the third time hardly anything moves.
const alignments = 3

// layBand lays the panels of a band out with their axes in line, each in its part of a canvas. It
// draws nothing. Panels beside or above one another that have one axis have its labels once.
func layBand(c draw.Canvas, style Style, panels [][]*Panel) (plots [][]*plot.Plot, aligned [][]draw.Canvas) {
	gap := 0.8 * style.Letters()
	across, down, c := shared(c, Label(style.Letters(), text.XCenter, text.YBottom), panels)
	tiles := draw.Tiles{Rows: len(panels), Cols: len(panels[0]), PadX: gap, PadY: gap}
	plots = make([][]*plot.Plot, len(panels))
	lay := func(i, j int, width vg.Length, data vg.Point) {
		plots[i][j] = panels[i][j].laidOut(style, width, data)
		if across != "" {
			plots[i][j].X.Label.Text = ""
		}
		if down != "" {
			plots[i][j].Y.Label.Text = ""
		}
		if j > 0 && panels[i][j-1] != nil && panels[i][j-1].Y.Label.Text == panels[i][j].Y.Label.Text {
			plots[i][j].Y.Label.Text = ""
			if sameAxis(&panels[i][j-1].Y, &panels[i][j].Y) {
				unlabelled(&plots[i][j].Y)
			}
		}
		if i+1 < len(panels) && panels[i+1][j] != nil && sameAxis(&panels[i+1][j].X, &panels[i][j].X) {
			plots[i][j].X.Label.Text = ""
			unlabelled(&plots[i][j].X)
		}
		if i > 0 && panels[i-1][j] != nil && panels[i-1][j].Title.Text == panels[i][j].Title.Text {
			plots[i][j].Title.Text = ""
		}
	}
	for i, row := range panels {
		plots[i] = make([]*plot.Plot, len(row))
		for j, p := range row {
			if p != nil {
				tile := tiles.At(c, j, i).Size()
				lay(i, j, tile.X, tile.Add(vg.Point{X: -4 * style.Letters(), Y: -4 * style.Letters()}))
			}
		}
	}
	aligned = align(plots, tiles, c)
	for range alignments - 1 {
		for i, row := range panels {
			for j, p := range row {
				if p != nil {
					lay(i, j, aligned[i][j].Size().X, plots[i][j].DataCanvas(aligned[i][j]).Size())
				}
			}
		}
		aligned = align(plots, tiles, c)
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
		if len(panels) < 2 || labels[0] == "" || slices.Min(labels) != slices.Max(labels) || style.Width(labels[0]) > room {
			return ""
		}
		*edge += 1.4 * style.Font.Size
		return labels[0]
	}
	rest = c
	return take(x, c.Size().X, &rest.Min.Y), take(y, c.Size().Y, &rest.Min.X), rest
}

// sameAxis reports whether two axes have one label, and the same numbers or names at the same
// places.
func sameAxis(a, b *plot.Axis) bool {
	return a.Label.Text == b.Label.Text && a.Min == b.Min && a.Max == b.Max && reflect.DeepEqual(a.Tick.Marker, b.Tick.Marker)
}

// unlabelled takes the labels from the ticks of an axis. Blanks keep the ticks, and the lines
// behind the panel.
func unlabelled(a *plot.Axis) {
	ticks := slices.Clone(a.Tick.Marker.Ticks(a.Min, a.Max))
	for i := range ticks {
		ticks[i].Label = strings.Repeat(" ", min(1, len(ticks[i].Label)))
	}
	a.Tick.Marker, a.Tick.Label.Font.Size, a.Tick.Label.Rotation = plot.ConstantTicks(ticks), 0.01, 0
}

// inset is what a plot takes on both sides of its area in one direction, for labels.
type inset struct{ before, after vg.Length }

// insets returns those of a plot on a canvas, from the left to the right and from the top down.
func insets(p *plot.Plot, c draw.Canvas) (across, down inset) {
	area := p.DataCanvas(c)
	return inset{area.Min.X - c.Min.X, c.Max.X - area.Max.X}, inset{c.Max.Y - area.Max.Y, area.Min.Y - c.Min.Y}
}

// align returns the canvases on which the areas of plots have one size and stand in rows and
// columns, which are as far apart as their labels need. What labels need depends on the canvas, so
// that it is measured again on the first result.
func align(plots [][]*plot.Plot, tiles draw.Tiles, c draw.Canvas) (out [][]draw.Canvas) {
	for j, row := range plots {
		out = append(out, make([]draw.Canvas, len(row)))
		for i := range row {
			out[j][i] = tiles.At(c, i, j)
		}
	}
	for range 2 {
		columns, rows := needs(plots, out)
		free := c.Size().Sub(vg.Point{X: vg.Length(tiles.Cols-1) * tiles.PadX, Y: vg.Length(tiles.Rows-1) * tiles.PadY})
		for _, in := range columns {
			free.X -= in.before + in.after
		}
		for _, in := range rows {
			free.Y -= in.before + in.after
		}
		size, at := vg.Point{X: free.X / vg.Length(tiles.Cols), Y: free.Y / vg.Length(tiles.Rows)}, vg.Point{Y: c.Max.Y}
		for j, row := range plots {
			at = vg.Point{X: c.Min.X, Y: at.Y - rows[j].before - size.Y}
			for i, p := range row {
				at.X += columns[i].before
				if p != nil {
					across, down := insets(p, out[j][i])
					out[j][i].Min = at.Sub(vg.Point{X: across.before, Y: down.after})
					out[j][i].Max = at.Add(size).Add(vg.Point{X: across.after, Y: down.before})
				}
				at.X += size.X + columns[i].after + tiles.PadX
			}
			at.Y -= rows[j].after + tiles.PadY
		}
	}
	return out
}

// needs returns the largest insets of the plots in each column and in each row.
func needs(plots [][]*plot.Plot, on [][]draw.Canvas) (columns, rows []inset) {
	columns, rows = make([]inset, len(plots[0])), make([]inset, len(plots))
	widen := func(to *inset, by inset) { to.before, to.after = max(to.before, by.before), max(to.after, by.after) }
	for j, row := range plots {
		for i, p := range row {
			if p != nil {
				across, down := insets(p, on[j][i])
				widen(&columns[i], across)
				widen(&rows[j], down)
			}
		}
	}
	return columns, rows
}

// drawBand draws the panels of a band, whose heights may be those of that many lines.
func drawBand(c draw.Canvas, style Style, panels [][]*Panel, lines bool) {
	plots, aligned := layBand(c, style, panels)
	label := Label(style.Letters(), text.XCenter, text.YBottom)
	across, down, area := shared(c, label, panels)
	c.FillText(label, vg.Point{X: area.Center().X, Y: c.Min.Y}, across)
	label.Rotation, label.YAlign = math.Pi/2, text.YTop
	c.FillText(label, vg.Point{X: c.Min.X, Y: area.Center().Y}, down)
	for i, line := range aligned {
		top := c.Min.Y
		for j, canvas := range line {
			if plots[i][j] != nil {
				top = max(top, canvas.Max.Y)
			}
		}
		for j, canvas := range line {
			if plots[i][j] != nil {
				drawTitled(canvas, plots[i][j], top)
				panels[i][j].addTips(canvas, plots[i][j])
				panels[i][j].addLayout(canvas, plots[i][j], lines)
			}
		}
	}
}

// drawTitled draws a plot with its title at a height, which is that of all titles of a row. The
// title stands above the middle of the axis if there is room for it.
func drawTitled(c draw.Canvas, p *plot.Plot, top vg.Length) {
	area, size := p.DataCanvas(c), p.Title.TextStyle.Rectangle(p.Title.Text).Size()
	if p.Title.Text != "" {
		middle := max(min(area.Center().X, c.Max.X-size.X/2), c.Min.X+size.X/2)
		c.FillText(p.Title.TextStyle, vg.Point{X: middle, Y: top + p.Title.TextStyle.FontExtents().Descent}, p.Title.Text)
		c.Max.Y -= size.Y + p.Title.Padding
	}
	untitled := *p
	untitled.Title.Text = ""
	untitled.Draw(c)
}

// The size of one of several panels in the zero Style.
const (
	tileWidth  = 7 * vg.Centimeter
	tileHeight = 6 * vg.Centimeter
)

// Grid returns the figure of panels in rows of that many columns, with a legend. Panels of one
// column stay above one another. A nil is a place without a panel.
func Grid(name string, columns int, panels []*Panel, legend Legend) *Figure {
	return Sheet{Name: name, Rows: Panels(columns, panels), Width: tileWidth, Height: tileHeight, Legend: legend, Beside: true}.Figure()
}

// Legend names what a figure shows. It is beside the panels or below them, never over them.
type Legend struct {
	entries []entry
	heading string // of the entries that follow
}

// entry is a key with its name, or a heading, which has no keys.
type entry struct {
	name    string
	keys    []plot.Thumbnailer
	heading bool
}

// Head puts a heading above the entries that are added next, if there are any.
func (l *Legend) Head(name string) { l.heading = name }

// Add adds an entry whose picture shows all keys together. A name that is already in the legend is
// not added again.
func (l *Legend) Add(name string, keys ...plot.Thumbnailer) {
	if slices.ContainsFunc(l.entries, func(e entry) bool { return e.name == name && !e.heading }) {
		return
	}
	if l.heading != "" {
		l.entries, l.heading = append(l.entries, entry{name: l.heading, heading: true}), ""
	}
	l.entries = append(l.entries, entry{name: name, keys: keys})
}

// Merge adds the entries of another legend.
func (l *Legend) Merge(other Legend) {
	for _, e := range other.entries {
		if e.heading {
			l.Head(e.name)
		} else {
			l.Add(e.name, e.keys...)
		}
	}
}

// setLegend is a legend laid out in columns.
type setLegend struct {
	style         draw.TextStyle
	em            vg.Length
	entries       []entry
	places        []place // of the entries: the columns and rows before each
	width, column vg.Length
	heights       []vg.Length // of the rows
}

// The parts of an entry, in the size of letters.
const (
	keyWidth  = 2.6
	keyGap    = 0.6
	columnGap = 1.6
	rowHeight = 1.45
)

// set lays the legend out in as many columns as there is room for, and no more than asked for. A
// heading has a row of its own.
func (l *Legend) set(s Style, room vg.Length, most int) setLegend {
	em := s.Letters()
	out := setLegend{style: Label(s.Size(9), text.XLeft, text.YCenter), em: em, entries: slices.Clone(l.entries)}
	names, group, largest := vg.Length(0), 0, 0 // how many entries are below a heading
	for i, e := range l.entries {
		if group++; e.heading {
			group, out.width = 0, max(out.width, out.style.Width(e.name))
			continue
		}
		out.entries[i].name = Wrapped(e.name, out.style, room-(keyWidth+keyGap)*em)
		names, largest = max(names, out.style.Width(out.entries[i].name)), max(largest, group)
	}
	out.column = names + (keyWidth+keyGap)*em
	columns := max(1, min(most, largest, int((room+columnGap*em)/(out.column+columnGap*em))))
	if largest > 0 { // no more columns than the rows need
		rows := (largest + columns - 1) / columns
		columns = (largest + rows - 1) / rows
		out.width = max(out.width, vg.Length(columns)*(out.column+columnGap*em)-columnGap*em)
	}
	at := columns
	for i, e := range out.entries {
		if e.heading || at == columns || out.entries[i-1].heading {
			out.heights, at = append(out.heights, 0), 0
		}
		row := len(out.heights) - 1
		out.places = append(out.places, place{at, row})
		out.heights[row] = max(out.heights[row], (rowHeight+1.1*vg.Length(strings.Count(e.name, "\n")))*em)
		at++
	}
	return out
}

// height returns the height of the whole legend.
func (l *setLegend) height() (sum vg.Length) {
	for _, h := range l.heights {
		sum += h
	}
	return sum
}

// draw draws the legend from a point down.
func (l *setLegend) draw(c draw.Canvas, at vg.Point) {
	descent, row := l.style.FontExtents().Descent, 0
	for i, e := range l.entries {
		for ; row < l.places[i].rows; row++ {
			at.Y -= l.heights[row]
		}
		x, middle := at.X+vg.Length(l.places[i].columns)*(l.column+columnGap*l.em), at.Y-l.heights[row]/2
		if e.heading {
			c.FillText(l.style, vg.Point{X: x, Y: middle + descent}, e.name)
			continue
		}
		key := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: middle - 0.4*l.em}, Max: vg.Point{X: x + keyWidth*l.em, Y: middle + 0.4*l.em},
		}}
		AddEntry(c, e.name, func() {
			for _, k := range e.keys {
				k.Thumbnail(&key)
			}
		})
		c.FillText(l.style, vg.Point{X: x + (keyWidth+keyGap)*l.em, Y: middle + descent}, e.name)
	}
}
