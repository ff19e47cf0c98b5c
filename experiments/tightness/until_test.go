package tightness_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"breadboard/experiments"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/tightness"
	"breadboard/grid/longtest"
)

func goal(quantity string, limit float64) tightness.Goal {
	return tightness.Goal{Quantity: quantity, Limit: limit, MostT: 5000, Within: time.Minute}
}

// TestUntil: the T that is found meets the limit and the one below does not, by solving both, and where J falls with T no smaller
// one does. A limit that T = 2 meets, one that is met exactly, and the largest T itself are found too.
func TestUntil(t *testing.T) {
	longtest.NotShort(t)
	s := casetest.Selection(nil, "easy", "random:1:3:3x3")
	s.Distributions = nil
	valueAt := func(toy string, T int) (J, B float64) {
		rows := casetest.Rows(t, tightness.Study(), casetest.MustCases(t, casetest.Selection([]int{T}, toy)), tightness.Options{})
		return rows[0].J, rows[0].B
	}
	for _, g := range []tightness.Goal{goal("J", 0.05), goal("B", 0.5), goal("J", 100)} {
		found, err := tightness.Until(context.Background(), s, g, tightness.Options{}, study.How{})
		if err != nil || len(found) != 2 {
			t.Fatal(found, err)
		}
		for i, f := range found {
			T := f.Distributions()
			of := func(T int) float64 {
				J, B := valueAt(s.Toys[i], T)
				if g.Quantity == "B" {
					return B
				}
				return J
			}
			if !f.Met || of(T) > g.Limit || T > 2 && (of(T-1) <= g.Limit || f.Below != of(T-1)) || T == 2 && !math.IsNaN(f.Below) {
				t.Errorf("%v on %s: T = %d, %v; %v", g, s.Toys[i], T, f.Below, f.Met)
			}
			for smaller := 2; smaller < T; smaller++ {
				if of(smaller) <= g.Limit {
					t.Errorf("%v on %s: T = %d meets it, found %d", g, s.Toys[i], smaller, T)
				}
			}
		}
	}
	exactly, _ := valueAt("easy", 37)
	s.Toys = []string{"easy"}
	g := goal("J", exactly)
	g.MostT = 37
	if found, err := tightness.Until(context.Background(), s, g, tightness.Options{}, study.How{}); err != nil || !found[0].Met || found[0].Distributions() != 37 {
		t.Errorf("%+v, %v", found, err)
	}
	g.MostT = 36
	if found, err := tightness.Until(context.Background(), s, g, tightness.Options{}, study.How{}); err != nil || found[0].Met || found[0].Distributions() != 36 || !strings.Contains(found[0].Why, "T = 36 is the largest") {
		t.Errorf("%+v, %v", found, err)
	}
	g = goal("J", 1e-9)
	g.Within = time.Nanosecond
	if found, err := tightness.Until(context.Background(), s, g, tightness.Options{}, study.How{}); err != nil || found[0].Met || found[0].Tried != 1 || !strings.Contains(found[0].Why, "the time of 1ns is over") {
		t.Errorf("%+v, %v", found, err)
	}
	s.Distributions = []int{3}
	if _, err := tightness.Until(context.Background(), s, g, tightness.Options{}, study.How{}); err == nil {
		t.Error("T is given as well")
	}
	s.Distributions, s.Schedule = nil, "cess:0.9"
	if _, err := tightness.Until(context.Background(), s, goal("J", 1), tightness.Options{}, study.How{}); err == nil || !strings.Contains(err.Error(), "says itself how many distributions") {
		t.Errorf("the schedule has a T of its own: %v", err)
	}
	if _, err := tightness.Until(context.Background(), experiments.Selection{}, tightness.Goal{}, tightness.Options{}, study.How{}); err == nil {
		t.Error("an empty goal passes")
	}
}

// TestUntilNever: the search ends at its first T where J is never below the limit, since the kernel stays in its classes, and goes on where a limit
// above the floor can be met.
func TestUntilNever(t *testing.T) {
	s := casetest.Selection(nil, "barrier")
	s.Distributions, s.Kernel = nil, "heatbath-axis:0"
	for _, g := range []tightness.Goal{goal("J", 2.5), goal("B", 2.5)} {
		found, err := tightness.Until(context.Background(), s, g, tightness.Options{}, study.How{})
		if err != nil || !found[0].Never || found[0].Met || found[0].Tried != 1 || !strings.Contains(found[0].Why, "J is never below 2.54843") {
			t.Errorf("%+v, %v", found, err)
		}
	}
	if found, err := tightness.Until(context.Background(), s, goal("B", 2.6), tightness.Options{}, study.How{}); err != nil || found[0].Never || !found[0].Met {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestParseGoal(t *testing.T) {
	for text, want := range map[string]tightness.Goal{
		" B = 1e-2": {Quantity: "B", Limit: 0.01}, "J<=2": {Quantity: "J", Limit: 2}, "J < 0.5": {Quantity: "J", Limit: 0.5, Below: true},
	} {
		var g tightness.Goal
		if err := g.Parse(text); g != want || err != nil {
			t.Errorf("%q is %+v, %v", text, g, err)
		}
	}
	for text, want := range map[string]string{"J": "no limit", "K=1": "no limit", "J=": "is no number", "J=0": "not above 0", "J=-1": "not above 0", "J=nan": "is no number", "": "no limit", "J>1": "no limit", "J<": "is no number", "<1": "no limit", "J<<1": "is no number", "J=<1": "is no number"} {
		if err := new(tightness.Goal).Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
