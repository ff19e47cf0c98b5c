package subject

import "context"

// Crossed is annealings by every combination of schedules and kernels.
type Crossed struct {
	Selection                   // its schedule is ignored, and its kernel if Kernels is not empty
	Schedules, Kernels []string // no kernels means that of the selection, and on factors a scan
}

// Cases builds and validates all annealings: for each toy by schedules and kernels. If some cannot
// be built it returns the others, with the error Failures.
func (s Crossed) Cases(ctx context.Context) (all []Case, err error) {
	var failed Failures
	for _, text := range s.Toys {
		for _, schedule := range s.Schedules {
			for _, kernel := range s.kernelsFor(ctx, text) {
				one := s.Selection
				one.Toys = []string{text}
				one.Schedule = schedule
				one.Kernel = kernel
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
	chained, _ := s.onFactors(ctx, toy)
	switch {
	case len(s.Kernels) > 0:
		return s.Kernels
	case s.Factored && chained:
		return []string{"heatbath-scan"}
	}
	return []string{s.Kernel}
}

// Annealings are the annealings that flags name, by lists of schedules and kernels if the study
// says so. Unscheduled ones have no flag of the schedule.
type Annealings struct {
	Crossed
	Unscheduled bool
}

// Annealed returns annealings with these defaults of T.
func Annealed(T ...int) *Annealings {
	return &Annealings{Crossed: Crossed{Selection: Selection{Default: T}}}
}

// Scheduled gives the annealings a schedule that is no flag.
func (a *Annealings) Scheduled(name string) *Annealings {
	a.Schedule = name
	a.Schedules = []string{name}
	a.Unscheduled = true
	return a
}
