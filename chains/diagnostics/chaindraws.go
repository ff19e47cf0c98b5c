// Package diagnostics computes convergence diagnostics from the draws of a few chains: effective
// sample sizes, R-hat, Monte Carlo standard errors, batch means and Geweke's test. All are plain
// functions of draws from any sampler. It also scores an effective sample size against the actual
// errors. It knows no target and no kernel; package averages computes what a diagnostic ought to
// say.
//
// # Conventions
//
// Autocovariances have the divisor N. The effective sample size is that of Stan and ArviZ:
// correlations are summed by Geyer's initial monotone sequence, and it is at most S log10(S) for S
// draws. Split chains are the first and the last floor(N/2) draws of each chain. Ranks are averaged
// over ties and mapped by the normal quantile of (r - 3/8)/(S + 1/4). If all draws are equal, the
// effective sample size is their number, R-hat is undefined and the standard error is zero.
// Effective sample sizes and R-hat do not depend on the unit or the zero of the draws.
//
// Invalid draws give an error that names the chain and the draw: no chains, chains of different
// lengths, fewer than four draws a chain, or values that are not finite.
//
// Source: Geyer 1992; Vehtari, Gelman, Simpson, Carpenter and Buerkner 2021; Turner and Neal 2017,
// section 5.
package diagnostics

import (
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/work"
)

// Draws are the values of a function along chains: one row for each chain, all of the same length.
type Draws [][]float64

// MinDraws is the least number of draws in a chain.
const MinDraws = 4

// Validate fails if there is no chain, if chains have different lengths or fewer than MinDraws
// draws, and if a value is not finite. Chains and draws are counted from 0.
func (d Draws) Validate() error {
	if len(d) == 0 {
		return errs.New("there are no chains; give at least one")
	}
	for k, chain := range d {
		if len(chain) < MinDraws {
			return errs.New("chain %d has %d draws; give at least %d in each chain", k, len(chain), MinDraws)
		}
		if len(chain) != len(d[0]) {
			return errs.New("chain %d has %d draws and chain 0 has %d; give chains of one length", k,
				len(chain), len(d[0]))
		}
		for i, v := range chain {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return errs.New("chain %d, draw %d (both counted from 0) is %v; give finite numbers", k, i, v)
			}
		}
	}
	return nil
}

// several fails if the draws are invalid, or of a single chain.
func (d Draws) several() error {
	if err := d.Validate(); err != nil {
		return err
	}
	if len(d) < 2 {
		return errs.New("there is one chain; R-hat compares at least two, or the halves of one")
	}
	return nil
}

func (d Draws) size() int { return len(d) * len(d[0]) }

// splitHalves returns the first and the last half of each chain as chains of their own. The middle
// draw of an odd number is left out. The memory of the draws is shared.
func (d Draws) splitHalves() Draws {
	var halves Draws
	for _, chain := range d {
		half := len(chain) / 2
		halves = append(halves, chain[:half], chain[len(chain)-half:])
	}
	return halves
}

// Constant reports whether all draws have the same value.
func (d Draws) Constant() bool {
	for _, chain := range d {
		for _, v := range chain {
			if v != d[0][0] {
				return false
			}
		}
	}
	return true
}

// zeros returns as many chains of as many draws, all zero, and the block of memory in which they
// stand one after another.
func (d Draws) zeros() (out Draws, block []float64) {
	n := len(d[0])
	block = work.Slice[float64](d.size())
	for k := range d {
		out = append(out, block[k*n:][:n])
	}
	return out, block
}

// scaled returns the draws times the power of two by which the largest of them lies between 1/2 and
// 1, so that no square overflows and squares of small draws do not vanish.
func (d Draws) scaled() Draws {
	out, _ := d.zeros()
	for k, chain := range d {
		copy(out[k], chain)
	}
	out.shift(-d.exponent())
	return out
}

// shift multiplies the draws by a power of two, in place.
func (d Draws) shift(exponent int) {
	if exponent < -1022 || exponent > 1023 { // the power itself is no number
		half := exponent / 2
		d.shift(half)
		exponent -= half
	}
	factor := math.Ldexp(1, exponent)
	for _, chain := range d {
		for i := range chain {
			chain[i] *= factor
		}
	}
}

// exponent returns the exponent of the power of two just above the largest draw.
func (d Draws) exponent() int {
	largest := uint64(0) // the sizes of numbers are in the order of their bits
	for _, chain := range d {
		for _, v := range chain {
			largest = max(largest, math.Float64bits(v)&^(1<<63))
		}
	}
	_, exponent := math.Frexp(math.Float64frombits(largest))
	return exponent
}

// centred returns the draws less the first of them, and scaled. So a constant beside which the
// draws differ little costs no digits.
func (d Draws) centred() Draws {
	d = d.scaled()
	zero := d[0][0]
	for _, chain := range d {
		for i := range chain {
			chain[i] -= zero
		}
	}
	d.shift(-d.exponent())
	return d
}

// mapped returns the draws after a function.
func (d Draws) mapped(f func(v float64) float64) Draws {
	out, _ := d.zeros()
	for k, chain := range d {
		for i, v := range chain {
			out[k][i] = f(v)
		}
	}
	return out
}

// Median returns the median of numbers in any order, and NaN of none. If their number is even it is
// the mean of the two in the middle. Time is O(N log N).
func Median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// Quantile returns the quantile at probability p, 0 <= p <= 1, of at least one number in ascending
// order, by linear interpolation: the smallest at 0, the median at 1/2, the largest at 1.
func Quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	low := int(math.Floor(at))
	if low >= len(sorted)-1 {
		return sorted[len(sorted)-1]
	}
	a, b := sorted[low], sorted[low+1]
	if rest := at - float64(low); rest > 0 && a != b {
		return a + rest*(b-a)
	}
	return a
}

// mean returns the mean of draws. It subtracts the first of them before it sums, so that a large
// constant costs no digits.
func mean(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v - x[0]
	}
	return x[0] + total/float64(len(x))
}

// variance returns the variance of draws with divisor N - 1.
func variance(x []float64) float64 {
	sum := 0.0
	total := 0.0
	for _, v := range x {
		sum += v - x[0]
	}
	m := sum / float64(len(x))
	for _, v := range x {
		c := v - x[0] - m
		total += c * c
	}
	return total / float64(len(x)-1)
}

// setCentred sets out to the draws without their mean. Equal draws become zeros.
func setCentred(out, x []float64) {
	total := 0.0
	for i, v := range x {
		out[i] = v - x[0]
		total += out[i]
	}
	m := total / float64(len(x))
	for i := range out {
		out[i] -= m
	}
}

func (d Draws) means() []float64 {
	m := make([]float64, len(d))
	for k, chain := range d {
		m[k] = mean(chain)
	}
	return m
}
