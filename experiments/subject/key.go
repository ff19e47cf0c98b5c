package subject

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/experiments/programs"
	"breadboard/grid"
)

// Key returns the text that identifies a case, from which its random numbers derive: its parts,
// with a hash of the numbers that were read instead of the path of every file. A file may be moved
// or copied, or be written as .npy instead of CSV, without changing the key; other numbers in the
// file change it. For a kernel in another program the key has the command, since the answers of a
// program are not known beforehand. Code that builds a case in Go must give it unique names: the
// key of a toy, a kernel or an annealing that came from no file has only its name. A name
// that a user gives changes no key. For a graph that is read from a list of edges, the hash
// includes its labels and neighbours, in their order.
func (c *Case) Key() string {
	var key []string
	for _, p := range c.Parts() {
		value := p.Value
		if TakesNames(p.Name) {
			_, value = selector.SplitName(value)
		}
		if target := c.target(); p.Name == "toy" && target != "" {
			value = target
			if len(c.Reader.Forms.FilesOf(value)) > 0 {
				kind, _, _ := strings.Cut(value, ":")
				value = kind + ":" + c.contents(p.Name)
			}
		} else if file := c.Reader.Forms.fileOf(value); file != "" {
			before, _ := numpy.CutFile(value, file)
			value = before + c.contents(p.Name)
		}
		key = append(key, strconv.Quote(value))
	}
	return strings.Join(key, " ")
}

// target returns the selector of the case's target in canonical form, and "" if it has none.
func (c *Case) target() string {
	if f := c.Factored(); f != nil {
		return f.Target
	}
	if c.Toy != nil {
		return c.Toy.Target()
	}
	return ""
}

// fileOf returns the file that a selector names, and "" where it names none.
func (f Forms) fileOf(selector string) string {
	if path := f.Kernels.Listing.File(selector); path != "" {
		return path
	}
	return f.FileOf(selector)
}

// contents returns a hash of the numbers that a part of the case has read from a file. A case
// without an annealing holds the numbers of its toy alone; for any other part of it contents
// returns "?".
func (c *Case) contents(part string) string {
	h := sha256.New()
	add := func(numbers ...float64) {
		for _, v := range numbers {
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	annealing := c.Annealing()
	factored := c.Factored()
	switch {
	case part == "toy" && factored != nil:
		factored.addFactors(h, add)
	case part == "schedule" && factored != nil:
		add(factored.Betas...)
	case part == "toy":
		h.Write([]byte(c.Toy.Space.String()))
		if g, read := c.Toy.Space.(*grid.Adjacency); read {
			addGraph(g, h)
		}
		add(c.Toy.G...)
		add(c.Toy.LogPrior...)
	case annealing == nil:
		return "?"
	case part == "initial":
		add(logF(annealing.Path(), 0)...)
	case part == "path":
		for _, beta := range annealing.Path().Kinks() {
			add(logF(annealing.Path(), beta)...)
		}
	case part == "schedule":
		for t := 1; t <= c.Distributions(); t++ {
			add(annealing.Beta(t))
		}
	case part == "kernel":
		for t := 2; t <= c.Distributions(); t++ {
			if m, ok := annealing.KernelAt(t).(*programs.Matrix); ok {
				addRows(m, add)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func logF(path chains.Path, beta float64) []float64 {
	out := make([]float64, path.States())
	path.LogF(out, chains.At(beta))
	return out
}

// addGraph writes the labels of a graph's states to the hash, each with the numbers of its
// neighbours.
func addGraph(g *grid.Adjacency, h io.Writer) {
	for x := range g.States() {
		fmt.Fprintf(h, "%q:", g.Label(x))
		for y := range grid.Neighbours(g, x) {
			fmt.Fprintf(h, " %d", y)
		}
	}
}

// addRows adds the positive entries of a matrix to the hash, each with its row and column.
func addRows(m *programs.Matrix, add func(...float64)) {
	for x := range m.States() {
		for _, e := range m.AppendRow(nil, nil, x) {
			add(float64(x), float64(e.To), e.P)
		}
	}
}
