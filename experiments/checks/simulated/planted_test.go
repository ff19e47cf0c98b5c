package simulated_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/simulate"
	"breadboard/chains/tempering"
	"breadboard/exact/smc"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/checks/simulated"
	"breadboard/experiments/columns"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/mcmc/temper"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

type finding = simulated.Finding

// mutant returns a mutant that a check examines with the seed 1.
func mutant(name string, harmless bool, examine func(ctx context.Context, o simulated.Options) ([]finding, error)) check.Mutant[finding] {
	return check.Mutant[finding]{Name: name, Harmless: harmless, Examine: func(ctx context.Context) ([]finding, error) {
		return examine(ctx, simulated.Options{Alpha: check.DefaultAlpha, Seed: 1})
	}}
}

// caseOf returns the case of a toy with T distributions.
func caseOf(t *testing.T, toy string, T int) subject.Case {
	return casetest.MustCases(t, casetest.Selection([]int{T}, toy))[0]
}

// judged reports how the mutants are judged.
func judged(t *testing.T, list []check.Mutant[finding]) {
	t.Helper()
	check.ReportPlanted(t, check.MutantColumns[finding](nil, columns.List{check.CaughtBy[finding](), check.CaughtWhere[finding]()}),
		longtest.Must(check.RunMutants(t.Context(), list, 0, nil))(t))
}

// TestPlanted: bugs in the stages of chains, in the kernel, in the random numbers and in what is
// reported are found with ordinary numbers of chains, and right chains are not taken for wrong, but
// with a probability of 1e-6 each.
func TestPlanted(t *testing.T) {
	longtest.Only(t)
	c := caseOf(t, "random:2:1:3x3", 4)
	a, space := c.Annealing(), c.Toy.Lattice()
	var list []check.Mutant[finding]
	add := func(name string, harmless bool, kernel chains.Kernel, change func(*planted.Annealer), spoil func(b *simulate.Batch)) {
		list = append(list, mutant(name, harmless, func(ctx context.Context, o simulated.Options) ([]finding, error) {
			batches := [2]*simulate.Batch{}
			for d := range batches {
				r := planted.New(a, kernel, chains.Direction(d))
				if change != nil {
					change(r)
				}
				c, b := chains.NewSampler(simulate.ChainStream(o.Seed, name, chains.Direction(d), 0)), &simulate.Batch{}
				for range 1 << 13 {
					first, last, logw := chains.Run[int](r, c)
					if d == int(chains.Reverse) {
						first, last = last, first
					}
					b.First, b.Last, b.LogW = append(b.First, int32(first)), append(b.Last, int32(last)), append(b.LogW, logw)
				}
				if spoil != nil {
					spoil(b)
				}
				batches[d] = b
			}
			return simulated.Annealing(ctx, c, "", batches[0], batches[1], o)
		}))
	}
	right := a.Kernel()
	add("none", true, right, nil, nil)
	add("in the opposite order", true, right, nil, func(b *simulate.Batch) {
		slices.Reverse(b.First)
		slices.Reverse(b.Last)
		slices.Reverse(b.LogW)
	})
	add("log weights of the next chain", false, right, nil, func(b *simulate.Batch) { b.LogW = append(b.LogW[1:], b.LogW[0]) })
	add("last increment dropped", false, right, planted.LastIncrementOut, nil)
	add("Barker instead of Metropolis", false, kernels.Barker{Space: space}, nil, nil)
	for name, bug := range map[string]func(*planted.Annealer){
		"kernel uses beta_{t-1}": planted.KernelEarly, "last move left out": planted.LastMoveOut, "weight at the other side of the move": planted.OtherSide,
		"start excludes the last state": func(r *planted.Annealer) {
			if r.Direction() == chains.Forward {
				r.Begin = func(c chains.Chooser) int { return c.Uniform(a.States() - 1) }
			}
		},
	} {
		add(name, false, right, bug, nil)
	}
	for _, k := range planted.Proposing(space) {
		add(k.Of, false, k.Kernel, nil, nil)
	}
	for name, spoil := range map[string]func(b *simulate.Batch){
		"last states of the next chain": func(b *simulate.Batch) { b.Last = append(b.Last[1:], b.Last[0]) },
		"ends exchanged":                func(b *simulate.Batch) { b.First, b.Last = b.Last, b.First },
		"log weights one part in twenty too large": func(b *simulate.Batch) {
			for i := range b.LogW {
				b.LogW[i] *= 1.05
			}
		},
		"log weights truncated to 0.01": func(b *simulate.Batch) {
			for i, v := range b.LogW {
				b.LogW[i] = math.Trunc(v*100) / 100
			}
		},
		"the second half repeats the first": func(b *simulate.Batch) {
			n := len(b.LogW) / 2
			copy(b.First[n:], b.First[:n])
			copy(b.Last[n:], b.Last[:n])
			copy(b.LogW[n:], b.LogW[:n])
		},
	} {
		add(name, false, right, nil, spoil)
	}
	judged(t, list)
}

// TestPlantedParticles does the same for systems of two particles.
func TestPlantedParticles(t *testing.T) {
	longtest.Only(t)
	c := caseOf(t, "random:2:0:3", 3)
	setting := smc.Setting{Particles: 2, Scheme: particle.Systematic{}, Threshold: 1}
	var list []check.Mutant[finding]
	for name, bug := range map[string]func(*planted.Particles){
		"none": nil, "weights kept after resampling": planted.NotReset, "parents drawn uniformly": planted.UniformParents,
		"sum of the weights in Zhat": planted.SumForMean, "not size-biased": planted.NotSizeBiased,
		"path in the first slot": planted.PathFirst, "path left out of Zhat": planted.PathOut, "last slot repeats the first": planted.LastRepeatsFirst,
	} {
		list = append(list, mutant(name, bug == nil, func(ctx context.Context, o simulated.Options) ([]finding, error) {
			a, offset := c.Annealing().Centred()
			flow, err := particle.NewAnnealed(a)
			if err != nil {
				return nil, err
			}
			s := planted.NewParticles(flow, setting.Particles, setting.Threshold).By(setting.Scheme)
			if bug != nil {
				bug(s)
			}
			target := planted.Normalised(particle.LogTargets(flow))
			systems := [2]*particle.Batch{}
			for d := range systems {
				c, b := chains.NewSampler(simulate.ChainStream(o.Seed, name, chains.Direction(d), 0)), &particle.Batch{}
				for range 1 << 14 {
					r := planted.Record{}
					if d == int(chains.Forward) {
						r = s.Record(c)
					} else {
						r = s.RecordMeta(c, c.Choose(target))
					}
					b.Output, b.LogZ = append(b.Output, int32(r.Output)), append(b.LogZ, r.LogZ+offset)
				}
				systems[d] = b
			}
			return simulated.Particles(ctx, c, setting, systems, o)
		}))
	}
	judged(t, list)
}

// TestPlantedTempering does the same for runs of tempering: with a kernel or a scheme that is not
// the one that is claimed, and with swaps that are reported wrongly.
func TestPlantedTempering(t *testing.T) {
	longtest.Only(t)
	c := caseOf(t, "random:2:0:3", 3)
	var list []check.Mutant[finding]
	add := func(name string, kernel chains.Kernel, scheme tempering.Scheme, scans func(right temper.Scans) temper.Scans) {
		list = append(list, mutant(name, name == "none", func(ctx context.Context, o simulated.Options) ([]finding, error) {
			a, err := chains.NewAnnealing(c.Annealing().Path(), c.Annealing().Schedule(), kernel, 3)
			if err != nil {
				return nil, err
			}
			m, err := tempering.New(a, scheme)
			if err != nil {
				return nil, err
			}
			return simulated.Tempering(ctx, c, tempering.DEO, scans(temper.FirstScans(m, o.Seed)), 1<<13, o)
		}))
	}
	same := func(right temper.Scans) temper.Scans { return right }
	right := c.Annealing().Kernel()
	add("none", right, tempering.DEO, same)
	add("Barker instead of Metropolis", kernels.Barker{Space: c.Toy.Space}, tempering.DEO, same)
	add("replicas never explore", kernels.Stay{}, tempering.DEO, same)
	add("pairs by the flip of a coin", right, tempering.SEO, same)
	add("states of the next run", right, tempering.DEO, func(right temper.Scans) temper.Scans {
		return func(run, scans int, offered func(scan, pair int, accepted bool)) []int {
			right(run, scans, offered)
			return right(run+1, scans, func(int, int, bool) {})
		}
	})
	add("every swap reported as accepted", right, tempering.DEO, func(right temper.Scans) temper.Scans {
		return func(run, scans int, offered func(scan, pair int, accepted bool)) []int {
			return right(run, scans, func(scan, pair int, _ bool) { offered(scan, pair, true) })
		}
	})
	judged(t, list)
}

// TestOpen: chains that are too few to find a known mistake are no pass, those that show one at
// five standard errors say how many find it, and what has no distribution is open.
func TestOpen(t *testing.T) {
	c := caseOf(t, "random:2:1:3x3", 4)
	o := simulated.Options{Alpha: check.DefaultAlpha, Seed: 1}
	for n, want := range map[int]check.Counts{2: {Open: 30}, 512: {Pass: 28, Open: 2}, 1 << 13: {Pass: 30}} {
		if n > 512 && !longtest.Enabled() {
			continue
		}
		batches := [2]*simulate.Batch{}
		for d := range batches {
			batches[d] = longtest.Must(simulate.Rows(c.Annealing(), chains.Direction(d), simulate.ChainStream(1, "", chains.Direction(d), 0), n, nil))(t)
		}
		list := longtest.Must(simulated.Annealing(t.Context(), c, "", batches[0], batches[1], o))(t)
		if got := check.Count(list); got != want {
			t.Errorf("%d chains: %v, want %v", n, got, want)
		}
		for _, f := range list {
			if f.Verdict == check.Open && !(f.Decides > float64(n) && f.Decides < 1e8) {
				t.Errorf("%d chains, %s: decided by %v", n, f.Name, f.Decides)
			}
		}
	}
	many := smc.Setting{Particles: 3, Scheme: particle.Residual{}, Threshold: 1}
	list := longtest.Must(simulated.Particles(t.Context(), caseOf(t, "easy", 100), many, [2]*particle.Batch{}, o))(t)
	barker := casetest.Selection([]int{3}, "random:2:0:3")
	barker.Kernel = "barker"
	list = append(list, longtest.Must(simulated.Tempering(t.Context(), casetest.MustCases(t, barker)[0], tempering.DEO, nil, 1, o))(t)...)
	if n := check.Count(list); len(list) != 2 || n.Open != 2 {
		t.Errorf("%+v", list)
	}
}
