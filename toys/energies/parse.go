package energies

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"breadboard/chains/selector"
	"breadboard/grid"
)

// MaxFile is the largest number of bytes of a file. A file of 24 sites has 300 entries at most;
// what is larger than that is read for the error that says how many sites it has.
const MaxFile = 16 << 20

// maxNumber is the largest number of a site.
const maxNumber = 1 << 30

// Parse reads an energy from the text of a file. Errors name the line. Numbers of sites and entries
// are compared with what is possible before anything is allocated.
func (f Format) Parse(data []byte) (*Energy, error) { return f.ParseUpTo(data, MaxSites) }

// ParseUpTo reads an energy of that many sites at most, of which the states need not be enumerated.
func (f Format) ParseUpTo(data []byte, sites int) (*Energy, error) {
	text, err := selector.PlainText(data)
	if err != nil {
		return nil, err
	}
	r := &reader{Format: f, text: string(text), whole: string(text), most: sites, weights: map[[2]int]entry{}}
	if err := r.read(); err != nil {
		return nil, err
	}
	return r.energy()
}

// entry is a line of a file with the numbers of two sites and a weight.
type entry struct {
	line   int
	weight float64
}

// reader reads a file.
type reader struct {
	Format
	text  string // what is left of the whole
	whole string
	line  int // the line that was read last, from 1

	most    int   // how many sites there may be
	highest int   // the largest number that a site may have
	sites   int   // the number of sites that the header says, or of those whose entries come first
	entries int   // the number of entries that the header says, -1 where it says none
	listed  []int // the sites that have been named, in any order
	offset  float64
	wrong   error // what a comment says that cannot be read

	weights map[[2]int]entry // by the numbers of the sites, the smaller first
}

// next returns the words of the next line that is not empty and no comment, and nil at the end of
// the text.
func (r *reader) next() []string {
	for r.text != "" {
		var text string
		text, r.text, _ = strings.Cut(r.text, "\n")
		r.line++
		written := text
		if r.header == noHeader { // lists of edges are written with commas, too
			text = strings.ReplaceAll(text, ",", " ")
		}
		words := selector.Fields(text)
		if len(words) > 0 && words[0] != r.comment && !(r.comment == "#" && strings.HasPrefix(words[0], "#")) {
			return words
		}
		if r.header == noHeader && r.wrong == nil {
			r.wrong = r.remark(written)
		}
	}
	return nil
}

// remark reads a comment of dimod's that says what the values of the sites are, or which constant
// the energy has.
func (r *reader) remark(text string) (err error) {
	what, value, _ := strings.Cut(text, "=")
	switch value = strings.TrimSpace(value); strings.TrimSpace(strings.TrimLeft(what, " \t#")) {
	case "vartype":
		if value != "SPIN" && value != "BINARY" {
			return r.errorf("vartype %q is unknown; write # vartype=SPIN or # vartype=BINARY", selector.Cut(value))
		}
		r.spins = value == "SPIN"
	case "offset":
		if r.offset, err = selector.ParseNumber(value); err != nil {
			return r.errorf("the offset: %w", err)
		}
	}
	return nil
}

func (r *reader) errorf(format string, values ...any) error {
	return fmt.Errorf("line %d: %w", max(1, r.line), fmt.Errorf(format, values...))
}

// read reads the header and all entries.
func (r *reader) read() error {
	if err := r.begin(); err != nil {
		return err
	}
	for words := r.next(); words != nil; words = r.next() {
		if err := r.add(words); err != nil {
			return err
		}
	}
	if r.wrong != nil {
		return r.wrong
	}
	if said := r.entries; said >= 0 && said != len(r.weights) {
		return r.errorf("the file ends after %s, and its first line says %d; is it cut off, or the number wrong?", selector.Count(len(r.weights), "entry"), said)
	}
	return nil
}

// begin reads the header.
func (r *reader) begin() error {
	r.entries, r.highest = -1, maxNumber
	if r.header == noHeader {
		return nil
	}
	words := r.next()
	if words == nil {
		return r.errorf("the file is empty; %s begins with %s", r.What, r.headerForm())
	}
	numbers := words
	if r.header == problem {
		if len(words) != 6 || words[0] != "p" || words[1] != "qubo" {
			return r.errorf("expected %s, found %q%s", r.headerForm(), selector.Cut(strings.Join(words, " ")), r.hint(words))
		}
		numbers = words[3:]
	} else if len(words) != 2 {
		return r.errorf("expected %s, found %q%s", r.headerForm(), selector.Cut(strings.Join(words, " ")),
			cmp.Or(r.hint(words), "; a list of edges without them is for ising-file:PATH"))
	}
	var n [3]int
	for i, word := range numbers {
		v, err := whole(word, maxNumber)
		if err != nil {
			return r.errorf("%w in %s", err, r.headerForm())
		}
		n[i] = v
	}
	if r.header == problem {
		r.highest, r.sites, r.entries = n[0]-1, n[1], n[1]+n[2]
	} else {
		r.highest, r.sites, r.entries = r.first+n[0]-1, n[0], n[1]
	}
	return r.checkHeader(r.entries)
}

// headerForm is how messages show the header.
func (r *reader) headerForm() string {
	if r.header == problem {
		return "p qubo 0 MAXNODES NODES COUPLERS"
	}
	return "the numbers of sites and of entries"
}

// checkHeader fails if a header says more sites than a space may have, or more entries than there
// can be.
func (r *reader) checkHeader(entries int) error {
	if entries == 0 && r.sites == 0 {
		return r.errorf("there are no sites; give one or more")
	}
	if r.sites > r.most {
		return r.errorf("%d sites: %w; take a part of the problem", r.sites, r.tooMany(r.sites))
	}
	sites := r.sites
	if r.ordered { // sites without a weight have no line and are not counted
		sites = min(r.highest+1, r.most)
	}
	most := sites * (sites - 1) / 2
	if r.Format.fields {
		most += sites
	}
	if entries > most {
		return r.errorf("%d entries, and %s have at most %d; is the number wrong?", entries, selector.Count(sites, "site"), most)
	}
	return nil
}

// add reads an entry.
func (r *reader) add(words []string) error {
	if len(words) != 3 {
		return r.errorf("expected two numbers of sites and a weight, found %q%s", selector.Cut(strings.Join(words, " ")), r.hint(words))
	}
	var pair [2]int
	for k := range pair {
		v, err := whole(words[k], maxNumber)
		if err != nil {
			return r.errorf("the number of a site: %w%s", err, r.hint(words))
		}
		if v < r.first || v > r.highest {
			return r.errorf("site %d; the sites are numbered from %d to %d", v, r.first, r.highest)
		}
		pair[k] = v
	}
	weight, err := selector.ParseNumber(words[2])
	if err != nil {
		return r.errorf("the weight: %w", err)
	}
	if err := r.place(pair); err != nil {
		return err
	}
	sort.Ints(pair[:])
	if before, double := r.weights[pair]; double {
		return r.errorf("sites %d and %d have an entry in line %d already; give each pair one, with the sum of both where both count", pair[0], pair[1], before.line)
	}
	r.weights[pair] = entry{r.line, weight}
	if r.entries >= 0 && len(r.weights) > r.entries {
		return r.errorf("there are more entries than the %d that the first line says; is the number wrong?", r.entries)
	}
	return nil
}

// hint says what a file with such a line may be.
func (r *reader) hint(words []string) string {
	if r.header != counts && len(words) == 2 && len(r.weights) == 0 {
		return "; a file that begins with two counts, as a graph of the G-set, is for rudy:PATH:J"
	}
	if advice := selector.DIMACSAdvice(r.whole); advice != "" {
		return "; " + advice
	}
	return ""
}

// place fails if an entry may not stand if it does, and lists the sites of the others.
func (r *reader) place(pair [2]int) error {
	field := pair[0] == pair[1]
	if field && !r.Format.fields {
		return r.errorf("site %d is joined to itself, which %s has no meaning for; take the line out", pair[0], r.What)
	}
	if !r.ordered {
		return r.list(pair[:]...)
	}
	switch sites := len(r.listed); {
	case field && slices.Contains(r.listed, pair[0]):
		return r.errorf("site %d has an entry already; give each site one", pair[0])
	case field && sites >= r.sites:
		return r.errorf("a site behind the %d that the first line says; sites come first, and then pairs: is the number wrong?", r.sites)
	case field:
		return r.list(pair[0])
	case sites < r.sites:
		return r.errorf("a pair after %s of %d; the lines i i WEIGHT of sites come first", selector.Count(sites, "site"), r.sites)
	case pair[0] > pair[1]:
		return r.errorf("sites %d and %d in this order; write the smaller first", pair[0], pair[1])
	}
	return r.list(pair[:]...)
}

// list adds sites to those that have been named. It fails if they are too many.
func (r *reader) list(sites ...int) error {
	for _, site := range sites {
		if slices.Contains(r.listed, site) {
			continue
		}
		if r.listed = append(r.listed, site); len(r.listed) > r.most {
			return r.errorf("site %d is the %dth, and a space has at most %d: %w", site, len(r.listed), r.most, r.tooMany(len(r.listed)))
		}
	}
	return nil
}

// tooMany says why there may not be that many sites.
func (r *reader) tooMany(sites int) error {
	if r.most > MaxSites {
		return fmt.Errorf("%d are read where no states are enumerated", r.most)
	}
	return grid.FitsPower(2, float64(sites))
}

// energy returns what has been read.
func (r *reader) energy() (*Energy, error) {
	numbers := r.listed
	if r.header == counts { // sites without an entry are there too
		numbers = nil
		for i := range r.sites {
			numbers = append(numbers, r.first+i)
		}
	}
	if len(numbers) == 0 {
		return nil, r.errorf("the file has no entries; give lines of two numbers of sites and a weight")
	}
	sort.Ints(numbers)
	e := newEnergy(numbers, r.spins)
	e.Offset = r.offset
	for pair, found := range r.weights {
		low, _ := slices.BinarySearch(numbers, pair[0])
		high, _ := slices.BinarySearch(numbers, pair[1])
		if low == high {
			e.Fields[low] = found.weight
		} else {
			e.Pairs[high][low] = r.pair * found.weight
		}
	}
	return e, nil
}

// whole reads a whole number from 0 to the highest.
func whole(text string, highest int) (int, error) {
	v, err := strconv.Atoi(text)
	if err != nil || v < 0 || v > highest || text[0] == '+' {
		return 0, fmt.Errorf("%q is no whole number from 0 to %d", selector.Cut(text), highest)
	}
	return v, nil
}
