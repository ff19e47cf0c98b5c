package operator_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/operator"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestSources: the rows of the sources are the columns of the matrix, with walls and rings.
func TestSources(t *testing.T) {
	l := longtest.Must(grid.NewWrapped([]int{3, 2, 4}, []bool{true, false, true}))(t)
	for _, selector := range []string{"metropolis", "moore", "flip"} {
		k := longtest.Must(kernels.Parse(selector, l))(t)
		logf := make([]float64, l.States())
		law := make([][3]float64, l.States())
		for x := range logf {
			logf[x] = 3 * math.Sin(float64(7*x))
			law[x] = [3]float64{math.Exp(logf[x]), math.Exp(-logf[x]), logf[x]}
		}
		rows := longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
		s := operator.SourcesOf(longtest.Must(operator.New(context.Background(), k, l.States()))(t))
		for x := range logf {
			found := make([]float64, len(logf))
			for _, e := range s.AppendRow([]chains.Entry{}, x, 5, law) {
				found[e.To/5] += e.P
			}
			for y, p := range found {
				if want := rows.EntryAt(y, x); math.Abs(p-want) > 1e-15 {
					t.Errorf("%s: %v comes from %d to %d, want %v", selector, p, y, x, want)
				}
			}
		}
	}
	barker := longtest.Must(kernels.Parse("barker", l))(t)
	if operator.SourcesOf(longtest.Must(operator.New(context.Background(), barker, l.States()))(t)) != nil {
		t.Error("Barker's kernel has sources")
	}
}
