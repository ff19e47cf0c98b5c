package energies

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/grid"
)

// MaxFile is the largest number of bytes of a file. A file of MaxSites sites has few entries;
// larger files are read only so that the error can say how many sites they have.
const MaxFile = 16 << 20

// Parse reads an energy from the content of a file. Errors name the line. Numbers of sites and
// entries are compared with what is possible before anything is allocated.
func (f Format) Parse(data []byte) (*Energy, error) { return f.ParseUpTo(data, MaxSites) }

// ParseUpTo is Parse with another largest number of sites, for uses that do not enumerate the
// states.
func (f Format) ParseUpTo(data []byte, sites int) (*Energy, error) {
	r := &reader{Format: f, most: sites, number: map[string]int{}, lines: map[[2]int]int{}, scale: 1}
	if err := r.read(data); err != nil {
		return nil, err
	}
	return r.energy()
}

// entry is the weight of a site, or of a pair of two.
type entry struct {
	a, b   int
	weight float64
}

// reader reads a file: its entries from whatever form, and then the energy from them.
type reader struct {
	Format
	most    int
	names   []string       // of the sites, as they come
	number  map[string]int // the number of each
	entries []entry
	lines   map[[2]int]int // where each pair stands
	sums    bool           // whether i j and j i add up, as in the matrix that a dictionary lists
	offset  float64
	scale   float64 // what all is multiplied by
	said    *counts // what the first line says
	text    []byte
	listed  bool // whether a comment of dimod's says that entries are listed
}

// counts are the numbers of a header.
type counts struct{ line, first, sites, nodes, entries int }

// read finds out which form the file has.
func (r *reader) read(data []byte) error {
	if bytes.HasPrefix(data, []byte("\x93NUMPY")) && (r.form == matrix || r.form == cut) {
		return r.array(data)
	}
	data, err := selector.PlainText(data)
	if err != nil {
		return err
	}
	if advice := selector.DIMACSAdvice(string(data)); advice != "" {
		return errors.New(advice)
	}
	begin := bytes.TrimSpace(printed.ReplaceAll(data, []byte("$1")))
	if edgeList.Match(begin) {
		begin = r.edges(begin)
	}
	if r.form != counted && bytes.HasPrefix(begin, []byte("{")) {
		r.sums = r.form != cut
		return r.object(begin)
	}
	if problemLine.Match(data) {
		data = problemComment.ReplaceAll(data, []byte("#"))
	}
	if data, err = r.header(edgeData.ReplaceAllFunc(data, edgeWeight)); err != nil {
		return err
	}
	if at := decimalComma.FindIndex(data); at != nil {
		found := string(bytes.TrimSpace(data[at[0]:at[1]]))
		return fmt.Errorf("line %d: %q has a decimal comma; write %s", 1+bytes.Count(data[:at[0]], []byte("\n")), found, strings.ReplaceAll(found, ",", "."))
	}
	r.text = data
	if r.form == cut { // a list of edges has no header, unless it is known
		t, err := tables.Parse(data, maxCells, tables.Never)
		if err == nil && !headed(t.Rows[0]) {
			return r.table(t)
		}
	}
	t, err := tables.Parse(data, maxCells, tables.BySight)
	if err != nil {
		return err
	}
	return r.table(t)
}

// headed reports whether the first line of a list of edges names its columns.
func headed(first []string) bool {
	return grid.Headed(first) || len(first) != 2 && !tables.Number(first[len(first)-1])
}

// maxCells is the largest number of cells: those of a matrix of the most sites.
const maxCells = (ManySites + 1) * (ManySites + 1)

// The first two lines behind comments, the header of qbsolv, its comments, a weight with a decimal
// comma, and what networkx writes behind an edge.
var (
	firstLines     = regexp.MustCompile(`\A((?:[ \t]*(?:#.*|%.*|//.*|\r)?\n)*)(.*)\n?(.*)`)
	decimalComma   = regexp.MustCompile(`(?m)^[ \t]*[^\s,]+[ \t]+[^\s,]+[ \t]+[-+]?\d*,\d+[ \t\r]*$`)
	problemLine    = regexp.MustCompile(`(?m)^p[ \t]+qubo\b`)
	problemComment = regexp.MustCompile(`(?m)^c([ \t].*)?$`)
	edgeData       = regexp.MustCompile(`(?m)[ \t]+\{[^{}\n]*\}[ \t\r]*$`)
	edgeList       = regexp.MustCompile(`(?s)^\[\s*\(.*\]$`)
	edgeNumber     = regexp.MustCompile(`^\s*\{['"]weight['"]: *([^ ,{}]+)\}\s*$`)
)

// edgeWeight returns the weight among what networkx writes behind an edge, and other data as they
// are, to be refused.
func edgeWeight(data []byte) []byte {
	if found := edgeNumber.FindSubmatch(data); found != nil {
		return append([]byte(" "), found[1]...)
	}
	if string(bytes.TrimSpace(data)) == "{}" {
		return nil
	}
	return data
}

// header reads the line of counts, if there is one, and makes it a comment.
func (r *reader) header(data []byte) ([]byte, error) {
	at := firstLines.FindSubmatchIndex(data)
	begin, first := at[3], strings.TrimSpace(string(data[at[4]:at[5]]))
	numbers, behind := strings.Fields(first), len(bytes.Fields(data[at[6]:at[7]]))
	line := 1 + bytes.Count(data[:begin], []byte("\n"))
	form, problem := "n m, the numbers of sites and of entries", r.form == matrix && strings.HasPrefix(first, "p ")
	if problem {
		form, numbers = "p qubo 0 MAXNODES NODES COUPLERS", numbers[min(3, len(numbers)):]
	}
	var n [3]int
	all := len(numbers) > 0 && len(numbers) < 4
	for i := 0; all && i < len(numbers); i++ {
		n[i], _ = strconv.Atoi(numbers[i])
		all = whole(numbers[i])
	}
	switch count := len(numbers); {
	case problem && all && count == 3:
		r.said = &counts{line, 0, n[0], n[1], n[1] + n[2]}
		return slices.Concat(data[:begin], []byte("#"), data[begin:]), nil
	case problem, r.form == counted && !(all && count == 2):
		return nil, fmt.Errorf("line %d: expected %s, found %q", line, form, selector.Cut(first))
	case r.form == counted, r.form == cut && all && count == 2 && behind > 2, r.form == matrix && all && count == 1 && n[0] == behind && behind > 1:
	case all && count == 2 && behind == 3:
		return nil, fmt.Errorf("line %d: %q are two counts, as in a graph of the G-set; write maxcut:PATH for the cut, rudy:PATH:J for spins, and bq:PATH for a QUBO of Biq Mac",
			line, first)
	default:
		return data, nil
	}
	r.said = &counts{line, len(numbers) - 1, n[0], -1, n[1]}
	if err := r.enough(n[0]); err != nil {
		return nil, fmt.Errorf("line %d: %w", line, err)
	}
	for i := range n[0] {
		if _, err := r.site(strconv.Itoa(i + r.said.first)); err != nil {
			return nil, err
		}
	}
	return slices.Concat(data[:begin], []byte("#"), data[begin:]), nil
}

func whole(word string) bool {
	_, err := strconv.ParseUint(word, 10, 30)
	return err == nil
}

// enough fails if there may not be that many sites.
func (r *reader) enough(sites int) error {
	switch {
	case sites == 0:
		return errors.New("there are no sites; give one or more")
	case sites <= r.most:
		return nil
	case r.most > MaxSites:
		return fmt.Errorf("%d sites: %d are read where no states are enumerated; take a part of the problem", sites, r.most)
	}
	return fmt.Errorf("%d sites: %w; take a part of the problem", sites, grid.FitsPower(2, float64(sites)))
}

// site returns the number of a site of a name, which is a whole number or a word.
func (r *reader) site(name string) (int, error) {
	if v, err := strconv.Atoi(name); err == nil && whole(name) {
		name = strconv.Itoa(v)
		if s := r.said; s != nil && (v < s.first || v >= s.first+s.sites) {
			return 0, fmt.Errorf("site %d; the sites are numbered from %d to %d", v, s.first, s.first+s.sites-1)
		}
	} else if digits := strings.TrimLeft(name, "+-.\u2212"); r.said != nil || tables.Number(name) || strings.ContainsAny(name, "{}") ||
		digits != "" && digits[0] >= '0' && digits[0] <= '9' {
		return 0, fmt.Errorf("%q is no number of a site; these are whole numbers from 0", selector.Cut(name))
	} else if err := grid.CheckLabel(name); err != nil {
		return 0, err
	}
	n, known := r.number[name]
	if known {
		return n, nil
	}
	r.number[name], r.names = len(r.names), append(r.names, name)
	return r.number[name], r.enough(len(r.names))
}

// add adds an entry of two sites.
func (r *reader) add(line int, a, b string, weight float64) error {
	first, err := r.site(a)
	second, other := r.site(b)
	if err = cmp.Or(err, other); err != nil {
		return err
	}
	if first == second && !r.fields {
		return fmt.Errorf("site %s is joined to itself, which %s has no meaning for; take the line out", r.names[first], r.What)
	}
	before, double := r.lines[[2]int{first, second}]
	if !double && !r.sums {
		before, double = r.lines[[2]int{second, first}]
	}
	if double {
		return fmt.Errorf("sites %s and %s have an entry in line %d already; give each pair one, with the sum of both where both count", r.names[first],
			r.names[second], before)
	}
	r.lines[[2]int{first, second}] = line
	r.entries = append(r.entries, entry{first, second, weight})
	return nil
}

// energy returns what has been read. Sites that are numbered stand in the order of their numbers.
func (r *reader) energy() (*Energy, error) {
	if len(r.names) == 0 {
		return nil, errors.New("the file has no entries; give lines of two sites and a weight")
	}
	names := slices.Clone(r.names)
	if !slices.ContainsFunc(names, func(name string) bool { return !whole(name) }) {
		slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	}
	for i, name := range names {
		r.number[name] = i
	}
	e := newEnergy(names, r.spins)
	e.Offset = r.offset*r.scale + 0
	for _, at := range r.entries {
		a, b := r.number[r.names[at.a]], r.number[r.names[at.b]]
		switch weight := at.weight * r.scale; {
		case a == b:
			e.Fields[a] += weight
		case r.form == cut: // w of two sites that differ is w (x + x' - 2 x x')
			e.Fields[a], e.Fields[b], weight = e.Fields[a]+weight, e.Fields[b]+weight, -2*weight
			e.Pairs[max(a, b)][min(a, b)] += weight
		default:
			e.Pairs[max(a, b)][min(a, b)] += r.pair * weight
		}
	}
	return e, nil
}

// table reads the rows of a matrix, or of a list of entries.
func (r *reader) table(t *tables.Table) error {
	for _, remark := range t.Remarks {
		if err := r.remark(remark); err != nil {
			return err
		}
	}
	place, listing := r.columns(t)
	if r.form == matrix && t.Names == nil && len(t.Rows) == 4 && tables.Numbered(t.Rows[0]) {
		return fmt.Errorf("line %d may number the columns of a matrix, or be the first of a list; write i,j,weight above a list, and leave this line out of a matrix", t.Line(0))
	}
	m := *t
	if m.Rows = slices.Clone(t.Rows); t.Width() != 3 || len(t.Rows) != 2 { // which is a list
		m.Square()
	}
	if (r.form == matrix && !r.listed || r.form == cut) && m.Width() == len(m.Rows) && (r.said == nil || r.said.entries == 0) &&
		!(listing != nil && t.Index == nil && slices.ContainsFunc(t.Names, weighs)) {
		list, dense := r.again(), r.again()
		lists := listing == nil && list.list(t, place) == nil
		numbers, square := numbersOf(&m)
		if square == nil {
			square = dense.square(&m, numbers)
		}
		switch {
		case lists && r.form == matrix && t.Names == nil && square == nil:
			return errors.New("the three rows of three numbers may be a matrix, or a list of two sites and a weight; write i,j,weight above a list, or 0,1,2 above a matrix")
		case !lists && (listing != nil || square == nil):
			*r = dense
			return square
		}
	}
	if listing != nil {
		return listing
	}
	if place[2] < 0 && t.Names == nil && r.countsFirst(t) {
		return fmt.Errorf("line %d may count the sites and the edges, or be an edge; put # in front of counts, and a weight behind each edge otherwise", t.Line(0))
	}
	return r.list(t, place)
}

// again returns a reader of the same file that has read nothing.
func (r *reader) again() reader {
	again := *r
	again.names, again.entries, again.number, again.lines = nil, nil, map[string]int{}, map[[2]int]int{}
	return again
}

// countsFirst reports whether the first row of a list of edges may count the sites and the edges.
func (r *reader) countsFirst(t *tables.Table) bool {
	n, _ := strconv.Atoi(t.Rows[0][0])
	return t.Rows[0][1] == strconv.Itoa(len(t.Rows)-1) && !slices.ContainsFunc(t.Rows[1:], func(row []string) bool {
		return slices.ContainsFunc(row, func(cell string) bool { v, err := strconv.Atoi(cell); return err != nil || v < 1 || v > n })
	})
}

// list reads rows of two sites and a weight.
func (r *reader) list(t *tables.Table, place [3]int) error {
	sites := 0
	for i, row := range t.Rows {
		weight, err := 1.0, error(nil)
		if place[2] >= 0 {
			if weight, err = tables.Floats(row[place[2]]); err != nil {
				return t.Wrong(i, place[2], fmt.Errorf("the weight: %w", err))
			}
		}
		if err := r.add(t.Line(i), row[place[0]], row[place[1]], weight); err != nil {
			return fmt.Errorf("line %d: %w", t.Line(i), err)
		}
		if row[place[0]] == row[place[1]] {
			sites++
		}
	}
	if s := r.said; s != nil && (s.entries != len(t.Rows) || s.nodes >= 0 && s.nodes != sites) {
		what := selector.Count(len(t.Rows), "entry")
		if s.nodes >= 0 {
			what = fmt.Sprintf("%s of sites and %d of pairs", selector.Count(sites, "entry"), len(t.Rows)-sites)
		}
		return fmt.Errorf("the file has %s, and line %d says %d; is it cut off, or the number wrong?", what, s.line, s.entries)
	}
	return nil
}

// columns returns where a list has its two sites and its weight, which is -1 if it has none.
func (r *reader) columns(t *tables.Table) (place [3]int, err error) {
	width := t.Width()
	switch {
	case width == 2 && r.form == cut:
		return [3]int{0, 1, -1}, nil
	case width < 3, width > 3 && t.Names == nil:
		line := bytes.Split(r.text, []byte("\n"))[t.Line(0)-1]
		return place, fmt.Errorf("line %d: expected two sites and a weight, or a matrix of as many rows as columns, found %q", t.Line(0),
			selector.Cut(string(bytes.TrimSpace(line))))
	case t.Names == nil:
		return [3]int{0, 1, 2}, nil
	}
	for i, name := range t.Names {
		if width == 3 && weighs(name) {
			return [3]int{(i + 1) % 3, (i + 2) % 3, i}, nil
		}
	}
	return place, fmt.Errorf("the columns are named %s; keep two of sites and one of weights, called weight", selector.Listed(t.Names))
}

// weighs reports whether programs call the weight of a pair so.
func weighs(name string) bool {
	return slices.Contains([]string{"weight", "weights", "w", "value", "val", "q", "bias", "coeff", "coefficient", "coupling"}, strings.ToLower(name)) || name == "J"
}

// remark reads a comment of dimod's that says what the values of the sites are, or which constant
// the energy has.
func (r *reader) remark(text string) (err error) {
	what, value, _ := strings.Cut(text, "=")
	switch what, value = strings.TrimSpace(what), strings.TrimSpace(value); {
	case r.form == counted || r.form == cut:
	case what == "vartype":
		r.listed = true
		return r.valued(value)
	case what == "offset":
		if r.offset, err = selector.ParseNumber(value); err != nil {
			return fmt.Errorf("the offset: %w", err)
		}
	}
	return nil
}

// valued notes what the values of the sites are.
func (r *reader) valued(kind string) error {
	switch strings.ToUpper(kind) {
	case "SPIN":
		r.spins = true
	case "BINARY", "BOOLEAN":
		r.spins = false
	default:
		return fmt.Errorf("vartype %q is unknown; write SPIN or BINARY, as in # vartype=SPIN", selector.Cut(kind))
	}
	return nil
}

// numbersOf returns the numbers of all cells, row after row.
func numbersOf(t *tables.Table) (numbers []float64, err error) {
	for i, row := range t.Rows {
		for j, cell := range row {
			v, err := tables.Floats(cell)
			if err != nil {
				return nil, t.Wrong(i, j, err)
			}
			numbers = append(numbers, v)
		}
	}
	return numbers, nil
}

// square reads a matrix Q of numbers, whose rows and columns may have names.
func (r *reader) square(t *tables.Table, numbers []float64) error {
	names := t.Names
	if names == nil {
		names = t.Index
	}
	if t.Index != nil && !slices.Equal(names, t.Index) {
		return errors.New("the rows and the columns have other names, or another order; give both the same")
	}
	return r.dense(names, len(t.Rows), numbers)
}

// dense reads a matrix Q, of which the energy is x'Qx.
func (r *reader) dense(names []string, n int, numbers []float64) error {
	if err := r.enough(n); err != nil {
		return err
	}
	if r.form == cut {
		if err := halve(n, numbers); err != nil {
			return err
		}
	}
	r.sums, r.said = true, nil
	for i := len(names); i < n; i++ {
		names = append(names, strconv.Itoa(i))
	}
	for _, name := range names {
		if _, err := r.site(name); err != nil {
			return err
		}
	}
	for k, v := range numbers {
		if v != 0 {
			if err := r.add(k/n+1, names[k/n], names[k%n], v); err != nil {
				return err
			}
		}
	}
	return nil
}

// halve sets one triangle of a symmetric matrix to zero, and fails if neither is zero in another.
func halve(n int, numbers []float64) error {
	differ, below, above := false, false, false
	for i := range n {
		for j := range i {
			low, up := numbers[i*n+j], numbers[j*n+i]
			differ, below, above = differ || low != up, below || low != 0, above || up != 0
		}
	}
	if differ && below && above {
		return errors.New("the matrix is neither symmetric nor triangular, as that of a graph is")
	}
	for i := range n {
		if !differ {
			clear(numbers[i*n : i*n+i])
		}
	}
	return nil
}

// array reads a matrix of NumPy's.
func (r *reader) array(data []byte) error {
	a, err := numpy.Parse(data)
	if err != nil {
		return err
	}
	numbers, err := a.Floats()
	switch {
	case err != nil:
		return err
	case len(a.Shape) != 2 || a.Shape[0] != a.Shape[1]:
		return fmt.Errorf("the array has the shape %s; save a matrix of as many rows as columns", numpy.ShapeText(a.Shape))
	}
	for i, v := range numbers {
		if v-v != 0 {
			return fmt.Errorf("index %d, %d: %v is no weight", i/a.Shape[0], i%a.Shape[0], v)
		}
	}
	return r.dense(nil, a.Shape[0], numbers)
}
