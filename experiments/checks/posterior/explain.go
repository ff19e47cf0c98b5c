package posterior

import (
	"fmt"
	"math"

	"breadboard/chains/number"
)

// exactly is how near logarithms are to what explains them, in nats.
const exactly = 1e-6

// explain says what densities are, given by data and parameter up to a factor for each data set, if
// they are a power of the prior times a power of the likelihood. It is empty for any other, for too
// few parameters to tell, and for the posterior itself.
func (m *Model) explain(logs [][]float64) string {
	var own, prior, likelihood []float64 // less their means over the parameters of each data set
	for y := range m.Data {
		var sums [3]float64
		var values [][3]float64
		for x := range m.Parameters {
			possible := m.possible(y, x)
			if possible && math.IsInf(logs[y][x], -1) {
				return ""
			}
			if possible {
				v := [3]float64{logs[y][x], number.Log(m.Prior[x]), number.Log(m.Likelihood[y][x])}
				values = append(values, v)
				for i := range sums {
					sums[i] += v[i]
				}
			}
		}
		for _, v := range values {
			n := float64(len(values))
			own, prior, likelihood = append(own, v[0]-sums[0]/n), append(prior, v[1]-sums[1]/n),
				append(likelihood, v[2]-sums[2]/n)
		}
	}
	a, b, fits := plane(own, prior, likelihood)
	if !fits || len(own) < len(m.Data)+3 || math.Abs(a-1) < exactly && math.Abs(b-1) < exactly {
		return ""
	}
	a, b = math.Round(a/exactly)*exactly+0, math.Round(b/exactly)*exactly+0 // no negative zero
	text := fmt.Sprintf("prior^%.6g times likelihood^%.6g", a, b)
	switch {
	case a == 1 && b == 0:
		return text + ", as if the data were ignored"
	case a == 0 && b == 1:
		return text + ", as if the prior were left out"
	case a == 1 && b == 2:
		return text + ", as if the likelihood were counted twice"
	case a == 2 && b == 1:
		return text + ", as if the prior were counted twice"
	case a == 0 && b == 0:
		return text + ", as if each parameter were equally likely"
	}
	return text
}

// plane returns the coefficients of v = a s + b t by least squares, and whether all points are on
// it. A direction in which nothing varies has the coefficient
// 1.
func plane(v, s, t []float64) (a, b float64, fits bool) {
	var ss, st, tt, sv, tv float64
	for i := range v {
		ss += s[i] * s[i]
		st += s[i] * t[i]
		tt += t[i] * t[i]
		sv += s[i] * v[i]
		tv += t[i] * v[i]
	}
	small := exactly * exactly * float64(len(v))
	switch det := ss*tt - st*st; {
	case ss <= small && tt <= small:
		return 1, 1, false
	case ss <= small:
		a, b = 1, tv/tt
	case tt <= small:
		a, b = sv/ss, 1
	case det <= 1e-12*ss*tt:
		return 1, 1, false
	default:
		a, b = (sv*tt-tv*st)/det, (tv*ss-sv*st)/det
	}
	for i := range v {
		if math.Abs(v[i]-a*s[i]-b*t[i]) > exactly {
			return a, b, false
		}
	}
	return a, b, true
}
