package latent

// products writes the product of every row of y with every row of x to dst, scaled: dst[i*len(x)+k] is scale times the sum over j of
// y[i][j] x[k][j]. It takes four rows of y at a time, so that four sums are under way at once.
func products(dst []float64, scale float64, y, x [][]float64) {
	n, width := len(y), len(x)
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

// gram writes scale times the products of all pairs of rows of x up to the diagonal to the lower triangle dst, plus diagonal on its
// diagonal.
func gram(dst []float64, scale, diagonal float64, x [][]float64) {
	for i, v := range x {
		for j, w := range x[:i] {
			dst[i*len(x)+j] = scale * dot(v, w)
		}
		dst[i*len(x)+i] = diagonal + scale*dot(v, v)
	}
}

// residual writes y less the sum over k of u[k] v[k] to dst, and returns its sum of squares. The rows of v are as long as y.
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
		a, v0 := u[k], v[k][:len(dst)]
		for j := range dst {
			dst[j] -= a * v0[j]
		}
	}
	return dot(dst, dst)
}
