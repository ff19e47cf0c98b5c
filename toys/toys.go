// Package toys answers: which problem? It holds the targets of the paper's tightness study, random and
// user-given ones, each with what is known about it and where that stands. It never computes a divergence,
// and a target is never changed once built.
package toys

import (
	"fmt"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/grid"
)

// Toy is a target distribution f = exp(g) on a lattice.
type Toy struct {
	Name        string        // the selector that Parse turns into this toy
	Description string        // one line
	Space       *grid.Lattice // the states
	G           []float64     // log f of each state, up to a constant (nats)
	Mode        []int         // the states of the dominant mode, where the source names one
	Printed     []Printed     // what has been published about it
}

// Printed is a published number.
type Printed struct {
	Quantity string // J, B, relative_gap (B/J - 1) or dominant_mode_mass
	T        int    // number of distributions; 0 where the quantity has none
	Text     string // as printed: "0.00518", "87%"
	Source   string
}

// Rounds reports whether v rounds to the printed number at its printed number of digits.
func (p Printed) Rounds(v float64) bool {
	text, percent := strings.CutSuffix(p.Text, "%")
	if percent {
		v *= 100
	}
	_, decimals, _ := strings.Cut(text, ".")
	return strconv.FormatFloat(v, 'f', len(decimals), 64) == text
}

// Lookup returns what is printed of a quantity at T, and false where nothing is.
func (t *Toy) Lookup(quantity string, T int) (Printed, bool) {
	for _, p := range t.Printed {
		if p.Quantity == quantity && p.T == T {
			return p, true
		}
	}
	return Printed{}, false
}

// paperSource is where the paper prints its numbers.
const paperSource = "Grosse, Ancha and Roy 2016, Appendix B.1.1"

// Names returns the forms of selector that Parse reads.
func Names() []string {
	return []string{"easy", "hard", "barrier[:DIMS]", "random:SIGMA:SEED[:DIMS]", "file:PATH"}
}

// Paper returns the three toys of the paper: EASY RANDOM, HARD RANDOM and BARRIER.
func Paper() []*Toy { return []*Toy{Easy(), Hard(), mustBarrier("barrier", 7, 7)} }

// Parse returns the toy of a selector: easy, hard, barrier or barrier:9x9 (odd sides), random:SIGMA:SEED or
// random:SIGMA:SEED:DIMS, file:PATH (CSV or .npy).
func Parse(selector string) (*Toy, error) {
	name, arg, hasArg := strings.Cut(selector, ":")
	switch {
	case name == "easy" && !hasArg:
		return Easy(), nil
	case name == "hard" && !hasArg:
		return Hard(), nil
	case name == "barrier":
		return parseBarrier(selector, arg, hasArg)
	case name == "random":
		return parseRandom(selector, arg)
	case name == "file":
		return Read(arg)
	case name == "easy" || name == "hard":
		return nil, fmt.Errorf("toy %q: %s takes no argument; other sizes and seeds are random:SIGMA:SEED:DIMS", selector, name)
	}
	if strings.ContainsAny(selector, "./\\") {
		return nil, fmt.Errorf("unknown toy %q; did you mean file:%s? choices: %s", selector, selector, strings.Join(Names(), ", "))
	}
	return nil, chains.UnknownError("toy", selector, Names())
}

// NamesMode reports whether the toy of a selector has a Mode, without making it: only the barrier has one.
func NamesMode(selector string) bool {
	name, _, _ := strings.Cut(selector, ":")
	return name == "barrier"
}

func parseBarrier(selector, arg string, hasArg bool) (*Toy, error) {
	if !hasArg {
		return mustBarrier("barrier", 7, 7), nil
	}
	space, err := grid.Parse(arg)
	if err != nil {
		return nil, fmt.Errorf("toy %q: %w", selector, err)
	}
	if space.Dims() != 2 {
		return nil, fmt.Errorf("toy %q: the barrier is a plane with two sides, as in barrier:9x9", selector)
	}
	return Barrier(space.Side(0), space.Side(1))
}

func parseRandom(selector, arg string) (*Toy, error) {
	parts := strings.Split(arg, ":")
	if len(parts) != 2 && len(parts) != 3 {
		return nil, fmt.Errorf("toy %q: write random:SIGMA:SEED or random:SIGMA:SEED:DIMS, as in random:2:0:7x7", selector)
	}
	sigma, err := chains.ParseNumber(parts[0])
	if err != nil {
		return nil, fmt.Errorf("toy %q: sigma: %w", selector, err)
	}
	seed, err := strconv.ParseUint(parts[1], 10, 32)
	if err != nil {
		return nil, fmt.Errorf("toy %q: seed %q is no whole number from 0 to 4294967295", selector, parts[1])
	}
	space := grid.MustNew(7, 7)
	if len(parts) == 3 {
		if space, err = grid.Parse(parts[2]); err != nil {
			return nil, fmt.Errorf("toy %q: %w", selector, err)
		}
	}
	return Random(sigma, uint32(seed), space)
}

func mustBarrier(name string, rows, cols int) *Toy {
	t, err := Barrier(rows, cols)
	if err != nil {
		panic(err)
	}
	t.Name = name
	return t
}
