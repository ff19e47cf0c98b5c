package figure

import (
	"bytes"
	"image"
	"image/color"
	"io"
	"math"
	"strings"
	"time"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdf is a canvas for a PDF of one page. It holds those letters of the fonts that are drawn, and
// needs no folder for temporary files, as vgpdf does.
type pdf struct {
	page   *fpdf.Fpdf
	height vg.Length
	widths []vg.Length // of lines, for each Push that has no Pop
}

func newPDF(width, height vg.Length) *pdf {
	page := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: width.Points(), Ht: height.Points()}})
	page.SetCatalogSort(true) // so that the same figure has the same bytes
	page.SetCreationDate(time.Unix(0, 0).UTC())
	page.SetModificationDate(time.Unix(0, 0).UTC())
	page.AddPage()
	c := &pdf{page, height, []vg.Length{0}}
	vg.Initialize(c)
	return c
}

// SetLineWidth implements vg.Canvas.
func (c *pdf) SetLineWidth(w vg.Length) {
	c.widths[len(c.widths)-1] = w
	c.page.SetLineWidth(w.Points())
}

// SetLineDash implements vg.Canvas.
func (c *pdf) SetLineDash(pattern []vg.Length, offset vg.Length) {
	dashes := make([]float64, len(pattern))
	for i, d := range pattern {
		dashes[i] = d.Points()
	}
	c.page.SetDashPattern(dashes, offset.Points())
}

// SetColor implements vg.Canvas.
func (c *pdf) SetColor(of color.Color) {
	n := color.NRGBAModel.Convert(of).(color.NRGBA)
	for _, set := range []func(r, g, b int){c.page.SetDrawColor, c.page.SetFillColor, c.page.SetTextColor} {
		set(int(n.R), int(n.G), int(n.B))
	}
	c.page.SetAlpha(float64(n.A)/math.MaxUint8, "Normal")
}

// Rotate implements vg.Canvas.
func (c *pdf) Rotate(radians float64) { c.page.TransformRotate(degrees(radians), 0, c.height.Points()) }

// Translate implements vg.Canvas.
func (c *pdf) Translate(by vg.Point) { c.page.TransformTranslate(by.X.Points(), -by.Y.Points()) }

// Scale implements vg.Canvas.
func (c *pdf) Scale(x, y float64) { c.page.TransformScale(100*x, 100*y, 0, c.height.Points()) }

// Push implements vg.Canvas.
func (c *pdf) Push() {
	c.widths = append(c.widths, c.widths[len(c.widths)-1])
	c.page.TransformBegin()
}

// Pop implements vg.Canvas.
func (c *pdf) Pop() {
	c.page.TransformEnd()
	c.widths = c.widths[:len(c.widths)-1]
}

// Stroke implements vg.Canvas.
func (c *pdf) Stroke(p vg.Path) {
	if c.widths[len(c.widths)-1] > 0 {
		c.path(p, "D")
	}
}

// Fill implements vg.Canvas.
func (c *pdf) Fill(p vg.Path) { c.path(p, "F") }

func (c *pdf) path(p vg.Path, style string) {
	for _, part := range p {
		x, y := c.toPage(part.Pos)
		switch part.Type {
		case vg.MoveComp:
			c.page.MoveTo(x, y)
		case vg.LineComp:
			c.page.LineTo(x, y)
		case vg.ArcComp:
			r := part.Radius.Points()
			c.page.ArcTo(x, y, r, r, 0, degrees(part.Start), degrees(part.Start+part.Angle))
		case vg.CurveComp:
			first := part.Control[0]
			second := part.Control[len(part.Control)-1]
			x0, y0 := c.toPage(first)
			x1, y1 := c.toPage(second)
			c.page.CurveBezierCubicTo(x0, y0, x1, y1, x, y)
		case vg.CloseComp:
			c.page.ClosePath()
		}
	}
	c.page.DrawPath(style)
}

// FillString implements vg.Canvas.
func (c *pdf) FillString(f font.Face, at vg.Point, text string) {
	var data bytes.Buffer
	if _, err := f.Face.WriteSourceTo(nil, &data); err != nil {
		c.page.SetError(err)
	}
	c.page.AddUTF8FontFromBytes(f.Name(), "", data.Bytes()) // does nothing the second time
	c.page.SetFont(f.Name(), "", f.Font.Size.Points())
	x, y := c.toPage(at)
	c.page.Text(x, y, strings.Map(func(r rune) rune {
		if r >= math.MaxUint16 { // which fpdf does not have
			return unicode.ReplacementChar
		}
		return r
	}, text))
}

// DrawImage implements vg.Canvas: figures have no images.
func (c *pdf) DrawImage(vg.Rectangle, image.Image) {}

// WriteTo implements io.WriterTo.
func (c *pdf) WriteTo(w io.Writer) (int64, error) { return 0, c.page.Output(w) }

// toPage returns a point as PDF has it: from the top.
func (c *pdf) toPage(p vg.Point) (x, y float64) { return p.X.Points(), (c.height - p.Y).Points() }

func degrees(radians float64) float64 { return radians * 180 / math.Pi }
