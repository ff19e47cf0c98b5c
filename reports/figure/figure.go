package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"regexp"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"breadboard/reports/table"
)

// Figure is a drawing of fixed size that can be encoded in several formats.
type Figure struct {
	Name string // the name of the file without its ending
	// Data has the points that are drawn, one row each: the panel, the series, x and y. It is nil where they are not recorded.
	Data          *table.Table
	width, height vg.Length
	draw          func(draw.Canvas)
}

// New returns a figure of the given size; the function draws it.
func New(name string, width, height vg.Length, draw func(draw.Canvas)) *Figure {
	return &Figure{Name: name, width: width, height: height, draw: draw}
}

// Size returns the width and the height of the figure.
func (f *Figure) Size() (width, height vg.Length) { return f.width, f.height }

// Draw draws the figure on a canvas, which should have its size.
func (f *Figure) Draw(c draw.Canvas) { f.draw(c) }

// OfPlot returns the figure of a plot on white, with a margin that leaves room for the last label of the horizontal axis.
func OfPlot(name string, width, height vg.Length, p *plot.Plot) *Figure {
	return &Figure{Name: name, width: width, height: height, draw: func(c draw.Canvas) {
		margin := 0.25 * vg.Centimeter
		c.FillPolygon(color.White, Corners(c.Rectangle))
		p.Draw(draw.Crop(c, margin, -2*margin, margin, -margin))
	}}
}

// Formats returns the formats that Encode knows.
func Formats() []string { return []string{"svg", "png", "pdf"} }

// dpi is the resolution of PNG figures.
const dpi = 200

// pdfDate matches the dates in a PDF, the only bytes of it that do not depend on the drawing alone.
var pdfDate = regexp.MustCompile(`/(CreationDate|ModDate) \(D:\d{14}`)

// Encode returns the figure in one of Formats. The same figure always gives the same bytes.
func (f *Figure) Encode(format string) ([]byte, error) {
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	switch format {
	case "svg":
		canvas = vgsvg.NewWith(vgsvg.UseWH(f.width, f.height), vgsvg.EmbedFonts(true))
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(dpi))}
	case "pdf":
		canvas = vgpdf.New(f.width, f.height)
	default:
		return nil, fmt.Errorf("no figure format %q", format)
	}
	f.draw(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	if format == "pdf" {
		return pdfDate.ReplaceAll(b.Bytes(), []byte("/$1 (D:20000101000000")), nil
	}
	return b.Bytes(), nil
}
