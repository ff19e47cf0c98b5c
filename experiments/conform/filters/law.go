package filters

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/exact/program"
	"breadboard/experiments/conform/records"
	"breadboard/experiments/planted"
)

// maxBranches is the largest number of ways in which the choices of a run may come out. One takes some two microseconds.
const maxBranches = 1 << 21

// recorded is what program.Enumerate compares.
type recorded struct {
	whole string
	logZ  float64
}

// program returns the algorithm of the task, without a bug. It shares nothing with package chains/particle but the scheme.
func (t *Task) program() *planted.Particles {
	return planted.NewParticles(t.flow(), t.Particles, t.Threshold).By(t.Scheme)
}

// record makes a run, or a conditional run from an exact draw of the target.
func (t *Task) record(s *planted.Particles, target []float64, d chains.Direction, c chains.Chooser) records.Record {
	if d == chains.Reverse {
		return t.recordOf(s.RecordMeta(c, c.Choose(target)))
	}
	return t.recordOf(s.Record(c))
}

// law returns the exact law of the records of a program, by making a run for every way in which its choices can come out.
func (t *Task) law(ctx context.Context, s *planted.Particles, d chains.Direction) ([]records.Atom, error) {
	if least := t.leastBranches(); least > maxBranches {
		return nil, t.tooLarge(d, fmt.Errorf("its choices come out in at least %.3g ways, of which at most %d are enumerated", least, maxBranches))
	}
	target := normalised(t.LogF[t.T()-1])
	law, err := program.Enumerate(ctx, func(c chains.Chooser) recorded {
		run := t.record(s, target, d, c)
		return recorded{records.Key(run.Whole), run.Reals[0]}
	}, program.Options{Cut: math.SmallestNonzeroFloat64, Branches: maxBranches})
	if wrong, is := errors.AsType[*program.Error](err); is && wrong.Kind == program.TooManyBranches {
		return nil, t.tooLarge(d, fmt.Errorf("its choices come out in more than %d ways", maxBranches))
	}
	if err != nil {
		return nil, err
	}
	var out []records.Atom
	for _, o := range law.Outcomes() {
		if o.P > 0 {
			out = append(out, records.Atom{Whole: o.Value.whole, Reals: []float64{o.Value.logZ}, P: o.P})
		}
	}
	return out, nil
}

// tooLarge returns the error of a law that cannot be enumerated.
func (t *Task) tooLarge(d chains.Direction, err error) error {
	return fmt.Errorf("the law of %s of %d particles on %d states with T = %d: %w; take fewer particles, states or distributions", what(d), t.Particles, t.States(), t.T(), err)
}

// leastBranches returns a number that the ways in which the choices of a run come out exceed: those of the starts and the moves alone.
func (t *Task) leastBranches() float64 {
	ways := float64(t.States())
	for _, kernel := range t.Kernels {
		fewest := t.States()
		for _, row := range kernel {
			fewest = min(fewest, len(row)-countZeros(row))
		}
		ways *= float64(fewest)
	}
	return math.Pow(ways, float64(t.Particles))
}

// countZeros returns how many numbers are zero.
func countZeros(v []float64) (n int) {
	for _, x := range v {
		if x == 0 {
			n++
		}
	}
	return n
}

// margin is how near the effective sample size may come to its threshold, as a part of it. Nearer, rounding decides whether
// particles are resampled, and programs that are right differ.
const margin = 1e-9

// checkThreshold fails where rounding decides whether particles are resampled, in a run whose weights are not all equal.
func (t *Task) checkThreshold(ctx context.Context) error {
	if t.Threshold == 0 || t.Threshold == 1 {
		return nil
	}
	s, tie := t.program(), false
	due := s.Due
	s.Due = func(w []float64) bool {
		squares := 0.0
		for _, v := range w {
			squares += v * v
		}
		tie = tie || math.Abs(t.Threshold*float64(t.Particles)*squares-1) < margin
		return due(w)
	}
	if _, err := t.law(ctx, s, chains.Forward); err != nil {
		return err
	}
	if tie {
		return fmt.Errorf("the effective sample size can be the threshold %v times %d particles but for rounding, which then decides whether they are resampled; take another threshold", t.Threshold, t.Particles)
	}
	return nil
}
