package catalogue

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// placedText is a text of a figure with the corners of its letters, in their order around them.
type placedText struct {
	text    string
	corners [4][2]float64
}

// matrix maps a point (x, y) to (a x + c y + e, b x + d y + f), as in SVG.
type matrix struct{ a, b, c, d, e, f float64 }

func (m matrix) times(n matrix) matrix {
	return matrix{m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b, m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d,
		m.a*n.e + m.c*n.f + m.e, m.b*n.e + m.d*n.f + m.f}
}

// transformed returns a matrix with the transforms of an element.
func transformed(t *testing.T, m matrix, text string) matrix {
	t.Helper()
	for part := range strings.SplitSeq(text, ")") {
		name, list, is := strings.Cut(part, "(")
		if !is {
			continue
		}
		var v []float64
		for number := range strings.SplitSeq(list, ",") {
			v = append(v, longtest.Must(strconv.ParseFloat(strings.TrimSpace(number), 64))(t))
		}
		switch strings.TrimSpace(name) {
		case "scale":
			m = m.times(matrix{a: v[0], d: v[1]})
		case "translate":
			m = m.times(matrix{1, 0, 0, 1, v[0], v[1]})
		case "rotate":
			sin, cos := math.Sincos(v[0] * math.Pi / 180)
			m = m.times(matrix{cos, sin, -sin, cos, 0, 0})
		default:
			t.Fatalf("the transform %q is not known", name)
		}
	}
	return m
}

// placedTexts returns where the texts of an SVG stand, and its size.
func placedTexts(t *testing.T, svg []byte) (texts []placedText, size [2]float64) {
	t.Helper()
	stack := []matrix{{a: 1, d: 1}}
	in := xml.NewDecoder(bytes.NewReader(svg))
	inText := false
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return texts, size
		}
		longtest.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			value := map[string]string{}
			for _, a := range token.Attr {
				value[a.Name.Local] = a.Value
			}
			number := func(name, unit string) float64 {
				return longtest.Must(strconv.ParseFloat(strings.TrimSuffix(value[name], unit), 64))(t)
			}
			m := transformed(t, stack[len(stack)-1], value["transform"])
			stack = append(stack, m)
			switch token.Name.Local {
			case "svg":
				size = [2]float64{number("width", "pt"), number("height", "pt")}
			case "text":
				inText = true
				left, foot, letters := number("x", ""), number("y", ""), number("font-size", "px")
				right := left + number("textLength", "")
				p := placedText{}
				for i, at := range [][2]float64{{left, foot + 0.2*letters}, {right, foot + 0.2*letters},
					{right, foot - 0.72*letters}, {left, foot - 0.72*letters}} {
					p.corners[i] = [2]float64{m.a*at[0] + m.c*at[1] + m.e, m.b*at[0] + m.d*at[1] + m.f}
				}
				texts = append(texts, p)
			}
		case xml.EndElement:
			stack = stack[:len(stack)-1]
			inText = false
		case xml.CharData:
			if inText {
				texts[len(texts)-1].text += string(token)
			}
		}
	}
}

// separation returns the distance of two rectangles along that of their sides along which they are
// furthest apart: negative where they overlap.
func separation(a, b [4][2]float64) float64 {
	furthest := math.Inf(-1)
	for _, corners := range [2][4][2]float64{a, b} {
		for i := range 2 {
			x, y := corners[i+1][0]-corners[i][0], corners[i+1][1]-corners[i][1]
			long := math.Hypot(x, y)
			var along [2][]float64
			for k, list := range [2][4][2]float64{a, b} {
				for _, at := range list {
					along[k] = append(along[k], (at[0]*x+at[1]*y)/long)
				}
			}
			furthest = max(furthest, slices.Min(along[1])-slices.Max(along[0]), slices.Min(along[0])-slices.Max(along[1]))
		}
	}
	return furthest
}

// layoutFaults lists what is wrong with the layout of an SVG, a sentence for each fault: texts over
// one another or beyond its edge.
func layoutFaults(t *testing.T, svg []byte) (faults []string) {
	t.Helper()
	const slack = 0.5
	texts, size := placedTexts(t, svg)
	for i := range texts {
		for _, at := range texts[i].corners {
			if by := max(-at[0], -at[1], at[0]-size[0], at[1]-size[1]); by > slack {
				faults = append(faults, fmt.Sprintf("the text %q is beyond the edge by %.1f pt", texts[i].text, by))
				break
			}
		}
		for k := range i {
			if separation(texts[i].corners, texts[k].corners) < -slack {
				faults = append(faults, fmt.Sprintf("the texts %q and %q are over one another", texts[k].text, texts[i].text))
			}
		}
	}
	return faults
}

// TestLayoutFaults: texts over one another and beyond the edge are found, also turned ones, and no
// others.
func TestLayoutFaults(t *testing.T) {
	at := func(x, y float64, transform, text string) string {
		return fmt.Sprintf(`<g transform="%s"><text x="%g" y="%g" transform="scale(1, -1)" textLength="40" `+
			`font-size="10px">%s</text></g>`, transform, x, -y, text)
	}
	for want, texts := range map[string]string{
		"":                     at(10, 85, "", "one") + at(10, 75, "", "two") + at(70, 0, "rotate(45)", "three") + at(70, -14, "rotate(45)", "four"),
		"one and two are over": at(10, 50, "", "one") + at(40, 54, "", "two"),
		"beyond the edge":      at(70, 50, "", "one"),
		"beyond the edge by":   at(80, -30, "rotate(90)", "one"),
	} {
		faults := layoutFaults(t, []byte(`<svg width="100pt" height="100pt"><g transform="scale(1, -1) translate(0, -100)">`+
			texts+`</g></svg>`))
		if want == "" && len(faults) > 0 || want != "" &&
			(len(faults) != 1 || !strings.Contains(strings.ReplaceAll(faults[0], `"`, ""), want)) {
			t.Errorf("%q, want %q", faults, want)
		}
	}
}
