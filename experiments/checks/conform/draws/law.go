// Package draws answers: are these independent draws from this distribution? It tests the frequency
// of each state and the dependence of each draw on earlier ones, and names the known mistake that
// explains a fault.
//
// Its tests are e-processes, which are averaged and may be read at any time. It never draws, and
// never runs a program.
package draws

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/experiments/draws/codes"
	"breadboard/experiments/draws/files"
	"breadboard/toys"
)

// Law is a distribution of states.
type Law struct {
	Name  string
	P     []float64 // 0 only if a state is impossible
	Codes *codes.Codes
}

// OfToy returns the distribution of a toy. A positive probability that underflows becomes the
// smallest float64, so that no possible state counts as impossible.
func OfToy(toy *toys.Toy) (*Law, error) {
	p := slices.Clone(toy.G)
	chains.Normalize(p)
	if slices.ContainsFunc(p, math.IsNaN) {
		return nil, fmt.Errorf("every state of %s has probability zero", toy.Name)
	}
	for x, g := range toy.G {
		if !math.IsInf(g, -1) {
			p[x] = max(p[x], math.SmallestNonzeroFloat64)
		}
	}
	return &Law{toy.Name, p, codes.OfToy(toy)}, nil
}

// offTotal is how far probabilities may be from adding up to one, for their digits in a text of
// float64.
const offTotal = 1e-9

// ReadLaw reads a distribution from a table with a row for each state: its label, in the column
// label or state, and its probability. The probabilities sum to one.
func ReadLaw(ctx context.Context, path string) (*Law, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, errs.New(
			"{law} %s: write the distribution to a file with a header label,probability and a row for each state; "+
				"the distribution of a toy is given by {toy}",
			path,
		)
	}
	r, err := files.OpenTable(ctx, path, files.TableOptions{Row: func(cells []string) bool {
		_, err := tables.Floats(cells[len(cells)-1])
		return len(cells) == 2 && err == nil
	}})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	names := r.Names()
	if names == nil {
		names = []string{"label", "probability"}
	}
	probability := slices.IndexFunc(names, func(name string) bool { return tables.RoleOf(name) == tables.Density })
	at := slices.IndexFunc(names, func(name string) bool { return name == "" || name == "label" || name == string(tables.State) })
	if len(names) != 2 || probability < 0 || at < 0 {
		return nil, r.WrongColumns("the columns "+selector.Listed(names), "write two, as in label,probability")
	}
	var labels []string
	l := &Law{Name: path}
	seen := map[string]bool{}
	for {
		cells, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		label := string(cells[at].Text())
		p, ok := cells[probability].Number()
		switch {
		case !ok || !(p >= 0 && p <= 1):
			return nil, r.Wrong(names[probability], cells[probability].Found(), "write a number from 0 to 1")
		case seen[label]:
			return nil, r.Wrong(names[at], cells[at].Found()+" a second time", "write each state once")
		}
		seen[label] = true
		labels = append(labels, label)
		l.P = append(l.P, p)
	}
	if total := number.Total(l.P); math.Abs(total-1) > offTotal {
		return nil, errs.New(
			"%s: the probabilities add up to %.12g, but must add up to 1 to nine digits; write them with all digits",
			path,
			total,
		)
	}
	l.Codes = codes.OfLabels(labels)
	return l, nil
}

// other is a distribution that draws have where a known mistake was made.
type other struct {
	says string // empty if it is one of those of a family, whose parameter is fitted
	p    []float64
}

// mostExchanged is the number of axes that are exchanged with each later one.
const mostExchanged = 3

// mistakes returns the known mistakes that change the distribution.
func (l *Law) mistakes() (list []other) {
	add := func(says string, of func(x int) float64) {
		p := make([]float64, len(l.P))
		for x := range p {
			p[x] = of(x)
		}
		if total := number.Total(p); total > 0 {
			same := true
			for x := range p {
				p[x] /= total
				same = same && math.Abs(p[x]-l.P[x]) <= 1e-12*l.P[x]
			}
			if !same {
				list = append(list, other{says, p})
			}
		}
	}
	n := len(l.P)
	add("all states were drawn uniformly", func(int) float64 { return 1 })
	add("each state was written as the next one, and the last as the first",
		func(x int) float64 { return l.P[(x+n-1)%n] })
	add("each state was written as the one before, and the first as the last",
		func(x int) float64 { return l.P[(x+1)%n] })
	add("the order of the states is reversed", func(x int) float64 { return l.P[n-1-x] })
	add("each state has the probability (1 - p)/(n - 1) instead of p",
		func(x int) float64 { return 1 - l.P[x] })
	add("", func(x int) float64 { return math.Sqrt(l.P[x]) })
	add("", func(x int) float64 { return l.P[x] * l.P[x] })
	for _, bits := range []int{8, 15, 16} {
		p := make([]float64, n)
		below := 0.0
		levels := math.Ldexp(1, bits)
		for x, v := range l.P {
			p[x] = (math.Ceil(min(1, below+v)*levels) - math.Ceil(min(1, below)*levels)) / levels
			below += v
		}
		add(fmt.Sprintf("the uniform numbers behind the draws have only %d bits", bits),
			func(x int) float64 { return p[x] })
	}
	sides := l.Codes.Sides
	if len(sides) > 1 {
		add("the coordinates are in the opposite order, as in column-major numbering"+
			" or exchanged columns", func(x int) float64 {
			at := x
			turned := 0
			for k := len(sides) - 1; k >= 0; k-- {
				turned = turned*sides[k] + at%sides[k]
				at /= sides[k]
			}
			return l.P[turned]
		})
		stride := n
		strides := make([]int, len(sides))
		for k, side := range sides {
			stride /= side
			strides[k] = stride
			for j, by := range strides[:min(k, mostExchanged)] {
				if sides[j] == side && len(sides) > 2 { // of two axes this is the opposite order
					add(fmt.Sprintf("the columns %s and %s were exchanged", l.Codes.Axes[j].Name, l.Codes.Axes[k].Name),
						func(x int) float64 { return l.P[x+(x/strides[k]%side-x/by%side)*(by-strides[k])] })
				}
			}
			add("the values of "+l.Codes.Axes[k].Name+" are reversed", func(x int) float64 {
				c := x / stride % side
				return l.P[x+(side-1-2*c)*stride]
			})
		}
	}
	return list
}
