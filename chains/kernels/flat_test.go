package kernels_test

import (
	"math"
	"math/big"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// wide is a number of 300 bits.
func wide(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }

// expBig returns exp(d) for small d by its series.
func expBig(d *big.Float) *big.Float {
	sum, term := wide(1), wide(1)
	for k := 1; k < 40; k++ {
		term = new(big.Float).Quo(new(big.Float).Mul(term, d), wide(float64(k)))
		sum = new(big.Float).Add(sum, term)
	}
	return sum
}

// TestNearlyFlatRejections holds the probabilities of staying on spins whose log f are nearly alike
// to 300 bits. They are rejections, one minus a ratio of sums near one.
func TestNearlyFlatRejections(t *testing.T) {
	space := grid.MustNew(2, 2)
	for _, size := range []float64{1e-12, 1e-9, 1e-5, 1e-2} {
		logf := []float64{0, 3 * size, -size / 3, size * math.Pi}
		rise := func(x, y int) *big.Float { return new(big.Float).Sub(wide(logf[y]), wide(logf[x])) }
		half := func(d *big.Float) *big.Float { return expBig(new(big.Float).Quo(d, wide(2))) }
		least := func(v *big.Float) *big.Float {
			if one := wide(1); v.Cmp(one) > 0 {
				return one
			}
			return v
		}
		balances := map[string]func(d *big.Float) *big.Float{
			"sqrt": half, "min": func(d *big.Float) *big.Float { return least(expBig(d)) },
			"barker": func(d *big.Float) *big.Float {
				return new(big.Float).Quo(wide(1), new(big.Float).Add(wide(1), expBig(new(big.Float).Neg(d))))
			},
		}
		refused := func(accepted *big.Float) *big.Float { return new(big.Float).Sub(wide(1), least(accepted)) }
		informed := func(rule string) func(x int) *big.Float {
			z := func(x int) *big.Float {
				return new(big.Float).Add(balances[rule](rise(x, x^1)), balances[rule](rise(x, x^2)))
			}
			return func(x int) *big.Float {
				stay := wide(0)
				for _, y := range []int{x ^ 1, x ^ 2} {
					share := new(big.Float).Quo(balances[rule](rise(x, y)), z(x))
					stay.Add(stay, share.Mul(share, refused(new(big.Float).Quo(z(x), z(y)))))
				}
				return stay
			}
		}
		metropolis := func(x int) *big.Float {
			stay := new(big.Float).Add(refused(expBig(rise(x, x^1))), refused(expBig(rise(x, x^2))))
			return stay.Quo(stay, wide(2))
		}
		wants := map[string]func(x int) *big.Float{
			"flip": metropolis, "suwa-todo": metropolis, "gradient": informed("sqrt"),
			"balanced:sqrt": informed("sqrt"), "balanced:barker": informed("barker"), "balanced:min:flip": informed("min"),
		}
		for name, want := range wants {
			k := longtest.Must(kernels.Parse(name, space))(t).(chains.Rower)
			var rows chains.PreparedRows
			rows.Prepare(k, logf, nil)
			for x := range logf {
				stay, _ := want(x).Float64()
				for way, row := range [][]chains.Entry{k.AppendRow(nil, logf, x), longtest.Must(rows.AppendRow(nil, x))(t)} {
					got := 0.0
					for _, e := range row {
						if e.To == x {
							got += e.P
						}
					}
					if math.Abs(got-stay) > 1e-13*stay {
						t.Errorf("%s on %v, way %d: state %d stays with probability %v, want %v", name, logf, way, x, got, stay)
					}
				}
			}
		}
	}
}
