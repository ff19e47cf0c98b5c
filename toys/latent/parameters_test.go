package latent

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

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

// TestCentresAreDrawnFromTheirLaw: with normal numbers of zero and one the centres are the means, and one standard deviation above them, of
// the normal equations with the power b.
func TestCentresAreDrawnFromTheirLaw(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(13, 1))
	m, s := fullClustering(t, c)
	s.Hyper.CentreVariance, s.Hyper.NoiseVariance = 2, 0.7
	for _, b := range []float64{0, 0.3, 1} {
		for _, normal := range []float64{0, 1} {
			m.drawCentres(&listed{c, []float64{normal}, 0}, b, s)
			for k, centre := range m.means {
				precision := 1/s.Hyper.CentreVariance + b*float64(s.counts[k])/s.Hyper.NoiseVariance
				for j, sum := range m.sum(k, s) {
					if err := closeTo(centre[j], b*sum/s.Hyper.NoiseVariance/precision+normal/math.Sqrt(precision), 1e-13); err != nil {
						t.Fatalf("b = %v: centre %d at column %d is %v", b, k, j, err)
					}
				}
			}
		}
	}
}

// TestFeaturesAreDrawnFromTheirLaw: the features are their means and a linear map of normal numbers, whose product with its transpose is the
// inverse of the precision with the power b.
func TestFeaturesAreDrawnFromTheirLaw(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(14, 1))
	m, s := fullBinary(t, c)
	s.Hyper.FeatureVariance, s.Hyper.NoiseVariance = 2, 0.7
	for _, b := range []float64{0, 0.3, 1} {
		precision, cross := mat.NewDense(m.k, m.k, nil), mat.NewDense(m.k, len(m.y[0]), nil)
		for i := range m.k {
			for j := range m.k {
				precision.Set(i, j, b*s.gram[i*m.k+j]/s.Hyper.NoiseVariance)
			}
			precision.Set(i, i, precision.At(i, i)+1/s.Hyper.FeatureVariance)
			for j, v := range s.cross[i] {
				cross.Set(i, j, b*v/s.Hyper.NoiseVariance)
			}
		}
		var covariance, means mat.Dense
		longtest.NoError(t, covariance.Inverse(precision))
		means.Mul(&covariance, cross)
		draw := func(normals []float64) [][]float64 {
			m.expect(b, s)
			m.drawFeatures(&listed{c, normals, 0}, s)
			return m.features.mean
		}
		root := mat.NewDense(m.k, m.k, nil)
		for p := range m.k {
			normals := make([]float64, m.k)
			normals[p] = 1
			for k, row := range draw(normals) {
				root.Set(k, p, row[0]-means.At(k, 0))
			}
		}
		var got mat.Dense
		got.Mul(root, root.T())
		if !mat.EqualApprox(&got, &covariance, 1e-12) {
			t.Errorf("b = %v: the covariance of the features is not the inverse of their precision", b)
		}
		for k, row := range draw(make([]float64, m.k)) {
			for j, v := range row {
				if err := closeTo(v, means.At(k, j), 1e-12); err != nil {
					t.Fatalf("b = %v: the mean of feature %d at column %d is %v", b, k, j, err)
				}
			}
		}
	}
}
