package ais_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

func onFactors(t *testing.T, toy, kernel string, T, n, workers int) ais.Row {
	t.Helper()
	s := experiments.Selection{Distributions: []int{T}, Path: "geometric", Schedule: "power:2", Kernel: kernel, Factored: true}
	cases, err := s.OnFactors(context.Background(), toy, errors.New("it is no product of factors"))
	longtest.NoError(t, err)
	rows, err := study.Run(context.Background(), ais.Study(), cases, ais.Options{Chains: n, Seed: 3}, study.How{Workers: workers})
	longtest.NoError(t, err)
	longtest.NoError(t, rows[0].Err)
	return rows[0]
}

// TestOnFactorsHasTheExactMeans: where the states can be listed too, what chains on factors estimate is within five standard errors of the exact expectations,
// with a schedule of which no two steps are alike.
func TestOnFactorsHasTheExactMeans(t *testing.T) {
	for _, toy := range []string{"ising:3x3:0.4:0.2", "potts:3:2x3:0.9"} {
		for _, kernel := range []string{"flip", "heatbath", "heatbath-scan"} {
			s := experiments.Selection{Toys: []string{toy}, Distributions: []int{12}, Path: "geometric", Schedule: "power:2", Kernel: kernel}
			cases, err := s.Cases(context.Background())
			longtest.NoError(t, err)
			listed, err := study.Run(context.Background(), ais.Study(), cases, ais.Options{Chains: 100, Seed: 1}, study.How{})
			longtest.NoError(t, err)
			got := onFactors(t, toy, kernel, 12, 20000, 0)
			for i, q := range got.Quantities {
				want := listed[0].Quantities[i]
				if z := (q.Estimate - want.Exact) / q.StandardError; !(math.Abs(z) < 5) {
					t.Errorf("%s, %s: %s is %v +- %v, exactly %v", toy, kernel, q.Name, q.Estimate, q.StandardError, want.Exact)
				}
			}
		}
	}
}

// TestPastEnumeration: on 20x20 spins log Z of elimination is between both bounds, estimates of it are within five standard errors, and the numbers do not
// depend on the workers.
func TestPastEnumeration(t *testing.T) {
	one, two := onFactors(t, "ising:20x20:0.3", "heatbath-scan", 100, 1500, 1), onFactors(t, "ising:20x20:0.3", "heatbath-scan", 100, 1500, 2)
	if !reflect.DeepEqual(one.Forward.LogW, two.Forward.LogW) || !reflect.DeepEqual(one.Reverse.LogW, two.Reverse.LogW) {
		t.Error("the log weights depend on the workers")
	}
	if low, high := one.Quantities[0].Estimate, one.Quantities[1].Estimate; !(low < one.Exact.LogZRatio && one.Exact.LogZRatio < high) {
		t.Errorf("log Z %v is not between %v and %v", one.Exact.LogZRatio, low, high)
	}
	if bar := one.Quantities[7]; bar.Name != "bar" || !(math.Abs(bar.Z()) < 5) {
		t.Errorf("%s is %v standard errors off", bar.Name, bar.Z())
	}
}

// TestFactoredRefusals: what needs states is refused with a cure.
func TestFactoredRefusals(t *testing.T) {
	s := experiments.Selection{Toys: []string{"ising:20x20:0.3"}, Distributions: []int{3}, Path: "geometric", Schedule: "linear", Kernel: "flip", Factored: true}
	for want, change := range map[string]func(*experiments.Selection){
		"geometric": func(s *experiments.Selection) { s.Path = "arithmetic" }, "uniform": func(s *experiments.Selection) { s.Initial = "tempered:0.5" },
		"heatbath-scan": func(s *experiments.Selection) { s.Kernel = "metropolis" }, "fisher": func(s *experiments.Selection) { s.Schedule = "fisher" },
	} {
		bad := s
		bad.Toys = append([]string(nil), s.Toys...)
		change(&bad)
		if _, err := bad.Cases(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
