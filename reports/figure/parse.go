package figure

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// plotKeys are the parts of a plot that a user may name.
func plotKeys() []string { return []string{"x", "y", "by", "panels", "band", "log"} }

// ParsePlot reads what a figure shows, as in "x=T, y=J+B, by=toy, panels=kernel, log=xy". Columns
// have + between them, and parts of the figure |.
func ParsePlot(text string) (p columns.Plot, err error) {
	lists := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		key, value, is := strings.Cut(part, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch {
		case !is || value == "":
			return p, errs.New(
				"%q says nothing; write what a figure shows as in \"x=T, y=J+B, by=toy, panels=kernel, log=xy\"",
				strings.TrimSpace(part),
			)
		case !slices.Contains(plotKeys(), key):
			return p, selector.UnknownError("part of a plot", key, plotKeys())
		case lists[key] != "":
			return p, errs.New("%s is there twice; several columns have + between them, as in y=J+B", key)
		}
		lists[key] = value
	}
	if lists["x"] == "" || lists["y"] == "" {
		return p, errors.New("name the columns along both axes, as in \"x=T, y=J\"")
	}
	parts := map[string][][]string{}
	var given []string
	for _, key := range plotKeys() {
		if lists[key] == "" {
			continue
		}
		given = append(given, key+"="+lists[key])
		for list := range strings.SplitSeq(lists[key], "|") {
			var names []string
			for name := range strings.SplitSeq(list, "+") {
				names = append(names, strings.TrimSpace(name))
			}
			if slices.Contains(names, "") {
				return p, fmt.Errorf("%s=%s: a name is missing beside + or |", key, lists[key])
			}
			if key == "band" && len(names)%2 != 0 {
				return p, fmt.Errorf("band=%s: a band is between two columns, as in band=low+high", lists[key])
			}
			parts[key] = append(parts[key], names)
		}
	}
	log := []string{"x", "y", "xy", "none"}
	if lists["log"] != "" && !slices.Contains(log, lists["log"]) {
		return p, selector.UnknownError("choice of logarithmic axes", lists["log"], log)
	}
	xs, ys := parts["x"], parts["y"]
	if len(xs) != len(ys) && min(len(xs), len(ys)) > 1 {
		return p, errs.New(
			"x=%s has %d parts and y=%s has %d; one of both serves all parts of the other, and else they are as many",
			lists["x"], len(xs), lists["y"], len(ys))
	}
	scaleOf := func(axis string) columns.Scale {
		switch {
		case lists["log"] == "":
			return columns.Positive
		case strings.Contains(strings.ReplaceAll(lists["log"], "none", ""), axis):
			return columns.Log
		}
		return columns.Linear
	}
	for i := range max(len(xs), len(ys)) {
		x := xs[min(i, len(xs)-1)]
		if len(x) != 1 {
			return p, errors.New("a part of the plot has one column along x and at least one along y")
		}
		q := columns.Part{X: x[0], Y: ys[min(i, len(ys)-1)], XScale: scaleOf("x"), YScale: scaleOf("y")}
		if bands := parts["band"]; bands != nil {
			q.Band = bands[min(i, len(bands)-1)]
		}
		p.Parts = append(p.Parts, q)
	}
	p.By, p.Panels = slices.Concat(parts["by"]...), slices.Concat(parts["panels"]...)
	p.Asked = strings.Join(given, ", ")
	about := append([]string{lists["y"], "against", lists["x"]}, given[2:]...)
	p.Name = strings.NewReplacer("|", "_beside_", "+", "_and_", "=", "_").Replace(strings.Join(about, "_"))
	p.Title = strings.NewReplacer("+", " and ", "|", ", ").Replace(lists["y"] + " against " + lists["x"])
	return p, nil
}

// Nothing is the error for a plot of a table that has its columns, but no numbers in them.
type Nothing struct{ plot *columns.Plot }

// Error names the columns without numbers.
func (n Nothing) Error() string {
	var xs, ys []string
	for _, q := range n.plot.Parts {
		if q.X != "" {
			indexOf(&xs, q.X)
		}
		ys = append(ys, strings.Join(q.Y, "+"))
	}
	y := strings.Join(ys, "|")
	if n.plot.Joined {
		return fmt.Sprintf("nothing to draw: %s has no numbers at two values of %s", y, xs[0])
	}
	return fmt.Sprintf("nothing to draw: no row has numbers for %s against %s", y, strings.Join(xs, "|"))
}

// Apart returns the first columns of texts that distinguish rows which a plot would join by a line.
// It considers only columns before all numbers that are drawn, since later ones are answers or
// notes.
func Apart(t *table.Table, p columns.Plot) (names []string) {
	var places []int
	for _, name := range slices.Concat(p.By, p.Panels) {
		if i, err := t.Place(name); err == nil {
			places = append(places, i)
		}
	}
	used := p.Columns()
	for i, c := range t.Columns {
		if slices.ContainsFunc(p.Parts, func(q columns.Part) bool { return slices.Contains(q.Y, c.Name) }) {
			break
		}
		if c.Type != table.String || c.Prose || c.Name == "note" || slices.Contains(used, c.Name) {
			continue
		}
		first := map[string]string{}
		if slices.ContainsFunc(t.Rows, func(row []any) bool {
			line := valueOf(t, row, places, dataText)
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
	var places, apart []int
	for i, name := range slices.Concat(p.Each.Always, p.Each.Varying) {
		place, err := t.Place(name)
		if err != nil {
			continue
		}
		if varies(t, place) {
			apart = append(apart, place)
		} else if i >= len(p.Each.Always) {
			continue
		}
		places = append(places, place)
	}
	if len(places) == 0 {
		return []Part{{t, p}}
	}
	var values []string
	for _, row := range t.Rows {
		value := valueOf(t, row, places, dataText)
		if i := slices.Index(values, value); i >= 0 {
			parts[i].Table.Rows = append(parts[i].Table.Rows, row)
			continue
		}
		values = append(values, value)
		own := p
		of := *t
		own.Title, own.Of = own.Title+": "+value, valueOf(t, row, apart, cellText)
		for _, i := range places {
			own.Name += "_"
			if !math.IsNaN(number64(row[i])) {
				own.Name += titleIn(t, i)
			}
			own.Name += dataText(row[i])
		}
		of.Rows = [][]any{row}
		parts = append(parts, Part{&of, own})
	}
	return parts
}
