// Package particles answers: does an external program for sequential Monte Carlo do what the task
// says, and if not, what does it do instead? On a small target, an annealing or a hidden Markov
// model, two or three particles have a distribution that is known exactly: of log Zhat, the parents
// of all slots, the last states and the output, in runs and in conditional runs. Unordered
// particles, up to ten, are described by how many are in each state. Runs of the program are tested
// against it by e-processes: over all tests, at any time, a false alarm has at most a probability
// of alpha. All known mistakes are tested too: each has the distribution of the same program with
// that bug (package planted).
//
// It never computes a distribution for more particles than can be enumerated, or counted, and never
// says that an implementation is right. Runs are assumed to be independent of each other.
package particles

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/exact/kernel"
	"breadboard/exact/program"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/subject"
)

// MostOrdered is the largest number of particles in slots whose order matters. More particles are
// described by how many are in each state.
const MostOrdered = 4

// The limits of a task, whose distribution is enumerated.
const (
	minParticles = 2
	maxParticles = MostOrdered
	maxCrowd     = 100 // followed by counts
	maxStates    = 64
	maxStages    = 8
)

// Setting describes sequential Monte Carlo.
type Setting struct {
	Particles int // P
	Scheme    particle.Scheme
	Threshold float64 // particles are resampled if ESS < Threshold P; always if it is 1, never if it is 0
	Unordered bool    // whether the order of slots has no meaning: records then have the multisets of states of all stages
}

// Task is sequential Monte Carlo on one annealing, or on one hidden Markov model, to be
// implemented. It has every number on which its distribution depends.
type Task struct {
	Setting
	Names   subject.Params // the toy and the parameters of the annealing, or the model, for people
	LogF    [][]float64    // LogF[t-1][x] is log f_t(x), t = 1..T, in nats; all finite
	Kernels [][][]float64  // Kernels[t-2][x][y] is the probability T_t(x, y), t = 2..T
	HMM     *particle.HMM  // replaces LogF and Kernels; nil for an annealing
}

// New returns the task of an annealing. It fails if the annealing is too large to enumerate, if a
// kernel does not leave its distribution invariant, and if a state has density zero: all particles
// could then be lost, which the distribution does not include.
func New(ctx context.Context, c subject.Case, s Setting) (*Task, error) {
	a := c.Annealing()
	if a == nil {
		return nil, errors.New("a task needs an annealing, but the case has none")
	}
	t := &Task{Setting: s, Names: c.Parts()}
	if err := t.checkSizes(a.States(), a.Distributions()-1); err != nil {
		return nil, c.Wrong(err)
	}
	for stage := 1; stage <= a.Distributions(); stage++ {
		logf := make([]float64, a.States())
		a.LogF(logf, stage)
		t.LogF = append(t.LogF, logf)
		if stage == 1 {
			continue
		}
		rows, err := kernel.NewRows(ctx, a.KernelAt(stage), logf)
		if err != nil {
			return nil, c.Wrong(fmt.Errorf("stage t = %d: %w", stage, err))
		}
		matrix := make([][]float64, a.States())
		for x := range matrix {
			matrix[x] = make([]float64, a.States())
			for _, e := range rows.Row(x) {
				matrix[x][e.To] += e.P
			}
		}
		t.Kernels = append(t.Kernels, matrix)
	}
	if err := t.check(); err != nil {
		return nil, c.Wrong(err)
	}
	return t, nil
}

// States returns the number of states, T the number of distributions or observations, and Stages
// that of resamplings, T - 1.
func (t *Task) States() int {
	if t.HMM != nil {
		return len(t.HMM.Pi)
	}
	return len(t.LogF[0])
}

func (t *Task) T() int {
	if t.HMM != nil {
		return len(t.HMM.Y)
	}
	return len(t.LogF)
}

func (t *Task) Stages() int { return t.T() - 1 }

// LogZRatio returns log(Z_T/Z_1), of which Zhat is an unbiased estimate: of a hidden Markov model
// the log probability of its observations.
func (t *Task) LogZRatio() float64 {
	if t.HMM != nil {
		_, logZ := t.HMM.Forward()
		return logZ
	}
	return number.LogMean(t.LogF[t.T()-1]) - number.LogMean(t.LogF[0])
}

// checkSizes fails if the distribution is too large to be enumerated, whatever the numbers are.
func (t *Task) checkSizes(states, stages int) error {
	most := maxParticles
	if t.countable() {
		most = maxCrowd
	}
	switch {
	case t.Unordered && t.Particles > most && t.Threshold != 1:
		return chains.NewAdvice("%d particles; above %d only counts are tracked, and these need {threshold} 1: unequal weights belong to single particles",
			t.Particles, most)
	case t.Unordered && t.Particles > most && !t.countable():
		return chains.NewAdvice(
			"%d particles; above %d only counts are tracked, and these need {resample} multinomial or residual: other schemes depend on the order of the particles",
			t.Particles, most)
	case t.Particles < minParticles || t.Particles > most:
		return fmt.Errorf("%d particles; the distribution can be enumerated for %d to %d", t.Particles, minParticles, most)
	case states < 2 || states > maxStates:
		return fmt.Errorf("%d states; the distribution can be enumerated on 2 to %d, as on the toy random:2:0:2x2", states, maxStates)
	case t.HMM != nil && (stages < 1 || stages > maxStages):
		return chains.NewAdvice("%d observations; the distribution can be enumerated for 2 to %d; give another number of {observations}", stages+1, maxStages+1)
	case stages < 1 || stages > maxStages:
		return chains.NewAdvice("the distribution can be enumerated for 2 to %d distributions; give another {T}", maxStages+1)
	}
	if err := particle.CheckSMC(t.Particles, t.Threshold); err != nil {
		return err
	}
	if t.Threshold > 0 && t.Threshold*float64(t.Particles) <= 1 {
		return fmt.Errorf(
			"threshold %v; the effective sample size is never below 1, so %d particles would never be resampled; give more than %.4g, or 0 for no resampling",
			t.Threshold, t.Particles, 1/float64(t.Particles))
	}
	return nil
}

const (
	// tolerance is how far the sums of a kernel's rows, and the distributions after a move, may be
	// off: the rounding of both.
	tolerance = 1e-12
	// maxRange is the largest difference of two log densities of a stage, in nats. With more,
	// weights are rounded to zero.
	maxRange = 300
)

// check fails if the numbers are none of a task.
func (t *Task) check() error {
	if t.HMM != nil {
		return t.checkModel()
	}
	if len(t.LogF) != len(t.Kernels)+1 || len(t.Kernels) == 0 {
		return fmt.Errorf("%d distributions and %d kernels; a task has a kernel for every distribution but the first", len(t.LogF), len(t.Kernels))
	}
	if err := t.checkSizes(t.States(), t.Stages()); err != nil {
		return err
	}
	for i, logf := range t.LogF {
		if len(logf) != t.States() {
			return fmt.Errorf("f_%d has %d states, and f_1 has %d", i+1, len(logf), t.States())
		}
		for x, v := range logf {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				return fmt.Errorf("log f_%d is %v at state %d; particles are tested on targets without zeros", i+1, v, x)
			}
		}
	}
	for i, logf := range t.LogF {
		if most := slices.Max(logf) - slices.Min(logf); most > maxRange {
			return fmt.Errorf("log f_%d has a range of %.4g nats; the limit of the test is %d", i+1, most, maxRange)
		}
	}
	for i := range t.Kernels {
		if err := t.checkKernel(i); err != nil {
			return fmt.Errorf("the kernel of stage t = %d: %w", i+2, err)
		}
	}
	return nil
}

// checkKernel fails if a kernel is no transition matrix, or does not leave its distribution
// invariant.
func (t *Task) checkKernel(i int) error {
	p, after := normalised(t.LogF[i+1]), make([]float64, t.States())
	if len(t.Kernels[i]) != t.States() {
		return fmt.Errorf("it has %d rows of %d", len(t.Kernels[i]), t.States())
	}
	for x, row := range t.Kernels[i] {
		sum := 0.0
		if len(row) != t.States() {
			return fmt.Errorf("row %d has %d entries of %d", x, len(row), t.States())
		}
		for y, v := range row {
			if !(v >= 0) {
				return fmt.Errorf("the probability of a move from %d to %d is %v", x, y, v)
			}
			sum += v
			after[y] += p[x] * v
		}
		if math.Abs(sum-1) > tolerance {
			return fmt.Errorf("row %d sums to %v", x, sum)
		}
	}
	for y := range after {
		if math.Abs(after[y]-p[y]) > tolerance {
			return fmt.Errorf("it does not leave f_%d invariant: state %d has the probability %v, and %v after a move", i+2, y, p[y], after[y])
		}
	}
	return nil
}

// normalised returns the distribution of a density that is given by its logarithm.
func normalised(logf []float64) []float64 {
	p := slices.Clone(logf)
	chains.Normalize(p)
	return p
}

// recorded is what program.Enumerate compares.
type recorded struct {
	whole string
	logZ  float64
}

// program returns the algorithm of the task, without a bug. It shares nothing with package
// chains/particle but the scheme.
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

// distribution returns the exact distribution of the records of a program, by making a run for
// every way in which its choices can come out.
func (t *Task) law(ctx context.Context, s *planted.Particles, d chains.Direction) ([]records.Atom, error) {
	target := t.flow().last
	law, err := program.Enumerate(ctx, func(c chains.Chooser) recorded {
		run := t.record(s, target, d, c)
		return recorded{records.Key(run.Whole), run.Reals[0]}
	}, program.Options{Cut: math.SmallestNonzeroFloat64, Branches: 4 * maxBranches})
	if wrong, is := errors.AsType[*program.Error](err); is && wrong.Kind == program.TooManyBranches { // which checkBranches has not counted
		return nil, t.tooLarge(4 * maxBranches)
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

// margin is how near the effective sample size may come to its threshold, as a part of it. Nearer,
// rounding decides whether particles are resampled, and programs that are right differ.
const margin = 1e-9

// checkThreshold fails if rounding decides whether particles are resampled, in a run whose weights
// are not all equal.
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
		return fmt.Errorf(
			"the effective sample size can equal the threshold %v times %d particles up to rounding, so rounding decides whether they are resampled; take another threshold",
			t.Threshold, t.Particles)
	}
	return nil
}
