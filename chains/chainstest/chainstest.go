// Package chainstest has helpers for the tests of packages that move chains: small annealings,
// targets, rows as maps, and a Chooser of given outcomes (Given), by which a test walks one branch
// of a move. Only tests import it.
package chainstest

import (
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// Small returns an annealing on four states with T distributions.
func Small(t testing.TB, kernel func(*grid.Lattice) chains.Kernel, T int) *chains.Annealing {
	t.Helper()
	l := grid.MustNew(2, 2)
	path := longtest.Must(paths.NewGeometric(nil, []float64{1, -0.5, 0.25, -1}))(t)
	a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernel(l), T))(t)
	return a
}

// Waves returns log f of n states that go up and down between -2 and 2 nats.
func Waves(n int) []float64 {
	logf := make([]float64, n)
	for x := range logf {
		logf[x] = 2 * math.Sin(1+12.9898*float64(x))
	}
	return logf
}

// Row returns the row of state x as a map from states to probabilities.
func Row(k chains.Rower, logf []float64, x int) map[int]float64 {
	out := map[int]float64{}
	for _, e := range k.AppendRow(nil, logf, x) {
		out[e.To] += e.P
	}
	return out
}

// Given is a Chooser whose outcomes are given in turn. It adds up the logarithms of their
// probabilities.
type Given struct {
	Outcomes []int
	LogP     float64
}

func (g *Given) takeOutcome(probability func(outcome int) float64) int {
	outcome := g.Outcomes[0]
	g.Outcomes = g.Outcomes[1:]
	g.LogP += number.Log(probability(outcome))
	return outcome
}

// Flip returns true if the outcome is 1.
func (g *Given) Flip(p float64) bool {
	return g.takeOutcome(func(outcome int) float64 { return []float64{1 - p, p}[outcome] }) == 1
}

// Uniform returns the outcome, of the probability 1/n.
func (g *Given) Uniform(n int) int { return g.takeOutcome(func(int) float64 { return 1 / float64(n) }) }

// Choose returns the outcome, of its probability in p.
func (g *Given) Choose(p []float64) int {
	return g.takeOutcome(func(outcome int) float64 { return p[outcome] })
}

// RowsByHand returns the matrix of a kernel that is applied that many times, one plain product
// after another.
func RowsByHand(parts []chains.Kernel, times int, logf []float64) [][]float64 {
	n := len(logf)
	out := make([][]float64, n)
	for x := range out {
		out[x] = make([]float64, n)
		out[x][x] = 1
	}
	for range times {
		for _, k := range parts {
			part := make([][]float64, n)
			for x := range part {
				part[x] = make([]float64, n)
				for _, e := range k.(chains.Rower).AppendRow(nil, logf, x) {
					part[x][e.To] += e.P
				}
			}
			next := make([][]float64, n)
			for x := range next {
				next[x] = make([]float64, n)
				for y, m := range out[x] {
					for z, p := range part[y] {
						next[x][z] += m * p
					}
				}
			}
			out = next
		}
	}
	return out
}
