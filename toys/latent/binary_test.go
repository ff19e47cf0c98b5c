package latent

import (
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/toys/models"
)

var (
	_ estimators.Transitional[chains.RealChooser, *BinaryState] = (*Binary)(nil)
	_ estimators.Constrained[chains.RealChooser, *BinaryState]  = (*Binary)(nil)
	_ estimators.Data[chains.RealChooser, *BinaryState]         = (*BinaryAlong)(nil)
)

// attributesOnLattice is a small model of binary attributes with the lattice model that it has to agree with.
type attributesOnLattice struct {
	*Binary
	lattice *models.Binary
}

// bin4 returns the small model, cut to so many rows.
func bin4(t testing.TB, rows int) attributesOnLattice {
	l := models.Bin4()
	l.Y = l.Y[:rows]
	m := must(NewBinary(l.Y, len(l.Pi), BinaryHyper{l.Pi, l.FeatureVariance, l.NoiseVariance}))
	return attributesOnLattice{m, l}
}

// state returns the state with a number.
func (m attributesOnLattice) state(x int) *BinaryState {
	s, space := m.empty(), m.lattice.Space()
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

// TestBinaryConditionals: the law of every z_ik given the others is that of the joint law on a lattice.
func TestBinaryConditionals(t *testing.T) {
	m := bin4(t, 4)
	space, prior := m.lattice.Space(), m.lattice.LogPrior()
	for _, b := range powers() {
		joint := m.lattice.LogLikelihood(b)
		for x := range joint {
			s := m.state(x)
			for axis := range space.Dims() {
				y := x + (1-2*s.Z[axis])*space.Stride(axis)
				law := m.Conditional(b, axis/m.k, axis%m.k, s)
				got, want := law.LogDensity(1-s.Z[axis])-law.LogDensity(s.Z[axis]), prior[y]+joint[y]-prior[x]-joint[x]
				if err := closeTo(got, want, 1e-12); err != nil {
					t.Fatalf("b = %v, state %v: log odds of attribute %d are %v", b, s.Z, axis, err)
				}
			}
		}
	}
}

// fullBinary returns a model of binary attributes of full size and an exact draw from its posterior.
func fullBinary(t testing.TB, c chains.RealChooser) (*Binary, *BinaryState) {
	t.Helper()
	h := DefaultBinaryHyper(10)
	y, s := SimulateBinary(c, 50, 25, 10, h)
	m := must(NewBinary(y, 10, h))
	m.Start(s)
	return m, s
}

func BenchmarkBinaryStep(b *testing.B) {
	c := chains.NewSampler(rand.NewPCG(1, 1))
	m, s := fullBinary(b, c)
	for b.Loop() {
		m.LogStep(chains.At(0.5), chains.At(0.6), s)
	}
}
