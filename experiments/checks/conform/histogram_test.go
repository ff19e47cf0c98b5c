package conform

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/exact/weights"
	"breadboard/grid/longtest"
)

// chainLawsOf returns the distributions of a task, of which those of whole chains are known.
func chainLawsOf(t testing.TB, toy string, T int) *Laws {
	t.Helper()
	l := lawsOf(t, toy, T, "linear")
	longtest.Must(l.ofChains(t.Context()))(t)
	return l
}

// atomicToys are annealings whose log weights have atoms: on a lattice, off one, where few paths
// are, and one alone.
func atomicToys() map[string]int {
	toys := map[string]int{"barrier": 5, "random:2:1:4x4": 5, "random:2:1:3": 2, "random:0:1:2x2": 5}
	if longtest.More() {
		toys["barrier"] = 12
	}
	return toys
}

// histogramsOf returns both histograms of the log weights of a direction.
func histogramsOf(l *Laws, d chains.Direction) []*Histogram {
	quantiles, equal := l.histograms(d)
	return []*Histogram{quantiles, equal}
}

// TestRightHistograms: right chains stay in the envelope and in the band, also if the distribution
// has atoms, at the edges of which rounding would decide where a log weight belongs. The envelope
// is left with a probability of at most 1e-9, and so is each bar; over all histograms that is below
// 1e-5.
func TestRightHistograms(t *testing.T) {
	longtest.Only(t)
	const rows, alpha, parts = 20000, 1e-9, 20
	for toy, T := range atomicToys() {
		l := chainLawsOf(t, toy, T)
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			b := longtest.Must(simulate.Run(l.chain.Annealing(),
				d, chains.NewSampler(simulate.NewStream(1, "histogram", int(d))), rows, nil))(t)
			first, last := stateHistogram("x_1", l.chain.First(d)), stateHistogram("x_T", l.chain.Last(d))
			first.addStates(b.First)
			last.addStates(b.Last)
			all := append(histogramsOf(l, d), first, last)
			for k, h := range all {
				if k < 2 {
					h.addWeights(b.LogW)
				}
				if n := h.Total(); n != rows {
					t.Fatalf("%s, %s: %d values of %d", toy, h.Name, n, rows)
				}
				for _, at := range h.Differences(alpha) {
					if at.Value < at.Low || at.Value > at.High {
						t.Errorf("%s, %s %s: %v at %v is not in %v..%v", toy, d, h.Name, at.Value, at.P,
							at.Low, at.High)
					}
				}
				low, high := h.PITBand(parts, alpha)
				for i, share := range h.PIT(parts) {
					if share < low[i] || share > high[i] {
						t.Errorf("%s, %s %s: PIT bar %d is %v, and not in %v..%v", toy, d, h.Name, i, share,
							low[i], high[i])
					}
				}
			}
		}
	}
}

// TestHistogramLaw: cells have the probabilities of the distribution and cover all but its tails;
// on a lattice edges are half way between points.
func TestHistogramLaw(t *testing.T) {
	longtest.Only(t)
	for toy, T := range atomicToys() {
		l := chainLawsOf(t, toy, T)
		law := l.chain.LogW(chains.Forward)
		for k, h := range histogramsOf(l, chains.Forward) {
			total := 0.0
			for i, p := range h.P {
				total += p
				if i == len(h.Edges) {
					continue
				}
				if want := law.Below(h.Edges[i]); math.Abs(total-h.Below[i].Value) > 1e-12 ||
					total < want.Low-1e-12 || total > want.High+1e-12 {
					t.Errorf("%s: %v below %v, want %v", toy, total, h.Edges[i], want)
				}
			}
			if math.Abs(total-1) > 1e-12 || !slices.IsSorted(h.Edges) || len(h.P) != len(h.Edges)+1 ||
				len(h.Below) != len(h.Edges) {
				t.Errorf("%s: the cells sum to %v, with %d of %d edges", toy, total, len(h.Edges), len(h.P))
			}
			for _, p := range h.Below {
				if p.Error() > 1e-3 {
					t.Errorf("%s: the probability %+v has a large error; edges are beside atoms", toy, p)
				}
			}
			if k == 1 && (h.P[0] > 2*lawTail || h.P[len(h.P)-1] > 2*lawTail) {
				t.Errorf("%s: %v and %v are beyond the cells", toy, h.P[0], h.P[len(h.P)-1])
			}
			values, _ := law.Points()
			for _, x := range h.Edges {
				for _, v := range values {
					if math.Abs(x-v) < law.Spacing/4 {
						t.Errorf("%s: the edge %v is at the point %v", toy, x, v)
					}
				}
			}
		}
	}
}

// TestAddEqual: the fast way to count finds the cell that the search finds, whatever the edges.
func TestAddEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom([]float64{1e-12, 1, 1e12}).Draw(t, "scale")
		at := rapid.SampledFrom([]float64{0, 1e3, -1e6}).Draw(t, "place") * scale
		var edges []float64
		for k := range rapid.IntRange(1, 30).Draw(t, "edges") {
			edges = append(edges, at+scale*(float64(k)+rapid.Float64Range(-0.25, 0.25).Draw(t, "moved")))
		}
		fast := &Histogram{Edges: edges, Counts: make([]int, len(edges)+1)}
		plain := &Histogram{Edges: edges, Counts: make([]int, len(edges)+1)}
		values := append(rapid.SliceOf(rapid.Float64Range(at-3*scale, at+40*scale)).Draw(t, "values"), edges...)
		values = append(values, math.Inf(1), math.Inf(-1), -1e300, 1e300)
		fast.addEqual(values)
		plain.addWeights(values)
		if !slices.Equal(fast.Counts, plain.Counts) {
			t.Fatalf("counts %v, want %v", fast.Counts, plain.Counts)
		}
	})
}

// TestBoundsOfTheLaw: a share that the bounds on the distribution allow for is in the envelope and
// in the band, and one beyond them is not.
func TestBoundsOfTheLaw(t *testing.T) {
	const n = 1_000_000
	bounds := weights.Bracket{Low: 0.45, Value: 0.5, High: 0.6}
	for _, c := range []struct {
		share float64
		in    bool
	}{{0.5, true}, {0.451, true}, {0.599, true}, {0.445, false}, {0.605, false}} {
		below := int(math.Round(c.share * n))
		h := &Histogram{
			Edges:  []float64{0},
			P:      []float64{0.5, 0.5},
			Below:  []weights.Bracket{bounds},
			Counts: []int{below, n - below},
		}
		at := h.Differences(0.01)[0]
		if in := at.Low <= at.Value && at.Value <= at.High; in != c.in {
			t.Errorf("a share of %v: in the envelope %v..%v: %v", c.share, at.Low+at.P, at.High+at.P, in)
		}
		low, high := h.PITBand(2, 0.01)
		if bar := h.PIT(2)[0]; c.in && (bar < low[0] || bar > high[0]) {
			t.Errorf("a bar of %v is not in %v..%v", bar, low[0], high[0])
		}
	}
	exact := &Histogram{Edges: []float64{0}, P: []float64{0.5, 0.5}, Counts: []int{n / 2, n / 2}}
	if low, high := exact.PITBand(2, 0.01); high[0]-low[0] > 0.003 {
		t.Errorf("without an error the band is %v..%v", low[0], high[0])
	}
}
