package latent

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/program"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

var (
	_ estimators.Transitional[chains.RealChooser, *BinaryState] = (*Binary)(nil)
	_ estimators.Constrained[chains.RealChooser, *BinaryState]  = (*Binary)(nil)
	_ estimators.Data[chains.RealChooser, *BinaryState]         = (*BinaryAlong)(nil)
)

// attributesOnLattice is a small model of binary attributes with the lattice model that it has to
// agree with.
type attributesOnLattice struct {
	*Binary
	lattice *models.Binary
}

// bin4 returns the small model, cut to that many rows.
func bin4(t testing.TB, rows int) attributesOnLattice {
	l := models.Bin4()
	l.Y = l.Y[:rows]
	m := longtest.Sure(NewBinary(l.Y, len(l.Pi), l.Attributes))
	return attributesOnLattice{m, l}
}

// state returns the state with a number.
func (m attributesOnLattice) state(x int) *BinaryState {
	s := m.empty()
	space := m.lattice.Space()
	for axis := range space.Dims() {
		s.Z = append(s.Z, space.Coord(x, axis))
	}
	m.Refresh(s)
	return s
}

// number returns the number of a state.
func (m attributesOnLattice) number(s *BinaryState) int {
	x := 0
	for _, z := range s.Z {
		x = 2*x + z
	}
	return x
}

// TestBinaryConditionals: the distribution of every z_ik given the others is that of the joint
// distribution on a lattice.
func TestBinaryConditionals(t *testing.T) {
	m := bin4(t, 4)
	space := m.lattice.Space()
	prior := m.lattice.LogPrior()
	for _, b := range powers() {
		joint := m.lattice.LogLikelihood(b)
		for x := range joint {
			s := m.state(x)
			for axis := range space.Dims() {
				y := x + (1-2*s.Z[axis])*space.Stride(axis)
				law := m.Conditional(b, axis/m.k, axis%m.k, s)
				got, want := law.LogDensity(1-s.Z[axis])-law.LogDensity(s.Z[axis]),
					prior[y]+joint[y]-prior[x]-joint[x]
				near(t, got, want, 1e-12, "b = %v, state %v: log odds of attribute %d", b, s.Z, axis)
			}
		}
	}
}

// fullBinary returns a model of binary attributes of full size and an exact draw from its
// posterior.
func fullBinary(t testing.TB, c chains.RealChooser) (*Binary, *BinaryState) {
	t.Helper()
	h := estimators.EvenAttributes(10)
	y, s := SimulateBinary(c, 50, 25, 10, h)
	m := longtest.Sure(NewBinary(y, 10, h))
	m.Start(s)
	return m, s
}

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

// smallClusterings returns the small clusterings, cut to that many rows.
func smallClusterings(t testing.TB, rows int) map[string]onLattice {
	out := map[string]onLattice{}
	for name, l := range map[string]*models.Clustering{"clu6": models.Clu6(), "clu8": models.Clu8()} {
		l.Y = l.Y[:min(rows, len(l.Y))]
		m := longtest.Sure(NewClustering(l.Y, len(l.Pi), l.Clusters))
		out[name] = onLattice{m, l}
	}
	return out
}

// state returns the state with a number.
func (m onLattice) state(x int) *ClusteringState {
	s := m.empty()
	space := m.lattice.Space()
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
		law := longtest.Must(program.Enumerate(context.Background(), func(c chains.Chooser) int { return f(c, x) },
			program.Options{Cut: math.SmallestNonzeroFloat64}))(t)
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

// isNear reports whether two numbers differ by at most a tolerance times the larger of one and
// their size.
func isNear(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*max(1, math.Abs(want))
}

// near fails if two numbers are not near one another (see isNear). The text says what they are.
func near(t rapid.TB, got, want, tolerance float64, what string, args ...any) {
	t.Helper()
	if !isNear(got, want, tolerance) {
		t.Fatalf("%s is %.17g, want %.17g", fmt.Sprintf(what, args...), got, want)
	}
}

// TestClusteringConditionals: the distribution of every z_i given the others is that of the joint
// distribution on a lattice.
func TestClusteringConditionals(t *testing.T) {
	for name, m := range smallClusterings(t, 8) {
		space := m.lattice.Space()
		prior := m.lattice.LogPrior()
		for _, b := range powers() {
			joint := m.lattice.LogLikelihood(b)
			for x := range joint {
				s := m.state(x)
				for i := range m.y {
					law := m.Conditional(b, i, s)
					for k := range m.k {
						y := x + (k-s.Z[i])*space.Stride(i)
						got, want := law.LogDensity(k)-law.LogDensity(s.Z[i]),
							prior[y]+joint[y]-prior[x]-joint[x]
						near(t, got, want, 1e-12, "%s, b = %v, state %v: log odds of z_%d = %d",
							name, b, s.Z, i, k)
					}
				}
			}
		}
	}
}

// fullClustering returns a clustering of full size and an exact draw from its posterior.
func fullClustering(t testing.TB, c chains.RealChooser) (*Clustering, *ClusteringState) {
	t.Helper()
	h := estimators.EqualClusters(10)
	y, s := SimulateClustering(c, 50, 25, 10, h)
	m := longtest.Sure(NewClustering(y, 10, h))
	m.Start(s)
	return m, s
}

// Conditional returns the distribution of z_ik with the power b given all other attributes; it does
// not depend on z_ik in the state.
func (m *Binary) Conditional(b float64, i, k int, s *BinaryState) Bernoulli {
	law, _ := m.conditionalOf(m.openRow(b, i, s), i, k, s)
	m.addRow(i, s)
	return law
}

// Conditional returns the distribution of z_i with the power b given the clusters of all other
// rows; it does not depend on z_i in the state. It is valid until the next call.
func (m *Clustering) Conditional(b float64, i int, s *ClusteringState) *Categorical {
	m.setConditionals(b, s)
	m.openRow(i, s)
	law := m.conditionalOf(i, s)
	m.addRow(i, s.Z[i], s)
	return law
}
