package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/views"
)

// derivedRoutes returns a route for each study of the catalogue that is about one annealing, as sweeps ask it. The parameters of the route are
// those of its sweeps, and its answer is that of its command.
func derivedRoutes() (list []studyRoute) {
	for _, s := range views.Catalogue() {
		if unrouted(s) == "" {
			list = append(list, derivedRoute(s))
		}
	}
	return list
}

// unrouted says why a study of the catalogue has no route, and is empty for one that has.
func unrouted(s *views.Study) string {
	switch {
	case s.Swept == nil:
		return s.Unswept
	case s.Swept.Build != nil:
		return "it is not about an annealing"
	case slices.ContainsFunc(ownRoutes(), func(r studyRoute) bool { return r.name == routeName(s) }):
		return "it has one with limits of its own"
	}
	return ""
}

// routeName returns the name of the route of a study.
func routeName(s *views.Study) string { return strings.ReplaceAll(s.Name, " ", "-") }

// derivedRoute returns the route of a study.
func derivedRoute(s *views.Study) studyRoute {
	own := s.Swept.Own()
	return studyRoute{
		name: routeName(s), more: experiments.Names(own), slow: true, weighed: func() *experiments.Study { return s.Swept },
		own: func(q *question) (experiments.Params, error) { return q.given(own) },
		plan: func(_ *Server, q *question) (*task, error) {
			given := q.options
			compute := func(ctx context.Context) (*reports.Report, error) {
				return s.Report(ctx, &q.subject, given, study.How{Workers: 1})
			}
			command, flags := s.Command(given)
			return &task{rows: 1, compute: compute, command: command, options: flags, program: program{
				imports: []string{"breadboard/experiments/study", "breadboard/reports/table", "breadboard/reports/views"},
				run:     fmt.Sprintf("views.Named(%q).Report(ctx, &cases[0], %s, study.How{})", s.Name, literal(given)), print: printReport("rows"),
			}}, nil
		},
	}
}

// literal returns parameters as a program in Go has them.
func literal(params experiments.Params) string {
	if len(params) == 0 {
		return "nil"
	}
	parts := make([]string, len(params))
	for i, p := range params {
		parts[i] = fmt.Sprintf("{Name: %q, Value: %q}", p.Name, p.Value)
	}
	return "experiments.Params{" + strings.Join(parts, ", ") + "}"
}

// given returns those parameters of a study that the query has, in canonical form.
func (q *question) given(own []experiments.Parameter) (params experiments.Params, err error) {
	for _, p := range own {
		text := strings.TrimSpace(q.more.Get(p.Name))
		if text == "" {
			continue
		}
		value, err := canonical(p, text)
		if err != nil {
			return nil, bad(p.Name, err)
		}
		params = append(params, experiments.Param{Name: p.Name, Value: value})
	}
	return params, nil
}

// canonical returns the canonical form of the text of a parameter of a study.
func canonical(p experiments.Parameter, text string) (string, error) {
	if p.Number != nil {
		v, err := selector.ParseNumber(text)
		if err != nil {
			return "", fmt.Errorf("%s: %w", p.Name, err)
		}
		return p.Text(v)
	}
	if outside(text) || experiments.LawForms().File(text) != "" {
		return "", fmt.Errorf("%s %q names a file or a program, and the bench reads none; run the command in a terminal", p.Name, short(text))
	}
	if p.Canonical == nil {
		return text, nil
	}
	return p.Canonical(text)
}
