package ranks_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact/ranks"
	"breadboard/grid/longtest"
)

// drawLaw draws a distribution on n states, with zeros and tiny probabilities.
func drawLaw(t *rapid.T, n int, what string) []float64 {
	law := make([]float64, n)
	total := 0.0
	for x := range law {
		law[x] = rapid.SampledFrom([]float64{0, 1e-300, 1e-9, 0.3, 1, 2}).Draw(t, what)
		total += law[x]
	}
	if total < 1e-3 {
		law[0], total = law[0]+1, total+1
	}
	for x := range law {
		law[x] /= total
	}
	return law
}

// rowsOf returns the rows of a matrix.
func rowsOf(matrix [][]float64) (rows [][]chains.Entry) {
	for _, r := range matrix {
		var row []chains.Entry
		for y, p := range r {
			row = append(row, chains.Entry{To: y, P: p})
		}
		rows = append(rows, row)
	}
	return rows
}

// listed returns the distribution of ranks by its definition: the sum over all true states, starts
// and states of the chain at every move.
func listed(q ranks.Question, c ranks.Chain, rows [][]float64) []float64 {
	ranks := make([]float64, q.Draws+1)
	var walk func(truth, x, moves, below, equal int, p float64)
	walk = func(truth, x, moves, below, equal int, p float64) {
		if since := moves - c.Burn; since > 0 && since%c.Thin == 0 {
			switch {
			case q.Values[x] < q.Values[truth]:
				below++
			case q.Values[x] == q.Values[truth]:
				equal++
			}
		}
		if moves == c.Burn+q.Draws*c.Thin {
			for r := range equal + 1 {
				ranks[below+r] += p / float64(equal+1)
			}
			return
		}
		for y, t := range rows[x] {
			if t > 0 {
				walk(truth, y, moves+1, below, equal, p*t)
			}
		}
	}
	for truth, p := range q.Truth {
		for x := range q.Truth {
			start := 0.0
			switch {
			case c.Start != nil:
				start = c.Start[x]
			case x == truth:
				start = 1
			}
			walk(truth, x, 0, 0, 0, p*start)
		}
	}
	return ranks
}

// TestRanks compares both routes with sums over all paths.
func TestRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3).Draw(t, "states")
		q := ranks.Question{
			Truth:  drawLaw(t, n, "truth"),
			Draws:  rapid.IntRange(1, 3).Draw(t, "draws"),
			Values: make([]float64, n),
		}
		rows := make([][]float64, n)
		for x := range rows {
			rows[x] = drawLaw(t, n, "row")
			q.Values[x] = rapid.SampledFrom([]float64{math.Inf(-1), -700, -1, 0.5, 0.5, 1}).Draw(t, "value")
			if q.Truth[x] == 0 {
				q.Values[x] *= 1e300
			}
		}
		c := ranks.Chain{
			Burn: rapid.IntRange(0, 2).Draw(t, "burn"),
			Thin: rapid.IntRange(1, 3).Draw(t, "thin"),
			Rows: rowsOf(rows),
		}
		if rapid.Bool().Draw(t, "started") {
			c.Start = drawLaw(t, n, "start")
		}
		got, err := ranks.Dependent(context.Background(), q, c)
		longtest.NoError(t, err)
		same(t, "a chain", got, listed(q, c, rows))

		law := drawLaw(t, n, "q")
		for x := range rows {
			rows[x] = law
		}
		c = ranks.Chain{Thin: 1, Rows: rowsOf(rows)}
		got, err = ranks.Independent(context.Background(), q, law)
		longtest.NoError(t, err)
		same(t, "independent draws", got, listed(q, c, rows))
	})
}

func same(t *rapid.T, what string, got, want []float64) {
	for r := range want {
		if math.Abs(got[r]-want[r]) > 1e-14 {
			t.Fatalf("rank %d of %s has the probability %v; summed over paths it has %v", r, what, got[r], want[r])
		}
	}
}

// TestMany compares the recursion over a chain with the sum for independent draws, where these are
// many.
func TestMany(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "states")
		q := ranks.Question{Truth: drawLaw(t, n, "truth"), Draws: rapid.SampledFrom(
			[]int{1, 15, 16, 31, 50, 120, 333},
		).Draw(t, "draws"), Values: make([]float64, n)}
		rows := make([][]float64, n)
		law := drawLaw(t, n, "q")
		for x := range rows {
			rows[x], q.Values[x] = law, float64(rapid.IntRange(0, 2).Draw(t, "value"))
		}
		got := longtest.Must(
			ranks.Dependent(context.Background(), q, ranks.Chain{Start: law, Thin: 1, Rows: rowsOf(rows)}),
		)(t)
		want := longtest.Must(ranks.Independent(context.Background(), q, law))(t)
		for r := range want {
			if math.Abs(got[r]-want[r]) > 1e-13 {
				t.Fatalf("rank %d of %d draws has %v; want %v", r, q.Draws, got[r], want[r])
			}
		}
	})
}

// TestNats compares with the divergence by its formula, and with its leading term near zero.
func TestNats(t *testing.T) {
	for _, p := range [][]float64{{1, 0}, {0.75, 0.25}, {0, 0, 1}, {0.5, 0.3, 0.2}} {
		want := 0.0
		for _, v := range p {
			if v > 0 {
				want += v * math.Log(v*float64(len(p)))
			}
		}
		if got := ranks.Nats(p, 1); math.Abs(got.Value-want) > 1e-15 {
			t.Errorf("ranks %v tell %v nats, want %v", p, got.Value, want)
		}
	}
	for _, v := range []struct {
		q, p, want float64
	}{{1e-200, 0.5, math.Ln2}, {1e-17, 0.5, math.Ln2}, {0.5, 1e-310, 155*math.Ln10 - math.Ln2},
		{0.5, 0.3, 0.5*math.Log(0.5/0.3) + 0.5*math.Log(0.5/0.7)}} {
		got, impossible := ranks.Divergence([]float64{v.q, 1 - v.q}, []float64{v.p, 1 - v.p}, 1)
		if !(math.Abs(got.Value-v.want) <= 1e-13*v.want) || !(got.Error < 1e-12) || impossible != 0 {
			t.Errorf("%v tells %+v nats, and is impossible with the probability %v", v, got, impossible)
		}
	}
	for _, v := range []struct {
		q                []float64
		impossible, want float64
	}{
		{[]float64{0.5, 0.5, 0}, 0, 0}, {[]float64{0.4, 0.4, 0.2}, 0.2, 0},
		{[]float64{0.5, 0.5, 1e-300}, 1e-300, 0}, {[]float64{5e-324, 0, 1}, 1, math.Ln2},
		{[]float64{0.6, 0.2, 0.2}, 0.2, 0.75*math.Log(1.5) - 0.25*math.Ln2},
		{[]float64{0, 0, 1}, 1, math.NaN()},
	} {
		got, impossible := ranks.Divergence(v.q, []float64{0.5, 0.5, 0}, 1)
		if same := math.Abs(got.Value-v.want) <= 1e-15+got.Error ||
			math.IsNaN(v.want) && math.IsNaN(got.Value); !same || impossible != v.impossible {
			t.Errorf("%v: %+v nats, and impossible with the probability %v", v, got, impossible)
		}
	}
	if got := ranks.Nats([]float64{0.5 + 1e-10, 0.5 - 1e-10}, 1); math.Abs(got.Value/2e-20-1) > 1e-5 {
		t.Errorf("ranks off by 1e-10 tell %v nats, want 2e-20", got.Value)
	}
}

// TestTooMuch: what would take too long or too much memory is refused at once, and the rest stops
// with its context and reports all of its work.
func TestTooMuch(t *testing.T) {
	rows := rowsOf(slices.Repeat([][]float64{slices.Repeat([]float64{0.05}, 20)}, 20))
	q := ranks.Question{Truth: slices.Repeat([]float64{0.05}, 20), Values: make([]float64, 20), Draws: 1000}
	for x := range q.Values {
		q.Values[x] = float64(x)
	}
	done := 0
	ctx := context.Background()
	c := ranks.Chain{Thin: 1, Rows: rows, Percent: func(n int) { done += n }}
	for _, big := range []ranks.Chain{c, {Thin: 1e9, Rows: rows}, {Thin: 1, Burn: 1e9, Rows: rows}} {
		_, err := ranks.Dependent(ctx, q, big)
		longtest.Refused(t, err, "the limit is", "many draws")
		_, err = ranks.Arms(ctx, q, big)
		longtest.Refused(t, err, "the limit is", "many draws")
	}
	q.Draws = 5
	_, err := ranks.Dependent(ctx, q, c)
	longtest.NoError(t, err)
	if done != 100 {
		t.Errorf("%d percent of the work are done", done)
	}
	ended, end := context.WithCancel(ctx)
	end()
	for _, of := range []func() ([]float64, error){
		func() ([]float64, error) { return ranks.Dependent(ended, q, c) },
		func() ([]float64, error) { return ranks.Arms(ended, q, c) },
		func() ([]float64, error) { return ranks.Independent(ended, q, []float64{1}) },
	} {
		if _, err := of(); !errors.Is(err, context.Canceled) {
			t.Errorf("an ended context: %v", err)
		}
	}
}

func TestRanksRefused(t *testing.T) {
	for want, q := range map[string]ranks.Question{
		"0 values of 1 states and 1 draws": {Truth: []float64{1}, Draws: 1},
		"1 values of 1 states and 0 draws": {Truth: []float64{1}, Values: []float64{0}},
		"state 0 is not a number":          {Truth: []float64{1}, Values: []float64{math.NaN()}, Draws: 1},
	} {
		longtest.Refuses(ranks.Independent(t.Context(), q, q.Truth))(t, want)
	}
}

// TestArms compares with sums over all paths of both arms, and finds uniform ranks for reversible
// kernels, and for others if one arm is made by the time reversal.
func TestArms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3).Draw(t, "states")
		q := ranks.Question{
			Truth:  drawLaw(t, n, "truth"),
			Draws:  rapid.IntRange(1, 3).Draw(t, "draws"),
			Values: make([]float64, n),
		}
		rows := make([][]float64, n)
		back := make([][]float64, n)
		for x := range rows {
			rows[x], back[x] = drawLaw(t, n, "row"), drawLaw(t, n, "row back")
			q.Values[x] = float64(rapid.IntRange(0, 2).Draw(t, "value"))
		}
		kind := rapid.SampledFrom([]string{"reversible", "reversed", "any", "any two"}).Draw(t, "kernel")
		thin := rapid.IntRange(1, 2).Draw(t, "thin")
		switch kind {
		case "reversible":
			rows = metropolis(q.Truth, 0, 1, 2)
		case "reversed":
			a, b := metropolis(q.Truth, 0, 1), metropolis(q.Truth, 1, 2)
			rows, back = composed(a, b), composed(b, a)
		}
		c := ranks.Chain{Thin: thin, Rows: rowsOf(rows), Back: rowsOf(back)}
		if kind == "reversible" || kind == "any" {
			back = rows
			c.Back = nil
		}
		got, err := ranks.Arms(context.Background(), q, c)
		longtest.NoError(t, err)
		if thin == 2 {
			rows, back = composed(rows, rows), composed(back, back)
		}
		same(t, "two arms", got, listedArms(q, rows, back))
		if nats := ranks.Nats(got, ranks.Roundings(q)); !strings.HasPrefix(kind, "any") &&
			nats.Value > nats.Error {
			t.Fatalf("a %s kernel tells %v nats: %v", kind, nats.Value, got)
		}
	})
}

// metropolis returns the kernel of Metropolis with uniform proposals among some states.
func metropolis(p []float64, among ...int) (rows [][]float64) {
	n := float64(len(p))
	for x := range p {
		row := make([]float64, len(p))
		stay := 1.0
		for y := range p {
			if y != x && p[y] > 0 && slices.Contains(among, x) && slices.Contains(among, y) {
				row[y] = math.Min(1, p[y]/math.Max(p[x], 1e-305)) / n
				stay -= row[y]
			}
		}
		row[x] = stay
		rows = append(rows, row)
	}
	return rows
}

// composed returns a move by a and then one by b.
func composed(a, b [][]float64) [][]float64 {
	rows := make([][]float64, len(a))
	for x := range a {
		rows[x] = make([]float64, len(a))
		for y, p := range a[x] {
			for z, r := range b[y] {
				rows[x][z] += p * r
			}
		}
	}
	return rows
}

func listedArms(q ranks.Question, rows, back [][]float64) []float64 {
	ranks := make([]float64, q.Draws+1)
	var walk func(truth, x, left, after, below, equal int, p float64)
	walk = func(truth, x, left, after, below, equal int, p float64) {
		switch {
		case left > 0:
			moves := rows
			if after < 0 {
				moves = back
			}
			for y, t := range moves[x] {
				b := below
				e := equal
				if q.Values[y] < q.Values[truth] {
					b++
				} else if q.Values[y] == q.Values[truth] {
					e++
				}
				walk(truth, y, left-1, after, b, e, p*t)
			}
		case after > 0:
			walk(truth, truth, after, -1, below, equal, p)
		default:
			for r := range equal + 1 {
				ranks[below+r] += p / float64(equal+1)
			}
		}
	}
	for truth, p := range q.Truth {
		for place := range q.Draws + 1 {
			walk(truth, truth, place, q.Draws-place, 0, 0, p/float64(q.Draws+1))
		}
	}
	return ranks
}
