package bench

import (
	"context"
	"net/http"

	"breadboard/chains"
	"breadboard/chains/schedules"
)

const (
	mostBetasShown = 1001
	curvePoints    = 9
)

// schedule answers with the betas of the stages, and with a curve of few points that comes near to them, to be dragged.
func (s *Server) schedule(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ask(r)
	if err != nil {
		return err
	}
	rows, curve := []object{}, ""
	err = s.quick.inside(r.Context(), q.limits.Time, func(ctx context.Context) error {
		if err := q.build(ctx, nil); err != nil {
			return err
		}
		a := q.of.Annealing()
		for _, t := range evenly(a.Distributions(), mostBetasShown) {
			rows = append(rows, object{{"t", t}, {"beta", number(a.Beta(t))}})
		}
		curve, err = curveThrough(a)
		return err
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, object{{"question", q.canonical()}, {"rows", rows}, {"curve", curve}, {"notes", q.doubts()}})
}

// curveThrough returns the selector of the curve that goes through the schedule of an annealing at few points, each at an equal distance
// of t from the next one, with straight lines between the stages.
func curveThrough(a *chains.Annealing) (string, error) {
	T := a.Distributions()
	betas := make([]float64, curvePoints)
	for k := range betas {
		steps := k * (T - 1)
		t, part := 1+steps/(curvePoints-1), float64(steps%(curvePoints-1))/(curvePoints-1)
		if betas[k] = a.Beta(t); part > 0 {
			betas[k] += part * (a.Beta(t+1) - a.Beta(t))
		}
	}
	curve, err := schedules.NewCurve(betas)
	if err != nil {
		return "", internal(err)
	}
	return curve.String(), nil
}
