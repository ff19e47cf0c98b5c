package latent

import (
	"math"

	"breadboard/chains"
)

// columnSlice draws a column v of V given the other ones. With S = Y'Y and r = NoiseVariance/UVariance the log likelihood depends on V by
//
//	-N/2 log det(VV' + rI) + tr((VV' + rI)^-1 V S V')/(2 NoiseVariance),
//
// and it keeps both K by K matrices while a scan goes through the columns. Without the column they are M and Q, and with w the sum of
// S_jl v_l over the other columns l, the matrices with it are M + vv' and Q + vw' + wv' + S_jj vv'. The Sherman-Morrison formula then
// leaves, with a = M^-1 v and q = v'a, what logOf computes in O(K^2).
type columnSlice struct {
	k            int
	outer, inner []float64 // VV' and V S V', all rows, or without a column M - rI and Q
	factor       *cholesky // of M
	w            []float64
	own          float64   // S_jj
	v, nu, next  []float64 // the column, a draw from its prior, and a proposal
	a            []float64
}

// newColumnSlice returns room for columns of k numbers.
func newColumnSlice(k int) columnSlice {
	room := zeros(5, k)
	return columnSlice{
		k: k, outer: make([]float64, k*k), inner: make([]float64, k*k), factor: newCholesky(k),
		w: room[0], v: room[1], nu: room[2], next: room[3], a: room[4],
	}
}

// begin computes both matrices of a state anew, so that rounding does not grow from scan to scan. It takes O(K D^2 + K^2 D).
func (s *columnSlice) begin(x *CollapsedLowRankState, pairs [][]float64) {
	clear(s.outer)
	clear(s.inner)
	for j, row := range pairs {
		s.weigh(x, row)
		for k, v := range x.V {
			s.v[k] = v[j]
			for l, w := range x.V[:k+1] {
				s.outer[k*s.k+l] += v[j] * w[j]
			}
		}
		for k, v := range s.v {
			for l := range k + 1 {
				s.inner[k*s.k+l] += v * s.w[l]
			}
		}
	}
}

// weigh computes w as the sum of row_l v_l over all columns.
func (s *columnSlice) weigh(x *CollapsedLowRankState, row []float64) {
	for k, v := range x.V {
		s.w[k] = dot(v, row)
	}
}

// take takes column j out of both matrices.
func (s *columnSlice) take(j int, x *CollapsedLowRankState, row []float64) {
	for k, v := range x.V {
		s.v[k] = v[j]
	}
	s.own = row[j]
	s.weigh(x, row)
	for k, v := range s.v {
		s.w[k] -= s.own * v
	}
	s.add(-1)
	copy(s.factor.l, s.outer)
	r := x.Hyper.NoiseVariance / x.Hyper.UVariance
	for k := range s.k {
		s.factor.l[k*s.k+k] += r
	}
	s.factor.factorise()
}

// add adds the column to the lower triangles of both matrices, times one or minus one.
func (s *columnSlice) add(sign float64) {
	for k, v := range s.v {
		for l, w := range s.v[:k+1] {
			s.outer[k*s.k+l] += sign * v * w
			s.inner[k*s.k+l] += sign * (v*s.w[l] + s.w[k]*w + s.own*v*w)
		}
	}
}

// put writes the column to a state, and adds it to both matrices.
func (s *columnSlice) put(j int, x *CollapsedLowRankState) {
	for k, v := range s.v {
		x.V[k][j] = v
	}
	s.add(1)
}

// draw draws the column by elliptical slice sampling, under the likelihood of n data to the power b.
func (s *columnSlice) draw(c chains.RealChooser, b, n float64, h LowRankHyper) {
	sd := math.Sqrt(h.VVariance)
	for k := range s.nu {
		s.nu[k] = sd * c.Normal()
	}
	e, drop := newEllipse(c)
	level := b*s.logOf(s.v, n, h.NoiseVariance) - drop
	for {
		e.point(s.next, s.v, s.nu)
		if b*s.logOf(s.next, n, h.NoiseVariance) >= level {
			s.v, s.next = s.next, s.v
			return
		}
		e.shrink(c)
	}
}

// logOf returns the log likelihood as a function of the column v, less a constant.
func (s *columnSlice) logOf(v []float64, n, noise float64) float64 {
	copy(s.a, v)
	s.factor.forward(s.a)
	s.factor.backward(s.a)
	q, w, square := dot(v, s.a), dot(s.w, s.a), 0.0
	for k, a := range s.a {
		row := s.inner[k*s.k : k*s.k+k+1]
		square += a * (2*dot(row[:k], s.a[:k]) + row[k]*a)
	}
	return -n/2*math.Log1p(q) + (2*w+s.own*q-square)/(1+q)/(2*noise)
}
