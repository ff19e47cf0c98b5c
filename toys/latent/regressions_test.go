package latent_test

import (
	"math"
	"slices"
	"testing"

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

// TestRegressionsOrder: a reversed move draws the hyperparameters first.
func TestRegressionsOrder(t *testing.T) {
	linear := longtest.Sure(latent.NewRegression(predictors()))
	s := linear.Prior(sampler(1))
	c := sampler(2)
	laws := linear.HyperGiven(0.7, s)
	if want := (latent.RegressionHyper{
		WeightVariance: laws[0].Sample(c),
		NoiseVariance:  laws[1].Sample(c),
	}); linear.Back(sampler(2), chains.At(0.7),
		s).Hyper != want {
		t.Errorf("linear: the hyperparameters are %v, want %v", s.Hyper, want)
	}
	logistic := longtest.Sure(latent.NewLogistic(predictors()))
	x := logistic.Prior(sampler(1))
	want := logistic.HyperGiven(x).Sample(sampler(2))
	if logistic.Back(sampler(2), chains.At(0.7), x).Hyper.WeightVariance != want {
		t.Errorf("logistic: the variance is %v, want %v", x.Hyper.WeightVariance, want)
	}
	auto := longtest.Sure(latent.NewAutoregression(series()))
	y := auto.Prior(sampler(1))
	want = auto.NoiseGiven(0.7, y).Sample(sampler(2))
	if auto.Back(sampler(2), chains.At(0.7), y).Hyper.NoiseVariance != want {
		t.Errorf("autoregression: the variance is %v, want %v", y.Hyper.NoiseVariance, want)
	}
}

// TestRegressionsSimulate: data that are simulated given hyperparameters have the columns that
// predict, or the first value, of the data.
func TestRegressionsSimulate(t *testing.T) {
	linear := longtest.Sure(latent.NewRegression(predictors()))
	rows, s := linear.SimulateGiven(sampler(1), latent.RegressionHyper{WeightVariance: 4, NoiseVariance: 1e-20})
	for i, row := range rows {
		if !slices.Equal(row[:2], predictors()[i][:2]) ||
			math.Abs(row[2]-s.Weights[0]-s.Weights[1]*row[0]-s.Weights[2]*row[1]) > 1e-8 {
			t.Errorf("row %d is %v with weights %v", i, row, s.Weights)
		}
	}
	logistic := longtest.Sure(latent.NewLogistic(predictors()))
	rows, x := logistic.SimulateGiven(sampler(1), latent.LogisticHyper{WeightVariance: 1e6})
	for i, row := range rows { // with weights so large the target is all but certain
		if !slices.Equal(row[:2], predictors()[i][:2]) ||
			(row[2] == 1) != (x.Weights[0]+x.Weights[1]*row[0]+x.Weights[2]*row[1] > 0) {
			t.Errorf("row %d is %v with weights %v", i, row, x.Weights)
		}
	}
	auto := longtest.Sure(latent.NewAutoregression(series()))
	rows, y := auto.SimulateGiven(sampler(1), latent.AutoregressionHyper{Alpha: 2, Beta: 0.5, NoiseVariance: 1e-20})
	if len(rows) != 6 || rows[0][0] != 1.5 || math.Abs(rows[1][0]-2.75) > 1e-8 ||
		math.Abs(rows[2][0]-3.375) > 1e-8 || y.Hyper.Alpha != 2 {
		t.Errorf("the series is %v of %v", rows, y.Hyper)
	}
}

// TestLogisticTwice: two copies of every row under the likelihood to the power 1/2 are one copy, so
// that moves by the same choices agree.
func TestLogisticTwice(t *testing.T) {
	once := longtest.Sure(latent.NewLogistic(predictors()))
	both := longtest.Sure(latent.NewLogistic(append(predictors(), predictors()...)))
	x, y := once.Prior(sampler(1)), both.Prior(sampler(1))
	c, d := sampler(2), sampler(2)
	for range 50 {
		once.Move(c, chains.At(1), x)
		both.Move(d, chains.At(0.5), y)
		near(t, "a weight of the logistic regression", y.Weights[1], x.Weights[1], 1e-9)
	}
}

// TestRegressionsRefuse: what makes no model is refused, by its name and place.
func TestRegressionsRefuse(t *testing.T) {
	longtest.Refuses(latent.NewRegression(nil))(t, "no data")
	longtest.Refuses(latent.NewRegression([][]float64{{1}, {2}}))(t, "one column")
	longtest.Refuses(latent.NewRegression([][]float64{{1, math.Inf(1)}}))(t, "row 1, column 2 is +Inf")
	longtest.Refuses(latent.NewLogistic([][]float64{{1, 0}, {1, 0.5}}))(t, "row 2: the target is 0.5")
	longtest.Refuses(latent.NewLogistic([][]float64{{1, 0}, {1}}))(t, "row 2 has 1 columns")
	longtest.Refuses(latent.NewAutoregression([][]float64{{1}}))(t, "1 rows of 1 columns")
	longtest.Refused(t, latent.RegressionHyper{WeightVariance: 1, NoiseVariance: -1}.Validate(),
		"the variance of the noise is -1")
	longtest.Refused(
		t,
		latent.LogisticHyper{WeightVariance: math.NaN()}.Validate(),
		"the variance of the weights is NaN",
	)
	longtest.Refused(t, latent.AutoregressionHyper{Alpha: math.NaN(), Beta: 1, NoiseVariance: 1}.Validate(),
		"alpha is NaN")
	longtest.Refused(t, latent.AutoregressionHyper{Alpha: 1, Beta: 1}.Validate(), "the variance of the noise is 0")
}
