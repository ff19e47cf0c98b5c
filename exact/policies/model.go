package policies

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Model is a pair of policies over layers of states. Its methods may be called from several
// goroutines at once.
//
//	q(x_0, ..., x_n) = q_0(x_0) product over i of P_F(x_(i+1)|x_i)
//
//	p(x_0, ..., x_n) = f(x_n)/Z product over i of P_B(x_i|x_(i+1))
//
// are the distributions of a path with one state in each of its layers, forward and backward.
type Model interface {
	Size() int                              // the states have numbers from 0 to Size() - 1
	Layers() int                            // the number of layers
	Layer(x int) int                        // the layer of a state
	Initial(x int) float64                  // log q_0 of a state of layer 0
	Target(x int) (logf float64, ends bool) // log f where paths end, and whether they do
	Out(dst []Edge, x int) []Edge           // appends the steps from x to the next layer
	In(dst []Edge, y int) []Edge            // appends the steps to y from the layer before
}

// Edge is a step between two states, of which one is known. It is -Inf for a policy that never
// makes the step.
type Edge struct {
	State             int     // the other state
	Forward, Backward float64 // log P_F and log P_B of the step
}

// Step is an entry of a row of a policy: the state that it goes to, with the log probability.
type Step struct {
	To   int
	LogP float64
}

// Rows returns the row of a policy at a state.
type Rows func(x int) ([]Step, error)

// Table is a Model of which all steps are listed.
type Table struct {
	// Scaled is the largest distance of the sum of a row from one before it was divided by it.
	Scaled  float64
	layer   []int
	layers  int
	initial []float64
	logf    []float64
	out, in adjacency
}

// adjacency lists the steps of each state.
type adjacency struct {
	start []int
	edges []Edge
}

func (a *adjacency) edgesOf(x int) []Edge { return a.edges[a.start[x]:a.start[x+1]] }

// Setup describes a Table.
type Setup struct {
	Layer   []int           // the layer of each state, from 0 on
	Initial map[int]float64 // log probabilities of states of layer 0; nil if there is one state
	// LogF is log f of each state where paths end, and NaN for all others.
	LogF              []float64
	Forward, Backward Rows
}

// MaxScaled is the largest allowed distance of the sum of a row from one. Rows in float32 are
// within it.
const MaxScaled = 1e-5

// NewTable lists the steps of both policies. Every state before the end needs a forward row, and
// every state after layer 0 a backward row, which sum to one within 1e-5; they are divided by their
// sums. It fails if a step does not lead to the next layer.
func NewTable(s Setup) (*Table, error) {
	t := &Table{layer: s.Layer, logf: s.LogF, initial: make([]float64, len(s.Layer))}
	if err := t.readInitial(s.Initial); err != nil {
		return nil, err
	}
	steps := map[[2]int]*Edge{}
	at := func(x, y int) *Edge {
		e := steps[[2]int{x, y}]
		if e == nil {
			e = &Edge{Forward: math.Inf(-1), Backward: math.Inf(-1)}
			steps[[2]int{x, y}] = e
		}
		return e
	}
	for x, layer := range s.Layer {
		if math.IsNaN(s.LogF[x]) {
			row, err := t.normalisedRow(s.Forward, "forward", x, layer+1)
			if err != nil {
				return nil, err
			}
			for _, e := range row {
				edge := at(x, e.To)
				edge.Forward = number.LogPlus(edge.Forward, e.LogP)
			}
		}
		if layer > 0 {
			row, err := t.normalisedRow(s.Backward, "backward", x, layer-1)
			if err != nil {
				return nil, err
			}
			for _, e := range row {
				if edge := at(e.To, x); math.IsNaN(s.LogF[e.To]) {
					edge.Backward = number.LogPlus(edge.Backward, e.LogP)
				} else {
					return nil, fmt.Errorf("the backward policy goes from state %d to state %d, where paths end",
						x, e.To)
				}
			}
		}
	}
	t.listSteps(steps)
	return t, nil
}

// readInitial counts the layers, and reads the distribution of the first state.
func (t *Table) readInitial(initial map[int]float64) error {
	for x, layer := range t.layer {
		t.layers = max(t.layers, layer+1)
		t.initial[x] = math.Inf(-1)
		if layer == 0 && initial == nil {
			t.initial[x] = 0
		}
	}
	for x, p := range initial {
		t.initial[x] = p
	}
	var first []float64
	for x, p := range t.initial {
		if t.layer[x] == 0 {
			first = append(first, p)
		}
	}
	if sum := number.LogSumExp(first); !(math.Abs(math.Expm1(sum)) <= MaxScaled) {
		return errs.New("the probabilities of the first states sum to %v; they must sum to 1", math.Exp(sum))
	}
	return nil
}

// normalisedRow returns a row of a policy, divided by its sum.
func (t *Table) normalisedRow(rows Rows, name string, x, layer int) ([]Step, error) {
	row, err := rows(x)
	if err != nil {
		return nil, fmt.Errorf("the %s policy in state %d: %w", name, x, err)
	}
	logs := make([]float64, len(row))
	for i, e := range row {
		switch {
		case e.To < 0 || e.To >= len(t.layer) || t.layer[e.To] != layer:
			return nil, fmt.Errorf("the %s policy goes from state %d to %d, which is not in layer %d",
				name, x, e.To, layer)
		case !(e.LogP <= MaxScaled):
			return nil, errs.New(
				"the %s policy goes from state %d to %d with probability exp(%v); give one from 0 to 1",
				name,
				x,
				e.To,
				e.LogP,
			)
		}
		logs[i] = e.LogP
	}
	sum := number.LogTotal(logs)
	off := math.Abs(math.Expm1(sum))
	if !(off <= MaxScaled) {
		return nil, errs.New("the row of the %s policy in state %d sums to %v; it must sum to 1",
			name, x, math.Exp(sum))
	}
	t.Scaled = max(t.Scaled, off)
	row = slices.Clone(row)
	for i := range row {
		row[i].LogP -= sum
	}
	return row, nil
}

// listSteps makes both lists of steps. The order is that of the states, whatever order the map has.
func (t *Table) listSteps(steps map[[2]int]*Edge) {
	ends := make([][2]int, 0, len(steps))
	for pair, e := range steps {
		if e.Forward > math.Inf(-1) || e.Backward > math.Inf(-1) {
			ends = append(ends, pair)
		}
	}
	adjacent := func(own, other int) adjacency {
		slices.SortFunc(ends, func(a, b [2]int) int {
			if a[own] != b[own] {
				return a[own] - b[own]
			}
			return a[other] - b[other]
		})
		a := adjacency{start: make([]int, len(t.layer)+1)}
		for _, pair := range ends {
			e := *steps[pair]
			e.State = pair[other]
			a.edges = append(a.edges, e)
			a.start[pair[own]+1]++
		}
		for x := range t.layer {
			a.start[x+1] += a.start[x]
		}
		return a
	}
	t.out, t.in = adjacent(0, 1), adjacent(1, 0)
}

// Size implements Model, as do the methods below.
func (t *Table) Size() int { return len(t.layer) }

func (t *Table) Layers() int                  { return t.layers }
func (t *Table) Layer(x int) int              { return t.layer[x] }
func (t *Table) Initial(x int) float64        { return t.initial[x] }
func (t *Table) Out(dst []Edge, x int) []Edge { return append(dst, t.out.edgesOf(x)...) }
func (t *Table) In(dst []Edge, y int) []Edge  { return append(dst, t.in.edgesOf(y)...) }
func (t *Table) Target(x int) (logf float64, ends bool) {
	return t.logf[x], !math.IsNaN(t.logf[x])
}
