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

// Must returns what a function has made, for calls that are no subject of a test and do not fail. It panics where one does.
func Must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}
