package hypotheses

import "math"

// product is the logarithm of a product of many probabilities, for which it takes few logarithms: factors are multiplied as
// long as the product is far from the smallest number. The rounding is that of the multiplications, 1e-16 for each.
type product struct{ logs, rest float64 }

const (
	// fewTimes is the largest power that is taken by multiplication.
	fewTimes = 4
	// smallRest is where the rest is turned into a logarithm, and smallFactor is the smallest factor that is multiplied.
	// smallRest smallFactor^fewTimes is still no subnormal number.
	smallRest, smallFactor = 1e-200, 1e-25
)

// newProduct returns the empty product.
func newProduct() product { return product{rest: 1} }

// multiply multiplies by a power of a factor from 0 to 1.
func (p *product) multiply(factor float64, times int) {
	if times > fewTimes || factor < smallFactor {
		p.logs += float64(times) * math.Log(factor)
		return
	}
	for range times {
		p.rest *= factor
	}
	if p.rest < smallRest {
		p.logs += math.Log(p.rest)
		p.rest = 1
	}
}

// log returns the logarithm.
func (p *product) log() float64 { return p.logs + math.Log(p.rest) }
