package operator_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/kernels"
	"breadboard/exact/internal/operator"
	"breadboard/grid/longtest"
	"breadboard/grid/quotients"
)

// TestLumpedOperators compares the operators of kernels on classes with their rows. Their runs have gaps where a pair of classes is missing, as
// between compositions, and pairs that stand twice.
func TestLumpedOperators(t *testing.T) {
	spaces := []quotients.Quotient{
		longtest.Must(quotients.NewCounts(9))(t), longtest.Must(quotients.NewCounts(3, 2))(t), longtest.Must(quotients.NewCompositions(3, 4))(t),
		longtest.Must(quotients.NewPartitions(4, 7))(t), longtest.Must(quotients.NewCycles(7))(t), twice{longtest.Must(quotients.NewCounts(5))(t)},
	}
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.SampledFrom(spaces).Draw(t, "space")
		k, err := kernels.Parse(rapid.SampledFrom([]string{
			"metropolis", "flip", "barker", "heatbath", "lazy:0.3:flip", "repeat:3:barker", "palindrome:flip+heatbath", "mixture:1*metropolis+2*barker+0.5*stay",
		}).Draw(t, "kernel"), q)
		if err != nil {
			t.Skip(err)
		}
		o := longtest.Must(operator.New(context.Background(), k, q.States()))(t)
		if o == nil {
			t.Skip("a heat bath on lines of three")
		}
		scale := rapid.SampledFrom([]float64{0, 1e-12, 1, 30, 450}).Draw(t, "range")
		for range 2 {
			logf := draw(t, q.States(), "g", scale)
			for x, m := range q.LogMembers() {
				logf[x] += m
			}
			compare(t, k, o, logf, draw(t, q.States(), "v", 1))
		}
	})
}

// twice has every move in two halves.
type twice struct{ quotients.Quotient }

func (q twice) AppendMoves(dst []quotients.Move, x int, p quotients.Proposal) []quotients.Move {
	for _, m := range q.Quotient.AppendMoves(nil, x, p) {
		m.Share /= 2
		dst = append(dst, m, m)
	}
	return dst
}
