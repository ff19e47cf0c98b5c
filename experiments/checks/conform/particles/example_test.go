package particles_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/experiments/checks/conform/particles"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/subject"
)

// Runs of two particles in which the last slot gets the parent of the first one, on three states
// with T = 2. Their columns are the output and the parents alone.
func ExampleTask_Laws() {
	ctx := context.Background()
	cases, err := subject.Selection{Toys: []string{"random:2:0:3"}, Distributions: []int{2}, Path: "geometric", Schedule: "linear",
		Kernel: "metropolis"}.Cases(ctx)
	if err != nil {
		panic(err)
	}
	task, err := particles.New(ctx, cases[0], particles.Setting{Particles: 2, Scheme: particle.Multinomial{}, Threshold: 1})
	if err != nil {
		panic(err)
	}
	laws, err := task.Laws(ctx, 0, nil)
	if err != nil {
		panic(err)
	}
	c := chains.NewSampler(rand.NewPCG(1, 2))
	run := func() records.Record {
		states, w := make([]int, 2), make([]float64, 2)
		for i := range states {
			states[i] = c.Uniform(3)
			w[i] = math.Exp(task.LogF[1][states[i]] - task.LogF[0][states[i]])
		}
		parent := c.Choose([]float64{w[0] / (w[0] + w[1]), w[1] / (w[0] + w[1])})
		output := c.Choose(task.Kernels[0][states[parent]]) // of either slot
		return records.Record{Reals: []float64{0}, Whole: []int8{int8(output), 0, 0, int8(parent), int8(parent)}}
	}
	source := &records.Source{Name: "a sampler", Columns: []string{"output", "ancestor_2_0", "ancestor_2_1"},
		Next: func(_ context.Context, n int) (runs []records.Record, err error) {
			for range n {
				runs = append(runs, run())
			}
			return runs, nil
		}}
	found, err := laws.Check(ctx, []*records.Source{source}, records.Options{Alpha: records.DefaultAlpha, Runs: 10_000})
	if err != nil {
		panic(err)
	}
	side := found.Sides[0]
	fmt.Printf("fault: %t, after %d runs: %q\n", found.Fault(), side.NamedAt, side.Named)
	// Output:
	// fault: true, after 64 runs: ["the last slot repeats the first"]
}
