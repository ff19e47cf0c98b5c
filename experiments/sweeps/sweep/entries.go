package sweep

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/subject"
)

// entry is one element of a list of values: a single value, or a run of them. It holds no values
// before they are asked for.
type entry struct {
	place string
	count int64
	at    func(i int64) (string, error) // value i of them; it fails if that can be no value of the parameter
}

// draft is a table of the specification with its lists not written out yet, by parameter.
type draft struct {
	place   string
	entries map[string][]entry
}

// draft reads a table: a value or a list of values for each parameter.
func (p parser) draft(path string, table map[string]any) (draft, error) {
	d := draft{p.describePath(path), map[string][]entry{}}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		at := path + "." + key
		parameter, known := subject.FindParameter(p.study.Parameters, key)
		if !known {
			return draft{}, fmt.Errorf("%s: %w", p.describePath(at), unknownParameter(p.studies, p.study, key))
		}
		list, ok := table[key].([]any)
		if !ok {
			list = []any{table[key]}
		}
		if len(list) == 0 {
			return draft{}, errs.New("%s: %s is an empty list; give it a value, or leave it out for the default",
				p.describePath(at), key)
		}
		for i, v := range list {
			place := p.describePath(fmt.Sprintf("%s.%d", at, i))
			if !ok || place == p.name {
				place = p.describePath(at)
			}
			e, err := entryOf(parameter, v)
			if err != nil {
				return draft{}, fmt.Errorf("%s: %w", place, err)
			}
			e.place = place
			d.entries[key] = append(d.entries[key], e)
		}
	}
	return d, nil
}

// countValues returns the number of values of a parameter, as far as that can be counted.
func (d draft) countValues(key string) (n int64) {
	for _, e := range d.entries[key] {
		n += min(e.count, math.MaxInt64-n)
	}
	return n
}

// longest returns the number of values of the parameter that has the most of them, and its name.
func (d draft) longest() (n int64, key string) {
	for _, k := range slices.Sorted(maps.Keys(d.entries)) {
		if m := d.countValues(k); m > n {
			n = m
			key = k
		}
	}
	return n, key
}

// block writes the lists out.
func (d draft) block() (*block, error) {
	b := &block{d.place, map[string][]value{}}
	for key, entries := range d.entries {
		values, err := valuesOfEntries(entries)
		if err != nil {
			return nil, err
		}
		b.values[key] = values
	}
	return b, nil
}

// valuesOfEntries writes a list out. Numbers of a run that are rounded to the same whole number are
// there once.
func valuesOfEntries(entries []entry) ([]value, error) {
	var out []value
	for _, e := range entries {
		last := ""
		for i := range e.count {
			text, err := e.at(i)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.place, err)
			}
			if i == 0 || text != last {
				out = append(out, value{text, e.place})
			}
			last = text
		}
	}
	return out, nil
}

// entryOf returns what an element of a list stands for.
func entryOf(p subject.Parameter, v any) (entry, error) {
	if table, isTable := v.(map[string]any); isTable && p.Number != nil {
		return spanOf(p, table)
	}
	text, err := textOf(p, v)
	if err != nil {
		return entry{}, err
	}
	if p.Number != nil {
		return single(text), nil
	}
	return ranged(text)
}

// single returns the entry of one value.
func single(text string) entry {
	return entry{count: 1, at: func(int64) (string, error) { return text, nil }}
}

// ranged returns the entry of a text, which may have ranges in it.
func ranged(text string) (entry, error) {
	r, err := selector.ParseRanges(text)
	if err != nil {
		return entry{}, err
	}
	return entry{count: r.Count(), at: func(i int64) (string, error) { return r.SelectorAt(i), nil }}, nil
}

// spanForms says how runs of numbers are written.
const spanForms = "{from = 0, to = 999}, with a step if it is not 1, {linspace = [0, 1, 11]} or {logspace " +
	"= [10, 1e5, 9]}"

// spanOf returns the entry of a run of numbers: from one to another by steps, or that many between
// two ends, which are the first and the last of them, at equal distances or at equal ratios.
func spanOf(p subject.Parameter, table map[string]any) (entry, error) {
	keys := slices.Sorted(maps.Keys(table))
	switch strings.Join(keys, " ") {
	case "from to", "from step to":
		return stepsOf(p, table)
	case "linspace":
		return spacedOf(p, keys[0], table[keys[0]], func(low, high, at float64) float64 { return low + (high-low)*at })
	case "logspace":
		return spacedOf(p, keys[0], table[keys[0]], func(low, high, at float64) float64 {
			return math.Exp(number.Log(low) + (number.Log(high)-number.Log(low))*at)
		})
	}
	return entry{}, errs.New("%s is a table of %s; write a range of numbers as %s", p.Name,
		selector.Cut(strings.Join(keys, ", ")), spanForms)
}

// numberOf returns a number of the document.
func numberOf(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	return 0, false
}

// stepsOf returns the numbers from one to another by steps.
func stepsOf(p subject.Parameter, table map[string]any) (entry, error) {
	table = maps.Clone(table)
	if table["step"] == nil {
		table["step"] = int64(1)
	}
	numbers := map[string]float64{}
	for _, key := range []string{"from", "to", "step"} {
		n, ok := numberOf(table[key])
		if !ok || key == "step" && !(n > 0) || !p.Number.Real && n != math.Trunc(n) {
			kind := "a number"
			if !p.Number.Real {
				kind = "a whole number"
			}
			if key == "step" {
				kind += " above zero"
			}
			return entry{}, errs.New("%s of %s is %s; give %s",
				key, p.Name, selector.Cut(fmt.Sprint(table[key])), kind)
		}
		numbers[key] = n
	}
	low := numbers["from"]
	high := numbers["to"]
	step := numbers["step"]
	if low > high {
		return entry{}, errs.New("%s goes from %v down to %v; write the smaller number first", p.Name, low, high)
	}
	for _, end := range []float64{low, high} {
		if _, err := p.Text(end); err != nil {
			return entry{}, err
		}
	}
	if !p.Number.Real {
		return entry{
			count: int64(math.Floor((high-low)/step)) + 1,
			at:    func(i int64) (string, error) { return p.Text(low + step*float64(i)) },
		}, nil
	}
	count := math.Floor((high-low)/step*(1+1e-12)) + 1 // a step as 0.1 is no binary number
	return entry{
		count: int64(min(count, 1<<62)),
		at:    func(i int64) (string, error) { return p.Text(min(high, short12(low+step*float64(i)))) },
	}, nil
}

// spacedOf returns that many numbers between two ends. Place 0 is the first end and place 1 the
// last.
func spacedOf(p subject.Parameter, kind string,
	v any, between func(low, high, at float64) float64) (entry, error) {
	refuse := func(why string) (entry, error) {
		return entry{}, errs.New("%s of %s is %s; %s, as in %s = [1, 100, 3]", kind, p.Name,
			selector.Cut(fmt.Sprint(v)), why, kind)
	}
	list, _ := v.([]any)
	if len(list) != 3 {
		return refuse("give the first number, the last and how many")
	}
	var numbers [3]float64
	for i := range numbers {
		n, ok := numberOf(list[i])
		if !ok {
			return refuse("give three numbers")
		}
		numbers[i] = n
	}
	low := numbers[0]
	high := numbers[1]
	count := numbers[2]
	switch {
	case count != math.Trunc(count) || count < 2:
		return refuse("the third says how many, 2 or more")
	case !(low < high):
		return refuse("the first must be below the second")
	case kind == "logspace" && !(low > 0):
		return refuse("equal ratios need numbers above zero")
	}
	for _, end := range []float64{low, high} {
		if _, err := p.Text(end); err != nil {
			return entry{}, err
		}
	}
	return entry{count: int64(min(count, 1<<62)), at: func(i int64) (string, error) {
		x := between(low, high, float64(i)/(count-1))
		switch {
		case i == 0:
			x = low
		case i == int64(count)-1:
			x = high
		}
		if !p.Number.Real {
			return p.Text(math.Round(x))
		}
		return p.Text(min(high, max(low, short12(x))))
	}}, nil
}

// short12 rounds a number to twelve digits, so that 0.1 + 0.2 is 0.3.
func short12(x float64) float64 {
	// fails for no float64 but those next to the largest one
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	return short
}

// linesOf returns the line of every key of a well-formed TOML document and of every element of its
// arrays, by their paths: "grid.toy.0" is the first toy of the grid, "case.1.T" the T of the second
// case. The library's decoder knows them for its own errors only.
func linesOf(text []byte) map[string]int {
	w := lineWalker{lines: map[string]int{}, line: 1}
	w.parser.Reset(text)
	counts := map[string]int{}
	prefix := ""
	for w.parser.NextExpression() {
		node := w.parser.Expression()
		switch node.Kind {
		case unstable.Table:
			prefix = w.key(node, "")
		case unstable.ArrayTable:
			prefix = w.key(node, "")
			counts[prefix]++
			line := w.lines[prefix]
			prefix = fmt.Sprintf("%s.%d", prefix, counts[prefix]-1)
			w.lines[prefix] = line
		case unstable.KeyValue:
			w.noteLines(node.Value(), w.key(node, prefix))
		}
	}
	return w.lines
}

// lineWalker counts lines as it goes through a document from start to end.
type lineWalker struct {
	parser unstable.Parser
	lines  map[string]int
	offset uint32
	line   int
}

// noteLine notes the line of a path that begins at an offset.
func (w *lineWalker) noteLine(path string, offset uint32) {
	if offset >= w.offset {
		w.line += bytes.Count(w.parser.Data()[w.offset:offset], []byte("\n"))
		w.offset = offset
	}
	w.lines[path] = w.line
}

// key notes the line of a node's key and returns its path.
func (w *lineWalker) key(node *unstable.Node, prefix string) string {
	var parts []string
	if prefix != "" {
		parts = append(parts, prefix)
	}
	first := uint32(0)
	begun := false
	for keys := node.Key(); keys.Next(); {
		parts = append(parts, string(keys.Node().Data))
		if !begun {
			first = keys.Node().Raw.Offset
			begun = true
		}
	}
	path := strings.Join(parts, ".")
	w.noteLine(path, first)
	return path
}

// noteLines notes the lines of what an array or an inline table holds.
func (w *lineWalker) noteLines(node *unstable.Node, path string) {
	i := 0
	for children := node.Children(); children.Next(); {
		child := children.Node()
		switch {
		case child.Kind == unstable.KeyValue:
			w.noteLines(child.Value(), w.key(child, path))
		case child.Kind == unstable.Comment:
		default:
			element := fmt.Sprintf("%s.%d", path, i)
			i++
			if child.Raw.Length > 0 {
				w.noteLine(element, child.Raw.Offset)
			} else {
				w.lines[element] = w.line
			}
			w.noteLines(child, element)
		}
	}
}
