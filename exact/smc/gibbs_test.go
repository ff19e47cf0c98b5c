package smc

import (
	"context"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// plainGibbs is the distribution of the output of particle Gibbs with multinomial resampling from
// the path x, by nested loops over all states and parents: the path is in slot 0 throughout, since
// slots do not matter. At the end a particle is drawn by the weights. In the place of ancestor
// sampling the whole output is drawn backwards: its last particle by the weights, and each one
// before it by the weight times the probability of the move to the state that has been drawn after
// it, with any parent. For a hidden Markov model both give the same kernel (Lindsten, Jordan
// and Schön 2014, Proposition 5).
func plainGibbs(h *particle.HMM, P int, backward bool, x []int) map[string]float64 {
	law := map[string]float64{}
	type system struct{ states, parents [][]int }
	weights := func(t int, states []int) []float64 {
		w, sum := make([]float64, P), 0.0
		for i, s := range states {
			w[i] = h.E[s][h.Y[t]]
			sum += w[i]
		}
		for i := range w {
			w[i] /= sum
		}
		return w
	}
	var back func(u system, t int, path []int, k int, p float64)
	back = func(u system, t int, path []int, k int, p float64) {
		path = append([]int{u.states[t][k]}, path...)
		switch {
		case t == 0:
			law[pathKey(path)] += p
		case !backward:
			back(u, t-1, path, u.parents[t-1][k], p)
		default:
			w, sum := weights(t-1, u.states[t-1]), 0.0
			for i, s := range u.states[t-1] {
				w[i] *= h.A[s][path[0]]
				sum += w[i]
			}
			for i := range w {
				if w[i] > 0 {
					back(u, t-1, path, i, p*w[i]/sum)
				}
			}
		}
	}
	var forward func(u system, p float64)
	forward = func(u system, p float64) {
		t := len(u.states)
		last := u.states[t-1]
		w := weights(t-1, last)
		if t == len(h.Y) {
			for k := range P {
				back(u, t-1, nil, k, p*w[k])
			}
			return
		}
		everyVector(P-1, P, func(parents []int) {
			parents = append([]int{0}, parents...)
			everyVector(P-1, len(h.Pi), func(to []int) {
				to = append([]int{x[t]}, to...)
				q := p
				for i := 1; i < P; i++ {
					q *= w[parents[i]] * h.A[last[parents[i]]][to[i]]
				}
				if q > 0 {
					forward(system{append(slices.Clone(u.states), to), append(slices.Clone(u.parents), parents)}, q)
				}
			})
		})
	}
	everyVector(P-1, len(h.Pi), func(first []int) {
		q := 1.0
		for _, s := range first {
			q *= h.Pi[s]
		}
		if q > 0 {
			forward(system{states: [][]int{append([]int{x[0]}, first...)}}, q)
		}
	})
	return law
}

// everyVector calls f with every vector of that many numbers below n.
func everyVector(length, n int, f func([]int)) {
	if length == 0 {
		f(nil)
		return
	}
	everyVector(length-1, n, func(v []int) {
		for s := range n {
			f(append(slices.Clone(v), s))
		}
	})
}

func pathKey(path []int) string {
	key := make([]byte, len(path))
	for i, s := range path {
		key[i] = byte(s)
	}
	return string(key)
}

// gibbsModels are the weather of some days, and a model of three states in which moves and symbols
// are impossible.
func gibbsModels(days int) []*particle.HMM {
	weather := models.Weather()
	weather.Y = weather.Y[:days]
	return []*particle.HMM{weather, {
		Pi: []float64{0.5, 0.3, 0.2},
		A:  [][]float64{{0.7, 0.3, 0}, {0.1, 0.6, 0.3}, {0, 0.5, 0.5}},
		E:  [][]float64{{0.8, 0.2}, {0, 1}, {0.4, 0.6}},
		Y:  []int{0, 1, 1}[:min(days, 3)],
	}}
}

// rowsOf returns the rows of particle Gibbs.
func rowsOf(t testing.TB, h *particle.HMM, P int, scheme particle.Scheme, ancestors bool) [][]float64 {
	t.Helper()
	return longtest.Must(GibbsRows(context.Background(), h, P, scheme, ancestors))(t)
}

// TestGibbsPlain holds the rows of multinomial resampling to nested loops, with ancestor sampling
// to backward simulation.
func TestGibbsPlain(t *testing.T) {
	for _, h := range gibbsModels(3) {
		for _, P := range []int{2, 3} {
			for _, ancestors := range []bool{false, true} {
				if P == 3 && len(h.Pi) == 3 {
					continue
				}
				rows, p := rowsOf(t, h, P, particle.Multinomial{}, ancestors), posterior(h)
				paths := allPaths(h)
				for x, from := range paths {
					if p[x] == 0 {
						continue
					}
					want := plainGibbs(h, P, ancestors, from)
					for y, to := range paths {
						if q := want[pathKey(to)]; math.Abs(rows[x][y]-q) > 1e-13 {
							t.Fatalf("%d states, P = %d, ancestors %v: from %v to %v %v, want %v", len(h.Pi), P, ancestors, from, to, rows[x][y], q)
						}
					}
				}
			}
		}
	}
}

// TestGibbsOfSubnormalModels: the kernel is found where all probabilities but one are below
// 2^-1022, whose logarithms and quotients math.Log of Go on amd64 had wrong, and leaves the
// posterior invariant.
func TestGibbsOfSubnormalModels(t *testing.T) {
	h := &particle.HMM{Pi: []float64{1, 5e-324}, A: [][]float64{{0.5, 0.5}, {0.5, 0.5}}, E: [][]float64{{1e-320, 1}, {1e-310, 1}}, Y: []int{0, 0}}
	for _, ancestors := range []bool{false, true} {
		rows, p := rowsOf(t, h, 2, particle.Multinomial{}, ancestors), posterior(h)
		// From (1, 0) to (0, 0) the other particle, in state 0, is the parent and is drawn, and
		// goes to state 0.
		if want := 0.25 / (1 + h.E[1][0]/h.E[0][0]); !ancestors && math.Abs(rows[2][0]-want) > 1e-12*want {
			t.Errorf("from (1, 0) to (0, 0): %v, want %v", rows[2][0], want)
		}
		for y := range p {
			sum, flow := 0.0, 0.0
			for x := range p {
				sum += rows[y][x]
				flow += p[x] * rows[x][y]
			}
			if math.Abs(sum-1) > 1e-12 || math.Abs(flow-p[y]) > 1e-12 {
				t.Errorf("ancestors %v, path %d: its row sums to %v, and of %v comes %v", ancestors, y, sum, p[y], flow)
			}
		}
	}
}

// allPaths lists the hidden states of all paths.
func allPaths(h *particle.HMM) (list [][]int) {
	n := longtest.Sure(h.Paths())
	for x := range n {
		var path []int
		for t := range h.Y {
			path = append(path, h.Step(x, t+1))
		}
		list = append(list, path)
	}
	return list
}

// TestGibbsEnumerated holds the rows of all schemes to the enumerated choices of the kernel that is
// sampled.
func TestGibbsEnumerated(t *testing.T) {
	longtest.Only(t)
	for _, h := range gibbsModels(3) {
		for _, scheme := range []particle.Scheme{particle.Multinomial{}, particle.Stratified{}, particle.Systematic{}, particle.Residual{}} {
			for _, ancestors := range []bool{false, true} {
				const P = 2 // the choices of three are too many to be enumerated
				k, err := particle.NewGibbs(h, P, scheme, ancestors)
				if (err != nil) != (ancestors && scheme != particle.Multinomial{}) {
					t.Fatal(err)
				}
				if err != nil {
					continue
				}
				rows := rowsOf(t, h, P, scheme, ancestors)
				for x := 0; x < k.States(); x += longtest.Times(5, 1) {
					row, left, err := kernel.Row(context.Background(), k, make([]float64, k.States()), x)
					if err != nil || left > 0 {
						t.Fatal(err, left)
					}
					got := make([]float64, k.States())
					for _, e := range row {
						got[e.To] += e.P
					}
					for y := range got {
						if math.Abs(rows[x][y]-got[y]) > 1e-14 {
							t.Fatalf("%v, ancestors %v: from %d to %d %v, want %v", scheme, ancestors, x, y, rows[x][y], got[y])
						}
					}
				}
			}
		}
	}
}

// TestGibbsInvariance: every row sums to one, the distribution of the paths is invariant and the
// flows are balanced, for all schemes.
func TestGibbsInvariance(t *testing.T) {
	longtest.Only(t)
	for i, h := range gibbsModels(4) {
		p := posterior(h)
		for _, scheme := range []particle.Scheme{particle.Multinomial{}, particle.Stratified{}, particle.Systematic{}, particle.Residual{}} {
			for _, P := range []int{2, 3, 4}[:3-i] {
				for _, ancestors := range []bool{false, true}[:1+indicator(scheme == particle.Multinomial{})] {
					rows := rowsOf(t, h, P, scheme, ancestors)
					for x, row := range rows {
						sum, in := 0.0, 0.0
						for y, q := range row {
							sum += q
							in += p[y] * rows[y][x]
							if math.Abs(p[x]*q-p[y]*rows[y][x]) > 1e-15 {
								t.Fatalf("%v, P = %d: the flow from %d to %d is %v, and back %v", scheme, P, x, y, p[x]*q, p[y]*rows[y][x])
							}
						}
						if math.Abs(sum-1) > 1e-13 || math.Abs(in-p[x]) > 1e-14 {
							t.Fatalf("%v, P = %d, path %d: sum %v, probability %v, want %v", scheme, P, x, sum, in, p[x])
						}
					}
				}
			}
		}
	}
}

// posterior returns the distribution of the paths given the observations.
func posterior(h *particle.HMM) []float64 {
	p := particle.LogTargets(longtest.Sure(particle.NewHidden(h, particle.Prior)))
	chains.Normalize(p)
	return p
}
