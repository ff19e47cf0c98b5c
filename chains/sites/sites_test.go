package sites_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/simulate"
	"breadboard/chains/sites"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// random returns a model of three variables of 2, 3 and 1 values and one more of 2, whose logarithms span so many nats.
func random(t *testing.T, span float64) (*sites.Model, []int) {
	r := rand.New(rand.NewPCG(3, 0))
	cards := []int{2, 3, 1, 2}
	table := func(n int) (logs []float64) {
		for range n {
			logs = append(logs, span*(r.Float64()-0.5))
		}
		return logs
	}
	m, err := sites.New(cards, []sites.Factor{{[]int{0, 1}, table(6)}, {[]int{1, 3, 2}, table(6)}, {[]int{3, 0}, table(4)}, {[]int{3}, table(2)}, {nil, []float64{1}}})
	longtest.NoError(t, err)
	return m, cards
}

func generator(block int) *simulate.Generator {
	return simulate.NewGenerator(simulate.NewStream(1, "sites test", block))
}

// TestMovesHaveTheirLaw: from every state, one move of many lanes has the exact row of the kernel of the library, by a chi-squared statistic of which a
// value above 60 has a probability below 1e-7 with at most 11 degrees of freedom (120 rows: one false alarm in 80,000 seeds), and log f stays that of the state.
func TestMovesHaveTheirLaw(t *testing.T) {
	const lanes = 20000
	for _, span := range []float64{0, 3, 37, 700} {
		m, cards := random(t, span)
		space, err := grid.New(cards...)
		longtest.NoError(t, err)
		n := space.States()
		logf := make([]float64, n)
		value := func(x int) func(v int) uint8 { return func(v int) uint8 { return uint8(space.Coord(x, v)) } }
		const beta = 0.7
		for x := range logf {
			logf[x] = beta * m.LogF(value(x))
		}
		for name, move := range sites.Moves() {
			k := chains.Kernel(nil)
			for back := range 2 {
				if name != "heatbath-scan" && back == 1 {
					continue
				}
				k = library(t, name, space, back == 1)
				for x := range n {
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
					row := make([]float64, n)
					for _, e := range k.(chains.Rower).AppendRow(nil, logf, x) {
						row[e.To] += e.P
					}
					sum := 0.0
					for y, p := range row {
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

func library(t *testing.T, name string, space *grid.Lattice, back bool) chains.Kernel {
	k, err := kernels.Parse(name, space)
	longtest.NoError(t, err)
	if back {
		return k.(chains.Reverser).Reversal()
	}
	return k
}

// TestZerosAreRefused: a factor that is zero somewhere is refused.
func TestZerosAreRefused(t *testing.T) {
	for _, bad := range []float64{math.Inf(-1), math.Inf(1), math.NaN()} {
		if _, err := sites.New([]int{2}, []sites.Factor{{[]int{0}, []float64{0, bad}}}); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}

// BenchmarkScan: site updates of Ising's model on 20x20 sites.
func BenchmarkScan(b *testing.B) {
	const side, lanes = 20, 1024
	var factors []sites.Factor
	cards := make([]int, side*side)
	for v := range cards {
		cards[v] = 2
		pair := []float64{0.3, -0.3, -0.3, 0.3}
		if v%side > 0 {
			factors = append(factors, sites.Factor{[]int{v - 1, v}, pair})
		}
		if v >= side {
			factors = append(factors, sites.Factor{[]int{v - side, v}, pair})
		}
	}
	m, _ := sites.New(cards, factors)
	c := sites.NewCrowd(m, lanes, nil, generator(0))
	move := sites.Moves()["heatbath-scan"]
	for b.Loop() {
		move(c, 0.5, false)
	}
	b.ReportMetric(float64(b.N)*side*side*lanes/b.Elapsed().Seconds(), "updates/s")
}
