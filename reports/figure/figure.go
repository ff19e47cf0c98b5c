package figure

import (
	"bytes"
	"fmt"
	"io"
	"regexp"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"breadboard/reports/table"
)

// Figure is a drawing that can be laid out in any Style and encoded in several formats.
type Figure struct {
	Name string // the name of the file without its ending
	// Data has the points that are drawn, one row each: the panel, the series, x and y. It is nil where they are not recorded.
	Data  *table.Table
	style Style
	page  func(Style) Page
}

// Page is a figure laid out in a style: its size, and the function that draws it.
type Page struct {
	Width, Height vg.Length
	Draw          func(draw.Canvas)
}

// New returns the figure that is laid out by a function of the style.
func New(name string, page func(Style) Page) *Figure { return &Figure{Name: name, page: page} }

// In returns the same figure in another style.
func (f *Figure) In(s Style) *Figure {
	styled := *f
	styled.style = s
	return &styled
}

// Size returns the width and the height of the figure.
func (f *Figure) Size() (width, height vg.Length) {
	p := f.page(f.style)
	return p.Width, p.Height
}

// Draw draws the figure on a canvas, which should have its size.
func (f *Figure) Draw(c draw.Canvas) {
	c.Canvas = &ink{Canvas: c.Canvas, style: f.style}
	f.page(f.style).Draw(c)
}

// Formats returns the formats that Encode knows.
func Formats() []string { return []string{"svg", "png", "pdf"} }

// dpi is the resolution of PNG figures.
const dpi = 200

// pdfDate matches the dates in a PDF, the only bytes of it that do not depend on the drawing alone.
var pdfDate = regexp.MustCompile(`/(CreationDate|ModDate) \(D:\d{14}`)

// Encode returns the figure in one of Formats. The same figure always gives the same bytes.
func (f *Figure) Encode(format string) ([]byte, error) {
	width, height := f.Size()
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	switch format {
	case "svg":
		canvas = vgsvg.NewWith(vgsvg.UseWH(width, height), vgsvg.EmbedFonts(false))
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))}
	case "pdf":
		canvas = vgpdf.New(width, height)
	default:
		return nil, fmt.Errorf("no figure format %q", format)
	}
	on := draw.New(canvas)
	if format == "pdf" {
		on.Canvas = westernLetters{on.Canvas}
	}
	f.Draw(on)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	switch format {
	case "svg":
		return withSystemFonts(b.Bytes()), nil
	case "pdf":
		return pdfDate.ReplaceAll(b.Bytes(), []byte("/$1 (D:20000101000000")), nil
	}
	return b.Bytes(), nil
}

// gonumFont is how gonum names the typeface in every text of an SVG; the defaults that follow it are said already.
const gonumFont = "font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal"

// systemFonts are typefaces of which every system has one, with letters of the same widths as those that the layout was made for.
const systemFonts = "font-family:'Liberation Sans',Arial,Helvetica,sans-serif"

// withSystemFonts makes an SVG name typefaces in place of one that not every system has. So it needs no font within, which would be
// larger than the rest.
func withSystemFonts(svg []byte) []byte {
	return bytes.ReplaceAll(svg, []byte(gonumFont), []byte(systemFonts))
}
