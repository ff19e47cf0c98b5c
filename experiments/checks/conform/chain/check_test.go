package chain

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/draws/codes"
	"breadboard/experiments/forms"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
	"breadboard/toys"
)

// mover makes moves of a kernel by its rows.
type mover struct {
	chain *averages.Chain
	rng   *rand.Rand
}

// parsed returns a toy and a kernel on it.
func parsed(t *testing.T, toy, kernel string) (*toys.Toy, chains.Kernel) {
	t.Helper()
	on := longtest.Must(forms.All().Parse(toy))(t)
	return on, longtest.Must(kernels.Parse(kernel, on.Space))(t)
}

func moverOf(t *testing.T, k chains.Kernel, logf []float64, seed uint64) *mover {
	t.Helper()
	return &mover{longtest.Must(averages.New(t.Context(), k, logf))(t), rand.New(rand.NewPCG(54, seed))}
}

func (m *mover) from(x int) int {
	u := m.rng.Float64()
	for _, e := range m.chain.Rows.Row(x) {
		u -= e.P
		if u < 0 {
			return e.To
		}
	}
	return x
}

func (m *mover) states(x, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i], x = x, m.from(x)
	}
	return list
}

// checked checks chains of states.
func checked(t *testing.T, toy *toys.Toy, k chains.Kernel, chain ...[]int) *Outcome {
	t.Helper()
	return checkedThinned(t, toy, k, 1, chain...)
}

// checkedThinned checks chains of states with several moves between two of them.
func checkedThinned(t *testing.T, toy *toys.Toy, k chains.Kernel, thin int, chain ...[]int) *Outcome {
	t.Helper()
	c := codes.OfToy(toy)
	var readers []*codes.Reader
	for i, states := range chain {
		var b strings.Builder
		b.WriteString("state\n")
		for _, x := range states {
			fmt.Fprintln(&b, x)
		}
		readers = append(readers,
			longtest.Must(c.Stream(t.Context(), fmt.Sprint("chain ", i), strings.NewReader(b.String())))(t))
	}
	return longtest.Must(Check(
		t.Context(),
		toy,
		readers,
		Options{Kernel: k, Name: "K", Thin: thin, Options: draws.Options{Alpha: 1e-6}},
	))(t)
}

// TestRight: with -long=100 these are 200 chains of each kind, of 100,000 draws. Right chains that
// mix give no alarm, neither of their moves nor of the target; right chains that do not mix have no
// fault in their moves.
func TestRight(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		toy, kernel string
		mixes       bool
	}{
		{"random:1:3:3x3", "metropolis", true}, {"random:1:3:3x3", "heatbath-scan", true},
		{"ising:3x3:0.3", "heatbath", true}, {"ising:3x3:0.3", "flip", true},
		{"barrier", "metropolis", false}, {"hard", "metropolis", false}, {"barrier", "stay", false},
		{"bif:../../../../toys/networks/testdata/asia.bif:evidence=xray=yes+dysp=yes", "heatbath", false},
		{"cells:0:-37:-700:-inf:0", "metropolis", false}, {"cells:0:0:0:0", "independence", true},
		{"cells:-700:0:-1", "independence", true},
	} {
		toy, k := parsed(t, c.toy, c.kernel)
		most := math.Inf(-1)
		represents := 0
		chains := longtest.Times(1, 2)
		draws := 10_000
		if longtest.More() {
			draws = 100_000
		}
		for seed := range chains {
			m := moverOf(t, k, toy.G, uint64(seed))
			x := m.rng.IntN(len(toy.G))
			for math.IsInf(toy.G[x], -1) {
				x = (x + 1) % len(toy.G)
			}
			states := m.states(x, draws)
			out := checked(t, toy, k, states)
			alone := checked(t, toy, nil, states)
			if out.Fault != "" || out.Open {
				t.Errorf("%s, %s, chain %d: %q, %v", c.toy, c.kernel, seed, out.Fault, out.Excluded)
			}
			if alone.Fault != "" || len(alone.Findings) == 0 || alone.Findings[0].About != "target" {
				t.Errorf("%s, %s, chain %d: without a kernel %+v", c.toy, c.kernel, seed, alone)
			}
			if out.Lacks == "" {
				represents++
			}
			if c.mixes && (out.Lacks != "" || alone.Lacks != "") {
				t.Errorf("%s, %s, chain %d: %s; %s", c.toy, c.kernel, seed, out.Lacks, out.Mixing)
			}
			most = max(most, out.Findings[0].Value)
		}
		t.Logf("%s, %s: the largest e-value of %d chains is %.3g; %d of them represent the target", c.toy,
			c.kernel, chains, most, represents)
	}
}

// TestPlanted: known mistakes are found in the moves, and named.
func TestPlanted(t *testing.T) {
	const n = 20_000
	toy, k := parsed(t, "random:1:3:3x3", "metropolis")
	right := func(seed uint64) []int { return moverOf(t, k, toy.G, seed).states(0, n) }
	at := func(kernel string, beta float64) []int {
		_, other := parsed(t, "random:1:3:3x3", kernel)
		logf := slices.Clone(toy.G)
		for x := range logf {
			logf[x] *= beta
		}
		return moverOf(t, other, logf, 1).states(0, n)
	}
	// changed goes elsewhere in a share of the moves that are meant: so far from x.
	changed := func(share float64, elsewhere int, meant func(before, x, y int) bool) (list []int) {
		m := moverOf(t, k, toy.G, 3)
		before := 0
		x := 0
		for range n {
			list = append(list, x)
			y := m.from(x)
			if meant(before, x, y) && m.rng.Float64() < share {
				y = x + elsewhere
			}
			before = x
			x = y
		}
		return list
	}
	exchanged := right(6)
	for i, x := range exchanged {
		exchanged[i] = x%3*3 + x/3
	}
	for i, c := range []struct {
		name   string
		chains [][]int
		named  string
	}{
		{"beta 0.8", [][]int{at("metropolis", 0.8)}, "the inverse temperature 0.785 (from 0.747 to 0.823)"},
		{"beta 1.25", [][]int{at("metropolis", 1.25)}, "the inverse temperature 1.26 (from 1.2 to 1.32)"},
		{"another kernel", [][]int{at("barker", 1)}, "it is as if the moves were those of barker"},
		{"a sweep for a site", [][]int{at("heatbath-scan", 1)}, "probability zero"},
		{"rejections are not written", [][]int{slices.Compact(right(4))},
			"a share of 0 (from 0 to 0.000243) of the rejected proposals"},
		{"rows are written twice", [][]int{changed(0.06, 0, func(_, _, _ int) bool { return true })},
			"a share of 0.0646 (from 0.0434 to 0.0861) of the rows repeats"},
		{"moves back are avoided", [][]int{changed(0.3,
			0, func(before, _, y int) bool { return y == before })}, "moves depend on the previous move"},
		{"proposals off the edge are turned round",
			[][]int{changed(0.2, 1, func(_, x, y int) bool { return y == x && x%3 == 0 })}, "from state 0"},
		{"one state is left too rarely", [][]int{changed(0.3, 0, func(_, x, _ int) bool { return x == 7 })},
			"moves from state 7"},
		{"the same seed", [][]int{right(5), right(5)}, "chain 1 is chain 0, draw for draw"},
		{"log f in base 10", [][]int{at("metropolis", 1/math.Ln10)},
			"it is as if log f was a logarithm in base 10 ("},
		{"shuffled", [][]int{rand.New(rand.NewPCG(1, 1)).Perm(9)}, "probability zero"},
		{"columns exchanged", [][]int{exchanged}, "it is as if the columns x0 and x1 were exchanged"},
	} {
		if i%3 != 0 && !longtest.Enabled() {
			continue
		}
		out := checked(t, toy, k, c.chains...)
		if out.Fault == "" || !strings.Contains(out.Fault, c.named) {
			t.Errorf("%s: %q", c.name, out.Fault)
			for _, f := range out.Findings {
				t.Logf("   %s: %.3g %s", f.Name, f.Value, f.Where)
			}
		}
		t.Logf("%s: %s", c.name, out.Fault)
	}
}

// TestTurns: the last move of a chain has no move behind it, so that it does not count among the
// moves that may go back. No two moves depend on each other here: both bits always change.
func TestTurns(t *testing.T) {
	toy, _ := parsed(t, "cells:0:0/0:0", "metropolis")
	k := chains.NewTabulated("two bits", 4, func(x int) (row []chains.Entry) {
		for y, p := range []float64{.04, .16, .16, .64} {
			row = append(row, chains.Entry{To: x ^ y, P: p})
		}
		return row
	})
	var all [][]int
	for i := range 500 {
		all = append(all, []int{i % 4, i%4 ^ 3, i % 4})
	}
	out := checked(t, toy, k, all...)
	if out.Fault == "" {
		t.Error("moves that are certain passed")
	}
	for _, f := range out.Findings {
		if strings.Contains(f.Where, "depend on the previous move") {
			t.Error(f.Where)
		}
	}
}

// TestTarget: draws that do not represent the target are reported, and without a kernel there is no
// verdict on the sampler.
func TestTarget(t *testing.T) {
	small, metropolis := parsed(t, "random:1:3:3x3", "metropolis")
	half := slices.Clone(small.G)
	for x := range half {
		half[x] /= 2
	}
	asia, gibbs := parsed(t, "bif:../../../../toys/networks/testdata/asia.bif:evidence=xray=yes+dysp=yes", "heatbath")
	steep, moves := parsed(t, "cells:0:-inf:0:-1", "stay")
	no := longtest.Must(asia.FindState("asia=no,tub=no,smoke=yes,lung=no,bronc=yes,either=no"))(t)
	for name, c := range map[string]struct {
		toy    *toys.Toy
		states []int
		says   string
	}{
		"half the inverse temperature": {
			small, moverOf(t, metropolis, half, 1).states(0, 100_000), "the mean of g is"},
		"a class of two": {asia, moverOf(t, gibbs, asia.G, 1).states(no, 20_000),
			"either never left no, which has probability"},
		"never moved": {
			steep, moverOf(t, moves, steep.G, 1).states(0, 1000), "state 2, with 4"},
		"impossible": {
			steep, []int{1, 2, 3, 0}, "at states of probability zero, such as state 1"},
	} {
		out := checked(t, c.toy, nil, c.states)
		if !strings.Contains(out.Lacks, c.says) || out.Fault != "" ||
			strings.Contains(fmt.Sprint(out), "fault") {
			t.Errorf("%s: %q, %+v", name, out.Lacks, out)
		}
	}
	// With the kernel the report says how far such a chain is off, and how many draws it takes.
	if out := checked(t, asia, gibbs, moverOf(t, gibbs, asia.G, 1).states(no, 20_000)); out.Fault != "" ||
		!strings.Contains(out.Mixing, "no N is enough") {
		t.Errorf("%+v", out)
	}
	// Too few draws are a finding of their own; wrong moves have no yes.
	few := moverOf(t, metropolis, small.G, 1)
	barker := moverOf(t, longtest.Must(kernels.Parse("barker", small.Space))(t), small.G, 1)
	out := checked(t, small, metropolis, few.states(0, 120))
	if last := out.Findings[len(out.Findings)-1]; out.Represents || last.Verdict != check.Differs ||
		!strings.HasPrefix(last.Where, "too few draws: the exact error") {
		t.Errorf("%+v", out)
	}
	if out := checked(t, small, metropolis, barker.states(0, 20_000)); out.Fault == "" || out.Lacks != "" ||
		out.Represents {
		t.Errorf("%+v", out)
	}
}

// TestNeeded: the stated number of draws has the stated error, by the exact errors themselves.
func TestNeeded(t *testing.T) {
	toy, k := parsed(t, "barrier", "heatbath")
	m := moverOf(t, k, toy.G, 1)
	out := checked(t, toy, k, m.states(0, 100), m.states(48, 100))
	// The mean with the largest error now is of x1 or g, and that of x0 takes longer.
	local, moves := parsed(t, "barrier", "metropolis")
	alone := checked(t, local, moves, moverOf(t, moves, local.G, 1).states(0, 10_000))
	if !strings.Contains(alone.Mixing, ", and about N = 1.4e+08 is needed") {
		t.Error(alone.Mixing)
	}
	var n float64
	if _, err := fmt.Sscanf(out.Mixing[strings.LastIndex(out.Mixing, "N = "):], "N = %g is needed", &n); err != nil {
		t.Fatal(out.Mixing, err)
	}
	target := longtest.Must(newTarget(toy, m.chain, nil))(t)
	tracks := []*track{{states: make([]int32, int(n)/2)}, {states: make([]int32, int(n)/2)}}
	tracks[1].states[0] = 48
	worst := 0.0
	for _, mean := range target.means(tracks) {
		worst = max(worst, longtest.Must((&expectation{target, tracks, 10}).rootMeanSquare(t.Context(), &mean, 1))(t))
	}
	if math.Abs(worst-enough) > 0.06*enough { // two digits of N are shown
		t.Errorf("%s: there the error is %v", out.Mixing, worst)
	}
	for _, mean := range target.means(tracks[:1]) { // all draws are of state 0
		if mean.Function != "g" && mean.Draws != 0 {
			t.Errorf("%s: the mean of zeros is %v", mean.Function, mean.Draws)
		}
	}
}

// paths calls visit with all paths of that many draws from a state, and their probabilities.
func paths(c *averages.Chain, x, n int, visit func(states []int, p float64)) {
	states := []int{x}
	var from func(p float64)
	from = func(p float64) {
		if len(states) == n {
			visit(states, p)
			return
		}
		for _, e := range c.Rows.Row(states[len(states)-1]) {
			states = append(states, e.To)
			from(p * e.P)
			states = states[:len(states)-1]
		}
	}
	from(1)
}

// TestMeanOne: the e-value of every test has the mean one over all paths of the kernel, wherever
// they begin.
func TestMeanOne(t *testing.T) {
	for _, c := range []struct {
		toy, kernel string
	}{{"cells:0:1:3", "metropolis"}, {"cells:0:-2", "barker"}, {"random:1:3:2x2", "heatbath-scan"},
		{"cells:0:-700:-1", "independence"}, {"cells:0:0", "stay"}} {
		if c.kernel == "heatbath-scan" && !longtest.Enabled() {
			continue
		}
		toy, k := parsed(t, c.toy, c.kernel)
		chain := moverOf(t, k, toy.G, 1).chain
		others := longtest.Must(othersOf(t.Context(), k, chain))(t)
		for x := range toy.G {
			means := map[string]float64{}
			paths(chain, x, 6, func(states []int, p float64) {
				m := newMoves(toy, chain, others)
				m.blocks = draws.NewBlocks(1e-8) // so that blocks do come again
				m.addFirst(states[0])
				for i := 1; i < len(states); i++ {
					before := -1
					if i > 1 {
						before = states[i-2]
					}
					m.countMove(before, states[i-1], states[i], nil)
				}
				for _, v := range m.testValues() {
					means[v.Name] += p * math.Exp(v.LogE)
				}
			})
			for name, mean := range means {
				if mean > 1+1e-9 || mean < 0.95 && name != "known mistakes" {
					t.Errorf("%s, %s from %d, %s: the mean is %v", c.toy, c.kernel, x, name, mean)
				}
			}
		}
	}
}

// TestChainsByColumn: rows of chains may take turns, and what follows on what is looked at within
// each.
func TestChainsByColumn(t *testing.T) {
	toy, k := parsed(t, "random:1:3:3x3", "metropolis")
	a, b := moverOf(t, k, toy.G, 1).states(0, 5000), moverOf(t, k, toy.G, 2).states(8, 5000)
	var text strings.Builder
	text.WriteString(".chain,.iteration,state\n")
	for i := range a {
		fmt.Fprintf(&text, "1,%d,%d\n2,%d,%d\n", i, a[i], i, b[i])
	}
	r := longtest.Must(codes.OfToy(toy).Stream(t.Context(), "both", strings.NewReader(text.String())))(t)
	out := longtest.Must(Check(
		t.Context(),
		toy,
		[]*codes.Reader{r},
		Options{Kernel: k, Options: draws.Options{Alpha: 1e-6}},
	))(t)
	apart := checked(t, toy, k, a, b)
	if out.Fault != "" || out.Chains != 2 || out.Draws != 10_000 ||
		math.Abs(out.Findings[1].Value/apart.Findings[1].Value-1) > 1e-9 {
		t.Errorf("%+v, apart %+v", out, apart)
	}
}

// TestStaying: a chain that stays as much too often as a pass excludes is found, and one that does
// so by a quarter of it hardly ever.
func TestStaying(t *testing.T) {
	const n, of = 4000, 40
	toy, k := parsed(t, "random:1:3:3x3", "metropolis")
	right := moverOf(t, k, toy.G, 1)
	m := newMoves(toy, right.chain, nil)
	run := func(of *mover, keep float64) *moves {
		m := newMoves(toy, right.chain, nil)
		x := 0
		for range n {
			y := of.from(x)
			if y != x && of.rng.Float64() < keep {
				y = x
			}
			m.countMove(-1, x, y, nil)
			x = y
		}
		return m
	}
	logThreshold := number.Log(1e6 * float64(len(m.testValues())))
	var wrong, stays float64
	if _, err := fmt.Sscanf(run(right, 0).staying(logThreshold),
		"a chain that stays at its state in %g of its moves instead of %g", &wrong, &stays); err != nil {
		t.Fatal(err)
	}
	for part, want := range map[float64][2]int{1: {of - 4, of}, 0.25: {0, 2}} {
		found := 0
		for range of {
			if run(right, part*(wrong-stays)/(1-stays)).tilted().LogE >= logThreshold {
				found++
			}
		}
		if found < want[0] || found > want[1] {
			t.Errorf("%v of what is excluded (%v in place of %v) is found in %d of %d chains", part, wrong,
				stays, found, of)
		}
	}
}

// TestNamesOnlyWhatExplains: a sweep that is read backward is named, and one in random order is
// like no known mistake, though one of them is likelier than the kernel by far.
func TestNamesOnlyWhatExplains(t *testing.T) {
	longtest.Only(t)
	const n = 10_000
	toy, scan := parsed(t, "ising:2x3:0.4", "heatbath-scan")
	m := moverOf(t, scan, toy.G, 1)
	back := m.states(0, n)
	slices.Reverse(back)
	order := []int{0, 1, 2, 3, 4, 5}
	axes := make([]*mover, len(order))
	for k := range axes {
		_, axis := parsed(t, "ising:2x3:0.4", fmt.Sprintf("heatbath-axis:%d", k))
		axes[k] = moverOf(t, axis, toy.G, uint64(k))
	}
	mixed := make([]int, n)
	x := 0
	for i := range mixed {
		mixed[i] = x
		m.rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, k := range order {
			x = axes[k].from(x)
		}
	}
	if out := checked(t, toy, scan, back); !strings.Contains(out.Fault, "in reverse order") {
		t.Error(out.Fault)
	}
	if out := checked(t, toy, scan, mixed); out.Fault == "" || strings.Contains(out.Fault, "as if") {
		t.Error(out.Fault)
	}
}

// TestFewBatches: independent draws of a rare state, a chain that turns, and many short chains are
// not said to be off, though all of their batches may be alike.
func TestFewBatches(t *testing.T) {
	longtest.Only(t)
	rng := rand.New(rand.NewPCG(1, 1))
	rare := longtest.Must(forms.All().Parse("cells:0:-3.9"))(t)
	for range 200 {
		states := make([]int, 150)
		for i := range states {
			if rng.Float64() < math.Exp(-3.9)/(1+math.Exp(-3.9)) {
				states[i] = 1
			}
		}
		if out := checked(t, rare, nil, states); out.Lacks != "" && !strings.Contains(out.Lacks, "never") {
			t.Error(out.Lacks)
		}
	}
	flat := longtest.Must(forms.All().Parse("cells:0:0:0:0:0:0"))(t)
	turning := make([]int, 3600)
	for i := range turning {
		turning[i] = i % 6
	}
	if out := checked(t, flat, nil, turning); out.Lacks != "" {
		t.Error(out.Lacks)
	}
	toy, k := parsed(t, "cells:0:0", "lazy:0.99:metropolis")
	for seed := range uint64(20) {
		m := moverOf(t, k, toy.G, seed)
		var short [][]int
		for range 300 {
			short = append(short, m.states(m.rng.IntN(2), 100))
		}
		if out := checked(t, toy, nil, short...); out.Lacks != "" {
			t.Error(out.Lacks)
		}
	}
}

// TestScan: draws of a sweep that are held to single visits are no moves of these, and the kernel
// that sweeps is named, so that no number of moves between draws is asked for.
func TestScan(t *testing.T) {
	toy, single := parsed(t, "ising:2x2:0.3", "heatbath")
	_, sweep := parsed(t, "ising:2x2:0.3", "heatbath-scan")
	states := moverOf(t, sweep, toy.G, 1).states(0, 1000)
	r := longtest.Must(codes.OfToy(toy).Stream(t.Context(), "draws",
		strings.NewReader(strings.Trim(strings.ReplaceAll(fmt.Sprint(states), " ", "\n"), "[]"))))(t)
	out := longtest.Must(Check(t.Context(), toy, []*codes.Reader{r},
		Options{Kernel: single, Name: "heatbath", Options: draws.Options{Alpha: 1e-6}}))(t)
	if strings.Contains(out.Fault, "it takes") || !strings.Contains(out.Fault, "those of heatbath-scan") {
		t.Error(out.Fault)
	}
}

// TestFiveErrorsOfMeans: draws whose mean is off by five standard errors of their batches are no
// pass, and below them they are.
func TestFiveErrorsOfMeans(t *testing.T) {
	const n = 40_000
	toy, _ := parsed(t, "ising:1x6:0", "metropolis")
	for _, c := range []struct {
		errors  float64
		verdict check.Verdict
	}{{4.5, check.Pass}, {5.7, check.Open}, {7.5, check.Differs}} {
		states := make([]int, n) // of which x0 is the half
		for i := range states {
			states[i] = i % 32
		}
		for i := range n/2 + int(c.errors*math.Sqrt(n)/2) {
			states[i] += 32
		}
		rand.New(rand.NewPCG(3, 1)).Shuffle(n, func(i, j int) { states[i], states[j] = states[j], states[i] })
		out := checked(t, toy, nil, states)
		found := check.Pass
		for _, f := range out.Findings {
			if f.Verdict != check.Pass {
				found = f.Verdict
			}
		}
		if found != c.verdict || out.Represents != (found == check.Pass) ||
			(out.Undecided != "") != (found == check.Open) {
			t.Errorf("%v standard errors: %v, want %v; %+v", c.errors, found, c.verdict, out)
		}
	}
}

// TestVanishingStates: a state of probability e^-900 is not called impossible, nor a move there;
// one where f is zero is.
func TestVanishingStates(t *testing.T) {
	for g, says := range map[string]string{
		"-900": "1 draw at states of a probability below 5e-324, such as state 1",
		"-inf": "1 draw at states of probability zero, such as state 1",
	} {
		toy, metropolis := parsed(t, "cells:0:"+g, "metropolis")
		states := append(make([]int, 300), 1)
		if o := checked(t, toy, nil, states); o.Lacks != says {
			t.Errorf("%s: %q", g, o.Lacks)
		}
		o := checked(t, toy, metropolis, states)
		if maybe := strings.Contains(o.Fault, "has probability zero or below 5e-324; it is first made"); maybe !=
			(g == "-900") || strings.Contains(o.Fault, "no number of moves") == maybe {
			t.Errorf("%s: %q", g, o.Fault)
		}
	}
}

// TestNoMoves: chains of one draw have no move, and it is open whether their moves are right.
func TestNoMoves(t *testing.T) {
	for _, thin := range []int{1, 3} {
		toy, k := parsed(t, "cells:0:1:2", "heatbath")
		out := checkedThinned(t, toy, k, thin, []int{1}, []int{2})
		if out.Fault != "" || !out.Open {
			t.Errorf("thin %d: fault %q, open %v", thin, out.Fault, out.Open)
		}
	}
}
