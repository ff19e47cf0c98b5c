package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/experiments/particles/policy"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// pathsOf returns draws of forward paths as text, whose log weights are changed by a function.
func pathsOf(t *testing.T, toy, pair string, n int, change func(logW float64) float64) string {
	t.Helper()
	m := longtest.Must(policy.Parse(pair, longtest.Must(toys.Parse(toy))(t)))(t)
	number := map[int]int{} // of the ends
	for x := range m.Size() {
		if _, ends := m.Target(x); ends {
			number[x] = len(number)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	choose := func(p func(i int) float64) (i int) {
		for u := rng.Float64(); ; i++ {
			if u -= math.Exp(p(i)); u < 0 {
				return i
			}
		}
	}
	var b strings.Builder
	b.WriteString("state,log_w\n")
	for range n {
		x := 0
		if from, to := m.Span(0); to-from < m.Size() {
			x = from + choose(func(i int) float64 { return m.Initial(from + i) })
		}
		logW := -m.Initial(x)
		for {
			logf, ends := m.Target(x)
			if ends {
				fmt.Fprintf(&b, "%d,%v\n", number[x], change(logW+logf))
				break
			}
			steps := m.Out(nil, x)
			e := steps[choose(func(i int) float64 { return steps[i].Forward })]
			x, logW = e.State, logW+e.Backward-e.Forward
		}
	}
	return b.String()
}

// TestConformPolicy: right draws pass, of policies whose log w has few values or too many, and
// shifted ones are a fault.
func TestConformPolicy(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	same := func(l float64) float64 { return l }
	shifted := func(l float64) float64 { return l - 0.4 }
	for _, c := range []struct {
		toy, pair string
		change    func(float64) float64
		code      int
		says      string
	}{
		{"ising:2x2:0.6", "masked:local:1", same, exitDone, "tested are 48 pairs of a state and a value of log w"},
		{"ising:2x2:0.6", "masked:local:1", shifted, exitFault, "as if log weights are shifted by C = -0.4; the frequencies of the states agree with q"},
		{"random:2:0:2x3", "gflownet:noisy:0.5:1", same, exitDone, "pairs of a state"},
		{"random:2:0:3x3", "ctmc:30", same, exitDone, "log w has more than 4e6 values"},
		{"random:2:0:3x3", "ctmc:30", shifted, exitFault, "the mean of w"},
		{"random:2:0:3x3", "ctmc:30", func(l float64) float64 { return -l }, exitFault, "which no forward path to that state has; the nearest possible value is"},
	} {
		code, stdout, stderr := command(t, "conform", "policy", in(t, "draws.csv", pathsOf(t, c.toy, c.pair, 4000, c.change)), "--toy", c.toy, "--policy", c.pair)
		if said := strings.Join(strings.Fields(stdout+stderr), " "); code != c.code || !strings.Contains(said, c.says) {
			t.Errorf("%s on %s: exit code %d, no %q in %s", c.pair, c.toy, code, c.says, said)
		}
	}
	one := in(t, "one.csv", "state,log_w\n3,9\n")
	if code, _, stderr := command(t, "conform", "policy", one, "--toy", "ising:2x2:0.6", "--policy", "masked:local:1"); code != exitFault ||
		!strings.Contains(stderr, "too few states or draws") {
		t.Errorf("one draw: exit code %d, %s", code, stderr)
	}
}
