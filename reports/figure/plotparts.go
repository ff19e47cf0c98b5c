package figure

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// plotKeys are the parts of a plot that a user may name.
func plotKeys() []string { return []string{"x", "y", "by", "panels", "band", "log"} }

// ParsePlot reads what a figure shows, as in "x=T, y=J+B, by=toy, panels=kernel, log=xy".
func ParsePlot(text string) (p columns.Plot, err error) {
	p.Asked = true
	parts := map[string]*string{
		"x": &p.X, "y": &p.Y, "by": &p.By, "panels": &p.Panels, "band": &p.Band, "log": &p.Log}
	for part := range strings.SplitSeq(text, ",") {
		key, value, is := strings.Cut(part, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		to := parts[key]
		switch {
		case !is || value == "":
			return p, fmt.Errorf(
				"%q says nothing; write what a figure shows as in \"x=T, y=J+B, by=toy, panels=kernel, log=xy\"",
				strings.TrimSpace(part),
			)
		case to == nil:
			return p, selector.UnknownError("part of a plot", key, plotKeys())
		case *to != "":
			return p, fmt.Errorf("%s is there twice; several columns have + between them, as in y=J+B", key)
		}
		*to = value
	}
	if p.X == "" || p.Y == "" {
		return p, errors.New("name the columns along both axes, as in \"x=T, y=J\"")
	}
	for _, key := range plotKeys() {
		for name := range strings.SplitSeq(strings.ReplaceAll(*parts[key], "|", "+"), "+") {
			if strings.TrimSpace(name) == "" && *parts[key] != "" {
				return p, fmt.Errorf("%s=%s: a name is missing beside + or |", key, *parts[key])
			}
		}
	}
	for part := range strings.SplitSeq(p.Band, "|") {
		if len(columns.NamesIn(part))%2 != 0 {
			return p, fmt.Errorf("band=%s: a band is between two columns, as in band=low+high", p.Band)
		}
	}
	if !slices.Contains([]string{"", "x", "y", "xy", "none"}, p.Log) {
		return p, selector.UnknownError("choice of logarithmic axes", p.Log, []string{"x", "y", "xy", "none"})
	}
	return p, nil
}

// Nothing is the error for a plot of a table that has its columns, but no numbers in them.
type Nothing struct {
	y, x   string
	joined bool
}

// Error names the columns without numbers.
func (n Nothing) Error() string {
	if n.joined {
		return fmt.Sprintf("nothing to draw: %s has no numbers at two values of %s", n.y, partOf(n.x, 0))
	}
	return fmt.Sprintf("nothing to draw: no row has numbers for %s against %s", n.y, n.x)
}

// Apart returns the first columns of texts that distinguish rows which a plot would join by a line.
// It considers only columns before all numbers that are drawn, since later ones are answers or
// notes.
func Apart(t *table.Table, p columns.Plot) (names []string) {
	d := &Drawing{table: t}
	var places []int
	for _, name := range append(columns.NamesIn(p.By), columns.NamesIn(p.Panels)...) {
		if i, err := t.Place(name); err == nil {
			places = append(places, i)
		}
	}
	drawn := columns.NamesIn(p.Y)
	for i, c := range t.Columns {
		if slices.Contains(drawn, c.Name) {
			break
		}
		if c.Type != table.String || c.Prose || c.Name == "note" || slices.Contains(p.Columns(), c.Name) {
			continue
		}
		first := map[string]string{}
		if slices.ContainsFunc(t.Rows, func(row []any) bool {
			line := d.valueOf(row, places, dataText)
			text := dataText(row[i])
			before, is := first[line]
			first[line] = text
			return is && before != text
		}) {
			names, places = append(names, c.Name), append(places, i)
		}
	}
	return names
}

// Part is what one of the figures of a plot shows.
type Part struct {
	Table *table.Table
	Plot  columns.Plot
}

// Each returns the parts of a plot: one for the rows of each value of its columns Each. The name
// and the title of the part have this value.
func Each(t *table.Table, p columns.Plot) (parts []Part) {
	d := &Drawing{table: t}
	var places []int
	always, more, _ := strings.Cut(p.Each, "|")
	for i, name := range append(columns.NamesIn(always), columns.NamesIn(more)...) {
		place, err := t.Place(name)
		if err == nil && (i < len(columns.NamesIn(always)) || d.varies(place)) {
			places = append(places, place)
		}
	}
	if len(places) == 0 {
		return []Part{{t, p}}
	}
	apart := slices.DeleteFunc(slices.Clone(places), func(i int) bool { return !d.varies(i) })
	var values []string
	for _, row := range t.Rows {
		value := d.valueOf(row, places, dataText)
		if i := slices.Index(values, value); i >= 0 {
			parts[i].Table.Rows = append(parts[i].Table.Rows, row)
			continue
		}
		values = append(values, value)
		own := p
		of := *t
		own.Title, own.Of = own.Title+": "+value, d.valueOf(row, apart, cellText)
		for _, i := range places {
			own.Name += "_"
			if !math.IsNaN(number64(row[i])) {
				own.Name += d.title(i)
			}
			own.Name += dataText(row[i])
		}
		of.Rows = [][]any{row}
		parts = append(parts, Part{&of, own})
	}
	return parts
}

// The largest numbers of series and panels that can be distinguished in one figure.
const (
	MaxSeries = 28
	MaxPanels = 36
)
