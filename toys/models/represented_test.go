package models_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/grid"
	"breadboard/toys/models"
)

// sumOf returns the logarithm of the sum of the exponentials, by the plain formula.
func sumOf(logs ...float64) float64 {
	top := slices.Max(logs)
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for _, v := range logs {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum)
}

// logJoint returns the logarithm of prior times likelihood of each state.
func logJoint(m models.Model, b float64) []float64 {
	out := m.LogLikelihood(b)
	for x, p := range m.LogPrior() {
		out[x] += p
	}
	return out
}

// nearUnits reports whether two numbers differ by no more than that many units in the last place of
// the larger one or of 1.
func nearUnits(a, b, units float64) bool {
	return a == b || math.Abs(a-b) <= units*0x1p-52*max(1, math.Abs(a), math.Abs(b))
}

// TestModelsLogZ: log Z of the built-in models is the published one, in every representation, and
// their priors sum to one. The values come from a program independent of this one.
func TestModelsLogZ(t *testing.T) {
	for name, c := range map[string]struct {
		model models.Model
		logZ  float64
	}{
		"low": {models.Low(), -5.97803850282467}, "gridclu": {models.GridClu(), -9.95515256655392},
		"hyper": {models.Hyper(), -11.0935094920847},
		"clu6":  {models.Clu6(), -24.1127294912719}, "clu8": {models.Clu8(), -19.0105840334197},
		"clu4": {models.Clu4(), -4.5010601950244},
		"bin4": {models.Bin4(), -17.2153696775554},
	} {
		list := []models.Representation{{Name: "whole", Model: c.model}}
		if r, has := c.model.(models.Represented); has {
			list = r.Representations()
		}
		for _, r := range list {
			if got := sumOf(logJoint(r.Model, 1)...); math.Abs(got-c.logZ) > 1e-13*math.Abs(c.logZ) {
				t.Errorf("%s, %s: log Z = %v, want %v", name, r.Name, got, c.logZ)
			}
			if got := sumOf(r.Model.LogPrior()...); math.Abs(got) > 1e-14 {
				t.Errorf("%s, %s: the prior sums to exp(%v)", name, r.Name, got)
			}
			for x, l := range r.Model.LogLikelihood(0) {
				if l != 0 {
					t.Fatalf("%s, %s: the log likelihood of state %d to the power 0 is %v", name, r.Name, x, l)
				}
			}
			if axes := models.AxesOf(r.Model, r.Model.Space()); len(axes) != r.Model.Space().Dims() {
				t.Errorf("%s, %s: %d axes of %s", name, r.Name, len(axes), r.Model.Space())
			}
		}
	}
}

// temperedNormal returns the log density of a normal variable, to the power b.
func temperedNormal(b, y, mean, variance float64) float64 {
	return b * (-math.Log(2*math.Pi*variance)/2 - (y-mean)*(y-mean)/(2*variance))
}

// gridPrior returns the log probabilities in proportion to exp(-g^2/(2 variance)).
func gridPrior(points []float64, variance float64) []float64 {
	out := make([]float64, len(points))
	for i, g := range points {
		out[i] = -g * g / (2 * variance)
	}
	total := sumOf(out...)
	for i := range out {
		out[i] -= total
	}
	return out
}

// numbersOf draws a few numbers that may be large.
func numbersOf(t *rapid.T, what string, n int) []float64 {
	scale := rapid.SampledFrom([]float64{1e-6, 1, 30}).Draw(t, "scale of "+what)
	return rapid.SliceOfN(
		rapid.Custom(func(t *rapid.T) float64 { return scale * rapid.Float64Range(-1, 1).Draw(t, what) }),
		n,
		n,
	).Draw(t, what)
}

// TestCollapsedByHand: collapsed likelihoods are those of the formulas that use the independence
// within each model. Given u the columns of a matrix are independent, given z the clusters are, and
// given theta the data are.
func TestCollapsedByHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "b")
		noise := rapid.SampledFrom([]float64{1e-3, 0.5, 1e4}).Draw(t, "noise")
		points := numbersOf(t, "points", rapid.IntRange(1, 3).Draw(t, "number of points"))
		low := &models.LowRank{
			Y:             [][]float64{numbersOf(t, "y", 2), numbersOf(t, "y", 2)},
			Grid:          points,
			NoiseVariance: noise,
		}
		priors := gridPrior(points, 1)
		columns := func(u []int) (sum float64) {
			for j := range 2 {
				var terms []float64
				for v := range points {
					terms = append(terms, priors[v]+temperedNormal(b, low.Y[0][j], points[u[0]]*points[v], noise)+
						temperedNormal(b, low.Y[1][j], points[u[1]]*points[v], noise))
				}
				sum += sumOf(terms...)
			}
			return sum
		}
		compare(t, low.Representations()[0], b, columns)

		clu := &models.GridClustering{
			Y:              numbersOf(t, "y", 3),
			Pi:             []float64{0.75, 0.25},
			Grid:           points,
			CentreVariance: 2,
			NoiseVariance:  noise,
		}
		priors = gridPrior(points, 2)
		clusters := func(z []int) (sum float64) {
			for k := range clu.Pi {
				var terms []float64
				for v := range points {
					term := priors[v]
					for i, y := range clu.Y {
						if z[i] == k {
							term += temperedNormal(b, y, points[v], noise)
						}
					}
					terms = append(terms, term)
				}
				sum += sumOf(terms...)
			}
			return sum
		}
		data := func(theta []int) (sum float64) {
			for _, y := range clu.Y {
				sum += sumOf(math.Log(clu.Pi[0])+temperedNormal(b, y, points[theta[0]], noise),
					math.Log(clu.Pi[1])+temperedNormal(b, y, points[theta[1]], noise))
			}
			return sum
		}
		compare(t, clu.Representations()[0], b, clusters)
		compare(t, clu.Representations()[1], b, data)
	})
}

// compare holds the log likelihood of a representation to a formula of the coordinates.
func compare(t *rapid.T, r models.Representation, b float64, formula func(coords []int) float64) {
	space := r.Model.Space()
	for x, got := range r.Model.LogLikelihood(b) {
		if want := formula(space.Coords(x)); math.Abs(got-want) > 0x1p-48*(1+math.Abs(want)+450) {
			// priors are rounded too: a point of 30 has 450 nats
			t.Fatalf("%s: the log likelihood of state %v at b = %v is %v, by the formula %v", r.Name,
				space.Coords(x), b, got, want)
		}
	}
}

// drawnWhole returns a model of some kind, in one of its representations if it has several.
func drawnWhole(t *rapid.T) models.Whole {
	noise := rapid.SampledFrom([]float64{1e-3, 0.5, 1e4}).Draw(t, "noise")
	var m models.Represented
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 3:
		return drawProblem(t).model.(models.Whole)
	case 0:
		hyper := models.Hyper()
		hyper.Y = [][]float64{numbersOf(t, "y", 1), numbersOf(t, "y", 1)}
		hyper.NoiseVariances[1] = noise
		if rapid.Bool().Draw(t, "without the clusters") {
			return models.NewCollapsed(hyper, 0)
		}
		return hyper
	case 1:
		m = &models.LowRank{
			Y:             [][]float64{numbersOf(t, "y", 2)},
			Grid:          numbersOf(t, "points", 3),
			NoiseVariance: noise,
		}
	default:
		m = &models.GridClustering{
			Y:              numbersOf(t, "y", 2),
			Pi:             []float64{0.75, 0.25},
			Grid:           numbersOf(t, "points", 3),
			CentreVariance: 2,
			NoiseVariance:  noise,
		}
	}
	return rapid.SampledFrom(m.Representations()).Draw(t, "representation").Model.(models.Whole)
}

// spanOf returns the largest absolute value.
func spanOf(values []float64) (span float64) {
	for _, v := range values {
		span = max(span, math.Abs(v))
	}
	return span
}

// TestTemperedRepresentations: the likelihood as a function of the power is the one that the model
// says, its differences are those of its logarithm, over steps down to 2^-40, its slope is that of
// a small step, and centring takes the same constant out of all states.
func TestTemperedRepresentations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawnWhole(t)
		l := m.Tempered()
		n := m.Space().States()
		from := rapid.Float64Range(0, 0.9).Draw(t, "from")
		step := rapid.SampledFrom([]float64{0.1, 1 - from, -from, 0x1p-10, 0x1p-40}).Draw(t, "step")
		to := from + step
		step = to - from
		before := make([]float64, n)
		after := make([]float64, n)
		ratio := make([]float64, n)
		slope := make([]float64, n)
		l.LogL(before, chains.At(from))
		l.LogL(after, chains.At(to))
		l.LogRatio(ratio, chains.At(from), chains.At(to), step)
		l.Slope(slope, chains.At(from))
		span := 1 + max(spanOf(before), spanOf(after), spanOf(m.LogLikelihood(1)))
		for x, want := range m.LogLikelihood(to) {
			if math.Abs(after[x]-want) > 1e-14*span {
				t.Fatalf("b = %v, state %d: %v, and the model says %v", to, x, after[x], want)
			}
			if math.Abs(ratio[x]-(after[x]-before[x])) > 1e-14*span {
				t.Fatalf("%v to %v, state %d: %v, by the difference %v", from, to, x, ratio[x], after[x]-before[x])
			}
		}
		if math.Abs(step) == 0x1p-40 {
			// The mean of the slopes at both ends errs by less than their difference.
			end := make([]float64, n)
			l.Slope(end, chains.At(to))
			for x := range ratio {
				want := step * (slope[x] + end[x]) / 2
				if math.Abs(ratio[x]-want) >
					step*(math.Abs(end[x]-slope[x])+1e-13*(span+math.Abs(slope[x]))) {
					t.Fatalf("a step of %v, state %d: %v, by the slopes %v", step, x, ratio[x], want)
				}
			}
		}
		c, constant := l.Centred()
		for _, one := range []struct {
			what  string
			of    func(l paths.Likelihood, dst []float64)
			times float64
		}{
			{"log L", func(l paths.Likelihood, dst []float64) { l.LogL(dst, chains.At(to)) }, to},
			{"log ratio", func(l paths.Likelihood, dst []float64) {
				l.LogRatio(dst, chains.At(from), chains.At(to), step)
			}, step},
			{"slope", func(l paths.Likelihood, dst []float64) { l.Slope(dst, chains.At(from)) }, 1},
		} {
			plain := make([]float64, n)
			centred := make([]float64, n)
			one.of(l, plain)
			one.of(c, centred)
			for x := range plain {
				if math.Abs(centred[x]+one.times*constant-plain[x]) >
					1e-13*(math.Abs(one.times)*span+math.Abs(plain[x])) {
					t.Fatalf("%s of state %d is %v centred by %v, and %v without", one.what, x, centred[x],
						constant, plain[x])
				}
			}
		}
	})
}

// TestTemperedZeros: a state of the collapsed model without prior probability has likelihood one.
func TestTemperedZeros(t *testing.T) {
	whole := &models.GridClustering{
		Y:              []float64{1},
		Pi:             []float64{1, 0},
		Grid:           []float64{-1, 1},
		CentreVariance: 1,
		NoiseVariance:  1,
	}
	z := models.NewCollapsed(whole, 0)
	got := make([]float64, 2)
	slope := make([]float64, 2)
	z.Tempered().LogL(got, chains.At(1))
	z.Tempered().Slope(slope, chains.At(1))
	if !nearUnits(got[0], z.LogLikelihood(1)[0], 4) || got[1] != 0 || !(slope[0] < 0) || slope[1] != 0 {
		t.Errorf("log likelihoods %v, slopes %v", got, slope)
	}
}

// withZeros is a model whose prior is zero for one value of its second variable, and whose
// likelihood is for one of its first.
type withZeros struct{}

func (withZeros) Space() *grid.Lattice { return grid.MustNew(2, 2) }
func (withZeros) LogPrior() []float64 {
	return []float64{math.Log(0.5), math.Inf(-1), math.Log(0.5), math.Inf(-1)}
}
func (withZeros) LogLikelihood(b float64) []float64 {
	if b == 0 {
		return make([]float64, 4)
	}
	return []float64{-b, 3 * b, math.Inf(-1), math.Inf(-1)}
}

// Tempered is not asked for: a likelihood with zeros is no positive function of the power.
func (withZeros) Tempered() paths.Likelihood { return nil }

// TestCollapsedZeros: zeros of the prior and of the likelihood stay zeros, and nothing becomes NaN.
func TestCollapsedZeros(t *testing.T) {
	first := models.NewCollapsed(withZeros{}, 0)
	second := models.NewCollapsed(withZeros{}, 1)
	for _, c := range []struct {
		m                 *models.Collapsed
		prior, likelihood []float64
	}{
		{first, []float64{math.Log(0.5), math.Log(0.5)}, []float64{-1, math.Inf(-1)}},
		{second, []float64{0, math.Inf(-1)}, []float64{math.Log(0.5) - 1, 0}},
	} {
		prior := c.m.LogPrior()
		likelihood := c.m.LogLikelihood(1)
		for u := range prior {
			if !nearUnits(prior[u], c.prior[u], 2) || !nearUnits(likelihood[u], c.likelihood[u], 2) {
				t.Errorf("prior %v, likelihood %v, want %v and %v", prior, likelihood, c.prior, c.likelihood)
			}
		}
	}
}
