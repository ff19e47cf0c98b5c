package kernel_test

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/kernel"
	"breadboard/grid"
)

// lazy is a kernel of a user: it stays where it is with probability 1/2, and otherwise moves by
// another kernel.
type lazy struct{ kernel chains.Kernel }

func (k lazy) Move(c chains.Chooser, logf []float64, x int) int {
	if c.Flip(0.5) {
		return x
	}
	return k.kernel.Move(c, logf, x)
}

// A kernel that is written as one Move has exact rows, and so an exact J and B, with no further
// code.
func ExampleNewRows() {
	line, _ := grid.New(3)
	k := lazy{kernels.Metropolis{Space: line}}
	rows, _ := kernel.NewRows(context.Background(), k, []float64{0, 1, 0})
	for x := range rows.States() {
		for _, e := range rows.Row(x) {
			fmt.Printf("%d->%d %.4f\n", x, e.To, e.P)
		}
	}
	// Output:
	// 0->0 0.7500
	// 0->1 0.2500
	// 1->1 0.8161
	// 1->0 0.0920
	// 1->2 0.0920
	// 2->2 0.7500
	// 2->1 0.2500
}

// On a large space the gap comes with bounds: some eigenvalue is within GapError of it, and none
// leaves a gap below GapFloor, but for a probability of MissRisk over the start of the search.
// Metropolis on a line of n states under a flat target has the gap 1 - cos(pi/n), here 1.23e-06.
func ExampleDiagnose() {
	line, _ := grid.New(2000)
	d, _ := kernel.Diagnose(context.Background(), kernels.Metropolis{Space: line}, make([]float64, 2000))
	fmt.Printf("gap %.9e\n", d.SpectralGap)
	fmt.Println("an eigenvalue to eight digits:", d.GapError < 1e-8*d.SpectralGap)
	fmt.Printf("at least half of that: %v, proven: %v\n", d.GapFloor >= d.SpectralGap/2, d.Proven())
	// Output:
	// gap 1.233700296e-06
	// an eigenvalue to eight digits: true
	// at least half of that: true, proven: false
}
