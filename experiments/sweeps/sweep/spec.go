package sweep

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/subject"
)

// maxSpec bounds the size of a specification, and maxSelector that of a selector in bytes.
const (
	maxSpec     = 4 << 20
	maxSelector = 1000
)

// Spec is a sweep as written in its file. Its parameters have known names and the right types;
// Sweep checks the selectors.
type Spec struct {
	name    string
	studies Studies // that a specification may name
	study   *subject.Question
	grid    *block          // nil if there is none; the values of [zip] are among its own
	zips    [][]int         // the numbers of parameters whose values go side by side
	set     map[string]bool // the parameters that Set has replaced
	cases   []block
	// programs are the paths of the files that programs are made of, as they were written.
	programs []string
}

// block holds the values of [grid] or of one [[case]], by parameter.
type block struct {
	place  string
	values map[string][]value
}

// value is one selector, or a number in decimal digits, with the place where it stands.
type value struct{ text, place string }

// ReadSpec reads a specification of one of the studies from a TOML file.
func ReadSpec(studies Studies, path string) (*Spec, error) {
	text, err := selector.ReadFile(path, maxSpec)
	if err != nil {
		return nil, fmt.Errorf("sweep: %w", err)
	}
	return Parse(studies, path, text)
}

// Parse reads a specification of one of the studies:
//
//	study = "tightness"    # its name; the default is tightness
//	program-hash = ["kernel.py"]   # only with kernels in other programs: their files
//	[grid]                 # every combination
//	toy = ["barrier", "random:2:0"]
//	T = [10, 100, 1000]
//	[[case]]               # one cell besides the grid
//	toy = "hard"
//	T = 100000
//
// The keys are the parameters of the study; missing ones have their defaults. Errors name the line.
// A list may have ranges in its selectors, as "random:2:{0..999}", and instead of a number a run of
// numbers, as {from = 0, to = 999} or {logspace = [10, 1e5, 9]}. The lists of a [zip], or of each
// [[zip]], have equal lengths, and are paired: the grid has every combination of its other
// parameters with each place of these lists.
func Parse(studies Studies, name string, text []byte) (*Spec, error) {
	var document map[string]any
	if err := selector.DecodeTOML(text, &document); err != nil {
		return nil, fmt.Errorf("%s, %w", name, err)
	}
	p := parser{name: name, studies: studies, lines: linesOf(text)}
	if err := p.chooseStudy(document); err != nil {
		return nil, err
	}
	return p.spec(document)
}

// parser turns what the TOML library returns into a Spec.
type parser struct {
	name    string
	lines   map[string]int // of each key, as in "grid.toy.0"
	studies Studies
	study   *subject.Question
}

// chooseStudy takes the study out of the document, or the default if there is none.
func (p *parser) chooseStudy(document map[string]any) (err error) {
	const key = "study"
	name := any(defaultStudy)
	if given, there := document[key]; there {
		name = given
		delete(document, key)
	}
	text, ok := name.(string)
	if !ok {
		return errs.New("%s: the study is %s; write its name in quotes, as in study = \"%s\"", p.describePath(key),
			selector.Cut(fmt.Sprint(name)), defaultStudy)
	}
	p.study, err = studyNamed(p.studies, text)
	if err != nil {
		return fmt.Errorf("%s: %w", p.describePath(key), err)
	}
	return nil
}

func (p parser) describePath(path string) string {
	if n, ok := p.lines[path]; ok {
		return fmt.Sprintf("%s, line %d", p.name, n)
	}
	return p.name
}

func (p parser) spec(document map[string]any) (*Spec, error) {
	s := &Spec{name: p.name, studies: p.studies, study: p.study}
	grid := draft{p.name, nil}
	there := false
	var zips []draft
	for _, key := range slices.Sorted(maps.Keys(document)) {
		v := document[key]
		tables, isList := v.([]any)
		table, isTable := v.(map[string]any)
		var err error
		switch {
		case key == "grid" && isTable:
			grid, err = p.draft(key, table)
			there = true
		case key == "zip" && (isTable || isList):
			zips, err = p.zips(v, tables)
		case key == "case" && isList:
			err = p.cases(s, tables)
		case key == programHash:
			s.programs, err = p.programFiles(v)
		default:
			err = p.unknown(key, key)
		}
		if err != nil {
			return nil, err
		}
	}
	if !there && len(zips) == 0 && len(s.cases) == 0 {
		return nil, errs.New("%s has neither a [grid] nor a [[case]]; there is nothing to sweep", p.name)
	}
	if there || len(zips) > 0 {
		return s, s.combine(grid, zips)
	}
	return s, nil
}

// zips reads [zip], or each [[zip]] of several.
func (p parser) zips(v any, tables []any) (out []draft, err error) {
	if table, one := v.(map[string]any); one {
		d, err := p.draft("zip", table)
		return []draft{d}, err
	}
	for i, t := range tables {
		table, ok := t.(map[string]any)
		if !ok {
			return nil, p.unknown("zip", "zip")
		}
		d, err := p.draft(fmt.Sprintf("zip.%d", i), table)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// combine makes the grid of lists of which every combination is a cell and of lists that go side by
// side. It fails, before it takes memory for the values, if there are too many cells.
func (s *Spec) combine(grid draft, zips []draft) error {
	if err := s.countCells(grid, zips); err != nil {
		return err
	}
	var err error
	s.grid, err = grid.block()
	if err != nil {
		return err
	}
	for _, zip := range zips {
		if err := s.zip(zip); err != nil {
			return err
		}
	}
	return nil
}

// countCells fails if lists of the grid, with those that go side by side, make too many cells.
func (s *Spec) countCells(grid draft, zips []draft) error {
	lengths := map[string]int64{}
	for key := range grid.entries {
		lengths[key] = grid.countValues(key)
	}
	for _, zip := range zips {
		if n, key := zip.longest(); n > 0 {
			lengths[key] = n
		}
	}
	cells := int64(1)
	var parts []string
	for _, p := range s.study.Parameters {
		if n := lengths[p.Name]; n > 1 {
			cells = min(maxCells+1, cells*min(n, maxCells+1))
			parts = append(parts, fmt.Sprintf("%d values of %s", n, p.Name))
		}
	}
	if cells > maxCells {
		return errs.New("%s has more than %d cells (%s); make several sweeps of it", s.name, maxCells,
			strings.Join(parts, " times "))
	}
	return nil
}

// zip adds lists to the grid that go side by side.
func (s *Spec) zip(d draft) error {
	b, err := d.block()
	if err != nil {
		return err
	}
	var numbers []int
	first := ""
	for k, p := range s.study.Parameters {
		list := b.values[p.Name]
		if list == nil {
			continue
		}
		if other, there := s.grid.values[p.Name]; there {
			return errs.New("%s: %s is also at %s; give it once", list[0].place, p.Name, other[0].place)
		}
		if len(numbers) == 0 {
			first = p.Name
		}
		if n := len(b.values[first]); len(list) != n {
			return errs.New("%s: %s has %d values and %s has %d; zipped lists must be equally long",
				list[0].place, p.Name, len(list), first, n)
		}
		numbers = append(numbers, k)
	}
	if len(numbers) == 0 {
		return errs.New("%s: nothing is zipped; give lists for two parameters or more", d.place)
	}
	for _, k := range numbers {
		name := s.study.Parameters[k].Name
		s.grid.values[name] = b.values[name]
	}
	s.zips = append(s.zips, numbers)
	return nil
}

// noUntil is the error text that a sweep searches no sizes, with advice.
const noUntil = `a sweep identifies its cells by their parameters, including the size, so it cannot ` +
	`search for a size; ` +
	`use a loop, as in for k in metropolis heatbath; do breadboard tightness --kernel $k --until "J<0.01" ` +
	`--format csv; done, or give a grid of sizes, as T = {logspace = [10, 1e5, 9]}`

// unknown is the error for a key at the top that is neither [grid] nor [[case]].
func (p parser) unknown(path, key string) error {
	switch key {
	case "until":
		return fmt.Errorf("%s: %s", p.describePath(path), noUntil)
	case "zip":
		return errs.New("%s: zip is a table; write [zip], and below it lists of parameters that go side by side",
			p.describePath(path))
	case "grid":
		return errs.New("%s: grid is a table; write [grid], and the parameters below it", p.describePath(path))
	case "case":
		return fmt.Errorf("%s: write [[case]] with two brackets, and its parameters below it", p.describePath(path))
	}
	if _, known := subject.FindParameter(p.study.Parameters, key); known {
		return errs.New("%s: %s stands outside of any table; write [grid] or [[case]] above it",
			p.describePath(path), key)
	}
	return fmt.Errorf("%s: %w", p.describePath(path), selector.UnknownError("table",
		selector.Cut(key), []string{"study", programHash, "grid", "zip", "case"}))
}

func (p parser) cases(s *Spec, list []any) error {
	for i, v := range list {
		path := fmt.Sprintf("case.%d", i)
		table, ok := v.(map[string]any)
		if !ok {
			return p.unknown("case", "case")
		}
		d, err := p.draft(path, table)
		if err != nil {
			return err
		}
		for key, entries := range d.entries {
			if _, list := table[key].([]any); list || entries[0].count > 1 {
				return errs.New("%s: a case has a single value of %s; lists and ranges belong in [grid]",
					entries[0].place, key)
			}
		}
		b, err := d.block()
		if err != nil {
			return err
		}
		s.cases = append(s.cases, *b)
	}
	return nil
}

// unknownParameter is the error for a parameter that the study does not have.
func unknownParameter(studies Studies, study *subject.Question, key string) error {
	if key == "study" || key == programHash {
		return errs.New("%s is not a parameter; write it at the top of the file, above [grid] and [[case]]", key)
	}
	if key == "until" {
		return errors.New(noUntil)
	}
	err := selector.UnknownError("parameter", selector.Cut(key), subject.Names(study.Parameters))
	for _, other := range studies.List {
		if _, known := subject.FindParameter(other.Parameters, key); known {
			return errs.New("%w (of the study %s; the study %s has %s)", err, study.Name, other.Name, key)
		}
	}
	return fmt.Errorf("%w (of the study %s)", err, study.Name)
}

// textOf returns a value of the document as the text of a selector or the digits of a number.
func textOf(p subject.Parameter, v any) (string, error) {
	text, isText := v.(string)
	switch {
	case p.Number != nil && isText:
		if strings.Contains(text, "..") {
			return "", errs.New("%s is the text %q; write a range of numbers as in %s",
				p.Name, selector.Cut(text), spanForms)
		}
		return "", errs.New("%s is the text %q; write a number without quotes", p.Name, selector.Cut(text))
	case p.Number != nil:
		return numberText(p, v)
	case !isText:
		return "", errs.New("%s is %s; write a selector in quotes, as on the command line; a range is written %s",
			p.Name, selector.Cut(fmt.Sprint(v)), "random:2:{0..999}")
	case strings.TrimSpace(text) == "":
		return "", errs.New("%s is empty; give a selector, or leave it out for the default", p.Name)
	}
	text = strings.TrimSpace(text)
	if len(text) > maxSelector {
		return "", errs.New("%s is a selector of %d bytes; the limit is %d", p.Name, len(text), maxSelector)
	}
	if strings.ContainsFunc(text, unicode.IsControl) || !utf8.ValidString(text) {
		return "", errs.New(
			"%s %q has a line break or control character in it; write a path with backslashes in single quotes",
			p.Name,
			selector.Cut(text),
		)
	}
	return text, nil
}

// numberText returns a number of the document in decimal digits; 1e6 is a whole number too.
func numberText(p subject.Parameter, v any) (string, error) {
	switch v := v.(type) {
	case int64:
		return p.Text(float64(v))
	case float64:
		return p.Text(v)
	}
	return "", errs.New("%s is %s; it is %s", p.Name, selector.Cut(fmt.Sprint(v)), *p.Number)
}

// Set replaces one list of the grid by that of an assignment such as "T=10,100". Errors name the
// parameter and the place of the assignment, such as the flag --set. A value with a comma in it is
// quoted, as in 'toy="file:a,b.csv",easy'. Cases do not change.
func (s *Spec) Set(place, assignment string) error {
	key, list, ok := strings.Cut(assignment, "=")
	if !ok {
		return fmt.Errorf("%s %s: write PARAMETER=VALUE,..., as in %s T=10,100", place, selector.Cut(assignment), place)
	}
	example := place + " T=10,100"
	place += " " + selector.Cut(key)
	parameter, known := subject.FindParameter(s.study.Parameters, key)
	if !known {
		return fmt.Errorf("%s: %w", place, unknownParameter(s.studies, s.study, key))
	}
	if s.set[key] {
		return errs.New("%s: it is set twice; give a single list with all values, as in %s", place, example)
	}
	if s.grid == nil {
		return fmt.Errorf("%s: %s has no [grid] in which it could be set", place, s.name)
	}
	records, err := selector.ReadLists(list)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %q is not a list of values separated by commas: %w", place, selector.Cut(list), err)
	case len(records) == 0:
		return errs.New("%s: no value; write PARAMETER=VALUE,..., as in %s", place, example)
	case len(records) > 1:
		return errs.New("%s: %q has a line break in it; write all values on one line", place, selector.Cut(list))
	}
	var entries []entry
	for _, text := range records[0] {
		e, err := assigned(parameter, text)
		if err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		e.place = place
		entries = append(entries, e)
	}
	if n := (draft{entries: map[string][]entry{key: entries}}).countValues(key); n > maxCells {
		return errs.New("%s: there are more than %d values; make several sweeps of it", place, maxCells)
	}
	values, err := valuesOfEntries(entries)
	if err != nil {
		return err
	}
	if is, was := len(values), len(s.grid.values[key]); is != was &&
		slices.ContainsFunc(s.zips, func(zip []int) bool {
			return slices.ContainsFunc(zip, func(k int) bool { return s.study.Parameters[k].Name == key })
		}) {
		return errs.New("%s: there are %d values, but the lists with which %s is zipped have %d; give that many",
			place, is, key, was)
	}
	s.grid.values[key] = values
	if s.set == nil {
		s.set = map[string]bool{}
	}
	s.set[key] = true
	return nil
}

// assigned returns what an element of an assignment stands for. A number may be a range, too.
func assigned(p subject.Parameter, text string) (entry, error) {
	if p.Number == nil {
		return entryOf(p, text)
	}
	text = strings.TrimSpace(text)
	r, err := selector.ParseRanges(text)
	if err != nil {
		return entry{}, err
	}
	number := func(text string) (string, error) {
		v, err := selector.ParseNumber(selector.Cut(text))
		if err != nil {
			return "", err
		}
		return p.Text(v)
	}
	if _, err := number(r.SelectorAt(0)); err != nil {
		return entry{}, err
	}
	return entry{count: r.Count(), at: func(i int64) (string, error) { return number(r.SelectorAt(i)) }}, nil
}
