package toys

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/grid"
	"breadboard/toys/energies"
	"breadboard/toys/models"
	"breadboard/toys/networks"
)

// Content is a kind of content that a file may have, whatever the file is called.
type Content struct {
	Name    string                       // what it is
	By      string                       // who writes it
	As      string                       // how it is read, with PATH for the file
	of      func(data []byte) (is error) // nil if a file is such content
	network bool                         // whether networks.Open reads it by its path alone
}

// Contents lists the kinds of content that are recognised.
func Contents() (list []Content) {
	for _, f := range networks.Formats() {
		if f.By != "" {
			list = append(list, Content{f.Title, f.By, f.Name + ":PATH", f.Holds, true})
		}
	}
	list = append(list, Content{"a hidden Markov model in TOML, JSON or text", "hmmlearn, UMDHMM, by hand",
		"hmm:PATH", func(data []byte) error {
			_, err := models.ParseHMM(data)
			return err
		}, true})
	for _, f := range energies.Formats() {
		as := f.Name + ":PATH:" + f.Factor
		if optional(f) {
			as = f.Name + ":PATH"
		}
		c := Content{f.Holds, f.By, as, func(data []byte) error {
			_, err := f.ParseUpTo(data, energies.ManySites)
			return err
		}, false}
		list = append(list, c)
		if f.Name == "maxcut" {
			list = append(list, Content{"edges", f.By, "graph:PATH:G", func(data []byte) error {
				_, err := grid.ParseEdges(data)
				return cmp.Or(c.of(data), err)
			}, false})
		}
	}
	table := func(name, by, as string, is func(t *tables.Table) bool) Content {
		return Content{name, by, as, func(data []byte) error {
			t, err := tables.Parse(data, 1<<22, tables.BySight)
			if err == nil && !is(t) {
				err = errors.New("another table")
			}
			return err
		}, false}
	}
	known := tables.KnownRoles()
	of := func(roles ...tables.Role) func(t *tables.Table) bool {
		return func(t *tables.Table) bool {
			return slices.ContainsFunc(
				t.Names,
				func(name string) bool { return slices.Contains(roles, known.Of(name)) },
			)
		}
	}
	probable := of(tables.Density, tables.Count)
	return append(list,
		table("a kernel: rows that sum to 1, with names or without", "pandas, R, spreadsheets, JSON",
			"matrix:PATH", stochastic),
		table("draws: columns of chains or iterations", "see below", "samplers diagnose PATH",
			func(t *tables.Table) bool {
				// as state,p
				return of(tables.Chain, tables.Warmup)(t) ||
					of(tables.Iteration, tables.State)(t) && !probable(t)
			}),
		table("a distribution: a column of probabilities beside states or values", "pandas, R, spreadsheets",
			"prob:PATH", func(t *tables.Table) bool {
				return probable(t) && !of(tables.Chain, tables.Warmup)(t)
			}),
		Content{"a row of the grid on each line, or an array", "NumPy, pandas, R, spreadsheets", "file:PATH",
			func(data []byte) error {
				_, _, err := ParseCSV(data)
				if bytes.HasPrefix(data, []byte("\x93NUMPY")) {
					_, _, err = ParseNPY(data)
				}
				return err
			}, false})
}

// stochastic reports whether a table has as many rows as columns, and rows of probabilities.
func stochastic(t *tables.Table) bool {
	t.Square()
	return !slices.ContainsFunc(t.Rows, func(row []string) bool {
		sum := 0.0
		for _, cell := range row {
			v, err := tables.Floats(cell)
			if err != nil || v < 0 {
				return true
			}
			sum += v
		}
		return len(row) != len(t.Rows) || math.Abs(sum-1) > 1e-3
	})
}

// Recognised is the error if a user gives the path of a file instead of a selector: it says what
// the file holds, and how to read it. It is nil if there is no such file, and also if byPath says
// that the path alone is enough for networks, for these and for content that is not recognised.
func Recognised(path string, byPath bool) error {
	data, err := selector.ReadFile(path, energies.MaxFile)
	if err != nil {
		return nil // what reads it says more
	}
	var found []string
	for _, c := range Contents() {
		if c.of(data) == nil {
			as := strings.ReplaceAll(c.As, "PATH", path)
			if byPath && c.network {
				return nil
			}
			found = append(found, fmt.Sprintf("%s (%s)", as, c.Name))
		}
	}
	switch {
	case found == nil && byPath:
		return nil // what reads it says more
	case found == nil:
		return errs.New("%s is a file, and holds nothing that is recognised; write how it is to be read, as in "+
			"file:%[1]s (breadboard help files)",
			path)
	}
	return errs.New("%s is a file; write how it is to be read: %s", path, strings.Join(found, ", or "))
}
