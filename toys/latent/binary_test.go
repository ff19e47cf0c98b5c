package latent

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
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
	m, err := NewBinary(l.Y, len(l.Pi), BinaryHyper{l.Pi, l.FeatureVariance, l.NoiseVariance})
	if err != nil {
		t.Fatal(err)
	}
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

// TestBinaryLikelihood: log likelihoods are those of the model on a lattice, at every state.
func TestBinaryLikelihood(t *testing.T) {
	m := bin4(t, 4)
	prior := m.lattice.LogPrior()
	for _, b := range powers() {
		for x, want := range m.lattice.LogLikelihood(b) {
			s := m.state(x)
			if err := closeTo(m.LogLikelihood(chains.At(b), s), want, 1e-12); err != nil {
				t.Fatalf("b = %v, state %v: log likelihood %v", b, s.Z, err)
			}
			if err := closeTo(m.LogPrior(s), prior[x], 1e-12); err != nil {
				t.Fatalf("state %v: log prior %v", s.Z, err)
			}
		}
	}
}

// TestBinaryScan: the enumerated scan is that of the model on a lattice, with its reversal and the probabilities of its transitions.
func TestBinaryScan(t *testing.T) {
	longtest.NotShort(t)
	m := bin4(t, 3)
	prior, n := m.lattice.LogPrior(), m.lattice.Space().States()
	for _, b := range powers() {
		p := posteriorOf(prior, m.lattice.LogLikelihood(b))
		forth := rows(t, n, func(c chains.Chooser, x int) int { s := m.state(x); m.Scan(c, b, s); return m.number(s) })
		back := rows(t, n, func(c chains.Chooser, x int) int { s := m.state(x); m.ScanBack(c, b, s); return m.number(s) })
		checkScan(t, fmt.Sprintf("b = %v", b), p, forth, back, heatBath(m.lattice.Space(), p))
		for x := range forth {
			for y, want := range forth[x] {
				if b != 1 {
					break
				}
				if err := closeTo(m.LogTransition(m.state(x), m.state(y)), math.Log(want), 1e-12); err != nil {
					t.Fatalf("log transition from %d to %d is %v", x, y, err)
				}
			}
		}
	}
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

// TestBinaryWithin: a scan within a floor stays above it, and leaves the prior above it invariant.
func TestBinaryWithin(t *testing.T) {
	m := bin4(t, 3)
	logL, prior := m.lattice.LogLikelihood(1), m.lattice.LogPrior()
	for _, floor := range floors(logL) {
		above := func(x int) bool { return logL[x] > floor }
		move := rows(t, len(logL), func(c chains.Chooser, x int) int {
			s := m.state(x)
			if above(x) {
				m.ScanWithin(c, floor, s)
			}
			return m.number(s)
		})
		checkWithin(t, fmt.Sprintf("floor %v", floor), prior, above, move)
	}
}

// TestBinaryAlong: along the data the weights are those of the joint densities, whichever datum comes, and Drop takes back what Extend does.
func TestBinaryAlong(t *testing.T) {
	m := bin4(t, 4)
	a := m.Along()
	lattice, err := models.Growing(m.lattice)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []estimators.Proposal{estimators.ProposePosterior, estimators.ProposePrior} {
		for seed := range uint64(50) {
			c := chains.NewSampler(rand.NewPCG(seed, 1))
			var s *BinaryState
			for k := 1; k <= a.Data(); k++ {
				var got float64
				s, got = a.Extend(c, k, q, s)
				_, want := lattice.Drop(k, q, m.number(s))
				if err := closeTo(got, want, 1e-12); err != nil {
					t.Fatalf("%v, state %v: weight %v", q, s.Z, err)
				}
			}
			for k := a.Data(); k > 0; k-- {
				_, want := lattice.Drop(k, q, m.number(s))
				var got float64
				if s, got = a.Drop(k, q, s); closeTo(got, want, 1e-12) != nil || (s == nil) != (k == 1) {
					t.Fatalf("%v: dropping datum %d weighs %v, want %v", q, k, got, want)
				}
			}
		}
	}
}

// TestBinaryDoesNotAllocate: neither scans nor likelihoods ask for memory.
func TestBinaryDoesNotAllocate(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(1, 1))
	m, s := fullBinary(t, c)
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

// fullBinary returns a model of binary attributes of full size and an exact draw from its posterior.
func fullBinary(t testing.TB, c chains.RealChooser) (*Binary, *BinaryState) {
	t.Helper()
	h := DefaultBinaryHyper(10)
	y, s := SimulateBinary(c, 50, 25, 10, h)
	m, err := NewBinary(y, 10, h)
	if err != nil {
		t.Fatal(err)
	}
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
