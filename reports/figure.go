package reports

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"regexp"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is a drawing of fixed size that can be encoded in several formats.
type Figure struct {
	Name          string // file name without its ending
	width, height vg.Length
	draw          func(draw.Canvas)
}

// plotFigure is a plot on white, with a margin that leaves room for the last label of the horizontal axis.
func plotFigure(name string, width, height vg.Length, p *plot.Plot) *Figure {
	return &Figure{Name: name, width: width, height: height, draw: func(c draw.Canvas) {
		margin := 0.25 * vg.Centimeter
		c.FillPolygon(color.White, corners(c.Rectangle))
		p.Draw(draw.Crop(c, margin, -2*margin, margin, -margin))
	}}
}

// FigureFormats returns the formats that Encode knows.
func FigureFormats() []string { return []string{"svg", "png", "pdf"} }

// dpi is the resolution of PNG figures.
const dpi = 200

// pdfDate finds the one thing in a PDF that is not a function of the drawing.
var pdfDate = regexp.MustCompile(`/(CreationDate|ModDate) \(D:\d{14}`)

// Encode returns the figure in one of FigureFormats. The same figure always gives the same bytes.
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
		return nil, fmt.Errorf("reports: no figure format %q", format)
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

// sans returns the typeface of all figures.
func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// label returns the style of a text in a figure.
func label(size vg.Length, x text.XAlignment, y text.YAlignment) draw.TextStyle {
	return draw.TextStyle{
		Color: color.Black, Font: sans(size), XAlign: x, YAlign: y,
		Handler: text.Plain{Fonts: font.DefaultCache},
	}
}

// paletteSize is the number of colours of paletteColor.
const paletteSize = 7

// paletteColor returns colours that stay apart for colour-blind readers and in print (Okabe and Ito 2008).
func paletteColor(i int) color.Color {
	colors := [paletteSize]color.RGBA{
		{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
		{0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x33, 0x33, 0x33, 0xff},
	}
	return colors[i%paletteSize]
}
