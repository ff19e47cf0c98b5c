package hypotheses

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

// regimes are the two ways to reduce chains to cells.
var regimes = map[string]func(t rapid.TB, p Problem) *Set{"listed": setOf, "bins": binnedOf}

// TestNamed samples chains from every hypothesis, in both regimes and directions, each of the two
// in one of the others without -long. None is refused by its own distribution, which happens to
// right distributions with a probability of 1e-9. Where twice as many chains as it takes are not
// too many, it is named first, or one that the columns cannot tell from it: each fails with a
// probability of much less than 0.01, and the seeds are fixed. Where twice as many chains as refuse
// the specification are there, they do.
func TestNamed(t *testing.T) {
	longtest.Only(t)
	const least, most = 1000, 40000
	for _, d := range directions {
		p := taskOf(t, "random:2:1:3x3", "power:2", "metropolis", 4, d)
		for regime, of := range regimes {
			if !longtest.More() && (d == chains.Reverse) != (regime == "bins") {
				continue
			}
			s := of(t, p)
			asked := 0
			for h, name := range s.Names {
				tally := s.NewTally(rand.NewPCG(3, 4))
				need := 2 * naming(s, h, math.Log(100))
				target := math.Log(1e6)
				tally.Add(draw(codeOf(t, p, name), int(max(least, min(need, most))), rand.NewPCG(1, uint64(h))))
				if counted, _ := tally.counted(s.resolution); counted.Against(h) > alarm {
					t.Errorf("%s, %v: chains of %q are refused by their own distribution with a log e-value of %v",
						regime, d, name, counted.Against(h))
				}
				leading := tally.Likelihoods()[0]
				first := leading.Name
				posterior := leading.Posterior
				if name == "single precision" || need > most {
					continue
				}
				asked++
				if refused := s.Needs(h, 0, target+math.Log(float64(len(s.Names)))); float64(tally.Chains) >=
					2*refused && tally.LogE() < target {
					t.Errorf("%s, %v: %d chains of %q have a log e-value of %v, where %v are enough", regime,
						d, tally.Chains, name, tally.LogE(), refused)
				}
				if first != name && !slices.Contains(s.Alike(name), first) {
					t.Errorf("%s, %v: chains of %q are taken for %q with posterior %v", regime, d, name,
						first, posterior)
				}
			}
			if asked < 20 {
				t.Errorf("%s, %v: only %d hypotheses can be told by so many chains", regime, d, asked)
			}
		}
	}
}

// TestLogEHasMeanOneAtMost sums the e-value of one and of two chains over all cells, under the
// specification.
func TestLogEHasMeanOneAtMost(t *testing.T) {
	longtest.Only(t)
	for _, d := range directions {
		for regime, of := range regimes {
			p := taskOf(t, "random:2:1:2x2", "linear", "metropolis", 2, d)
			if regime == "bins" {
				p.Columns = Columns{LogW: true}
			}
			s := of(t, p)
			one, two := 0.0, 0.0
			tally := s.NewTally(rand.NewPCG(1, 2))
			for a, v := range s.specified {
				if v <= 0 {
					continue
				}
				tally.counts[a]++
				tally.Chains = 1
				one += v * math.Exp(tally.LogE())
				for b, u := range s.specified {
					if u <= 0 {
						continue
					}
					tally.counts[b]++
					tally.Chains = 2
					two += v * u * math.Exp(tally.LogE())
					tally.counts[b]--
				}
				tally.counts[a]--
			}
			if one > 1+1e-12 || two > 1+1e-12 || one < 0.1 {
				t.Errorf("%s, %v: the e-value has mean %v for one chain and %v for two", regime, d, one, two)
			}
		}
	}
}

// TestManyCellsBelowTheRounding: cells whose probability counts as its rounding do not give the
// Dirichlet distribution a sum above one. Without chains e-values are at most one: nothing is
// nearly a distribution with a part of itself, or of single precision, and of what is nearly a
// hypothesis only the terms of the leaders are computed.
func TestManyCellsBelowTheRounding(t *testing.T) {
	longtest.Only(t)
	for regime, of := range regimes {
		s := of(t, taskOf(t, "random:2:1:2x2", "linear", "metropolis", 3, chains.Forward))
		tally := s.NewTally(rand.NewPCG(1, 2))
		if e := tally.LogE(); !(e <= 1e-12 && e > -1e-3) {
			t.Errorf("%s: without chains the log e-value is %v", regime, e)
		}
		for _, o := range tally.Odds() {
			if !(o.LogE <= 1e-12 && o.LogE >= -math.Ln2-1e-12) ||
				math.Abs(o.LogOdds) > 1e-12 && !(o.Name == Unknown && o.LogOdds < 0 && o.LogOdds > -0.5) {
				t.Errorf("%s: without chains the odds are %+v", regime, o)
			}
		}
	}
	// All cells but one are below the rounding, and count as that. The Dirichlet distribution must
	// be around probabilities that add up to one, so that with one chain the e-value is the sum of
	// what the cells count as, turned upside down.
	const cells = 1 << 16
	p := make([]float64, cells)
	p[0] = 1
	s := &Set{
		Names:      []string{Specification},
		laws:       []law{newLaw(p, 1e-5)},
		resolution: 1e-5,
		specified:  p,
		base:       p,
	}
	for _, cell := range []int{0, 17} {
		tally := &Tally{Set: s, Chains: 1, counts: make([]int, cells)}
		tally.counts[cell] = 1
		counted, _ := tally.counted(s.resolution)
		if e, want := counted.Against(0), -math.Log(1+(cells-1)*1e-5); math.Abs(e-want) > 1e-12 {
			t.Errorf("the log e-value of a chain in cell %d is %v, want %v", cell, e, want)
		}
	}
}

// TestTallyCells: a tally that keeps recent chains counts them as the reduction does one by one.
func TestTallyCells(t *testing.T) {
	s := setOf(t, taskOf(t, "random:2:1:2x3", "power:2", "metropolis", 4, chains.Forward))
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "chains")
		states := rapid.Int32Range(0, 5)
		values := rapid.OneOf(rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1)}),
			rapid.Float64Range(-3, 3))
		for _, l := range s.reduction.(*listed).clusters[0] {
			values = rapid.OneOf(values, rapid.SampledFrom([]float64{l.low, l.high, l.low + 1e-10, l.low + 1e-7}))
		}
		first, last := rapid.SliceOfN(states, n, n).Draw(t, "first"),
			rapid.SliceOfN(states, n, n).Draw(t, "last")
		logw := rapid.SliceOfN(values, n, n).Draw(t, "log w")
		tally := s.NewTally(rand.NewPCG(1, 2))
		want := make([]int, s.cells())
		half := n / 2
		tally.Add(first[:half], last[:half], logw[:half])
		tally.Add(first[half:], last[half:], logw[half:])
		impossible := -1
		for i := range n {
			cell := s.reduction.cell(first[i], last[i], logw[i], nil)
			want[cell]++
			if s.specified[cell] == 0 && impossible < 0 {
				impossible = i
			}
		}
		if !slices.Equal(tally.counts, want) || tally.Chains != n {
			t.Fatalf("the counts differ, of %d chains", tally.Chains)
		}
		if x := tally.Impossible; (x == nil) != (impossible < 0) ||
			x != nil && (x.Row != impossible || x.LogW != logw[impossible]) {
			t.Fatalf("the first impossible chain is %+v, want %d", x, impossible)
		}
	})
}

// TestFind: the cluster of a log weight is the one that a search through all of them finds.
func TestFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-1, 1),
			rapid.SampledFrom([]float64{0, 0.5, math.Inf(1), math.Inf(-1)})), 1, 20).Draw(t, "values")
		slack := rapid.SampledFrom([]float64{1e-9, 0.01, 0.2}).Draw(t, "slack")
		var atoms []atom
		slices.Sort(values)
		for _, v := range values {
			atoms = append(atoms, atom{v, 1 / float64(len(values))})
		}
		l := &listed{columns: Columns{LogW: true}, n: 1, slack: func(float64) float64 { return slack }}
		longtest.NoError(t, l.setClusters(context.Background(), [][][]atom{{atoms}}))
		v := rapid.OneOf(rapid.Float64Range(-1.3, 1.3), rapid.SampledFrom(values)).Draw(t, "v")
		want := l.count - 1
		for _, c := range l.clusters[0] {
			if v == c.low || v == c.high || v >= c.low-slack && v <= c.high+slack {
				want = c.cell
			}
		}
		if got := l.cell(0, 0, v, nil); got != want {
			t.Fatalf("the cell is %d, want %d of %+v", got, want, l.clusters[0])
		}
		if total := newLaw(l.probabilities([][]atom{atoms}, false), 0).total; math.Abs(total-1) > 1e-12 {
			t.Fatalf("the probabilities add up to %v", total)
		}
	})
}

// TestOdds: they are sorted, also if posteriors are too small for a number, add up to one, and are
// those of the plain likelihoods.
func TestOdds(t *testing.T) {
	longtest.Only(t)
	for regime, of := range regimes {
		p := taskOf(t, "random:2:1:2x3", "power:2", "metropolis", 3, chains.Reverse)
		s := of(t, p)
		tally := s.NewTally(rand.NewPCG(1, 2))
		tally.Add(draw(codeOf(t, p, "kernel one beta early"), 5000, rand.NewPCG(3, 4)))
		odds := tally.Odds(Beside{Name: "a friend", LogOdds: math.Log(1e-3)})
		total := 0.0
		tiny := 0
		plain := func(h int) (log float64) {
			l := s.laws[h].dense(s.cells(), s.resolution)
			for cell, c := range tally.counts {
				if c > 0 {
					log += float64(c) * math.Log(l[cell])
				}
			}
			return log
		}
		for i, o := range odds {
			total += o.Posterior
			if i > 0 && !(o.LogOdds <= odds[i-1].LogOdds) {
				t.Errorf("%s: %q is likelier than the one before it", regime, o.Name)
			}
			if o.Posterior == 0 && !math.IsInf(o.LogOdds, -1) {
				tiny++
			}
			if h := slices.Index(s.Names, o.Name); h >= 0 {
				want := plain(h) - plain(0)
				if h > 0 && h == s.blurred { // it has the same log weights, of which a part is exact
					_, want = s.reduction.(*listed).blurred(tally.counts)
				}
				if o.LogOdds != want && !(math.Abs(o.LogOdds-want) < 1e-9) {
					t.Errorf("%s, %s: the log odds are %v, want %v", regime, o.Name, o.LogOdds, want)
				}
			}
			if o.Name == "a friend" && math.Abs(o.LogOdds-math.Log(1e-3)) > 1e-9 {
				t.Errorf("%s: the log odds beside are %v", regime, o.LogOdds)
			}
		}
		if math.Abs(total-1) > 1e-12 || len(odds) != len(s.Names)+2 || tiny == 0 {
			t.Errorf("%s: %d odds add up to %v, of which %d are too small for a number", regime, len(odds),
				total, tiny)
		}
	}
}

// dense returns the probabilities of the first cells, and least for those that are not possible.
func (l *law) dense(cells int, least float64) []float64 {
	p := slices.Repeat([]float64{least}, cells)
	for cell, v := range l.all() {
		p[cell] = v
	}
	return p
}
