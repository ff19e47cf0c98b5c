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

	"breadboard/chains/errs"
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
	r := &reader{Format: f, most: sites, number: map[string]int{}, lines: map[[2]int]int{}}
	if err := r.detectForm(data); err != nil {
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
	sums    bool           // whether i j and j i add up, as in a matrix
	offset  float64
	said    *counts // what the first line says
	text    []byte
}

// counts are the numbers of a header.
type counts struct{ line, first, sites, nodes, entries int }

// detectForm finds out which form the file has.
func (r *reader) detectForm(data []byte) error {
	if bytes.HasPrefix(data, []byte("\x93NUMPY")) && (r.form == matrix || r.form == cut) {
		return r.array(data)
	}
	data, err := selector.PlainText(data)
	if err != nil {
		return err
	}
	if err := CheckList(data); err != nil {
		return err
	}
	if problemLine.Match(data) {
		data = problemComment.ReplaceAll(data, []byte("#"))
	}
	data, err = r.header(data)
	if err != nil {
		return err
	}
	r.text = data
	header := tables.BySight
	if r.form == cut { // a list of edges has no header, unless it is known
		header = tables.Never
	}
	t, err := tables.Parse(data, maxCells, header)
	if err == nil && r.form == cut {
		headed := false
		headed, err = heading(t.Rows)
		if err != nil {
			err = fmt.Errorf("line %d: %w", t.Line(0), err)
		} else if headed {
			t, err = tables.Parse(data, maxCells, tables.BySight)
		}
	}
	if err != nil {
		return err
	}
	return r.readEntries(t)
}

// CheckList refuses a text that is no list of edges or of entries, by how it begins.
func CheckList(data []byte) error {
	const python = "in Python, give the object itself, as in breadboard.network(breadboard.Energy(Q, " +
		"\"qubo\")); breadboard help files has more"
	begin := bytes.TrimSpace(data)
	switch {
	case bytes.HasPrefix(begin, []byte("{")), bytes.HasPrefix(begin, []byte("[")):
		return errors.New("it is a list or a dictionary of Python, or JSON, and no lines of two sites and a weight; " +
			python)
	case settings.Match(begin):
		return errors.New("it is a list of settings, a name and a value on each line; a list of edges has two sites " +
			"on each line")
	case printed.Match(begin):
		return errors.New("it is an object as Python prints it; " + python)
	case bytes.HasPrefix(begin, []byte("%%MatrixMarket")):
		return errs.New("line 1: it is a matrix of MatrixMarket; take out this line and that of the sizes, so that " +
			"each entry counts as it is written")
	}
	if advice := selector.DIMACSAdvice(string(data)); advice != "" {
		return errs.New("%s", advice)
	}
	return nil
}

// heading reports whether the first line of a list of edges names its columns.
func heading(rows [][]string) (bool, error) {
	first := rows[0]
	if last := first[len(first)-1]; len(first) != 2 && first[0] != "" {
		return !tables.IsNumber(last) && last != noData, nil
	}
	return grid.Heading(rows)
}

// noData is what networkx writes behind an edge without data.
const noData = "{}"

// maxCells is the largest number of cells of a list of entries.
const maxCells = 1 << 24

var (
	// the first two lines behind comments
	firstLines = regexp.MustCompile(`\A((?:[ \t]*(?:#.*|%.*|//.*|\r)?\n)*)(.*)\n?(.*)`)
	// the header of qbsolv
	problemLine = regexp.MustCompile(`(?m)^p[ \t]+qubo\b`)
	// and its comments
	problemComment = regexp.MustCompile(`(?m)^c([ \t].*)?$`)
	// as in defaultdict(<class 'float'>, {...})
	printed = regexp.MustCompile(`\A\w+\([\[{<(]`)
	// a name, an equals sign or a colon, and a value on each line
	settings = regexp.MustCompile(`\A([ \t]*[\w.-]+([ \t]*=[ \t]|[ \t]+=|:[ \t]).*\s*)+\z`)
)

// header reads the line of counts, if there is one, and makes it a comment.
func (r *reader) header(data []byte) ([]byte, error) {
	at := firstLines.FindSubmatchIndex(data)
	begin := at[3]
	first := strings.TrimSpace(string(data[at[4]:at[5]]))
	numbers := strings.Fields(first)
	behind := len(bytes.Fields(data[at[6]:at[7]]))
	line := 1 + bytes.Count(data[:begin], []byte("\n"))
	commented := func() []byte { return slices.Concat(data[:begin], []byte("#"), data[begin:]) }
	if r.form == matrix && strings.HasPrefix(first, "p ") {
		n, is := wholes(numbers[min(3, len(numbers)):])
		if !is || len(n) != 3 {
			return nil, fmt.Errorf("line %d: expected p qubo 0 MAXNODES NODES COUPLERS, found %q",
				line, selector.Cut(first))
		}
		r.said = &counts{line: line, sites: n[0], nodes: n[1], entries: n[1] + n[2]}
		return commented(), nil
	}
	n, is := wholes(numbers)
	switch counted := r.form == counted; {
	case counted && !(is && len(n) == 2):
		return nil, errs.New("line %d: expected n m, the numbers of sites and of entries, found %q; write them above "+
			"the entries; maxcut:PATH reads edges without them, and qubo:PATH entries",
			line, selector.Cut(first))
	case counted, r.form == cut && is && len(n) == 2 && behind > 2:
	case is && len(n) == 2 && behind == 3:
		return nil, errs.New(
			"line %d: %q are two counts, as in a graph of the G-set; write maxcut:PATH for the cut, "+
				"rudy:PATH:J for spins, and bq:PATH for a QUBO of Biq Mac",
			line,
			first,
		)
	case is && len(n) == 1 && behind > 1:
		return nil, errs.New("line %d: %q stands alone and is not an entry; take this line out, or put # in front of it",
			line, first)
	default:
		return data, nil
	}
	r.said = &counts{line: line, first: 1, sites: n[0], nodes: -1, entries: n[1]}
	if err := r.enough(n[0]); err != nil {
		return nil, fmt.Errorf("line %d: %w", line, err)
	}
	for i := range n[0] {
		if _, err := r.site(strconv.Itoa(i + 1)); err != nil {
			return nil, err
		}
	}
	return commented(), nil
}

// wholes returns words as whole numbers from 0, and whether all are.
func wholes(words []string) ([]int, bool) {
	numbers := make([]int, len(words))
	for i, word := range words {
		numbers[i], _ = strconv.Atoi(word)
		if !isWhole(word) {
			return nil, false
		}
	}
	return numbers, true
}

func isWhole(word string) bool {
	_, err := strconv.ParseUint(word, 10, 30)
	return err == nil
}

// enough fails if there may not be that many sites.
func (r *reader) enough(sites int) error {
	switch {
	case sites == 0:
		return errs.New("there are no sites; give one or more")
	case sites <= r.most:
		return nil
	case r.most > MaxSites:
		return errs.New("%d sites: %d are read where no states are enumerated; take a part of the problem",
			sites, r.most)
	}
	return errs.New("%d sites: %w; take a part of the problem", sites, grid.FitsPower(2, float64(sites)))
}

// site returns the number of a site of a name, which is a whole number or a word.
func (r *reader) site(name string) (int, error) {
	if v, err := strconv.Atoi(name); err == nil && isWhole(name) {
		name = strconv.Itoa(v)
		if s := r.said; s != nil && (v < s.first || v >= s.first+s.sites) {
			return 0, errs.New("site %d; the sites are numbered from %d to %d", v, s.first, s.first+s.sites-1)
		}
	} else if digits := strings.TrimLeft(name, "+-.\u2212"); r.said != nil || tables.IsNumber(name) ||
		strings.ContainsAny(name, "{}") ||
		digits != "" && digits[0] >= '0' && digits[0] <= '9' {
		return 0, errs.New("%q is not a number of a site; these are whole numbers from 0; a matrix is read from .npy",
			selector.Cut(name))
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

// addEntry adds an entry of two sites.
func (r *reader) addEntry(line int, a, b string, weight float64) error {
	first, err := r.site(a)
	second, other := r.site(b)
	err = cmp.Or(err, other)
	if err != nil {
		return err
	}
	if first == second && !r.fields {
		return errs.New("site %s is joined to itself, which %s has no meaning for; take the line out",
			r.names[first], r.What)
	}
	before, double := r.lines[[2]int{first, second}]
	if !double && !r.sums {
		before, double = r.lines[[2]int{second, first}]
	}
	if double {
		return errs.New("sites %s and %s have an entry in line %d already; give each pair one, with the sum of both "+
			"where both count",
			r.names[first],
			r.names[second], before)
	}
	r.lines[[2]int{first, second}] = line
	r.entries = append(r.entries, entry{first, second, weight})
	return nil
}

// energy returns what has been read. Sites that are numbered stand in the order of their numbers.
func (r *reader) energy() (*Energy, error) {
	if len(r.names) == 0 {
		return nil, errs.New("the file has no entries; give lines of two sites and a weight")
	}
	names := slices.Clone(r.names)
	if !slices.ContainsFunc(names, func(name string) bool { return !isWhole(name) }) {
		slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	}
	for i, name := range names {
		r.number[name] = i
	}
	e := newEnergy(names, r.spins)
	e.Offset = r.offset + 0
	for _, at := range r.entries {
		a, b := r.number[r.names[at.a]], r.number[r.names[at.b]]
		switch weight := at.weight; {
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

// readEntries reads the rows of a list of entries.
func (r *reader) readEntries(t *tables.Table) error {
	for _, remark := range t.Remarks {
		if err := r.remark(remark); err != nil {
			return err
		}
	}
	place, err := r.columns(t)
	if err != nil {
		return err
	}
	switch {
	case t.Names == nil && r.said == nil && isMatrix(t.Rows):
		return errs.New("three lines of three whole numbers may be a matrix or three entries; a matrix is read from "+
			".npy; for entries write a weight with a point, as in %s.0", t.Rows[0][2])
	case t.Names != nil || r.said != nil || !countsFirst(t):
		return r.readPairs(t, place)
	case place[2] < 0:
		return errs.New("line %d may count the sites and the edges, or be an edge; put # in front of counts, and a "+
			"weight behind each edge otherwise",
			t.Line(0))
	}
	return errs.New("line %d may have the sizes of a matrix, or be an entry; put # in front of sizes, and write the "+
		"weight with a point otherwise, as in %s.0",
		t.Line(0), t.Rows[0][2])
}

// isMatrix reports whether rows are more likely a matrix of three sites than three entries: all are
// whole numbers, and the matrix is symmetric or triangular, or the sites are not numbered without a
// gap.
func isMatrix(rows [][]string) bool {
	m, is := wholes(slices.Concat(rows...))
	if !is || len(rows) != 3 || len(m) != 9 {
		return false
	}
	sites := slices.Compact(slices.Sorted(slices.Values([]int{m[0], m[1], m[3], m[4], m[6], m[7]})))
	upper := m[3]|m[6]|m[7] == 0
	lower := m[1]|m[2]|m[5] == 0
	return m[1] == m[3] && m[2] == m[6] && m[5] == m[7] || upper || lower || sites[len(sites)-1]-sites[0] >= len(sites) ||
		sites[0] > 1
}

// countsFirst reports whether the first row may count what stands below it: the sites, or the rows
// and the columns of a matrix, and then the entries.
func countsFirst(t *tables.Table) bool {
	first := t.Rows[0]
	sites := map[string]bool{}
	for _, row := range t.Rows[1:] {
		sites[row[0]], sites[row[1]] = true, true
	}
	n, is := wholes(first)
	last := len(first) - 1
	return is && n[last] == len(t.Rows)-1 && n[0] >= len(sites) && n[last-1] == n[0]
}

// readPairs reads rows of two sites and a weight.
func (r *reader) readPairs(t *tables.Table, place [3]int) error {
	sites := 0
	for i, row := range t.Rows {
		weight := 1.0
		err := error(nil)
		if place[2] >= 0 && !(r.form == cut && row[place[2]] == noData) {
			weight, err = tables.Floats(row[place[2]])
			if err != nil {
				return t.Wrong(i, place[2], fmt.Errorf("the weight: %w", err))
			}
		}
		if err := r.addEntry(t.Line(i), row[place[0]], row[place[1]], weight); err != nil {
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
		return errs.New("the file has %s, and line %d says %d; is it cut off, or the number wrong?", what,
			s.line, s.entries)
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
		cure := "write these on each line; a matrix is read from .npy"
		if bytes.Contains(line, []byte("{'weight'")) {
			cure = "write networkx.write_weighted_edgelist(G, PATH)"
		}
		return place, errs.New("line %d: expected two sites and a weight, found %q; %s", t.Line(0),
			selector.Cut(string(bytes.TrimSpace(line))), cure)
	case t.Names == nil:
		return [3]int{0, 1, 2}, nil
	}
	for i, name := range t.Names {
		if width == 3 && weighs(name) {
			return [3]int{(i + 1) % 3, (i + 2) % 3, i}, nil
		}
	}
	return place, errs.New("the columns are named %s; keep two of sites and one of weights, called weight",
		selector.Listed(t.Names))
}

// weighs reports whether programs call the weight of a pair so.
func weighs(name string) bool {
	return slices.Contains([]string{"weight", "weights", "w", "value", "val", "q", "bias", "coeff",
		"coefficient", "coupling"}, strings.ToLower(name)) || name == "J"
}

// remark reads a comment of dimod's that says what the values of the sites are, or which constant
// the energy has.
func (r *reader) remark(text string) (err error) {
	what, value, _ := strings.Cut(text, "=")
	what, value = strings.TrimSpace(what), strings.TrimSpace(value)
	switch {
	case r.form == counted || r.form == cut:
	case what == "vartype":
		return r.valued(value)
	case what == "offset":
		r.offset, err = selector.ParseNumber(value)
		if err != nil {
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
		return errs.New("vartype %q is unknown; write SPIN or BINARY, as in # vartype=SPIN", selector.Cut(kind))
	}
	return nil
}

// halve sets one triangle of a symmetric matrix to zero, and fails if neither is zero in another.
func halve(n int, numbers []float64) error {
	differ := false
	below := false
	above := false
	for i := range n {
		for j := range i {
			low := numbers[i*n+j]
			up := numbers[j*n+i]
			differ = differ || low != up
			below = below || low != 0
			above = above || up != 0
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

// array reads a matrix Q of NumPy's, of which the energy is x'Qx, or the weights of a graph.
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
		return errs.New("the array has the shape %s; save a matrix of as many rows as columns",
			numpy.ShapeText(a.Shape))
	}
	for i, v := range numbers {
		if v-v != 0 {
			return fmt.Errorf("index %d, %d: %v is not a weight", i/a.Shape[0], i%a.Shape[0], v)
		}
	}
	n := a.Shape[0]
	if err := r.enough(n); err != nil {
		return err
	}
	if r.form == cut {
		if err := halve(n, numbers); err != nil {
			return err
		}
	}
	r.sums = true
	for i := range n {
		if _, err := r.site(strconv.Itoa(i)); err != nil {
			return err
		}
	}
	for k, v := range numbers {
		if v == 0 {
			continue
		}
		if err := r.addEntry(k/n+1, strconv.Itoa(k/n), strconv.Itoa(k%n), v); err != nil {
			return err
		}
	}
	return nil
}
