package particle_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/exact/program"
	"breadboard/experiments/verdicts"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// lined returns the flow of an annealing on a line.
func lined(start, target []float64, T int, kernel func(grid.Graph) chains.Kernel) *particle.Annealed {
	space := longtest.Sure(grid.New(len(target)))
	path := longtest.Sure(paths.NewGeometric(start, target))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernel(space), T))
	return longtest.Sure(particle.NewAnnealed(a))
}

func metropolis(space grid.Graph) chains.Kernel { return kernels.Metropolis{Space: space} }

// hidden hides the rows of Metropolis' kernel.
type hidden struct{ k chains.Kernel }

func (h hidden) Move(c chains.Chooser, logf []float64, x int) int { return h.k.Move(c, logf, x) }
func (h hidden) Reversal() chains.Kernel                          { return h }

func byMoves(space grid.Graph) chains.Kernel { return hidden{metropolis(space)} }

// scan goes over two kernels in an order, so that it is not reversible.
func scan(space grid.Graph) chains.Kernel {
	return kernels.Compose(kernels.Metropolis{Space: space}, kernels.Barker{Space: space})
}

// observed is what a batch says of a system, with log Zhat rounded so that two routes to it are one
// outcome.
type observed struct {
	output int
	logZ   string
}

func seen(output int, logZ float64) observed { return observed{output, fmt.Sprintf("%.7g", logZ)} }

// result returns the outcome of a single call.
func result(f particle.Flow, r particle.Result) observed {
	switch {
	case r.Output < 0:
		return seen(-1, math.Inf(-1))
	case math.IsInf(r.LogXi, -1):
		return seen(r.Output, math.Inf(1))
	}
	return seen(r.Output, f.LogTarget(r.Output)-r.LogXi)
}

// against returns the log e-value of a batch against the distribution of its outcomes.
func against(t *testing.T, law *program.Law[observed], b *particle.Batch) float64 {
	t.Helper()
	place := map[observed]int{}
	p := []float64{}
	for i, o := range law.Outcomes() {
		place[o.Value] = i
		p = append(p, o.P)
	}
	counts := make([]int, len(p)+1)
	for i, x := range b.Output {
		at, known := place[seen(int(x), b.LogZ[i])]
		if !known {
			t.Errorf("output %d with log Zhat %v has no probability", x, b.LogZ[i])
			at = len(p)
		}
		counts[at]++
	}
	return verdicts.CountsLogE(counts, append(p, 0))
}

// TestSampleHasTheLawOfRun: the joint distribution of output and log Zhat is that of Run,
// enumerated, for every scheme, thresholds that bite with unequal weights, zeros, by tables and by
// moves. So is that given each output in meta-inference. An e-value reaches e^23 by chance with
// probability 1e-10, and there are some 400.
func TestSampleHasTheLawOfRun(t *testing.T) {
	inf := math.Inf(-1)
	longtest.Only(t)
	k := longtest.Times(2500, 20_000)
	for _, c := range []struct {
		name          string
		start, target []float64
		particles, T  int
		kernel        func(grid.Graph) chains.Kernel
	}{
		{"two of three states", nil, []float64{0, 2, -1}, 2, 3, metropolis},
		{"three of two states", nil, []float64{0, 3}, 3, 2, metropolis},
		{"one particle", nil, []float64{0, 2, -1}, 1, 4, metropolis},
		{"a state without mass", nil, []float64{0, 2, inf}, 2, 3, metropolis},
		{"a start without mass at a state", []float64{0, 0, inf}, []float64{inf, 1, 0}, 2, 3, metropolis},
		{"not reversible", nil, []float64{0, 2}, 2, 2, scan},
		{"steep", nil, []float64{0, 1e4, -3e3}, 2, 3, metropolis},
		{"by moves", nil, []float64{0, 2, inf}, 2, 3, byMoves},
	} {
		flow := lined(c.start, c.target, c.T, c.kernel)
		for _, scheme := range schemes() {
			for _, threshold := range []float64{1, 0.9, 0.55, 0} {
				if !longtest.More() && threshold != 0.55 && c.name != "two of three states" &&
					c.name != "a state without mass" {
					continue
				}
				s := longtest.Sure(particle.NewSMC(flow, c.particles, scheme, threshold))
				name := fmt.Sprintf("%s, %v, threshold %v", c.name, scheme, threshold)
				law := enumerated(func(ch chains.Chooser) observed { return result(flow, s.Run(ch)) })
				b := longtest.Must(particle.Sample(s, simulate.NewStream(1, name, 0), k, nil))(t)
				if e := against(t, law, b); e > 23 {
					t.Errorf("%s: log e-value %.1f of runs", name, e)
				}
				for x := range c.target {
					law := enumerated(func(ch chains.Chooser) observed { return result(flow, s.Meta(ch, x)) })
					b := longtest.Must(particle.SampleMeta(
						s,
						simulate.NewStream(1, name, 1+x),
						slices.Repeat([]int32{int32(x)}, k/4),
						nil,
					))(t)
					if e := against(t, law, b); e > 23 {
						t.Errorf("%s: log e-value %.1f of meta-inference from output %d", name, e, x)
					}
				}
			}
		}
	}
}

func enumerated(f func(chains.Chooser) observed) *program.Law[observed] {
	return longtest.Sure(program.Enumerate(context.Background(), f, program.Options{}))
}

// TestSampleIsAFunctionOfItsStream: runs and meta-inference are the same on the same stream alone.
func TestSampleIsAFunctionOfItsStream(t *testing.T) {
	s := longtest.Sure(particle.NewSMC(lined(nil, []float64{0, 2, -1}, 4, metropolis), 3, particle.Residual{}, 0.7))
	run := func(block int) string {
		b := longtest.Sure(particle.Sample(s, simulate.NewStream(1, "", block), 50, nil))
		meta := longtest.Sure(particle.SampleTarget(s, simulate.NewStream(1, "", block), 50, nil))
		return fmt.Sprint(b, meta)
	}
	if one, other := run(0), run(1); one != run(0) || one == other {
		t.Errorf("%v, again %v, and on another stream %v", one, run(0), other)
	}
}

// TestSampleStops: the error of a watch ends the work, which tells of each stage once. Outputs that
// there are not are refused, and a kernel that panics is an error.
func TestSampleStops(t *testing.T) {
	smc := func(kernel func(grid.Graph) chains.Kernel) *particle.SMC {
		return longtest.Sure(particle.NewSMC(lined(nil, []float64{0, 2, -1}, 4, kernel), 3, particle.Multinomial{}, 1))
	}
	stream := func() *rand.ChaCha8 { return simulate.NewStream(1, "", 0) }
	for _, kernel := range []func(grid.Graph) chains.Kernel{metropolis, byMoves} {
		s := smc(kernel)
		for _, looks := range []int{1, 3} {
			for _, run := range []func(watch *simulate.Watch) (*particle.Batch, error){
				func(watch *simulate.Watch) (*particle.Batch, error) {
					return particle.Sample(s, stream(), 10, watch)
				},
				func(watch *simulate.Watch) (*particle.Batch, error) {
					return particle.SampleMeta(s, stream(), make([]int32, 10), watch)
				},
			} {
				longtest.Refuses(run(&simulate.Watch{Look: longtest.EndsAfter(looks).Err}))(t, "canceled")
			}
		}
		for _, x := range []int32{-1, 3} {
			longtest.Refuses(particle.SampleMeta(s, stream(), []int32{x}, nil))(t, fmt.Sprint("output ", x))
		}
	}
	stages := 0
	longtest.Must(particle.SampleTarget(smc(metropolis), stream(), 10, &simulate.Watch{Stage: func() { stages++ }}))(t)
	if stages != 3 {
		t.Errorf("told of %d stages of 3", stages)
	}
	longtest.Refuses(particle.Sample(
		smc(func(grid.Graph) chains.Kernel { return panics{} }),
		stream(),
		10,
		nil,
	))(t, "panicked")
}

type panics struct{}

func (panics) Move(chains.Chooser, []float64, int) int { panic("no") }
func (p panics) Reversal() chains.Kernel               { return p }

// TestDeadParticlesStayDead: a particle whose weight is zero may be if no run can be at the next
// stage. Its weight stays zero.
func TestDeadParticlesStayDead(t *testing.T) {
	s := longtest.Sure(particle.NewSMC(
		lined(nil, []float64{0, math.Inf(-1), 1}, 4, metropolis),
		2,
		particle.Multinomial{},
		0,
	))
	for seed := range uint64(200) {
		if r := s.Run(chains.NewSampler(simulate.NewStream(seed, "", 0))); math.IsNaN(r.LogXi) ||
			r.Output == 1 {
			t.Fatalf("%+v", r)
		}
	}
}

// TestSmallWeightsKeepTheirDigits: the weights of a system that are all near the smallest number
// beside those of other states, and states that stand in the memory of chains before they start,
// which tables do not look at.
func TestSmallWeightsKeepTheirDigits(t *testing.T) {
	flow := lined(nil, []float64{0, -740}, 2, metropolis)
	s := longtest.Sure(particle.NewSMC(flow, 1, particle.Multinomial{}, 1))
	b := longtest.Sure(particle.Sample(s, simulate.NewStream(1, "", 0), 100, nil))
	low, high := flow.LogWeight(1, 1), flow.LogWeight(1, 0)
	for _, l := range b.LogZ {
		if math.Abs(l-low) > 1e-12 && math.Abs(l-high) > 1e-12 {
			t.Fatalf("log Zhat %v; it is %v or %v", l, low, high)
		}
	}
	tables := longtest.Sure(simulate.NewTables(flow.Annealing(), chains.Forward, nil))
	states := []int32{1, 1, 1, 1, 1, 1, 1, 1}
	tables.Start(simulate.NewGenerator(simulate.NewStream(1, "", 0)), states)
	for _, x := range states {
		if x < 0 || x > 1 {
			t.Errorf("state %d of two", x)
		}
	}
}
