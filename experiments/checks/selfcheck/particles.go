package selfcheck

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/chains/simulate"
	"breadboard/experiments/particles/aide"
)

// ParticleSimulation is an implementation of sequential Monte Carlo, conditional SMC and AIDE under
// test. All make their random numbers from the block or the seed that they are given, and return
// the context's error when that ends.
type ParticleSimulation struct {
	Name string
	// Runs makes k runs of s, and Conditional k runs of conditional SMC from draws of the target.
	Runs, Conditional func(ctx context.Context, s *particle.SMC, b Block, k int) (*particle.Batch, error)
	// Terms makes the terms of AIDE, one for each run of the target and of the gold.
	Terms func(ctx context.Context, target, gold aide.Maker, o aide.EstimateOptions) (ofTarget, ofGold []float64, err error)
}

// particles returns the project's own implementation.
func particles() ParticleSimulation {
	return ParticleSimulation{
		Name: "particles",
		Runs: func(ctx context.Context, s *particle.SMC, b Block, k int) (*particle.Batch, error) {
			src := b.stream(chains.Forward)
			return inBlocks(s, k, func(k int) (*particle.Batch, error) {
				return particle.Sample(s, src, k, &simulate.Watch{Look: ctx.Err})
			})
		},
		Conditional: func(ctx context.Context, s *particle.SMC, b Block, k int) (*particle.Batch, error) {
			src := b.stream(chains.Reverse)
			return inBlocks(s, k, func(k int) (*particle.Batch, error) {
				return particle.SampleTarget(s, src, k, &simulate.Watch{Look: ctx.Err})
			})
		},
		Terms: aide.Terms,
	}
}

// inBlocks makes k systems, some at a time.
func inBlocks(s *particle.SMC, k int, sample func(k int) (*particle.Batch, error)) (*particle.Batch, error) {
	all := &particle.Batch{}
	for len(all.LogZ) < k {
		b, err := sample(min(k-len(all.LogZ), particle.BlockSystems(s.Particles())))
		if err != nil {
			return nil, err
		}
		all.Output, all.LogZ = append(all.Output, b.Output...), append(all.LogZ, b.LogZ...)
	}
	return all, nil
}

// crowdSetting is a number of particles and a way to resample them.
type crowdSetting struct {
	particles int
	scheme    particle.Scheme
	threshold float64
}

func (c crowdSetting) String() string {
	return fmt.Sprintf("%d particles, %v, threshold %v", c.particles, c.scheme, c.threshold)
}

// systemPart divides the number of chains for the number of systems that test a case, since each
// has several particles; where the kernel has no rows, so that each particle makes its own moves,
// it is slowPart.
const (
	systemPart = 8
	slowPart   = 64
)

// particleJob returns the battery of the particles of a case.
func particleJob(i int, l *Laws, of Subject) Job {
	s := particles()
	return Job{i, l, s.Name, func(o BatteryOptions) []*source { return l.particleTests(s, o) }, of.Name, max(1, of.Part)}
}

// particleTests returns the tests of systems of particles on the annealing of a case. They need no
// distribution of these systems but the identity that ties runs to meta-inference, so that they are
// for any number of particles.
func (l *Laws) particleTests(s ParticleSimulation, o BatteryOptions) (list []*source) {
	part := systemPart
	if !simulate.HasTables(l.a) {
		part = slowPart
	}
	o.Draws = (o.Draws + part - 1) / part
	for _, c := range []crowdSetting{{2, particle.Multinomial{}, 1}, {5, particle.Systematic{}, 0.5}} {
		list = append(list, newBothWays(l, s, c, o).source(o.Draws))
	}
	return list
}

// newSMC returns the algorithm of a setting on an annealing, and the constant that its log Zhat
// leaves out.
func newSMC(a *chains.Annealing, c crowdSetting) (*particle.SMC, float64, error) {
	flow, err := particle.NewAnnealed(a)
	if err != nil {
		return nil, 0, err
	}
	s, err := particle.NewSMC(flow, c.particles, c.scheme, c.threshold)
	return s, flow.Offset(), err
}

// bothWays tests runs against conditional runs. With V = Zhat/Z, the distribution of a conditional
// run from a draw of the target is that of a run, weighted by V. So for any function h
//
//	E_run[h(x) V/(1 + V)] = E_conditional[h(x)/(1 + V)],
//
// where both terms are from 0 to 1 if h is. With D the difference of the two for a run and a
// conditional run, the product of 1 + l D over such pairs is an e-process for each l between -1 and
// 1. The test averages over l, and over two kinds of h: that which is one everywhere, and those
// that are one at a single state.
//
// Source: Bennett 1976 (the identity); Waudby-Smith and Ramdas 2024 (betting on a bounded mean).
type bothWays struct {
	l       *Laws
	s       ParticleSimulation
	setting crowdSetting
	block   Block
	drawn   int
	smc     *particle.SMC // made for the first draw
	logZ    float64       // log Z without the constant that log Zhat leaves out
	all     []float64     // by stake: the log of the product for h = 1
	each    [][]float64   // by state: the same for h that is one at the state
	mean    [2][]float64  // by state: the sums of the terms of runs and of conditional runs
}

// stakes are the l of the e-processes.
func stakes() []float64 {
	var out []float64
	for k := 1; k <= 10; k++ {
		out = append(out, math.Ldexp(1, -k), -math.Ldexp(1, -k))
	}
	return out
}

func newBothWays(l *Laws, s ParticleSimulation, c crowdSetting, o BatteryOptions) *bothWays {
	n := l.a.States()
	b := &bothWays{l: l, s: s, setting: c, all: make([]float64, len(stakes())), each: make([][]float64, n)}
	b.block = Block{Seed: o.Seed, Purpose: "crosscheck " + o.Stream + " " + s.Name + " " + c.String()}
	memory := make([]float64, n*len(b.all))
	for x := range b.each {
		b.each[x], memory = memory[:len(b.all)], memory[len(b.all):]
	}
	b.mean = [2][]float64{make([]float64, n), make([]float64, n)}
	return b
}

// source returns pairs of a run and a conditional run as draws.
func (b *bothWays) source(budget int) *source {
	s := newSource(budget, 1, b.draw)
	s.add("runs and conditional runs of "+b.setting.String(), b.value)
	return s
}

// draw makes k more runs and conditional runs.
func (b *bothWays) draw(ctx context.Context, k int) (err error) {
	if b.smc == nil {
		var constant float64
		if b.smc, constant, err = newSMC(b.l.a, b.setting); err != nil {
			return err
		}
		b.logZ = b.l.logZ - constant
	}
	runs, err := systemsOf(ctx, b.s.Runs, b.smc, b.block, k)
	if err != nil {
		return err
	}
	conditional, err := systemsOf(ctx, b.s.Conditional, b.smc, b.block, k)
	if err != nil {
		return err
	}
	b.block.Number++
	b.drawn += k
	b.add(runs, conditional)
	return nil
}

// systemsOf makes k systems, and fails if what comes back is not k of them.
func systemsOf(ctx context.Context, sample func(context.Context, *particle.SMC, Block, int) (*particle.Batch, error), s *particle.SMC, block Block,
	k int) (*particle.Batch, error) {
	b, err := sample(ctx, s, block, k)
	if err == nil {
		err = checkSystems(b, k, s.Outputs())
	}
	return b, err
}

// checkSystems returns an error if a batch is not one of k systems.
func checkSystems(b *particle.Batch, k, states int) error {
	if len(b.Output) != k || len(b.LogZ) != k {
		return fmt.Errorf("%d outputs and %d values of log Zhat of %d systems", len(b.Output), len(b.LogZ), k)
	}
	for i, x := range b.Output {
		switch {
		case x < -1 || int(x) >= states:
			return fmt.Errorf("output %d, outside 0..%d", x, states-1)
		case math.IsNaN(b.LogZ[i]):
			return fmt.Errorf("log Zhat of a system with output %d is not a number (NaN)", x)
		}
	}
	return nil
}

// add multiplies the e-processes by the factors of pairs of a run and a conditional run. A run
// without an output has a Zhat of zero, so that its term is zero.
func (b *bothWays) add(runs, conditional *particle.Batch) {
	l := stakes()
	for i := range runs.LogZ {
		x, y := int(runs.Output[i]), int(conditional.Output[i])
		run, cond := 0.0, 0.0
		if x >= 0 {
			run = 1 / (1 + math.Exp(b.logZ-runs.LogZ[i]))
			b.mean[0][x] += run
		}
		if y >= 0 {
			cond = 1 / (1 + math.Exp(conditional.LogZ[i]-b.logZ))
			b.mean[1][y] += cond
		}
		for j, stake := range l {
			whole := math.Log1p(stake * (run - cond))
			b.all[j] += whole
			switch {
			case x == y && x >= 0:
				b.each[x][j] += whole
			default:
				if x >= 0 {
					b.each[x][j] += math.Log1p(stake * run)
				}
				if y >= 0 {
					b.each[y][j] += math.Log1p(-stake * cond)
				}
			}
		}
	}
}

func (b *bothWays) value() (float64, func() string) {
	terms := make([]float64, len(b.each))
	worst := 0
	for x, v := range b.each {
		if terms[x] = number.LogMean(v); terms[x] > terms[worst] {
			worst = x
		}
	}
	all, states := number.LogMean(b.all), number.LogMean(terms)
	return number.LogMean([]float64{all, states}), func() string {
		n := float64(b.drawn)
		if all > states {
			return fmt.Sprintf("the mean of V/(1 + V) in %d runs, V = Zhat/Z, is %.6g, and that of 1/(1 + V) in as many conditional runs %.6g", b.drawn,
				floats.Sum(b.mean[0])/n, floats.Sum(b.mean[1])/n)
		}
		return fmt.Sprintf("the mean of V/(1 + V) in %d runs that end at %s, V = Zhat/Z, is %.6g, and that of 1/(1 + V) in as many conditional runs %.6g",
			b.drawn, b.l.named(worst), b.mean[0][worst]/n, b.mean[1][worst]/n)
	}
}
