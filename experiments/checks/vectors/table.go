// Package vectors answers: do plain functions of Monte Carlo code return the right values? It has a
// table of routines. Each has its definition, in numbers of 224 bits, and cases whose inputs
// were chosen to show mistakes. It judges a user's answers to these cases. It draws nothing.
//
// Source: the form of the files is that of Project Wycheproof, which tests cryptography this way.
package vectors

import (
	_ "embed" // for the cases
	"encoding/json"
	"math"
	"slices"
	"sync"
)

// Shape is the number of indices of a value.
type Shape int

// The shapes.
const (
	Number Shape = iota
	List
	matrix
)

// String returns the name of the shape.
func (s Shape) String() string { return [...]string{"number", "list", "matrix"}[s] }

// Argument is an input of a routine.
type Argument struct {
	Name    string
	Shape   Shape
	Meaning string
}

// inputs are the inputs of a case, in the order of the arguments. Each is a matrix; a number has
// one entry, and a list one row.
type inputs [][][]float64

func (in inputs) number(i int) float64 { return in[i][0][0] }
func (in inputs) num(i int) num        { return exactNumber(in.number(i)) }
func (in inputs) wholeInput(i int) int { return int(in.number(i)) }
func (in inputs) list(i int) []float64 { return in[i][0] }
func (in inputs) nums(i int) []num     { return nums(in[i][0]) }
func (in inputs) wholes(i int) []int {
	return mapped(in[i][0], func(v float64) int { return int(v) })
}
func (in inputs) matrix(i int) [][]num       { return mapped(in[i], nums) }
func value(v float64) [][]float64            { return [][]float64{{v}} }
func newInputs(values ...[][]float64) inputs { return values }
func aNumber(v num) [][]num                  { return [][]num{{v}} }
func aList(v []num) [][]num                  { return [][]num{v} }
func wholeNums(v []int) []num {
	return mapped(v, func(k int) num { return exactNumber(float64(k)) })
}
func scalars(f func(inputs) num) answer { return func(in inputs) [][]num { return aNumber(f(in)) } }
func lists(f func(inputs) []num) answer { return func(in inputs) [][]num { return aList(f(in)) } }

// answer is a function of inputs.
type answer func(in inputs) [][]num

// Routine is a function that users write.
type Routine struct {
	Name       string
	Definition string // the result, in words
	Source     string
	Inputs     []Argument
	Output     Shape
	// Tolerance is the largest allowed error, relative to the larger of the size of the answer and
	// the scale of the case.
	Tolerance float64
	scale     func(in inputs) float64
	define    answer
	cases     []example
	answered  func() []Case // made once
}

// example is a case before it is answered.
type example struct {
	name, comment string
	in            inputs
}

// written has the inputs of the routines that draw none, with a name and a comment.
//
//go:embed cases.json
var written []byte

var families = sync.OnceValue(func() (all map[string][][]json.RawMessage) {
	if err := json.Unmarshal(written, &all); err != nil {
		panic(err) // it is part of the program
	}
	return all
})

// examples returns the cases of a family.
func examples(family string) []example {
	return mapped(families()[family], func(row []json.RawMessage) (c example) {
		_, _ = json.Unmarshal(row[0], &c.name), json.Unmarshal(row[1], &c.comment)
		for _, data := range row[2:] {
			in, err := readAnswer(data)
			if err != nil {
				panic(err)
			}
			c.in = append(c.in, mapped(in.value, func(v []num) []float64 { return mapped(v, num.float) }))
		}
		return c
	})
}

// Case is an input with its exact answer.
type Case struct {
	ID, Comment string
	Inputs      inputs
	Answer      [][]num
	Scale       float64
}

// AnsweredCases returns the cases with their answers.
func (r *Routine) AnsweredCases() []Case { return r.answered() }

func (r *Routine) answers() []Case {
	return mapped(r.cases, func(c example) Case {
		return Case{
			ID:      c.name,
			Comment: c.comment,
			Inputs:  c.in,
			Answer:  r.define(c.in),
			Scale:   r.scale(c.in),
		}
	})
}

// largestError returns the largest error of an answer, relative to the larger of the size and the
// scale: +Inf for another shape, or if only one of the two is undefined or infinite.
func largestError(a, b [][]num, scale float64) (most float64) {
	if !slices.EqualFunc(a, b, func(x, y []num) bool { return len(x) == len(y) }) {
		return math.Inf(1)
	}
	for i := range a {
		for j, x := range a[i] {
			y := b[i][j]
			switch {
			case x.v == nil && y.v == nil, x.v != nil && y.v != nil && x.v.Cmp(y.v) == 0:
			case x.v == nil || y.v == nil || x.infinite() || y.infinite():
				return math.Inf(1)
			default:
				most = max(most, x.minus(y).abs().over(larger(y.abs(), exactNumber(scale))).float())
			}
		}
	}
	return most
}

// The scales of errors: the smallest number with all its digits, one, or the largest input
// if that is above one.
func itself(inputs) float64 { return 0x1p-1022 }
func unit(inputs) float64   { return 1 }
func largest(in inputs) float64 {
	top := 1.0
	for _, rows := range in {
		for _, row := range rows {
			for _, v := range row {
				if !math.IsInf(v, 0) {
					top = max(top, math.Abs(v))
				}
			}
		}
	}
	return top
}

// All returns the routines, in the order in which they are listed.
var All = sync.OnceValue(func() []*Routine {
	all := slices.Concat(ofWeights(), ofChains(), ofAcceptance(), ofHMM(), ofResampling(), ofAnnealing(),
		ofDistances(), ofRanks(), ofNested())
	for _, r := range all {
		r.answered = sync.OnceValue(r.answers)
	}
	return all
})
