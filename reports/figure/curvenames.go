package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// CurveNames writes the names of curves beside them in their colours, each where it is far from the other curves and from the names that
// are written already.
type CurveNames struct {
	names  []string
	curves []plotter.XYs
	colors []color.Color
}

// Add adds the name of a curve.
func (n *CurveNames) Add(name string, curve plotter.XYs, c color.Color) {
	n.names, n.curves, n.colors = append(n.names, name), append(n.curves, curve), append(n.colors, c)
}

// along is the number of places along a curve, evenly spread over its length, at which its name may stand.
const along = 60

// Plot implements plot.Plotter.
func (n *CurveNames) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	paths := make([][]vg.Point, len(n.curves))
	for i, curve := range n.curves {
		line := make([]vg.Point, len(curve))
		for k, at := range curve {
			line[k] = vg.Point{X: x(at.X), Y: y(at.Y)}
		}
		paths[i] = evenly(line, along)
	}
	style := Label(p.X.Tick.Label.Font.Size*0.95, draw.XLeft, draw.YBottom)
	var taken []vg.Rectangle
	for i, name := range n.names {
		size := vg.Point{X: style.Width(name), Y: style.Font.Size}
		best, box, leader := math.Inf(1), vg.Rectangle{}, vg.Point{}
		for k, at := range paths[i] {
			for _, r := range []vg.Length{0.45, 1.2, 2.2, 3.4} { // distances from the curve, in the size of letters
				for _, side := range [][2]vg.Length{{1, -1}, {-1, 1}, {1, 0}, {-1, 0}, {1, 1}, {-1, -1}} {
					b := beside(at, size, side, r*style.Font.Size)
					if b.Min.X < c.Min.X || b.Max.X > c.Max.X || b.Min.Y < c.Min.Y || b.Max.Y > c.Max.Y {
						continue
					}
					cost := float64(r) + 0.6*math.Abs(float64(k)/along-0.5)
					cost += 40 * overlaps(b, taken)
					for _, path := range paths {
						cost += 4 * within(b, path, style.Font.Size)
					}
					if cost < best {
						best, box, leader = cost, b, at
					}
				}
			}
		}
		if math.IsInf(best, 1) {
			continue // there is no room for a name of this length
		}
		taken = append(taken, box)
		middle := vg.Point{X: max(box.Min.X, min(box.Max.X, leader.X)), Y: max(box.Min.Y, min(box.Max.Y, leader.Y))}
		c.StrokeLine2(draw.LineStyle{Color: n.colors[i], Width: vg.Points(0.5)}, leader.X, leader.Y, middle.X, middle.Y)
		style.Color = n.colors[i]
		c.FillText(style, vg.Point{X: box.Min.X, Y: box.Min.Y + 0.22*style.Font.Size}, name)
	}
}

// beside returns the box of a name at a distance from a point, on a side of it.
func beside(at, size vg.Point, side [2]vg.Length, distance vg.Length) vg.Rectangle {
	corner := vg.Point{X: at.X + side[0]*distance, Y: at.Y + side[1]*distance}
	if side[0] < 0 {
		corner.X -= size.X
	}
	switch {
	case side[1] < 0:
		corner.Y -= size.Y
	case side[1] == 0:
		corner.Y -= size.Y / 2
	}
	return vg.Rectangle{Min: corner, Max: corner.Add(size)}
}

// overlaps returns with how many boxes a box overlaps.
func overlaps(b vg.Rectangle, others []vg.Rectangle) (n float64) {
	for _, o := range others {
		if b.Min.X < o.Max.X && o.Min.X < b.Max.X && b.Min.Y < o.Max.Y && o.Min.Y < b.Max.Y {
			n++
		}
	}
	return n
}

// within returns how many points of a path lie in a box or touch it.
func within(b vg.Rectangle, path []vg.Point, letters vg.Length) (n float64) {
	room := 0.15 * letters
	for _, at := range path {
		if at.X > b.Min.X-room && at.X < b.Max.X+room && at.Y > b.Min.Y-room && at.Y < b.Max.Y+room {
			n++
		}
	}
	return n
}

// evenly returns n points along a line at equal distances.
func evenly(line []vg.Point, n int) []vg.Point {
	if len(line) == 0 {
		return nil
	}
	length := make([]float64, len(line))
	for i := 1; i < len(line); i++ {
		length[i] = length[i-1] + math.Hypot(float64(line[i].X-line[i-1].X), float64(line[i].Y-line[i-1].Y))
	}
	total := length[len(line)-1]
	out := make([]vg.Point, 0, n)
	for k, i := 0, 1; k < n; k++ {
		want := total * float64(k) / float64(n-1)
		for i < len(line)-1 && length[i] < want {
			i++
		}
		if i >= len(line) || length[i] == length[i-1] {
			out = append(out, line[min(i, len(line)-1)])
			continue
		}
		t := vg.Length((want - length[i-1]) / (length[i] - length[i-1]))
		out = append(out, vg.Point{X: line[i-1].X + t*(line[i].X-line[i-1].X), Y: line[i-1].Y + t*(line[i].Y-line[i-1].Y)})
	}
	return out
}
