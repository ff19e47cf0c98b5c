package samplers_test

import (
	"context"
	"fmt"

	"breadboard/experiments/samplers"
	"breadboard/experiments/study"
)

// Four Metropolis chains of 100 samples on barrier: R-hat is seldom low where the mean is wrong, but sixty-two times in a thousand no
// chain ever moves between the two values, all agree, and there is no R-hat that could warn.
func ExampleLaws() {
	ctx := context.Background()
	problems, err := samplers.Selection{
		Toys: []string{"barrier"}, Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform"}, Functions: []string{"x0<=1"},
	}.Problems(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := samplers.Laws().Run(ctx, problems, samplers.LawsOptions{N: []int{50}, Chains: 4}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%-10s success %.4f, R-hat < 1.01 and wrong %.2g, constant and wrong %.2g\n",
			r.Kernel, r.Success.P, r.RHat.BelowStrictAndWrong, r.RHat.ConstantAndWrong)
	}
	// Output:
	// metropolis success 0.0253, R-hat < 1.01 and wrong 0.00052, constant and wrong 0.062
	// heatbath   success 0.7031, R-hat < 1.01 and wrong 9.6e-05, constant and wrong 7.1e-21
}
