package laws_test

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/laws"
	"breadboard/grid"
	"breadboard/toys"
)

// nestedAnnealing returns the annealing of a toy from its default initial distribution.
func nestedAnnealing(toy, kernel string) *chains.Annealing {
	y := must(toys.Parse(toy))
	initial := must(toys.ParseInitial(context.Background(), y.DefaultInitial(), y))
	k := must(kernels.Parse(kernel, y.Space))
	path := must(paths.GeometricBetween(initial.Ends))
	return must(chains.NewAnnealing(path, schedules.Linear{}, k, 2))
}

func nestedTarget(toy, kernel string) *laws.Target {
	return laws.NewTarget(nestedAnnealing(toy, kernel))
}

// nestedSchedule is the schedule of tests, which nested sampling has no use for.
func nestedSchedule() chains.Schedule { return schedules.Linear{} }

// nestedKernel is Metropolis' kernel on a line of so many states.
func nestedKernel(states int) chains.Kernel { return kernels.Metropolis{Space: grid.MustNew(states)} }

// nestedTargetOf returns the target of a prior and a likelihood on a line, and the constant that has been taken out of log Z. There is
// none where no state has mass.
func nestedTargetOf(logPrior, logL []float64) (on *laws.Target, offset float64, ok bool) {
	logF := make([]float64, len(logL))
	for x := range logF {
		logF[x] = logPrior[x] + logL[x]
		if math.IsInf(logPrior[x], -1) {
			logF[x] = logL[x]
		}
	}
	path, err := paths.NewGeometric(logPrior, logF)
	if err != nil {
		return nil, 0, false
	}
	a, err := chains.NewAnnealing(path, nestedSchedule(), nestedKernel(len(logL)), 2)
	if err != nil {
		return nil, 0, false
	}
	on = laws.NewTarget(a)
	return on, on.Offset, true
}
