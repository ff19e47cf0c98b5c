package subject

import (
	"context"
	"strconv"

	"breadboard/chains"
	"breadboard/toys"
)

// Crossed is annealings by every combination of schedules and kernels, and of factors of energies
// in files.
type Crossed struct {
	Selection                    // its schedule is ignored, and its kernel if Kernels is not empty
	Schedules, Kernels []string  // no kernels means that of the selection, and on factors a scan
	Betas              []float64 // the factors of toys that have none; nil if toys have their own
}

// Cases builds and validates all annealings: for each toy by its factors, then by schedules and
// kernels. If some cannot be built it returns the others, with the error Failures.
func (s Crossed) Cases(ctx context.Context) (all []Case, err error) {
	texts, err := s.scaled()
	if err != nil {
		return nil, err
	}
	var failed Failures
	for _, text := range texts {
		for _, schedule := range s.Schedules {
			for _, kernel := range s.kernelsFor(ctx, text) {
				one := s.Selection
				one.Toys, one.Schedule, one.Kernel = []string{text}, schedule, kernel
				cases, err := one.Cases(ctx)
				if err := failed.Keep(ctx, err); err != nil {
					return nil, err
				}
				all = append(all, cases...)
			}
		}
	}
	return all, failed.OrNil()
}

// kernelsFor returns the kernels on a toy.
func (s Crossed) kernelsFor(ctx context.Context, toy string) []string {
	chained, _ := onFactors(ctx, toy)
	switch {
	case len(s.Kernels) > 0:
		return s.Kernels
	case s.Factored && chained:
		return []string{"heatbath-scan"}
	}
	return []string{s.Kernel}
}

// scaled returns the selectors of the toys with each of the factors.
func (s Crossed) scaled() (texts []string, err error) {
	if len(s.Betas) == 0 {
		for _, toy := range s.Toys {
			if toys.LacksFactor(toy) {
				return nil,
					chains.NewAdvice("toy %s has no final inverse temperature; give {beta}, as in {beta} 1,2,4, of which a larger one makes the best states likelier", toy)
			}
		}
		return s.Toys, nil
	}
	for _, toy := range s.Toys {
		for _, beta := range s.Betas {
			text, err := toys.WithFactor(toy, strconv.FormatFloat(beta, 'g', -1, 64))
			if err != nil {
				return nil, err
			}
			texts = append(texts, text)
		}
	}
	return texts, nil
}
