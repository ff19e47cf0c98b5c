package gap_test

import (
	"context"
	"fmt"

	"breadboard/experiments"
	"breadboard/experiments/gap"
	"breadboard/experiments/study"
)

// The gap B - J of BARRIER, in the order in which it arises.
func ExampleStudy() {
	cases, _ := experiments.Selection{
		Toys: []string{"barrier"}, Distributions: []int{100}, Path: "geometric", Schedule: "linear", Kernel: "metropolis",
	}.Cases(context.Background())
	rows, err := gap.Study().Run(context.Background(), cases, study.NoOptions{}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range rows[0].Spans(4) {
		fmt.Printf("up to beta %.2f: %.4f nats\n", s.BetaTo, s.Forward+s.Reverse)
	}
	fmt.Println("all identities hold:", rows[0].OK())
	// Output:
	// up to beta 0.24: 0.1212 nats
	// up to beta 0.49: 0.0357 nats
	// up to beta 0.75: 0.0051 nats
	// up to beta 1.00: 0.0006 nats
	// all identities hold: true
}
