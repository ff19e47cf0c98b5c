package chains_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/chainstest"
	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// errStop is what a watch of these tests ends the work with.
var errStop = errors.New("stop")

// TestPreparedRows: the rows of kernels of parts are those of plain products of matrices, and those
// of AppendRow to the last bit, also if the same memory serves one kernel after another.
func TestPreparedRows(t *testing.T) {
	var prepared chains.PreparedRows
	rapid.Check(t, func(t *rapid.T) {
		space := grid.MustNew(rapid.IntRange(1, 4).Draw(t, "rows"), rapid.IntRange(2, 4).Draw(t, "columns"))
		logf := make([]float64, space.States())
		for x := range logf {
			logf[x] = rapid.Float64Range(-3, 3).Draw(t, "log f")
		}
		a, b := chains.Kernel(kernels.Metropolis{Space: space}),
			chains.Kernel(kernels.HeatBathAxis{Space: space, Axis: 1})
		n := rapid.IntRange(1, 40).Draw(t, "repeats")
		half := longtest.Sure(kernels.Mixture([]float64{1, 3}, []chains.Kernel{kernels.Stay{}, kernels.Repeat(n, a)}))
		mixed := chainstest.RowsByHand([]chains.Kernel{a}, n, logf)
		for x := range mixed {
			for y := range mixed[x] {
				mixed[x][y] *= 0.75
			}
			mixed[x][x] += 0.25
		}
		for _, c := range []struct {
			kernel   chains.Kernel
			want     [][]float64
			products int // of matrices, the mixture counting as one more
		}{
			{kernels.Repeat(n, a), chainstest.RowsByHand([]chains.Kernel{a}, n, logf), n},
			{kernels.Palindrome(a, b), chainstest.RowsByHand([]chains.Kernel{a, b, a}, 1, logf), 3},
			{kernels.Repeat(n, kernels.Compose(b, a)), chainstest.RowsByHand([]chains.Kernel{b, a}, n, logf), 2 * n},
			{kernels.Repeat(n, kernels.Compose(b, a)).(chains.Reverser).Reversal(),
				chainstest.RowsByHand([]chains.Kernel{a, b}, n, logf), 2 * n},
			{half, mixed, n + 1},
			{b, chainstest.RowsByHand([]chains.Kernel{b}, 1, logf), 1},
		} {
			// An entry of a product of two matrices is a sum of as many positive products as there
			// are states, each of which is rounded, as is every sum. So each product adds this to
			// the relative error, here and by hand.
			tolerance := 2 * float64(c.products*(space.States()+1)) * 0x1p-53
			prepared.Prepare(c.kernel.(chains.Rower), logf, nil)
			for x := range logf {
				row, err := prepared.AppendRow([]chains.Entry{{To: -1}}, x)
				if err != nil || row[0].To != -1 {
					t.Fatal(err, row)
				}
				if alone := c.kernel.(chains.Rower).AppendRow(nil, logf, x); !slices.Equal(row[1:], alone) {
					t.Fatalf("%v, state %d: prepared %v, alone %v", c.kernel, x, row[1:], alone)
				}
				got := make([]float64, len(logf))
				for _, e := range row[1:] {
					got[e.To] += e.P
				}
				for y, p := range got {
					if math.Abs(p-c.want[x][y]) > tolerance*c.want[x][y] {
						t.Fatalf("%v from %d to %d: %v, by hand %v", c.kernel, x, y, p, c.want[x][y])
					}
				}
			}
		}
	})
}

// TestLongProductsLookAtTheWatch: within one row of a repeat the watch is called again and again,
// and its error ends the row at once. Afterwards the same memory makes right rows.
func TestLongProductsLookAtTheWatch(t *testing.T) {
	space := grid.MustNew(7, 7)
	logf := chainstest.Waves(49)
	k := kernels.Repeat(10_000, kernels.Metropolis{Space: space}).(chains.Rower)
	calls := 0
	var rows chains.PreparedRows
	rows.Prepare(k, logf, func() error { calls++; return nil })
	want, err := rows.AppendRow(nil, 0)
	if err != nil || calls < 100 {
		t.Errorf("%d looks within a row of 10,000 repeats (%v)", calls, err)
	}
	left := 5
	stopping := func() error {
		left--
		if left < 0 {
			return errStop
		}
		return nil
	}
	rows.Prepare(k, logf, stopping)
	if _, err := rows.AppendRow(nil, 0); !errors.Is(err, errStop) || left != -1 {
		t.Errorf("%v after the watch had failed %d times", err, -left)
	}
	rows.Prepare(k, logf, nil)
	if got, err := rows.AppendRow(nil, 0); err != nil || !slices.Equal(got, want) {
		t.Errorf("after an interruption the row is %v (%v), want %v", got, err, want)
	}
}
