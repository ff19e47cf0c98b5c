package number

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestLogSums: sums and means of logarithms are those of the numbers, and a constant in the logarithms costs no digits but its own.
func TestLogSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logs := rapid.SliceOfN(rapid.Float64Range(-20, 20), 1, 9).Draw(t, "logs")
		constant := rapid.SampledFrom([]float64{0, -700, 1e4}).Draw(t, "constant")
		sum, shifted := 0.0, make([]float64, len(logs))
		for i, l := range logs {
			sum += math.Exp(l)
			shifted[i] = l + constant
		}
		near := func(what string, got, want float64) {
			if !(math.Abs(got-constant-want) <= 1e-13*max(20, math.Abs(constant))) {
				t.Fatalf("%s of %v + %v is %v, want %v", what, logs, constant, got, constant+want)
			}
		}
		near("the sum", LogSumExp(shifted), math.Log(sum))
		var all LogSum
		for _, v := range append(shifted, math.Inf(-1)) {
			all.Add(v)
		}
		near("the sum, term by term,", all.Log(), math.Log(sum))
		near("the sum of two", LogPlus(shifted[0], shifted[len(logs)-1]), math.Log(math.Exp(logs[0])+math.Exp(logs[len(logs)-1])))
		near("the mean", LogMean(shifted), math.Log(sum/float64(len(logs))))
	})
}

// TestLogSumOfManyEqualNumbers: the sum is made in blocks, since plain addition of a million tenths loses digits.
func TestLogSumOfManyEqualNumbers(t *testing.T) {
	logs, blocks := make([]float64, 1<<20+1), BlockSum{}
	for i := range logs[1:] {
		logs[i+1] = math.Log(0.1)
	}
	for _, v := range logs {
		blocks.Add(math.Exp(v))
	}
	if got, want := LogSumExp(logs), math.Log(blocks.Value()); got != want {
		t.Errorf("the logarithm of the sum is %v, and that of a BlockSum %v", got, want)
	}
}

// TestLogSumsAtTheEnds: no numbers and zeros sum to zero, and an infinite one to infinity.
func TestLogSumsAtTheEnds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		logs []float64
		want float64
	}{{nil, -inf}, {[]float64{-inf, -inf}, -inf}, {[]float64{-inf, inf, 3, inf}, inf}} {
		if got := LogSumExp(c.logs); got != c.want {
			t.Errorf("the sum of %v is %v, want %v", c.logs, got, c.want)
		}
		sum := math.Inf(-1)
		for _, v := range c.logs {
			sum = LogPlus(sum, v)
		}
		if sum != c.want {
			t.Errorf("the sum of %v, one after the other, is %v, want %v", c.logs, sum, c.want)
		}
		if got := LogMean(c.logs); got != c.want {
			t.Errorf("the mean of %v is %v, want %v", c.logs, got, c.want)
		}
	}
}

// TestLogTotal: a sum of equal terms keeps its digits, which plain addition of a thousand loses.
func TestLogTotal(t *testing.T) {
	logs := []float64{0}
	for range 1000 {
		logs = append(logs, math.Log(0.1))
	}
	if got, want := LogTotal(logs), math.Log(101); math.Abs(got-want) > 1e-15 {
		t.Errorf("the logarithm of the total is off by %v", got-want)
	}
	if lost := LogSumExp(logs) - math.Log(101); math.Abs(lost) < 1e-15 {
		t.Errorf("plain addition loses %v alone, so that this tests nothing", lost)
	}
	for want, logs := range map[float64][]float64{math.Inf(-1): {math.Inf(-1)}, math.Inf(1): {0, math.Inf(1)}} {
		if got := LogTotal(logs); got != want {
			t.Errorf("of %v it is %v", logs, got)
		}
	}
}
