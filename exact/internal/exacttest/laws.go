package exacttest

import (
	"context"
	"math"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
)

// Term returns a log(a/b), the term of KL(a || b) for one state.
func Term(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a * math.Log(a/b)
}

// WideTerm is Term for numbers of a wide range.
func WideTerm(a, b number.Wide) float64 {
	switch {
	case a.M == 0:
		return 0
	case b.M == 0:
		return math.Inf(1)
	}
	return a.Float() * a.Div(b).Log()
}

// Kl returns KL(a || b) by its definition, in nats.
func Kl(a, b []float64) float64 {
	total := 0.0
	for x := range a {
		total += Term(a[x], b[x])
	}
	return total
}

// PushRows returns the law q after one transition.
func PushRows(q []float64, rows *kernel.Rows) []float64 {
	next := make([]float64, len(q))
	for x, m := range q {
		for _, e := range rows.Row(x) {
			next[e.To] += m * e.P
		}
	}
	return next
}

// MustRows returns the rows of a kernel under logf, or fails the test.
func MustRows(t *rapid.T, k chains.Kernel, logf []float64) *kernel.Rows {
	return longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
}

// Same reports whether two numbers agree to a tolerance that is relative to scale, infinities included.
func Same(a, b, tolerance, scale float64) bool { return a == b || math.Abs(a-b) <= tolerance*scale }
