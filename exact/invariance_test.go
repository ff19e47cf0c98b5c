package exact_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"

	"breadboard/grid"
)

// pushed is a kernel in whose matrix T one off-diagonal entry T(from,to) is increased by
// p(to)/p(from) times by. The diagonal entry is decreased by as much.
type pushed struct {
	chains.Rower
	from, to int
	by       float64
}

func (k pushed) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	first := len(dst)
	dst = k.Rower.AppendRow(dst, logf, x)
	if x != k.from {
		return dst
	}
	more := k.by * math.Exp(logf[k.to]-logf[k.from])
	for i := first; i < len(dst); i++ {
		switch dst[i].To {
		case k.to:
			dst[i].P += more
		case k.from:
			dst[i].P -= more
		}
	}
	return dst
}

// TestToleranceOfInvariance uses kernels that are just within, and just beyond, what
// checkInvariance allows for rounding.
func TestToleranceOfInvariance(t *testing.T) {
	base := cycled{[]int{0, 1, 2}, 0.5}
	for _, c := range []struct {
		name     string
		g        []float64
		from, to int
		excused  float64 // what is allowed, relative to p(to)
	}{
		// Equally likely states: 16 times the rounding of an entry, which is 8 + 0 nats + 3 entries
		// units in the last place, and 8 units from each of 3 states.
		{"alike", []float64{0, 0, 0}, 0, 1, (16*11 + 3*8) * 0x1p-52},
		// |log f| of up to 0.5 nats, as log f is centred: 8 + 0.5 nats + 3 entries. Entries from
		// likelier states count for more.
		{"a nat", []float64{0, 1, 1}, 1, 0, (16*11.5 + 8*(1+2*math.E)) * 0x1p-52},
		// A state that is 30 nats less likely: the rounding of the others' entries may exceed its
		// whole probability, and yet no more than 1e-9 of it is allowed.
		{"unlikely", []float64{0, 30, 30}, 1, 0, 1e-9},
	} {
		for _, side := range []struct {
			part float64
			ok   bool
		}{{0.96, true}, {1.04, false}} {
			a := exacttest.Build(
				t,
				nil,
				c.g,
				exacttest.Points(t, 0, 1),
				pushed{base, c.from, c.to, side.part * c.excused},
				2,
			)
			s, err := exact.Solve(context.Background(), a, exact.Options{})
			if (err == nil) != side.ok {
				t.Errorf("%s: %v of what is excused: %v", c.name, side.part, err)
			}
			if err != nil && !strings.Contains(err.Error(), fmt.Sprintf("state %d has probability", c.to)) {
				t.Errorf("%s: %v", c.name, err)
			}
			if noted := err == nil && s.Numbers().B.Error > 0; noted != (side.ok && c.excused > 1e-12) {
				t.Errorf("%s: B is known to %v", c.name, s.Numbers().B)
			}
		}
	}
}

// drawn is a kernel whose Move draws from the rows of another kernel.
type drawn struct{ chains.Rower }

func (d drawn) Move(c chains.Chooser, logf []float64, x int) int {
	row := d.AppendRow(nil, logf, x)
	p := make([]float64, len(row))
	for i, e := range row {
		p[i] = e.P
	}
	return row[c.Choose(p)].To
}

// TestFlowsBeyondFloat64: half of the probability of a likely state flows to a state that is
// exp(-900) times as likely. Relative to that state's probability the flow overflows float64, and
// the kernel must still be refused.
func TestFlowsBeyondFloat64(t *testing.T) {
	for _, g := range [][]float64{{0, -900}, {-900, 0}, {0, -5000}} {
		k := exacttest.MoveFunc(func(c chains.Chooser, _ []float64, _ int) int { return c.Uniform(2) })
		_, err := exact.Solve(context.Background(),
			exacttest.Build(t, nil, g, exacttest.Points(t, 0, 1), k, 2), exact.Options{})
		if err == nil || !strings.Contains(err.Error(), "does not leave the distribution invariant") ||
			strings.Contains(err.Error(), "NaN") {
			t.Errorf("%v: error %v", g, err)
		}
	}
}

// TestMemoryOfReversals: the scan on 2x2 states reaches all 4 from each, in 16 bytes an entry, at 3
// stages.
func TestMemoryOfReversals(t *testing.T) {
	l := grid.MustNew(2, 2)
	a := exacttest.Build(
		t,
		nil,
		[]float64{0, 1, 2, 0.5},
		schedules.Linear{},
		onlyMove{mustParse(t, "heatbath-scan", l)},
		4,
	)
	const need = 3 * 16 * 16
	if _, err := exact.WithReversalIn(context.Background(), a, need); err != nil {
		t.Error(err)
	}
	if _, err := exact.WithReversalIn(context.Background(), a, need-1); err == nil ||
		!strings.Contains(err.Error(), "stage t = 4 of 4") ||
		!strings.Contains(err.Error(), "give fewer distributions") {
		t.Errorf("error %v", err)
	}
}
