package latent

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/program"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

var (
	_ estimators.Transitional[chains.RealChooser, *ClusteringState] = (*Clustering)(nil)
	_ estimators.Constrained[chains.RealChooser, *ClusteringState]  = (*Clustering)(nil)
	_ estimators.Data[chains.RealChooser, *ClusteringState]         = (*ClusteringAlong)(nil)
)

// powers are the powers at which scans are compared.
func powers() []float64 { return []float64{0, 1e-9, 0.3, 1 - 1e-9, 1} }

// onLattice is a small clustering with the lattice model that it has to agree with.
type onLattice struct {
	*Clustering
	lattice *models.Clustering
}

// smallClusterings returns the small clusterings, cut to so many rows.
func smallClusterings(t testing.TB, rows int) map[string]onLattice {
	out := map[string]onLattice{}
	for name, l := range map[string]*models.Clustering{"clu6": models.Clu6(), "clu8": models.Clu8()} {
		l.Y = l.Y[:min(rows, len(l.Y))]
		m, err := NewClustering(l.Y, len(l.Pi), ClusteringHyper{l.Pi, l.CentreVariance, l.NoiseVariance})
		if err != nil {
			t.Fatal(err)
		}
		out[name] = onLattice{m, l}
	}
	return out
}

// state returns the state with a number.
func (m onLattice) state(x int) *ClusteringState {
	s, space := m.empty(), m.lattice.Space()
	for i := range m.y {
		s.Z = append(s.Z, space.Coord(x, i))
	}
	m.Refresh(s)
	return s
}

// number returns the number of a state.
func (m onLattice) number(s *ClusteringState) int {
	x, space := 0, m.lattice.Space()
	for i, k := range s.Z {
		x += k * space.Stride(i)
	}
	return x
}

// rows enumerates what a program makes of each of n states.
func rows(t testing.TB, n int, f func(c chains.Chooser, x int) int) [][]float64 {
	t.Helper()
	out := make([][]float64, n)
	for x := range out {
		law, err := program.Enumerate(context.Background(), func(c chains.Chooser) int { return f(c, x) }, program.Options{Cut: math.SmallestNonzeroFloat64})
		if err != nil {
			t.Fatal(err)
		}
		out[x] = make([]float64, n)
		for _, o := range law.Outcomes() {
			out[x][o.Value] = o.P
		}
	}
	return out
}

// posteriorOf returns the probabilities that are proportional to prior and likelihood.
func posteriorOf(logPrior, logL []float64) []float64 {
	p := slices.Clone(logPrior)
	for x, l := range logL {
		p[x] += l
	}
	chains.Normalize(p)
	return p
}

// closeTo returns an error where two numbers differ by more than a part of the larger, or of one.
func closeTo(got, want, tolerance float64) error {
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		return fmt.Errorf("%.17g, want %.17g", got, want)
	}
	return nil
}

// TestClusteringLikelihood: log likelihoods are those of the model on a lattice, at every state.
func TestClusteringLikelihood(t *testing.T) {
	for name, m := range smallClusterings(t, 8) {
		prior := m.lattice.LogPrior()
		for _, b := range powers() {
			for x, want := range m.lattice.LogLikelihood(b) {
				s := m.state(x)
				if err := closeTo(m.LogLikelihood(chains.At(b), s), want, 1e-12); err != nil {
					t.Fatalf("%s, b = %v, state %v: log likelihood %v", name, b, s.Z, err)
				}
				if err := closeTo(m.LogPrior(s), prior[x], 1e-12); err != nil {
					t.Fatalf("%s, state %v: log prior %v", name, s.Z, err)
				}
			}
		}
	}
}

// TestClusteringConditionals: the law of every z_i given the others is that of the joint law on a lattice.
func TestClusteringConditionals(t *testing.T) {
	for name, m := range smallClusterings(t, 8) {
		space, prior := m.lattice.Space(), m.lattice.LogPrior()
		for _, b := range powers() {
			joint := m.lattice.LogLikelihood(b)
			for x := range joint {
				s := m.state(x)
				for i := range m.y {
					law := m.Conditional(b, i, s)
					for k := range m.k {
						y := x + (k-s.Z[i])*space.Stride(i)
						got, want := law.LogDensity(k)-law.LogDensity(s.Z[i]), prior[y]+joint[y]-prior[x]-joint[x]
						if err := closeTo(got, want, 1e-12); err != nil {
							t.Fatalf("%s, b = %v, state %v: log odds of z_%d = %d are %v", name, b, s.Z, i, k, err)
						}
					}
				}
			}
		}
	}
}

// TestClusteringScan: the enumerated scan leaves prior times likelihood invariant, its rows are products of the conditionals of the model on
// a lattice, its reversal is the time reversal, and the probability of a transition is the enumerated one.
func TestClusteringScan(t *testing.T) {
	longtest.NotShort(t)
	for name, m := range smallClusterings(t, 4) {
		prior, n := m.lattice.LogPrior(), m.lattice.Space().States()
		for _, b := range powers() {
			p := posteriorOf(prior, m.lattice.LogLikelihood(b))
			forth := rows(t, n, func(c chains.Chooser, x int) int { s := m.state(x); m.Scan(c, b, s); return m.number(s) })
			back := rows(t, n, func(c chains.Chooser, x int) int { s := m.state(x); m.ScanBack(c, b, s); return m.number(s) })
			checkScan(t, fmt.Sprintf("%s, b = %v", name, b), p, forth, back, heatBath(m.lattice.Space(), p))
			for x := range forth {
				for y, want := range forth[x] {
					if b != 1 {
						break
					}
					if err := closeTo(m.LogTransition(m.state(x), m.state(y)), math.Log(want), 1e-12); err != nil {
						t.Fatalf("%s: log transition from %d to %d is %v", name, x, y, err)
					}
				}
			}
		}
	}
}

// TestClusteringWithin: a scan within a floor stays above it, and leaves the prior above it invariant.
func TestClusteringWithin(t *testing.T) {
	for name, m := range smallClusterings(t, 4) {
		logL, prior := m.lattice.LogLikelihood(1), m.lattice.LogPrior()
		n := m.lattice.Space().States()
		for _, floor := range floors(logL) {
			above := func(x int) bool { return logL[x] > floor }
			move := rows(t, n, func(c chains.Chooser, x int) int {
				s := m.state(x)
				if above(x) {
					m.ScanWithin(c, floor, s)
				}
				return m.number(s)
			})
			checkWithin(t, fmt.Sprintf("%s, floor %v", name, floor), prior, above, move)
		}
	}
}

// TestClusteringAlong: along the data the weights are those of the joint densities, whichever datum comes, and Drop takes back what
// Extend does.
func TestClusteringAlong(t *testing.T) {
	for name, m := range smallClusterings(t, 5) {
		g := m.Along()
		lattice, err := models.Growing(m.lattice)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []estimators.Proposal{estimators.ProposePosterior, estimators.ProposePrior} {
			for seed := range uint64(50) {
				c := chains.NewSampler(rand.NewPCG(seed, 1))
				var s *ClusteringState
				number := 0
				for k := 1; k <= g.Data(); k++ {
					var got float64
					s, got = g.Extend(c, k, q, s)
					number = number*m.k + s.Z[k-1]
					_, want := lattice.Drop(k, q, number)
					if err := closeTo(got, want, 1e-12); err != nil {
						t.Fatalf("%s, %v, state %v: weight %v", name, q, s.Z, err)
					}
				}
				for k := g.Data(); k > 0; k-- {
					_, want := lattice.Drop(k, q, number)
					number /= m.k
					var got float64
					if s, got = g.Drop(k, q, s); closeTo(got, want, 1e-12) != nil || (s == nil) != (k == 1) {
						t.Fatalf("%s, %v: dropping datum %d weighs %v, want %v", name, q, k, got, want)
					}
				}
			}
		}
	}
}

// TestClusteringDoesNotAllocate: neither scans nor likelihoods ask for memory.
func TestClusteringDoesNotAllocate(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(1, 1))
	m, s := fullClustering(t, c)
	other := m.Clone(s)
	for name, f := range map[string]func(){
		"Move":          func() { m.Move(c, chains.At(0.7), s) },
		"Back":          func() { m.Back(c, chains.At(0.6), s) },
		"LogLikelihood": func() { m.LogLikelihood(chains.At(0.7), s) },
		"LogStep":       func() { m.LogStep(chains.At(0.7), chains.At(0.8), s) },
		"LogTransition": func() { m.LogTransition(s, other) },
		"Within":        func() { m.Within(c, m.Level(s)-10, s) },
	} {
		if n := testing.AllocsPerRun(10, f); n > 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

// fullClustering returns a clustering of full size and an exact draw from its posterior.
func fullClustering(t testing.TB, c chains.RealChooser) (*Clustering, *ClusteringState) {
	t.Helper()
	h := DefaultClusteringHyper(10)
	y, s := SimulateClustering(c, 50, 25, 10, h)
	m, err := NewClustering(y, 10, h)
	if err != nil {
		t.Fatal(err)
	}
	m.Start(s)
	return m, s
}

func BenchmarkClusteringStep(b *testing.B) {
	c := chains.NewSampler(rand.NewPCG(1, 1))
	m, s := fullClustering(b, c)
	for b.Loop() {
		m.LogStep(chains.At(0.5), chains.At(0.6), s)
	}
}
