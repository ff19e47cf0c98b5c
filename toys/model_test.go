package toys_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/toys"
)

// TestTemperedPath: it is for models, from their prior on.
func TestTemperedPath(t *testing.T) {
	for _, c := range []struct{ toy, initial, want string }{
		{"clu6", "prior", ""}, {"bin4", "prior", ""},
		{"clu6", "uniform", "choose a model as the target, as clu8, and prior as the initial distribution"}, {"clu8", "tempered:0.5", "prior as the initial"},
		{"easy", "uniform", "choose a model as the target"},
	} {
		toy, err := toys.Parse(c.toy)
		if err != nil {
			t.Fatal(err)
		}
		initial, err := toys.ParseInitial(context.Background(), c.initial, toy)
		if err != nil {
			t.Fatal(err)
		}
		path, err := toys.ParsePath("tempered", initial.Ends, toy)
		if c.want != "" {
			if path != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s from %s: %v, %v, want %q", c.toy, c.initial, path, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s from %s: %v", c.toy, c.initial, err)
			continue
		}
		got := make([]float64, len(toy.G))
		for _, end := range []struct {
			beta float64
			want []float64
		}{{0, toy.LogPrior}, {1, toy.G}} {
			path.LogF(got, chains.At(end.beta))
			for x, v := range got {
				if math.Abs(v-end.want[x]) > 1e-13 {
					t.Errorf("%s at %v: log f of state %d is %v, want %v", c.toy, end.beta, x, v, end.want[x])
				}
			}
		}
	}
}
