package latent

import (
	"math"
	"slices"
)

// features is the normal law of the features A given the attributes and the data with the power b, as a new row depends on it. With r the
// ratio of the variances of features and noise sn2, and u = b r, the columns of A have the covariance sn2 Q/b and the means QC, where
//
//	Q = u (I + u Z'Z)^-1 and C = Z'Y.
//
// Of Q it holds W with Q = W'W, so that z'Qz = |Wz|^2 is never negative.
type features struct {
	factor *cholesky   // of I + u Z'Z
	root   [][]float64 // the columns of W: root[k][j] is W_jk, which is zero for j < k
	mean   [][]float64 // K rows of D
}

// newFeatures returns room for k features of so many columns.
func newFeatures(k, columns int) *features {
	return &features{newCholesky(k), zeros(k, k), zeros(k, columns)}
}

// given makes it the law given Z'Z and C = Z'Y. It takes some K^3 + 2 K^2 D operations.
func (f *features) given(gram []float64, cross [][]float64, u float64) {
	k := len(f.root)
	for i := range k {
		for j := range i {
			f.factor.l[i*k+j] = u * gram[i*k+j]
		}
		f.factor.l[i*k+i] = 1 + u*gram[i*k+i]
	}
	f.factor.factorise(1)
	scale := math.Sqrt(u)
	for i, column := range f.root { // column i of L^-1, by forward substitution
		column[i] = scale * f.factor.inverse[i]
		for j := i + 1; j < k; j++ {
			column[j] = -dot(f.factor.l[j*k+i:j*k+j], column[i:j]) * f.factor.inverse[j]
		}
	}
	for i := range k {
		combine(f.mean[i], cross, func(j int) float64 { return dot(f.root[i][max(i, j):], f.root[j][max(i, j):]) })
	}
}

// combine writes the sum of the rows times weights to dst. It takes four rows at a time.
func combine(dst []float64, rows [][]float64, weight func(j int) float64) {
	clear(dst)
	j := 0
	for ; j+4 <= len(rows); j += 4 {
		a0, a1, a2, a3 := weight(j), weight(j+1), weight(j+2), weight(j+3)
		r0, r1, r2, r3 := rows[j][:len(dst)], rows[j+1][:len(dst)], rows[j+2][:len(dst)], rows[j+3][:len(dst)]
		for i := range dst {
			dst[i] += (a0*r0[i] + a1*r1[i]) + (a2*r2[i] + a3*r3[i])
		}
	}
	for ; j < len(rows); j++ {
		addTo(dst, rows[j], weight(j))
	}
}

// rowState is a row with its attributes as the features of the other rows see it.
type rowState struct {
	bits  []int     // zeros
	rest  []float64 // what the means of its features leave of the row
	along []float64 // Wz
	law   rowLaw
}

// newRowState returns room for k attributes and so many columns.
func newRowState(k, columns int) rowState {
	return rowState{bits: make([]int, k), rest: make([]float64, columns), along: make([]float64, k)}
}

// set makes it the state of row y with attributes z.
func (r *rowState) set(y []float64, z []int, f *features) {
	copy(r.rest, y)
	clear(r.along)
	for k, on := range z {
		if on == 1 {
			r.turn(k, 1, f)
		}
	}
}

// turn adds feature k for the sign 1, and takes it away for -1.
func (r *rowState) turn(k int, sign float64, f *features) {
	addTo(r.rest, f.mean[k], -sign)
	addTo(r.along[k:], f.root[k][k:], sign)
}

// logDensity returns the log density of the row (see rowLaw).
func (r *rowState) logDensity() float64 {
	return r.law.logDensity(dot(r.along, r.along), dot(r.rest, r.rest))
}

// logDensityWith returns what logDensity would return after turn.
func (r *rowState) logDensityWith(k int, sign float64, f *features) float64 {
	head := r.along[:k]
	return r.law.logDensity(dot(head, head)+squaredDistance(r.along[k:], f.root[k][k:], -sign), squaredDistance(r.rest, f.mean[k], sign))
}

// rowLaw is the predictive density of a row with the power b. Where the attributes z have the covariance factor s = z'Qz and the means
// leave a row of squared length d, the ratio of the likelihoods with the row and without is, apart from (2 pi sn2)^(-b D/2),
//
//	(1 + s)^(-D/2) exp(-b d/(2 sn2 (1 + s))).
//
// At b = 1 it is the normal density with variance sn2 (1 + s), and at b = 0 it is one.
type rowLaw struct {
	half  float64 // D/2
	scale float64 // b/(2 sn2)
}

func (l rowLaw) logDensity(s, d float64) float64 {
	return -l.half*math.Log1p(s) - l.scale*d/(1+s)
}

// attributeOdds are the logarithms of the prior odds of attributes, for the probabilities that they were last asked for.
type attributeOdds struct{ pi, logs []float64 }

// of returns log(p/(1-p)) of each probability.
func (o *attributeOdds) of(pi []float64) []float64 {
	if !slices.Equal(o.pi, pi) {
		for k, p := range pi {
			o.pi[k], o.logs[k] = p, math.Log(p)-math.Log1p(-p)
		}
	}
	return o.logs
}
