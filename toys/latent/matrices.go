package latent

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
)

// zeros returns a table of zeros, a row after another in memory.
func zeros(rows, columns int) [][]float64 {
	all := make([]float64, rows*columns)
	out := make([][]float64, rows)
	for i := range out {
		out[i], all = all[:columns:columns], all[columns:]
	}
	return out
}

func copyRows(dst, src [][]float64) {
	for i, row := range src {
		copy(dst[i], row)
	}
}

func transposed(y [][]float64) [][]float64 {
	out := zeros(len(y[0]), len(y))
	for i, row := range y {
		for j, v := range row {
			out[j][i] = v
		}
	}
	return out
}

// fillNormal fills the first n numbers of each row of a table with independent normal numbers of
// mean zero.
func fillNormal(c chains.RealChooser, dst [][]float64, n int, variance float64) {
	sd := math.Sqrt(variance)
	for _, row := range dst {
		for j := range row[:n] {
			row[j] = sd * c.Normal()
		}
	}
}

// logNormal returns the log density of n independent normal numbers of mean zero whose squares sum
// to square, in nats.
func logNormal(n int, square, variance float64) float64 {
	return -float64(n)/2*number.Log(2*math.Pi*variance) - square/(2*variance)
}

// squares returns the sum of the squares of the first n numbers of each row of a table.
func squares(x [][]float64, n int) float64 {
	total := 0.0
	for _, row := range x {
		total += dot(row[:n], row[:n])
	}
	return total
}

// products writes the product of every row of y with every row of x to dst, scaled: dst[i*len(x)+k]
// is scale times the sum over j of y[i][j] x[k][j]. It takes four rows of y at a time, so that four
// sums are under way at once.
func products(dst []float64, scale float64, y, x [][]float64) {
	n := len(y)
	width := len(x)
	i := 0
	for ; i+4 <= n; i += 4 {
		for k, v := range x {
			m := len(v)
			y0, y1, y2, y3 := y[i][:m], y[i+1][:m], y[i+2][:m], y[i+3][:m]
			var s0, s1, s2, s3 float64
			for j, w := range v {
				s0 += y0[j] * w
				s1 += y1[j] * w
				s2 += y2[j] * w
				s3 += y3[j] * w
			}
			at := dst[i*width+k:]
			at[0], at[width], at[2*width], at[3*width] = scale*s0, scale*s1, scale*s2, scale*s3
		}
	}
	for ; i < n; i++ {
		for k, v := range x {
			dst[i*width+k] = scale * dot(v, y[i][:len(v)])
		}
	}
}

// gram writes scale times the products of all pairs of rows of x up to the diagonal to the lower
// triangle dst, plus diagonal on its diagonal.
func gram(dst []float64, scale, diagonal float64, x [][]float64) {
	for i, v := range x {
		for j, w := range x[:i] {
			dst[i*len(x)+j] = scale * dot(v, w)
		}
		dst[i*len(x)+i] = diagonal + scale*dot(v, v)
	}
}

// residual writes y less the sum over k of u[k] v[k] to dst, and returns its sum of squares. The
// rows of v are as long as y.
func residual(dst, y, u []float64, v [][]float64) float64 {
	copy(dst, y)
	k := 0
	for ; k+2 <= len(v); k += 2 {
		a, b := u[k], u[k+1]
		v0, v1 := v[k][:len(dst)], v[k+1][:len(dst)]
		for j := range dst {
			dst[j] -= a*v0[j] + b*v1[j]
		}
	}
	if k < len(v) {
		a := u[k]
		v0 := v[k][:len(dst)]
		for j := range dst {
			dst[j] -= a * v0[j]
		}
	}
	return dot(dst, dst)
}

// squaredDistance returns the sum of (x_j - y_j)^2. It adds up four sums, which do not wait for one
// another.
func squaredDistance(x, y []float64) float64 {
	var a0, a1, a2, a3 float64
	y = y[:len(x)]
	for j := 3; j < len(x); j += 4 {
		d0, d1, d2, d3 := x[j-3]-y[j-3], x[j-2]-y[j-2], x[j-1]-y[j-1], x[j]-y[j]
		a0, a1, a2, a3 = a0+d0*d0, a1+d1*d1, a2+d2*d2, a3+d3*d3
	}
	for j := len(x) &^ 3; j < len(x); j++ {
		d := x[j] - y[j]
		a0 += d * d
	}
	return a0 + a1 + (a2 + a3)
}

// squaredLength returns the sum of the squares of x + sign y, for the signs 1 and -1.
func squaredLength(x, y []float64, sign float64) float64 {
	var a0, a1, a2, a3 float64
	y = y[:len(x)]
	for j := 3; j < len(x); j += 4 {
		d0, d1, d2, d3 := x[j-3]+sign*y[j-3], x[j-2]+sign*y[j-2], x[j-1]+sign*y[j-1], x[j]+sign*y[j]
		a0, a1, a2, a3 = a0+d0*d0, a1+d1*d1, a2+d2*d2, a3+d3*d3
	}
	for j := len(x) &^ 3; j < len(x); j++ {
		d := x[j] + sign*y[j]
		a0 += d * d
	}
	return a0 + a1 + (a2 + a3)
}

// addTo adds a multiple of a row to a sum of rows.
func addTo(sum, row []float64, times float64) {
	sum = sum[:len(row)]
	for j, v := range row {
		sum[j] += times * v
	}
}
