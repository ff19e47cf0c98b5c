package files

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/numpy"
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
	// Labels has the labels of each variable of words, whose values are indices in that list; nil
	// for a variable of numbers.
	Labels [][]string
	// Weights are those of draws that are not a Markov chain, by chain; nil for chains.
	Weights [][]float64
	Doubts  []chains.Advice // other possible meanings of the files
}

// DrawsOptions are the options of ReadDraws.
type DrawsOptions struct {
	Most    int       // the most numbers in all files
	Roles   Roles     // of columns of text, if their names do not tell
	Stdin   io.Reader // the content of the file -
	Warmup  Warmup    // the omitted beginning of each chain
	Decimal string    // Comma if decimals are written with one
	TopLine string    // whether the first line of text names the columns: yes, no, or empty to decide by its cells
	Shape   Shape     // of arrays
	Content []byte    // of the only file, a text or an array, if it is in memory; else nil
	// The following may be nil. Header reports whether the first cells of text name columns, if
	// they are not plainly numbers.
	Header Header
	// Names returns the variables of columns, from the names in a file, or for a number of columns
	// without names. Missing names are V1, V2, ..., as in R.
	Names func(given []string, columns int) []string
	// Meant returns the meaning of a cell of a variable without a domain.
	Meant func(cell string) string
	// Own reports whether a column is a variable, even if its name has another role.
	Own func(name string) bool
	// Domain returns a function from the cells of a variable to numbers, and nil if the variable
	// may have any number or label.
	Domain func(name string) func(cell string) (float64, error)
}

// open opens a file, or the one that stands in memory.
func (o *DrawsOptions) open(path string) (*selector.File, error) {
	if o.Content != nil {
		return selector.InMemory(path, o.Content, maxContent), nil
	}
	return selector.OpenFile(path, maxFile)
}

// maxContent is the most bytes that are unpacked of a file in memory.
const maxContent = 1 << 26

// ReadDraws reads the draws of one run. Text (.csv, .tsv, .txt) has a column for each variable, and
// a file is a chain. Files of CmdStan are recognised by their content, and the draws of their
// warm-up are omitted. Columns that count rows and chains are recognised by the names in
// tables.Calls, and by Roles. The values of a variable of words are the indices of its sorted
// labels, unless Domain says more. A file whose name ends in index.txt or .ind is an index of coda
// files, and the chains in the same folder, or the given ones, are read. An array of .npy holds one
// variable with the name of the file, and one of .npz the variable of its key, in the shape
// (chains, draws, ...) or (draws,), or as Shape says. An array with more chains than draws is an
// error without a Shape. Errors in files are an *Error.
func ReadDraws(ctx context.Context, paths []string, o DrawsOptions) (*Draws, error) {
	for i, path := range paths {
		if slices.Contains(paths[:i], path) {
			return nil, (&fault{found: "the file twice", want: "give every chain once"}).at(path, -1, 0)
		}
		if err := onlyOfArrays(path, o.Shape); err != nil {
			return nil, err
		}
	}
	read := &reading{DrawsOptions: o}
	var err error
	switch {
	case slices.ContainsFunc(paths, isCodaIndex):
		err = read.coda(ctx, paths)
	case len(paths) > 0 && numpy.Is(paths[0]):
		err = read.arrays(ctx, paths)
	default:
		for _, path := range paths {
			if err = read.file(ctx, path); err != nil {
				break
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return read.done()
}

// file reads a file of chains in JSON, the chains of which GetDist's file of names is given, or a
// text, which is a chain or has a column that says which row is of which.
func (r *reading) file(ctx context.Context, path string) error {
	switch {
	case isChainsJSON(path):
		return r.json(path)
	case !strings.HasSuffix(path, paramNames):
		return r.text(ctx, path)
	}
	chains, err := getDistChains(path)
	for _, chain := range chains {
		if err == nil {
			err = r.text(ctx, chain)
		}
	}
	return err
}

// reading is what has been read so far.
type reading struct {
	DrawsOptions
	names    []string
	domains  []func(cell string) (float64, error) // by variable, nil if any value is allowed
	known    []map[string]float64                 // by variable, what cells of a domain have been found to stand for
	labels   []map[string]float64                 // by variable, nil of those of numbers
	numbered []bool                               // by variable, whether a number has come
	roles    []tables.Role                        // by variable
	counter  string                               // the column that counts draws
	chains   []*drawnChain
	numbers  int    // how many have been read
	held     int    // how many are in arrays that have been read
	points   bool   // whether draws have weights and are no chain
	begins   string // what says that the chain is there from its beginning; empty if nothing does
	notes    []string
	doubts   []chains.Advice
}

// drawnChain is a chain that is being read.
type drawnChain struct {
	source    string
	values    [][]float64    // by variable
	weights   []float64      // of the draws, if they are none of a chain
	count     []float64      // of the draws in the chain; nil if nothing counts them
	notFinite map[int]string // by variable, where the first such draw stands
	more      map[int]int    // by variable, how many such draws follow
}

func (r *reading) variable(name string) {
	var domain func(cell string) (float64, error)
	if r.Domain != nil {
		domain = r.Domain(name)
	}
	r.names, r.domains, r.known = append(r.names, name), append(r.domains, domain), append(r.known, map[string]float64{})
	r.labels, r.numbered, r.roles = append(r.labels, nil), append(r.numbered, false), append(r.roles, tables.Variable)
}

// named returns the variables that columns of these names are.
func (r *reading) named(names []string) []string {
	if r.Names == nil {
		return names
	}
	return r.Names(names, len(names))
}

func (r *reading) chain(source string) *drawnChain {
	c := &drawnChain{source: source, values: make([][]float64, len(r.names)), notFinite: map[int]string{}, more: map[int]int{}}
	r.chains = append(r.chains, c)
	return c
}

// add puts the number of a cell into a chain, and remembers where it stands if it is not finite.
// The place is asked for only then.
func (r *reading) add(c *drawnChain, variable int, v float64, cell []byte, place func() string) *fault {
	if r.numbers++; r.numbers > r.Most {
		return tooMany(r.Most)
	}
	c.values[variable] = append(c.values[variable], v)
	switch {
	case v-v == 0:
	case c.notFinite[variable] == "":
		c.notFinite[variable] = fmt.Sprintf("%s, column %s: %s", place(), r.names[variable], cell)
	default:
		c.more[variable]++
	}
	return nil
}

// done returns what has been read, once all chains have been seen to have one length.
func (r *reading) done() (*Draws, error) {
	if len(r.chains) == 0 {
		return nil, (&fault{found: "no draw behind the warm-up", want: "write the draws too"}).at("all files", -1, 0)
	}
	bad := r.widen()
	if r.withoutNames(); bad == nil {
		bad = r.repeat()
	}
	if bad == nil {
		bad = r.omitWarmup()
	}
	if bad == nil {
		bad = r.level()
	}
	if bad != nil {
		return nil, bad
	}
	d := &Draws{Names: r.names, Notes: r.notes, Doubts: r.doubts, NotFinite: make([]string, len(r.names)), Values: make([][][]float64, len(r.names))}
	for i := range r.names {
		d.Labels = append(d.Labels, r.ordered(i))
	}
	more := make([]int, len(r.names))
	for _, c := range r.chains {
		if r.points {
			d.Weights = append(d.Weights, c.weights)
		}
		d.Sources = append(d.Sources, c.source)
		for i := range r.names {
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
