package linear

import "math"

// Dot returns the inner product of two vectors. Its four partial sums are added in a fixed order.
func Dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float64(a[i] * b[i])
		s1 += float64(a[i+1] * b[i+1])
		s2 += float64(a[i+2] * b[i+2])
		s3 += float64(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// Norm returns the length of a vector whose entries are not so large that their squares overflow.
func Norm(a []float64) float64 { return math.Sqrt(Dot(a, a)) }

// add adds s times b to a.
func add(a []float64, s float64, b []float64) {
	b = b[:len(a)]
	for i, v := range b {
		a[i] += float64(s * v)
	}
}

// scale multiplies a by s.
func scale(a []float64, s float64) {
	for i := range a {
		a[i] *= s
	}
}
