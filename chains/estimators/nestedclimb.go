package estimators

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// NestedStop is the stopping rule of nested sampling on states that need not tie: a run ends at the
// first step at which the next term would raise the sum by a factor of less than one plus this
// number. The next term is all of the remaining prior volume, times the likelihood of the least
// likely particle; it closes the sum (see NestedClimb). The next term of Grosse, Ghahramani and
// Adams (2015) is the share 1-r of it, a third for two particles, so that a run here makes about
// three steps more.
type NestedStop float64

// The stops. Grosse, Ghahramani and Adams (2015) state two: StopText is that of section 5.3, and
// StopExperiments that of section 6.2. With StopNever a run ends when no particle survives, which
// may never come about if likelihoods do not tie.
const (
	StopNever       NestedStop = 0
	StopText        NestedStop = 1e-10
	StopExperiments NestedStop = 4.5399929762484854e-05 // exp(-10)
)

// NestedClimbOptions are the settings of NestedClimb.
type NestedClimbOptions struct {
	Particles int          // K, at least 2
	Moves     int          // M, the moves of a copy, at least 0
	Stops     []NestedStop // at least one, each at least 0 and below 1
}

// Validate returns an error if the options are invalid.
func (o NestedClimbOptions) Validate() error {
	if err := (NestedOptions{Particles: o.Particles, Ties: TiesTogether, Moves: o.Moves}).Validate(); err !=
		nil {
		return err
	}
	if len(o.Stops) == 0 {
		return errs.New("nested sampling without a stop; give at least one, as %v", float64(StopText))
	}
	for _, stop := range o.Stops {
		if !(stop >= 0 && stop < 1) {
			return errs.New(
				"nested sampling that stops at a ratio of 1 + %v; give a number from 0, which never stops "+
					"it, to below 1",
				float64(stop),
			)
		}
	}
	return nil
}

// maxNestedSteps bounds the steps of a run of NestedClimb. With two particles a step takes about
// 0.4 nats off the prior volume, so that a posterior would have to be 400,000 nats away from its
// prior to need as many.
const maxNestedSteps = 1_000_000

// NestedClimb is nested sampling as Nested with TiesTogether makes it, for models of any size: it
// ends by a stop, since the likelihood of a continuous state can always rise a little more. Neither
// the assumed volumes nor the stop change any draw, so that one run gives the estimates of all
// volumes and all stops:
//
//	Z-hat = sum over t of r^(t-1) (1-r) L_t, where L_t is the likelihood of the least likely particle of step t
//
// All of the remaining volume at the end, r^T, goes to the likelihood of the least likely remaining
// particle. With exact draws and VolumeUnbiased the mean of Z-hat is below Z by a ratio of the
// order of the stop. Copies after few moves are not exact draws; nothing is known about the mean
// then.
//
// If one particle of K dies in a step, exact draws lower the log volume by 1/K on average.
// VolumePaper lowers it by log(1+1/K), and VolumeUnbiased by -log(1-1/K), so that with two
// particles log Z-hat comes out too high by about 0.095 nats for each step that it takes to the
// bulk of the posterior, or too low by 0.193. The mean of Z-hat is still Z because a few runs are
// far above it. A posterior that is 50 nats of volume away from its prior takes 100 steps, and one
// run's log Z-hat has a standard deviation of 0.5 times the square root of the steps.
//
// A run costs an evaluation for each particle, and MoveWork for each move.
//
// Source: Skilling 2006; Grosse, Ghahramani and Adams 2015, section 5.3, Eqs. 45 to 48, and section
// 6.2.
type NestedClimb[C chains.Chooser, S any] struct {
	o         NestedClimbOptions
	particles particles[C, S]
}

// NewNestedClimb returns nested sampling on a model. It fails for invalid options.
func NewNestedClimb[C chains.Chooser, S any](model Constrained[C, S],
	o NestedClimbOptions) (*NestedClimb[C, S], error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &NestedClimb[C, S]{o, particles[C, S]{model: model}}, nil
}

// NestedEnd is what a run of nested sampling estimates with one volume and one stop.
type NestedEnd struct {
	Volume Volume
	Stop   NestedStop
	LogZ   float64 // the logarithm of the estimate, in nats
	Steps  int     // the number of steps when the sum was closed
	Moves  int     // the number of moves of copies until then
}

// Run makes one run, and returns its estimates: for each volume, from VolumePaper on, those of the
// stops in the order of the options. It fails if the context ends, which it checks between moves,
// if a likelihood is +Inf or NaN, and if a stop has not been reached after MaxNestedSteps steps.
func (e *NestedClimb[C, S]) Run(ctx context.Context, c C) ([]NestedEnd, error) {
	e.particles.drawPrior(c, e.o.Particles)
	sums := e.sums()
	moves := 0
	for step := 0; step <= maxNestedSteps; step++ {
		floor := e.particles.floor()
		if math.IsNaN(floor) || math.IsInf(floor, 1) {
			return nil,
				errs.New("nested sampling has come to a state with a log likelihood of %v at step %d; the "+
					"likelihood of every state must be a finite number, or zero",
					floor, step)
		}
		open := false
		for i := range sums {
			open = sums[i].closeStops(floor, e.particles.tied(), step, moves) || open
		}
		if !open {
			return endsOf(sums), nil
		}
		for i := range sums {
			sums[i].z.addLevel(sums[i].volume.LogKept(e.o.Particles, e.particles.dead(floor)), floor)
		}
		made, err := e.particles.copySurvivors(ctx, c, floor, e.o.Moves)
		if err != nil {
			return nil, err
		}
		moves += made
	}
	return nil,
		errs.New("nested sampling has not come to an end after %d steps; the likelihood rises faster than the "+
			"prior volume shrinks, or the stop is too small",
			maxNestedSteps)
}

// Work returns what a run costs until one of its ends.
func (e *NestedClimb[C, S]) Work(end NestedEnd) Work {
	return Work{Evaluations: float64(e.o.Particles) + float64(end.Moves)*e.particles.model.MoveWork()}
}

// stoppedSum is the sum of a run with the volumes of one kind, and its estimates.
type stoppedSum struct {
	volume Volume
	z      nestedSum
	ends   []NestedEnd
	closed []bool // by end: whether it has come
}

// sums returns the sums of all volumes, with the stops of the options.
func (e *NestedClimb[C, S]) sums() []stoppedSum {
	var sums []stoppedSum
	for volume := VolumePaper; volume <= VolumeUnbiased; volume++ {
		s := stoppedSum{volume: volume, closed: make([]bool, len(e.o.Stops))}
		for _, stop := range e.o.Stops {
			s.ends = append(s.ends, NestedEnd{Volume: volume, Stop: stop})
		}
		sums = append(sums, s)
	}
	return sums
}

// closeStops closes the sum at a likelihood for all stops that have come, and reports whether some
// have not.
func (s *stoppedSum) closeStops(logL float64, tied bool, step, moves int) (open bool) {
	for i := range s.ends {
		if s.closed[i] {
			continue
		}
		end := &s.ends[i]
		stopped := s.z.logNextRatio(logL) < number.Log(float64(end.Stop))
		if !stopped && !tied {
			open = true
			continue
		}
		s.closed[i] = true
		end.LogZ = s.z.rest(logL)
		end.Steps = step
		end.Moves = moves
	}
	return open
}

func endsOf(sums []stoppedSum) []NestedEnd {
	var ends []NestedEnd
	for _, s := range sums {
		ends = append(ends, s.ends...)
	}
	return ends
}
