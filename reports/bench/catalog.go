package bench

import (
	"net/http"

	"breadboard/chains/paths"
	"breadboard/chains/selector"
	"breadboard/experiments"
	"breadboard/experiments/external"
	"breadboard/experiments/placement"
	"breadboard/toys"
)

// choice is a form of selectors.
type choice struct {
	Syntax  string `json:"syntax"`
	Doc     string `json:"doc"`
	Example string `json:"example"`
}

// catalog answers with everything that can be asked about.
func (s *Server) catalog(w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r, nil); err != nil {
		return err
	}
	l := s.options.Limits
	return s.writeJSON(w, object{
		{"version", s.options.Version},
		{"toys", choices(toys.Forms())}, {"kernels", choices(external.Forms())}, {"paths", choices(paths.Forms())},
		{"schedules", choices(placement.Forms())}, {"initials", choices(toys.InitialForms())},
		{"defaults", object{
			{"toy", standardToy}, {"T", standardT}, {"path", experiments.Default("path")}, {"initial", experiments.Default("initial")},
			{"schedule", experiments.Default("schedule")}, {"kernel", experiments.Default("kernel")},
		}},
		{"limits", object{
			{"T", l.T}, {"stages", l.Stages}, {"states", l.States}, {"side", l.Side}, {"cells", toys.MaxCells}, {"numbers", l.Numbers}, {"chains", l.Chains},
			{"body", l.Body}, {"address", l.URL}, {"seconds", l.Time.Seconds()},
		}},
	})
}

// choices returns the forms of a set that the bench takes: those that name no file and no program.
func choices[E, T any](s selector.Set[E, T]) []choice {
	list := []choice{}
	for _, form := range s.All() {
		if !outside(form.Example) && !form.Program {
			list = append(list, choice{form.Syntax, form.Doc, form.Example})
		}
	}
	return list
}
