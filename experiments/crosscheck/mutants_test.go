package crosscheck_test

import (
	"context"
	"errors"
	"testing"

	"breadboard/experiments/crosscheck"
	"breadboard/experiments/internal/casetest"
)

// TestMutantsNeedTheirProblem: what the mutants are not written for is refused, and an end of the context ends them.
func TestMutantsNeedTheirProblem(t *testing.T) {
	good := casetest.MustCases(t, casetest.Selection([]int{3}, "random:1:1:3x3"))[0]
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := crosscheck.RunMutants(ctx, good, crosscheck.Options{Alpha: 1e-6, Chains: 100}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context has ended: %v", err)
	}
	for _, alpha := range []float64{0, 0.99e-8, 1} {
		if _, err := crosscheck.RunMutants(context.Background(), good, crosscheck.Options{Alpha: alpha, Chains: 100}); err == nil {
			t.Errorf("an alpha of %v is accepted", alpha)
		}
	}
	if err := (crosscheck.Options{Alpha: 1e-8, Chains: 2}).Validate(); err != nil {
		t.Error(err)
	}
}
