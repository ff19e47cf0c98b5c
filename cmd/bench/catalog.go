package bench

import (
	"context"

	"breadboard/chains/selector"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// choice is a form of selectors.
type choice struct {
	Syntax  string `json:"syntax"`
	Doc     string `json:"doc"`
	Example string `json:"example"`
}

// catalog answers with everything that can be asked about.
func (s *Server) catalog(ctx context.Context, to Reply, r *Request) error {
	if _, err := query(r, nil); err != nil {
		return err
	}
	l := s.options.Limits
	return s.writeJSON(to, object{
		{"version", s.options.Version},
		{"toys", s.choices(s.forms.Targets.Listing)}, {"kernels", s.choices(s.forms.Kernels.Listing)},
		{"paths", s.choices(s.forms.Paths.Listing)},
		{"schedules", s.choices(s.forms.Schedules.Listing)}, {"initials", s.choices(s.forms.Initials.Listing)},
		{"studies", s.routedStudies()},
		{"defaults", object{
			{"toy", standardToy}, {"T", standardT}, {"path", subject.Default("path")},
			{"initial", subject.Default("initial")},
			{"schedule", subject.Default("schedule")}, {"kernel", subject.Default("kernel")},
		}},
		{"limits", object{
			{"T", l.T}, {"stages", l.Stages}, {"states", l.States}, {"side", l.Side},
			{"cells", toys.MaxCells}, {"numbers", l.Numbers}, {"chains", l.Chains},
			{"body", l.Body}, {"draws", l.Draws}, {"address", l.URL}, {"seconds", l.Time.Seconds()},
		}},
	})
}

// routedStudy is a study of the catalogue that has a route.
type routedStudy struct {
	Route      string   `json:"route"`
	Asks       string   `json:"asks"`
	Parameters []string `json:"parameters"` // its own
}

// routedStudies returns the studies with routes that derive from the catalogue.
func (s *Server) routedStudies() []routedStudy {
	list := []routedStudy{} // which is written as a list also if it is empty
	for _, each := range routed(s.options.Studies) {
		route := derivedRoute(each)
		list = append(list, routedStudy{"/api/" + route.name, each.Asks, append([]string{}, route.more...)})
	}
	return list
}

// choices returns the forms of a set that the bench takes: those that name no file and no program.
func (s *Server) choices(set *selector.Listing) []choice {
	list := []choice{}
	for _, form := range set.All() {
		if !outside(s.forms, form.Example) && !form.Program {
			list = append(list, choice{form.Syntax, form.Doc, form.Example})
		}
	}
	return list
}
