package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// lay makes the panels: a row for each part and a column for each facet, or if there is one of
// either all beside each other. What has no point has no panel.
func (d *Drawing) lay() error {
	d.alike = d.same()
	has := func(part, facet int) bool {
		return slices.ContainsFunc(
			d.keys[[2]int{part, facet}],
			func(to at) bool { return !d.parts[to.part].isLevel(to.column) },
		)
	}
	titles := slices.Clone(d.facets) // which are empty if there is only one
	for i := range titles {
		if d.plot.Of != "" && titles[i] != "" {
			titles[i] = d.plot.Of + ", " + titles[i]
		}
	}
	short := ShortNames(titles, longestTitle)
	panels := 0
	for k := range d.parts {
		if !has(k, -1) {
			continue
		}
		var row []*Panel
		for i := range d.facets {
			if has(k, i) {
				row = append(row, d.panel(k, i))
				row[len(row)-1].Title.Text, row[len(row)-1].short = titles[i], short[i]
				panels++
			} else if has(-1, i) {
				row = append(row, nil)
			}
		}
		d.Sheet.Rows = append(d.Sheet.Rows, row)
	}
	if facets := len(d.Sheet.Rows[0]); facets == 1 {
		d.Sheet.Rows = [][]*Panel{slices.Concat(d.Sheet.Rows...)}
	} else {
		d.Sheet.Columns = int(math.Ceil(math.Sqrt(float64(min(facets, MaxPanels)))))
		if len(d.Sheet.Rows) > 1 {
			d.Sheet.Columns = max(d.Sheet.Columns, 4)
		}
	}
	if panels > MaxPanels {
		d.Notes = append(d.Notes,
			fmt.Sprintf("the picture has %d of %d panels; the points in the CSV of the figure are of all",
				MaxPanels, panels))
	}
	d.Sheet.Name = d.plot.Name
	d.Sheet.Beside = true
	d.Sheet.Width = 11 * vg.Centimeter
	d.Sheet.Height = 8.5 * vg.Centimeter
	if panels > 1 {
		d.Sheet.Width = 8 * vg.Centimeter
		d.Sheet.Height = 6.5 * vg.Centimeter
		if panels > manyPanels {
			d.Sheet.Width = 5.6 * vg.Centimeter
			d.Sheet.Height = 5.2 * vg.Centimeter
		}
	}
	if q := &d.parts[0]; q.names {
		d.Sheet.Width, d.Sheet.Height = 9*vg.Centimeter,
			vg.Length(2.5+0.55*float64(len(q.yAxis.names)))*vg.Centimeter
		d.Sheet.Least = 24
		d.Sheet.Lines = true
	}
	d.legend()
	return nil
}

// manyPanels is the number of panels beyond which they are small, so that all are seen at once.
const manyPanels = 12

// Figure returns the figure. If there are more panels than a reader can distinguish it has the
// first of them.
func (d *Drawing) Figure() *Figure {
	s := d.Sheet
	s.Rows = slices.Clone(s.Rows)
	for i, row := range s.Rows {
		s.Rows[i] = row[:min(len(row), max(1, MaxPanels/len(s.Rows)))]
	}
	f := s.Figure()
	f.Notes = d.Notes
	f.Data = dataOf(slices.DeleteFunc(slices.Concat(d.Sheet.Rows...), func(p *Panel) bool { return p == nil }))
	return f
}

// The lengths of the longest names along an axis, in legends, and above panels.
const (
	longestTick  = 32
	longestName  = 48
	longestTitle = 72
)

// indexOf returns the place of a value in a list, and adds it if it is not there.
func indexOf[V comparable](list *[]V, name V) int {
	if i := slices.Index(*list, name); i >= 0 {
		return i
	}
	*list = append(*list, name)
	return len(*list) - 1
}
