package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/chains/tables"
)

// Draws are the values of named variables along the chains of one run, from one or more files.
type Draws struct {
	Names   []string      // of the variables, in the order of the first file
	Values  [][][]float64 // by variable, chain and draw; all chains have the same length
	Sources []string      // the file of each chain
	Notes   []string      // what was omitted from which file, and which run was aborted
	// NotFinite gives for each variable the place of its first missing or infinite draws; empty if
	// there are none. Such draws are among the values, as NaN or an infinity.
	NotFinite []string
	// Weights are those of draws that are not a Markov chain, by chain; nil for chains.
	Weights [][]float64
}

// DrawsOptions are the options of ReadDraws.
type DrawsOptions struct {
	TableOptions
	Most   int             // the most numbers in all files
	Stdin  io.Reader       // the content of the file -
	Warmup Warmup          // the omitted beginning of each chain
	Used   map[string]bool // see Reading
	// The following may be nil. Own reports whether a column is a variable, even if its name has
	// another role.
	Own func(name string) bool
	// Meant returns the name that a column or the text that a cell stands for.
	Meant func(text string) string
	// Domain returns a function from the cells of a variable to numbers, and nil if it may have any
	// number.
	Domain func(name string) func(cell string) (float64, error)
}

// Stdin is the path of standard input.
const Stdin = "-"

// ReadDraws reads the draws of one run: a file is a chain, unless it has a column that tells chains
// apart. A table has a column for each variable, or a row for each draw and variable, which the
// columns of the roles name and value say. An array of .npy holds one variable with the name of the
// file, and one of .npz the variable of its key, in the shape (chains, draws, ...) or (draws,), or
// as Shape says. Errors in files are an *Error.
func ReadDraws(ctx context.Context, paths []string, o DrawsOptions) (*Draws, error) {
	o.Chains = true
	r := &drawsReader{DrawsOptions: o, places: map[string]int{}}
	for i, path := range paths {
		if slices.Contains(paths[:i], path) {
			return nil, wrong("the file twice", "give every chain once").withPlace(path, -1, 0)
		}
		if err := r.file(ctx, path); err != nil {
			return nil, err
		}
	}
	return r.done()
}

// drawsReader is what has been read so far.
type drawsReader struct {
	DrawsOptions
	variables []string
	places    map[string]int                       // of the variables among them
	domains   []func(cell string) (float64, error) // by variable, nil if any number is allowed
	// by variable, what cells of a domain have been found to stand for
	known   []map[string]float64
	chains  []*drawnChain
	numbers int // how many have been read
	notes   []string
	weighed bool
}

// drawnChain is a chain that is being read.
type drawnChain struct {
	source    string
	values    [][]float64 // by variable
	weights   []float64   // of the draws, if they have any
	numbers   []float64   // of the draws, if they have any and a column tells chains apart
	shuffled  bool        // whether the numbers do not rise
	notFinite []string    // by variable, where the first such draw stands
	more      []int       // by variable, how many such draws follow
}

// drawsTable is a file that is being read.
type drawsTable struct {
	*Table
	*drawsReader
	columns  *Columns
	variable []int // by column, the place among the names of the variables; -1 of other columns
	name     int   // the column of the name of the variable; -1 if each has a column
	value    int
	chains   map[string]*drawnChain
}

func (r *drawsReader) file(ctx context.Context, path string) error {
	var t *Table
	var err error
	if path == Stdin && r.Stdin != nil {
		t, err = StreamTable(ctx, "standard input", r.Stdin, r.TableOptions)
	} else {
		t, err = OpenTable(ctx, path, r.TableOptions)
	}
	if err != nil {
		return err
	}
	defer t.Close()
	if r.Meant != nil {
		for i, name := range t.names {
			t.names[i] = r.Meant(name)
		}
	}
	table := &drawsTable{Table: t, drawsReader: r, chains: map[string]*drawnChain{}}
	if err := table.assign(); err != nil {
		return err
	}
	for {
		cells, err := t.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := table.row(cells); err != nil {
			return err
		}
	}
	r.notes = append(r.notes, t.Notes()...)
	if err := table.order(); err != nil {
		return err
	}
	return table.askForChains()
}

// assign finds which column is which variable, which are those of the first file.
func (t *drawsTable) assign() error {
	takes := []tables.Role{tables.Variable, tables.Chain, tables.Iteration, tables.Draw, tables.Warmup,
		tables.Weight, tables.LogWeight, tables.Name, tables.Value}
	c, err := t.Columns(
		Reading{Given: t.Roles, Own: t.Own, Takes: takes, Others: tables.Variable, Used: t.Used})
	if err != nil {
		return err
	}
	t.columns = c
	t.name, t.value = c.Find(tables.Name), c.Find(tables.Value)
	if t.name < 0 || t.value < 0 { // which are so only beside each other
		for _, at := range []int{t.name, t.value} {
			if at >= 0 {
				c.Roles[at] = tables.Variable
			}
		}
		t.name, t.value = -1, -1
	}
	var names []string
	places := map[string]int{} // of the names
	for i, role := range c.Roles {
		place := -1
		if role == tables.Variable {
			if _, twice := places[c.Names[i]]; twice {
				return t.WrongColumns("two columns "+listed(c.Names[i:i+1]), "keep one of them")
			}
			place = len(names)
			places[c.Names[i]] = place
			names = append(names, c.Names[i])
		}
		t.variable = append(t.variable, place)
	}
	if t.name >= 0 {
		if len(names) > 0 || t.columns.Weight >= 0 {
			return t.WrongColumns(
				fmt.Sprintf("columns %s and %s beside others", c.Names[t.name], c.Names[t.value]),
				"write a row for each draw and variable with the columns chain, draw, variable and value; {column} NAME=none leaves a column out")
		}
		return nil
	}
	if len(names) == 0 {
		return t.WrongColumns("no column of a variable", "write one for each variable")
	}
	t.drawsReader.weighed = t.drawsReader.weighed || t.columns.Weight >= 0
	return t.match(names, places)
}

// match gives the columns the places that their variables have in the first file. It fails if the
// files have not the same variables.
func (t *drawsTable) match(names []string, places map[string]int) error {
	r := t.drawsReader
	if len(r.chains) == 0 {
		for _, name := range names {
			r.variable(name)
		}
		return nil
	}
	for i, v := range t.variable {
		if v < 0 {
			continue
		}
		place, there := r.places[names[v]]
		t.variable[i] = place
		if !there {
			return t.WrongColumns("the column "+listed(names[v:v+1])+", which "+r.chains[0].source+
				" does not have", "give chains of one model")
		}
	}
	for _, name := range r.variables {
		if _, there := places[name]; !there {
			return t.WrongColumns(
				"no column "+name+", which "+r.chains[0].source+" has", "give chains of one model")
		}
	}
	return nil
}

// variable adds a variable.
func (r *drawsReader) variable(name string) {
	var domain func(cell string) (float64, error)
	if r.Domain != nil {
		domain = r.Domain(name)
	}
	r.places[name] = len(r.variables)
	r.variables = append(r.variables, name)
	r.domains = append(r.domains, domain)
	r.known = append(r.known, map[string]float64{})
}

// row puts the cells of a row into their chain.
func (t *drawsTable) row(cells []Cell) error {
	key := "" // of the chain
	if t.columns.Chain >= 0 {
		key = string(cells[t.columns.Chain].Text())
	}
	chain := t.chains[key]
	if chain == nil {
		if len(t.chains) == maxChains {
			return t.Wrong(t.names[t.columns.Chain], fmt.Sprintf("more than %d chains", maxChains),
				"write the number of its chain in every row")
		}
		chain = &drawnChain{source: t.Table.name}
		if t.columns.Chain >= 0 {
			chain.source += ", chain " + key
		}
		t.chains[key] = chain
		t.drawsReader.chains = append(t.drawsReader.chains, chain)
	}
	chain.grow(len(t.variables))
	if t.name >= 0 {
		return t.longRow(chain, key, cells)
	}
	if err := t.number(chain, cells); err != nil {
		return err
	}
	if t.columns.Weight >= 0 {
		w, ok := cells[t.columns.Weight].Number()
		if t.columns.Roles[t.columns.Weight] == tables.LogWeight {
			w = math.Exp(w)
		}
		if !ok || !(w >= 0) || math.IsInf(w, 1) {
			return t.Wrong(t.names[t.columns.Weight], cells[t.columns.Weight].Found(),
				"write a weight of 0 or more, or {column} %s=variable", t.names[t.columns.Weight])
		}
		chain.weights = append(chain.weights, w)
	}
	for i, cell := range cells {
		if v := t.variable[i]; v >= 0 {
			if err := t.put(chain, v, cell); err != nil {
				return err
			}
		}
	}
	return nil
}

// number adds the number of a draw. It fails if it does not rise and no column tells chains apart,
// or if it comes again behind numbers that rise.
func (t *drawsTable) number(c *drawnChain, cells []Cell) error {
	if t.columns.Number < 0 || t.columns.Chain < 0 {
		return t.CheckNumber(cells, "")
	}
	v, ok := cells[t.columns.Number].Number()
	before := 0.0
	if n := len(c.numbers); n > 0 {
		before = c.numbers[n-1]
		_, again := slices.BinarySearch(c.numbers, v)
		ok = ok && (c.shuffled || !again)
		c.shuffled = c.shuffled || v <= before
	}
	if !ok || v != v {
		return t.wrongNumber(cells, before)
	}
	c.numbers = append(c.numbers, v)
	return nil
}

// order puts the draws of each chain in the order of their numbers. It fails if one comes twice.
func (t *drawsTable) order() error {
	shuffled := false
	for _, c := range t.chains {
		if !c.shuffled {
			continue
		}
		shuffled = true
		rows := make([]int, len(c.numbers))
		for i := range rows {
			rows[i] = i
		}
		slices.SortFunc(rows, func(i, j int) int { return cmp.Compare(c.numbers[i], c.numbers[j]) })
		for _, list := range append(slices.Clone(c.values), c.numbers, c.weights) {
			was := slices.Clone(list)
			for i := range list {
				list[i] = was[rows[i]]
			}
		}
		for i, v := range c.numbers[1:] {
			if name := t.names[t.columns.Number]; v == c.numbers[i] {
				return wrong(fmt.Sprintf("%v in two rows", v),
					"number the draws of each chain, one row a draw").in(name).withPlace(c.source, -1, 0)
			}
		}
	}
	if shuffled {
		t.drawsReader.notes = append(t.drawsReader.notes,
			t.Table.name+": the draws of each chain are in the order of "+t.names[t.columns.Number])
	}
	return nil
}

// longRow puts the value of one variable into a chain.
func (t *drawsTable) longRow(chain *drawnChain, key string, cells []Cell) error {
	name := string(cells[t.name].Text())
	if err := t.CheckNumber(cells, key+"\x00"+name); err != nil {
		return err
	}
	v, there := t.places[name]
	if !there {
		if len(t.variables) == maxWidth {
			return t.Wrong(
				t.names[t.name], fmt.Sprintf("more than %d variables", maxWidth), "is it the right column?")
		}
		v = len(t.variables)
		t.drawsReader.variable(name)
		chain.grow(v + 1)
	}
	return t.put(chain, v, cells[t.value])
}

// grow makes room for that many variables.
func (c *drawnChain) grow(variables int) {
	for len(c.values) < variables {
		c.values = append(c.values, nil)
		c.notFinite = append(c.notFinite, "")
		c.more = append(c.more, 0)
	}
}

// put adds the number of a cell to a chain, and remembers where it stands if it is not finite.
func (t *drawsTable) put(c *drawnChain, variable int, cell Cell) error {
	r := t.drawsReader
	v, err := r.parse(variable, cell)
	if bad, is := errors.AsType[*fault](err); is {
		return t.WrongCell(r.variables[variable], bad.found, bad.want)
	}
	r.numbers++
	if r.numbers > r.Most {
		bad := tooMany(r.Most)
		return t.WrongCell("", bad.found, bad.want)
	}
	c.values[variable] = append(c.values[variable], v)
	switch {
	case v-v == 0:
	case c.notFinite[variable] == "":
		c.notFinite[variable] = fmt.Sprintf(
			"%s, column %s: %s", t.Place(), r.variables[variable], cell.Text())
	default:
		c.more[variable]++
	}
	return nil
}

// mostKnown is the most texts of a variable that are remembered with what they stand for.
const mostKnown = 1 << 12

// parse returns the number that a cell of a variable stands for.
func (r *drawsReader) parse(variable int, cell Cell) (float64, error) {
	if domain := r.domains[variable]; domain != nil {
		text := string(cell.Text())
		if v, known := r.known[variable][text]; known {
			return v, nil
		}
		v, err := domain(text)
		if err != nil && missing([]byte(text)) {
			return math.NaN(), nil
		}
		if err != nil {
			return 0, &fault{found: quoted([]byte(text)), want: err}
		}
		if len(r.known[variable]) < mostKnown {
			r.known[variable][text] = v
		}
		return v, nil
	}
	if r.Meant != nil && cell.numbers == nil {
		cell.text = []byte(r.Meant(string(cell.text)))
	}
	v, ok := cell.Number()
	if ok {
		return v, nil
	}
	bad := notNumber(cell.Text(), "write a number in every row")
	return 0, wrong(bad.found,
		"%w; {map} translates words, {column} %s=none leaves the column out, and {column} %[2]s=chain tells chains apart by it",
		bad.want,
		r.variables[variable])
}

// leastGrouped is the least number of rows of which a column can be seen to group them.
const leastGrouped = 8

// askForChains fails if no column tells the chains of a file apart, or none numbers their draws,
// and a variable of whole numbers may number the rows or chains: its role must be given.
func (t *drawsTable) askForChains() error {
	if t.columns.Chain >= 0 && t.columns.Number >= 0 || t.name >= 0 || t.isStan() || len(t.chains) == 0 {
		return nil
	}
	for i, v := range t.variable {
		if v < 0 || t.domains[v] != nil || t.Own != nil && t.Own(t.columns.Names[i]) ||
			t.Roles[t.columns.Names[i]] != "" {
			continue
		}
		all := true
		for _, c := range t.chains {
			all = all && groups(c.values[v])
		}
		if all {
			name := t.columns.Names[i]
			return t.WrongColumns("the column "+name+
				", whose whole numbers never fall, stand in runs or come again in the same order, and which may number chains or draws",
				"give {column} %[1]s=chain, {column} %[1]s=draw, or {column} %[1]s=variable",
				listed([]string{name}))
		}
	}
	return nil
}

// groups reports whether values are whole numbers that differ and never fall, of which each stands
// in one run of rows, or that repeat the same cycle.
func groups(values []float64) bool {
	if len(values) < leastGrouped ||
		slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) || v-v != 0 }) {
		return false
	}
	if slices.Max(values) == slices.Min(values) {
		return false
	}
	return slices.IsSorted(values) || inRuns(values) || 2*periodOf(values) <= len(values)
}

// inRuns reports whether each value stands in one run of rows, and two runs or more have several.
func inRuns(values []float64) bool {
	seen := map[float64]bool{}
	several := 0
	for i, v := range values {
		again := i > 0 && v == values[i-1]
		if seen[v] && !again {
			return false
		}
		if again && (i == 1 || v != values[i-2]) {
			several++
		}
		seen[v] = true
	}
	return several >= 2
}

// periodOf returns the smallest n with which values[i] is values[i-n] for all i from n on, by the
// longest proper prefix that ends at each place (Knuth, Morris and Pratt 1977). It takes linear
// time.
func periodOf(values []float64) int {
	border := make([]int, len(values))
	for i := 1; i < len(values); i++ {
		k := border[i-1]
		for k > 0 && values[i] != values[k] {
			k = border[k-1]
		}
		if values[i] == values[k] {
			k++
		}
		border[i] = k
	}
	return len(values) - border[len(values)-1]
}

// done returns what has been read, once all chains have been seen to have one length.
func (r *drawsReader) done() (*Draws, error) {
	if len(r.chains) == 0 {
		return nil, wrong("no draw behind the warm-up", "write the draws too").withPlace("all files", -1, 0)
	}
	for _, c := range r.chains {
		c.grow(len(r.variables))
		for v, values := range c.values {
			if len(values) != len(c.values[0]) {
				return nil, wrong(selector.Count(len(values), "draw"),
					"write as many draws of each variable as of %s, which has %d", r.variables[0],
					len(c.values[0])).
					in(r.variables[v]).withPlace(c.source, -1, 0)
			}
		}
		if r.weighed && c.weights == nil {
			return nil, wrong(
				"draws without weights beside others", "give all draws weights, or none").withPlace(
				c.source, -1, 0)
		}
	}
	if err := r.omitWarmup(); err != nil {
		return nil, err
	}
	r.level()
	d := &Draws{
		Names:     r.variables,
		Notes:     r.notes,
		NotFinite: make([]string, len(r.variables)),
		Values:    make([][][]float64, len(r.variables)),
	}
	more := make([]int, len(r.variables))
	for _, c := range r.chains {
		if r.weighed {
			d.Weights = append(d.Weights, c.weights)
		}
		d.Sources = append(d.Sources, c.source)
		for i := range r.variables {
			d.Values[i] = append(d.Values[i], c.values[i])
			more[i] += c.more[i]
			switch {
			case c.notFinite[i] == "":
			case d.NotFinite[i] == "":
				d.NotFinite[i] = c.notFinite[i]
			default:
				more[i]++
			}
		}
	}
	for i, n := range more {
		if n > 0 {
			d.NotFinite[i] += fmt.Sprintf(", and %d more", n)
		}
	}
	return d, nil
}

// level cuts chains to the length of the shortest.
func (r *drawsReader) level() {
	least, most := math.MaxInt, 0
	for _, c := range r.chains {
		least = min(least, len(c.values[0]))
		most = max(most, len(c.values[0]))
	}
	if least == most {
		return
	}
	for _, c := range r.chains {
		for i := range c.values {
			c.values[i] = c.values[i][:least]
		}
		c.weights = c.weights[:min(least, len(c.weights))]
	}
	r.notes = append(r.notes, fmt.Sprintf(
		"the chains have %d to %d draws; the last ones of longer chains are omitted, so that each has %d",
		least, most, least))
}

// Warmup is the omitted beginning of each chain. The zero value omits nothing.
type Warmup struct {
	Draws int
	Share float64 // of the draws of a chain, if not zero
}

// ParseWarmup reads a number of draws, such as 1000, or a share of them, such as 10%.
func ParseWarmup(text string) (w Warmup, err error) {
	if percent, is := strings.CutSuffix(text, "%"); is {
		v, err := selector.ParseNumber(percent)
		if err != nil || v < 0 || v >= 100 {
			return w, fmt.Errorf("%q is no share of a chain; write 0%% to below 100%%, as in 10%%", text)
		}
		return Warmup{Share: v / 100}, nil
	}
	if v, bad := selector.ParseNumber(text); bad == nil && v > 0 && v < 1 {
		return w, fmt.Errorf("%s of a draw; write a share of a chain as %v%%", text, 100*v)
	}
	w.Draws, err = selector.ParseWhole(text, 0, 1e12)
	return w, err
}

// omitWarmup leaves the beginning of each chain out.
func (r *drawsReader) omitWarmup() error {
	if r.Warmup == (Warmup{}) {
		return nil
	}
	if r.weighed {
		return wrong("weighted draws, which are no chain", "leave out {warmup}: only a chain has a warm-up").
			withPlace(r.chains[0].source, -1, 0)
	}
	least, most := math.MaxInt, 0
	for _, c := range r.chains {
		n := r.Warmup.Draws + int(r.Warmup.Share*float64(len(c.values[0])))
		if rows := len(c.values[0]); n >= rows {
			return wrong(selector.Count(rows, "draw"),
				"{warmup} counts draws and must leave some; give fewer, or a share as 10%%").withPlace(
				c.source, -1, 0)
		}
		for v := range c.values {
			c.values[v] = c.values[v][n:]
			if c.notFinite[v] != "" { // they may be among what is left out
				c.notFinite[v], c.more[v] = firstNotFinite(c.values[v], c.source, r.variables[v]), 0
			}
		}
		most = max(most, n)
		least = min(least, n)
	}
	count := selector.Count(most, "draw")
	if least < most {
		count = fmt.Sprintf("%d to %s", least, count)
	}
	r.notes = append(r.notes, fmt.Sprintf("the first %s of each chain omitted as its warm-up", count))
	return nil
}

// firstNotFinite says where the first draw stands that is missing or infinite; empty if there is
// none.
func firstNotFinite(values []float64, source, name string) string {
	for i, v := range values {
		if v-v != 0 {
			return fmt.Sprintf("%s, draw %d after the warm-up, column %s: %v", source, i+1, name, v)
		}
	}
	return ""
}
