package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/experiments/draws"
)

// paramNames is the ending of the file that names the parameters of GetDist's chains:
// root.paramnames beside root_1.txt, root_2.txt and so on. A chain has in each row the weight of a
// draw, which is how often it comes, minus the logarithm of the posterior or of the likelihood, and
// the parameters. Cobaya's chains have these names in a comment.
//
// Source: the documentation of GetDist, Sample file format.
const paramNames = ".paramnames"

// minusLog is the name of the second column of GetDist's chains.
const minusLog = "-loglike"

// getDistChains returns the chains beside a file of names.
func getDistChains(path string) ([]string, error) {
	root := path[:len(path)-len(paramNames)]
	forms := []string{root + "_%d.txt", root + ".%d.txt", root + ".txt"}
	if found := numberedFiles(forms); found != nil {
		return found, nil
	}
	return nil, (&fault{found: "no chain beside it, as " + root + "_1.txt", want: "give the chains, with their names beside them"}).at(path, -1, 0)
}

// namesBeside returns the file of the names of a chain; empty if there is none.
func namesBeside(chain string) string {
	if selector.Ending(chain) != ".txt" {
		return ""
	}
	chain = chain[:strings.LastIndex(strings.ToLower(chain), ".txt")]
	root := strings.TrimRight(chain, "0123456789")
	for _, root := range []string{root[:max(0, len(root)-1)], chain} {
		if path := root + paramNames; root != "" && !isMissing(path) {
			return path
		}
	}
	return ""
}

// readParamNames reads a name a line, with a star behind it if it is of a derived parameter. What
// follows it is a label.
func readParamNames(ctx context.Context, path string) (names []string, err error) {
	file, err := selector.OpenFile(path, maxUnpacked)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := linesOf(path, file)
	err = in.each(ctx, path, func(line []byte) *fault {
		words := bytes.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			return nil
		}
		if len(names) == maxVariables {
			return &fault{found: fmt.Sprintf("more than %d names", maxVariables), want: "is it the right file?"}
		}
		names = append(names, strings.TrimRight(string(words[0]), "*?"))
		return nil
	})
	return names, err
}

// weigh finds out whether the rows are those of GetDist, which have weights, and names the columns.
func (t *drawsText) weigh(ctx context.Context) error {
	t.weight = absent
	if t.names != nil {
		for name, role := range t.reading.Roles {
			if role == tables.Weight || role == tables.LogWeight {
				t.weight = slices.Index(t.names, name)
			}
		}
		if t.weight == absent && len(t.names) > 1 && t.names[0] == "weight" && slices.Contains([]string{"minuslogpost", minusLog, "minusloglike", "loglike"}, t.names[1]) {
			t.weight = 0
		}
		return nil
	}
	path := namesBeside(t.name)
	if path == "" {
		return nil
	}
	names, err := readParamNames(ctx, path)
	if err != nil {
		return err
	}
	if len(names)+2 != t.Width() {
		return t.WrongColumns(selector.Count(t.Width(), "column"),
			fmt.Errorf("write %d, a weight, the logarithm and the %s of %s", len(names)+2, selector.Count(len(names), "parameter"), path))
	}
	t.names, t.weight = append([]string{"weight", minusLog}, names...), 0
	return nil
}

// weighed takes the weight of a row.
func (t *drawsText) weighed(c *drawnChain, cells [][]byte) error {
	if t.weight == absent {
		return nil
	}
	v, _, ok := draws.ParseNumber(cells[t.weight])
	if t.columns.Roles[t.weight] == tables.LogWeight {
		v = math.Exp(v)
	}
	if !ok || v < 0 || math.IsInf(v, 1) {
		return t.Wrong(t.names[t.weight], Found(cells[t.weight]), errors.New("write a weight of 0 or more"))
	}
	c.weights = append(c.weights, v)
	return nil
}

// repeat repeats each row of chains as often as its weight says, which is how often the chain
// stayed there. Weights that are no whole numbers are of points, as nested and importance sampling
// have them, which are no Markov chain: they stay weights.
func (r *reading) repeat() *Error {
	total := 0.0
	for _, c := range r.chains {
		for _, w := range c.weights {
			if r.points = r.points || w != math.Trunc(w); w > 0 {
				total += w * float64(len(r.names))
			}
		}
	}
	switch {
	case r.points || total == 0:
		return nil
	case total > float64(r.Most):
		return tooMany(r.Most).at(r.chains[0].source, -1, 0)
	}
	for _, c := range r.chains {
		if c.weights == nil {
			continue
		}
		rows := len(c.weights)
		for v, values := range c.values {
			c.values[v] = nil
			for row, value := range values {
				c.values[v] = append(c.values[v], slices.Repeat([]float64{value}, int(c.weights[row]))...)
			}
		}
		c.weights = nil
		r.notes = append(r.notes, fmt.Sprintf("%s: its %s are %s, each repeated as often as its weight says", c.source, selector.Count(rows, "row"),
			selector.Count(len(c.values[0]), "draw")))
	}
	return nil
}

// level cuts chains to the length of the shortest. It fails if that leaves out
// half of another.
func (r *reading) level() *Error {
	least, most := math.MaxInt, 0
	var short *drawnChain
	for _, c := range r.chains {
		n := len(c.values[0])
		if most = max(most, n); n < least {
			least, short = n, c
		}
	}
	switch {
	case least == most:
		return nil
	case 2*least <= most:
		bad := &fault{found: fmt.Sprintf("%s, and %d in another chain", selector.Count(least, "draw"), most),
			want: "give chains of one length, or leave this one out"}
		for _, note := range r.notes {
			if strings.Contains(note, "the run was asked for") {
				bad.found += " (" + note + ")"
			}
		}
		return bad.at(short.source, -1, 0)
	}
	for _, c := range r.chains {
		for i := range c.values {
			c.values[i] = c.values[i][:least]
		}
	}
	r.notes = append(r.notes, fmt.Sprintf("the chains have %d to %d draws; the last ones of longer chains are omitted, so that each has %d", least, most, least))
	return nil
}
