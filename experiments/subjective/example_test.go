package subjective_test

import (
	"context"
	"fmt"

	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/experiments/subjective"
)

// Reverse chains that start from the uniform law give no bound on J, until they have been moved under the target often.
func ExampleStudy() {
	cases, _ := experiments.Selection{
		Toys: []string{"easy"}, Distributions: []int{100}, Path: "geometric", Schedule: "linear", Kernel: "metropolis",
	}.Cases(context.Background())
	rows, err := subjective.Study().Run(context.Background(), cases, subjective.Options{References: []string{"uniform"}, Moves: []int{0, 10, 100}}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range rows[0].Points {
		fmt.Printf("%d moves: %.4f nats, a bound: %v\n", p.Moves, p.Value, rows[0].IsBound(p))
	}
	fmt.Printf("J = %.4f nats\n", rows[0].Solution.J)
	// Output:
	// 0 moves: 0.0612 nats, a bound: false
	// 10 moves: 0.1690 nats, a bound: true
	// 100 moves: 0.3726 nats, a bound: true
	// J = 0.1301 nats
}
