package stages_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/exact/internal/exacttest"
	"breadboard/exact/stages"
)

func TestContributionsSumToB(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 8, 12)
		c, err := stages.Contributions(context.Background(), a)
		if a.Path().Zeros() {
			if err == nil || !strings.Contains(err.Error(), "infinite") {
				t.Fatalf("zeros of f: %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		s := exacttest.Solve(t, a)
		total, size := 0.0, 1.0
		for _, v := range c {
			total += v
			size += math.Abs(v)
		}
		if len(c) != a.Distributions()-1 || !exacttest.Same(total, s.B, 1e-12, size) {
			t.Fatalf("%d contributions sum to %v, B is %v", len(c), total, s.B)
		}
	})
}
