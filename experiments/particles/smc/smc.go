package smc

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/chains/simulate"
	"breadboard/exact"
	"breadboard/exact/smc"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// maxParticles is the largest number of particles.
const maxParticles = smc.MaxParticles

// Row holds the results of sequential Monte Carlo with one setting on one annealing. Numbers
// without an exact method are NaN, with a note; the relative variance and log(Z_T/Z_1) may be known
// all the same.
type Row struct {
	subject.Case
	smc.Setting
	*smc.Law
	// Limits are the limits of P times the relative variance and of P^2 J for many particles, with
	// the multinomial scheme at every stage; NaN for other settings.
	Limits smc.Limits
	// Estimates are those of simulation; nil unless requested.
	Estimates *Estimates
}

// never is the name of resampling with a threshold of zero.
const never = "never"

// Resample returns the name of the resampling scheme, or "never".
func (r *Row) Resample() string {
	if r.Threshold == 0 {
		return never
	}
	return r.Scheme.String()
}

// Options are the particles, their resampling, and the size of the simulation.
type Options struct {
	Particles  []int     // numbers of particles
	Resample   []string  // resampling schemes, for particle.ParseScheme
	Thresholds []float64 // when particles are resampled, as in law.Setting
	// the number of systems of particles that are simulated in each direction; 0 simulates none
	Chains int
	Seed   uint64 // the seed of all random streams
}

// Settings returns the settings with each of the numbers of particles, by scheme and by threshold.
// If the particles are never resampled, the scheme does not matter, and one setting represents all
// schemes.
func (o *Options) Settings() (out []smc.Setting, err error) {
	if len(o.Particles) == 0 || len(o.Resample) == 0 || len(o.Thresholds) == 0 {
		return nil, errs.New("nothing to do; give a value for {particles}, {resample} and {threshold}")
	}
	for _, p := range o.Particles {
		if p < 1 || p > maxParticles {
			return nil, errs.New(
				"{particles} %d; give whole numbers from 1 to 1e9, as in {particles|particles =} 1,2,3",
				p,
			)
		}
	}
	for _, t := range o.Thresholds {
		if !(t >= 0 && t <= 1) {
			return nil, errs.New(
				"{threshold} %v; give a number from 0 (never resample) to 1 (resample at every stage)",
				t,
			)
		}
	}
	schemes := make([]particle.Scheme, len(o.Resample))
	for i, text := range o.Resample {
		schemes[i], err = particle.ParseScheme(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
	}
	for _, t := range o.Thresholds {
		for i, s := range schemes {
			if t == 0 && i > 0 {
				continue
			}
			for _, p := range o.Particles {
				out = append(out, smc.Setting{Particles: p, Scheme: s, Threshold: t})
			}
		}
	}
	return out, o.checkMemory(out)
}

// These constants bound the memory of a simulation, in bytes per system and per particle.
const (
	bytesPerSystem   = 64
	bytesPerParticle = 64
	maxMemory        = 8e9
)

// checkMemory fails if the simulation of one of the settings would need too much memory, or has too
// few systems.
func (o *Options) checkMemory(settings []smc.Setting) error {
	if o.Chains == 0 {
		return nil
	}
	if o.Chains < 2 {
		return errs.New("{chains} %d; a standard error needs at least 2", o.Chains)
	}
	for _, s := range settings {
		if need := bytesPerSystem*float64(o.Chains) +
			bytesPerParticle*float64(s.Particles); need > maxMemory {
			return errs.New(
				"%d systems of %d particles need %s, and the limit is %.2g GB; give smaller "+
					"{chains} or {particles}",
				o.Chains,
				s.Particles,
				errs.Memory(need),
				maxMemory/1e9,
			)
		}
	}
	return nil
}

// plan lists the settings. The steps of a row are its stages, and those of every simulated
// particle; the limits of a case have steps of their own.
func plan(_ context.Context, cases []subject.Case, o *Options) (study.Plan[Row], error) {
	settings, err := o.Settings()
	p := study.Plan[Row]{
		Run: func(ctx context.Context, h study.How) ([]Row, error) {
			return solveSettings(ctx, cases, settings, o, h)
		}}
	for i := range cases {
		for _, s := range settings {
			r := Row{Case: cases[i], Setting: s}
			p.Steps += r.progressSteps(r.costOrder()) + 2*o.Chains*s.Particles*(cases[i].Distributions()-1)
		}
		if r := (Row{Case: cases[i]}); slices.ContainsFunc(settings, smc.Setting.EveryStage) {
			p.Steps += r.progressSteps(r.pairWork())
		}
	}
	return p, err
}

// solveSettings solves every case with every setting, and simulates it if requested. The rows are
// in the order of the cases, and for each case in that of the settings. It stops at the first
// error, which names the case; it is a chains.Fault if a kernel does not leave its distribution
// invariant, or if exact numbers contradict each other.
//
// Source: Cusumano-Towner and Mansinghka 2017, supplement, section A; Del Moral, Doucet and Jasra
// 2006.
func solveSettings(ctx context.Context, cases []subject.Case, settings []smc.Setting, o *Options,
	h study.How) ([]Row, error) {
	rows := make([]Row, 0, len(cases)*len(settings))
	limits := make([]caseLimits, len(cases))
	for i := range cases {
		for _, setting := range settings {
			rows = append(rows, Row{Case: cases[i], Setting: setting})
		}
	}
	// The longest start first, so that no worker starts a long one at the end while the others
	// wait.
	order := subject.Order(
		len(rows),
		func(a, b int) int { return cmp.Compare(rows[b].costOrder(), rows[a].costOrder()) },
	)
	each := smc.Options{Workers: subject.WorkersEach(len(rows), h.Workers)}
	solved, err := subject.RowsInOrder(ctx, order, h.Workers, func(ctx context.Context, i int) ([]Row, error) {
		r := &rows[i]
		each := each
		add, done := h.Share(r.progressSteps(r.costOrder()), r.sweeps()*(r.Distributions()-1))
		each.Progress = add
		var err error
		r.Law, err = smc.Solve(ctx, r.Annealing(), r.Setting, each)
		if err == nil {
			done()
			err = r.complete(ctx, &limits[i/len(settings)], each.Workers, h)
		}
		if err != nil {
			return nil, r.Case.Wrong(err)
		}
		return []Row{*r}, nil
	})
	if o.Chains == 0 || !subject.Usable(err) {
		return solved, err
	}
	for i := range solved {
		if err := solved[i].simulate(ctx, o, h); chains.Ended(ctx, err) {
			return solved[:i], subject.NewUnfinished(i, len(rows), err)
		} else if err != nil {
			return nil, solved[i].Case.Wrong(err)
		}
	}
	return solved, err
}

// costOrder returns a number that increases with the time of the distribution of the row. Measured:
// a distribution of two particles takes four times as long as a relative variance.
func (r *Row) costOrder() float64 {
	entries := min(1<<25, math.Pow(float64(r.Toy.Space.States()), float64(min(r.Particles, 4))))
	return 4*float64(r.Work())*entries + float64(r.sweeps()-1)*r.pairWork()
}

// sweeps returns how often smc.Solve takes all stages: the second time for the relative variance.
func (r *Row) sweeps() int {
	if r.Particles == 1 || r.EveryStage() {
		return 2
	}
	return 1
}

// pairWork returns the work of a relative variance, or of the limits, in the unit of work.
func (r *Row) pairWork() float64 {
	return float64(r.Work()) * math.Pow(float64(r.Toy.Space.States()), 2)
}

// progressSteps returns the progress that work on the row counts for: its stages, times the size of
// the work relative to a small one.
func (r *Row) progressSteps(work float64) int {
	const small, most = 4e6, 1e9
	stages := float64(r.Distributions() - 1)
	return int(stages * min(most, math.Ceil(work/stages/small)))
}

// complete computes the limits of the row, and returns contradictions between exact numbers.
func (r *Row) complete(ctx context.Context, limits *caseLimits, workers int, h study.How) (err error) {
	r.Limits = smc.Limits{P: math.NaN(), P2J: number.Exactly(math.NaN())}
	switch {
	case r.EveryStage():
		r.Limits, err = limits.findLimits(ctx, r, workers, h)
		if err != nil {
			return err
		}
	case r.Never(): // Zhat is a mean of independent weights
		r.Limits.P = float64(r.Particles) * r.RelativeVariance
	}
	if err := r.contradiction(); err != nil {
		return chains.NewFault(fmt.Errorf("with %d particles, %s: %w", r.Particles, r.Resample(), err))
	}
	return nil
}

// caseLimits are the limits of a case, shared by all of its rows that are resampled at every stage.
// The first row computes them.
type caseLimits struct {
	once   sync.Once
	limits smc.Limits
	err    error
}

func (l *caseLimits) findLimits(ctx context.Context, r *Row, workers int, h study.How) (smc.Limits, error) {
	l.once.Do(func() {
		add, done := h.Share(r.progressSteps(r.pairWork()), r.Distributions()-1)
		_, l.limits, l.err = smc.RelativeVariances(
			ctx,
			r.Annealing(),
			nil,
			smc.Options{Workers: workers, Progress: add},
		)
		done()
	})
	return l.limits, l.err
}

// Known reports whether there is an exact method for J and to the means of log Zhat.
func (r *Row) Known() bool { return !math.IsNaN(r.J) }

// contradiction returns the identity between the exact numbers of a row that does not hold: J is
// the sum of both divergences, each of which is at most the distance of the mean of log Zhat from
// log(Z_T/Z_1), and B bounds J; all with the tolerances of Check of package exact. By Jensen's
// inequality the mean under conditional SMC is at most log(Z_T/Z_1) + log(1 + relative variance).
// The identities of the distribution itself must hold too, such as E Zhat = Z. If a note reports
// lost digits, nothing more is checked.
func (r *Row) contradiction() error {
	for _, i := range r.Identities {
		if !i.OK {
			return fmt.Errorf("%s: %v and %v differ by %.3g, allowed %.3g", i.Name, i.Got, i.Want, i.Error, i.Tolerance)
		}
	}
	if !r.Known() || len(r.Notes) > 0 {
		return nil
	}
	T := r.Distributions()
	bounds := subject.Bounds{
		J:       r.J,
		B:       r.B,
		Forward: r.MeanLogZForward,
		Reverse: r.MeanLogZConditional,
		LogZ:    r.LogZRatio,
	}
	if err := bounds.CheckAgreement(T); err != nil {
		return err
	}
	slack := exact.MeanTolerance(T, r.MeanLogZForward, r.MeanLogZConditional)
	below := r.LogZRatio - r.MeanLogZForward
	above := r.MeanLogZConditional - r.LogZRatio
	switch {
	case !subject.Near(r.J, r.KLQP+r.KLPQ, slack):
		return fmt.Errorf("its J is %v, and kl_q_p and kl_p_q are %v and %v", r.J, r.KLQP, r.KLPQ)
	case r.Extinct == 0 && (r.KLQP > below+slack || r.KLPQ > above+slack):
		return fmt.Errorf("its kl_q_p and kl_p_q are %v and %v, above their bounds %v and %v",
			r.KLQP, r.KLPQ, below, above)
	case r.RelativeVariance < -slack ||
		!math.IsInf(r.MeanLogZConditional, 0) && above > math.Log1p(r.RelativeVariance)+slack:
		return fmt.Errorf("its relative_variance is %v, and its mean_log_z_conditional is %v above log_z_ratio",
			r.RelativeVariance, above)
	}
	return nil
}

// Estimates are the results of simulated systems for a setting, each with its standard error, in
// nats for logarithms. They are unbiased. The relative variance is the mean of Zhat/Z - 1 under
// conditional SMC from exact draws of the target, whose distribution is Zhat/Z times that of runs.
type Estimates struct {
	MeanLogZForward, MeanLogZConditional, B, RelativeVariance, Extinct ais.Estimate
}

// simulate runs systems of particles and conditional ones, and sets the estimates. They depend on
// the seed, on the case, the setting and the number of systems, not on the workers.
func (r *Row) simulate(ctx context.Context, o *Options, h study.How) error {
	systems, a, offset, err := r.systems(ctx, o)
	if err != nil {
		return err
	}
	logZ, err := systems.Run(ctx, h)
	if err != nil {
		return err
	}
	r.Estimates = estimate(logZ[chains.Forward], logZ[chains.Reverse], logRatio(a))
	r.Estimates.MeanLogZForward.Value += offset
	r.Estimates.MeanLogZConditional.Value += offset
	return nil
}

// Draw draws the systems again from which the estimates of a row are, by direction: runs, and
// conditional runs from draws of the target. The options are those of the study.
func (r *Row) Draw(ctx context.Context, o *Options, h study.How) (drawn [2]*particle.Batch, err error) {
	systems, _, offset, err := r.systems(ctx, o)
	if err != nil {
		return drawn, err
	}
	drawn, err = systems.Draw(ctx, h)
	for _, b := range drawn {
		floats.AddConst(offset, b.LogZ)
	}
	return drawn, err
}

// systems returns the systems that are simulated for a row, on its annealing with log f centred,
// and what that takes off log Zhat.
func (r *Row) systems(ctx context.Context, o *Options) (*Systems, *chains.Annealing, float64, error) {
	a, offset := r.Annealing().Centred()
	a, err := exact.WithReversal(ctx, a)
	s := &Systems{Setting: r.Setting, Seed: o.Seed, Chains: o.Chains, Stages: r.Distributions() - 1}
	s.Purpose = fmt.Sprintf("smc %s particles %d %v threshold %v", r.Key(), r.Particles, r.Scheme, r.Threshold)
	s.Flow = func() (particle.Flow, error) { return particle.NewAnnealed(a) }
	return s, a, offset, err
}

// Systems are systems of particles that are simulated in both directions. Their numbers depend on
// the seed, the purpose and the setting, not on the workers.
type Systems struct {
	smc.Setting
	Flow    func() (particle.Flow, error) // a flow for one goroutine
	Stages  int                           // the stages of progress that a particle counts for
	Chains  int                           // the number of systems in each direction
	Seed    uint64
	Purpose string // what the random streams are for, which tells them apart
}

// Run returns log Zhat of each system, by direction: those of runs, and of conditional runs from
// draws of the target.
func (s *Systems) Run(ctx context.Context, h study.How) (logZ [2][]float64, err error) {
	drawn, err := s.Draw(ctx, h)
	return [2][]float64{drawn[chains.Forward].LogZ, drawn[chains.Reverse].LogZ}, err
}

// Draw returns the systems of Run with their outputs.
func (s *Systems) Draw(ctx context.Context, h study.How) (drawn [2]*particle.Batch, err error) {
	for d := range drawn {
		drawn[d] = &particle.Batch{Output: make([]int32, s.Chains), LogZ: make([]float64, s.Chains)}
	}
	size := particle.BlockSystems(s.Particles)
	blocks := (s.Chains + size - 1) / size
	return drawn, subject.Parallel(ctx, 2*blocks, h.Workers, func(ctx context.Context, i int) error {
		d := chains.Direction(i / blocks)
		block := i % blocks
		from, to := block*size, min(s.Chains, (block+1)*size)
		part, err := s.block(ctx, d, block, to-from)
		if err != nil {
			return err
		}
		copy(drawn[d].Output[from:], part.Output)
		copy(drawn[d].LogZ[from:], part.LogZ)
		h.Add((to - from) * s.Particles * s.Stages)
		return nil
	})
}

// block simulates that many systems of one block with its own random stream.
func (s *Systems) block(ctx context.Context, d chains.Direction,
	block, systems int) (*particle.Batch, error) {
	flow, err := s.Flow()
	if err != nil {
		return nil, err
	}
	system, err := particle.NewSMC(flow, s.Particles, s.Scheme, s.Threshold)
	if err != nil {
		return nil, err
	}
	run := particle.Sample
	if d == chains.Reverse {
		run = particle.SampleTarget
	}
	return run(system, simulate.ChainStream(s.Seed, s.Purpose, d, block), systems, &simulate.Watch{Look: ctx.Err})
}

// logRatio returns log(Z_T/Z_1) of an annealing.
func logRatio(a *chains.Annealing) float64 {
	first, last := make([]float64, a.States()), make([]float64, a.States())
	a.LogF(first, 1)
	a.LogF(last, a.Distributions())
	return number.LogMean(last) - number.LogMean(first)
}

// estimate returns the estimates from log Zhat of runs and of conditional runs.
func estimate(forward, conditional []float64, logR float64) *Estimates {
	e := &Estimates{
		MeanLogZForward:     ais.Mean(forward),
		MeanLogZConditional: ais.Mean(conditional),
	}
	e.B = ais.Estimate{
		Value:         e.MeanLogZConditional.Value - e.MeanLogZForward.Value,
		StandardError: math.Hypot(e.MeanLogZForward.StandardError, e.MeanLogZConditional.StandardError),
	}
	// If a path was drawn that no run has, log Zhat is +Inf, and the distribution of conditional
	// SMC is not Zhat/Z times that of runs.
	e.RelativeVariance = ais.Estimate{Value: math.NaN(), StandardError: math.NaN()}
	if !slices.Contains(conditional, math.Inf(1)) {
		excess := make([]float64, len(conditional))
		for i, l := range conditional {
			excess[i] = math.Expm1(l - logR)
		}
		e.RelativeVariance = ais.Mean(excess)
	}
	extinct := make([]float64, len(forward))
	for i, l := range forward {
		if math.IsInf(l, -1) {
			extinct[i] = 1
		}
	}
	e.Extinct = ais.Mean(extinct)
	return e
}
