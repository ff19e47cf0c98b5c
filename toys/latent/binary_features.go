package latent

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"

	"breadboard/chains/number"
	"breadboard/toys/models"
)

// features is the normal distribution of the features A given the attributes and the data with the
// power b, as a new row depends on it. With r the ratio of the variances of features and noise sn2,
// and u = b r, the columns of A have the covariance sn2 Q/b and the means QC, where
//
//	Q = u (I + u Z'Z)^-1 and C = Z'Y.
//
// Of Q it holds the lower triangular W with Q = W'W, so that z'Qz = |Wz|^2 is never negative.
type features struct {
	factor  *cholesky   // of I + u Z'Z
	columns [][]float64 // of W: columns[k][j] is W_jk, which is zero for j < k
	rows    [][]float64 // of W: rows[j][k] is W_jk, which is not looked at for k > j
	half    [][]float64 // WC, K rows of D
	mean    [][]float64 // QC, K rows of D
}

// newFeatures returns room for k features of that many columns.
func newFeatures(k, columns int) *features {
	return &features{newCholesky(k), zeros(k, k), zeros(k, k), zeros(k, columns), zeros(k, columns)}
}

// setConditional makes it the distribution given Z'Z and C = Z'Y. It takes some K^3 + 2 K^2 D
// operations.
func (f *features) setConditional(gram []float64, cross [][]float64, u float64) {
	f.solveWeights(gram, u)
	for i, row := range f.half {
		combine(row, cross[:i+1], f.rows[i])
	}
	for i, row := range f.mean {
		combine(row, f.half[i:], f.columns[i][i:])
	}
}

// solveWeights finds W.
func (f *features) solveWeights(gram []float64, u float64) {
	k, l := len(f.rows), f.factor.l
	for i := range k {
		for j := range i {
			l[i*k+j] = u * gram[i*k+j]
		}
		l[i*k+i] = 1 + u*gram[i*k+i]
	}
	f.factor.factorise()
	scale := math.Sqrt(u)
	for i, column := range f.columns { // column i of L^-1, by forward substitution
		column[i] = scale * f.factor.inverse[i]
		f.rows[i][i] = column[i]
		for j := i + 1; j < k; j++ {
			column[j] = -dot(l[j*k+i:j*k+j], column[i:j]) * f.factor.inverse[j]
			f.rows[j][i] = column[j]
		}
	}
}

// combine writes the sum of rows times weights to dst. It takes up to four rows at a time, so that
// dst is written less often.
func combine(dst []float64, rows [][]float64, weights []float64) {
	n := len(rows)
	k := n & 3
	switch r := rows; k {
	case 0:
		clear(dst)
	case 1:
		a := weights[0]
		x := r[0][:len(dst)]
		for i := range dst {
			dst[i] = a * x[i]
		}
	case 2:
		a := weights[0]
		b := weights[1]
		x := r[0][:len(dst)]
		y := r[1][:len(dst)]
		for i := range dst {
			dst[i] = a*x[i] + b*y[i]
		}
	case 3:
		a := weights[0]
		b := weights[1]
		c := weights[2]
		x := r[0][:len(dst)]
		y := r[1][:len(dst)]
		z := r[2][:len(dst)]
		for i := range dst {
			dst[i] = a*x[i] + b*y[i] + c*z[i]
		}
	}
	for ; k < n; k += 4 {
		a := weights[k]
		b := weights[k+1]
		c := weights[k+2]
		d := weights[k+3]
		w := rows[k][:len(dst)]
		x := rows[k+1][:len(dst)]
		y := rows[k+2][:len(dst)]
		z := rows[k+3][:len(dst)]
		for i := range dst {
			dst[i] += (a*w[i] + b*x[i]) + (c*y[i] + d*z[i])
		}
	}
}

// rowState is a row with its attributes as the features of the other rows see it.
type rowState struct {
	bits  []int     // zeros
	rest  []float64 // what the means of its features leave of the row
	along []float64 // Wz
	law   rowLaw
}

// newRowState returns room for k attributes and that many columns.
func newRowState(k, columns int) rowState {
	return rowState{bits: make([]int, k), rest: make([]float64, columns), along: make([]float64, k)}
}

// setRow makes it the state of row y with attributes z.
func (r *rowState) setRow(y []float64, z []int, f *features) {
	copy(r.rest, y)
	clear(r.along)
	for k, on := range z {
		if on == 1 {
			r.toggleFeature(k, 1, f)
		}
	}
}

// toggleFeature adds feature k for the sign 1, and takes it away for -1.
func (r *rowState) toggleFeature(k int, sign float64, f *features) {
	addTo(r.rest, f.mean[k], -sign)
	addTo(r.along[k:], f.columns[k][k:], sign)
}

// logDensity returns the log density of the row (see rowLaw).
func (r *rowState) logDensity() float64 {
	return r.law.logDensity(dot(r.along, r.along), dot(r.rest, r.rest))
}

// logDensityWith returns what logDensity would return after toggleFeature.
func (r *rowState) logDensityWith(k int, sign float64, f *features) float64 {
	head := r.along[:k]
	return r.law.logDensity(dot(head, head)+squaredLength(r.along[k:], f.columns[k][k:], sign),
		squaredLength(r.rest, f.mean[k], -sign))
}

// rowLaw is the predictive density of a row with the power b. Where the attributes z have the
// covariance factor s = z'Qz and the means leave a row of squared length d, the ratio of the
// likelihoods with the row and without is, apart from (2 pi sn2)^(-b D/2),
//
//	(1 + s)^(-D/2) exp(-b d/(2 sn2 (1 + s))).
//
// At b = 1 it is the normal density with variance sn2 (1 + s), and at b = 0 it is one.
type rowLaw struct {
	half  float64 // D/2
	scale float64 // b/(2 sn2)
}

func (l rowLaw) logDensity(s, d float64) float64 { return -l.half*math.Log1p(s) - l.scale*d/(1+s) }

// attributeOdds are the logarithms of the prior odds of attributes, for the probabilities that they
// were last asked for.
type attributeOdds struct{ pi, logs []float64 }

// logOdds returns log(p/(1-p)) of each probability.
func (o *attributeOdds) logOdds(pi []float64) []float64 {
	if !slices.Equal(o.pi, pi) {
		for k, p := range pi {
			o.pi[k], o.logs[k] = p, number.Log(p)-math.Log1p(-p)
		}
	}
	return o.logs
}

// spectrum is what the log likelihood of binary attributes needs of Z'Z and Z'Y: the eigenvalues of
// Z'Z, the sizes of the components of Y that belong to them (see models.Gaussian), and the features
// of least squares.
type spectrum struct {
	k       int
	vectors []float64 // eigenvectors, in columns
	work    []float64
	along   []float64
	best    [][]float64 // the features of least squares that have no part in the null space of Z'Z, K rows
	fit     models.Fit
}

// newSpectrum returns room for k attributes and that many columns.
func newSpectrum(k, columns int) *spectrum {
	s := &spectrum{
		k:       k,
		vectors: make([]float64, k*k),
		along:   make([]float64, columns),
		best:    zeros(k, columns),
		fit:     models.NewFit(k),
	}
	size := []float64{0}
	lapackgonum.Implementation{}.Dsyev(lapack.EVCompute, blas.Upper, k, s.vectors, k, s.fit.Eigenvalues, size, -1)
	s.work = make([]float64, int(size[0]))
	return s
}

// null is the part of the trace of Z'Z below which an eigenvalue is what rounding has left of zero.
// Of matrices of zeros and ones with up to ten columns, none has a smallest eigenvalue other than
// zero that is below 1e-6.
const null = 1e-13

// decompose writes the eigenvalues and sizes to s.fit, and the features of least squares to s.best.
func (s *spectrum) decompose(gram []float64, cross [][]float64) {
	copy(s.vectors, gram)
	lapackgonum.Implementation{}.Dsyev(
		lapack.EVCompute,
		blas.Upper,
		s.k,
		s.vectors,
		s.k,
		s.fit.Eigenvalues,
		s.work,
		len(s.work),
	)
	trace := 0.0
	for k := range s.k {
		trace += gram[k*s.k+k]
		clear(s.best[k])
	}
	for p, l := range s.fit.Eigenvalues {
		if l <= null*trace {
			s.fit.Eigenvalues[p], s.fit.Size[p] = 0, 0
			continue
		}
		clear(s.along)
		for k, row := range cross {
			addTo(s.along, row, s.vectors[k*s.k+p])
		}
		s.fit.Size[p] = dot(s.along, s.along) / l
		for k, row := range s.best {
			addTo(row, s.along, s.vectors[k*s.k+p]/l)
		}
	}
}
