package diagnostics_test

import (
	"fmt"

	"breadboard/chains/diagnostics"
)

// Two chains that have stayed in different places: few effective draws, and an R-hat far above one.
func Example() {
	draws := diagnostics.Draws{
		{5, 5, 6, 6, 6, 5, 6, 5, 5, 5, 6, 5, 6, 6, 5, 5, 4, 4, 4, 5},
		{2, 2, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 0, 1, 1, 2, 2, 2},
	}
	ess, err := diagnostics.ESSBulk(draws)
	if err != nil {
		fmt.Println(err)
		return
	}
	rhat, err := diagnostics.RHatRank(draws)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("ESS %.1f of 40, R-hat %.2f\n", ess, rhat)
	// Output: ESS 4.4 of 40, R-hat 2.01
}

// An effective sample size of 400 beside errors like those of two draws.
func ExampleESSD() {
	low, high := diagnostics.Region(8, 0.95)
	fmt.Printf("%.1f standard deviations; RESS of 8 good chains is from %.2f to %.2f of the ESS\n", diagnostics.ESSD(400, 2, 8), low, high)
	// Output: 39.4 standard deviations; RESS of 8 good chains is from 0.46 to 3.67 of the ESS
}
