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
		if len(t.names) > 1 && t.names[0] == "weight" && slices.Contains([]string{"minuslogpost", minusLog, "minusloglike", "loglike"}, t.names[1]) {
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

// times returns how often the draw of a row comes: its weight, which is a whole number in chains of
// MCMC. Others are of draws that are no chain.
func (t *drawsText) times(cells [][]byte) (int, error) {
	if t.weight == absent {
		return 1, nil
	}
	v, _, ok := draws.ParseNumber(cells[t.weight])
	if !ok || v != math.Trunc(v) || v < 0 || v > math.MaxInt32 {
		return 0, t.Wrong(t.names[t.weight], quoted(cells[t.weight]),
			errors.New(
				"a weight says how often the chain stayed at a draw, a whole number of 0 or more; draws of nested or importance sampling are no Markov chain: give the chain before it was reweighted"))
	}
	return int(v), nil
}

// level cuts chains with weights to the length of the shortest, since each stays at its draws as
// long as it likes.
func (r *reading) level() {
	least, most := math.MaxInt, 0
	for _, c := range r.chains {
		least, most = min(least, len(c.values[0])), max(most, len(c.values[0]))
	}
	if least == most {
		return
	}
	for _, c := range r.chains {
		for i := range c.values {
			c.values[i] = c.values[i][:least]
		}
	}
	r.notes = append(r.notes, fmt.Sprintf("the chains have %d to %d draws; the last ones of longer chains are omitted, so that each has %d", least, most, least))
}
