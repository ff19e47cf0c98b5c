package toys_test

import (
	"math"
	"strings"
	"testing"

	"breadboard/toys"
)

// TestDemandOf: the demand that is read off a selector is that of the toy which is made of it, and every form that takes sides has one.
func TestDemandOf(t *testing.T) {
	sized := []string{
		"barrier:9x5", "random:2:0:3x4x5", "smooth:2:0:3:5x5", "ising:2x3:0.5:0.1", "potts:3:2x2:0.5", "schools:5x7", "graph:permutations:4:random:2:0",
		"graph:hypercube:5:random:2:0", "graph:path:17:random:1:1", "graph:torus:3x4:random:1:1", "graph:complete:6:random:1:1", "graph:cycle:8:random:1:1",
	}
	for _, selector := range sized {
		for _, name := range []string{selector, "mine=" + selector} {
			toy := must(toys.Parse(name))
			if got := toys.DemandOf(name).States; got != float64(toy.Space.States()) {
				t.Errorf("%s: %v states, want %d", name, got, toy.Space.States())
			}
		}
	}
	for _, form := range toys.Forms().All() {
		if form.File != nil || form.Name() == "mixture" {
			continue
		}
		toy := must(toys.Parse(form.Example))
		if got := toys.DemandOf(form.Example).States; got < float64(toy.Space.States()) {
			t.Errorf("%s: %v states, and the toy has %d", form.Example, got, toy.Space.States())
		}
		if strings.ContainsAny(form.Syntax, "x") && strings.Contains(form.Syntax, "RxC") || strings.Contains(form.Syntax, "DIMS") {
			found := false
			for _, selector := range sized {
				found = found || strings.HasPrefix(selector, form.Name()+":")
			}
			if !found {
				t.Errorf("%s has sides, and no selector of it is tested", form.Syntax)
			}
		}
	}
}

// TestDemandOfWhatIsHuge: a toy that nobody could make is recognised before anybody tries.
func TestDemandOfWhatIsHuge(t *testing.T) {
	for selector, least := range map[string]float64{
		"schools:3000x3000": 9e6, "barrier:99999x99999": 9e9, "random:2:0:1000x1000x1000": 1e9, "ising:100x100:1": math.Inf(1), "potts:3:5x5:1": 8e11,
		"graph:hypercube:60:random:1:1": 1e18, "graph:permutations:100:random:1:1": 1e157, "graph:torus:9999x9999:random:1:1": 9e7,
		"x=mixture:0.5*random:1:1:3000x3000+0.5*random:2:2:3000x3000": 18e6, "mixture:1*easy" + strings.Repeat("+1*easy", 999): 49e3,
	} {
		if got := toys.DemandOf(selector).States; got < least {
			t.Errorf("%s: %v states, want %v or more", selector, got, least)
		}
	}
}

// TestDemandOfSmoothing: passes of the filter count along each axis, and ten times where they are made of logarithms as well, as targets and as
// where a path starts.
func TestDemandOfSmoothing(t *testing.T) {
	for selector, want := range map[string]float64{
		"smooth:2:0:100000:9x9": 2e5, "smooth:2:0:100000": 2e5, "smooth:2:0:100000:3x3x3": 3e5, "x=smooth:2:0:7:9": 7, "smooth:1000:0:100:9x9": 2e3, "random:2:0": 0,
	} {
		if got := toys.DemandOf(selector).Passes; got != want {
			t.Errorf("%s: %v passes, want %v", selector, got, want)
		}
	}
	for _, c := range []struct {
		initial, toy string
		want         float64
	}{
		{"smoothed:100000", "barrier", 2e5}, {"smoothed:5", "random:2:0:3x3x3", 15}, {"smoothed:5", "cells:0:-601", 100}, {"smoothed:5", "cells:0:-600", 10},
		{"smoothed:5", "cells:0:-inf", 10}, {"uniform", "barrier", 0}, {"smoothed:5", "graph:complete:4:random:1:1", 0},
	} {
		toy := must(toys.Parse(c.toy))
		if got := toys.DemandOfInitial(c.initial, toy); got.Passes != c.want || got.States != float64(toy.Space.States()) {
			t.Errorf("%s of %s: %+v, want %v passes", c.initial, c.toy, got, c.want)
		}
	}
}
