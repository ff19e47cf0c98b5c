package evidence_test

import (
	"context"
	"math"
	"testing"

	estimators "breadboard/chains/evidence"
	"breadboard/exact/evidence"
	"breadboard/exact/internal/exacttest"
)

func TestScratch(t *testing.T) {
	for _, name := range []string{"barrier", "easy", "hard", "clu8", "bin4"} {
		tg := nestedTarget(t, name, "metropolis")
		for _, k := range []int{2, 5, 10, 100, 200} {
			for _, ties := range []estimators.Ties{0, 1} {
				for _, v := range []estimators.Volume{0, 1} {
					l, err := evidence.NewNestedExact(tg, k, ties, v)
					if err != nil {
						t.Fatal(err)
					}
					m, err := l.Moments(context.Background(), 1)
					b, _ := l.Above(context.Background(), tg.LogZ+.25)
					c, _ := l.Above(context.Background(), tg.LogZ+1)
					t.Log(name, k, ties, v, m.LogMean+tg.Offset, m.Mean+tg.Offset, m.SD, b, c, l.Work())
				}
			}
		}
	}
	_ = math.Pi
	_ = exacttest.Build
}
