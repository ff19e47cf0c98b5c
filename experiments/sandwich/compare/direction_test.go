package compare

import (
	"context"
	"fmt"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/sandwich"
)

// TestDirections: the first half of the chains of a batch run forward and the others in reverse, each with random numbers of its own, and their
// means are the ends of its row.
func TestDirections(t *testing.T) {
	o := representationTiny()
	m, err := sandwich.ParseModel(o.Model)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := o.blocks(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	data, err := sandwich.Set{Model: m, Rows: o.Rows, Columns: o.Columns, Number: 2, Seed: o.Seed}.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows := representationRun(t, o)
	for representation, first := range map[int]int{0: 0, 1: 2 * (3 + 1)} { // of the rows with the first T
		ends := [2]float64{}
		for i := range 2 * o.Chains {
			d := []chains.Direction{chains.Forward, chains.Reverse}[i/o.Chains]
			purpose := fmt.Sprintf("%v in representation %s of data set 2 of lowrank:2 6 by 5 with T = 10", d, rows[first].Representation)
			want, err := data.Annealing(representation).Run(context.Background(), chains.NewSampler(simulate.NewStream(o.Seed, purpose, i)), 10, d)
			if err != nil {
				t.Fatal(err)
			}
			got, err := blocks[representation*len(o.T)][1].Chain(context.Background(), i)
			if err != nil {
				t.Fatal(err)
			}
			if got.LogZ != want.LogZ {
				t.Errorf("%s, chain %d: the log weight is %v, and %v where it runs %v", rows[first].Representation, i, got.LogZ, want.LogZ, d)
			}
			ends[i/o.Chains] += got.LogZ / float64(o.Chains)
		}
		if r := rows[first+1]; !(r.Lower-ends[0] < 1e-9 && ends[0]-r.Lower < 1e-9 && r.Upper-ends[1] < 1e-9 && ends[1]-r.Upper < 1e-9) {
			t.Errorf("the ends are %v, and the row has %v and %v", ends, r.Lower, r.Upper)
		}
	}
}
