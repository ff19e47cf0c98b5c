package conform

import (
	"context"
	"io"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/draws"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// ruled is Metropolis' kernel with another probability of accepting a proposal y from x.
type ruled struct {
	space  grid.Graph
	accept func(logf []float64, x, y int) float64
}

func (k ruled) Move(c chains.Chooser, logf []float64, x int) int {
	if y, inside := k.space.Neighbour(x, c.Uniform(k.space.Directions())); inside &&
		c.Flip(k.accept(logf, x, y)) {
		return y
	}
	return x
}

// metropolis is the right probability.
func metropolis(logf []float64, x, y int) float64 { return math.Exp(min(0, logf[y]-logf[x])) }

// running is the chains of a program, as long as they are asked for.
type running struct {
	*rows   // says what there is
	program *planted.Annealer
	sampler chains.Chooser
}

// newRunning returns the chains of a program with a bug.
func newRunning(t testing.TB, l *Laws, d chains.Direction, seed uint64,
	plant func(r *planted.Annealer)) *running {
	t.Helper()
	r := longtest.Sure(planted.AnnealerOf(l.task.Case.Annealing(), d))
	plant(r)
	return &running{source(nil, short), r, chains.NewSampler(newSource(seed))}
}

func (s *running) Next(ctx context.Context, n int) (*draws.Batch, error) {
	b := &draws.Batch{Rows: n}
	for range n {
		first, last, logW := chains.Run(s.program, s.sampler)
		if s.program.Direction() == chains.Reverse {
			first, last = last, first
		}
		b.XFirst, b.XLast, b.LogW = append(b.XFirst, int32(first)), append(b.XLast, int32(last)),
			append(b.LogW, logW)
	}
	return b, ctx.Err()
}

// programOf returns the chains of both directions of a program with a bug, for a seed.
func programOf(t *testing.T, l *Laws, seed uint64, plant func(r *planted.Annealer)) Input {
	t.Helper()
	var in [2]draws.Source
	for _, d := range directions {
		in[d] = newRunning(t, l, d, 2*seed+uint64(d), plant)
	}
	return Input{Forward: in[0], Reverse: in[1]}
}

// TestUnlistedBugs: bugs of the acceptance that are on no list are faults, and none is named:
// neither the kernel of Barker, the only one on the list by which a chain may stay where
// Metropolis' moves for certain, nor one of another beta, whose acceptance is like the root of the
// right one. The run stops by itself.
func TestUnlistedBugs(t *testing.T) {
	longtest.Only(t) // the task of short runs needs too many chains
	l := usualLaws(t)
	space := l.task.Case.Toy.Space
	for _, c := range []struct {
		name   string
		accept func(logf []float64, x, y int) float64
	}{
		{"moves are refused 2% too often",
			func(logf []float64, x, y int) float64 { return 0.98 * metropolis(logf, x, y) }},
		{"the root of the ratio",
			func(logf []float64, x, y int) float64 { return math.Sqrt(metropolis(logf, x, y)) }},
		{"half of the moves are Barker's", func(logf []float64, x, y int) float64 {
			return (metropolis(logf, x, y) + 1/(1+math.Exp(logf[x]-logf[y]))) / 2
		}},
	} {
		for seed := range uint64(longtest.Times(2, 6)) {
			out := checked(t, l, programOf(t, l, seed, func(r *planted.Annealer) {
				r.Kernel = func(int) chains.Kernel { return ruled{space, c.accept} }
			}), Options{UntilDecided: true, Chains: 1 << 16})
			for _, s := range out.Sides {
				// Where the forward chains alone are at fault already, too few may have come to
				// find the reverse ones.
				if !out.Fault() || s.Chains == 1<<16 ||
					s.Fault && (len(s.Named) > 0 || s.Odds[0].Name != hypotheses.Unknown) {
					t.Errorf("%s, seed %d, %v: fault: %v after %d chains, named %q; %s", c.name,
						seed, s.Direction, out.Fault(), s.Chains, s.Named, likeliest(s.Odds))
				}
			}
		}
	}
}

// again repeats the first chains of a source without end.
type again struct {
	draws.Source
	period int
	block  *draws.Batch
	at     int
}

func (s *again) Next(ctx context.Context, n int) (*draws.Batch, error) {
	if s.block == nil {
		b, err := gathered(ctx, s.Source, s.period)
		if err != nil {
			return nil, err
		}
		s.block = b
	}
	if s.at == 1<<14 {
		return nil, io.EOF
	}
	from := s.at % s.period
	b := part(s.block, from, min(s.period, from+n, from+1<<14-s.at))
	b.First = s.at
	s.at += b.Rows
	return b, nil
}

// TestRepeatedChains: right chains of which a block comes again and again are named so, and a
// stream is not named that both directions share. The first rows that come again are given.
func TestRepeatedChains(t *testing.T) {
	longtest.Only(t)
	l := usualLaws(t)
	for _, period := range []int{100, 1000, 5000} {
		in := programOf(t, l, 1, func(*planted.Annealer) {})
		out := checked(t, l, Input{
			Forward: &again{Source: in.Forward, period: period},
			Reverse: &again{Source: in.Reverse, period: period},
		}, Options{})
		for _, s := range out.Sides {
			if !s.Fault || len(s.Named) != 1 || s.Named[0] != hypotheses.Repeated ||
				s.Odds[0].Posterior < 0.999 {
				t.Errorf("period %d, %v: fault: %v, named %q; %s", period, s.Direction, s.Fault, s.Named,
					likeliest(s.Odds))
			}
		}
	}
}
