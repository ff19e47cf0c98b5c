package stages

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Distribution returns the distribution p_b on the path at b = beta, 0 <= beta <= 1, one probability for each state.
func Distribution(path chains.Path, beta float64) []float64 {
	path, _ = path.Centred()
	p := make([]float64, path.States())
	path.LogF(p, chains.At(beta))
	logZ := number.LogSumExp(p)
	for x, v := range p {
		p[x] = math.Exp(v - logZ)
	}
	return p
}
