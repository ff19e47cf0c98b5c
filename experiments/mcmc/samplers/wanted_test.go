package samplers_test

import (
	"context"
	"fmt"
	"testing"

	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/grid/longtest"
)

// TestSameAlone: a column that is asked for alone has the same cells as among all, by each method,
// on gentle targets, steep ones, some with states of probability zero, and a reducible chain.
func TestSameAlone(t *testing.T) {
	longtest.Only(t)
	for _, toy := range []string{
		"barrier:3x3", "cells:0:0:1", "cells:0:-37:2", "cells:0:-700/-700:0", "cells:0:-inf:0:1"} {
		for _, kernel := range []string{"metropolis", "heatbath-scan"} {
			t.Run(fmt.Sprint(toy, " ", kernel), func(t *testing.T) {
				s := samplers.Selection{
					Reader:    forms.Reader(),
					Toys:      []string{toy},
					Kernels:   []string{kernel},
					Starts:    []string{"uniform", "target"},
					Functions: []string{"x0", "all"},
				}
				problems, err := s.Problems(context.Background())
				if err != nil {
					t.Skip(err)
				}
				casetest.SameAlone(t, samplers.Times(), problems, samplers.TimesOptions{MI: 0.01, TV: 0.01})
				for _, method := range []string{"recursion", "squaring"} {
					casetest.SameAlone(t, samplers.Errors(), problems,
						samplers.ErrorsOptions{N: []int64{1, 10, 40}, Method: method})
				}
			})
		}
	}
}

// TestLawsAlone is the same of distributions, of a function with the values 0 and 1, which has a
// distribution of R-hat, and of one with others.
func TestLawsAlone(t *testing.T) {
	longtest.Only(t)
	for _, toy := range []string{"barrier:3x3", "cells:0:-37:2", "cells:0:-700/-700:0"} {
		s := samplers.Selection{
			Reader:    forms.Reader(),
			Toys:      []string{toy},
			Kernels:   []string{"heatbath-scan"},
			Starts:    []string{"uniform"},
			Functions: []string{"x0", "x0<=0"},
		}
		problems, err := s.Problems(context.Background())
		longtest.NoError(t, err)
		casetest.SameAlone(t, samplers.Laws(), problems, samplers.LawsOptions{N: []int{2, 9}, Chains: 2})
	}
}
