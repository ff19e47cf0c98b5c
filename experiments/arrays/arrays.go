// Package arrays answers: which exact arrays does one annealing have? It gives the laws, the marginals, the gap by stage, the law of log w
// and the rows of the kernel as plain numbers with names and shapes, for programs that draw or compute on with them, and the kernels and the whole
// annealing as Markov chains, for model checkers. It computes nothing of its own, writes no files, and never rounds.
package arrays

import (
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments"
)

// Array is an array of numbers or of texts; one of the three lists of values is set. Values are in C order: the last index moves fastest.
type Array struct {
	Name     string
	Group    string // the name of the arrays that stand together in a table with a row for each value; empty for those that no table has
	Axes     []Axis // from the outermost to the innermost; none for a single value
	Floats   []float64
	Integers []int
	Texts    []string
}

// Axis is an axis of an array, or the several axes of a grid together.
type Axis struct {
	Sides   []int // as the shape of the array has them
	Columns []Column
}

// Column says in a table where a value stands on an axis: its stage, its state, its coordinate.
type Column struct {
	Name string
	Of   []int    // by the place on the axis, or else
	Text []string // a text by the place on the axis
}

// Length returns the number of places on the axis.
func (a Axis) Length() int { return product(a.Sides) }

func product(sides []int) int {
	n := 1
	for _, s := range sides {
		n *= s
	}
	return n
}

// Shape returns the sides of all axes.
func (a *Array) Shape() []int {
	shape := []int{}
	for _, axis := range a.Axes {
		shape = append(shape, axis.Sides...)
	}
	return shape
}

// Options says which arrays are wanted.
type Options struct {
	Names    []string        // of Kinds, or of Sets; where empty, those that are Standard
	Stages   Stages          // for the arrays that have an axis of stages, and for kernels
	Bytes    int             // what the caller will take for each number beside the number itself, for the estimate of memory
	Progress func(steps int) // may be nil
	// LeftOut is told what was asked for as part of something, and does not exist since f has zeros, as "array contributions". Where it is nil
	// arrays of which that is so are errors.
	LeftOut func(what string)
}

// MaxBytes is the most memory that the arrays of one annealing may take together.
const MaxBytes = 2e9

// Validate returns an error that says why Of would refuse the cases, and nil where it would not.
func (o Options) Validate(cases []experiments.Case) error {
	names := append(Sets(), Names()...)
	for i, name := range o.Names {
		switch {
		case !slices.Contains(names, name):
			return selector.UnknownError("array", name, names)
		case slices.Contains(o.Names[:i], name):
			return chains.NewAdvice("{arrays} names %s twice; leave one out", name)
		}
	}
	for i := range cases {
		c := &cases[i]
		if err := experiments.NeedsStates(c.Toy, "an array"); err != nil {
			return err
		}
		stages, err := o.Stages.Of(c.Distributions())
		if err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
		s := size{states: float64(c.Toy.Space.States()), T: float64(c.Distributions()), stages: float64(len(stages))}
		numbers := 0.0
		for _, k := range o.kinds(c) {
			if k.kernel && stages[len(stages)-1] < 2 {
				return chains.NewAdvice("%s: stage 1 has no kernel; give {stages} from 2 on for the array %s", c, k.Name)
			}
			if n := c.Toy.Space.States(); k.most > 0 && n > k.most {
				return chains.NewAdvice("%s: there are %d states, and the array %s is for up to %d; give kernel_csr in {arrays}, which has the entries that are not zero", c, n, k.Name, k.most)
			}
			if k.numbers != nil {
				numbers += k.numbers(c, s)
			}
		}
		if bytes := numbers * float64(8+o.Bytes); bytes > MaxBytes {
			return chains.NewAdvice("%s: the arrays have about %.3g numbers and would take %.3g GB; the limit is %.3g GB: give fewer {stages}, or fewer {arrays}",
				c, numbers, bytes/1e9, MaxBytes/1e9)
		}
	}
	return nil
}

// kinds returns the kinds of arrays that are wanted of a case, in the order in which they were named.
func (o Options) kinds(c *experiments.Case) (list []Kind) {
	names := o.Names
	if len(names) == 0 {
		names = []string{setStandard}
	}
	for _, name := range names {
		for _, k := range Kinds() {
			standard := k.Standard && (k.Name != "labels" || c.Toy.InWords())
			asked := name == k.Name || name == setAll && !k.apart || name == setStandard && standard
			if asked && !slices.ContainsFunc(list, func(other Kind) bool { return other.Name == k.Name }) {
				list = append(list, k)
			}
		}
	}
	return list
}

// Of computes the arrays of a case. It fails where Validate does, and where what an array holds does not exist; the error names the case.
func Of(ctx context.Context, c experiments.Case, o Options) ([]Array, error) {
	m, err := newMaker(ctx, c, o)
	if err != nil {
		return nil, err
	}
	var out []Array
	for _, k := range o.kinds(&c) {
		if k.positive && c.Annealing().Path().Zeros() && o.LeftOut != nil && !slices.Contains(o.Names, k.Name) {
			o.LeftOut("array " + k.Name)
			continue
		}
		made, err := k.make(m)
		if err != nil {
			return nil, c.Wrong(fmt.Errorf("array %s: %w", k.Name, err))
		}
		for i := range made {
			if made[i].Name == "" {
				made[i].Name, made[i].Group = k.Name, k.Name
			}
		}
		out = append(out, made...)
	}
	return out, nil
}
