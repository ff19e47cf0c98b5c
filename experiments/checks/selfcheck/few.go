package selfcheck

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/exact/program"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/subject"
)

// fewStages is T of the case on which two particles are enumerated, and fewerStages of that for
// three.
const (
	fewStages   = 3
	fewerStages = 2
)

// fewJob returns the battery of few particles on the case of an index.
func fewJob(i int, c subject.Case) Job {
	s := particles()
	return Job{Case: i, Name: s.Name, tests: func(o BatteryOptions) []*source { return fewTests(newFew(c.Annealing()), s, o) }, stream: c.Key(), part: systemPart}
}

// few is one setting whose distributions are enumerated, when they are first asked for.
type few struct {
	a       *chains.Annealing
	setting crowdSetting

	smc    *particle.SMC
	run    []system   // the distribution of a run
	meta   [][]system // by output: the distribution of a conditional run
	target []float64
}

// newFew returns settings with every scheme, and with thresholds that bite.
func newFew(a *chains.Annealing) []*few {
	short, err := chains.NewAnnealingBy(a.Path(), a.Schedule(), a.Transitions(), fewerStages)
	if err != nil {
		panic(err) // the longer one was valid, with one kernel and a schedule of any length
	}
	var list []*few
	for _, c := range []crowdSetting{
		{2, particle.Multinomial{}, 1}, {2, particle.Multinomial{}, 0.9}, {2, particle.Multinomial{}, 0},
		{2, particle.Stratified{}, 0.9}, {2, particle.Systematic{}, 1}, {2, particle.Residual{}, 0.9},
	} {
		list = append(list, &few{a: a, setting: c})
	}
	for _, c := range []crowdSetting{
		{3, particle.Multinomial{}, 0.9}, {3, particle.Stratified{}, 1}, {3, particle.Systematic{}, 0.9}, {3, particle.Systematic{}, 1}, {3, particle.Residual{}, 1},
	} {
		list = append(list, &few{a: short, setting: c})
	}
	return list
}

// fewTests returns the tests of few particles: the joint distribution of the output and log Zhat in
// runs and in conditional runs, and for one of the settings the distribution of what AIDE averages.
func fewTests(list []*few, s ParticleSimulation, o BatteryOptions) []*source {
	var kinds []kind
	for _, f := range list {
		kinds = append(kinds, f.systems("runs", s, s.Runs, func() []system { return f.run }, o), f.systems("conditional runs", s, s.Conditional, f.ofConditional, o))
		if f.setting == (crowdSetting{2, particle.Multinomial{}, 0.9}) {
			kinds = append(append(kinds, f.aide(s, o, 1)...), f.aide(s, o, 2)...)
		}
	}
	return sources(kinds, o.Draws)
}

// purpose tells the random numbers of a setting from those of others.
func (f *few) purpose(s ParticleSimulation, o BatteryOptions) string {
	return "crosscheck " + o.Stream + " " + s.Name + " " + f.setting.String()
}

// system is what can come of one system of particles, and its probability. For a term of AIDE it
// has the term instead of log Zhat.
type system struct {
	output int
	logZ   float64 // without the Offset of the annealing; -Inf if there is no output, +Inf if no run has the path
	p      float64
}

// cell is a system up to the rounding of log Zhat, by which two ways to the same system may differ.
type cell struct {
	output int
	logZ   int64
}

// cellGrain is the width of a cell in nats. What log Zhat may be, in the case of fewJob, differs by
// far more or by far less.
const cellGrain = 1e-7

func cellOf(output int, v float64) cell {
	switch {
	case math.IsInf(v, -1):
		return cell{output, math.MinInt64}
	case math.IsInf(v, 1) || math.Abs(v) > 1e9:
		return cell{output, math.MaxInt64}
	}
	return cell{output, int64(math.Round(v / cellGrain))}
}

func (f *few) prepare(ctx context.Context) (err error) {
	if f.smc != nil {
		return nil
	}
	s, _, err := newSMC(f.a, f.setting)
	if err != nil {
		return err
	}
	f.target = particle.LogTargets(s.Flow())
	chains.Normalize(f.target)
	if f.run, err = systems(ctx, s, s.Run); err != nil {
		return err
	}
	f.meta = make([][]system, s.Outputs())
	for x := range f.meta {
		if f.meta[x], err = systems(ctx, s, func(c chains.Chooser) particle.Result { return s.Meta(c, x) }); err != nil {
			return err
		}
	}
	f.smc = s
	return nil
}

// systems enumerates what can come of a run, or of a conditional run.
func systems(ctx context.Context, s *particle.SMC, run func(chains.Chooser) particle.Result) ([]system, error) {
	type result struct {
		output int
		logXi  float64
	}
	law, err := program.Enumerate(ctx, func(c chains.Chooser) result {
		r := run(c)
		return result{r.Output, r.LogXi}
	}, program.Options{Cut: math.SmallestNonzeroFloat64})
	if err != nil {
		return nil, err
	}
	var out []system
	for _, o := range law.Outcomes() {
		v := system{o.Value.output, math.Inf(-1), o.P}
		if v.output >= 0 {
			v.logZ = s.Flow().LogTarget(v.output) - o.Value.logXi
		}
		out = append(out, v)
	}
	return merged(out), nil
}

// merged puts systems of one cell together.
func merged(list []system) []system {
	place := map[cell]int{}
	var out []system
	for _, v := range list {
		c := cellOf(v.output, v.logZ)
		i, known := place[c]
		if !known {
			i = len(out)
			place[c] = i
			out = append(out, system{v.output, v.logZ, 0})
		}
		out[i].p += v.p
	}
	return out
}

// kind returns draws of systems with a distribution, which is known once the few are prepared. The
// word what says what the numbers are, and more makes k draws and adds them.
func (f *few) kind(name, what string, law func() []system, more func(ctx context.Context, round, k int, add func(output int, v float64)) error) kind {
	var of []system
	place := map[cell]int{}
	return kind{
		name: name,
		law: func(ctx context.Context) ([]float64, error) {
			if err := f.prepare(ctx); err != nil {
				return nil, err
			}
			of = law()
			p := make([]float64, len(of)+1) // the last is of systems that are not in the distribution
			for i, v := range of {
				place[cellOf(v.output, v.logZ)], p[i] = i, v.p
			}
			return p, nil
		},
		draw: func(ctx context.Context, round, k int, count func(cell int)) error {
			return more(ctx, round, k, func(output int, v float64) {
				i, known := place[cellOf(output, v)]
				if !known {
					i = len(of)
				}
				count(i)
			})
		},
		cell: func(i int) string {
			switch {
			case i == len(of):
				return "impossible systems"
			case of[i].output < 0:
				return "systems without an output"
			}
			return fmt.Sprintf("%s = %.6g at output %d", what, of[i].logZ, of[i].output)
		},
	}
}

// systems returns systems as they come out of runs, or of conditional runs.
func (f *few) systems(name string, s ParticleSimulation, runs func(context.Context, *particle.SMC, Block, int) (*particle.Batch, error),
	law func() []system, o BatteryOptions) kind {
	return f.kind(name+" of "+f.setting.String(), "log Zhat", law, func(ctx context.Context, round, k int, add func(output int, v float64)) error {
		b, err := systemsOf(ctx, runs, f.smc, Block{o.Seed, f.purpose(s, o), round}, k)
		if err != nil {
			return err
		}
		for i, x := range b.Output {
			add(int(x), b.LogZ[i])
		}
		return nil
	})
}

// ofConditional is the distribution of conditional runs from draws of the target.
func (f *few) ofConditional() (out []system) {
	for x, list := range f.meta {
		for _, v := range list {
			out = append(out, system{x, v.logZ, v.p * f.target[x]})
		}
	}
	return out
}

// aide returns the tests of AIDE with m traces of the algorithm against exact draws, one for each
// half. The exact density cancels p~ in xi = p~/Zhat, so that a term is the log mean of 1/Zhat over
// the traces, or minus that.
func (f *few) aide(s ParticleSimulation, o BatteryOptions, m int) (kinds []kind) {
	exactly := func() (particle.Algorithm, error) {
		logXi := make([]float64, len(f.target))
		for x := range logXi {
			logXi[x] = f.smc.Flow().LogTarget(x)
		}
		return particle.NewDensity(logXi), nil
	}
	algorithm := func() (particle.Algorithm, error) {
		s, _, err := newSMC(f.a, f.setting)
		return s, err
	}
	for half, name := range []string{"its outputs", "exact draws"} {
		more := func(ctx context.Context, round, k int, add func(output int, v float64)) error {
			k = max(2, k)
			ofTarget, ofGold, err := s.Terms(ctx, algorithm, exactly, aide.EstimateOptions{
				Runs: k, Meta: m, GoldMeta: 1, Seed: o.Seed, Purpose: fmt.Sprintf("%s aide %d %s %d", f.purpose(s, o), m, name, round), Workers: 1,
			})
			if err != nil {
				return err
			}
			for _, v := range [][]float64{ofTarget, ofGold}[half] {
				add(0, v)
			}
			return nil
		}
		law := func() []system {
			if half == 0 {
				return f.ofTarget(m)
			}
			return f.ofGold(m)
		}
		kinds = append(kinds, f.kind(fmt.Sprintf("AIDE of %s, M = %d, on %s", f.setting, m, name), "a term", law, more))
	}
	return kinds
}

// ofTarget is the distribution of the terms of AIDE on the outputs of runs: the first trace is the
// run's.
func (f *few) ofTarget(m int) (out []system) {
	for _, v := range f.run {
		for _, s := range f.withTraces(v.output, summed{math.Exp(-v.logZ), v.p}, m-1) {
			out = append(out, system{logZ: number.Log(s.value / float64(m)), p: s.p})
		}
	}
	return merged(out)
}

// ofGold is the distribution of the terms of AIDE on draws of the target.
func (f *few) ofGold(m int) (out []system) {
	for x, p := range f.target {
		for _, s := range f.withTraces(x, summed{0, p}, m) {
			out = append(out, system{logZ: -number.Log(s.value / float64(m)), p: s.p})
		}
	}
	return merged(out)
}

// summed is a number and its probability.
type summed struct{ value, p float64 }

// withTraces adds 1/Zhat of a number of conditional runs for an output to a number, in all ways in
// which they can come out.
func (f *few) withTraces(x int, first summed, times int) []summed {
	sums := []summed{first}
	for range times {
		var next []summed
		for _, s := range sums {
			for _, v := range f.meta[x] {
				next = append(next, summed{s.value + math.Exp(-v.logZ), s.p * v.p})
			}
		}
		sums = next
	}
	return sums
}
