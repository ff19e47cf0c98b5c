package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"breadboard/chains/selector"
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

// stdin is the path of standard input.
const stdin = "-"

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
	expected  int         // how many draws there will be, if an array says it
	values    [][]float64 // by variable
	weights   []float64   // of the draws, if they have any
	numbers   []float64   // of the draws, if they have any and a column tells chains apart
	shuffled  bool        // whether the numbers do not rise
	notFinite []string    // by variable, where the first such draw stands
	more      []int       // by variable, how many such draws follow
}

func (r *drawsReader) file(ctx context.Context, path string) error {
	var t *Table
	var err error
	if path == stdin && r.Stdin != nil {
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
		if err := table.addRow(cells); err != nil {
			return err
		}
	}
	r.notes = append(r.notes, t.Notes()...)
	if err := table.order(); err != nil {
		return err
	}
	return table.askForChains()
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
			return nil, wrong("draws without weights beside others", "give all draws weights, or none").withPlace(
				c.source,
				-1,
				0,
			)
		}
	}
	if err := r.omitWarmup(); err != nil {
		return nil, err
	}
	r.cutToShortest()
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
