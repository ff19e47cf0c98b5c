package figure

import "gonum.org/v1/plot/vg"

// The size of one of several panels in the zero Style.
const (
	tileWidth  = 7 * vg.Centimeter
	tileHeight = 6 * vg.Centimeter
)

// Alone returns the figure of one panel, with its legend below.
func Alone(name string, width, height vg.Length, p *Panel) *Figure {
	return Sheet{Name: name, Rows: [][]*Panel{{p}}, Width: width, Height: height}.Figure()
}

// Tiles returns the figure of panels that stand one after another in rows of at most so many, with a legend.
func Tiles(name string, columns int, panels []*Panel, legend Legend) *Figure {
	return Sheet{Name: name, Rows: [][]*Panel{panels}, Columns: columns, Width: tileWidth, Height: tileHeight, Legend: legend, Beside: true}.Figure()
}

// Grid returns the figure of panels that come row by row in so many columns and stay above one another, with a legend. A nil is a
// place without a panel.
func Grid(name string, columns int, panels []*Panel, legend Legend) *Figure {
	return Sheet{Name: name, Rows: Panels(columns, panels), Width: tileWidth, Height: tileHeight, Legend: legend, Beside: true}.Figure()
}

// SideBySide returns the figure of panels beside each other, with their legends below.
func SideBySide(name string, width, height vg.Length, panels ...*Panel) *Figure {
	return Sheet{Name: name, Rows: [][]*Panel{panels}, Width: width, Height: height}.Figure()
}
