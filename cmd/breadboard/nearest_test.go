package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"breadboard/grid/longtest"
)

// TestNearest: what is refused for its size names a command line, in one line with how long it takes, and that command line answers. Those that
// take more than two seconds, or that take as long to be found, are for -long.
func TestNearest(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	for _, c := range []struct {
		line, nearest string
		long          bool
	}{
		{"couple --toy random:1:1:400", "samplers times --toy random:1:1:400", false},
		{"couple unbiased --kernel=metropolis --toy=random:1:1:400", "samplers times --toy=random:1:1:400 --kernel=metropolis", false},
		{"temper compare --toy random:2:7:3x3 -T 9", "temper compare --toy random:2:7:3x3 -T 7", true},
		{"temper compare -T3 --toy random:2:7:300", "temper compare -T 2 --toy random:2:7:300", false},
		{"samplers laws --toy random:1:1:5000", "samplers laws --toy random:1:1:5000 --kernel metropolis --function 'x0<=2499'", false},
		{"samplers laws --toy random:1:1:1000 -N 1000", "samplers laws --toy random:1:1:1000 -N 67 --kernel metropolis", true},
		{"samplers laws --kernel heatbath --toy random:1:1:400 -N 1000", "samplers laws --kernel heatbath --toy random:1:1:400 -N 56", true},
		{"kernel check metropolis --toy random:1:1:100000", "tightness --toy random:1:1:100000 --kernel metropolis -T 10", false},
		{"tightness --toy ising:4x4:0.6 --kernel swendsen-wang -T 10", "tightness --toy ising:4x4:0.6 --kernel swendsen-wang -T 10 --quotient auto", true},
		{"tightness --toy ising:5x5:0.6:torus -T 10", "tightness --toy ising:5x5:0.6:torus -T 10 --quotient auto", true},
		{"tightness --toy ising:5x5:0.6:torus", "tightness --toy ising:5x5:0.6:torus --quotient auto -T 10", true},
		{"tightness --toy potts:3:5x5:1 -T 10", "ais --toy potts:3:5x5:1 --kernel heatbath-scan --chains 1000 -T 100", false},
		{"gap --toy 'wide=ising:30x30:0.6' -T 10", "gap --toy wide=ising:4x4:0.6 -T 10", false},
		{"weights --toy ising:5x5:0.6", "ais --toy ising:5x5:0.6 --kernel heatbath-scan --chains 1000 -T 100", false},
	} {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			if c.long {
				longtest.Only(t)
			}
			code, stdout, stderr := command(t, shellWords(c.line)...)
			_, nearest, names := strings.Cut(strings.TrimSpace(stderr), ": breadboard ")
			if code != exitBadInput || stdout != "" || strings.Count(stderr, "\n") != 1 || !names || nearest != c.nearest || !strings.Contains(stderr, ", in a") {
				t.Fatalf("exit code %d, %q, %q; want breadboard %s", code, stdout, stderr, c.nearest)
			}
			ok(t, shellWords(nearest)...)
		})
	}
}

// shellWords returns the words of a line whose quotes stand around whole words.
func shellWords(line string) (words []string) {
	for _, w := range strings.Fields(line) {
		words = append(words, strings.Trim(w, "'"))
	}
	return words
}

// TestNothingNearer: no command line is named for an error that is not of size, for programs, which would be started again, and where none is known
// that the program accepts.
func TestNothingNearer(t *testing.T) {
	longtest.NotShort(t)
	for _, line := range []string{
		"tightness --toy nowhere", "tightness --toy ising:5x5:0.6 --kernel exec:nothing", "tightness --toy ising:5x5:0.6,ising:5x5:0.5", "toys show ising:5x5:0.6",
		"couple --toy random:1:1:400 --start point:1,uniform --kernel nothing",
	} {
		if code, _, stderr := command(t, strings.Fields(line)...); code != exitBadInput || strings.Contains(stderr, ": breadboard ") {
			t.Errorf("%s: exit code %d, %q", line, code, stderr)
		}
	}
}

// TestClassesAreNamed: ais says where its exact answers come from classes that nobody has asked for.
func TestClassesAreNamed(t *testing.T) {
	for toy, want := range map[string]bool{"ising:3x4:0.6:torus": true, "ising:3x3:0.6:torus": false} {
		_, stderr := ok(t, "ais", "--toy", toy, "-T", "4", "--chains", "10")
		if strings.Contains(stderr, "the exact answers were found on 88 classes of the 4096 states") != want {
			t.Errorf("%s: %q", toy, stderr)
		}
	}
}

// TestWith: a flag is given another value in its place, however it was given, and else at the end.
func TestWith(t *testing.T) {
	f := &pflag.Flag{Name: "distributions", Shorthand: "T"}
	for given, want := range map[string]string{
		"a -T 4 --toy b": "a -T 9 --toy b", "a -T4 --toy b": "a -T 9 --toy b", "a -T=4": "a -T 9", "a --distributions 4 -v": "a -T 9 -v", "a --distributions=4 -v": "a -T 9 -v",
		"a --toy b": "a --toy b -T 9", "a -T 4 b -T 5": "a -T 9 b", "a -T": "a -T 9",
	} {
		if got := with(strings.Fields(given), f, "9"); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %v; want %s", given, got, want)
		}
	}
	if got := with([]string{"-"}, &pflag.Flag{Name: "toy"}, "b"); !slices.Equal(got, []string{"-", "--toy", "b"}) {
		t.Errorf("a lone dash is taken for a flag: %v", got)
	}
}

// TestLessened: the longest side of a grid is shortened, down to two, and a toy on no grid is none that can be.
func TestLessened(t *testing.T) {
	for toy, want := range map[string]string{
		"ising:5x5:0.6": "ising:4x5:0.6", "potts:3:2x3:1": "potts:3:2x2:1", "ising:2x2:0.6": "", "random:1:1:5000": "", "easy": "", "random:1:1:3x9x2": "random:1:1:3x8x2",
	} {
		if got := lessened(toy); got != want {
			t.Errorf("%s: %q; want %q", toy, got, want)
		}
	}
}
