package conform

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/experiments/draws"
	"breadboard/grid/longtest"
)

// subsets are the columns that a program may have, without and with paths.
func subsets() []draws.Columns {
	var out []draws.Columns
	for bits := 1; bits < 8; bits++ {
		out = append(out, draws.Columns{LogW: bits&1 > 0, XFirst: bits&2 > 0, XLast: bits&4 > 0})
	}
	for bits := range 4 {
		out = append(out,
			draws.Columns{XFirst: true, XLast: true, Path: true, LogW: bits&1 > 0, Increments: bits&2 > 0})
	}
	return out
}

// testsOf returns the names of the tests that columns of one direction allow, for a task of 4
// distributions.
func testsOf(d chains.Direction, c draws.Columns) []string {
	var out []string
	add := func(is bool, names ...string) {
		for _, name := range names {
			if is {
				out = append(out, d.String()+" "+name)
			}
		}
	}
	add(c.XFirst, "x_1", "states of x_1")
	add(c.XLast, "x_T", "states of x_T")
	add(c.LogW, "log w", "finite log w", "distribution of log w")
	add(c.XFirst || c.XLast, "consecutive chains", "chains apart")
	add(c.XFirst && c.XLast, "x_1 and x_T")
	add(c.XFirst && c.LogW, "log w given x_1")
	add(c.XLast && c.LogW, "log w given x_T")
	add(true, "outcomes", "repeated chains")
	add(c.Path, "transitions at t = 2", "transitions at t = 3", "transitions at t = 4",
		"transitions of all stages")
	add(c.Path && (c.LogW || c.Increments), "increments")
	return out
}

// TestColumns: every subset of the columns passes, in one direction and in both, with and without
// log Z_1 in the weights; all that it allows is tested, and the columns that are missing for the
// rest are named.
func TestColumns(t *testing.T) {
	l := smallLaws(t)
	n := longtest.Times(1500, 3000)
	all := [2]*draws.Batch{drawn(t, l.task, chains.Forward, n, 2), drawn(t, l.task, chains.Reverse, n, 2)}
	raised := [2]*draws.Batch{}
	for d, b := range all {
		raised[d] = aCopy(b)
		floats.AddConst(l.task.LogZ1, raised[d].LogW)
	}
	for _, c := range subsets() {
		for which := 1; which < 4; which++ {
			for _, included := range []bool{false, true} {
				if !longtest.Enabled() && (which != 3 || included) ||
					!longtest.More() && included != (which == 3) {
					continue
				}
				from := all
				if included {
					from = raised
				}
				var in Input
				var want []string
				if which&1 > 0 {
					in.Forward = source(from[0], c)
					want = append(want, testsOf(chains.Forward, c)...)
				}
				if which&2 > 0 {
					in.Reverse = source(from[1], c)
					want = append(want, testsOf(chains.Reverse, c)...)
				}
				if ends := c.XFirst || c.XLast; which == 3 && ends {
					want = append(want, "forward and reverse chains")
				}
				if which == 3 {
					want = append(want, OutcomesTest)
				}
				what := fmt.Sprintf("%+v, directions %b, log Z_1 included: %v", c, which, included)
				out := checked(t, l, in, Options{LogZIncluded: included})
				passes(t, what, out)
				var got []string
				for _, r := range out.Results {
					got = append(got, r.Test)
					if r.Draws != n || len(r.Looks) == 0 || r.Looks[len(r.Looks)-1].Draws != n {
						t.Errorf("%s: %s has %d draws, and looks at %v", what, r.Test, r.Draws, r.Looks)
					}
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Errorf("%s: the tests are %q, want %q", what, got, want)
				}
				checkUntested(t, what, out, c, which)
			}
		}
	}
}

// checkUntested checks that exactly the missing columns are named, for each direction that there
// is.
func checkUntested(t *testing.T, what string, out *Outcome, c draws.Columns, which int) {
	t.Helper()
	for i, d := range directions {
		text := ""
		for _, s := range out.Untested {
			if strings.Contains(s, "the "+d.String()+" chains") {
				text += s + "\n"
			}
		}
		is := which&(1<<i) > 0
		for name, missing := range map[string]bool{"x_first": !c.XFirst, "x_last": !c.XLast, "log_w": !c.LogW,
			"neither log weights nor increments": c.Path && !c.LogW && !c.Increments} {
			if got := strings.Contains(text, name); got != (is && missing) {
				t.Errorf("%s, %v: %q is named: %v; not tested: %q", what, d, name, got, out.Untested)
			}
		}
	}
}

// TestSteepTargets: on targets of which probabilities are subnormal, or the variance of log w below
// its rounding, the needs of a task are numbers and right chains pass, in both directions. The
// check of cells:0:0/0:-200 did not end.
func TestSteepTargets(t *testing.T) {
	longtest.Only(t)
	targets := []string{
		"cells:0:0/0:-200", "cells:0:-720/3:-1", "cells:0:-inf:3", "cells:0:0.1:0.30000000000000004:0.3"}
	if longtest.More() {
		targets = append(targets, "cells:0:0/0:-37", "cells:0:0/0:-720", "cells:0:800/0:0", "cells:0:-700:3",
			"cells:0:-745", "cells:0", "cells:0:-36:-72",
			"random:12:1:3x3", "random:40:1:3x3", "cells:0:1e4/0:0")
	}
	for _, toy := range targets {
		l := lawsOf(t, toy, 3, "linear")
		for _, h := range longtest.Must(Needs(t.Context(), l.task, DefaultAlpha, 0, nil))(t) {
			if !(h.KL >= 0) || !(h.Found >= 1) || !(h.Named >= 1) {
				t.Errorf("%s, %v, %s: %+v", toy, h.Of, h.Hypothesis, h)
			}
		}
		out := checked(t, l, Input{Forward: source(drawn(t, l.task, chains.Forward, 3000, 1), short),
			Reverse: source(drawn(t, l.task, chains.Reverse, 3000, 1), short)}, Options{})
		passes(t, toy, out)
		for _, s := range out.Sides {
			for _, o := range s.Odds {
				if math.IsNaN(o.LogOdds) || math.IsNaN(o.Posterior) || math.IsNaN(o.LogE) {
					t.Errorf("%s, %v: %+v", toy, s.Direction, o)
				}
			}
		}
	}
}
