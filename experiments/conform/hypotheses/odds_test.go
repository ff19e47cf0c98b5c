package hypotheses

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/planted"
	"breadboard/toys"
)

// TestOddsAreSorted: the likeliest hypothesis stands first and the others in their order, also those whose posterior is too small
// for a number.
func TestOddsAreSorted(t *testing.T) {
	toy := casetest.Must(toys.Parse("random:2:1:3x3"))
	path := casetest.Must(paths.NewGeometric(nil, toy.G))
	schedule := casetest.Must(schedules.Parse("linear"))
	a := casetest.Must(chains.NewAnnealing(path, schedule, kernels.Metropolis{Space: toy.Space}, 4))
	s := casetest.Must(New(context.Background(), Problem{Annealing: a, Space: toy.Space, Direction: chains.Forward, Columns: Columns{First: true, Last: true}}))
	program := casetest.Must(planted.Of(a, chains.Forward))
	program.Begin = planted.From(program.Target())
	tally := s.NewTally(rand.NewPCG(1, 2))
	sampler := chains.NewSampler(rand.NewPCG(3, 4))
	var first, last []int32
	for range 5000 {
		x, y, _ := chains.Run(program, sampler)
		first, last = append(first, int32(x)), append(last, int32(y))
	}
	tally.Add(first, last, nil)
	odds := tally.Odds()
	tiny := 0
	for i := range odds[1:] {
		if before, after := odds[i].LogOdds, odds[i+1].LogOdds; before < after || math.IsNaN(before) {
			t.Errorf("%q with %v stands before %q with %v", odds[i].Name, before, odds[i+1].Name, after)
		}
		if odds[i+1].Posterior == 0 && odds[i+1].LogOdds > math.Inf(-1) {
			tiny++
		}
	}
	if odds[0].Name != "forward chains start from the target" || tiny < 10 {
		t.Errorf("%q is likeliest, and %d posteriors are too small for a number", odds[0].Name, tiny)
	}
}
