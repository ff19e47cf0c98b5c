package casetest

import (
	"context"
	"testing"

	"breadboard/chains"
	"breadboard/experiments"
)

func Selection(lengths []int, toys ...string) experiments.Selection {
	return experiments.Selection{Toys: toys, Distributions: lengths, Path: "geometric", Schedule: "linear", Kernel: "metropolis"}
}

func MustCases(t *testing.T, s experiments.Selection) []experiments.Case {
	t.Helper()
	cases, err := s.Cases(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// Stuck is a kernel that leaves the space.
type Stuck struct{}

func (Stuck) Move(chains.Chooser, []float64, int) int { return -1 }
