package main

import (
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestToyRanges: a range of seeds on the command line is each of its toys, wherever a list of toys is taken.
func TestToyRanges(t *testing.T) {
	longtest.NotShort(t)
	for _, args := range [][]string{
		{"tightness", "-T", "3"}, {"gap", "-T", "3"}, {"kernel", "check", "metropolis"}, {"samplers", "times", "--kernel", "heatbath"},
	} {
		ranged, _ := ok(t, append(args, "--toy", "random:1:{3..4}:3x3,easy", "--toy", "random:2:{0,4}:3x3", "--format", "csv")...)
		single, _ := ok(t, append(args, "--toy", "random:1:3:3x3,random:1:4:3x3,easy,random:2:0:3x3,random:2:4:3x3", "--format", "csv")...)
		if ranged != single || !strings.Contains(single, "random:2:4:3x3") {
			t.Errorf("%v: a range makes\n%s\nand its toys\n%s", args, ranged, single)
		}
	}
	for toy, want := range map[string]string{
		"random:1:{0..999999999}": "with the ranges there are more than 100000", "random:1:{4..3}": "write the smaller number first", "random:1:{a..3}": "is no range",
	} {
		code, stdout, stderr := command(t, "tightness", "--toy", toy)
		if code != exitBadInput || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("--toy %s: exit code %d, %s", toy, code, stderr)
		}
	}
}
