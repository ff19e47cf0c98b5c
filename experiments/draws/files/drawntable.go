package files

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"breadboard/chains/tables"
)

// drawsTable is a file that is being read.
type drawsTable struct {
	*Table
	*drawsReader
	columns  *Columns
	variable []int // by column, the place among the names of the variables; -1 of other columns
	name     int   // the column of the name of the variable; -1 if each has a column
	value    int
	chains   map[string]*drawnChain
	last     drawnKey
}

// drawnKey is the chain of a row, which most have in common with the row before.
type drawnKey struct {
	number float64 // in a file of NumPy
	text   string
	chain  *drawnChain // nil before the first row
}

// assign finds which column is which variable, which are those of the first file.
func (t *drawsTable) assign() error {
	takes := []tables.Role{tables.Variable, tables.Chain, tables.Iteration, tables.Draw, tables.Warmup,
		tables.Weight, tables.LogWeight, tables.Name, tables.Value}
	c, err := t.Columns(Reading{Given: t.Roles, Own: t.Own, Takes: takes, Others: tables.Variable, Used: t.Used})
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
			return t.WrongColumns(fmt.Sprintf("columns %s and %s beside %s", c.Names[t.name], c.Names[t.value],
				listed(append(names, "a weight")[:max(len(names), 1)])),
				"write a row for each draw and variable with the columns chain, draw, variable and value; "+
					"{column} NAME=chain tells chains apart, and {column} NAME=none leaves a column out")
		}
		return nil
	}
	if len(names) == 0 {
		return t.WrongColumns("no column of a variable", "write one for each variable")
	}
	if err := t.checkNames(names); err != nil {
		return err
	}
	t.drawsReader.weighed = t.drawsReader.weighed || t.columns.Weight >= 0
	return t.match(names, places)
}

// chainName is how columns are called that each have a chain of one variable.
var chainName = regexp.MustCompile(`^chain\d+$`)

// checkNames refuses columns that are chains, or summaries of draws.
func (t *drawsTable) checkNames(names []string) error {
	plain := map[string]bool{}
	chains := 0
	for _, name := range names {
		name = strings.ReplaceAll(tables.PlainName(name), ":", "")
		plain[name] = true
		if chainName.MatchString(name) {
			chains++
		}
	}
	switch {
	case chains > 1 && chains == len(names):
		return t.WrongColumns("a column for each chain, "+listed(names), `write a row for each chain and draw, as in `+
			`pandas by d = pandas.read_csv(PATH, usecols=lambda name: "chain" in name.lower()); `+
			`d.rename_axis("draw").reset_index().melt("draw", var_name="chain", value_name="x").to_csv("draws.csv", `+
			`index=False)`)
	case plain["mean"] && (plain["sd"] || plain["stddev"]) && (plain["rhat"] || plain["essbulk"] || plain["neff"]):
		return t.WrongColumns("a table of summaries, "+listed(names), "write the draws themselves, a row for each")
	}
	return nil
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
			return t.WrongColumns("no column "+name+", which "+r.chains[0].source+" has", "give chains of one model")
		}
	}
	return nil
}

// chainOf returns the chain of a row, and its name in the file.
func (t *drawsTable) chainOf(cells []Cell) (*drawnChain, string, error) {
	key := &t.last
	if t.columns.Chain < 0 && key.chain != nil {
		return key.chain, "", nil
	}
	if t.columns.Chain >= 0 {
		cell := cells[t.columns.Chain]
		if cell.IsNumber() {
			before := key.number
			key.number = cell.numbers[0]
			if key.chain != nil && math.Float64bits(before) == math.Float64bits(key.number) {
				return key.chain, key.text, nil
			}
		}
		key.text = string(cell.Text())
	}
	key.chain = t.chains[key.text]
	if key.chain != nil {
		return key.chain, key.text, nil
	}
	if len(t.chains) == maxChains {
		return nil, "", t.Wrong(t.names[t.columns.Chain], fmt.Sprintf("more than %d chains", maxChains),
			"write the number of its chain in every row")
	}
	key.chain = &drawnChain{source: t.Table.name}
	if t.columns.Chain >= 0 {
		key.chain.source += ", chain " + key.text
	}
	if array, is := t.rows.(*memory); is {
		key.chain.expected = array.draws
	}
	t.chains[key.text] = key.chain
	t.drawsReader.chains = append(t.drawsReader.chains, key.chain)
	return key.chain, key.text, nil
}

// addRow puts the cells of a row into their chain.
func (t *drawsTable) addRow(cells []Cell) error {
	chain, key, err := t.chainOf(cells)
	if err != nil {
		return err
	}
	chain.grow(len(t.variables))
	if t.name >= 0 {
		return t.longRow(chain, key, cells)
	}
	if err := t.addNumber(chain, cells); err != nil {
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
			if err := t.addValue(chain, v, cell); err != nil {
				return err
			}
		}
	}
	return nil
}

// addNumber adds the number of a draw. It fails if it does not rise and no column tells chains
// apart, or if it comes again behind numbers that rise.
func (t *drawsTable) addNumber(c *drawnChain, cells []Cell) error {
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
			return t.Wrong(t.names[t.name], fmt.Sprintf("more than %d variables", maxWidth), "is it the right column?")
		}
		v = len(t.variables)
		t.drawsReader.variable(name)
		chain.grow(v + 1)
	}
	return t.addValue(chain, v, cells[t.value])
}

// grow makes room for that many variables.
func (c *drawnChain) grow(variables int) {
	for len(c.values) < variables {
		c.values = append(c.values, make([]float64, 0, c.expected))
		c.notFinite = append(c.notFinite, "")
		c.more = append(c.more, 0)
	}
}

// addValue adds the number of a cell to a chain, and remembers where it stands if it is not finite.
func (t *drawsTable) addValue(c *drawnChain, variable int, cell Cell) error {
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
		c.notFinite[variable] = fmt.Sprintf("%s, column %s: %s", t.Place(), r.variables[variable], cell.Text())
	default:
		c.more[variable]++
	}
	return nil
}

// mostKnown is the most texts of a variable that are remembered with what they stand for.
const mostKnown = 1 << 12

// listsInJSON says how to convert objects that have a list for each variable.
const listsInJSON = `write a row for each draw, in pandas: a list of chains, as of posteriordb, by ` +
	`pandas.concat([pandas.DataFrame(c).assign(chain=i) for i, c in enumerate(json.load(open(PATH)))])` +
	`.to_csv("draws.csv", index=False); a dictionary of chains of each variable by d = json.load(open(PATH)); ` +
	`pandas.concat([pandas.DataFrame({k: v[i] for k, v in d.items()}).assign(chain=i) for i in ` +
	`range(len(next(iter(d.values()))))]).to_csv("draws.csv", index=False)`

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
			return 0, &fault{found: Quoted([]byte(text)), want: err}
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
	if bytes.Count(cell.text, []byte{';'}) > 2 {
		return 0, wrong("a list of numbers", listsInJSON)
	}
	bad := notNumber(cell.Text(), "write a number in every row")
	names := ""
	if slices.Contains(r.variables, "value") {
		names = ", {column} %[2]s=name says which variable each value is of"
	}
	return 0, wrong(bad.found,
		"%w; {map} translates words"+names+", {column} %[2]s=none leaves the column out, and "+
			"{column} %[2]s=chain tells chains apart by it",
		bad.want,
		r.variables[variable])
}
