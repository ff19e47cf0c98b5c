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
		m := longtest.Sure(NewClustering(l.Y, len(l.Pi), ClusteringHyper{l.Pi, l.CentreVariance, l.NoiseVariance}))
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
	x := 0
	for _, k := range s.Z {
		x = m.k*x + k
	}
	return x
}

// rows enumerates what a program makes of each of n states.
func rows(t testing.TB, n int, f func(c chains.Chooser, x int) int) [][]float64 {
	t.Helper()
	out := make([][]float64, n)
	for x := range out {
		law := longtest.Must(program.Enumerate(context.Background(), func(c chains.Chooser) int { return f(c, x) }, program.Options{Cut: math.SmallestNonzeroFloat64}))(t)
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

// fullClustering returns a clustering of full size and an exact draw from its posterior.
func fullClustering(t testing.TB, c chains.RealChooser) (*Clustering, *ClusteringState) {
	t.Helper()
	h := DefaultClusteringHyper(10)
	y, s := SimulateClustering(c, 50, 25, 10, h)
	m := longtest.Sure(NewClustering(y, 10, h))
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
