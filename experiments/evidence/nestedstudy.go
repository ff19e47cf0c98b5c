package evidence

import (
	"context"

	estimators "breadboard/chains/evidence"
	laws "breadboard/exact/evidence"
	"breadboard/experiments"
)

// NestedRow is a point of the figure of nested sampling: how far E log Z-hat is from log Z on one target, in nats.
type NestedRow struct {
	experiments.Case
	Particles, Moves int
	Ties             estimators.Ties
	Volume           estimators.Volume
	Bias             float64
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

// nestedJobs returns the jobs of the figure of nested sampling: for every rule for ties and both volumes, the bias against the number
// of particles, or of moves where these draw them. A law that is not known leaves its point out.
func nestedJobs(t *target) (jobs []job) {
	add := func(o estimators.NestedOptions) {
		jobs = append(jobs, job{on: t.on, point: func(ctx context.Context, workers int) ([]NestedRow, error) {
			law, err := laws.NewNestedLaw(ctx, t.Target, o, workers)
			if err != nil {
				return nil, ctx.Err()
			}
			m, err := law.Moments(ctx, 1)
			if err != nil {
				return nil, ctx.Err()
			}
			return []NestedRow{{*t.on, o.Particles, o.Moves, o.Ties, o.Volume, m.Mean - t.LogZ}}, nil
		}})
	}
	for _, volume := range []estimators.Volume{estimators.VolumePaper, estimators.VolumeUnbiased} {
		for _, ties := range []estimators.Ties{estimators.TiesLabel, estimators.TiesStrict} {
			for _, k := range nestedParticles() {
				add(estimators.NestedOptions{Particles: k, Ties: ties, Volume: volume})
			}
		}
		for _, m := range nestedMoves(len(t.LogL)) {
			add(estimators.NestedOptions{Particles: 2, Ties: estimators.TiesTogether, Volume: volume, Moves: m})
		}
	}
	return jobs
}
