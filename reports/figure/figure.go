// Package figure answers: how is a figure drawn? It has the parts that all figures share: pages and
// their encodings, axes, curves, histograms, tiles, cells and colours. It never computes what it
// draws, and knows of no study.
package figure

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"html"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"breadboard/reports/table"
)

// Figure is a drawing that can be laid out in any Style and encoded in several formats.
type Figure struct {
	Name string // the name of the file without its ending
	// Data has the points that are drawn, one row each: the panel, the series, x and y. It is nil
	// if they are not recorded.
	Data *table.Table
	// Title says in a line what is drawn, for those who cannot see it; if it is empty the name is
	// used.
	Title  string
	Notes  []string // what of a table the figure cannot show, and why
	Mapped bool     // colours stand for numbers, so that no page may change them
	style  Style
	sheet  func(Style) *Sheet
}

// New returns the figure of the sheet that a function makes for a style.
func New(name string, sheet func(Style) *Sheet) *Figure { return &Figure{Name: name, sheet: sheet} }

// In returns the same figure in another style.
func (f *Figure) In(s Style) *Figure {
	styled := *f
	styled.style = s
	return &styled
}

// Formats returns the formats that Encode knows.
func Formats() []string { return []string{"svg", "png", "pdf"} }

// dpi is the resolution of PNG figures.
const dpi = 300

// dense returns a PNG with its resolution, which programs use to place it: behind the first chunk
// of 33 bytes, that of the size.
//
// Source: PNG specification, third edition, 11.3.4.3.
func dense(png []byte) []byte {
	const perMetre = dpi * 10000 / 254
	chunk := append([]byte("pHYs"), 0, 0, 0, 0, 0, 0, 0, 0, 1)
	binary.BigEndian.PutUint32(chunk[4:], perMetre)
	binary.BigEndian.PutUint32(chunk[8:], perMetre)
	chunk = append(binary.BigEndian.AppendUint32(nil, 9), chunk...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return slices.Concat(png[:33], chunk, png[33:])
}

// Encode returns the figure in one of Formats. The same figure always gives the same bytes.
func (f *Figure) Encode(format string) ([]byte, error) {
	p := f.sheet(f.style).page(f.style)
	var canvas interface {
		vg.Canvas
		io.WriterTo
	}
	svg := &fitted{Canvas: vgsvg.NewWith(vgsvg.UseWH(p.width, p.height), vgsvg.EmbedFonts(false))}
	switch format {
	case "svg":
		canvas = svg
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(p.width, p.height), vgimg.UseDPI(dpi))}
	case "pdf":
		canvas = newPDF(p.width, p.height)
	default:
		return nil, fmt.Errorf("no figure format %q", format)
	}
	tips := p.draw(draw.NewCanvas(&ink{Canvas: canvas, style: f.style}, p.width, p.height))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	switch format {
	case "svg":
		return f.finish(svg.withLengths(b.Bytes()), tips, p.height), nil
	case "png":
		return dense(b.Bytes()), nil
	}
	return b.Bytes(), nil
}

// systemFonts are typefaces of which every system has one, with letters of the same widths as those
// that the layout was made for.
const systemFonts = "'Liberation Sans',Arial,Helvetica,sans-serif"

// tipRadius is half the side of the invisible square around a point at which its tip is shown.
const tipRadius = 4

// finish returns SVG that may stand in any page: it has attributes instead of styles, which a
// strict Content-Security-Policy forbids, names typefaces instead of one that not every system has,
// and has a title and tips. Pages in dark mode invert figures, but not those of the class map.
func (f *Figure) finish(svg []byte, tips []tip, height vg.Length) []byte {
	title := table.People(cmp.Or(f.Title, strings.ReplaceAll(f.Name, "_", " ")), 0)
	class := map[bool]string{true: "class=\"map\" "}[f.Mapped]
	root := fmt.Sprintf("\n\t%srole=\"img\" font-family=\"%s\">\n<title>%s</title>\n<g", class, systemFonts,
		html.EscapeString(title))
	// The first ">\n<g" ends the tag of the picture and begins its content.
	svg = bytes.Replace(withAttributes(svg), []byte(">\n<g"), []byte(root), 1)
	end := bytes.LastIndex(svg, []byte("</svg>"))
	return append(svg[:end:end], drawnTips(tips, height)+"</svg>\n"...)
}

// styleAttribute matches the attribute in which the library writes how something looks. No text can
// hold one, because quotes are escaped there.
var styleAttribute = regexp.MustCompile(`\s+style="([^"]*)"`)

// withAttributes writes each part of a style as an attribute of its own. Those of letters that hold
// everywhere are left out: the picture itself has them, or they are what is usual.
func withAttributes(svg []byte) []byte {
	return styleAttribute.ReplaceAllFunc(svg, func(found []byte) []byte {
		style := styleAttribute.FindSubmatch(found)[1]
		var b bytes.Buffer
		for declaration := range strings.SplitSeq(string(style), ";") {
			name, value, _ := strings.Cut(declaration, ":")
			switch name {
			case "font-family", "font-variant", "font-weight", "font-style":
			default:
				fmt.Fprintf(&b, ` %s="%s"`, name, value)
			}
		}
		return b.Bytes()
	})
}

// drawnTips draws invisible shapes that show their tips to those who point at them, no more than
// maxTips at equal distances in their order. Their places are rounded to what a pointer can hit.
func drawnTips(tips []tip, height vg.Length) string {
	if len(tips) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<g fill-opacity=\"0\">\n")
	drawn := min(len(tips), maxTips)
	for i := range drawn {
		t := tips[i*len(tips)/drawn]
		size := t.box.Size()
		fmt.Fprintf(&b, `<rect x="%.4g" y="%.4g" width="%.3g" height="%.3g"><title>%s</title></rect>`+"\n",
			float64(t.box.Min.X), float64(height-t.box.Max.Y), float64(size.X), float64(size.Y),
			html.EscapeString(table.People(t.text, 0)))
	}
	b.WriteString("</g>\n")
	return b.String()
}

// tip is a text that is shown when a reader points at a box of a figure.
type tip struct {
	text string
	box  vg.Rectangle
}

const (
	// maxTips bounds the tips of a figure, so that its file stays small: each takes about a hundred
	// bytes.
	maxTips = 800
	// tipsApart is the least distance of two tips of one series. What stands nearer cannot be
	// pointed at.
	tipsApart = vg.Length(2)
)

// tips returns the tips of what is drawn in a panel, whose area is a canvas, as the given plot.
func (p *Panel) tips(inside draw.Canvas, as *plot.Plot) (tips []tip) {
	x, y := as.Transforms(&inside)
	last := map[string]vg.Point{}
	for _, d := range p.drawn {
		at := vg.Point{X: x(d.x), Y: y(d.y)}
		box := vg.Rectangle{Min: at, Max: at}
		if !math.IsNaN(d.to) {
			box.Min.Y = inside.Min.Y
			if !math.IsInf(d.foot, -1) {
				box.Min.Y = y(d.foot)
			}
			box.Max = vg.Point{X: x(d.to), Y: min(at.Y, inside.Max.Y)}
		}
		before, is := last[d.series]
		near := math.Hypot(float64(at.X-before.X), float64(at.Y-before.Y)) < float64(tipsApart)
		if !within(box, inside.Rectangle) || is && near && d.text == "" {
			continue
		}
		last[d.series] = at
		if math.IsNaN(d.to) {
			around := vg.Point{X: tipRadius, Y: tipRadius}
			box = vg.Rectangle{Min: at.Sub(around), Max: at.Add(around)}
		}
		tips = append(tips, tip{cmp.Or(d.text, p.tipText(&d)), box})
	}
	return tips
}

// tipText says what is drawn: the series, and the numbers on both axes with the digits of tables
// for people.
func (p *Panel) tipText(d *recorded) string {
	across := cmp.Or(plain(p.X.Label.Text), "x") + " " + shown(&p.X, d.x)
	if from, to := shown(&p.X, d.x), shown(&p.X, d.to); !math.IsNaN(d.to) && from != to {
		// both ends of a bar at a name have the name
		across += " to " + to
	}
	text := across + ", " + cmp.Or(plain(p.Y.Label.Text), "y") + " " + shown(&p.Y, d.y)
	if d.series != "" {
		text = plain(d.series) + ": " + text
	}
	return text
}

// shown writes the number that stands at a place of an axis, or the name that stands there.
func shown(a *plot.Axis, at float64) string {
	if names, are := a.Tick.Marker.(plot.ConstantTicks); are {
		for _, t := range names {
			if t.Label != "" && math.Abs(t.Value-at) < 0.5 {
				return plain(t.Label)
			}
		}
	}
	return table.People(at, 0)
}

// plain returns a text of a figure in one line, with x^2 and x_t for what is raised and lowered in
// it.
func plain(s string) string {
	var b strings.Builder
	for _, part := range partsOf(strings.ReplaceAll(s, "\n", " ")) {
		switch part.shift {
		case raised:
			b.WriteString("^")
		case lowered:
			b.WriteString("_")
		}
		b.WriteString(part.text)
	}
	return table.People(b.String(), 0) // without characters that XML forbids
}

// titleOf says what panels show, in a line: their titles, and what stands on their axes. Axes that
// panels share are named once.
func titleOf(panels []*Panel) string {
	var titles, axes []string
	add := func(to *[]string, text string) {
		if text != "" && !slices.Contains(*to, text) {
			*to = append(*to, text)
		}
	}
	for _, p := range panels {
		add(&titles, plain(p.Title.Text))
		if x, y := plain(p.X.Label.Text), plain(p.Y.Label.Text); x != "" && y != "" {
			add(&axes, y+" against "+x)
		} else {
			add(&axes, x+y)
		}
	}
	const most = 8
	if len(titles) > most {
		titles = append(titles[:most:most], fmt.Sprintf("and %d more", len(titles)-most))
	}
	switch t, a := strings.Join(titles, ", "), strings.Join(axes, ", "); {
	case t == "":
		return a
	case a == "":
		return t
	default:
		return t + ": " + a
	}
}
