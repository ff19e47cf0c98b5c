package tightness

import (
	"context"
	"fmt"

	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/toys"
)

// mostWhole is the largest number of states on which a row of classes is computed again.
const mostWhole = 1 << 18

// checkWhole computes a row of classes again on the states themselves, as far as they are not too many, and compares the numbers. Classes whose
// members differ (see toys.Quotient) are compared without being judged. A note says what the largest difference is.
func (r *Row) checkWhole(ctx context.Context, h study.How) error {
	if toys.DemandOf(r.Toy.Whole()).States > mostWhole {
		r.Notes = append(r.Notes, fmt.Sprintf("the states of %s are more than %d, and were not solved beside their classes", r.Toy.Whole(), mostWhole))
		return nil
	}
	return experiments.OnStates(ctx, &r.Case, func(whole *experiments.Case) error {
		full, err := exact.Solve(ctx, whole.Annealing(), exact.Options{Workers: h.Workers})
		if err != nil {
			return err
		}
		tolerance := 2 * exact.MeanTolerance(r.Distributions(), full.MeanLogWForward, full.MeanLogWReverse)
		largest := 0.0
		for _, pair := range []struct {
			name      string
			got, want float64
		}{
			{"J", r.J, full.J}, {"B", r.B, full.B}, {"KL(q_T || p_T)", r.KLQP, full.KLQP}, {"KL(p_T || q_T)", r.KLPQ, full.KLPQ},
			{"E_fwd[log w]", r.MeanLogWForward, full.MeanLogWForward}, {"E_rev[log w]", r.MeanLogWReverse, full.MeanLogWReverse}, {"log(Z_T/Z_1)", r.LogZRatio, full.LogZRatio},
		} {
			identity := exact.NewIdentity(pair.name+" of the states", pair.got, pair.want, tolerance)
			largest = max(largest, identity.Error)
			if r.Toy.Spread == 0 {
				r.Identities = append(r.Identities, identity)
			}
		}
		r.Notes = append(r.Notes, fmt.Sprintf("on the %d states of %s the numbers differ by %.2g nats at most", whole.Toy.Space.States(), whole.Toy.Name, largest))
		return nil
	})
}
