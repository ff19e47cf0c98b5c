package geweke_test

import (
	"sync/atomic"
	"testing"

	"breadboard/experiments/geweke"
)

// TestSteps: right models make as many chains as the progress is told beforehand.
func TestSteps(t *testing.T) {
	var made atomic.Int64
	o := options(geweke.DefaultToy)
	o.Models, o.Size, o.Rounds = []string{"clustering"}, geweke.Size{Rows: 3, Columns: 2}, 1
	o.Progress = func(chains int) { made.Add(int64(chains)) }
	list, err := o.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := geweke.Study().Plan(t.Context(), list, &o.Options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(t.Context(), o.How); err != nil || int(made.Load()) != p.Steps || p.Steps != 3*o.Draws {
		t.Errorf("%v: %d chains, %d were announced", err, made.Load(), p.Steps)
	}
}
