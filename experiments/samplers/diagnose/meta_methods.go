package diagnose

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// predictor returns the mean and the variance of the normal distribution that is predicted for the label of a point.
type predictor func(x []float64) (mean, variance float64)

// method is a way to learn from points whose features and labels are standardised.
type method struct {
	name    string
	without int // the feature that is left out; -1 for none
	learn   func(ctx context.Context, x [][]float64, y []float64) (predictor, error)
}

// whole is the name of the method that all others are compared with.
const whole = "GP"

// methods returns the methods of Table 2: the Gaussian process of all features, those with one left out, and two that are no processes.
func methods() []method {
	out := []method{{whole, -1, byProcess}}
	for d, f := range Features() {
		out = append(out, method{whole + "-" + f.Name, d, byProcess})
	}
	return append(out, method{"iid", -1, byNormal}, method{"linear", -1, byLine})
}

// byProcess learns a Gaussian process.
func byProcess(ctx context.Context, x [][]float64, y []float64) (predictor, error) {
	q, err := (&process{x, y}).fit(ctx)
	if err != nil {
		return nil, err
	}
	return q.predict, nil
}

// byNormal predicts the same normal distribution whatever the features: the mean and the variance (divisor n - 1) of the labels, with
// what is uncertain of that mean.
func byNormal(_ context.Context, _ [][]float64, y []float64) (predictor, error) {
	n := float64(len(y))
	mean, squares := moments(y)
	variance := squares / (n - 1) * (1 + 1/n)
	return func([]float64) (float64, float64) { return mean, variance }, nil
}

// byLine fits a constant and a coefficient for each feature by least squares; features that others determine get the shortest
// coefficients. The variance of a label is that of the residuals, of n less the number of coefficients, with what is uncertain of the
// coefficients.
func byLine(_ context.Context, x [][]float64, y []float64) (predictor, error) {
	n := len(y)
	a := mat.NewDense(n, len(x[0])+1, nil)
	for i := range x {
		a.SetRow(i, append([]float64{1}, x[i]...))
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return nil, fmt.Errorf("the singular values of %d points do not converge", n)
	}
	const determined = 1e-10 // the relative size of a singular value below which features determine each other
	rank := svd.Rank(determined)
	if rank >= n {
		return nil, fmt.Errorf("%d points to learn from, and a line through %d features needs more than %d; give more targets, kernels, starts or functions", n, len(x[0]), rank)
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	values := svd.Values(nil)
	along := make([]float64, rank) // the labels along each direction
	residual := 0.0
	for _, label := range y {
		residual += label * label
	}
	for r := range along {
		for i, label := range y {
			along[r] += u.At(i, r) * label
		}
		residual -= along[r] * along[r]
	}
	variance := max(residual, 0) / float64(n-rank)
	return func(point []float64) (float64, float64) {
		mean, uncertain := 0.0, 0.0
		for r := range along {
			z := v.At(0, r)
			for d, f := range point {
				z += v.At(d+1, r) * f
			}
			z /= values[r]
			mean += z * along[r]
			uncertain += z * z
		}
		return mean, variance * (1 + uncertain)
	}, nil
}

// moments returns the mean of numbers and the sum of the squares of their distances from it.
func moments(v []float64) (mean, squares float64) {
	for _, x := range v {
		mean += x
	}
	mean /= float64(len(v))
	for _, x := range v {
		squares += (x - mean) * (x - mean)
	}
	return mean, squares
}

// scale takes numbers to ones of mean zero and variance one (divisor n), as the training set says. Numbers that are all the same there
// are centred only.
type scale struct{ mean, sd float64 }

func newScale(v []float64) scale {
	mean, squares := moments(v)
	s := scale{mean, math.Sqrt(squares / float64(len(v)))}
	if constant(v) {
		s = scale{v[0], 1}
	}
	return s
}

func (s scale) of(v float64) float64 { return (v - s.mean) / s.sd }

func constant(v []float64) bool {
	for _, x := range v {
		if x != v[0] {
			return false
		}
	}
	return true
}
