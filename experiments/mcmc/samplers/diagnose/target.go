package diagnose

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/chains/errs"
	"breadboard/chains/simulate"
	"breadboard/exact/averages"
	"breadboard/experiments/draws"
	"breadboard/experiments/draws/codes"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/subject"
	"breadboard/toys"
	"breadboard/toys/models"
)

// stateColumn is the name of a column of states, which are numbered from 0 or named by their
// labels.
const stateColumn = "state"

// Target is the intended target of external chains. It gives the means of its functions.
type Target struct {
	Toy       *toys.Toy
	functions []samplers.Function // the requested functions of the states
	chain     *averages.Chain
	Codes     *codes.Codes // how its states are written
	// the variables, or states, written as numbers that may be meant as labels or as codes from 1
	// on
	numbered map[string]bool
}

// NewTarget returns a toy as the target of draws, with functions of its states by their selectors.
// It fails if a selector is wrong, or is that of a vector.
func NewTarget(toy *toys.Toy, functions []string) (*Target, error) {
	t := &Target{
		Toy:      toy,
		Codes:    codes.OfToy(toy),
		numbered: map[string]bool{},
		chain:    &averages.Chain{Target: slices.Clone(toy.G), LogF: toy.G},
	}
	chains.Normalize(t.chain.Target)
	if slices.ContainsFunc(t.chain.Target, math.IsNaN) {
		return nil, fmt.Errorf("every state of %s has probability zero", toy.Name)
	}
	return t, t.chooseFunctions(functions)
}

func (t *Target) chooseFunctions(selectors []string) error {
	for _, selector := range selectors {
		f, err := samplers.ParseFunction(selector, t.Toy, t.chain)
		if err != nil {
			return err
		}
		if !f.IsScalar() {
			return errs.New(
				"{function} %s is a vector, but diagnostics are for numbers; give functions such as x0",
				f.Name,
			)
		}
		t.functions = append(t.functions, f)
	}
	return nil
}

// standard returns the functions that are diagnosed of a column of states if none are asked for:
// the axes, and g if there are none.
func (t *Target) standard() (functions []samplers.Function) {
	for _, axis := range t.Toy.Variables() {
		if f, err := samplers.ParseFunction(axis.Name, t.Toy, t.chain); err == nil { // else it is constant
			functions = append(functions, f)
		}
	}
	if functions == nil {
		if f, err := samplers.ParseFunction("g", t.Toy, t.chain); err == nil {
			functions = append(functions, f)
		}
	}
	return functions
}

// axis returns the axis that a variable is, and -1 if it is none.
func (t *Target) axis(variable string) int {
	return slices.IndexFunc(t.Toy.Variables(), func(a models.Axis) bool { return codes.Same(a.Name, variable) })
}

// isState reports whether a variable has the states themselves: it is called state, and no axis is.
func (t *Target) isState(variable string) bool {
	return variable == stateColumn && t.axis(stateColumn) < 0
}

// Own reports whether a column is a variable of the target, even if its name has another role.
func (t *Target) Own(column string) bool {
	return t.isState(column) || t.axis(column) >= 0 || t.observed(column) >= 0
}

// observed returns the observed variable that a variable is, and -1 if it is none.
func (t *Target) observed(variable string) int {
	return slices.IndexFunc(t.Toy.Observed, func(a models.Axis) bool { return codes.Same(a.Name, variable) })
}

// Domain returns the function from cells to the values of a variable: for states, and for axes with
// labels or coordinates. Observed variables have one value. It is nil if any number is allowed: for
// a variable that is not an axis, and for an axis with values of its own, as on a grid.
func (t *Target) Domain(variable string) func(cell string) (float64, error) {
	if at := t.observed(variable); at >= 0 {
		return func(cell string) (float64, error) {
			x, err := t.Codes.Coordinate(t.Toy.Observed[at], 1, cell)
			return float64(x), err
		}
	}
	i := t.axis(variable)
	if !t.isState(variable) &&
		(i < 0 || t.Toy.Variables()[i].Values != nil && t.Toy.Variables()[i].Labels == nil) {
		return nil
	}
	return func(cell string) (float64, error) {
		if _, _, number := draws.ParseNumber([]byte(cell)); number &&
			(i < 0 || !slices.Contains(t.Toy.Variables()[i].Labels, cell)) {
			t.numbered[variable] = true
		}
		if t.isState(variable) {
			x, err := t.Codes.State(cell)
			return float64(x), err
		}
		axis := t.Toy.Variables()[i]
		at, err := t.Codes.Coordinate(axis, t.Toy.Lattice().Sides()[i], cell)
		return axis.ValueAt(at), err
	}
}

// Elements returns the names of the numbers of a draw in an array without names: the axes, or the
// state; nil for other numbers of them.
func (t *Target) Elements(n int) (names []string) {
	axes := t.Toy.Variables()
	if n == len(axes) {
		for _, axis := range axes {
			names = append(names, axis.Name)
		}
		return names
	}
	if n == 1 {
		return []string{stateColumn}
	}
	return nil
}

// fromOne returns a doubt if a variable whose values were written as numbers is never 0 along
// draws, though that is to be expected, and their mean is nearer to that of values from 1 on.
// Programs that count from 1, as JAGS and R do, write the first value as 1, which is the second one
// here.
func (t *Target) fromOne(variable string, draws diagnostics.Draws) (doubt *errs.Advice, ok bool) {
	if !t.numbered[variable] || t.Codes.Base == 1 {
		return doubt, false
	}
	// of the draws over the exact mean
	total := 0
	excess := 0.0
	for _, x := range draws {
		if slices.Contains(x, 0) {
			return doubt, false
		}
		total += len(x)
		excess += floats.Sum(x)
	}
	p := t.chain.Target[0]
	i := t.axis(variable)
	value := func(x int) int { return x }
	if i >= 0 {
		if axis := t.Toy.Variables()[i]; axis.Values != nil && axis.ValueAt(0) != 0 {
			return doubt, false
		}
		p = 0
		value = func(x int) int { return t.Toy.Lattice().Coord(x, i) }
	}
	for x, q := range t.chain.Target {
		if i >= 0 && value(x) == 0 {
			p += q
		}
		excess -= q * float64(value(x)) * float64(total)
	}
	if p*float64(total) < 1 || excess < float64(total)/2 {
		return doubt, false
	}
	return errs.New(
		"%s is never 0, a value of probability %.4g: values are counted from 0 here; if your program "+
			"counts from 1, like JAGS and R, give {base} 1",
		variable,
		p,
	), true
}

// function returns the function of the target that a variable is. It is nil if the variable is
// none, and the note says so if it is one without a standard deviation.
func (t *Target) function(variable string) (f *averages.Function, selector, note string) {
	base := variable // of an indicator, as x0<=3
	if at := strings.IndexAny(variable, "<="); at > 0 {
		base = variable[:at]
	}
	for _, name := range t.names() {
		if !codes.Same(name, base) {
			continue
		}
		selector := name + strings.TrimPrefix(variable, base)
		f, err := samplers.ParseFunction(selector, t.Toy, t.chain)
		if err != nil {
			return nil, "", "no exact value: " + err.Error()
		}
		return f.Parts[0], selector, ""
	}
	return nil, "", ""
}

func (t *Target) names() []string {
	names := append([]string{"g"}, samplers.AxisFunctions(t.Toy)...)
	if len(names) == 1 {
		for _, axis := range t.Toy.Variables() {
			names = append(names, axis.Name)
		}
	}
	if t.Toy.Lattice() != nil {
		names = append(names, "sum")
	}
	if len(t.Toy.Mode) > 0 {
		names = append(names, "mode")
	}
	return names
}

// states returns the state of every draw, by chain, if the files have a column of states or one of
// each axis; else it says what is missing.
func (t *Target) states(d *files.Draws) (states [][]int32, missing string) {
	if at := slices.IndexFunc(d.Names, t.isState); at >= 0 {
		return wholes(d, at), d.NotFinite[at]
	}
	axes := t.Toy.Variables()
	if len(axes) == 0 {
		return nil, "there is no column " + stateColumn
	}
	columns := make([]int, len(axes))
	for i, axis := range axes {
		columns[i] = slices.IndexFunc(d.Names, func(name string) bool { return codes.Same(axis.Name, name) })
		switch {
		case columns[i] < 0:
			return nil, "there is no column " + axis.Name + ", and none " + stateColumn
		case d.NotFinite[columns[i]] != "":
			return nil, d.NotFinite[columns[i]]
		}
	}
	sides := t.Toy.Lattice().Sides()
	for k := range d.Sources {
		states = append(states, make([]int32, len(d.Values[0][k])))
		for i, axis := range axes {
			for draw, v := range d.Values[columns[i]][k] {
				c := coordinateAt(axis, v)
				if c < 0 {
					return nil, fmt.Sprintf("draw %d of %s has %v as %s, which is not a value of that axis",
						draw+1, d.Sources[k], v, axis.Name)
				}
				states[k][draw] = states[k][draw]*int32(sides[i]) + int32(c)
			}
		}
	}
	for i, axis := range axes { // the exact values, of which files may have few digits
		values := make([][]float64, len(states))
		for k, x := range states {
			for _, state := range x {
				values[k] = append(values[k], axis.ValueAt(t.Toy.Lattice().Coord(int(state), i)))
			}
		}
		d.Values[columns[i]] = values
	}
	return states, ""
}

func wholes(d *files.Draws, column int) (states [][]int32) {
	if d.NotFinite[column] != "" {
		return nil
	}
	for _, chain := range d.Values[column] {
		x := make([]int32, len(chain))
		for i, v := range chain {
			x[i] = int32(v)
		}
		states = append(states, x)
	}
	return states
}

// coordinateAt returns the coordinate of a value on an axis, and -1 if it has no such value.
func coordinateAt(axis models.Axis, v float64) int {
	if axis.Values == nil {
		return int(v) // which the reader has seen to be one
	}
	return axis.Written(v, strconv.FormatFloat(v, 'g', -1, 64))
}

// MaxDraws is the largest number of draws in all chains of a setting, which with their diagnostics
// take about 2 GiB.
const MaxDraws = 1 << 24

// blockChains is the number of chains that share a stream of random numbers.
const blockChains = 4

// Simulate returns the values of the function of a setting along independent chains of N samples.
// They depend only on the seed, the target, the kernel, the start and its warm-up: all functions
// see the same chains, the chains of a smaller N are the beginnings of longer ones in groups of
// four, and the number of workers does not matter. It fails for a vector of functions, for more
// than MaxDraws draws in all, and if the context ends.
func Simulate(ctx context.Context, s samplers.Setting, chains int, seed uint64,
	workers int) (diagnostics.Draws, error) {
	if !s.Function.IsScalar() {
		return nil, fmt.Errorf("function %s is a vector, but diagnostics are for numbers", s.Function.Name)
	}
	if chains < 1 || s.N < 1 || int64(chains) > MaxDraws/s.N {
		return nil, errs.New("%d chains of %d samples; give at least one of each, and together at most %d",
			chains, s.N, MaxDraws)
	}
	walk, err := simulate.NewWalk(s.Start.Law, s.Chain.Rows.Row)
	if err != nil {
		return nil, err
	}
	values := s.Function.Parts[0].Raw
	draws := make(diagnostics.Draws, chains)
	purpose := purpose(&s)
	err = subject.Parallel(
		ctx, (chains+blockChains-1)/blockChains, workers, func(ctx context.Context, block int) error {
			first := block * blockChains
			// All chains of a block are run even if fewer are asked for, so that these are the
			// same.
			paths, err := walk.Run(ctx, simulate.NewStream(seed, purpose, block), blockChains, int(s.N))
			if err != nil {
				return err
			}
			for k, path := range paths[:min(blockChains, chains-first)] {
				x := make([]float64, len(path))
				for i, state := range path {
					x[i] = values[state]
				}
				draws[first+k] = x
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	return draws, nil
}

// purpose names the chains of a setting. A start from a file counts by its numbers and not by its
// name.
func purpose(s *samplers.Setting) string {
	problem := subject.Case{Toy: s.Toy, Params: subject.Setting{Kernel: s.Named}.Params(), Reader: s.Reader}
	start := s.Start.Name
	if strings.HasPrefix(start, "file:") {
		h := sha256.New()
		for _, q := range s.Start.Law {
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(q)))
		}
		start = "file:" + hex.EncodeToString(h.Sum(nil)[:16])
	}
	return fmt.Sprintf("samplers %s from %s after %d", problem.Key(), start, s.Warmup)
}

// real returns the RESS of the means, the variances and the distributions of chains of draws of a
// function: K R over the sum of their squared errors (Eq. 4), in units of the target. It is
// infinite if no chain is off. The last one is that of the distribution by the Kolmogorov-Smirnov
// distance, whose R is given.
func real(draws diagnostics.Draws, f *averages.Function,
	free float64) (mean, variance, distribution, ks float64) {
	var squares [4]float64
	for _, chain := range draws {
		a, b, c, d := squaredErrors(chain, f)
		squares[0], squares[1], squares[2], squares[3] = squares[0]+a, squares[1]+b, squares[2]+c,
			squares[3]+d
	}
	k := float64(len(draws))
	return k / squares[0], k * f.IndependentVariance(int64(len(draws[0]))) / squares[1],
		k * f.IndependentCvM() / squares[2], k * free / squares[3]
}

// squaredErrors returns the squared errors of the mean and of the variance (divisor N - 1) of a
// chain in units of the target, and its Cramer-von Mises distance, as averages.Errors defines them,
// and the square of its Kolmogorov-Smirnov distance.
func squaredErrors(chain []float64, f *averages.Function) (mean, variance, distribution, ks float64) {
	n := float64(len(chain))
	counts := make([]float64, len(f.Levels.Values)+1)
	total := 0.0
	around := 0.0
	for _, v := range chain {
		level, _ := f.Levels.Find(v)
		counts[level]++
		total += (v - f.Mean) / f.SD
	}
	mean = total / n
	for _, v := range chain {
		d := (v-f.Mean)/f.SD - mean
		around += d * d
	}
	variance = around/(n-1) - 1
	at := 0.0
	below := 0.0
	for level, mass := range f.Masses {
		at += counts[level] / n
		below += mass
		distribution += mass * (at - below) * (at - below)
		ks = max(ks, (at-below)*(at-below))
	}
	return mean * mean, variance * variance, distribution, ks
}
