package conform

import (
	"context"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/internal/casetest"
)

func TestPowerfulExplore(t *testing.T) {
	var cases []experiments.Case
	for _, s := range PowerfulSelections(casetest.Selection(nil), false, false, false) {
		cases = append(cases, casetest.MustCases(t, s)...)
	}
	list, err := Powerful(context.Background(), cases, 1e-6, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		t.Log(c.Task.Case.Toy.Name, c.Task.Case.Params, c.Chains, c.Hidden, c.Worst)
	}
	for _, h := range list[0].Tellings {
		t.Log(h.Direction, h.Hypothesis, h.KL, h.Found, h.Named, h.Alike)
	}
}
