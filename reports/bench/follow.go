package bench

import (
	"context"
	"errors"
	"net/http"

	"breadboard/chains"
	"breadboard/exact/stages"
)

// follow answers with the laws of the states of a forward chain at some stages, given the state at which it is at another stage.
func (s *Server) follow(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ask(r, "stage", "state", "stages", "count")
	if err != nil {
		return err
	}
	list := []object{}
	err = s.quick.inside(r.Context(), q.limits.Time, func(ctx context.Context) error {
		if err := q.build(ctx, nil); err != nil {
			return err
		}
		stage, err := q.needed("stage", 1, q.subject.Distributions())
		if err != nil {
			return err
		}
		x, err := q.needed("state", 0, q.toy.Space.States()-1)
		if err != nil {
			return err
		}
		at, err := q.stages(q.toy.Space.States())
		if err != nil {
			return err
		}
		laws, err := stages.Follow(ctx, q.subject.Annealing(), chains.Forward, stage, x, at)
		for _, l := range laws {
			list = append(list, object{{"stage", l.Stage}, {"beta", number(l.Beta)}, {"law", numbers(l.Law)}})
		}
		return q.toy.Explain(err)
	})
	if err != nil {
		return err
	}
	return s.writeJSON(w, object{{"question", q.canonical()}, {"frames", list}})
}

// needed returns a parameter of the route that is a whole number and cannot be left out.
func (q *question) needed(name string, low, high int) (int, error) {
	if q.more.Get(name) == "" {
		return 0, bad(name, errors.New("give the "+name))
	}
	return q.whole(name, low, high, 0)
}
