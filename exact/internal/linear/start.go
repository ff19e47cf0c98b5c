package linear

import "math"

// Start returns a vector of length one in a space, whose direction is that of independent normal numbers: it is uniform
// on the sphere, as the bounds on what Lanczos may miss suppose. The numbers come from the generator SplitMix64 and the
// given seed, so that every run has the same.
//
// Source: Steele, Lea and Flood 2014, for the generator; Box and Muller 1958.
func Start(s Space, seed uint64) []float64 {
	v := make([]float64, s.N)
	state := seed
	uniform := func() float64 { // above 0 and at most 1
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
		return (float64(z>>11) + 1) * 0x1p-53
	}
	for i := range v {
		v[i] = math.Sqrt(-2*math.Log(uniform())) * math.Cos(2*math.Pi*uniform())
	}
	s.Project(v)
	s.Project(v) // the first projection leaves rounding of the size of what it took away
	scale(v, 1/Norm(v))
	return v
}
