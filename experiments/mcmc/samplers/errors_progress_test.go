package samplers

import (
	"context"
	"testing"

	"breadboard/exact/averages"

	"breadboard/grid/longtest"
)

// TestMeter: the steps that a meter expects of a method are those that it makes.
func TestMeter(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	problems := longtest.Must(Selection{Toys: []string{"barrier"}, Kernels: []string{"metropolis"}, Starts: []string{"uniform"},
		Functions: []string{"x0"}}.Problems(ctx))(t)
	for _, method := range []averages.Method{averages.Recursion, averages.Squaring} {
		for _, estimates := range [][]string{nil, {mean}, {variance}} {
			o := ErrorsOptions{N: []int64{3000, 10}, Method: string(method), Estimates: estimates}
			all := longtest.Must(o.questions(problems))(t)
			reported := 0
			m := newMeter(all[0], func(n int) { reported += n })
			m.total = 1000
			longtest.NoError(t, all[0].answer(ctx, m))
			if m.made != m.expected || reported != m.total {
				t.Errorf("%s, %v: %v steps, and %v expected; %d of %d reported", method, estimates, m.made, m.expected, reported, m.total)
			}
		}
	}
}
