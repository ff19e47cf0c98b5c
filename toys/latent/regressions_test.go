package latent_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
	"breadboard/toys/latent"
)

// The regressions are models.
var (
	_ estimators.Model[chains.RealChooser, *latent.RegressionState]     = (*latent.Regression)(nil)
	_ estimators.Model[chains.RealChooser, *latent.LogisticState]       = (*latent.Logistic)(nil)
	_ estimators.Model[chains.RealChooser, *latent.AutoregressionState] = (*latent.Autoregression)(nil)
)

// predictors is a table of two columns that predict and a target of zeros and ones.
func predictors() [][]float64 {
	return [][]float64{{1, -0.5, 0}, {0.3, 2, 1}, {-1.2, 0.1, 1}, {0.4, 0.9, 0}, {2, -1, 1}, {-0.7, -0.3, 0}}
}

// series is a series of one column.
func series() [][]float64 { return [][]float64{{1.5}, {1.2}, {2.5}, {2.2}, {3.1}, {2.9}} }

// varianceBelow is the distribution function of the inverse gamma distribution of shape and scale
// one.
func varianceBelow(x float64) float64 { return math.Exp(-1 / x) }

// TestRegressionsGeweke is TestLowRankGeweke for the regressions: from the prior, with data given
// the state, moves in either order leave the distribution of the state.
func TestRegressionsGeweke(t *testing.T) {
	c := sampler(31)
	linear := longtest.Sure(latent.NewRegression(predictors()))
	logistic := longtest.Sure(latent.NewLogistic(predictors()))
	auto := longtest.Sure(latent.NewAutoregression(series()))
	for _, v := range []struct {
		name  string
		run   func(back bool) []float64 // numbers that have the distributions below
		below []func(float64) float64
	}{
		{"linear", func(back bool) []float64 {
			s := linear.Prior(c)
			moved(t, c, longtest.Sure(linear.WithData(linear.Redraw(c, s))), s, back)
			sd := math.Sqrt(s.Hyper.WeightVariance)
			return []float64{s.Weights[0] / sd, s.Weights[2] / sd, s.Hyper.WeightVariance, s.Hyper.NoiseVariance}
		}, []func(float64) float64{normalBelow, normalBelow, varianceBelow, varianceBelow}},
		{"logistic", func(back bool) []float64 {
			s := logistic.Prior(c)
			moved(t, c, longtest.Sure(logistic.WithData(logistic.Redraw(c, s))), s, back)
			sd := math.Sqrt(s.Hyper.WeightVariance)
			return []float64{s.Weights[0] / sd, s.Weights[2] / sd, s.Hyper.WeightVariance}
		}, []func(float64) float64{normalBelow, normalBelow, varianceBelow}},
		{"autoregression", func(back bool) []float64 {
			s := auto.Prior(c)
			moved(t, c, longtest.Sure(auto.WithData(auto.Redraw(c, s))), s, back)
			return []float64{s.Hyper.Alpha, (s.Hyper.Beta - 1) / 0.1, s.Hyper.NoiseVariance}
		}, []func(float64) float64{normalBelow, normalBelow, varianceBelow}},
	} {
		for _, back := range []bool{false, true} {
			all := make([][]float64, len(v.below))
			for range runs() {
				for i, x := range v.run(back) {
					all[i] = append(all[i], x)
				}
			}
			for i, x := range all {
				testBelow(t, v.name+" number "+string(rune('0'+i)), x, v.below[i])
			}
		}
	}
}

// moved makes three moves at b = 1 from a state that was made for other data.
func moved[S any, M interface {
	estimators.Model[chains.RealChooser, S]
	Refresh(S)
}](t *testing.T, c chains.RealChooser, m M, s S, back bool) {
	t.Helper()
	m.Refresh(s)
	for range 3 {
		if back {
			m.Back(c, chains.At(1), s)
		} else {
			m.Move(c, chains.At(1), s)
		}
		kept := m.LogLikelihood(chains.At(1), s)
		if m.Refresh(s); m.LogLikelihood(chains.At(1), s) != kept {
			t.Fatalf("the log likelihood is %v, and %v was kept", m.LogLikelihood(chains.At(1), s), kept)
		}
	}
}

// TestRegressionsTwice: two copies of every row under the likelihood to the power 1/2 are one copy,
// so that moves by the same choices agree.
func TestRegressionsTwice(t *testing.T) {
	twice := append(predictors(), predictors()...)
	once, both := longtest.Sure(latent.NewLogistic(predictors())), longtest.Sure(latent.NewLogistic(twice))
	x, y := once.Prior(sampler(1)), both.Prior(sampler(1))
	c, d := sampler(2), sampler(2)
	for range 50 {
		once.Move(c, chains.At(1), x)
		both.Move(d, chains.At(0.5), y)
		near(t, "a weight of the logistic regression", y.Weights[1], x.Weights[1], 1e-9)
	}
	single, double := longtest.Sure(latent.NewRegression(predictors())), longtest.Sure(latent.NewRegression(twice))
	s, z := single.Prior(sampler(1)), double.Prior(sampler(1))
	single.Move(sampler(2), chains.At(1), s)
	double.Move(sampler(2), chains.At(0.5), z)
	near(t, "a weight of the regression", z.Weights[1], s.Weights[1], 1e-12)
}

// TestLogisticPriorMoves: at b = 0 moves leave the prior invariant. The sum of the squares of many
// weights finds a variance that is wrong by some percent.
func TestLogisticPriorMoves(t *testing.T) {
	wide := table(1, 60)
	m := longtest.Sure(latent.NewLogistic(wide))
	c := sampler(53)
	var squares []float64
	for range runs() / 10 {
		s := m.Back(c, chains.At(0), m.Prior(c)) // which draws the weights last
		total := 0.0
		for _, w := range s.Weights {
			total += w * w / s.Hyper.WeightVariance
		}
		squares = append(squares, total)
	}
	testBelow(t, "squares of weights", squares, func(x float64) float64 { return mathext.GammaIncReg(30, x/2) })
}

// TestRegressionsFind: if there is hardly any noise a move finds the weights that have made the
// data.
func TestRegressionsFind(t *testing.T) {
	auto := longtest.Sure(latent.NewAutoregression(series()))
	rows, y := auto.SimulateGiven(sampler(1), latent.AutoregressionHyper{Alpha: 0.5, Beta: 0.9, NoiseVariance: 1e-18})
	given := longtest.Sure(auto.WithData(rows))
	given.Move(sampler(2), chains.At(1), y)
	near(t, "alpha", y.Hyper.Alpha, 0.5, 1e-6)
	near(t, "beta", y.Hyper.Beta, 0.9, 1e-6)
}

// testRatio fails if the ratio of two conditional densities is not that of the joint ones.
func testRatio(t *testing.T, what string, conditional, joint [2]float64) {
	t.Helper()
	got, want := conditional[1]-conditional[0], joint[1]-joint[0]
	if size := math.Abs(joint[0]) + math.Abs(joint[1]); !(math.Abs(got-want) <= 1e-12*size) {
		t.Errorf("%s: log ratio %v, want %v", what, got, want)
	}
}

// TestRegressionConditionals: at triples the conditional densities have the ratios of the joint
// density, a number at a time, at every b.
func TestRegressionConditionals(t *testing.T) {
	m := longtest.Sure(latent.NewRegression(predictors()))
	prior := latent.InverseGamma{Shape: 1, Scale: 1}
	joint := func(s *latent.RegressionState, b float64) float64 {
		logs := prior.LogDensity(s.Hyper.NoiseVariance) + prior.LogDensity(s.Hyper.WeightVariance)
		for _, w := range s.Weights {
			logs += normalLog(w, 0, s.Hyper.WeightVariance)
		}
		for _, row := range m.Rows() {
			logs += b * normalLog(row[2], s.Weights[0]+s.Weights[1]*row[0]+s.Weights[2]*row[1], s.Hyper.NoiseVariance)
		}
		return logs
	}
	c := sampler(41)
	for _, b := range []float64{0, 1e-6, 0.5, 1} {
		for range 20 {
			x, y := m.Prior(c), m.Prior(c)
			near(t, "log joint density", m.LogPrior(x)+m.LogLikelihood(chains.At(b), x), joint(x, b), 1e-12)
			hyper := m.Clone(x)
			hyper.Hyper = y.Hyper
			laws := m.HyperGiven(b, x)
			density := func(s *latent.RegressionState) float64 {
				return laws[0].LogDensity(s.Hyper.WeightVariance) + laws[1].LogDensity(s.Hyper.NoiseVariance)
			}
			testRatio(t, "variances", [2]float64{density(x), density(hyper)}, [2]float64{joint(x, b), joint(hyper, b)})
			weights := m.Clone(x)
			copy(weights.Weights, y.Weights)
			law := m.WeightsGiven(b, x)
			testRatio(t, "weights", [2]float64{law.LogDensity(x.Weights), law.LogDensity(weights.Weights)}, [2]float64{joint(x, b), joint(weights, b)})
		}
	}
}

// TestAutoregressionConditionals is TestRegressionConditionals for an autoregression.
func TestAutoregressionConditionals(t *testing.T) {
	m := longtest.Sure(latent.NewAutoregression(series()))
	joint := func(s *latent.AutoregressionState, b float64) float64 {
		h := s.Hyper
		logs := normalLog(h.Alpha, 0, 1) + normalLog(h.Beta, 1, 0.01) + latent.InverseGamma{Shape: 1, Scale: 1}.LogDensity(h.NoiseVariance)
		for i, row := range m.Rows()[1:] {
			logs += b * normalLog(row[0], h.Alpha+h.Beta*m.Rows()[i][0], h.NoiseVariance)
		}
		return logs
	}
	c := sampler(43)
	for _, b := range []float64{0, 1e-6, 0.5, 1} {
		for range 20 {
			x, y := m.Prior(c), m.Prior(c)
			near(t, "log joint density", m.LogPrior(x)+m.LogLikelihood(chains.At(b), x), joint(x, b), 1e-12)
			noise := m.Clone(x)
			noise.Hyper.NoiseVariance = y.Hyper.NoiseVariance
			law := m.NoiseGiven(b, x)
			testRatio(t, "variance", [2]float64{law.LogDensity(x.Hyper.NoiseVariance), law.LogDensity(noise.Hyper.NoiseVariance)},
				[2]float64{joint(x, b), joint(noise, b)})
			weights := m.Clone(x)
			weights.Hyper.Alpha, weights.Hyper.Beta = y.Hyper.Alpha, y.Hyper.Beta
			given := m.WeightsGiven(b, x)
			of := func(s *latent.AutoregressionState) []float64 {
				return []float64{s.Hyper.Alpha, (s.Hyper.Beta - 1) / 0.1}
			}
			testRatio(t, "alpha and beta", [2]float64{given.LogDensity(of(x)), given.LogDensity(of(weights))}, [2]float64{joint(x, b), joint(weights, b)})
		}
	}
}

// TestLogistic: prior and likelihood are those of one number at a time, and annealing, whose moves
// are at every b, has the mean weight of draws from the prior. Weights are probabilities of the
// targets, hence at most one.
func TestLogistic(t *testing.T) {
	m := longtest.Sure(latent.NewLogistic(predictors()))
	c := sampler(47)
	s := m.Prior(c)
	want := 0.0
	for _, row := range m.Rows() {
		odds := s.Weights[0] + s.Weights[1]*row[0] + s.Weights[2]*row[1]
		want -= math.Log1p(math.Exp((1 - 2*row[2]) * odds))
	}
	near(t, "log likelihood", m.LogLikelihood(chains.At(0.3), s), 0.3*want, 1e-12)
	want = latent.InverseGamma{Shape: 1, Scale: 1}.LogDensity(s.Hyper.WeightVariance)
	for _, w := range s.Weights {
		want += normalLog(w, 0, s.Hyper.WeightVariance)
	}
	near(t, "log prior", m.LogPrior(s), want, 1e-12)

	var means, errors []float64
	for _, places := range [][]chains.Place{{chains.At(0), chains.At(1)}, {chains.At(0), chains.At(0.3), chains.At(0.6), chains.At(1)}} {
		e := longtest.Sure(estimators.NewAnnealed(m, places))
		weights := make([]float64, runs())
		for i := range weights {
			weights[i] = math.Exp(e.Estimate(c))
		}
		mean, bound := meanOf(weights, 1)
		means, errors = append(means, mean), append(errors, bound)
	}
	if math.Abs(means[0]-means[1]) > errors[0]+errors[1] {
		t.Errorf("annealing has the mean weight %v, and draws from the prior %v; they differ by chance by at most %v", means[1], means[0], errors[0]+errors[1])
	}
}

// TestRegressionsOrder: a reversed move draws the hyperparameters first.
func TestRegressionsOrder(t *testing.T) {
	linear := longtest.Sure(latent.NewRegression(predictors()))
	s := linear.Prior(sampler(1))
	c, laws := sampler(2), linear.HyperGiven(0.7, s)
	if want := (latent.RegressionHyper{WeightVariance: laws[0].Sample(c), NoiseVariance: laws[1].Sample(c)}); linear.Back(sampler(2), chains.At(0.7),
		s).Hyper != want {
		t.Errorf("linear: the hyperparameters are %v, want %v", s.Hyper, want)
	}
	logistic := longtest.Sure(latent.NewLogistic(predictors()))
	x := logistic.Prior(sampler(1))
	if want := logistic.HyperGiven(x).Sample(sampler(2)); logistic.Back(sampler(2), chains.At(0.7), x).Hyper.WeightVariance != want {
		t.Errorf("logistic: the variance is %v, want %v", x.Hyper.WeightVariance, want)
	}
	auto := longtest.Sure(latent.NewAutoregression(series()))
	y := auto.Prior(sampler(1))
	if want := auto.NoiseGiven(0.7, y).Sample(sampler(2)); auto.Back(sampler(2), chains.At(0.7), y).Hyper.NoiseVariance != want {
		t.Errorf("autoregression: the variance is %v, want %v", y.Hyper.NoiseVariance, want)
	}
}

// TestRegressionsSimulate: data that are simulated given hyperparameters have the columns that
// predict, or the first value, of the data, and the state has the hyperparameters. Posterior
// returns copies of it.
func TestRegressionsSimulate(t *testing.T) {
	linear := longtest.Sure(latent.NewRegression(predictors()))
	h := latent.RegressionHyper{WeightVariance: 4, NoiseVariance: 1e-20}
	rows, s := linear.SimulateGiven(sampler(1), h)
	for i, row := range rows {
		if !slices.Equal(row[:2], predictors()[i][:2]) || math.Abs(row[2]-s.Weights[0]-s.Weights[1]*row[0]-s.Weights[2]*row[1]) > 1e-8 {
			t.Errorf("row %d is %v with weights %v", i, row, s.Weights)
		}
	}
	given := longtest.Sure(linear.WithData(rows))
	given.Start(s)
	if x := given.Posterior(sampler(1)); x == s || x.Hyper != h || !slices.Equal(x.Weights, s.Weights) || !given.Started() || linear.Started() {
		t.Errorf("the exact draw is %v, want %v", x, s)
	}
	logistic := longtest.Sure(latent.NewLogistic(predictors()))
	rows, x := logistic.SimulateGiven(sampler(1), latent.LogisticHyper{WeightVariance: 1e6})
	for i, row := range rows { // with weights so large the target is all but certain
		if !slices.Equal(row[:2], predictors()[i][:2]) || (row[2] == 1) != (x.Weights[0]+x.Weights[1]*row[0]+x.Weights[2]*row[1] > 0) {
			t.Errorf("row %d is %v with weights %v", i, row, x.Weights)
		}
	}
	auto := longtest.Sure(latent.NewAutoregression(series()))
	rows, y := auto.SimulateGiven(sampler(1), latent.AutoregressionHyper{Alpha: 2, Beta: 0.5, NoiseVariance: 1e-20})
	if len(rows) != 6 || rows[0][0] != 1.5 || math.Abs(rows[1][0]-2.75) > 1e-8 || math.Abs(rows[2][0]-3.375) > 1e-8 || y.Hyper.Alpha != 2 {
		t.Errorf("the series is %v of %v", rows, y.Hyper)
	}
}

// TestRegressionsRefuse: what makes no model is refused, by its name and place.
func TestRegressionsRefuse(t *testing.T) {
	for _, v := range []struct {
		make func() error
		want string
	}{
		{func() error { _, err := latent.NewRegression(nil); return err }, "no data"},
		{func() error { _, err := latent.NewRegression([][]float64{{1}, {2}}); return err }, "one column"},
		{func() error { _, err := latent.NewRegression([][]float64{{1, math.Inf(1)}}); return err }, "row 0, column 1 is +Inf"},
		{func() error { _, err := latent.NewLogistic([][]float64{{1, 0}, {1, 0.5}}); return err }, "row 1: the target is 0.5"},
		{func() error { _, err := latent.NewLogistic([][]float64{{1, 0}, {1}}); return err }, "row 1 has 1 columns"},
		{func() error { _, err := latent.NewAutoregression([][]float64{{1}}); return err }, "1 rows of 1 columns"},
		{func() error { _, err := latent.NewAutoregression(predictors()); return err }, "6 rows of 3 columns"},
		{latent.RegressionHyper{WeightVariance: 1, NoiseVariance: -1}.Validate, "the variance of the noise is -1"},
		{latent.LogisticHyper{WeightVariance: math.NaN()}.Validate, "the variance of the weights is NaN"},
		{latent.AutoregressionHyper{Alpha: math.NaN(), Beta: 1, NoiseVariance: 1}.Validate, "alpha is NaN"},
		{latent.AutoregressionHyper{Alpha: 1, Beta: 1}.Validate, "the variance of the noise is 0"},
	} {
		longtest.Refused(t, v.make(), v.want)
	}
}

// TestRegressionsAllocations: moves need no memory.
func TestRegressionsAllocations(t *testing.T) {
	linear := longtest.Sure(latent.NewRegression(predictors()))
	logistic := longtest.Sure(latent.NewLogistic(predictors()))
	auto := longtest.Sure(latent.NewAutoregression(series()))
	var c chains.RealChooser = sampler(1)
	s, x, y := linear.Prior(c), logistic.Prior(c), auto.Prior(c)
	at := chains.At(0.5)
	if n := testing.AllocsPerRun(20, func() {
		linear.Move(c, at, s)
		linear.LogStep(at, chains.At(1), s)
		logistic.Back(c, at, x)
		logistic.LogStep(at, chains.At(1), x)
		auto.Move(c, at, y)
		auto.LogStep(at, chains.At(1), y)
	}); n > 0 {
		t.Errorf("moves allocate %v times", n)
	}
}
