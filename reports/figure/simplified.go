package figure

import (
	"math"

	"gonum.org/v1/plot/plotter"
)

const (
	// manyPoints is the number of points from which a line is simplified.
	manyPoints = 200
	// seen is the least distance that is seen, in the width and the height of a line.
	seen = 1.0 / 2000
)

// simplified returns the points of a line but for those whose absence is not seen: the line through the others is as near to them as a
// part of its width and height. A line with a thousand steps else makes most of the bytes of a figure. It takes the order of n log n
// operations for most lines, and n^2 at worst.
//
// Source: Ramer 1972; Douglas and Peucker 1973.
func simplified(points plotter.XYs) plotter.XYs {
	if len(points) < manyPoints {
		return points
	}
	xmin, xmax, ymin, ymax := plotter.XYRange(points)
	width, height := xmax-xmin, ymax-ymin
	if math.IsInf(width, 0) || math.IsInf(height, 0) {
		return points // the line is so large that no distance can be computed
	}
	scaled := func(i int) (x, y float64) {
		if width > 0 {
			x = (points[i].X - xmin) / width
		}
		if height > 0 {
			y = (points[i].Y - ymin) / height
		}
		return x, y
	}
	kept := make([]bool, len(points))
	kept[0], kept[len(points)-1] = true, true
	for parts := [][2]int{{0, len(points) - 1}}; len(parts) > 0; {
		from, to := parts[len(parts)-1][0], parts[len(parts)-1][1]
		parts = parts[:len(parts)-1]
		ax, ay := scaled(from)
		bx, by := scaled(to)
		far, at := seen, -1
		for i := from + 1; i < to; i++ {
			x, y := scaled(i)
			if d := toSegment(x-ax, y-ay, bx-ax, by-ay); d > far {
				far, at = d, i
			}
		}
		if at > 0 {
			kept[at] = true
			parts = append(parts, [2]int{from, at}, [2]int{at, to})
		}
	}
	var out plotter.XYs
	for i, is := range kept {
		if is {
			out = append(out, points[i])
		}
	}
	return out
}

// toSegment returns the distance of a point from the straight line between zero and an end.
func toSegment(x, y, endX, endY float64) float64 {
	along := 0.0
	if square := endX*endX + endY*endY; square > 0 {
		along = max(0, min(1, (x*endX+y*endY)/square))
	}
	return math.Hypot(x-along*endX, y-along*endY)
}
