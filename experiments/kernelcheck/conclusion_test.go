package kernelcheck

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// lifted is a walk on a line that keeps its direction until a step is rejected: it is not reversible. On a 2xN grid row 0 goes left and
// row 1 right. It goes round in cycles of two moves at least, since each move changes the position by one or turns.
type lifted struct{ wrong bool }

func (k lifted) Move(c chains.Chooser, logf []float64, s int) int {
	n := len(logf) / 2
	row, x := s/n, s%n
	y := x + 2*row - 1
	if y >= 0 && y < n {
		p := math.Exp(min(0, logf[row*n+y]-logf[s]))
		if k.wrong {
			p *= 0.98
		}
		if c.Flip(p) {
			return row*n + y
		}
	}
	if k.wrong && c.Flip(0.5) {
		return s
	}
	return (1-row)*n + x
}

func TestConclusion(t *testing.T) {
	toy := &toys.Toy{Name: "two rows", Space: grid.MustNew(2, 4), G: []float64{0, 1, -2, 0.5, 0, 1, -2, 0.5}}
	examined := func(wrong bool) Row {
		k := Row{Kernel: "lifted", Toy: toy, Betas: []float64{0.5, 1}}
		longtest.NoError(t, k.Examine(context.Background(), lifted{wrong}, 5))
		return k
	}
	right, bad := examined(false), examined(true)
	for _, c := range []struct {
		rows []Row
		want string
	}{
		{nil, "kernel k was not looked at anywhere"},
		{[]Row{right}, "kernel k is right wherever it was looked at: it leaves those distributions invariant. "},
		{[]Row{right, bad}, "kernel k is wrong on two rows; see the findings that say fault"},
	} {
		if got := Conclusion("k", c.rows); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for _, f := range right.Findings {
		if f.Name == "spectral_gap" && f.Value != 0 {
			t.Errorf("the spectral gap of a kernel that goes round in cycles is %v", f.Value)
		}
	}
}
