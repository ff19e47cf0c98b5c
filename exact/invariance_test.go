package exact_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/exact/internal/exacttest"

	"breadboard/grid"
	"breadboard/grid/longtest"
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
			a := exacttest.Build(t, nil, c.g, exacttest.Points(t, 0, 1), pushed{base, c.from, c.to, side.part * c.excused}, 2)
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

// TestToleranceOfBalance uses flows whose difference is just within, and just beyond, the tolerance
// up to which they count as equal. If they count as equal, the kernel is its own time reversal and
// reverse chains have no table.
func TestToleranceOfBalance(t *testing.T) {
	const units = 2 * (8 + 3) * 0x1p-52 // no nats, rows of 3 entries
	for _, c := range []struct {
		round    float64
		balanced bool
	}{{0.96 * units, true}, {1.04 * units, false}} {
		k := onlyMove{cycled{[]int{0, 1, 2}, c.round}} // one choice a move
		a := exacttest.Build(t, nil, []float64{0, 0, 0}, schedules.Linear{}, rowsFor{k, cycled{[]int{0, 1, 2}, c.round}}, 3)
		b := longtest.Must(exact.WithReversal(context.Background(), a))(t)
		if got := fmt.Sprint(reverseName(b)); (got == "own") != c.balanced {
			t.Errorf("a circulation of %.3g of a flow: the reversal is %s", c.round, got)
		}
	}
}

// rowsFor has the Move of one kernel and the rows of another.
type rowsFor struct {
	onlyMove
	rows cycled
}

func (k rowsFor) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return k.rows.AppendRow(dst, logf, x)
}

// reverseName says whether reverse chains move by the kernel itself or by a table. It can tell
// because a simulation of reverse chains asks the kernel for rows only if they move by it.
func reverseName(a *chains.Annealing) string {
	watch := &watched{Rower: a.Kernel().(chains.Rower)}
	b, err := chains.NewAnnealing(a.Path(), a.Schedule(), watch, a.Distributions())
	if err != nil {
		return err.Error()
	}
	if b, err = exact.WithReversal(context.Background(), b); err != nil {
		return err.Error()
	}
	watch.calls = 0
	if _, err = simulate.Rows(b, chains.Reverse, simulate.NewStream(1, "", 0), 2, nil); err != nil {
		return err.Error()
	}
	if watch.calls > 0 {
		return "own"
	}
	return "table"
}

// watched counts the rows that it is asked for.
type watched struct {
	chains.Rower
	calls int
}

func (w *watched) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	w.calls++
	return w.Rower.AppendRow(dst, logf, x)
}

// TestOneStageThatIsNotInvariant: a kernel that is wrong at one stage of a hundred is refused. The
// error names that stage, the state that loses most, its probability and the flow that is farthest
// from balance.
func TestOneStageThatIsNotInvariant(t *testing.T) {
	a := exceptionalEasy(t, "barker")
	k := a.Kernel().(exceptional)
	k.other = pushed{k.other.(chains.Rower), 24, 25, 1e-4}
	for name, kernel := range map[string]chains.Kernel{"rows": k, "moves": onlyMove{drawn{k}}} {
		b := withKernel(t, a, kernel)
		_, solved := exact.Solve(context.Background(), b, exact.Options{})
		_, differentiated := gradient.Differentiate(context.Background(), b, gradient.ObjectiveB, gradient.Options{})
		_, reversed := exact.WithReversal(context.Background(), b)
		for _, err := range []error{solved, differentiated, reversed} {
			if err == nil {
				t.Errorf("%s: accepted", name)
				continue
			}
			for _, want := range []string{"stage t = 65 of 100 (beta 0.6464", "does not leave the distribution invariant", "state 25 has probability",
				"gains 0.0001 times that in one move", "from state 24 to it"} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s: error %v lacks %q", name, err, want)
				}
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

// TestLostFlowsAreRefused: on a target whose log f spans 2000 nats a systematic scan has flows that
// rows in float64 cannot hold, so that its reversal cannot be found from its rows. Metropolis'
// kernel does not need these flows: all that float64 can hold are balanced, and so its rows are
// their own reversal.
func TestLostFlowsAreRefused(t *testing.T) {
	g := []float64{0, -2000, -1000, -3}
	l := grid.MustNew(2, 2)
	_, err := exact.Solve(context.Background(), exacttest.Build(t, nil, g, schedules.Linear{}, onlyRows{mustParse(t, "heatbath-scan", l).(chains.Rower)},
		5), exact.Options{})
	if err == nil || !strings.Contains(err.Error(), "raise the lowest values of log f") || !strings.Contains(err.Error(), "exp(-") {
		t.Errorf("error %v", err)
	}
	want := exacttest.SolveWith(t, exacttest.Build(t, nil, g, schedules.Linear{}, kernels.Metropolis{Space: l}, 5), exact.Options{General: true})
	got := exacttest.Solve(t, exacttest.Build(t, nil, g, schedules.Linear{}, onlyMove{kernels.Metropolis{Space: l}}, 5))
	if !exacttest.Same(got.J, want.J, 1e-12, want.J) || !exacttest.Same(got.B, want.B, 1e-12, want.B) {
		t.Errorf("J = %v, B = %v; of the library %v, %v", got.J, got.B, want.J, want.B)
	}
}

// TestFlowsBeyondFloat64: half of the probability of a likely state flows to a state that is
// exp(-900) times as likely. Relative to that state's probability the flow overflows float64, and
// the kernel must still be refused.
func TestFlowsBeyondFloat64(t *testing.T) {
	for _, g := range [][]float64{{0, -900}, {-900, 0}, {0, -5000}} {
		k := exacttest.MoveFunc(func(c chains.Chooser, _ []float64, _ int) int { return c.Uniform(2) })
		_, err := exact.Solve(context.Background(), exacttest.Build(t, nil, g, exacttest.Points(t, 0, 1), k, 2), exact.Options{})
		if err == nil || !strings.Contains(err.Error(), "does not leave the distribution invariant") || strings.Contains(err.Error(), "NaN") {
			t.Errorf("%v: error %v", g, err)
		}
	}
}

// TestMemoryOfReversals: the scan on 2x2 states reaches all 4 from each, in 16 bytes an entry, at 3
// stages.
func TestMemoryOfReversals(t *testing.T) {
	l := grid.MustNew(2, 2)
	a := exacttest.Build(t, nil, []float64{0, 1, 2, 0.5}, schedules.Linear{}, onlyMove{mustParse(t, "heatbath-scan", l)}, 4)
	const need = 3 * 16 * 16
	if _, err := exact.WithReversalIn(context.Background(), a, need); err != nil {
		t.Error(err)
	}
	if _, err := exact.WithReversalIn(context.Background(), a, need-1); err == nil || !strings.Contains(err.Error(), "stage t = 4 of 4") ||
		!strings.Contains(err.Error(), "give fewer distributions") {
		t.Errorf("error %v", err)
	}
}
