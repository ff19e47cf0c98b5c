package rank_test

import (
	"context"
	"fmt"

	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/rank"
	"breadboard/experiments/study"
)

// At equal work sweeps of heat-bath moves beat Metropolis on barrier, although each of their samples costs twelve times as much.
func ExampleStudy() {
	ctx := context.Background()
	contest, err := rank.NewContest(ctx, samplers.Selection{
		Toys: []string{"easy", "barrier"}, Kernels: []string{"metropolis", "heatbath-scan"}, Starts: []string{"uniform"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := rank.Study().Run(ctx, []rank.Contest{*contest}, rank.Options{Budget: 10_000, Chains: 8}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%-7s %-13s N = %5d, RESS %.4g\n", r.Toy.Name, r.Kernel, r.N, r.Scores[rank.Mean].RESS)
	}
	for _, s := range rank.Standings(rows) {
		fmt.Printf("%-13s mean NESS %.2g, wins %v\n", s.Kernel, s.Scores[rank.Mean].MeanNESS, s.Scores[rank.Mean].Wins)
	}
	// Output:
	// easy    metropolis    N = 10000, RESS 19.13
	// easy    heatbath-scan N =   834, RESS 232
	// barrier metropolis    N = 10000, RESS 0.2903
	// barrier heatbath-scan N =   834, RESS 620
	// heatbath-scan mean NESS 0.079, wins 2
	// metropolis    mean NESS 0.0018, wins 0
}
