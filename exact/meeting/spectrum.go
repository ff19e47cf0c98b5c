package meeting

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"breadboard/exact/averages"
)

// spectrum has all modes of a reversible chain T with target p, of S = sqrt(p) T / sqrt(p): I - S
// is B B' with a matrix B that is found without a subtraction, by the elimination of Grassmann,
// Taksar and Heyman, and the singular values of B have all their digits by rotations of its
// columns. So a gap of 1e-30 has as many digits as one of a half. A distribution that is w from the
// target becomes sum of x_k (1-gap_k)^t q_k sqrt(p) in t moves, with x_k = <q_k, w / sqrt(p)>.
//
// # The error
//
// The modes are those of (I+E) (I-S) (I+E)', where E is the error of B times the inverse of B: the
// computed residual of the product of the factors, and some roundings of each entry. To first order
// E moves the part of mode m that comes from mode k by E_mk x_k times (gap_k+gap_m) ((1-gap_m)^t -
// (1-gap_k)^t) / (gap_k-gap_m), which rises from zero to at most one and falls again. So the sum
// over t of the changes by a move is off by at most 2 |E_mk x_k|, and all of D by sqrt(n) |E| |x|,
// for any gaps. Eigenvalues near -1 make that larger by 2/(1-|eigenvalue|).
//
// Source: Demmel, Gu, Eisenstat, Slapnicar, Veselic and Drmac 1999, Demmel and Koev 2004 for digits
// of singular values.
type spectrum struct {
	on        []int     // the states of positive probability
	root      []float64 // sqrt(p), by their places
	gap, plus []float64 // one less and one more than an eigenvalue
	q         [][]float64
	off       float64 // the norm of E, with the factor of eigenvalues near -1
}

const (
	// mostSpan bounds the range of log p for which sqrt(p) and gaps are in the range of float64.
	mostSpan = 600
	// lasting is the bound on 1 + eigenvalue below which the eigenvalue is -1 up to rounding: the
	// chain is periodic.
	lasting = 1e-13
)

// spectrumOf returns the modes of a chain, and nil if it is not reversible or they cannot be
// computed accurately.
func spectrumOf(ctx context.Context, chain *averages.Chain, given float64) (*spectrum, error) {
	s := &spectrum{}
	for x, v := range chain.LogF {
		if !math.IsInf(v, -1) {
			s.on = append(s.on, x)
		}
	}
	// the least likely is eliminated first
	slices.SortStableFunc(s.on, func(x, y int) int { return cmp.Compare(chain.LogF[x], chain.LogF[y]) })
	n := len(s.on)
	if n < 2 || chain.LogF[s.on[n-1]]-chain.LogF[s.on[0]] > mostSpan {
		return nil, ctx.Err()
	}
	ratio := func(i, j int) float64 { return math.Exp((chain.LogF[s.on[i]] - chain.LogF[s.on[j]]) / 2) }
	rows := make([][]float64, n)
	place := make([]int, chain.States())
	for i, x := range s.on {
		rows[i], place[x] = make([]float64, n), i
		s.root = append(s.root, math.Sqrt(chain.Target[x]))
	}
	for i, x := range s.on {
		for _, e := range chain.Rows.Row(x) {
			rows[i][place[e.To]] += e.P
		}
	}
	flat := symmetrize(rows, ratio, 16*given)
	if flat == nil {
		return nil, nil
	}
	columns := factorLaplacian(flat, ratio)
	if len(columns) == 0 {
		return nil, ctx.Err()
	}
	rotated := rotateColumns(ctx, columns)
	if rotated == nil || !s.readModes(rotated) {
		return nil, ctx.Err()
	}
	s.measureError(columns, rotated)
	s.fromMinusOne(rows)
	return s, nil
}

// symmetrize returns S_ij = sqrt(T_ij T_ji) off the diagonal, for ratios sqrt(p_i / p_j), and nil
// if a flow differs from the one back by more than a relative tolerance.
func symmetrize(rows [][]float64, ratio func(i, j int) float64, tolerance float64) [][]float64 {
	flat := make([][]float64, len(rows))
	for i := range flat {
		flat[i] = make([]float64, len(rows))
		for j := range i {
			to := rows[i][j] * ratio(i, j)
			back := rows[j][i] * ratio(j, i)
			if math.Abs(to-back) > tolerance*max(to, back) {
				return nil
			}
			flat[i][j] = math.Sqrt(rows[i][j]) * math.Sqrt(rows[j][i])
			flat[j][i] = flat[i][j]
		}
	}
	return flat
}

// factorLaplacian returns the columns of B with I - S = B B', by Gaussian elimination without a
// subtraction (Grassmann, Taksar and Heyman 1985), in n^3/3 operations. It overwrites S.
func factorLaplacian(flat [][]float64, ratio func(i, j int) float64) (columns [][]float64) {
	n := len(flat)
	for k := range n - 1 {
		pivot := 0.0
		for j := k + 1; j < n; j++ {
			pivot += flat[k][j] * ratio(j, k)
		}
		if pivot == 0 {
			continue // the last state of a class
		}
		column := make([]float64, n)
		column[k] = math.Sqrt(pivot)
		for j := k + 1; j < n; j++ {
			column[j] = -flat[k][j] / column[k]
		}
		for i := k + 1; i < n; i++ {
			for j := k + 1; j < n; j++ {
				flat[i][j] += column[i] * column[j]
			}
		}
		columns = append(columns, column)
	}
	return columns
}

// epsilon is the distance from one to the next float64.
const epsilon = 0x1p-52

// rotateColumns orthogonalises columns by rotations (Hestenes 1958), in O(n r^2) operations a
// sweep. It returns each with the r entries of the rotations behind it, and nil if the context
// ends.
func rotateColumns(ctx context.Context, columns [][]float64) [][]float64 {
	const sweeps = 60
	n := len(columns[0])
	r := len(columns)
	c := make([][]float64, r)
	for k := range c {
		c[k] = append(slices.Clone(columns[k]), make([]float64, r)...)
		c[k][n+k] = 1
	}
	dot := func(a, b []float64) float64 { return blas64.Dot(vector(a[:n]), vector(b[:n])) }
	turned := true
	for sweep := 0; turned && sweep < sweeps; sweep++ {
		turned = false
		slices.SortStableFunc(c, func(a, b []float64) int { return cmp.Compare(dot(b, b), dot(a, a)) })
		for i := range c {
			if ctx.Err() != nil {
				return nil
			}
			for j := i + 1; j < r; j++ {
				a := dot(c[i], c[i])
				b := dot(c[j], c[j])
				both := dot(c[i], c[j])
				if math.Abs(both) <= 4*epsilon*math.Sqrt(a)*math.Sqrt(b) {
					continue
				}
				turned = true
				zeta := (b - a) / (2 * both)
				t := math.Copysign(1/(math.Abs(zeta)+math.Hypot(1, zeta)), zeta)
				cos := 1 / math.Hypot(1, t)
				blas64.Rot(vector(c[i]), vector(c[j]), cos, -t*cos)
			}
		}
	}
	return c
}

// readModes reads the gaps, which are the squares of the lengths of the columns, and the modes. It
// returns false if a gap is zero.
func (s *spectrum) readModes(rotated [][]float64) bool {
	n := len(s.on)
	for _, c := range rotated {
		gap := blas64.Dot(vector(c[:n]), vector(c[:n]))
		if !(gap > 0) {
			return false
		}
		q := make([]float64, n)
		for i := range q {
			q[i] = c[i] / math.Sqrt(gap)
		}
		s.gap = append(s.gap, gap)
		s.q = append(s.q, q)
	}
	return true
}

// measureError computes the norm of E = |B - U V'| |B^-1|, where U are the rotated columns and V
// the rotations, with 4 n roundings of each entry of B.
func (s *spectrum) measureError(columns, rotated [][]float64) {
	n := len(s.on)
	// by column of B
	inverse := make([][]float64, len(columns))
	missing := make([][]float64, len(columns))
	for j, column := range columns {
		inverse[j], missing[j] = make([]float64, n), make([]float64, n)
		for i := range n {
			missing[j][i] = -column[i]
		}
		for k, c := range rotated {
			blas64.Axpy(c[n+j], vector(c[:n]), vector(missing[j]))
			blas64.Axpy(c[n+j]/s.gap[k], vector(c[:n]), vector(inverse[j]))
		}
		for i := range n {
			missing[j][i] = math.Abs(missing[j][i]) + 4*float64(n)*epsilon*math.Abs(column[i])
			inverse[j][i] = math.Abs(inverse[j][i])
		}
	}
	square := 0.0
	sums := make([]float64, n)
	for x := range n {
		clear(sums)
		for j := range columns {
			if v := missing[j][x]; v > 0 {
				blas64.Axpy(v, vector(inverse[j]), vector(sums))
			}
		}
		square += blas64.Dot(vector(sums), vector(sums))
	}
	s.off = math.Sqrt(square)
}

// fromMinusOne computes one plus each eigenvalue, as a sum of squares if it may be small.
func (s *spectrum) fromMinusOne(rows [][]float64) {
	least := 1.0
	for k, gap := range s.gap {
		plus := 2 - gap
		q := s.q[k]
		if gap > 1.5 {
			plus = 0
			for i, row := range rows {
				plus += 2 * row[i] * q[i] * q[i]
				for j := range i {
					v := math.Sqrt(row[j])*q[i] + math.Sqrt(rows[j][i])*q[j]
					plus += v * v
				}
			}
		}
		s.plus = append(s.plus, plus)
		if plus > lasting {
			least = min(least, plus/2)
		}
	}
	s.off /= least
}

// mode is the component of a distribution in one of the modes, by strides.
type mode struct {
	part float64
	log  float64 // of the modulus of its factor
	odd  bool    // whether the factor is negative
	q    []float64
}

// modes writes a distribution that is w from the target, by its values, as it is the given number
// of moves later, by strides of L moves. It returns a bound on the error of D of that, and false if
// some of it is outside of the states of the modes, or periodic.
func (s *spectrum) modes(w []float64, later float64, lag int) (modes []mode, off float64, all bool) {
	outside := slices.Clone(w)
	rest := make([]float64, len(s.on))
	for i, x := range s.on {
		outside[x], rest[i] = 0, w[x]/s.root[i]
	}
	if greatest(outside) > 0 {
		return nil, 0, false
	}
	size := math.Sqrt(blas64.Dot(vector(rest), vector(rest)))
	for k, q := range s.q {
		part := blas64.Dot(vector(rest), vector(q))
		blas64.Axpy(-part, vector(q), vector(rest))
		if s.plus[k] <= lasting {
			if math.Abs(part) > 0x1p-50*size {
				return nil, 0, false // it never goes away
			}
			continue
		}
		m := mode{part: part, log: math.Log1p(-s.gap[k]), q: q}
		if s.gap[k] > 1 {
			m.log = math.Log1p(-s.plus[k])
			if math.Mod(later, 2) == 1 {
				m.part = -part
			}
			m.odd = lag%2 == 1
		}
		if later > 0 {
			m.part *= math.Exp(later * m.log)
		}
		m.log *= float64(lag)
		if m.part != 0 {
			modes = append(modes, m)
		}
	}
	slices.SortStableFunc(modes, func(a, b mode) int { return cmp.Compare(b.log, a.log) })
	left := math.Sqrt(blas64.Dot(vector(rest), vector(rest)))
	n := math.Sqrt(float64(len(s.on)))
	return modes, n*s.off*size + n*(left+n*0x1p-52*size), true
}

// slowest returns the largest modulus of an eigenvalue, apart from 1 and -1.
func (s *spectrum) slowest() float64 {
	most := 0.0
	for k, gap := range s.gap {
		if s.plus[k] > lasting {
			most = max(most, 1-gap, 1-s.plus[k])
		}
	}
	return most
}

// sumModes returns the distribution given by modes, by state.
func (s *spectrum) sumModes(modes []mode, states int) []float64 {
	law := make([]float64, states)
	for _, m := range modes {
		for i, x := range s.on {
			law[x] += m.part * m.q[i] * s.root[i]
		}
	}
	return law
}

// sumDistances returns the sum over all strides of the distances between the distributions before
// and after each, and a bound on the error of the sum.
func (s *spectrum) sumDistances(modes []mode) (sum, off float64) {
	odd := slices.ContainsFunc(modes, func(m mode) bool { return m.odd })
	parts := make([]float64, len(modes))
	logs := make([]float64, len(modes))
	for turn := range 2 {
		if turn == 1 && !odd {
			break
		}
		for i, root := range s.root {
			for k, m := range modes {
				parts[k], logs[k] = m.part*m.q[i]*root, m.log
				if odd { // every second stride, with the sum of these in closed form
					logs[k] *= 2
					factor := math.Exp(m.log)
					if m.odd {
						parts[k], factor = parts[k]/-math.Expm1(m.log), -factor
					} else {
						parts[k] /= 1 + factor
					}
					if turn == 1 {
						parts[k] *= factor
					}
				}
			}
			one, error := variation(parts, logs)
			sum += one / 2
			off += error / 2
		}
	}
	return sum, off
}

// variation returns the sum over i >= 0 of |f(i) - f(i+1)| for f(i) = sum of parts exp(i logs),
// whose logs are below zero and descending, and a bound on its error. It takes steps over which f
// cannot have a turning point, since the possible change of its slope is smaller than the slope at
// the beginning. Between two turning points the sum is a difference of two values of f. Once the
// slowest term is larger than all others together there is no further turning point.
func variation(parts, logs []float64) (sum, off float64) {
	const most, nothing = 20_000, 0x1p-60
	var a, l, g []float64 // g is the part that one step takes away
	for k, part := range parts {
		if part != 0 {
			a, l, g = append(a, part), append(l, logs[k]), append(g, -math.Expm1(logs[k]))
		}
	}
	now := make([]float64, len(a))
	place := 0.0
	length := 1.0
	sign := 0.0
	anchor := math.NaN()
	scale := 0.0
	for step := 0; ; step++ {
		value := 0.0
		left := 0.0
		fall := 0.0
		falls := 0.0
		for k, part := range a {
			now[k] = part
			if place > 0 {
				now[k] *= math.Exp(place * l[k])
			}
			value += now[k]
			left += math.Abs(now[k])
			fall += now[k] * g[k]
			falls += math.Abs(now[k] * g[k])
		}
		if step == 0 {
			anchor = value
			scale = left
		}
		for len(a) > 0 && math.Abs(now[len(a)-1]) <= 0x1p-40*nothing*scale { // it has died out
			off += math.Abs(now[len(a)-1])
			a, l, g, now = a[:len(a)-1], l[:len(a)-1], g[:len(a)-1], now[:len(a)-1]
		}
		if left <= nothing*max(sum, scale) || len(a) == 0 || step == most {
			return sum + math.Abs(anchor-value), off + left + 8*0x1p-53*scale
		}
		if last := math.Abs(now[0] * g[0]); last > falls-last+0x1p-50*falls {
			if fall*sign < 0 {
				sum += math.Abs(anchor - value)
				anchor = value
			}
			return sum + math.Abs(anchor), off + 8*0x1p-53*scale
		}
		for ; ; length /= 2 {
			change := 0.0
			for k, v := range now {
				change -= math.Abs(v*g[k]) * math.Expm1(length*l[k])
			}
			if length <= 1 || math.Abs(fall) > change+0x1p-50*falls {
				break
			}
			if length*(math.Abs(fall)+change) <= nothing*scale {
				off += length * (math.Abs(fall) + change)
				break
			}
		}
		if fall*sign < 0 {
			sum += math.Abs(anchor - value)
			off += 8 * 0x1p-53 * left
			anchor = value
		}
		if fall != 0 {
			sign = fall
		}
		if place+length == place {
			length = place * 0x1p-52
		}
		place += length
		length *= 2
	}
}
