package represent_test

import (
	"context"
	"fmt"

	"breadboard/experiments"
	"breadboard/experiments/represent"
	"breadboard/experiments/study"
)

// Summing out the right variables brings the sampler closer to its target, with less work.
func ExampleStudy() {
	ctx := context.Background()
	selection, _ := represent.Expand(ctx, experiments.Selection{
		Toys: []string{"gridclu"}, Distributions: []int{1000}, Path: "geometric", Schedule: "sigmoid:4", Kernel: "heatbath-scan",
	})
	cases, _ := selection.Cases(ctx)
	rows, err := represent.Study().Run(ctx, cases, study.NoOptions{}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%-5s J = %.5g, B = %.5g nats, work %v\n", r.Representation(), r.J, r.B, r.Work)
	}
	// Output:
	// z     J = 0.0011795, B = 0.012016 nats, work 3997
	// theta J = 3.236e-07, B = 0.0098843 nats, work 11989
	// both  J = 0.003413, B = 0.042075 nats, work 15985
}
