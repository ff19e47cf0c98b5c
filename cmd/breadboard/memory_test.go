package main

import (
	"runtime"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestLargeSpacesAreRefused: with a kernel that reaches every state in a move, commands that need its rows refuse 65,536 states before they
// take memory, and say what the rows would take, what the limit is and what helps.
func TestLargeSpacesAreRefused(t *testing.T) {
	longtest.NotShort(t)
	const on = " --toy ising:4x4:0.4 --kernel heatbath-scan"
	for _, line := range []string{
		"samplers errors" + on, "samplers times" + on, "samplers laws" + on, "samplers diagnose" + on, "samplers calibrate" + on, "samplers rank" + on,
		"samplers order" + on, "kernel check heatbath-scan --toy ising:4x4:0.4",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		code, stdout, stderr := command(t, strings.Fields(line)...)
		runtime.ReadMemStats(&after)
		if code != exitBadInput || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "would take") || !strings.Contains(stderr, "the limit is") || !strings.Contains(stderr, "take a smaller space") {
			t.Errorf("%s: exit code %d: %s%s", line, code, stdout, stderr)
		}
		if took := float64(after.TotalAlloc-before.TotalAlloc) / 1e6; took > 1000 { // the least that was taken before is 2,000
			t.Errorf("%s took %.0f MB before it refused", line, took)
		}
	}
}
