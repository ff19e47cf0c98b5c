package latent

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
)

// PlainNormal is the log density of a normal number, in nats.
func PlainNormal(x, mean, variance float64) float64 {
	return -(x-mean)*(x-mean)/(2*variance) - math.Log(2*math.Pi*variance)/2
}

// plainVariancePrior is the log density of the inverse gamma distribution of shape and scale one,
// in nats.
func plainVariancePrior(v float64) float64 { return -2*math.Log(v) - 1/v }

// spread returns by how much numbers differ at most, relative to the largest of them or to one.
func spread(values []float64) float64 {
	low, high := slices.Min(values), slices.Max(values)
	return (high - low) / max(1, math.Abs(low), math.Abs(high))
}

// TestHyperparametersOfClusteringGivenTheRest: as a function of the hyperparameters, the product of
// their conditional densities is the joint density of clusters, centres, hyperparameters and data
// with the power b, up to a constant.
func TestHyperparametersOfClusteringGivenTheRest(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(21, 1))
	y, _ := SimulateClustering(c, 7, 3, 3, estimators.EqualClusters(3))
	m := longtest.Sure(NewInferredClustering(y, 3))
	for _, b := range []float64{0, 0.3, 1} {
		s := m.Prior(c)
		m.drawCentres(c, b, s)
		centres, noise, weights := m.hyperGiven(b, s)
		weights = slices.Clone(weights) // which m.Prior overwrites
		var differences []float64
		for range 20 {
			h := m.Prior(c).Hyper
			joint := plainVariancePrior(h.CentreVariance) + plainVariancePrior(h.NoiseVariance)
			for _, centre := range m.means {
				for _, v := range centre {
					joint += PlainNormal(v, 0, h.CentreVariance)
				}
			}
			for i, k := range s.Z {
				joint += math.Log(h.Pi[k])
				for j, v := range y[i] {
					joint += b * PlainNormal(v, m.means[k][j], h.NoiseVariance)
				}
			}
			differences = append(differences, joint-centres.LogDensity(h.CentreVariance)-
				noise.LogDensity(h.NoiseVariance)-weights.logDensity(h.Pi))
		}
		if d := spread(differences); !(d <= 1e-12) {
			t.Errorf("b = %v: the joint density over the conditional ones varies by %v", b, d)
		}
	}
}

// TestHyperparametersOfBinaryGivenTheRest is the same for binary attributes.
func TestHyperparametersOfBinaryGivenTheRest(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(22, 1))
	y, _ := SimulateBinary(c, 7, 3, 2, estimators.EvenAttributes(2))
	m := longtest.Sure(NewInferredBinary(y, 2))
	for _, b := range []float64{0, 0.3, 1} {
		s := m.Prior(c)
		m.setConditionals(b, s)
		m.drawFeatures(c, s)
		features, noise := m.variancesGiven(b, s)
		var differences []float64
		for range 20 {
			h := m.Prior(c).Hyper
			joint := plainVariancePrior(h.FeatureVariance) + plainVariancePrior(h.NoiseVariance)
			for _, feature := range m.features.mean {
				for _, v := range feature {
					joint += PlainNormal(v, 0, h.FeatureVariance)
				}
			}
			for i, row := range y {
				for j, v := range row {
					mean := 0.0
					for k, set := range m.attributesOf(i, s) {
						mean += float64(set) * m.features.mean[k][j]
					}
					joint += b * PlainNormal(v, mean, h.NoiseVariance)
				}
			}
			for i, set := range s.Z {
				joint += math.Log(1 - h.Pi[i%2] + float64(set)*(2*h.Pi[i%2]-1))
			}
			for k := range h.Pi {
				joint -= m.piGiven(k, s).logDensity(h.Pi[k])
			}
			differences = append(
				differences,
				joint-features.LogDensity(h.FeatureVariance)-noise.LogDensity(h.NoiseVariance),
			)
		}
		if d := spread(differences); !(d <= 1e-12) {
			t.Errorf("b = %v: the joint density over the conditional ones varies by %v", b, d)
		}
	}
}

// TestLogPriorOfHyperparameters: with unknown hyperparameters the log prior of a state is that with
// known ones, and the log densities of the hyperparameters, constants with them. With fixed data a
// constant would be an error of log p(y).
func TestLogPriorOfHyperparameters(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(23, 1))
	y := zeros(4, 2)
	clustering := longtest.Sure(NewInferredClustering(y, 4))
	s := clustering.Prior(c)
	// (K-1)!
	want := plainVariancePrior(s.Hyper.CentreVariance) + plainVariancePrior(s.Hyper.NoiseVariance) +
		math.Log(3*2)
	for _, k := range s.Z {
		want += math.Log(s.Hyper.Pi[k])
	}
	near(t, clustering.LogPrior(s), want, 1e-13, "clustering")
	binary := longtest.Sure(NewInferredBinary(y, 2))
	x := binary.Prior(c)
	want = plainVariancePrior(x.Hyper.FeatureVariance) + plainVariancePrior(x.Hyper.NoiseVariance)
	for i, set := range x.Z {
		want += math.Log(1 - x.Hyper.Pi[i%2] + float64(set)*(2*x.Hyper.Pi[i%2]-1))
	}
	near(t, binary.LogPrior(x), want, 1e-13, "binary")
}

// TestTermsFollowTheHyperparameters: what a model has prepared for some hyperparameters and powers
// does not stay where one of them alone has changed.
func TestTermsFollowTheHyperparameters(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(24, 1))
	m, s := fullClustering(t, c)
	attributes, x := fullBinary(t, c)
	for _, change := range []func(){
		func() {
			s.Hyper.CentreVariance = 3
			x.Hyper.FeatureVariance = 3
		},
		func() { s.Hyper.NoiseVariance, x.Hyper.NoiseVariance = 2, 2 },
		func() { s.Hyper.Pi[8], s.Hyper.Pi[9], x.Hyper.Pi[9] = 0.05, 0.15, 0.2 },
	} {
		for _, b := range []float64{0.5, 1} {
			m.Conditional(b, 3, s)
			attributes.Conditional(b, 3, 9, x)
			change()
			if got, want := m.Conditional(b, 3, s).Logs,
				m.Fork().Conditional(b, 3, s).Logs; !slices.Equal(got, want) {
				t.Errorf("clustering, b = %v: the distribution is %v, and of a new model %v", b, got, want)
			}
			if got, want := attributes.Conditional(b, 3, 9, x),
				attributes.Fork().Conditional(b, 3, 9, x); got != want {
				t.Errorf("binary, b = %v: the distribution is %v, and of a new model %v", b, got, want)
			}
		}
	}
}

// listed is a RealChooser whose normal numbers are on a list, over and over.
type listed struct {
	chains.Chooser
	normals []float64
	used    int
}

func (l *listed) Normal() float64 {
	l.used++
	return l.normals[(l.used-1)%len(l.normals)]
}

// TestCentresAreDrawnFromTheirLaw: with normal numbers of zero and one the centres are the means,
// and one standard deviation above them, of the normal equations with the power b.
func TestCentresAreDrawnFromTheirLaw(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(13, 1))
	m, s := fullClustering(t, c)
	s.Hyper.CentreVariance = 2
	s.Hyper.NoiseVariance = 0.7
	for _, b := range []float64{0, 0.3, 1} {
		for _, normal := range []float64{0, 1} {
			m.drawCentres(&listed{c, []float64{normal}, 0}, b, s)
			for k, centre := range m.means {
				precision := 1/s.Hyper.CentreVariance + b*float64(s.counts[k])/s.Hyper.NoiseVariance
				for j, sum := range m.clusterSum(k, s) {
					near(t, centre[j], b*sum/s.Hyper.NoiseVariance/precision+normal/math.Sqrt(precision),
						1e-13, "b = %v: centre %d at column %d", b, k, j)
				}
			}
		}
	}
}
