package estimators

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// normals are n independent normal distributions of vectors of K numbers, which share one covariance: what the best factors of the
// models here are where the noise is normal and known.
type normals struct {
	n, k       int
	means      []float64 // n rows of K
	covariance []float64 // K x K; zero where the vectors are known
	logDet     float64   // the logarithm of the determinant of the covariance
	cross      []float64 // scratch of K numbers
}

// knownNormals returns n vectors of K zeros that are known.
func knownNormals(n, k int) *normals {
	return &normals{n: n, k: k, means: make([]float64, n*k), covariance: make([]float64, k*k), logDet: math.Inf(-1), cross: make([]float64, k)}
}

// squares writes the sum over the n vectors of their means times their means, K x K.
func (q *normals) squares(dst []float64) { gram(dst, q.means, q.k) }

// gram writes the sum over rows of k numbers of the row times itself, k x k.
func gram(dst, rows []float64, k int) {
	clear(dst)
	for at := 0; at < len(rows); at += k {
		row := rows[at : at+k]
		for a, x := range row {
			to := dst[a*k : a*k+k]
			for b, y := range row {
				to[b] += x * y
			}
		}
	}
}

// regress sets the normals to the posterior of the coefficients of n regressions with noise of variance one, whose coefficients are
// independently N(0, prior) before. Each is given its data, a row of y, with the predictors x, of which each datum has a row of K
// numbers. The sum over the data of the expected squares of the predictors is given for itself, since they may be random. Where rounding makes the
// precision no positive definite matrix the results are NaN.
//
// It takes about n K (P + K) multiplications for P data.
func (q *normals) regress(y, x, squares []float64, prior float64) {
	for a := range q.k {
		for b := range q.k {
			q.covariance[a*q.k+b] = squares[a*q.k+b]
		}
		q.covariance[a*q.k+a] += 1 / prior
	}
	q.invert()
	data := len(x) / q.k
	for i := range q.n {
		clear(q.cross)
		for j, v := range y[i*data : (i+1)*data] {
			for a, p := range x[j*q.k : (j+1)*q.k] {
				q.cross[a] += v * p
			}
		}
		mean := q.means[i*q.k : (i+1)*q.k]
		for a := range mean {
			mean[a] = dot(q.covariance[a*q.k:(a+1)*q.k], q.cross)
		}
	}
}

// invert replaces a precision by the covariance.
func (q *normals) invert() {
	precision := blas64.Symmetric{N: q.k, Stride: q.k, Data: q.covariance, Uplo: blas.Upper}
	factor, ok := lapack64.Potrf(precision)
	if !ok {
		q.logDet = math.NaN()
		return
	}
	q.logDet = 0
	for a := range q.k {
		q.logDet -= 2 * math.Log(q.covariance[a*q.k+a])
	}
	lapack64.Potri(factor)
	for a := range q.k {
		for b := range a {
			q.covariance[a*q.k+b] = q.covariance[b*q.k+a]
		}
	}
}

// divergence returns the Kullback-Leibler divergence of the n distributions from N(0, prior) for each number, in nats.
func (q *normals) divergence(prior float64) float64 {
	perVector := -float64(q.k) + float64(q.k)*math.Log(prior) - q.logDet
	for a := range q.k {
		perVector += q.covariance[a*q.k+a] / prior
	}
	return (float64(q.n)*perVector + dot(q.means, q.means)/prior) / 2
}

// dot returns the inner product of two vectors of one length.
func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
