package figure

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"

	"breadboard/reports/table"
)

// Figure is a drawing that can be laid out in any Style and encoded in several formats.
type Figure struct {
	Name string // the name of the file without its ending
	// Data has the points that are drawn, one row each: the panel, the series, x and y. It is nil where they are not recorded.
	Data *table.Table
	// Title says in a line what is drawn, for those who cannot see it; where it is empty the name stands for it.
	Title string
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
func (f *Figure) Draw(c draw.Canvas) { f.draw(c, nil) }

// draw draws the figure on a canvas, and collects tips where there is a place for them.
func (f *Figure) draw(c draw.Canvas, tips *[]Tip) {
	c.Canvas = &ink{Canvas: c.Canvas, style: f.style, tips: tips}
	f.page(f.style).Draw(c)
}

// Formats returns the formats that Encode knows.
func Formats() []string { return []string{"svg", "png", "pdf"} }

// dpi is the resolution of PNG figures.
const dpi = 200

// pdfDate matches the dates in a PDF, the only bytes of it that do not depend on the drawing alone.
var pdfDate = regexp.MustCompile(`/(CreationDate|ModDate) \(D:\d{14}`)

// Encode returns the figure in one of Formats. The same figure always gives the same bytes.
func (f *Figure) Encode(format string) (_ []byte, err error) {
	defer func() {
		if r := recover(); r != nil { // vgpdf writes fonts to the folder of temporary files, and panics where it cannot
			reason := fmt.Sprint(r)
			if !strings.HasPrefix(reason, "vgpdf: ") {
				panic(r)
			}
			err = fmt.Errorf("a PDF needs a folder for temporary files, which TMPDIR names: %s", reason)
		}
	}()
	width, height := f.Size()
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	switch format {
	case "svg":
		return f.svg(width, height)
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
	if format == "pdf" {
		return pdfDate.ReplaceAll(b.Bytes(), []byte("/$1 (D:20000101000000")), nil
	}
	return b.Bytes(), nil
}
