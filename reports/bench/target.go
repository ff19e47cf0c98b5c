package bench

import (
	"context"
	"net/http"
	"slices"

	"breadboard/chains"
)

// target answers with the target of the annealing and the distribution that it starts from.
func (s *Server) target(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ask(r)
	if err != nil {
		return err
	}
	var out object
	err = s.first.inside(r.Context(), q.limits.Time, func(ctx context.Context) error {
		if err := q.build(ctx, nil); err != nil {
			return err
		}
		out = q.described()
		return nil
	})
	if err != nil {
		return err
	}
	return s.writeJSON(w, out)
}

// described returns what there is to say about the toy: its states, log f, and both ends of the path.
func (q *question) described() object {
	toy, n := q.toy, q.toy.Space.States()
	rows, columns := 1, n
	plane := toy.Plane()
	if plane != nil {
		rows, columns = plane.Side(0), plane.Side(1)
	}
	labels := []string{}
	if plane == nil || toy.InWords() {
		for x := range n {
			labels = append(labels, toy.State(x))
		}
	}
	initial := make([]float64, n)
	q.subject.Annealing().LogF(initial, 1)
	chains.Normalize(initial)
	p := slices.Clone(toy.G)
	chains.Normalize(p)
	return object{
		{"question", q.canonical()}, {"name", toy.Name}, {"description", toy.Description}, {"states", n}, {"lattice", plane != nil && !toy.ByLabel()},
		{"rows", rows}, {"columns", columns}, {"labels", labels}, {"g", numbers(toy.G)}, {"p", numbers(p)}, {"initial", numbers(initial)},
		{"cells", toy.Cells()},
	}
}
