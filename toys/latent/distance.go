package latent

// squaredDistance returns the sum of (y_j - g s_j)^2. It adds up four sums, which do not wait for one another.
func squaredDistance(y, s []float64, g float64) float64 {
	var a0, a1, a2, a3 float64
	s = s[:len(y)]
	for j := 3; j < len(y); j += 4 {
		d0, d1, d2, d3 := y[j-3]-g*s[j-3], y[j-2]-g*s[j-2], y[j-1]-g*s[j-1], y[j]-g*s[j]
		a0, a1, a2, a3 = a0+d0*d0, a1+d1*d1, a2+d2*d2, a3+d3*d3
	}
	for j := len(y) &^ 3; j < len(y); j++ {
		d := y[j] - g*s[j]
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
