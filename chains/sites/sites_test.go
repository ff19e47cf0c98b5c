package sites_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/chainstest"
	"breadboard/chains/kernels"
	"breadboard/chains/simulate"
	"breadboard/chains/sites"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// random returns a model of three variables of 2, 3 and 1 values and one more of 2, whose
// logarithms span that many nats, and the factors of its base: uneven ones, which have a base and
// zeros, some at the first value of a variable.
func random(t *testing.T, span float64, uneven bool) (m *sites.Model, base *sites.Model, cards []int) {
	r := rand.New(rand.NewPCG(3, 0))
	cards = []int{2, 3, 1, 2}
	table := func(n int) (logs []float64) {
		for range n {
			logs = append(logs, span*(r.Float64()-0.5))
		}
		return logs
	}
	factors := []sites.Factor{{Scope: []int{0, 1}, Logs: table(6)}, {Scope: []int{1, 3, 2}, Logs: table(6)},
		{Scope: []int{3, 0}, Logs: table(4)},
		{Scope: []int{3}, Logs: table(2)}, {Logs: []float64{1}}}
	var ofBase []sites.Factor
	if uneven {
		factors[0].Logs[0], factors[1].Logs[5] = math.Inf(-1), math.Inf(-1)
		ofBase = []sites.Factor{{Scope: []int{3, 1}, Logs: table(6)}, {Scope: []int{0}, Logs: table(2)}}
		ofBase[0].Logs[3] = math.Inf(-1)
		for _, f := range ofBase {
			f.Base = true
			factors = append(factors, f)
		}
	}
	return longtest.Must(sites.New(cards, factors))(t), longtest.Must(sites.New(cards, ofBase))(t), cards
}

func generator(block int) *simulate.Generator {
	return simulate.NewGenerator(simulate.NewStream(1, "sites test", block))
}

// TestMovesHaveTheirLaw: from every state, one move of many lanes has the exact row of the kernel
// of the library, by a chi-squared statistic of which a value above 60 has a probability below 1e-7
// with at most 11 degrees of freedom (120 rows: one false alarm in 80,000 seeds), and log f stays
// that of the state.
func TestMovesHaveTheirLaw(t *testing.T) {
	longtest.Only(t)
	const lanes = 20000
	for i, span := range []float64{0, 3, 37, 700, 0, 3, 37, 700} {
		m, base, cards := random(t, span, i >= 4)
		space, err := grid.New(cards...)
		longtest.NoError(t, err)
		n := space.States()
		logf := make([]float64, n)
		value := func(x int) func(v int) uint8 {
			return func(v int) uint8 { return uint8(space.Coord(x, v)) }
		}
		const beta = 0.7
		for x := range logf {
			logf[x] = beta*m.LogF(value(x)) + base.LogF(value(x))
		}
		for name, move := range sites.Moves() {
			for back := range 2 {
				if name != "heatbath-scan" && back == 1 {
					continue
				}
				k := longtest.Must(kernels.Parse(name, space))(t)
				if back == 1 {
					k = k.(chains.Reverser).Reversal()
				}
				for x := range n {
					if math.IsInf(logf[x], -1) {
						continue
					}
					start := make([][]uint8, len(cards))
					for v := range start {
						start[v] = make([]uint8, lanes)
						for i := range start[v] {
							start[v][i] = value(x)(v)
						}
					}
					c := sites.NewCrowd(m, lanes, start, generator(x))
					move(c, beta, back == 1)
					counts := make([]float64, n)
					for i := range lanes {
						y := 0
						for v := range cards {
							y += int(c.X[v][i]) * space.Stride(v)
						}
						counts[y]++
						if want := m.LogF(value(y)); math.Abs(c.LogF[i]-want) > 1e-12*(1+span) {
							t.Fatalf("log f %v, want %v", c.LogF[i], want)
						}
					}
					sum := 0.0
					for y, p := range chainstest.RowsByHand([]chains.Kernel{k}, 1, logf)[x] {
						if e := p * lanes; e >= 5 {
							sum += (counts[y] - e) * (counts[y] - e) / e
						} else if counts[y] > 40 || p == 0 && counts[y] > 0 {
							t.Errorf("%s, span %v: %d to %d %v times, expected %v", name, span, x, y, counts[y], e)
						}
					}
					if sum > 60 {
						t.Errorf("%s, span %v, back %d: from %d chi-squared is %v", name, span, back, x, sum)
					}
				}
			}
		}
	}
}

// TestZeros: a factor that is infinite is refused, and chains that start if one is zero have no
// lane, and are counted.
func TestZeros(t *testing.T) {
	for _, bad := range []float64{math.Inf(1), math.NaN()} {
		if _, err := sites.New([]int{2}, []sites.Factor{{Scope: []int{0}, Logs: []float64{0, bad}}}); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
	m := longtest.Must(sites.New([]int{2}, []sites.Factor{{Scope: []int{0}, Logs: []float64{math.Inf(-1), 3}}}))(t)
	for want, start := range map[int][]uint8{0: {1, 1, 1}, 1: {0, 1, 1}, 2: {0, 1, 0}, 3: {0, 0, 0}} {
		c := sites.NewCrowd(m, 3, [][]uint8{start}, generator(0))
		logw := longtest.Must(c.Anneal(sites.Moves()["heatbath-scan"], []float64{0, 0, 0.5, 1}, false, nil))(t)
		if c.Lost != want || len(logw) != 3-want || len(c.X[0]) != 3-want ||
			slices.ContainsFunc(logw, func(l float64) bool { return l != 3 }) {
			t.Errorf("%d chains are lost, and the others have the log weights %v", c.Lost, logw)
		}
	}
}
