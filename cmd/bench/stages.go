package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/exact/stages"
	"breadboard/toys"
)

// target answers with the target of the annealing and the distribution that it starts from.
func (s *Server) target(ctx context.Context, to Reply, r *Request) error {
	return s.built(ctx, to, r, s.first,
		nil, func(_ context.Context, q *question) (object, error) { return q.described(), nil })
}

// built answers with what is computed of an annealing, on a place of a lane, for a question that
// may have more parameters.
func (s *Server) built(ctx context.Context, to Reply, r *Request, on *lane, more []string,
	compute func(context.Context, *question) (object, error)) error {
	q, err := s.readQuestion(r, more...)
	if err != nil {
		return err
	}
	var out object
	err = on.inside(ctx, q.limits.Stream, func(ctx context.Context) error {
		err := q.build(ctx, nil)
		if err == nil {
			out, err = compute(ctx, q)
		}
		return err
	})
	if err != nil {
		return err
	}
	return s.writeJSON(to, out)
}

// described returns what there is to say about the toy: its states, log f, and both ends of the
// path.
func (q *question) described() object {
	toy, n := q.toy, q.toy.Space.States()
	rows, columns := drawn(toy)
	// a longer line is drawn in several rows, and is not painted
	cells := toy.Plane() != nil || toy.Cells() != "" && n <= q.limits.Side
	labels := []string{}
	if !cells || toy.InWords() {
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
		{"question", q.canonical()}, {"name", toy.Name}, {"description", toy.Description}, {"states", n},
		{"lattice", cells && !toy.ByLabel()},
		{"rows", rows}, {"columns", columns}, {"labels", labels}, {"g", numbers(toy.G)}, {"p", numbers(p)},
		{"initial", numbers(initial)},
		{"cells", toy.Cells()},
	}
}

// drawn returns the rows and columns of cells in which the page draws a toy: those of a plane, and
// a single row for any other space.
func drawn(toy *toys.Toy) (rows, columns int) {
	if plane := toy.Plane(); plane != nil {
		return plane.Side(0), plane.Side(1)
	}
	return 1, toy.Space.States()
}

// standardFrames is the number of stages that are shown where neither stages nor their number is
// given.
const standardFrames = 41

// frames answers with the distributions at some stages: that which a stage stands for, and those of
// both chains there.
func (s *Server) frames(ctx context.Context, to Reply, r *Request) error {
	more := []string{"stages", "count"}
	return s.built(ctx, to, r, s.quick, more, func(ctx context.Context, q *question) (object, error) {
		at, err := q.stages(3 * q.toy.Space.States())
		if err != nil {
			return nil, err
		}
		list := []object{}
		marginals, err := stages.Marginals(ctx, q.subject.Annealing(), at)
		for _, m := range marginals {
			list = append(list, object{{"stage", m.Stage}, {"beta", scalar(m.Beta)}, {"p", numbers(m.P)},
				{"forward", numbers(m.Forward)},
				{"reverse", numbers(m.Reverse)}})
		}
		return object{{"question", q.canonical()}, {"frames", list}}, err
	})
}

// stages returns the stages that are asked for, or a number of them from 1 to T, as evenly as whole
// numbers are. That many numbers are answered for each of them.
func (q *question) stages(each int) ([]int, error) {
	T := q.subject.Distributions()
	most := q.limits.Numbers / each
	if most < 2 {
		return nil, bad("toy",
			errs.New("a stage has %d numbers, and at most %d are answered for two; take a smaller space",
				each, q.limits.Numbers))
	}
	list, err := q.wholes("stages", 1, T, most)
	if err != nil || list != nil {
		return list, err
	}
	count, err := q.wholeNumber("count", 2, q.limits.Numbers, min(standardFrames, most))
	if err != nil {
		return nil, err
	}
	if count > most {
		return nil, bad("count", fmt.Errorf(
			"count is %d, and with %d numbers for each stage at most %d stages are answered at once",
			count,
			each,
			most,
		))
	}
	return stages.Spread(T, count)
}

// follow answers with the distributions of the states of a forward chain at some stages, given the
// state at which it is at another stage.
func (s *Server) follow(ctx context.Context, to Reply, r *Request) error {
	return s.built(ctx, to, r, s.quick, []string{"stage", "state", "stages", "count"},
		func(ctx context.Context, q *question) (object, error) {
			stage, err := q.needed("stage", 1, q.subject.Distributions())
			if err != nil {
				return nil, err
			}
			x, err := q.needed("state", 0, q.toy.Space.States()-1)
			if err != nil {
				return nil, err
			}
			at, err := q.stages(q.toy.Space.States())
			if err != nil {
				return nil, err
			}
			list := []object{}
			laws, err := stages.Follow(ctx, q.subject.Annealing(), chains.Forward, stage, x, at)
			for _, l := range laws {
				list = append(list, object{{"stage", l.Stage}, {"beta", scalar(l.Beta)}, {"law", numbers(l.Law)}})
			}
			return object{{"question", q.canonical()}, {"frames", list}}, q.toy.Explain(err)
		})
}

// needed returns a parameter of the route that is a whole number and cannot be left out.
func (q *question) needed(name string, low, high int) (int, error) {
	if q.more.Get(name) == "" {
		return 0, bad(name, errors.New("give the "+name))
	}
	return q.wholeNumber(name, low, high, 0)
}
