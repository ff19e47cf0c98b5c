package weights

// Coefficients are what a law on finite values is known by where its characteristic function is: its support, its mean, and its
// coefficients on a circle of some length that is longer than the support is wide.
type Coefficients struct {
	Low, High, Period float64
	Mean              float64
	Phi               []complex128 // Phi[k-1] = E[exp(2 pi i k l/Period)], k = 1, 2, ...
	Rounding          float64      // bounds the error of a coefficient
	Zero, Infinite    float64      // the probabilities of -Inf and +Inf, which are in no coefficient; the mean is that of the rest
}

// Law returns the law, whose bounds are those that the documentation of the package describes.
func (c Coefficients) Law() *Law {
	mass := 1 - c.Zero - c.Infinite
	f := &fourier{low: c.Low, high: c.High, period: c.Period, mass: mass, mean: mass * (c.Mean - c.Low)}
	turns := 1 + (c.High-c.Low)/c.Period
	f.setRest(c.Phi, make([]complex128, len(c.Phi)), c.Rounding, turns)
	return &Law{Zero: c.Zero, Infinite: c.Infinite, finite: f}
}
