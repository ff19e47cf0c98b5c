package latent_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
	"breadboard/toys/latent"
)

// collapsed returns the model of the same data without U.
func collapsed(tb testing.TB, y [][]float64, k int, h estimators.Factors) *latent.CollapsedLowRank {
	tb.Helper()
	m := longtest.Sure(latent.NewCollapsedLowRank(y, k, h))
	return m
}

// mirrored returns a table of the data by column, and the state in which U and V have changed
// places.
func mirrored(tb testing.TB, m *latent.LowRank,
	s *latent.LowRankState) (*latent.LowRank, *latent.LowRankState) {
	tb.Helper()
	y := table(len(m.Rows()[0]), len(m.Rows()))
	for i, row := range m.Rows() {
		for j, v := range row {
			y[j][i] = v
		}
	}
	h := estimators.Factors{
		UVariance:     s.Hyper.VVariance,
		VVariance:     s.Hyper.UVariance,
		NoiseVariance: s.Hyper.NoiseVariance,
	}
	other := longtest.Sure(latent.NewLowRank(y, m.Components(), h))
	x := other.Prior(sampler(1))
	for k := range s.U {
		copy(x.U[k], s.V[k])
		copy(x.V[k], s.U[k])
	}
	other.Refresh(x)
	return other, x
}

// TestLowRankOrder: a reversed move of the data is a move of their columns, where U and V have
// changed places. With unknown hyperparameters these are drawn first.
func TestLowRankOrder(t *testing.T) {
	hyper := estimators.Factors{UVariance: 2, VVariance: 0.5, NoiseVariance: 0.1}
	m, s := simulated(t, 1, 7, 4, 2, hyper)
	other, x := mirrored(t, m, s)
	m.Back(sampler(5), chains.At(0.7), s)
	other.Move(sampler(5), chains.At(0.7), x)
	for k := range s.U {
		if !slices.Equal(s.U[k], x.V[k]) || !slices.Equal(s.V[k], x.U[k]) {
			t.Errorf("component %d is %v and %v after a reversed move, and %v and %v by a move of the columns",
				k, s.U[k], s.V[k], x.V[k], x.U[k])
		}
	}
	inferred := longtest.Sure(latent.NewInferredLowRank(m.Rows(), 2))
	c := sampler(6)
	laws := inferred.HyperGiven(0.7, s)
	want := estimators.Factors{
		UVariance:     laws[0].Sample(c),
		VVariance:     laws[1].Sample(c),
		NoiseVariance: laws[2].Sample(c),
	}
	inferred.Back(sampler(6), chains.At(0.7), s)
	if s.Hyper != want {
		t.Errorf("the hyperparameters are %v after a reversed move, want %v", s.Hyper, want)
	}
}

// TestCollapsedOrder: a reversed move is a move of the data with their columns in another order.
func TestCollapsedOrder(t *testing.T) {
	hyper := estimators.Factors{UVariance: 2, VVariance: 0.5, NoiseVariance: 0.1}
	full, s := simulated(t, 1, 7, 4, 2, hyper)
	turned := table(7, 4)
	for i, row := range full.Rows() {
		copy(turned[i], row)
		slices.Reverse(turned[i])
	}
	m := collapsed(t, full.Rows(), 2, hyper)
	other := collapsed(t, turned, 2, hyper)
	x := m.FromFull(s)
	y := other.Clone(x)
	for _, row := range y.V {
		slices.Reverse(row)
	}
	m.Back(sampler(5), chains.At(0.7), x)
	other.Move(sampler(5), chains.At(0.7), y)
	for k, row := range y.V {
		slices.Reverse(row)
		for j, v := range row {
			near(t, "an entry of V after a reversed move", x.V[k][j], v, 1e-9)
		}
	}
}

// TestLowRankTransition: a move draws U given V and V given U, so that its density is p(U', V,
// Y)/p(V, Y) times p(U', V', Y)/p(U', Y), where one factor is integrated out in closed form: that
// is the likelihood of the collapsed model, of the data or of their columns.
func TestLowRankTransition(t *testing.T) {
	for i, h := range shapes() {
		hyper := estimators.Factors{UVariance: 2, VVariance: 0.5, NoiseVariance: 0.1}
		m, x := simulated(t, uint64(i), h.n, h.d, h.k, hyper)
		c := sampler(uint64(i))
		y := m.Move(c, chains.At(1), m.Clone(x))
		before := m.Clone(x)
		between := m.Clone(y)
		for k := range between.V {
			copy(between.V[k], x.V[k])
		}
		m.Refresh(between)
		joint := func(s *latent.LowRankState) float64 { return plainLogJoint(m.Rows(), s, 1) }
		withoutU := collapsed(t, m.Rows(), h.k, hyper)
		v := withoutU.FromFull(x)
		other, swapped := mirrored(t, m, y)
		withoutV := collapsed(t, other.Rows(), h.k, swapped.Hyper)
		u := withoutV.FromFull(swapped)
		want := joint(between) - withoutU.LogPrior(v) - withoutU.LogLikelihood(chains.At(1), v) +
			joint(y) - withoutV.LogPrior(u) - withoutV.LogLikelihood(chains.At(1), u)
		near(t, "log density of a move", m.LogTransition(x, y), want, 1e-11)
		if !slices.Equal(x.U[0], before.U[0]) || !slices.Equal(x.V[0], before.V[0]) {
			t.Error("LogTransition has changed the state")
		}
	}
}

// TestInferredLowRankTransition: with unknown hyperparameters the density of a move also has that
// of each of these. It does not depend on whether a log likelihood has been asked for.
func TestInferredLowRankTransition(t *testing.T) {
	known, s := simulated(t, 3, 5, 4, 2, estimators.EqualFactors())
	m := longtest.Sure(latent.NewInferredLowRank(known.Rows(), 2))
	y := m.Move(sampler(4), chains.At(1), m.Clone(s))
	got := m.LogTransition(s, y)
	near(t, "log density of a move", got, known.LogTransition(s, y)+hyperDensity(y, m.HyperGiven(1, y)), 1e-12)
	m.LogLikelihood(chains.At(1), s)
	m.LogLikelihood(chains.At(1), y)
	near(t, "log density of a move after the likelihoods", m.LogTransition(s, y), got, 0)
}

// TestLowRankAlong: with the posterior for proposal and no scans the weights multiply to the
// likelihood with U integrated out, and dropping data returns the weights of extending by them.
func TestLowRankAlong(t *testing.T) {
	for _, h := range shapes() {
		hyper := estimators.Factors{UVariance: 2, VVariance: 0.5, NoiseVariance: 0.1}
		m, _ := simulated(t, 5, h.n, h.d, h.k, hyper)
		along := m.Along()
		c := sampler(9)
		for _, q := range []estimators.Proposal{estimators.ProposePosterior, estimators.ProposePrior} {
			var s *latent.LowRankState
			weights := make([]float64, h.n+1)
			total := 0.0
			for i := 1; i <= h.n; i++ {
				s, weights[i] = along.Extend(c, i, q, s)
				total += weights[i]
			}
			want := m.LogLikelihood(chains.At(1), s)
			if q == estimators.ProposePosterior {
				without := collapsed(t, m.Rows(), h.k, hyper)
				want = without.LogLikelihood(chains.At(1), without.FromFull(s))
			}
			near(t, "sum of log weights", total, want, 1e-12)
			for i := h.n; i >= 1; i-- {
				var w float64
				s, w = along.Drop(i, q, s)
				if w != weights[i] {
					t.Errorf("datum %d is dropped with log weight %v, and it came with %v", i, w, weights[i])
				}
				if s == nil {
					continue
				}
				kept := m.LogLikelihood(chains.At(1), s)
				m.Refresh(s)
				if m.LogLikelihood(chains.At(1), s) != kept {
					t.Errorf("without datum %d the log likelihood is %v, and %v was kept",
						i, m.LogLikelihood(chains.At(1), s), kept)
				}
			}
			if s != nil {
				t.Error("a state is left of no data")
			}
		}
	}
}

// TestLowRankSteps: a small step has the digits of the log likelihood, where the difference of two
// likelihoods has none.
func TestLowRankSteps(t *testing.T) {
	m, s := simulated(t, 3, 50, 25, 5, estimators.EqualFactors())
	without := collapsed(t, m.Rows(), 5, s.Hyper)
	x := without.FromFull(s)
	for _, v := range []struct{ from, to chains.Place }{
		{chains.At(0), chains.At(1e-15)},
		{chains.At(0.25), chains.At(0.25 + 0x1p-50)},
		{chains.Place{Beta: 1, Rest: 3e-20}, chains.Place{Beta: 1, Rest: 1e-20}},
	} {
		step := v.to.Beta - v.from.Beta
		if v.to.Beta == 1 {
			step = 2e-20
		}
		near(t, "a step over its length", m.LogStep(v.from, v.to, s)/step,
			m.LogLikelihood(chains.At(1), s), 1e-12)
		near(t, "a step without U over its length", without.LogStep(v.from, v.to, x)/step,
			without.LogLikelihood(chains.At(1), x), 1e-12)
	}
}

// TestLowRankRefuses: what makes no model is refused, by its name and place.
func TestLowRankRefuses(t *testing.T) {
	table := [][]float64{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
	one := estimators.EqualFactors()
	for _, v := range []struct {
		y    [][]float64
		k    int
		h    estimators.Factors
		want string
	}{{nil, 1, one, "no data"}, {table, 3, one, "3 components for 3 rows and 3 columns"},
		{table, 1, estimators.Factors{}, "the variance of U is 0"}} {
		longtest.Refuses(latent.NewLowRank(v.y, v.k, v.h))(t, v.want)
		longtest.Refuses(latent.NewCollapsedLowRank(v.y, v.k, v.h))(t, v.want)
	}
}

// TestLowRankMagnitudes: with all that Validate lets pass, moves and likelihoods are finite.
func TestLowRankMagnitudes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := func(name string) float64 {
			return rapid.SampledFrom([]float64{1e-40, 1e-20, 1e-3, 1, 1e3, 1e20, 1e40}).Draw(t, name)
		}
		h := estimators.Factors{
			UVariance:     size("variance of U"),
			VVariance:     size("variance of V"),
			NoiseVariance: size("variance of the noise"),
		}
		c := sampler(rapid.Uint64().Draw(t, "seed"))
		y := table(4, 3)
		scale := size("data")
		for _, row := range y {
			for j := range row {
				row[j] = scale * rapid.Float64Range(-1, 1).Draw(t, "y")
			}
		}
		m := longtest.Sure(latent.NewLowRank(y, 2, h))
		inferred := longtest.Sure(latent.NewInferredLowRank(y, 2))
		without := longtest.Sure(latent.NewCollapsedLowRank(y, 2, h))
		s := m.Prior(c)
		i := inferred.Prior(c)
		x := without.Prior(c)
		for _, b := range []float64{0, 1e-6, 0.5, 1, 1} {
			at := chains.At(b)
			m.Move(c, at, s)
			inferred.Move(c, at, i)
			without.Move(c, at, x)
			before := m.Clone(s)
			latent.Finite(t, m.LogLikelihood(at, s), inferred.LogLikelihood(at, i),
				without.LogLikelihood(at, x), m.LogPrior(s))
			m.Within(c, m.Level(s)-1, s)
			latent.Finite(t, m.LogLikelihood(at, s), m.LogPrior(s), m.LogTransition(before, s))
		}
	})
}
