package diagnostics

import (
	"fmt"
	"math"
)

// Draws are the values of a function along chains: one row for each chain, all of the same length.
type Draws [][]float64

// MinDraws is the least number of draws in a chain.
const MinDraws = 4

// Check fails where there is no chain, where chains have different lengths, where they have fewer than MinDraws draws, and where a value
// is not finite. Chains and draws are counted from 0.
func (d Draws) Check() error {
	if len(d) == 0 {
		return fmt.Errorf("there are no chains; give at least one")
	}
	for k, chain := range d {
		if len(chain) < MinDraws {
			return fmt.Errorf("chain %d has %d draws; give at least %d in each chain", k, len(chain), MinDraws)
		}
		if len(chain) != len(d[0]) {
			return fmt.Errorf("chain %d has %d draws and chain 0 has %d; give chains of one length", k, len(chain), len(d[0]))
		}
		for i, v := range chain {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("chain %d, draw %d (both counted from 0) is %v; give finite numbers", k, i, v)
			}
		}
	}
	return nil
}

// several fails where the draws are bad, or of a single chain.
func (d Draws) several() error {
	if err := d.Check(); err != nil {
		return err
	}
	if len(d) < 2 {
		return fmt.Errorf("there is one chain; R-hat compares at least two, or the halves of one")
	}
	return nil
}

// size returns the number of draws in all chains.
func (d Draws) size() int { return len(d) * len(d[0]) }

// Split returns the first and the last half of each chain as chains of their own. The middle draw of an odd number is left out. The memory
// of the draws is shared.
func (d Draws) Split() Draws {
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

// scaled returns the draws times the power of two by which the largest of them lies between 1/2 and 1, so that no square overflows and
// squares of small draws do not vanish.
func (d Draws) scaled() Draws {
	exponent := d.exponent()
	return d.mapped(func(v float64) float64 { return math.Ldexp(v, -exponent) })
}

// exponent returns that of the power of two just above the largest draw.
func (d Draws) exponent() int {
	largest := 0.0
	for _, chain := range d {
		for _, v := range chain {
			largest = max(largest, math.Abs(v))
		}
	}
	_, exponent := math.Frexp(largest)
	return exponent
}

// centred returns the draws less the first of them, and scaled. So a constant beside which the draws differ little costs no digits.
func (d Draws) centred() Draws {
	d = d.scaled()
	zero := d[0][0]
	return d.mapped(func(v float64) float64 { return v - zero }).scaled()
}

// mapped returns the draws after a function.
func (d Draws) mapped(f func(v float64) float64) Draws {
	out := make(Draws, len(d))
	for k, chain := range d {
		out[k] = make([]float64, len(chain))
		for i, v := range chain {
			out[k][i] = f(v)
		}
	}
	return out
}
