package catalogue

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// checkFigure checks the layout of a figure, and compares its outline with a golden file of a name.
func checkFigure(t *testing.T, name string, f *figure.Figure) {
	t.Helper()
	checkLayout(t, f)
	checkGolden(t, name+".figure", outlineFigure(t, f))
}

// outlineFigure says in lines of text what a figure shows: its size and titles, the texts in the
// order in which they are drawn, how many shapes there are of each look, and the numbers of its
// data. Where shapes stand is left out: the layout and the drawing of panels have tests of their
// own.
func outlineFigure(t *testing.T, f *figure.Figure) []byte {
	var b strings.Builder
	shapes := map[string]int{}
	inside := ""
	texts := []string{}
	in := xml.NewDecoder(bytes.NewReader(longtest.Must(f.Encode("svg"))(t)))
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		longtest.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			inside = token.Name.Local
			switch inside {
			case "svg":
				fmt.Fprintf(&b, "size%s\n", attributesOf(token, "width", "height"))
			case "path":
				shapes[inside+attributesOf(token, "fill", "fill-opacity", "stroke", "stroke-width",
					"stroke-opacity", "stroke-dasharray")]++
			}
		case xml.EndElement:
			inside = ""
		case xml.CharData:
			if inside == "text" || inside == "title" && (f.Data == nil || len(texts) == 0) {
				// each point has a title, which its data have too
				texts = append(texts, string(token))
			}
		}
	}
	fmt.Fprintf(&b, "texts: %s\n", strings.Join(texts, " | "))
	for _, look := range slices.Sorted(maps.Keys(shapes)) {
		fmt.Fprintf(&b, "%d of %s\n", shapes[look], look)
	}
	if f.Data != nil {
		b.WriteString(seriesLines(f.Data))
	}
	return []byte(b.String())
}

// attributesOf returns those of some names that an element has.
func attributesOf(e xml.StartElement, names ...string) string {
	var b strings.Builder
	for _, name := range names {
		if i := slices.IndexFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == name }); i >= 0 {
			fmt.Fprintf(&b, " %s=%s", name, e.Attr[i].Value)
		}
	}
	return b.String()
}

// seriesLines returns the data of a figure in a line for each series, with the numbers of its
// points.
func seriesLines(data *table.Table) string {
	var b strings.Builder
	before := ""
	for _, row := range data.Rows {
		var names, numbers []string
		for _, cell := range row {
			switch cell := cell.(type) {
			case nil:
			case string:
				names = append(names, cell)
			case float64:
				numbers = append(numbers, fmt.Sprintf("%.4g", cell))
			default:
				numbers = append(numbers, fmt.Sprint(cell))
			}
		}
		if name := strings.Join(names, " / "); name != before {
			fmt.Fprintf(&b, "\n%s:", name)
			before = name
		}
		fmt.Fprintf(&b, " %s", strings.Join(numbers, ","))
	}
	return b.String() + "\n"
}
