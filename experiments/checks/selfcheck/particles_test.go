package selfcheck

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/simulate"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/columns"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/study/check"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// fewSettings are the settings of few particles. Several tests use their distributions, which take
// a while.
var fewSettings = sync.OnceValues(func() ([]*few, error) {
	c, err := smallCases()[0].load(context.Background())
	if err != nil {
		return nil, err
	}
	return newFew(c.Annealing()), nil
})

// fewOf returns the settings of few particles, with distributions that are enumerated once.
func fewOf(t testing.TB) []*few {
	t.Helper()
	list := longtest.Must(fewSettings())(t)
	return list
}

// faultsOf returns the tests that find a fault.
func faultsOf(t testing.TB, tests []*source, o BatteryOptions) []Result {
	t.Helper()
	results := longtest.Must(runTests(context.Background(), tests, o))(t)
	return faults(results)
}

// changed returns the project's particles with another scheme, another flow and another threshold;
// nil leaves one as it is.
func changed(scheme func(particle.Scheme) particle.Scheme, flow func(particle.Flow) particle.Flow, threshold func(float64) float64) ParticleSimulation {
	s := particles()
	change := func(of *particle.SMC) *particle.SMC {
		c, f, limit := of.Scheme(), of.Flow(), of.Threshold()
		if scheme != nil {
			c = scheme(c)
		}
		if flow != nil {
			f = flow(f)
		}
		if threshold != nil {
			limit = threshold(limit)
		}
		out, err := particle.NewSMC(f, of.Particles(), c, limit)
		if err != nil {
			panic(err)
		}
		return out
	}
	runs, conditional := s.Runs, s.Conditional
	s.Runs = func(ctx context.Context, of *particle.SMC, b Block, k int) (*particle.Batch, error) {
		return runs(ctx, change(of), b, k)
	}
	s.Conditional = func(ctx context.Context, of *particle.SMC, b Block, k int) (*particle.Batch, error) {
		return conditional(ctx, change(of), b, k)
	}
	return s
}

// keepBy is a scheme with another conditional form.
type keepBy struct {
	particle.Scheme
	keep func(s particle.Scheme, c chains.Chooser, w []float64, j int, parents []int) int
}

func (k keepBy) Keep(c chains.Chooser, w []float64, j int, parents []int) int {
	return k.keep(k.Scheme, c, w, j, parents)
}

// parentsBy is a scheme with another form of runs.
type parentsBy struct {
	particle.Scheme
	parents func(s particle.Scheme, c chains.Chooser, w []float64, parents []int)
}

func (p parentsBy) Parents(c chains.Chooser, w []float64, parents []int) {
	p.parents(p.Scheme, c, w, parents)
}

// otherFlow is a flow of which a part is changed. Embedding hides that it is an annealing, so that
// particles make their moves one by one.
type otherFlow struct {
	particle.Flow
	weight func(f particle.Flow, t, x int) float64
	back   func(f particle.Flow, c chains.Chooser, t, x int) int
}

func (o otherFlow) LogWeight(t, x int) float64 {
	if o.weight == nil {
		return o.Flow.LogWeight(t, x)
	}
	return o.weight(o.Flow, t, x)
}

func (o otherFlow) Back(c chains.Chooser, t, x int) int {
	if o.back == nil {
		return o.Flow.Back(c, t, x)
	}
	return o.back(o.Flow, c, t, x)
}

// spoiled returns the project's particles with batches that are spoiled.
func spoiled(spoil func(b *particle.Batch)) ParticleSimulation {
	s := particles()
	runs, conditional := s.Runs, s.Conditional
	after := func(b *particle.Batch, err error) (*particle.Batch, error) {
		if err == nil {
			spoil(b)
		}
		return b, err
	}
	s.Runs = func(ctx context.Context, of *particle.SMC, b Block, k int) (*particle.Batch, error) {
		return after(runs(ctx, of, b, k))
	}
	s.Conditional = func(ctx context.Context, of *particle.SMC, b Block, k int) (*particle.Batch, error) {
		return after(conditional(ctx, of, b, k))
	}
	return s
}

// estimated returns the project's particles with other options of AIDE.
func estimated(change func(o *aide.EstimateOptions)) ParticleSimulation {
	s := particles()
	s.Terms = func(ctx context.Context, target, gold aide.Maker, o aide.EstimateOptions) ([]float64, []float64, error) {
		change(&o)
		return aide.Terms(ctx, target, gold, o)
	}
	return s
}

// particleMutants returns implementations of particles with one bug each.
func particleMutants() map[string]ParticleSimulation {
	scheme := func(change func(particle.Scheme) particle.Scheme) ParticleSimulation {
		return changed(change, nil, nil)
	}
	flow := func(change otherFlow) ParticleSimulation {
		return changed(nil, func(f particle.Flow) particle.Flow {
			change.Flow = f
			return change
		}, nil)
	}
	return map[string]ParticleSimulation{
		"the conditional outcome is not size-biased": scheme(func(s particle.Scheme) particle.Scheme {
			return keepBy{s, func(s particle.Scheme, c chains.Chooser, w []float64, j int, parents []int) int {
				for range 50 {
					if s.Parents(c, w, parents); slices.Contains(parents, j) {
						return slices.Index(parents, j)
					}
				}
				parents[0] = j
				return 0
			}}
		}),
		"the path is always in the first slot": scheme(func(s particle.Scheme) particle.Scheme {
			return keepBy{s, func(s particle.Scheme, c chains.Chooser, w []float64, j int, parents []int) int {
				s.Parents(c, w, parents)
				parents[0] = j
				return 0
			}}
		}),
		"resampling does not look at the weights": scheme(func(s particle.Scheme) particle.Scheme {
			return parentsBy{s, func(_ particle.Scheme, c chains.Chooser, _ []float64, parents []int) {
				for i := range parents {
					parents[i] = c.Uniform(len(parents))
				}
			}}
		}),
		"parents by the square root of the weights": scheme(func(s particle.Scheme) particle.Scheme {
			return parentsBy{s, func(s particle.Scheme, c chains.Chooser, w []float64, parents []int) {
				root, sum := make([]float64, len(w)), 0.0
				for j, v := range w {
					root[j] = math.Sqrt(v)
					sum += root[j]
				}
				for j := range root {
					root[j] /= sum
				}
				s.Parents(c, root, parents)
			}}
		}),
		"systematic instead of multinomial": scheme(func(particle.Scheme) particle.Scheme { return particle.Systematic{} }),
		"resamples at every stage":          changed(nil, nil, func(float64) float64 { return 1 }),
		"resamples a little too late": changed(nil, nil, func(c float64) float64 {
			if c == 0.9 {
				return 0.8
			}
			return c
		}),
		"the first weight is left out": flow(otherFlow{weight: func(f particle.Flow, t, x int) float64 {
			if t == 1 {
				return 0
			}
			return f.LogWeight(t, x)
		}}),
		"weights one part in fifty too large": flow(otherFlow{weight: func(f particle.Flow, t, x int) float64 { return f.LogWeight(t, x) + 0.02 }}),
		"the path goes back one stage too few": flow(otherFlow{back: func(f particle.Flow, c chains.Chooser, t, x int) int {
			if t == 1 {
				return x
			}
			return f.Back(c, t, x)
		}}),
		"log Zhat of the next system": spoiled(func(b *particle.Batch) { b.LogZ = append(b.LogZ[1:], b.LogZ[0]) }),
		"log Zhat one part in a thousand too large": spoiled(func(b *particle.Batch) {
			for i := range b.LogZ {
				b.LogZ[i] *= 1.001
			}
		}),
		"the last system repeats the first": spoiled(func(b *particle.Batch) {
			for i := range b.Output {
				b.Output[i], b.LogZ[i] = b.Output[i/8*8], b.LogZ[i/8*8]
			}
		}),
		"log Zhat is no number":             spoiled(func(b *particle.Batch) { b.LogZ[0] = math.NaN() }),
		"an output is not a state":          spoiled(func(b *particle.Batch) { b.Output[0] = 99 }),
		"a system is missing":               spoiled(func(b *particle.Batch) { b.Output, b.LogZ = b.Output[1:], b.LogZ[1:] }),
		"AIDE without the first trace":      estimated(func(o *aide.EstimateOptions) { o.WithoutFirstTrace = true }),
		"AIDE with a trace too many":        estimated(func(o *aide.EstimateOptions) { o.Meta++ }),
		"AIDE on one stream for every call": estimated(func(o *aide.EstimateOptions) { o.Purpose = "" }),
	}
}

// stepByStep are the particles that package planted writes down without a bug. They share nothing
// with the project's but the flow and the scheme.
func stepByStep() ParticleSimulation {
	algorithm := func(of *particle.SMC) particle.Algorithm {
		return planted.NewParticles(of.Flow(), of.Particles(), of.Threshold()).By(of.Scheme())
	}
	batch := func(of *particle.SMC, outputs []int32, logXi []float64, err error) (*particle.Batch, error) {
		b := &particle.Batch{Output: outputs, LogZ: make([]float64, len(outputs))}
		for i := range logXi {
			b.LogZ[i] = math.Inf(-1)
			if outputs[i] >= 0 {
				b.LogZ[i] = of.Flow().LogTarget(int(outputs[i])) - logXi[i]
			}
		}
		return b, err
	}
	s := particles()
	s.Runs = func(_ context.Context, of *particle.SMC, b Block, k int) (*particle.Batch, error) {
		outputs, logXi, err := particle.Runs(algorithm(of), b.stream(chains.Forward), k, nil)
		return batch(of, outputs, logXi, err)
	}
	s.Conditional = func(_ context.Context, of *particle.SMC, b Block, k int) (*particle.Batch, error) {
		outputs, target := make([]int32, k), planted.Normalised(particle.LogTargets(of.Flow()))
		c := chains.NewSampler(b.stream(chains.Forward)) // of another direction than the conditional runs
		for i := range outputs {
			outputs[i] = int32(c.Choose(target))
		}
		logXi, err := particle.Metas(algorithm(of), b.stream(chains.Reverse), outputs, nil)
		return batch(of, outputs, logXi, err)
	}
	return s
}

// TestPlantedParticles: an alpha of 1e-6 and ordinary numbers of draws are enough for each planted
// bug, and what is right in another way passes.
func TestPlantedParticles(t *testing.T) {
	longtest.Only(t)
	few := fewOf(t)
	var list []check.Mutant[Result]
	add := func(name string, harmless bool, s ParticleSimulation) {
		o := BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: 1 << 14}
		list = append(list, check.Mutant[Result]{Name: name, Harmless: harmless, Setting: "few particles", Examine: func(ctx context.Context) ([]Result, error) {
			return runTests(ctx, fewTests(few, s, o), o)
		}})
	}
	mutants := particleMutants()
	for _, name := range slices.Sorted(maps.Keys(mutants)) {
		add(name, false, mutants[name])
	}
	add("as they are", true, particles())
	add("written down step by step", true, stepByStep())
	add("moved one by one", true, changed(nil, func(f particle.Flow) particle.Flow { return otherFlow{Flow: f} }, nil))
	add("in the opposite order", true, spoiled(func(b *particle.Batch) {
		slices.Reverse(b.Output)
		slices.Reverse(b.LogZ)
	}))
	fields := check.MutantColumns[Result](nil, columns.List{check.CaughtBy[Result](), check.CaughtWhere[Result]()})
	check.ReportPlanted(t, fields, longtest.Must(check.RunMutants(t.Context(), list, 1, nil))(t))
}

// TestFalseAlarmsOfParticles runs right code at alpha = 0.05: no more than 5% of the runs may
// alarm. E-processes are cautious, and far fewer do. The seeds are fixed.
func TestFalseAlarmsOfParticles(t *testing.T) {
	longtest.Only(t)
	runs := longtest.Times(20, 80)
	list, l := fewOf(t), laws(t, annealing(t, "random:2:3:3x3", 5))
	alarms := 0
	for seed := range runs {
		o := BatteryOptions{Alpha: 0.05, Seed: uint64(seed), Draws: 512}
		found := faultsOf(t, fewTests(list, particles(), o), o)
		o.Draws *= systemPart
		if found = append(found, faultsOf(t, l.particleTests(particles(), o), o)...); len(found) > 0 {
			alarms++
			t.Logf("seed %d: %s: %s", seed, found[0].Test, found[0].Where)
		}
	}
	if alarms*10 > runs { // each run has two batteries of their own alpha
		t.Errorf("%d of %d runs alarm", alarms, runs)
	}
}

// TestRunsAndConditionalRunsOfCases: on annealings of ordinary size right code passes, also with
// zeros in the target, with kernels that are not reversible and with those without rows. Bugs that
// break the tie between runs and conditional runs are found.
func TestRunsAndConditionalRunsOfCases(t *testing.T) {
	longtest.Only(t)
	// Two kernels in an order are not reversible.
	scan := annealingBy(t, "random:2:3:3x3", 6, func(space grid.Graph) chains.Kernel {
		return kernels.Compose(kernels.Metropolis{Space: space}, kernels.Barker{Space: space})
	})
	axes := annealingBy(t, "random:2:3:3x3", 2, func(space grid.Graph) chains.Kernel {
		l := space.(*grid.Lattice)
		return kernels.Compose(kernels.HeatBathAxis{Space: l, Axis: 0}, kernels.HeatBathAxis{Space: l, Axis: 1})
	})
	o := BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: systemPart << 11}
	if longtest.More() {
		o.Draws = systemPart << 13
	}
	for name, a := range map[string]*chains.Annealing{
		"barrier": annealing(t, "barrier", 6), "zeros": withZero(t), "not reversible": scan, "axes in order": axes,
		"without rows": annealingBy(t, "random:2:3:3x3", 6, func(space grid.Graph) chains.Kernel { return silent{kernels.Metropolis{Space: space}} }),
	} {
		for _, r := range faultsOf(t, laws(t, a).particleTests(particles(), o), o) {
			t.Errorf("%s: %s: %s", name, r.Test, r.Where)
		}
	}
	mutants := particleMutants()
	mutants["the path goes back by the kernel itself"] = changed(nil, func(f particle.Flow) particle.Flow {
		return otherFlow{Flow: f, back: func(f particle.Flow, c chains.Chooser, t, x int) int { return f.Move(c, t, x) }}
	}, nil)
	mutants["conditional runs from uniform outputs"] = uniformOutputs()
	ofScan, ofAxes := laws(t, scan), laws(t, axes)
	names := []string{
		"the path goes back by the kernel itself", "the first weight is left out", "the path goes back one stage too few", "log Zhat of the next system",
		"weights one part in fifty too large", "the conditional outcome is not size-biased", "resampling does not look at the weights",
		"conditional runs from uniform outputs", "log Zhat is no number",
	}
	for _, name := range names {
		o := o
		o.Draws = systemPart << 15
		l := ofScan
		if name == "the path goes back by the kernel itself" {
			l = ofAxes
		}
		found := faultsOf(t, l.particleTests(mutants[name], o), o)
		if len(found) == 0 {
			t.Errorf("%s: not found", name)
			continue
		}
		t.Logf("%s: after %d draws: %s", name, found[0].Draws, found[0].Where)
		if found[0].Where == "" || strings.Contains(found[0].Where, "%!") {
			t.Errorf("%s: %q", name, found[0].Where)
		}
	}
}

// uniformOutputs are particles whose conditional runs do not start from draws of the target.
func uniformOutputs() ParticleSimulation {
	s := particles()
	s.Conditional = func(ctx context.Context, of *particle.SMC, b Block, k int) (*particle.Batch, error) {
		outputs := make([]int32, k)
		for i := range outputs {
			outputs[i] = int32(i % of.Outputs())
		}
		return particle.SampleMeta(of, b.stream(chains.Reverse), outputs, &simulate.Watch{Look: ctx.Err})
	}
	return s
}

func annealingBy(t *testing.T, toy string, T int, kernel func(grid.Graph) chains.Kernel) *chains.Annealing {
	t.Helper()
	a := annealing(t, toy, T)
	k := kernel(a.Kernel().(kernels.Metropolis).Space)
	out := longtest.Sure(chains.NewAnnealing(a.Path(), a.Schedule(), k, T))
	return out
}
