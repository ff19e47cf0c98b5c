package evidence

import (
	"context"
	"math"

	"breadboard/chains/estimators"
	"breadboard/exact/laws"
	"breadboard/experiments"
	"breadboard/experiments/study"
)

// NestedRow is a point of the figure of nested sampling: how far E log Z-hat is from log Z on one target, in nats.
type NestedRow struct {
	experiments.Case
	Particles, Moves int
	Ties             estimators.Ties
	Volume           estimators.Volume
	Bias             float64 // NaN where the law is not known
}

// nestedParticles are the numbers of particles in the figure.
func nestedParticles() []int { return []int{2, 3, 5, 10, 20, 50, 100, 200} }

// nestedMoves are the numbers of moves of two particles in the figure. A law takes time in proportion to the cube of the number of
// states, so that there are fewer of them on a larger space.
func nestedMoves(states int) []int {
	if states > 64 {
		return []int{0, 1, 3, 10}
	}
	return []int{0, 1, 2, 3, 5, 10, 20, 50, 100}
}

// nestedJobs returns the jobs of the figure of nested sampling, which set the biases of the rows that the target shares: for every rule for
// ties and both volumes, against the number of particles, or of moves where these draw them.
func nestedJobs(t *target) (jobs []study.Job[Row]) {
	var list []estimators.NestedOptions
	for _, volume := range []estimators.Volume{estimators.VolumePaper, estimators.VolumeUnbiased} {
		for _, ties := range []estimators.Ties{estimators.TiesLabel, estimators.TiesStrict} {
			for _, k := range nestedParticles() {
				list = append(list, estimators.NestedOptions{Particles: k, Ties: ties, Volume: volume})
			}
		}
		for _, m := range nestedMoves(len(t.LogL)) {
			list = append(list, estimators.NestedOptions{Particles: 2, Ties: estimators.TiesTogether, Volume: volume, Moves: m})
		}
	}
	t.shared.Nested = make([]NestedRow, len(list))
	for i, o := range list {
		row := &t.shared.Nested[i]
		*row = NestedRow{*t.on, o.Particles, o.Moves, o.Ties, o.Volume, math.NaN()}
		jobs = append(jobs, study.Job[Row]{Rows: func(ctx context.Context, h study.How) ([]Row, error) {
			law, err := laws.NewNestedLaw(ctx, t.Target, o, h.Workers)
			if err != nil {
				return nil, ctx.Err()
			}
			if m, err := law.Moments(ctx, 1); err == nil {
				row.Bias = m.Mean - t.LogZ
			}
			return nil, ctx.Err()
		}})
	}
	return jobs
}
