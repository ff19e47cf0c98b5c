package laws_test

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/laws"
	"breadboard/toys/models"
)

// The mean of log Z-hat of one particle along the data of clu6 is below log Z, and back along the data above it. Scans after each
// datum widen the gap.
func ExampleNewSequential() {
	ctx := context.Background()
	data, err := models.Growing(models.Clu6())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, scans := range []estimators.Sweeps{0, 1, estimators.Perfect} {
		var means []float64
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			law, err := laws.NewSequential(ctx, data, estimators.ProposePosterior, scans, d, 0)
			if err != nil {
				fmt.Println(err)
				return
			}
			m, err := law.Moments(ctx, 1)
			if err != nil {
				fmt.Println(err)
				return
			}
			means = append(means, m.Mean-law.LogZ)
		}
		fmt.Printf("scans %-7s  forward %+.6f  reverse %+.6f\n", scans, means[0], means[1])
	}
	// Output:
	// scans 0        forward -0.116779  reverse +0.107555
	// scans 1        forward -0.236225  reverse +0.224853
	// scans perfect  forward -0.253896  reverse +0.249364
}
