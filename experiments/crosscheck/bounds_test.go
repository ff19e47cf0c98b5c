package crosscheck

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/simulate"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
)

// TestNeedsByHand: a kernel that goes right with probability 1/2 + e in place of 1/2 is seen by a test of single moves
// after log(1/probability) over the divergence of the two.
func TestNeedsByHand(t *testing.T) {
	longtest.NotShort(t)
	a := annealing(t, "random:1:0:3", 3) // a line on which the target is flat at the first stage
	l := laws(t, a)
	const e = 0.01
	wrong := chains.NewTabulated("wrong", 3, func(x int) []chains.Entry {
		if x != 1 {
			row := make([]chains.Entry, 3)
			for y := range row {
				row[y] = chains.Entry{To: y, P: l.rows[0].cell[x*3+y] * 3}
			}
			return row
		}
		return []chains.Entry{{To: 0, P: l.rows[0].cell[3]*3 + e}, {To: 1, P: l.rows[0].cell[4] * 3}, {To: 2, P: l.rows[0].cell[5]*3 - e}}
	})
	l.rows = l.rows[:1]
	kl := 0.0
	for y, off := range []float64{e, 0, -e} {
		if p := l.rows[0].cell[3+y] * 3; p > 0 {
			kl += (p + off) * math.Log((p+off)/p)
		}
	}
	got, err := Mutant{wrong: wrong}.needs(context.Background(), l, 1e-6)
	if want := math.Log(1e6) / kl; err != nil || !(math.Abs(got/want-1) < 1e-9) {
		t.Errorf("%v moves, by hand %v (%v)", got, want, err)
	}
}

// TestAveragedNamesTheWorst: of several tests on the same draws the e-values are averaged, and the largest says where.
func TestAveragedNamesTheWorst(t *testing.T) {
	say := func(logE float64, where string) func() (float64, func() string) {
		return func() (float64, func() string) { return logE, func() string { return where } }
	}
	for want, tests := range map[string][]func() (float64, func() string){
		"one":   {say(3, "one"), say(1, "two"), say(2, "three")},
		"two":   {say(-3, "one"), say(5, "two"), say(2, "three")},
		"three": {say(0, "one"), say(1, "two"), say(2, "three")},
	} {
		logE, where := averaged(tests...)()
		mean := 0.0
		for _, test := range tests {
			v, _ := test()
			mean += math.Exp(v) / 3
		}
		if where() != want || !(math.Abs(math.Exp(logE)/mean-1) < 1e-12) {
			t.Errorf("%s and %v, want %s and %v", where(), math.Exp(logE), want, mean)
		}
	}
}

// TestSplitKeepsItsChains: chains that go together all go where one of them does, and none is lost or won.
func TestSplitKeepsItsChains(t *testing.T) {
	row := []chains.Entry{{To: 0, P: 0.25}, {To: 2, P: 0.75}}
	for _, together := range []int{0, 5} {
		c := &countSimulation{together: together, binomial: func(rng *rand.Rand, n int, p float64) int {
			k := 0
			for range n {
				if rng.Float64() < p {
					k++
				}
			}
			return k
		}}
		rng := rand.New(rand.NewPCG(1, 2))
		for k := 1; k <= 5; k++ {
			counts := make([]int, 3)
			c.split(rng, counts, row, k)
			if counts[0]+counts[2] != k || counts[1] != 0 || counts[0] < 0 || counts[2] < 0 {
				t.Errorf("%d chains, together up to %d: %v", k, together, counts)
			}
			if k <= together && counts[0] != k && counts[2] != k {
				t.Errorf("%d chains that go together part: %v", k, counts)
			}
		}
	}
}

// TestBatchesAreChecked: states 0 and n-1 are some, and those beside them none, at either end.
func TestBatchesAreChecked(t *testing.T) {
	for _, c := range []struct {
		first, last int32
		ok          bool
	}{{0, 2, true}, {2, 0, true}, {3, 0, false}, {0, 3, false}, {-1, 0, false}, {0, -1, false}} {
		b := &simulate.Batch{First: []int32{1, c.first}, Last: []int32{1, c.last}, LogW: []float64{0, 0}}
		if err := checkBatch(b, 2, 3); (err == nil) != c.ok {
			t.Errorf("from %d to %d: %v", c.first, c.last, err)
		}
	}
	if err := checkBatch(&simulate.Batch{First: []int32{0}, Last: []int32{0}}, 1, 3); err == nil {
		t.Error("chains without log weights pass")
	}
	for _, c := range []struct {
		first, last []int
		want        string
	}{{[]int{1, 1}, []int{2, 0}, ""}, {[]int{1, 2}, []int{2, 0}, "counted 3"}, {[]int{3, -1}, []int{2, 0}, "counted -1"}, {[]int{2}, []int{2, 0}, "on 1 states"}} {
		err := checkTotals(&simulate.Occupation{First: c.first, Last: c.last}, 2, 2)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v and %v: %v, want %q", c.first, c.last, err, c.want)
		}
	}
}

// TestLawsAreKnownWellEnough: where the law of log w is inverted its probabilities are known to about five over its 4096
// frequencies: less than the 3e-3 that 10^5 chains can tell apart at two standard errors of a half.
func TestLawsAreKnownWellEnough(t *testing.T) {
	longtest.NotShort(t)
	l := laws(t, annealing(t, "easy", 60))
	for d := range l.levels {
		if len(l.levels[d]) == 0 {
			t.Fatalf("direction %d has no levels", d)
		}
		worst := 0.0
		for _, level := range l.levels[d] {
			worst = max(worst, level.P.Error())
		}
		if !(worst < 1.5e-3) {
			t.Errorf("direction %d: a probability is known to %v", d, worst)
		}
	}
}

// TestCallsAndDraws: there are all calls from 2^18 draws on, as large a part of them below, and one at least; what a test
// draws is rounded up to whole calls.
func TestCallsAndDraws(t *testing.T) {
	for draws, want := range map[int]int{1: 1, 1 << 17: 768, 1<<18 - 1: 1535, 1 << 18: 1536, 1 << 20: 1536} {
		if got := numberOfCalls(draws, maxCalls); got != want {
			t.Errorf("%d draws: %d calls, want %d", draws, got, want)
		}
	}
	for unit, want := range map[int]int{0: 100, 1: 100, 16: 112, 50: 100, 64: 128} {
		if got := (&test{unit: unit}).whole(100); got != want {
			t.Errorf("100 draws in units of %d are %d, want %d", unit, got, want)
		}
	}
}

// TestFindingsNameStates: where the states have labels, findings have them in place of numbers.
func TestFindingsNameStates(t *testing.T) {
	a := annealing(t, "random:2:7:3x3", 6)
	wrong := Simulations(a)[0]
	wrong.Name, wrong.Moves = "stays", chains.Always(kernels.Stay{})
	l := laws(t, a)
	for name, states := range map[string]string{"numbers": "012345678", "labels": "abcdefghi"} {
		if name == "labels" {
			l.Named(func(x int) string { return states[x : x+1] })
		}
		seen := false
		for _, r := range faults(run(t, l, wrong, BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: 1 << 10, Moves: 1 << 10})) {
			_, from, says := strings.Cut(r.Where, "from state ")
			seen = seen || says && strings.Contains(states, from[:1])
			if says && !strings.Contains(states, from[:1]) {
				t.Errorf("%s: %s", name, r.Where)
			}
		}
		if !seen {
			t.Errorf("%s: no finding says from which state", name)
		}
		if outcome, want := l.probes[0].paths[0].name(0, l.probes[0].label), "x_1 = "+states[:1]+", x_T = "; !strings.HasPrefix(outcome, want) {
			t.Errorf("%s: the first outcome of a probe is %q, want one with %q", name, outcome, want)
		}
		l.Named(nil)
	}
}
