package hypotheses

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact/program"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// end is what is written of a chain: a key of the columns and a log weight.
type end struct {
	key int
	v   float64
}

// plainAtoms propagates the program of a hypothesis from each of its starts by package program, and
// writes the results.
func plainAtoms(t rapid.TB, c *code, columns Columns) map[end]float64 {
	out := map[end]float64{}
	start := longtest.Sure(program.Enumerate(context.Background(), c.Start, program.Options{}))
	n := len(c.LogF[1])
	for _, s := range start.Outcomes() {
		from := *c.Annealer
		from.Begin = func(chains.Chooser) int { return s.Value }
		got := longtest.Sure(program.Propagate(context.Background(), &from, program.NewPoints(0), program.Options{}))
		for _, x := range got.States() {
			points := got.At(x)
			for i, v := range points.Values() {
				first, last := c.ends(s.Value, x)
				first, last, v := c.written(first, last, v)
				if !columns.LogW {
					v = 0
				}
				out[end{columns.key(first, last, n), v}] += s.P * points.P()[i]
			}
		}
	}
	return out
}

// flat returns atoms as plainAtoms does.
func flat(atoms [][]atom) map[end]float64 {
	out := map[end]float64{}
	for key, list := range atoms {
		for _, a := range list {
			out[end{key, a.v}] += a.p
		}
	}
	return out
}

// compareEnds compares two distributions, of which the log weights may differ by half of the
// tolerance, because of the order of their sums and because near ones are listed as one. So what
// one distribution has within the tolerance of a value, the other has within half of the tolerance
// more, and within half of it less there is no more than that.
func compareEnds(t rapid.TB, what string, got, want map[end]float64, tolerance float64) {
	t.Helper()
	near := func(law map[end]float64, of end, within float64) (p float64) {
		for e, v := range law {
			if e.key == of.key && (e.v == of.v || math.Abs(e.v-of.v) <= within) {
				p += v
			}
		}
		return p
	}
	total := 0.0
	for e, p := range want {
		total += p
		g := near(got, e, tolerance)
		low := near(want, e, tolerance/2)
		high := near(want, e, 1.5*tolerance)
		if !(low-1e-12 <= g && g <= high+1e-12) {
			t.Fatalf("%s: %+v has probability %v, want %v to %v", what, e, g, low, high)
		}
	}
	for _, p := range got {
		total -= p
	}
	if !(math.Abs(total) <= 1e-12) {
		t.Fatalf("%s: the probabilities add up to another number, by %v", what, total)
	}
}

// drawColumns draws at least one column.
func drawColumns(t *rapid.T) Columns {
	i := rapid.IntRange(1, 7).Draw(t, "columns")
	return Columns{First: i&1 > 0, Last: i&2 > 0, LogW: i&4 > 0}
}

// TestAtoms compares the listed distribution of every hypothesis with that of package program.
func TestAtoms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		columns := drawColumns(t)
		all := list()
		h := all[rapid.IntRange(0, len(all)-1).Draw(t, "hypothesis")]
		c := longtest.Must(h.make(settingOf(t, p)))(t)
		if c == nil {
			t.Skip("the hypothesis has no meaning here")
		}
		c.value = nil // these make much of the last digit; TestValues is about them
		m := longtest.Sure(tabulate(context.Background(), c))
		size := 1 + largest(c)
		atoms := longtest.Must(c.atomsOf(context.Background(), m, columns, size))(t)
		// There are up to four sums and one list, at each of which grain times the size counts as
		// rounding.
		compareEnds(t, h.name, flat(atoms), plainAtoms(t, c, columns), 2*5*grain*size)
	})
}

// TestStartWithoutLast: chains that never start at the last state start at the others in proportion
// to p_1, also if the last state has nearly all of p_1, or all of it as far as float64 can tell.
func TestStartWithoutLast(t *testing.T) {
	for _, above := range []float64{0, 1, 20, 30, 50} {
		p := onGrid(t, grid.MustNew(1, 3), []float64{math.Log(3), 0, above}, []float64{0, 0, 0}, "linear",
			"metropolis", 2, chains.Forward)
		start, err := program.Enumerate(
			context.Background(),
			codeOf(t, p, "no chain starts at the last state").Start,
			program.Options{},
		)
		if err != nil {
			t.Fatalf("the last state %v nats above: %v", above, err)
		}
		for x, want := range []float64{0.75, 0.25, 0} {
			if got := start.P(x); math.Abs(got-want) > 1e-15 {
				t.Errorf("the last state %v nats above: starts at %d with probability %v, want %v", above,
					x, got, want)
			}
		}
	}
}

// TestValues: what the hypotheses about the writing of numbers do to a log weight.
func TestValues(t *testing.T) {
	p := taskOf(t, "random:1:1:2x2", "linear", "metropolis", 3, chains.Forward)
	for name, want := range map[string][]float64{ // of 1.239, -1.239, -Inf and +Inf
		"the weight and not its logarithm": {3.4521596, 0.2896737, 0, math.Inf(1)},
		"log w rounded to 0.01":            {1.24, -1.24, math.Inf(-1), math.Inf(1)},
		"log w truncated to 0.01":          {1.23, -1.23, math.Inf(-1), math.Inf(1)},
		"log w with the other sign":        {-1.239, 1.239, math.Inf(1), math.Inf(-1)},
		"log w in base 10":                 {0.5380909, -0.5380909, math.Inf(-1), math.Inf(1)},
		"log w in base 2":                  {1.7874992, -1.7874992, math.Inf(-1), math.Inf(1)},
		"log Z_1 added to log w": {
			1.239 + math.Log(4), -1.239 + math.Log(4), math.Inf(-1), math.Inf(1)},
		"log Z_1 subtracted from log w": {
			1.239 - math.Log(4), -1.239 - math.Log(4), math.Inf(-1), math.Inf(1)},
	} {
		c := codeOf(t, p, name)
		for i, v := range []float64{1.239, -1.239, math.Inf(-1), math.Inf(1)} {
			if _, _, got := c.written(0, 0, v); got != want[i] && !(math.Abs(got-want[i]) < 1e-7) {
				t.Errorf("%s: %v is written as %v, want %v", name, v, got, want[i])
			}
		}
	}
}

// TestAtomsLimits: a program with too many values says so, and so does one with too many moves.
func TestAtomsLimits(t *testing.T) {
	p := taskOf(t, "easy", "power:2", "metropolis", 12, chains.Forward)
	c := codeOf(t, p, Specification)
	m := longtest.Sure(tabulate(context.Background(), c))
	if _, err := c.atomsOf(context.Background(), m, everything, 10); err != errManyAtoms {
		t.Errorf("the error is %v", err)
	}
}
