package latent_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
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

// TestCollapsedLikelihood: each row of the data is normal with covariance su2 V'V + sn2 I, by
// gonum.
func TestCollapsedLikelihood(t *testing.T) {
	for i, h := range shapes() {
		hyper := estimators.Factors{UVariance: 2, VVariance: 0.5, NoiseVariance: 0.1}
		full, s := simulated(t, uint64(i), h.n, h.d, h.k, hyper)
		m := collapsed(t, full.Rows(), h.k, hyper)
		covariance := mat.NewSymDense(h.d, nil)
		for a := range h.d {
			for b := range a + 1 {
				sum := 0.0
				for k := range h.k {
					sum += hyper.UVariance * s.V[k][a] * s.V[k][b]
				}
				if a == b {
					sum += hyper.NoiseVariance
				}
				covariance.SetSym(a, b, sum)
			}
		}
		normal, ok := distmv.NewNormal(make([]float64, h.d), covariance, nil)
		if !ok {
			t.Fatal("the covariance is not positive definite")
		}
		want := 0.0
		for _, row := range full.Rows() {
			want += normal.LogProb(row)
		}
		x := m.FromFull(s)
		for _, b := range []float64{0, 0.25, 1} {
			near(t, "collapsed log likelihood", m.LogLikelihood(chains.At(b), x), b*want, 1e-12)
		}
	}
}

// mirrored returns a table of the data by column, and the state in which U and V have changed
// places.
func mirrored(tb testing.TB, m *latent.LowRank, s *latent.LowRankState) (*latent.LowRank, *latent.LowRankState) {
	tb.Helper()
	y := table(len(m.Rows()[0]), len(m.Rows()))
	for i, row := range m.Rows() {
		for j, v := range row {
			y[j][i] = v
		}
	}
	h := estimators.Factors{UVariance: s.Hyper.VVariance, VVariance: s.Hyper.UVariance, NoiseVariance: s.Hyper.NoiseVariance}
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
			t.Errorf("component %d is %v and %v after a reversed move, and %v and %v by a move of the columns", k, s.U[k], s.V[k], x.V[k], x.U[k])
		}
	}
	inferred := longtest.Sure(latent.NewInferredLowRank(m.Rows(), 2))
	c, laws := sampler(6), inferred.HyperGiven(0.7, s)
	want := estimators.Factors{UVariance: laws[0].Sample(c), VVariance: laws[1].Sample(c), NoiseVariance: laws[2].Sample(c)}
	if inferred.Back(sampler(6), chains.At(0.7), s); s.Hyper != want {
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
	m, other := collapsed(t, full.Rows(), 2, hyper), collapsed(t, turned, 2, hyper)
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
// of each of these.
func TestInferredLowRankTransition(t *testing.T) {
	data, s := latent.SimulateLowRank(sampler(3), 5, 4, 2, estimators.EqualFactors())
	m := longtest.Sure(latent.NewInferredLowRank(data, 2))
	m.Refresh(s)
	y := m.Move(sampler(4), chains.At(1), m.Clone(s))
	fixed := longtest.Sure(latent.NewLowRank(data, 2, s.Hyper))
	want := fixed.LogTransition(s, y)
	u2, v2 := 0.0, 0.0
	for k := range y.U {
		for _, u := range y.U[k] {
			u2 += u * u
		}
		for _, v := range y.V[k] {
			v2 += v * v
		}
	}
	want += latent.InverseGamma{Shape: 1 + 5, Scale: 1 + u2/2}.LogDensity(y.Hyper.UVariance)
	want += latent.InverseGamma{Shape: 1 + 4, Scale: 1 + v2/2}.LogDensity(y.Hyper.VVariance)
	want += latent.InverseGamma{Shape: 1 + 10, Scale: 1 + squaresLeft(data, y)/2}.LogDensity(y.Hyper.NoiseVariance)
	near(t, "log density of a move", m.LogTransition(s, y), want, 1e-12)
}

// TestHyperConditionals: the densities of hyperparameters given the rest have the ratios of the
// joint density, at every b.
func TestHyperConditionals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.SampledFrom(shapes()).Draw(t, "shape")
		c := sampler(rapid.Uint64().Draw(t, "seed"))
		data, _ := latent.SimulateLowRank(c, h.n, h.d, h.k, estimators.EqualFactors())
		m := longtest.Sure(latent.NewInferredLowRank(data, h.k))
		b := rapid.SampledFrom([]float64{0, 1e-6, 0.5, 1}).Draw(t, "b")
		x := m.Prior(c)
		y := m.Clone(x)
		y.Hyper = m.Prior(c).Hyper
		m.Refresh(y)
		laws := m.HyperGiven(b, x)
		density := func(s *latent.LowRankState) float64 {
			return laws[0].LogDensity(s.Hyper.UVariance) + laws[1].LogDensity(s.Hyper.VVariance) + laws[2].LogDensity(s.Hyper.NoiseVariance)
		}
		prior := latent.InverseGamma{Shape: 1, Scale: 1}
		joint := func(s *latent.LowRankState) float64 {
			return plainLogJoint(data, s, b) + prior.LogDensity(s.Hyper.UVariance) + prior.LogDensity(s.Hyper.VVariance) + prior.LogDensity(s.Hyper.NoiseVariance)
		}
		got, want := density(y)-density(x), joint(y)-joint(x)
		if size := math.Abs(joint(x)) + math.Abs(joint(y)); !(math.Abs(got-want) <= 1e-12*size) {
			t.Errorf("%v, b = %v: log ratio %v, want %v", h, b, got, want)
		}
		near(t, "log joint density", m.LogPrior(y)+m.LogLikelihood(chains.At(b), y), joint(y), 1e-12)
	})
}

// TestLowRankAlong: with the posterior for proposal and no scans the weights multiply to the
// likelihood with U integrated out, and dropping data returns the weights of extending by them.
func TestLowRankAlong(t *testing.T) {
	for _, h := range shapes() {
		hyper := estimators.Factors{UVariance: 2, VVariance: 0.5, NoiseVariance: 0.1}
		m, _ := simulated(t, 5, h.n, h.d, h.k, hyper)
		along, c := m.Along(), sampler(9)
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
				if m.Refresh(s); m.LogLikelihood(chains.At(1), s) != kept {
					t.Errorf("without datum %d the log likelihood is %v, and %v was kept", i, m.LogLikelihood(chains.At(1), s), kept)
				}
			}
			if s != nil {
				t.Error("a state is left of no data")
			}
		}
	}
}

// TestLowRankSymmetry: data, U and V that are permuted or turned together have the same likelihood:
// rows and columns in another order, components in another order, with another sign, and turned
// against one another.
func TestLowRankSymmetry(t *testing.T) {
	for _, h := range shapes() {
		m, s := simulated(t, 3, h.n, h.d, h.k, estimators.EqualFactors())
		want := m.LogLikelihood(chains.At(1), s)
		c := sampler(8)
		reverse := func(x [][]float64) [][]float64 {
			out := table(len(x), len(x[0]))
			for i, row := range x {
				copy(out[i], row)
				slices.Reverse(out[i])
			}
			return out
		}
		y := m.Rows()
		columns := longtest.Must(m.WithData(reverse(y)))(t)
		x := m.Clone(s)
		for k, v := range reverse(s.V) {
			copy(x.V[k], v)
		}
		columns.Refresh(x)
		near(t, "columns in another order", columns.LogLikelihood(chains.At(1), x), want, 1e-12)

		turned := slices.Clone(y)
		slices.Reverse(turned)
		rows := longtest.Must(m.WithData(turned))(t)
		x = m.Clone(s)
		for k, u := range reverse(s.U) {
			copy(x.U[k], u)
		}
		rows.Refresh(x)
		near(t, "rows in another order", rows.LogLikelihood(chains.At(1), x), want, 1e-12)

		x = m.Clone(s)
		for k := range x.U {
			copy(x.U[k], s.U[h.k-1-k])
			copy(x.V[k], s.V[h.k-1-k])
			for i := range x.U[k] {
				x.U[k][i] *= -1
			}
			for j := range x.V[k] {
				x.V[k][j] *= -1
			}
		}
		m.Refresh(x)
		near(t, "components in another order, with another sign", m.LogLikelihood(chains.At(1), x), want, 1e-12)
		if h.k < 2 {
			continue
		}
		sin, cos := math.Sincos(c.Normal())
		turn := func(a, b []float64) {
			for i, v := range a {
				a[i], b[i] = cos*v+sin*b[i], cos*b[i]-sin*v
			}
		}
		turn(x.U[0], x.U[1])
		turn(x.V[0], x.V[1])
		m.Refresh(x)
		near(t, "components that are turned", m.LogLikelihood(chains.At(1), x), want, 1e-12)
		near(t, "the prior of components that are turned", m.LogPrior(x), m.LogPrior(s), 1e-12)
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
		near(t, "a step over its length", m.LogStep(v.from, v.to, s)/step, m.LogLikelihood(chains.At(1), s), 1e-12)
		near(t, "a step without U over its length", without.LogStep(v.from, v.to, x)/step, without.LogLikelihood(chains.At(1), x), 1e-12)
	}
}

// TestLowRankStates: a clone shares nothing with its state, a move writes to the state that it is
// given, the log likelihood that is kept is that of the state after any moves, and a fork does the
// same.
func TestLowRankStates(t *testing.T) {
	m, s := simulated(t, 3, 7, 4, 2, estimators.EqualFactors())
	fork := m.Fork()
	before := m.Clone(s)
	if moved := m.Move(sampler(1), chains.At(0.5), s); moved != s {
		t.Error("a move has made another state")
	}
	if s.U[0][0] == before.U[0][0] || s.V[1][3] == before.V[1][3] {
		t.Error("a move has changed the clone, or not the state")
	}
	if other := fork.Move(sampler(1), chains.At(0.5), before); !slices.Equal(other.U[1], s.U[1]) || !slices.Equal(other.V[1], s.V[1]) {
		t.Error("a fork moves in another way")
	}
	c := sampler(2)
	for range 100 {
		m.Move(c, chains.At(1), s)
		m.LogLikelihood(chains.At(1), s)
		m.Within(c, -1e9, s)
		kept := m.LogLikelihood(chains.At(1), s)
		m.Refresh(s)
		if again := m.LogLikelihood(chains.At(1), s); again != kept {
			t.Fatalf("the log likelihood is %v, and %v was kept", again, kept)
		}
	}
}

// TestNoAllocations: moves need no memory.
func TestLowRankAllocations(t *testing.T) {
	m, s := simulated(t, 3, 50, 25, 5, estimators.EqualFactors())
	without := collapsed(t, m.Rows(), 5, s.Hyper)
	x, y := without.FromFull(s), m.Clone(s)
	inferred := longtest.Sure(latent.NewInferredLowRank(m.Rows(), 5))
	var c chains.RealChooser = sampler(1)
	for name, f := range map[string]func(){
		"Move":           func() { m.Move(c, chains.At(0.5), s); m.LogStep(chains.At(0.5), chains.At(0.6), s) },
		"Back":           func() { m.Back(c, chains.At(0.5), s) },
		"inferred Move":  func() { inferred.Move(c, chains.At(0.5), y) },
		"Within":         func() { m.Within(c, math.Inf(-1), s) },
		"LogTransition":  func() { m.LogTransition(s, y) },
		"collapsed Move": func() { without.Move(c, chains.At(0.5), x); without.LogStep(chains.At(0.5), chains.At(0.6), x) },
		"collapsed Back": func() { without.Back(c, chains.At(0.5), x) },
	} {
		if n := testing.AllocsPerRun(5, f); n > 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

// TestLowRankRefuses: what makes no model is refused, by its name and place.
func TestLowRankRefuses(t *testing.T) {
	table, one := [][]float64{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, estimators.EqualFactors()
	for _, v := range []struct {
		y    [][]float64
		k    int
		h    estimators.Factors
		want string
	}{{nil, 1, one, "no data"}, {table, 3, one, "3 components for 3 rows and 3 columns"}, {table, 1, estimators.Factors{}, "the variance of U is 0"}} {
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
		h := estimators.Factors{UVariance: size("variance of U"), VVariance: size("variance of V"), NoiseVariance: size("variance of the noise")}
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
		s, i, x := m.Prior(c), inferred.Prior(c), without.Prior(c)
		for _, b := range []float64{0, 1e-6, 0.5, 1, 1} {
			at := chains.At(b)
			m.Move(c, at, s)
			inferred.Move(c, at, i)
			without.Move(c, at, x)
			before := m.Clone(s)
			finite(t, m.LogLikelihood(at, s), inferred.LogLikelihood(at, i), without.LogLikelihood(at, x), m.LogPrior(s))
			m.Within(c, m.Level(s)-1, s)
			finite(t, m.LogLikelihood(at, s), m.LogPrior(s), m.LogTransition(before, s))
		}
	})
}

// finite fails if a log density is not finite.
func finite(t *rapid.T, logs ...float64) {
	t.Helper()
	for _, v := range logs {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("log densities are %v", logs)
		}
	}
}
