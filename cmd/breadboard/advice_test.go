package main

import (
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestSizeAdvice: what is refused for its size alone names, in one line, a command or a flag that
// answers something near; other errors name none.
func TestSizeAdvice(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	for line, want := range map[string]string{
		"couple --toy random:1:1:400":                                "is answered by breadboard samplers times",
		"kernel check metropolis --toy ising:5x5:0.6":                "by breadboard ais --kernel heatbath-scan",
		"couple unbiased --kernel=metropolis --toy=random:1:1:400":   "is answered by breadboard samplers times",
		"samplers laws --toy random:1:1:5000":                        "as with --function 'x0<=1'",
		"samplers laws --kernel heatbath --toy random:1:1:400 -N 99": "up to 56 samples fit",
		"temper compare --toy random:2:7:3x3 -T 9":                   "give fewer rungs",
		"kernel check metropolis --toy random:1:1:100000":            "by breadboard tightness --kernel",
		"tightness --toy ising:4x4:0.6 --kernel swendsen-wang -T 10": "With --quotient auto,",
		"tightness --toy ising:5x5:0.6:torus -T 10":                  "With --quotient auto,",
		"tightness --toy potts:3:5x5:1 -T 10":                        "by breadboard ais --kernel heatbath-scan",
		"weights --toy ising:5x5:0.6":                                "by breadboard ais --kernel heatbath-scan",
		"samplers errors --toy ising:5x5:0.6":                        "by breadboard network",
	} {
		code, stdout, stderr := command(t, strings.Fields(line)...)
		if code != exitBadInput || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %q, %q; want %s", line, code, stdout, stderr, want)
		}
	}
	for _, line := range []string{"tightness --toy nowhere", "tightness --toy ising:5x5:0.6,ising:5x5:0.5", "couple --toy random:1:1:9 --kernel nothing"} {
		if code, _, stderr := command(t, strings.Fields(line)...); code != exitBadInput || strings.Contains(stderr, " by breadboard ") {
			t.Errorf("%s: exit code %d, %q", line, code, stderr)
		}
	}
}
