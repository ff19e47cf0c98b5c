package annealed

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/experiments/verdicts"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// chainsAtRandom returns chains between random states, with log weights that are often near a
// level, equal to one, or infinite.
func chainsAtRandom(l *ChainLaws, d chains.Direction, k int, seed uint64) *simulate.Batch {
	rng := rand.New(rand.NewPCG(seed, 1))
	n := int32(l.a.States())
	b := &simulate.Batch{}
	for range k {
		w := 10 * rng.NormFloat64()
		switch level := l.levels[d][rng.IntN(len(l.levels[d]))].X; rng.IntN(8) {
		case 0:
			w = level
		case 1:
			w = math.Nextafter(level, math.Inf(-1))
		case 2:
			w = math.Inf(1 - 2*rng.IntN(2))
		}
		b.First, b.Last, b.LogW = append(b.First, rng.Int32N(n)), append(b.Last, rng.Int32N(n)),
			append(b.LogW, w)
	}
	return b
}

// plainTally counts chains as obviously as possible.
type plainTally struct {
	first, last, ends, pairs, below []int
	alive                           [2]int
	sum                             float64
	given                           [2]perState
	apart                           [2][][]int
}

func tallyPlainly(l *ChainLaws, d chains.Direction, b *simulate.Batch, byLast bool) *plainTally {
	n := l.a.States()
	p := &plainTally{
		first: make([]int, n),
		last:  make([]int, n),
		ends:  make([]int, n*n),
		pairs: make([]int, n*n),
		below: make([]int, len(l.levels[d])),
	}
	for i := range p.given {
		p.given[i] = perState{make([]int, n), make([]float64, n)}
	}
	states := [2][]int32{b.First, b.Last}
	end := states[0]
	if byLast {
		end = states[1]
	}
	for i, w := range b.LogW {
		x, y := int(b.First[i]), int(b.Last[i])
		p.first[x]++
		p.last[y]++
		p.ends[x*n+y]++
		if i%2 == 1 {
			p.pairs[int(end[i-1])*n+int(end[i])]++
		}
		for k, level := range l.levels[d] {
			if w < level.X {
				p.below[k]++
			}
		}
		if math.IsInf(w, 0) {
			p.alive[1]++
			continue
		}
		p.alive[0]++
		p.sum += w
		for e, s := range []int{x, y} {
			p.given[e].n[s]++
			p.given[e].sum[s] += w
		}
	}
	for e, law := range [][]float64{l.first[d], l.last[d]} {
		class, _ := stateClassesOf(law)
		for _, lag := range streamLags() {
			counts := make([]int, stateClasses*stateClasses)
			for i := 0; lag > 0 && i+lag < len(states[e]); i++ {
				if i/lag%2 == 0 {
					counts[int(class[states[e][i]])*stateClasses+int(class[states[e][i+lag]])]++
				}
			}
			p.apart[e] = append(p.apart[e], counts)
		}
	}
	return p
}

// differs says what a tally counted otherwise; it is empty if all is the same.
func (p *plainTally) differs(t *Tally) string {
	same := func(name string, has bool, got, want any) string {
		if has && !reflect.DeepEqual(got, want) {
			return fmt.Sprintf("%s: %v, want %v; ", name, got, want)
		}
		return ""
	}
	c := t.columns
	out := same("first", c.First, t.first, p.first) + same("last", c.Last, t.last, p.last) +
		same("ends", c.First && c.Last, t.ends, p.ends) + same("pairs", c.First || c.Last, t.pairs, p.pairs) +
		same("given x_1", c.First && c.LogW, t.given[0], p.given[0]) +
		same("given x_T", c.Last && c.LogW, t.given[1], p.given[1])
	if c.LogW {
		out += same("alive", true, t.alive, p.alive[:]) + same("sum", true, t.sumLogW, p.sum) +
			same("below", true, t.countsBelow(), p.below)
	}
	k := 0
	for e, has := range []bool{c.First, c.Last} {
		if has {
			out += same(fmt.Sprint("apart ", e), true, t.apart[k].counts, p.apart[e])
			k++
		}
	}
	return out
}

// TestTallyDoesNotDependOnCuts: however the rows are cut into calls, every count is that of the
// plain loop over all rows, with any columns. The sum of log weights is the same to the last bit,
// since it is taken in the order of the rows.
func TestTallyDoesNotDependOnCuts(t *testing.T) {
	longtest.Only(t)
	l := laws(t, annealing(t, "random:2:1:3x3", 6))
	rapid.Check(t, func(t *rapid.T) {
		d := chains.Direction(rapid.IntRange(0, 1).Draw(t, "direction"))
		c := Columns{
			rapid.Bool().Draw(t, "first"), rapid.Bool().Draw(t, "last"), rapid.Bool().Draw(t, "log w")}
		rows := rapid.SampledFrom([]int{0, 1, 2, 7, 100, 2500, tallyBlock + 3}).Draw(t, "rows")
		b := chainsAtRandom(l, d, rows, rapid.Uint64().Draw(t, "seed"))
		tally := NewTally(l, d, c)
		for at := 0; at < rows; {
			k := min(rows-at, rapid.SampledFrom([]int{0, 1, 1, 2, 3, 64, 1000, 1024, 1025, rows}).Draw(t, "call"))
			x := []int32(nil)
			y := []int32(nil)
			w := []float64(nil)
			if c.First {
				x = b.First[at : at+k]
			}
			if c.Last {
				y = b.Last[at : at+k]
			}
			if c.LogW {
				w = b.LogW[at : at+k]
			}
			tally.Add(x, y, w)
			at += k
		}
		byLast := c.Last && (d == chains.Forward || !c.First)
		if wrong := tallyPlainly(l, d, b, byLast).differs(tally); wrong != "" {
			t.Fatal(wrong)
		}
	})
}

// TestPairTally: in whatever order and portions the directions come, the counts are those of the
// i-th chains of both.
func TestPairTally(t *testing.T) {
	longtest.Only(t)
	l := laws(t, annealing(t, "random:2:1:3x3", 6))
	rapid.Check(t, func(t *rapid.T) {
		var c [2]Columns
		var b [2]*simulate.Batch
		var at [2]int
		for d := range c {
			c[d] = Columns{First: rapid.Bool().Draw(t, "first"), Last: rapid.Bool().Draw(t, "last")}
			b[d] = chainsAtRandom(l, chains.Direction(d), rapid.IntRange(0, 300).Draw(t, "rows"),
				rapid.Uint64().Draw(t, "seed"))
		}
		tally := NewPairTally(l, c[0], c[1])
		tally.most = rapid.SampledFrom([]int{tally.most, 10, 100}).Draw(t, "most")
		for at[0] < len(b[0].First) || at[1] < len(b[1].First) {
			d := rapid.IntRange(0, 1).Draw(t, "direction")
			k := rapid.IntRange(0, len(b[d].First)-at[d]).Draw(t, "call")
			x, y := []int32(nil), []int32(nil)
			if c[d].First {
				x = b[d].First[at[d] : at[d]+k]
			}
			if c[d].Last {
				y = b[d].Last[at[d] : at[d]+k]
			}
			tally.Add(chains.Direction(d), x, y)
			at[d] += k
		}
		var want [][]int
		for f, states := range [][]int32{b[0].First, b[0].Last} {
			for r, others := range [][]int32{b[1].First, b[1].Last} {
				if !tally.has(chains.Forward, f) || !tally.has(chains.Reverse, r) {
					continue
				}
				class, _ := stateClassesOf([][]float64{l.first[0], l.last[0]}[f])
				other, _ := stateClassesOf([][]float64{l.first[1], l.last[1]}[r])
				counts := make([]int, stateClasses*stateClasses)
				for i := range min(len(states), len(others), tally.most) {
					counts[int(class[states[i]])*stateClasses+int(other[others[i]])]++
				}
				want = append(want, counts)
			}
		}
		across := tally.across()
		if len(across) != len(want) || (len(want) > 0) != (len(tally.Tests()) > 0) ||
			(len(want) > 0) != (tally.Untested() == nil) {
			t.Fatalf("%d pairs of ends, want %d; %d tests, untested %v", len(across), len(want),
				len(tally.Tests()), tally.Untested())
		}
		for i, a := range across {
			if !slices.Equal(a.counts, want[i]) {
				t.Fatalf("pair of ends %d: %v, want %v", i, a.counts, want[i])
			}
		}
	})
}

// TestColumnsDecide: exactly the tests that the columns allow are there, and whole sentences say
// what is missing.
func TestColumnsDecide(t *testing.T) {
	l := laws(t, annealing(t, "random:2:1:3x3", 6))
	for _, c := range []struct {
		columns         Columns
		tests, untested string
	}{
		{Columns{true, true, true},
			"x_1; x_T; log w; finite log w; consecutive chains; x_1 and x_T; chains apart; distribution " +
				"of log w; log w given x_1; log w given x_T; states of x_1; states of x_T",
			""},
		{Columns{Last: true, LogW: true},
			"x_T; log w; finite log w; consecutive chains; chains apart; distribution of log w; log w " +
				"given x_T; states of x_T",
			"the reverse chains have no column x_first, so the distribution of x_1, the joint " +
				"distribution of x_1 and x_T, the distribution of log w given x_1 and the probability of " +
				"each x_1 are not tested"},
		{Columns{LogW: true}, "log w; finite log w; distribution of log w",
			"the reverse chains have no column x_first, so the distribution of x_1, the distribution of " +
				"log w given x_1 and the probability of each x_1 are not tested" +
				" / the reverse chains have no column x_last, so the distribution of x_T, the " +
				"distribution of log w given x_T and the probability of each x_T are not tested" +
				" / the reverse chains have no columns x_first and x_last, so the independence of " +
				"consecutive chains, the joint distribution of x_1 and x_T and the independence of chains " +
				"at several distances are not tested"},
	} {
		tally := NewTally(l, chains.Reverse, c.columns)
		var names []string
		for _, n := range tally.Tests() {
			names = append(names, strings.TrimPrefix(n.Name, "reverse "))
			if logE, _ := n.Value(); !(math.Abs(logE) < 1e-9) {
				t.Errorf("%+v: %s has log e-value %v before the first chain", c.columns, n.Name, logE)
			}
		}
		if got := strings.Join(names, "; "); got != c.tests {
			t.Errorf("%+v: tests %s\nwant %s", c.columns, got, c.tests)
		}
		if got := strings.Join(tally.Untested(), " / "); got != c.untested {
			t.Errorf("%+v: %s\nwant %s", c.columns, got, c.untested)
		}
	}
}

// TestConsecutiveByTheOtherEnd: if the end to which chains come is not known, consecutive chains
// are compared by the other, and by its own distribution.
func TestConsecutiveByTheOtherEnd(t *testing.T) {
	longtest.Only(t)
	l := laws(t, annealing(t, "easy", 12))
	for d, c := range map[chains.Direction]Columns{
		chains.Forward: {First: true}, chains.Reverse: {Last: true}} {
		b := longtest.Sure(simulate.Rows(l.a, d, simulate.ChainStream(1, "", d, 0), 1<<15, nil))
		states := [][]int32{b.First, b.Last}
		if c.First {
			states[1] = nil
		} else {
			states[0] = nil
		}
		right := NewTally(l, d, c)
		right.Add(states[0], states[1], nil)
		for _, n := range right.Tests() {
			if logE, where := n.Value(); logE > math.Log(1e8) {
				t.Errorf("right chains: %s has log e-value %v: %s", n.Name, logE, where())
			}
		}
		for i := 1; i < len(b.First); i += 2 { // in every eighth pair both chains have the same ends
			if i%16 == 1 {
				b.First[i], b.Last[i] = b.First[i-1], b.Last[i-1]
			}
		}
		tally := NewTally(l, d, c)
		tally.Add(states[0], states[1], nil)
		for _, n := range tally.Tests() {
			logE, where := n.Value()
			fault := logE > math.Log(1e8)
			if fault != (strings.HasSuffix(n.Name, "consecutive chains") ||
				strings.HasSuffix(n.Name, "chains apart")) {
				t.Errorf("%s: log e-value %v", n.Name, logE)
			}
			if strings.HasSuffix(n.Name, "consecutive chains") &&
				!strings.HasPrefix(where(), "chains starting at ") {
				t.Errorf("%s", where())
			}
		}
	}
}

// TestManyStates: the distributions say themselves what many states leave untested.
func TestManyStates(t *testing.T) {
	longtest.Only(t)
	many, err := NewChainLaws(context.Background(), annealing(t, "random:1:0:17x17", 3))
	want := "289 states are more than 256, so consecutive chains and the joint distribution of x_1 and " +
		"x_T are not tested"
	if err != nil || !slices.Equal(many.Skipped(), []string{want}) {
		t.Fatalf("skipped %q (%v)", many.Skipped(), err)
	}
	var names []string
	for _, n := range NewTally(many, chains.Forward, Columns{true, true, true}).Tests() {
		names = append(names, n.Name)
	}
	if all := strings.Join(names, "; "); strings.Contains(all, "consecutive") ||
		strings.Contains(all, "x_1 and x_T") {
		t.Errorf("tests without a law: %s", all)
	}
}

// TestSingleStates: the test of the states one by one is the average of those of each against the
// others.
func TestSingleStates(t *testing.T) {
	longtest.Only(t)
	l := laws(t, annealing(t, "random:2:1:3x3", 6))
	tally := NewTally(l, chains.Forward, Columns{Last: true})
	b := chainsAtRandom(l, chains.Forward, 5000, 3)
	tally.Add(nil, b.Last, nil)
	counts := make([]int, 9)
	terms := make([]float64, 9)
	for _, x := range b.Last {
		counts[x]++
	}
	for x, p := range l.Last(chains.Forward) {
		terms[x] = verdicts.CountsLogE([]int{counts[x], 5000 - counts[x]}, []float64{p, 1 - p})
	}
	tests := tally.Tests()
	logE, where := tests[len(tests)-1].Value()
	if want := number.LogMean(terms); !(math.Abs(logE-want) < 1e-9*math.Abs(want)) ||
		!strings.HasPrefix(where(), "state ") {
		t.Errorf("log e-value %v, want %v; %s", logE, want, where())
	}
}

// TestLogWeightsThatAreNotExact: log weights that were rounded to halves are a fault to the
// distribution as it is and none to the one that knows of the rounding, while a shift by more is
// one to both. An infinity of the other sign is found, and one if none can be or a NaN at the
// first chain.
func TestLogWeightsThatAreNotExact(t *testing.T) {
	longtest.Only(t)
	found := func(l *ChainLaws, b *simulate.Batch, change func(w float64) float64) (names []string) {
		tally := NewTally(l, chains.Forward, Columns{LogW: true})
		logw := slices.Clone(b.LogW)
		for i, w := range logw {
			logw[i] = change(w)
		}
		tally.Add(nil, nil, logw)
		for _, n := range tally.Tests() {
			if logE, _ := n.Value(); !(logE < math.Log(1e8)) {
				names = append(names, n.Name)
			}
		}
		return names
	}
	of := func(a *chains.Annealing, k int) (*ChainLaws, *simulate.Batch) {
		b := longtest.Must(simulate.Rows(a, chains.Forward, simulate.ChainStream(1, "", chains.Forward, 0), k, nil))(t)
		return laws(t, a), b
	}
	easy, many := of(annealing(t, "easy", 12), 1<<17)
	path := longtest.Sure(paths.NewGeometric(nil, []float64{0, 1, 2, 0.5, math.Inf(-1), 0, -1, 1, 0}))
	withZero := longtest.Sure(
		chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(3, 3)}, 6),
	)
	zero, some := of(withZero, 1<<10)
	one := &simulate.Batch{LogW: many.LogW[:1]}
	exact := func(w float64) float64 { return w }
	halves := func(w float64) float64 { return math.Round(w*2) / 2 }
	positive := func(w float64) float64 {
		if math.IsInf(w, -1) {
			return math.Inf(1)
		}
		return w
	}
	always := func(v float64) func(float64) float64 { return func(float64) float64 { return v } }
	const mean, finite, law = "forward log w", "forward finite log w", "forward distribution of log w"
	for name, c := range map[string]struct {
		laws   *ChainLaws
		chains *simulate.Batch
		change func(w float64) float64
		among  []string // nil if nothing is found
	}{
		"exact":              {easy, many, exact, nil},
		"rounded":            {easy, many, halves, []string{law}},
		"rounded, and known": {easy.Rounded(0.25), many, halves, nil},
		"shifted, and rounded": {
			easy.Rounded(0.25), many, func(w float64) float64 { return w + 0.6 }, []string{law}},
		"zeros":         {zero, some, exact, nil},
		"zeros as +Inf": {zero, some, positive, []string{law}},
		"+Inf":          {easy, one, always(math.Inf(1)), []string{finite}},
		"-Inf":          {easy, one, always(math.Inf(-1)), []string{finite}},
		"NaN":           {easy, one, always(math.NaN()), []string{mean}},
	} {
		got := found(c.laws, c.chains, c.change)
		if c.among == nil && got != nil ||
			slices.ContainsFunc(c.among, func(n string) bool { return !slices.Contains(got, n) }) {
			t.Errorf("%s: found by %q, want %q", name, got, c.among)
		}
	}
}
