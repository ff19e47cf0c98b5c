package experiments

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
	"breadboard/experiments/external"
	"breadboard/grid"
	"breadboard/grid/graphs"
	"breadboard/toys"
)

// Part is a named property in which cases differ: a selector, or T in decimal digits.
type Part struct{ Name, Value string }

// Parts returns the properties in which cases differ, in the order in which a sweep walks a grid. In a case of
// Selection.Cases every value is in canonical form: .5 is written 0.5, sigmoid is sigmoid:4, via:FILE is via:0.5:FILE, and the paths of
// files stay as they were given. One distribution may still have names of several families: q:0 and arithmetic, easy
// and random:2:0, tempered:0 and uniform are different cases. In a case built in Go the values are the case's fields.
func (c *Case) Parts() []Part {
	initial := c.Initial
	if initial == "" {
		initial = uniform
	}
	return []Part{{"toy", c.Toy.Name}, {"path", c.Path}, {"initial", initial}, {"schedule", c.Schedule}, {"kernel", c.Kernel}, {"T", strconv.Itoa(c.T)}}
}

// Key returns the text by which a case is known, from which its random numbers derive: its parts, with a hash of the
// numbers that were read in place of the path of every file. So a file may be moved or copied, or be written as .npy
// instead of CSV, and the case stays the same; it is another case when the numbers in the file change. For a kernel in
// another program the key has the command, since nobody can tell what a program will answer. Code that builds a case in Go
// must give it names that no other case has: the key of a toy, a kernel or an annealing that came from no file has nothing
// but its name. For a graph that is read from a list of edges, the hash includes its labels and neighbours, in their order.
func (c *Case) Key() string {
	var key []string
	for _, p := range c.Parts() {
		value := p.Value
		if file := fileOf(value); file != "" {
			value = strings.TrimSuffix(value, file) + c.contents(p.Name)
		} else if p.Name == "toy" && len(toys.FilesOf(value)) > 0 {
			value = "graph:" + c.contents(p.Name)
		}
		key = append(key, strconv.Quote(value))
	}
	return strings.Join(key, " ")
}

// fileOf returns the file that a selector names, and "" where it names none.
func fileOf(selector string) string {
	if path := external.Forms().File(selector); path != "" {
		return path
	}
	return toys.FileOf(selector)
}

// contents returns a hash of the numbers that a part of the case has read from a file. A case without an annealing holds the
// numbers of its toy alone; for any other part of it contents returns "?".
func (c *Case) contents(part string) string {
	h := sha256.New()
	add := func(numbers ...float64) {
		for _, v := range numbers {
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	switch {
	case part == "toy":
		h.Write([]byte(c.Toy.Space.String()))
		if g, read := c.Toy.Space.(*graphs.Adjacency); read {
			addGraph(g, h)
		}
		add(c.Toy.G...)
	case c.Annealing == nil:
		return "?"
	case part == "initial":
		add(logF(c.Annealing.Path(), 0)...)
	case part == "path":
		for _, beta := range c.Annealing.Path().Kinks() {
			add(logF(c.Annealing.Path(), beta)...)
		}
	case part == "schedule":
		for t := 1; t <= c.T; t++ {
			add(c.Annealing.Beta(t))
		}
	case part == "kernel":
		for t := 2; t <= c.T; t++ {
			if m, ok := c.Annealing.KernelAt(t).(*external.Matrix); ok {
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

// addGraph writes the labels of a graph's states to the hash, each with the numbers of its neighbours.
func addGraph(g *graphs.Adjacency, h io.Writer) {
	for x := range g.States() {
		fmt.Fprintf(h, "%q:", g.Label(x))
		for y := range grid.Neighbours(g, x) {
			fmt.Fprintf(h, " %d", y)
		}
	}
}

// addRows adds the positive entries of a matrix to the hash, each with its row and column.
func addRows(m *external.Matrix, add func(...float64)) {
	for x := range m.States() {
		for _, e := range m.AppendRow(nil, nil, x) {
			add(float64(x), float64(e.To), e.P)
		}
	}
}
