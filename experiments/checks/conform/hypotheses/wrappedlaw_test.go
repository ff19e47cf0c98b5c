package hypotheses

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"pgregory.net/rapid"

	"breadboard/exact/weights"
	"breadboard/experiments/verdicts"
	"breadboard/grid/longtest"
)

// alarm is the log e-value that right distributions exceed with a probability of at most 1e-9.
var alarm = math.Log(1e9)

// noiseLaw is the distribution function of the noise, from a quadrature of its density.
type noiseLaw struct {
	below []float64  // at multiples of panel, from zero on
	nodes [7]float64 // of the quadrature, from 0 to 1, with its weights
	sizes [7]float64
}

const panel = 0.125

func noiseDensity(x float64) float64 {
	if x == 0 {
		return 3 / (2 * math.Pi)
	}
	square := math.Sin(x) / x * (math.Sin(x) / x)
	return 3 / (2 * math.Pi) * square * square
}

// between integrates the density over a part of a panel.
func (n *noiseLaw) between(low, high float64) (total float64) {
	for i, u := range n.nodes {
		total += n.sizes[i] * noiseDensity(low+u*(high-low))
	}
	return total * (high - low)
}

func newNoiseLaw() *noiseLaw {
	n := &noiseLaw{below: []float64{0.5}}
	quad.Legendre{}.FixedLocations(n.nodes[:], n.sizes[:], 0, 1)
	for i := range 1 << 15 {
		low := panel * float64(i)
		n.below = append(n.below, n.below[i]+n.between(low, low+panel))
	}
	return n
}

func (n *noiseLaw) at(x float64) float64 {
	if x < 0 {
		return 1 - n.at(-x)
	}
	i := int(x / panel)
	if i >= len(n.below)-1 {
		return 1 // what is missing is below x^-3
	}
	low := panel * float64(i)
	if x == low {
		return n.below[i]
	}
	return n.below[i] + n.between(low, x)
}

// inBins returns the probabilities of the bins of a circle for a log weight, by quadrature.
func (n *noiseLaw) inBins(c *wrappedLaw, v float64) []float64 {
	p := make([]float64, c.bins())
	switch {
	case math.IsInf(v, -1):
		p[len(p)-2] = 1
		return p
	case math.IsInf(v, 1):
		p[len(p)-1] = 1
		return p
	}
	center := math.Mod((v-c.center)/c.period, 1)
	at := func(edge float64) (total float64) {
		for turn := -20.0; turn <= 20; turn++ {
			total += n.at((edge - 0.5 + turn - center) * c.period / c.width)
		}
		return total
	}
	below := at(c.edges[0])
	for b := range p[:len(p)-2] {
		above := at(c.edges[b+1])
		p[b], below = above-below, above
	}
	return p
}

// TestNoise: draws have the density, by the e-value of their bins.
func TestNoise(t *testing.T) {
	longtest.Only(t)
	const draws = 200000
	n := newNoiseLaw()
	rng := rand.New(rand.NewPCG(5, 6))
	edges := []float64{-20, -9, -5, -3, -2.5, -2, -1.5, -1.2, -1, -0.8, -0.5, -0.25, 0, 0.25, 0.5, 0.8,
		1, 1.2, 1.5, 2, 2.5, 3, 5, 9, 20}
	counts := make([]int, len(edges)+1)
	p := make([]float64, len(edges)+1)
	for i := range p {
		low, high := 0.0, 1.0
		if i > 0 {
			low = n.at(edges[i-1])
		}
		if i < len(edges) {
			high = n.at(edges[i])
		}
		p[i] = high - low
	}
	for range draws {
		x := noise(rng)
		cell := 0
		for cell < len(edges) && x >= edges[cell] {
			cell++
		}
		counts[cell]++
	}
	if e := verdicts.CountsLogE(counts, p); e > alarm {
		t.Errorf("the log e-value of the bins is %v", e)
	}
}

// TestTurns compares with one sine and cosine for each frequency.
func TestTurns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newWrappedLaw(0, rapid.SampledFrom([]float64{1e-3, 1, 50}).Draw(t, "deviation"))
		// also ten thousand turns of the circle
		v := rapid.OneOf(rapid.Float64Range(-30, 30), rapid.Float64Range(-3e5, 3e5)).Draw(t, "v")
		turn := make([]complex128, c.frequencies)
		c.turns(turn, v)
		for k, z := range turn {
			sin, cos := math.Sincos(math.Mod(c.omega(k)*v, 2*math.Pi))
			// The frequencies 16 a, b and 16 a + b are each rounded, and so is their product with
			// v.
			tolerance := 1e-15 * (4 + math.Abs(c.omega(k)*v))
			if math.Hypot(real(z)-cos, imag(z)-sin) > tolerance {
				t.Fatalf("exp(i omega_%d %v) = %v, want %v + %v i", k, v, z, cos, sin)
			}
		}
	})
}

// circleOf returns the circle for a program, and its distribution.
func circleOf(t rapid.TB, p Problem, c *code, columns Columns) (*wrappedLaw, []float64) {
	m := longtest.Sure(weights.CumulantsOf(context.Background(), settingOf(t, p).a, p.Direction))
	deviation := math.Sqrt(m.Variance)
	if !(deviation > 1e-6) || math.IsInf(deviation, 0) {
		deviation = 1
	}
	of := newWrappedLaw(m.Mean, deviation)
	if math.IsNaN(m.Mean) || math.IsInf(m.Mean, 0) {
		of = newWrappedLaw(0, deviation)
	}
	table := longtest.Sure(tabulate(context.Background(), c))
	law := of.collect(c, longtest.Must(of.transform(context.Background(), c, table, columns))(t), columns, 0)
	return of, law
}

// TestCircleLaw compares the distribution of the bins with the listed distribution, each log weight
// of which the noise spreads by quadrature.
func TestCircleLaw(t *testing.T) {
	n := newNoiseLaw()
	names := []string{Specification, "log w with the other sign", "log Z_1 added to log w",
		"x_1 and x_T exchanged", "last increment left out", "log w in base 2"}
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		columns := drawColumns(t)
		columns.LogW = true
		c := codeOf(t, p, rapid.SampledFrom(names).Draw(t, "hypothesis"))
		circle, got := circleOf(t, p, c, columns)
		want := make([]float64, len(got))
		spread := map[float64][]float64{}
		for e, v := range plainAtoms(t, c, columns) {
			if spread[e.v] == nil {
				if len(spread) > 8 {
					t.Skip("so many log weights take too long")
				}
				spread[e.v] = n.inBins(circle, e.v)
			}
			for b, u := range spread[e.v] {
				want[e.key*circle.bins()+b] += v * u
			}
		}
		// The rounding of an angle is that of the log weight times the largest frequency.
		size := largest(c) * float64(p.Annealing.Distributions())
		tolerance := 1e-10 + 1e-16*size*circle.omega(circle.frequencies)
		for cell := range want {
			if !(math.Abs(got[cell]-want[cell]) <= tolerance) {
				t.Fatalf("cell %d has probability %v, by quadrature %v", cell, got[cell], want[cell])
			}
		}
		if total := floats.Sum(got); !(math.Abs(total-1) <= 1e-12) {
			t.Fatalf("the probabilities add up to %v", total)
		}
	})
}

// binnedOf returns the distributions of all hypotheses in bins, also if they could be listed.
func binnedOf(t rapid.TB, p Problem) *Set {
	b := &builder{p: p, all: list(), columns: p.Columns, a: settingOf(t, p).a}
	return longtest.Must(b.bin(context.Background()))(t)
}

// TestWidenedBins: a bin from a to b that is widened by w has the probability F(b + w) - F(a - w).
// That is the sum of the bins up to b for log weights w lower, less that of the bins up to a for
// log weights w higher, and the same number for all bins of a column. So no bin is likelier than
// the widened one, whichever way log weights are off; without any rounding the two are the same,
// and bins that are widened by the circle have all of it.
func TestWidenedBins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		c := codeOf(t, p, Specification)
		of, plain := circleOf(t, p, c, everything)
		table := longtest.Sure(tabulate(context.Background(), c))
		f := longtest.Must(of.transform(context.Background(), c, table, everything))(t)
		by := rapid.SampledFrom([]float64{0, 1e-9, 1e-3, 0.05, 1, 3, 30}).Draw(t, "rounding") * of.deviation()
		bound := of.collect(c, f, everything, by)
		shifted := func(by float64) []float64 {
			off := *c
			off.offset += by
			return of.collect(&off, f, everything, 0)
		}
		for cell, p := range shifted(by * rapid.Float64Range(-1, 1).Draw(t, "off")) {
			if p > bound[cell]+binResolution || by == 0 && bound[cell] != plain[cell] {
				t.Fatalf("rounding %v: cell %d has the probability %v, and at most %v is said", by, cell,
					p, bound[cell])
			}
		}
		lower := shifted(-by)
		higher := shifted(by)
		width := of.bins()
		for key := 0; key < len(bound); key += width {
			below := 0.0
			first := math.NaN()
			all := floats.Sum(plain[key:][:width-2])
			for b, p := range bound[key:][:width-2] {
				below += lower[key+b]
				rest := p - below
				if b == 0 {
					first = rest
				}
				below -= higher[key+b]
				if by < 4*of.deviation() && math.Abs(rest-first) > 1e-13 ||
					by > of.period && math.Abs(p-all) > 1e-13 {
					t.Fatalf("rounding %v: bin %d is off by %v, and the first one by %v", by, b, rest, first)
				}
			}
		}
	})
}
