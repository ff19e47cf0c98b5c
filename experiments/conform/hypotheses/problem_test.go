package hypotheses

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

var (
	directions = []chains.Direction{chains.Forward, chains.Reverse}
	everything = Columns{First: true, Last: true, LogW: true}
)

// taskOf returns the problem of a toy with all columns.
func taskOf(t testing.TB, toyName, schedule, kernel string, T int, d chains.Direction) Problem {
	t.Helper()
	toy := longtest.Sure(toys.Parse(toyName))
	return onGrid(t, toy.Space, nil, toy.G, schedule, kernel, T, d)
}

// onGrid returns the problem of an annealing from log f_1, which is uniform where it is nil, to log f_T.
func onGrid(t rapid.TB, space grid.Graph, first, target []float64, schedule, kernel string, T int, d chains.Direction) Problem {
	t.Helper()
	path := longtest.Sure(paths.NewGeometric(first, target))
	s := longtest.Sure(schedules.Parse(schedule))
	k := longtest.Sure(kernels.Parse(kernel, space))
	a := longtest.Sure(chains.NewAnnealing(path, s, k, T))
	return Problem{Annealing: a, Space: space, Direction: d, Columns: everything, LogZ1: math.Log(float64(space.States()))}
}

// drawProblem draws an annealing of two to four distributions on a small lattice, with zeros, ties and constants of 1e4.
func drawProblem(t *rapid.T) Problem {
	space := grid.MustNew(rapid.IntRange(1, 3).Draw(t, "rows"), rapid.IntRange(2, 3).Draw(t, "columns"))
	shift := rapid.SampledFrom([]float64{0, 0, 1e4}).Draw(t, "constant")
	values := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 1, -20, math.Inf(-1)}))
	list := func(what string) []float64 {
		g := rapid.SliceOfN(values, space.States(), space.States()).Draw(t, what)
		g[0] = rapid.Float64Range(-3, 3).Draw(t, what+" at the first state") // a state that both ends allow
		for x := range g {
			g[x] += shift
		}
		return g
	}
	var first []float64
	if rapid.Bool().Draw(t, "start that is not uniform") {
		first = list("log f_1")
	}
	return onGrid(t, space, first, list("log f_T"), rapid.SampledFrom([]string{"linear", "power:2"}).Draw(t, "schedule"),
		rapid.SampledFrom([]string{"metropolis", "barker", "heatbath-scan", "suwa-todo"}).Draw(t, "kernel"),
		rapid.IntRange(2, 4).Draw(t, "T"), rapid.SampledFrom(directions).Draw(t, "direction"))
}

// setOf returns the laws of all hypotheses.
func setOf(t rapid.TB, p Problem) *Set {
	t.Helper()
	return longtest.Sure(New(context.Background(), p))
}

// settingOf returns what hypotheses are made of on a problem.
func settingOf(t rapid.TB, p Problem) *setting {
	t.Helper()
	a := longtest.Sure(exact.WithReversal(context.Background(), p.Annealing))
	return &setting{context.Background(), a, p.Space, p.Direction, p.LogZ1}
}

// codeOf returns the program of a hypothesis; nil where it has no meaning for the problem.
func codeOf(t rapid.TB, p Problem, name string) *code {
	t.Helper()
	for _, h := range list() {
		if h.name == name {
			return longtest.Must(h.make(settingOf(t, p)))(t)
		}
	}
	t.Fatalf("no hypothesis is called %q", name)
	return nil
}

// draw samples chains from a program, as they are written.
func draw(c *code, n int, src rand.Source) (first, last []int32, logw []float64) {
	sampler := chains.NewSampler(src)
	for range n {
		x, y, v := chains.Run(c.Annealer, sampler)
		i, j := c.ends(x, y)
		i, j, v = c.written(i, j, v)
		first, last, logw = append(first, int32(i)), append(last, int32(j)), append(logw, v)
	}
	return first, last, logw
}

// largest returns the largest absolute value of log f of any stage of a program.
func largest(c *code) float64 {
	most := 0.0
	for _, logf := range c.LogF {
		for _, v := range logf {
			if !math.IsInf(v, 0) {
				most = max(most, math.Abs(v))
			}
		}
	}
	return most
}
