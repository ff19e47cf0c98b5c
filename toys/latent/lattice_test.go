package latent

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// heatBath returns the transition probabilities of a scan that draws every axis given the others
// from the distribution p, by products of matrices. It is the slow way that any scan has to agree
// with.
func heatBath(space *grid.Lattice, p []float64) [][]float64 {
	n := len(p)
	out := make([][]float64, n)
	for x := range out {
		out[x] = make([]float64, n)
		out[x][x] = 1
	}
	for axis := range space.Dims() {
		for _, row := range out {
			after := make([]float64, n)
			for x, mass := range row {
				first := x - space.Coord(x, axis)*space.Stride(axis)
				line := 0.0
				for k := range space.Side(axis) {
					line += p[first+k*space.Stride(axis)]
				}
				for k := range space.Side(axis) {
					y := first + k*space.Stride(axis)
					after[y] += mass * p[y] / line
				}
			}
			copy(row, after)
		}
	}
	return out
}

// checkScan fails if a scan is not the scan by heat bath, which leaves p invariant, or has another
// time reversal than it says.
func checkScan(t *testing.T, name string, p []float64, forth, back, want [][]float64) {
	t.Helper()
	for x, row := range forth {
		for y, v := range row {
			if math.Abs(v-want[x][y]) > 1e-12 {
				t.Fatalf("%s: the scan goes from %d to %d with probability %v, want %v", name, x, y, v, want[x][y])
			}
			if math.Abs(p[x]*v-p[y]*back[y][x]) > 1e-13 {
				t.Fatalf("%s: the flow from %d to %d is %v, and back %v", name, x, y, p[x]*v, p[y]*back[y][x])
			}
		}
	}
}

// checkWithin fails if a move leaves the states above a floor, or does not leave the prior there
// invariant.
func checkWithin(t *testing.T, name string, logPrior []float64, above func(int) bool, move [][]float64) {
	t.Helper()
	after := make([]float64, len(move))
	for x, row := range move {
		if !above(x) {
			continue
		}
		for y, v := range row {
			if v > 0 && !above(y) {
				t.Fatalf("%s: a move goes from %d below the floor to %d", name, x, y)
			}
			after[y] += math.Exp(logPrior[x]) * v
		}
	}
	for y, v := range after {
		if above(y) && math.Abs(v-math.Exp(logPrior[y])) > 1e-13 {
			t.Fatalf("%s: after a move state %d has the mass %v, and before %v", name, y, v, math.Exp(logPrior[y]))
		}
	}
}

// discrete is a model of discrete variables with known hyperparameters whose states are numbered as
// those of a lattice model are.
type enumerable[S any] interface {
	estimators.Transitional[chains.RealChooser, S]
	estimators.Constrained[chains.RealChooser, S]
	LogPrior(s S) float64
	Scan(c chains.Chooser, b float64, s S)
	ScanBack(c chains.Chooser, b float64, s S)
	ScanWithin(c chains.Chooser, floor float64, s S)
	state(x int) S
	number(s S) int
}

// checkLikelihood fails if log priors and likelihoods are not those of the lattice model, at every
// state.
func checkLikelihood[S any](t *testing.T, name string, m enumerable[S], lattice models.Model) {
	t.Helper()
	prior := lattice.LogPrior()
	for _, b := range powers() {
		for x, want := range lattice.LogLikelihood(b) {
			s := m.state(x)
			near(t, m.LogLikelihood(chains.At(b), s), want, 1e-12,
				"%s, b = %v, state %d: log likelihood", name, b, x)
			near(t, m.LogPrior(s), prior[x], 1e-12, "%s, state %d: log prior", name, x)
		}
	}
}

// checkScans fails if the enumerated scan does not leave prior times likelihood invariant, its rows
// are not products of the conditionals of the lattice model, its reversal is not the time reversal,
// or the probability of a transition is not the enumerated one.
func checkScans[S any](t *testing.T, name string, m enumerable[S], lattice models.Model) {
	t.Helper()
	prior := lattice.LogPrior()
	n := lattice.Space().States()
	for _, b := range powers() {
		p := posteriorOf(prior, lattice.LogLikelihood(b))
		forth := rows(t, n, func(c chains.Chooser, x int) int { s := m.state(x); m.Scan(c, b, s); return m.number(s) })
		back := rows(t,
			n, func(c chains.Chooser, x int) int { s := m.state(x); m.ScanBack(c, b, s); return m.number(s) })
		checkScan(t, fmt.Sprintf("%s, b = %v", name, b), p, forth, back, heatBath(lattice.Space(), p))
		if b != 1 {
			continue
		}
		for x := range forth {
			for y, want := range forth[x] {
				near(t, m.LogTransition(m.state(x), m.state(y)), math.Log(want), 1e-12,
					"%s: log transition from %d to %d", name, x, y)
			}
		}
	}
}

// checkFloors fails if a scan within a floor does not stay at the states whose level is above it,
// or does not leave the prior there invariant, for floors below all levels and at levels of the
// model: in nested sampling the floor is the level of the particle that has died.
func checkFloors[S any](t *testing.T, name string, m enumerable[S], logPrior []float64) {
	t.Helper()
	levels := make([]float64, len(logPrior))
	for x := range levels {
		levels[x] = m.Level(m.state(x))
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(levels)))
	for _, floor := range []float64{sorted[0] - 1, sorted[0], sorted[1], sorted[len(sorted)/2]} {
		above := func(x int) bool { return levels[x] > floor }
		move := rows(t, len(levels), func(c chains.Chooser, x int) int {
			s := m.state(x)
			if above(x) {
				m.ScanWithin(c, floor, s)
			}
			return m.number(s)
		})
		checkWithin(t, fmt.Sprintf("%s, floor %v", name, floor), logPrior, above, move)
	}
}

// checkAlong fails if along the data a weight is not that of the joint densities, whichever datum
// comes, or Drop does not take back what Extend does.
func checkAlong[S comparable](t *testing.T, name string, m enumerable[S],
	data estimators.Data[chains.RealChooser, S], lattice models.Sequential) {
	t.Helper()
	growing := longtest.Must(models.Growing(lattice))(t)
	var none S
	for _, q := range []estimators.Proposal{estimators.ProposePosterior, estimators.ProposePrior} {
		for seed := range uint64(50) {
			c := chains.NewSampler(rand.NewPCG(seed, 1))
			s := none
			got := 0.0
			for k := 1; k <= data.Data(); k++ {
				s, got = data.Extend(c, k, q, s)
				_, want := growing.Drop(k, q, m.number(s))
				near(t, got, want, 1e-12, "%s, %v, state %d of %d data: weight", name, q, m.number(s), k)
			}
			for k := data.Data(); k > 0; k-- {
				_, want := growing.Drop(k, q, m.number(s))
				s, got = data.Drop(k, q, s)
				if !isNear(got, want, 1e-12) || (s == none) != (k == 1) {
					t.Fatalf("%s, %v: dropping datum %d weighs %v, want %v", name, q, k, got, want)
				}
			}
		}
	}
}

// TestDiscreteLikelihoods: log priors and likelihoods are those of the models on a lattice, at
// every state.
func TestDiscreteLikelihoods(t *testing.T) {
	for name, m := range smallClusterings(t, 8) {
		checkLikelihood[*ClusteringState](t, name, m, m.lattice)
	}
	m := bin4(t, 4)
	checkLikelihood[*BinaryState](t, "binary", m, m.lattice)
}

// TestDiscreteScans: the enumerated scans are those of the models on a lattice, with their
// reversals and the probabilities of transitions.
func TestDiscreteScans(t *testing.T) {
	longtest.Only(t)
	for name, m := range smallClusterings(t, 4) {
		checkScans[*ClusteringState](t, name, m, m.lattice)
	}
	m := bin4(t, 3)
	checkScans[*BinaryState](t, "binary", m, m.lattice)
}

// TestDiscreteWithin: a scan within a floor stays above it, and leaves the prior above it
// invariant.
func TestDiscreteWithin(t *testing.T) {
	for name, m := range smallClusterings(t, 4) {
		checkFloors[*ClusteringState](t, name, m, m.lattice.LogPrior())
	}
	m := bin4(t, 3)
	checkFloors[*BinaryState](t, "binary", m, m.lattice.LogPrior())
}

// TestDiscreteAlong: along the data the weights are those of the joint densities.
func TestDiscreteAlong(t *testing.T) {
	for name, m := range smallClusterings(t, 5) {
		checkAlong[*ClusteringState](t, name, m, m.Along(), m.lattice)
	}
	m := bin4(t, 4)
	checkAlong[*BinaryState](t, "binary", m, m.Along(), m.lattice)
}

// TestAllocations: moves and likelihoods ask for no memory.
func TestAllocations(t *testing.T) {
	y := zeros(6, 5)
	asksForNone(t, longtest.Sure(NewClustering(y, 3, estimators.EqualClusters(3))), true)
	asksForNone(t, longtest.Sure(NewBinary(y, 3, estimators.EvenAttributes(3))), true)
	asksForNone(t, longtest.Sure(NewLowRank(y, 3, estimators.EqualFactors())), true)
	asksForNone(t, longtest.Sure(NewInferredClustering(y, 3)), false)
	asksForNone(t, longtest.Sure(NewInferredBinary(y, 3)), false)
	asksForNone(t, longtest.Sure(NewInferredLowRank(y, 3)), false)
	asksForNone(t, longtest.Sure(NewCollapsedLowRank(y, 3, estimators.EqualFactors())), false)
	asksForNone(t, longtest.Sure(NewRegression(y)), false)
	asksForNone(t, longtest.Sure(NewLogistic(y)), false)
	asksForNone(t, longtest.Sure(NewAutoregression(zeros(6, 1))), false)
}

func asksForNone[S any](t *testing.T, m estimators.Model[chains.RealChooser, S], bounded bool) {
	t.Helper()
	var c chains.RealChooser = chains.NewSampler(rand.NewPCG(1, 1))
	s := m.Prior(c)
	other := m.Prior(c)
	at := chains.At(0.7)
	within, _ := m.(estimators.Constrained[chains.RealChooser, S])
	to, dense := m.(estimators.Transitional[chains.RealChooser, S])
	if n := testing.AllocsPerRun(10, func() {
		m.Back(c, at, m.Move(c, at, s))
		m.LogStep(at, chains.At(1), s)
		m.LogLikelihood(at, s)
		if bounded {
			within.Within(c, within.Level(s)-10, s)
		}
		if dense {
			to.LogTransition(s, other)
		}
	}); n > 0 {
		t.Errorf("%T allocates %v times", m, n)
	}
}
