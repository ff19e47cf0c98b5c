// Package figure answers: how is a figure drawn? It has the parts that all figures share: pages and
// their encodings, axes, curves, histograms, tiles, cells and colours. It never computes what it
// draws, and knows of no study.
package figure

import (
	"bytes"
	"cmp"
	"fmt"
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
	Title string
	Notes []string // what of a table the figure cannot show, and why
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
func (f *Figure) Draw(c draw.Canvas) { f.drawOn(c, nil) }

// drawOn draws the figure on a canvas, and collects tips if there is a place for them. It reports
// whether colours stand for numbers in the figure, so that no page may change them.
func (f *Figure) drawOn(c draw.Canvas, tips *[]Tip) (mapped bool) {
	on := &ink{Canvas: c.Canvas, style: f.style, tips: tips}
	c.Canvas = on
	f.page(f.style).Draw(c)
	return on.mapped
}

// Formats returns the formats that Encode knows.
func Formats() []string { return []string{"svg", "png", "pdf"} }

// dpi is the resolution of PNG figures.
const dpi = 200

// Encode returns the figure in one of Formats. The same figure always gives the same bytes.
func (f *Figure) Encode(format string) ([]byte, error) {
	width, height := f.Size()
	var canvas interface {
		vg.Canvas
		io.WriterTo
	}
	switch format {
	case "svg":
		return f.svg(width, height)
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))}
	case "pdf":
		canvas = newPDF(width, height)
	default:
		return nil, fmt.Errorf("no figure format %q", format)
	}
	f.Draw(draw.NewCanvas(canvas, width, height))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// systemFonts are typefaces of which every system has one, with letters of the same widths as those
// that the layout was made for.
const systemFonts = "'Liberation Sans',Arial,Helvetica,sans-serif"

// tipRadius is the radius of the invisible disc around a point at which its tip is shown.
const tipRadius = 4

// svg returns the figure as SVG that may stand in any page: it has attributes instead of styles,
// which a strict Content-Security-Policy forbids, names typefaces instead of one that not every
// system has, and has tips.
func (f *Figure) svg(width, height vg.Length) ([]byte, error) {
	canvas := &fitted{Canvas: vgsvg.NewWith(vgsvg.UseWH(width, height), vgsvg.EmbedFonts(false))}
	var tips []Tip
	mapped := f.drawOn(draw.New(canvas), &tips)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	svg := withAttributes(canvas.withLengths(b.Bytes()))
	// The first ">\n<g" ends the tag of the picture and begins its content.
	svg = bytes.Replace(svg, []byte(">\n<g"), []byte(root(f.title(), mapped)+"\n<g"), 1)
	end := bytes.LastIndex(svg, []byte("</svg>"))
	return append(svg[:end:end], drawnTips(thinned(tips, maxTips), height)+"</svg>\n"...), nil
}

// root returns the attributes of the whole picture with the end of its tag, and its title. Pages in
// dark mode invert figures, but not those of the class map.
func root(title string, mapped bool) string {
	class := map[bool]string{true: "class=\"map\" "}[mapped]
	return fmt.Sprintf("\n\t%srole=\"img\" font-family=\"%s\">\n<title>%s</title>", class, systemFonts,
		html.EscapeString(title))
}

// title says what the figure shows.
func (f *Figure) title() string {
	return table.People(cmp.Or(f.Title, strings.ReplaceAll(f.Name, "_", " ")), 0)
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

// drawnTips draws invisible shapes that show their tips to those who point at them. Their places
// are rounded to what a pointer can hit.
func drawnTips(tips []Tip, height vg.Length) string {
	if len(tips) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<g fill-opacity=\"0\">\n")
	for _, t := range tips {
		size := t.Box.Size()
		if size.X == 0 && size.Y == 0 {
			fmt.Fprintf(&b, `<circle cx="%.4g" cy="%.4g" r="%d">`, float64(t.Box.Min.X),
				float64(height-t.Box.Min.Y), tipRadius)
		} else {
			fmt.Fprintf(&b, `<rect x="%.4g" y="%.4g" width="%.3g" height="%.3g">`, float64(t.Box.Min.X),
				float64(height-t.Box.Max.Y), float64(size.X), float64(size.Y))
		}
		fmt.Fprintf(&b, "<title>%s</title></%s>\n", html.EscapeString(table.People(t.Text, 0)),
			map[bool]string{true: "circle", false: "rect"}[size.X == 0 && size.Y == 0])
	}
	b.WriteString("</g>\n")
	return b.String()
}

// Tip is a text that is shown when a reader points at a place of a figure.
type Tip struct {
	Text string
	Box  vg.Rectangle // the bar or the cell at which the text is shown; a point is a box without a size
}

const (
	// maxTips bounds the tips of a figure, so that its file stays small: each takes about a hundred
	// bytes.
	maxTips = 800
	// tipsApart is the least distance of two tips of one series. What stands nearer cannot be
	// pointed at.
	tipsApart = vg.Length(2)
)

// AddTip adds a tip to the figure that is being drawn on a canvas. It does nothing if the figure is
// drawn for a format without tips.
func AddTip(c draw.Canvas, tip Tip) {
	if k := inkOf(c); k != nil && k.tips != nil {
		*k.tips = append(*k.tips, tip)
	}
}

// inkOf returns the ink of a figure's canvas, or of a part of it, which holds the canvas that it is
// a part of; nil for another canvas.
func inkOf(c draw.Canvas) *ink {
	for {
		switch on := c.Canvas.(type) {
		case *ink:
			return on
		case draw.Canvas:
			c = on
		default:
			return nil
		}
	}
}

// addTips adds tips for what is drawn in a panel, which has been drawn on a canvas as the given
// plot.
func (p *Panel) addTips(c draw.Canvas, as *plot.Plot) {
	inside := as.DataCanvas(c)
	x, y := as.Transforms(&inside)
	last := map[string]vg.Point{}
	for _, d := range p.drawn {
		box := vg.Rectangle{Min: vg.Point{X: x(d.x), Y: y(d.y)}, Max: vg.Point{X: x(d.x), Y: y(d.y)}}
		if !math.IsNaN(d.to) {
			box = vg.Rectangle{
				Min: vg.Point{X: x(d.x), Y: inside.Min.Y},
				Max: vg.Point{X: x(d.to), Y: min(box.Max.Y, inside.Max.Y)},
			}
		}
		if !inBox(box, inside.Rectangle) {
			continue
		}
		if before, is := last[d.series]; is &&
			math.Hypot(float64(box.Max.X-before.X), float64(box.Max.Y-before.Y)) < float64(tipsApart) {
			continue
		}
		last[d.series] = box.Max
		AddTip(c, Tip{Text: p.tipText(&d), Box: box})
	}
}

// inBox reports whether a box lies in another one, but for rounding. One that is not finite does
// not.
func inBox(box, in vg.Rectangle) bool {
	const rounding = 0.01
	return box.Min.X >= in.Min.X-rounding && box.Min.Y >= in.Min.Y-rounding &&
		box.Max.X <= in.Max.X+rounding && box.Max.Y <= in.Max.Y+rounding &&
		box.Min.X <= box.Max.X && box.Min.Y <= box.Max.Y
}

// tipText says what is drawn: the series, and the numbers on both axes with the digits of tables
// for people.
func (p *Panel) tipText(d *recorded) string {
	across := nameOf(p.X.Label.Text, "x") + " " + shown(&p.X, d.x)
	if from, to := shown(&p.X, d.x), shown(&p.X, d.to); !math.IsNaN(d.to) && from != to {
		// both ends of a bar at a name have the name
		across += " to " + to
	}
	text := across + ", " + nameOf(p.Y.Label.Text, "y") + " " + shown(&p.Y, d.y)
	if d.series != "" {
		text = plain(d.series) + ": " + text
	}
	return text
}

// nameOf returns the label of an axis as plain text, or another name if it has none.
func nameOf(label, otherwise string) string {
	return cmp.Or(plain(label), otherwise)
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
	return table.People(displayed(a, at), 0)
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

// thinned returns at most that many tips, at equal distances in their order.
func thinned(tips []Tip, most int) []Tip {
	if len(tips) <= most {
		return tips
	}
	out := make([]Tip, most)
	for i := range out {
		out[i] = tips[i*len(tips)/most]
	}
	return out
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
