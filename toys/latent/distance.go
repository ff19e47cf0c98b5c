package latent

// squaredDistance returns the sum of (x_j - y_j)^2. It adds up four sums, which do not wait for one another.
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
