package verdicts_test

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/experiments/verdicts"
	"breadboard/grid"
)

// Ten thousand runs of annealed importance sampling on a line of five states, each an estimate of
// Z_T / Z_1, and the same with a tenth of every estimate lost.
func ExampleNewUnbiased() {
	g := []float64{2, 0, -3, 0, 1}
	path, _ := paths.NewGeometric(nil, g)
	line, _ := grid.New(5)
	a, _ := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: line}, 20)
	runs, err := simulate.Run(a, chains.Forward, chains.NewSampler(simulate.NewStream(1, "example", 0)), 10_000, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	logZ := 0.0 // Z_T / Z_1 is the mean of exp(g)
	for _, v := range g {
		logZ += math.Exp(v) / 5
	}
	logZ = math.Log(logZ)
	largest, _ := verdicts.LargestWeight(context.Background(), a)

	for _, lost := range []float64{0, 0.1} {
		test, _ := verdicts.NewUnbiased(logZ, largest)
		for _, w := range runs.LogW {
			if err := test.Add([]float64{w + math.Log1p(-lost)}); err != nil {
				fmt.Println(err)
			}
		}
		fmt.Printf("log e-value %.1f: %s\n", test.LogE(), test.Where())
	}
	// Output:
	// log e-value -0.1: the log of the mean of the estimates is 0.8830168108 (standard error 0.0056) and log Z is 0.8884775049
	// log e-value 149.1: the log of the mean of the estimates is 0.7776562952 (standard error 0.0056) and log Z is 0.8884775049; if anything, the estimates are too low; the strongest evidence is estimate 6434, with the logarithm -1.0001
}

// Estimates of a lower bound on log Z = 0: values around 0.1 with an error of 0.2 are too high for
// it.
func ExampleNewLower() {
	test, _ := verdicts.NewLower(0)
	for i := range 1000 {
		if err := test.Add([]float64{0.1 + 0.2*math.Sin(float64(i))}); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Printf("log e-value %.1f\n", test.LogE())
	fmt.Println("a false alarm this strong has a probability below 1e-6:", test.LogE() > math.Log(1e6))
	// Output:
	// log e-value 96.6
	// a false alarm this strong has a probability below 1e-6: true
}
