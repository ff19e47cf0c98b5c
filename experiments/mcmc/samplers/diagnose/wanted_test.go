package diagnose_test

import (
	"context"
	"fmt"
	"testing"

	"breadboard/experiments/draws/files"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/grid/longtest"
	"breadboard/reports/columns"
)

// TestSameAlone: a column that is asked for alone has the same cells as among all, of simulated
// chains and of draws from a file.
func TestSameAlone(t *testing.T) {
	s := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{"barrier:3x3", "cells:0:-37:2"},
		Kernels:   []string{"metropolis"},
		Starts:    []string{"uniform"},
		Functions: []string{"x0", "g"},
	}
	problems := longtest.Must(s.Problems(context.Background()))(t)
	casetest.SameAlone(t, diagnose.Study(), problems, diagnose.Options{N: []int64{4, 39, 500}, Chains: 3, Seed: 1})
	for _, draws := range [][][]float64{
		{{1, 2, 1, 3, 4, 3, 5, 9, 20, 90, -4}}, {{1, 1, 1, 1}, {1, 2, 1, 1}},
		{{1e-320, 2e-320, 0, 1e-321}, {0, 0, 1e-320, 5e-324}, {0, 0, 0, 0}}} {
		d := &files.Draws{Names: []string{"a"}, Sources: []string{"d.csv"}, NotFinite: []string{""},
			Values: [][][]float64{draws}}
		variable := func(wanted columns.Wanted) *diagnose.Variable {
			return &longtest.Must(diagnose.Variables(t.Context(), d, nil, wanted, func(int) {}))(t)[0]
		}
		all := variable(nil)
		for _, f := range diagnose.VariableFields() {
			if got, want := fmt.Sprint(f.Of(variable(columns.Wanted{f.Name}))), fmt.Sprint(f.Of(all)); got != want {
				t.Errorf("%s is %s alone, and %s with all columns", f.Name, got, want)
			}
		}
	}
}
