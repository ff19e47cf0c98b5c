package bench

import (
	"context"
	"fmt"
	"net/http"

	"breadboard/exact/stages"
)

// standardFrames is the number of stages that are shown where neither stages nor their number is given.
const standardFrames = 41

// frames answers with the distributions at some stages: that which a stage stands for, and those of both chains there.
func (s *Server) frames(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ask(r, "stages", "count")
	if err != nil {
		return err
	}
	list := []object{}
	err = s.quick.inside(r.Context(), q.limits.Time, func(ctx context.Context) error {
		if err := q.build(ctx, nil); err != nil {
			return err
		}
		at, err := q.stages(3 * q.toy.Space.States())
		if err != nil {
			return err
		}
		marginals, err := stages.Marginals(ctx, q.subject.Annealing(), at)
		for _, m := range marginals {
			list = append(list, object{{"stage", m.Stage}, {"beta", number(m.Beta)}, {"p", numbers(m.P)}, {"forward", numbers(m.Forward)}, {"reverse", numbers(m.Reverse)}})
		}
		return err
	})
	if err != nil {
		return err
	}
	return s.writeJSON(w, object{{"question", q.canonical()}, {"frames", list}})
}

// stages returns the stages that are asked for, or a number of them from 1 to T, as evenly as whole numbers are. So many numbers are
// answered for each of them.
func (q *question) stages(each int) ([]int, error) {
	T := q.subject.Distributions()
	most := q.limits.Numbers / each
	if most < 2 {
		return nil, bad("toy", fmt.Errorf("a stage has %d numbers, and at most %d are answered for two; take a smaller space", each, q.limits.Numbers))
	}
	list, err := q.wholes("stages", 1, T, most)
	if err != nil || list != nil {
		return list, err
	}
	count, err := q.whole("count", 2, q.limits.Numbers, min(standardFrames, most))
	if err != nil {
		return nil, err
	}
	if count > most {
		return nil, bad("count", fmt.Errorf("count is %d, and with %d numbers for each stage at most %d stages are answered at once", count, each, most))
	}
	return stages.Spread(T, count)
}
