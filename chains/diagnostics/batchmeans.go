package diagnostics

import "math"

// BatchMeans returns the effective sample size of one chain by batch means: N times the variance of the draws (divisor N - 1) over the
// variance of the means of batches times their size. Batches have floor(sqrt N) draws; draws that fill no batch at the end are left out of
// the batches. It is +Inf where all batches have the same mean, and N where all draws are equal. Time is O(N).
//
// Source: Flegal and Jones 2010; Turner and Neal 2017, section 5.
func BatchMeans(x []float64) (float64, error) {
	d := Draws{x}
	if err := d.Check(); err != nil {
		return 0, err
	}
	if d.Constant() {
		return float64(len(x)), nil
	}
	x = d.centred()[0]
	size := BatchSize(len(x))
	means := make([]float64, len(x)/size)
	for j := range means {
		means[j] = mean(x[j*size:][:size])
	}
	return float64(len(x)) * variance(x) / (float64(size) * variance(means)), nil
}

// BatchSize returns the number of draws in a batch, floor(sqrt N), which is right for all N below 2^52.
func BatchSize(draws int) int { return int(math.Sqrt(float64(draws))) }
