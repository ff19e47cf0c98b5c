package samplers

import (
	"context"
	"testing"

	"breadboard/exact/averages"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// TestProgress: the steps that are expected of a method are those that it makes, and what is
// reported adds up to those of the study.
func TestProgress(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	problems := longtest.Must(Selection{Toys: []string{"barrier"}, Kernels: []string{"metropolis"}, Starts: []string{"uniform"},
		Functions: []string{"x0"}}.Problems(ctx))(t)
	for _, method := range []averages.Method{averages.Recursion, averages.Squaring} {
		for _, estimates := range [][]string{nil, {mean}, {variance}} {
			o := ErrorsOptions{N: []int64{3000, 10}, Method: string(method), Estimates: estimates}
			all := longtest.Must(o.questions(problems))(t)
			q, made, reported := all[0], 0, 0
			counted := q.Question
			counted.Progress = func(n int) { made += n }
			longtest.Must(q.problem.Chain.Errors(ctx, counted, q.method))(t)
			longtest.NoError(t, q.answer(ctx, study.How{Progress: func(n int) { reported += n }}))
			if expected := q.problem.Chain.Steps(q.Question, q.method); made != expected || reported != q.steps {
				t.Errorf("%s, %v: %d steps, and %d expected; %d of %d reported", method, estimates, made, expected, reported, q.steps)
			}
		}
	}
}
