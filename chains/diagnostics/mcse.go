package diagnostics

import (
	"math"
)

// Moments returns the mean of all draws and their standard deviation (divisor one less than their
// number).
func Moments(d Draws) (mean, sd float64, err error) {
	if err := d.Validate(); err != nil {
		return 0, 0, err
	}
	mean, sd = d.meanAndSD()
	return mean, sd, nil
}

// MCSEMean returns the Monte Carlo standard error of the mean of all draws: their standard
// deviation over the square root of ESSMean. It is zero if all draws are equal. Time is that of
// ESSMean.
//
// Source: Vehtari et al. 2021, section 3.1.
func MCSEMean(d Draws) (float64, error) {
	if err := d.Validate(); err != nil {
		return 0, err
	}
	_, sd := d.meanAndSD()
	ess, err := ESSMean(d)
	return sd / math.Sqrt(ess), err
}

// MCSESD returns the Monte Carlo standard error of the standard deviation of all draws, by the
// delta method: the standard error of the mean of the squared distances from the mean, over twice
// the standard deviation. The effective sample size is that of these squares in split chains, and
// divisors are the number of draws. It is zero if all draws are equal. Time is that of ESSMean.
//
// Source: Kenney and Keeping 1951, section 7.8, as in R's package posterior 1.4.
func MCSESD(d Draws) (float64, error) {
	if err := d.Validate(); err != nil {
		return 0, err
	}
	_, unit := d.meanAndSD()
	if d.Constant() {
		return 0, nil
	}
	c := d.centred()
	mean, sd := c.meanAndSD()
	second := 0.0
	fourth := 0.0
	n := float64(d.size())
	ess, err := ESSMean(c.mapped(func(v float64) float64 {
		square := (v - mean) / sd * (v - mean) / sd
		second += square / n
		fourth += square * square / n
		return square
	}))
	return unit * math.Sqrt((fourth-second*second)/ess/second) / 2, err
}

// meanAndSD returns the mean and the standard deviation of all draws. The first of them is
// subtracted before they are summed, so that a large constant costs no digits, and they are scaled,
// so that no square overflows.
func (d Draws) meanAndSD() (mean, sd float64) {
	exponent := d.exponent()
	d = d.scaled()
	zero := d[0][0]
	n := float64(d.size())
	shift := 0.0
	total := 0.0
	for _, chain := range d {
		for _, v := range chain {
			shift += (v - zero) / n
		}
	}
	for _, chain := range d {
		for _, v := range chain {
			total += (v - zero - shift) * (v - zero - shift)
		}
	}
	return math.Ldexp(zero+shift, exponent), math.Ldexp(math.Sqrt(total/(n-1)), exponent)
}

// BatchMeans returns the effective sample size of one chain by batch means: N times the variance of
// the draws (divisor N - 1) over the variance of the batch means times the size of a batch. Batches
// have floor(sqrt N) draws; the remaining draws at the end are in no batch. It is +Inf if all
// batches have the same mean, and N if all draws are equal. Time is O(N).
//
// Source: Flegal and Jones 2010; Turner and Neal 2017, section 5.
func BatchMeans(x []float64) (float64, error) {
	d := Draws{x}
	if err := d.Validate(); err != nil {
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

// BatchSize returns the number of draws in a batch, floor(sqrt N), exact for N below 2^52.
func BatchSize(draws int) int { return int(math.Sqrt(float64(draws))) }
