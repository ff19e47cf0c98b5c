package compare_test

import (
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/sandwich/compare"
	"breadboard/grid/longtest"
	"breadboard/toys/latent"
	"breadboard/toys/models"
)

// TestProtocol does what Grosse, Ancha and Roy (2016) show in figures 5 and 6, on data drawn from a low rank model in place of measured ones. On
// data of mean zero the curves in reverse coincide from S = 10 to 10,000, and the forward curves match. On the same data with 4 added
// to each number the forward curves do not match, and a doubt says so before. The seed is fixed; with others a verdict on data of the right
// kind is wrong in at most a twentieth of all cases.
func TestProtocol(t *testing.T) {
	longtest.Only(t) // it takes a minute
	c := chains.NewSampler(simulate.NewStream(1, "data for the protocol", 1))
	y, _ := latent.SimulateLowRank(c, 50, 25, 5, latent.DefaultLowRankHyper())
	for _, offset := range []float64{0, 4} {
		for _, row := range y {
			for j := range row {
				row[j] += offset
			}
		}
		o := compare.FittedOptions{
			Model: "lowrank:5", Table: &models.Table{Rows: y}, Scale: compare.ScaleNone, Moves: 1000, T: []int{10, 30, 100, 300, 1000}, S: []int{10, 100, 1000, 10_000},
			Chains: 20, Starts: 1, Datasets: 8, Seed: 1,
		}
		doubts, err := o.Doubts()
		if err != nil || len(doubts) > 1 || (len(doubts) == 1) != (offset > 0) {
			t.Errorf("offset %v: doubts %v, %v", offset, doubts, err)
		}
		out := longtest.Must(fit(o, 0))(t)
		if forward := compare.ForwardAgreement(out); forward.Differ() != (offset > 0) {
			t.Errorf("offset %v: forward curves %+v", offset, forward)
		}
		if reverse := compare.ReverseAgreement(out); offset == 0 && reverse.Differ() {
			t.Errorf("reverse curves do not coincide: %+v", reverse)
		}
		t.Logf("offset %v: %s", offset, strings.Join(compare.FittedFindings(out), "\n"))
	}
}
