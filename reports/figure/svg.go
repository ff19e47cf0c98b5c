package figure

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// systemFonts are typefaces of which every system has one, with letters of the same widths as those that the layout was made for.
const systemFonts = "'Liberation Sans',Arial,Helvetica,sans-serif"

// tipRadius is the radius of the invisible disc around a point at which its tip is shown.
const tipRadius = 4

// svg returns the figure as SVG that may stand in any page: it has attributes in place of styles, which a strict Content-Security-Policy
// forbids, names typefaces in place of one that not every system has, and has tips.
func (f *Figure) svg(width, height vg.Length) ([]byte, error) {
	canvas := vgsvg.NewWith(vgsvg.UseWH(width, height), vgsvg.EmbedFonts(false))
	var tips []Tip
	f.draw(draw.New(canvas), &tips)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	svg := withAttributes(b.Bytes())
	// The first ">\n<g" ends the tag of the picture and begins its content.
	svg = bytes.Replace(svg, []byte(">\n<g"), []byte(root(f.title())+"\n<g"), 1)
	end := bytes.LastIndex(svg, []byte("</svg>"))
	return append(svg[:end:end], drawnTips(thinned(tips, maxTips), height)+"</svg>\n"...), nil
}

// root returns the attributes of the whole picture with the end of its tag, and its title.
func root(title string) string {
	return fmt.Sprintf("\n\trole=\"img\" font-family=\"%s\">\n<title>%s</title>", systemFonts, html.EscapeString(title))
}

// title says what the figure shows.
func (f *Figure) title() string {
	if f.Title != "" {
		return f.Title
	}
	return strings.ReplaceAll(f.Name, "_", " ")
}

// styleAttribute matches the attribute in which the library writes how something looks. No text can hold one, because quotes are
// escaped there.
var styleAttribute = regexp.MustCompile(`\s+style="([^"]*)"`)

// withAttributes writes each part of a style as an attribute of its own. Those of letters that hold everywhere are left out: the picture
// itself has them, or they are what is usual.
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

// drawnTips draws invisible shapes that show their tips to those who point at them. Their places are rounded to what a pointer can hit.
func drawnTips(tips []Tip, height vg.Length) string {
	if len(tips) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<g fill-opacity=\"0\">\n")
	for _, t := range tips {
		size := t.Box.Size()
		if size.X == 0 && size.Y == 0 {
			fmt.Fprintf(&b, `<circle cx="%.4g" cy="%.4g" r="%d">`, float64(t.Box.Min.X), float64(height-t.Box.Min.Y), tipRadius)
		} else {
			fmt.Fprintf(&b, `<rect x="%.4g" y="%.4g" width="%.3g" height="%.3g">`, float64(t.Box.Min.X), float64(height-t.Box.Max.Y), float64(size.X), float64(size.Y))
		}
		fmt.Fprintf(&b, "<title>%s</title></%s>\n", html.EscapeString(t.Text), map[bool]string{true: "circle", false: "rect"}[size.X == 0 && size.Y == 0])
	}
	b.WriteString("</g>\n")
	return b.String()
}
