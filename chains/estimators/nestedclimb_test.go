package estimators_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/chainstest"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestClimbIsNestedTogether: without a stop, a run makes the choices of Nested with TiesTogether
// and comes to its estimates, bit for bit, so that both have the same distribution.
func TestClimbIsNestedTogether(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		target := make([]float64, rapid.IntRange(2, 6).Draw(r, "states"))
		for x := range target {
			target[x] = rapid.SampledFrom([]float64{-3, 0, 0, 0.5, 2, 7}).Draw(r, "log f")
		}
		m := finite(nil, target)
		k := rapid.IntRange(2, 4).Draw(r, "K")
		moves := rapid.IntRange(0, 3).Draw(r, "M")
		seed := rapid.Uint64().Draw(r, "seed")
		climb := longtest.Sure(estimators.NewNestedClimb(m, estimators.NestedClimbOptions{Particles: k, Moves: moves,
			Stops: []estimators.NestedStop{estimators.StopNever}}))
		ends, err := climb.Run(context.Background(), chains.NewSampler(rand.NewPCG(seed, 1)))
		if err != nil || len(ends) != 2 {
			r.Fatal(ends, err)
		}
		for _, end := range ends {
			nested := longtest.Sure(estimators.NewNested(m, estimators.NestedOptions{
				Particles: k,
				Moves:     moves,
				Ties:      estimators.TiesTogether,
				Volume:    end.Volume,
			}))
			if want := nested.Estimate(chains.NewSampler(rand.NewPCG(seed, 1))); end.LogZ != want ||
				end.Stop != estimators.StopNever {
				r.Fatalf("%+v, want log Z-hat = %v", end, want)
			}
			if want := float64(k) +
				float64(end.Moves)*m.MoveWork(); climb.Work(end) != (estimators.Work{Evaluations: want}) {
				r.Fatalf("work %v, want %v", climb.Work(end), want)
			}
		}
	})
}

// TestClimbByHand: with two particles at volumes 0.9 and 0.5, the third at 0.25 and the fourth at
// 0.125, both sums are added up term by term.
func TestClimbByHand(t *testing.T) {
	m := script{levels: []float64{-3, -1, 0, 0.5, 0.5}, next: new(int)}
	climb := longtest.Sure(estimators.NewNestedClimb[chains.Chooser, float64](m,
		estimators.NestedClimbOptions{Particles: 2, Moves: 1, Stops: []estimators.NestedStop{0.999, 0}}))
	ends := longtest.Sure(climb.Run(context.Background(), &chainstest.Given{Outcomes: make([]int, 9)}))
	// The particles are at {-3, -1}, {0, -1}, {0, 0.5} and {0.5, 0.5}. With halves, the next term
	// at 0 is 1/4 beside a sum of exp(-3)/2 + exp(-1)/4 = 0.117, and at 0.5 it is exp(0.5)/8 =
	// 0.206 beside 0.242, which is a ratio below 0.999. With thirds it is 0.489 beside 0.246.
	half := math.Exp(-3)/2 + math.Exp(-1)/4 + 1.0/8 + math.Exp(0.5)/8
	third := math.Exp(-3)/3 + math.Exp(-1)*2/9 + 4.0/27 + math.Exp(0.5)*8/27
	for i, want := range []estimators.NestedEnd{
		{Volume: estimators.VolumePaper, Stop: 0.999, LogZ: math.Log(third), Steps: 3, Moves: 3},
		{Volume: estimators.VolumePaper, Stop: 0, LogZ: math.Log(third), Steps: 3, Moves: 3},
		{Volume: estimators.VolumeUnbiased, Stop: 0.999, LogZ: math.Log(half), Steps: 3, Moves: 3},
		{Volume: estimators.VolumeUnbiased, Stop: 0, LogZ: math.Log(half), Steps: 3, Moves: 3},
	} {
		got := ends[i]
		if !near(got.LogZ, want.LogZ) {
			t.Errorf("end %d: log Z-hat = %v, want %v", i, got.LogZ, want.LogZ)
		}
		got.LogZ = want.LogZ
		if got != want {
			t.Errorf("end %d: %+v, want %+v", i, got, want)
		}
	}
}

// script is a model whose states come to stand at given levels, one after another, and without them
// one nat above the last, which is faster than the volume shrinks. A copy of a state is where it is
// before it moves.
type script struct {
	levels []float64
	next   *int
}

func (s script) Prior(chains.Chooser) float64 {
	*s.next++
	if s.levels == nil {
		return float64(*s.next)
	}
	return s.levels[*s.next-1]
}
func (s script) Clone(x float64) float64                               { return x }
func (s script) MoveWork() float64                                     { return 1 }
func (s script) Level(x float64) float64                               { return x }
func (s script) Within(c chains.Chooser, _ float64, _ float64) float64 { return s.Prior(c) }

// TestClimbEnds: what would never end is an error, and so are a likelihood that is not a number,
// and a context that ends between two moves.
func TestClimbEnds(t *testing.T) {
	o := estimators.NestedClimbOptions{
		Particles: 2,
		Moves:     1,
		Stops:     []estimators.NestedStop{estimators.StopText},
	}
	run := func(ctx context.Context, m estimators.Constrained[chains.Chooser, float64]) error {
		climb := longtest.Sure(estimators.NewNestedClimb(m, o))
		_, err := climb.Run(ctx, chains.NewSampler(rand.NewPCG(1, 1)))
		return err
	}
	m := script{levels: []float64{0, 1, 2, math.NaN(), 4}, next: new(int)}
	longtest.Refused(t, run(context.Background(), m), "log likelihood of NaN at step 2")
	*m.next = 0
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	cancel(reason)
	if err := run(ctx, m); !errors.Is(err, reason) || *m.next != 2 {
		t.Errorf("after %d states: %v", *m.next, err)
	}
	if !longtest.Enabled() {
		return
	}
	longtest.Refused(t, run(context.Background(), script{next: new(int)}), "after 1000000 steps")
}

// TestClimbOptions: what is no nested sampling is refused.
func TestClimbOptions(t *testing.T) {
	m := finite(nil, []float64{0, 1, 2})
	text := []estimators.NestedStop{estimators.StopText}
	for _, c := range []struct {
		o    estimators.NestedClimbOptions
		want string
	}{
		{estimators.NestedClimbOptions{Particles: 1, Stops: text}, "K = 1 particles"},
		{estimators.NestedClimbOptions{Particles: 2}, "without a stop"},
		{estimators.NestedClimbOptions{Particles: 2, Stops: []estimators.NestedStop{1e-3, -1}}, "1 + -1"},
		{estimators.NestedClimbOptions{Particles: 2, Stops: []estimators.NestedStop{1}}, "1 + 1"},
		{estimators.NestedClimbOptions{
			Particles: 2,
			Stops:     []estimators.NestedStop{estimators.NestedStop(math.NaN())},
		}, "1 + NaN"},
	} {
		longtest.Refuses(estimators.NewNestedClimb(m, c.o))(t, c.want)
	}
	if got := math.Exp(-10); float64(estimators.StopExperiments) != got {
		t.Errorf("exp(-10) is %v", got)
	}
}

// near reports whether two numbers are equal but for rounding.
func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-14*max(1, math.Abs(b)) }

// TestLevelsFar: a level whose prior is next to nothing beside the others keeps its odds, from
// either side.
func TestLevelsFar(t *testing.T) {
	levels, _ := estimators.LevelsOf([]float64{-2000, 0, -2000.5, -900}, []float64{0, 1, 2, 3})
	for j, want := range []float64{-2000, 900, -1100.5, math.Inf(1)} {
		if !near(levels[j].LogOdds, want) {
			t.Errorf("level %d: log odds %v, want %v", j, levels[j].LogOdds, want)
		}
	}
	if far, all := levels[0].Shrinkage(), levels[1].Shrinkage(); far != 0 || all != 900 {
		t.Errorf("shrinkage exp(-2000) is %v, and by exp(900) %v", far, all)
	}
}

// TestDeaths holds the distributions of deaths to their formulas: they sum to one, no likely number
// is left out, and with a label the distribution given that some die is what the estimator draws.
func TestDeaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom([]int{2, 3, 10, 1000, 100_000}).Draw(t, "K")
		l := estimators.Level{LogOdds: rapid.Float64Range(-30, 5).Draw(t, "log odds")}
		label := l.Deaths(k, estimators.TiesLabel)
		strict := l.Deaths(k, estimators.TiesStrict)
		mean := float64(k) * math.Log1p(math.Exp(l.LogOdds))
		q := 1 / (1 + math.Exp(-l.LogOdds))
		for what, c := range map[string]struct {
			law estimators.Deaths
			log func(n float64) float64
		}{
			"Poisson":  {label, distuv.Poisson{Lambda: mean}.LogProb},
			"binomial": {strict, distuv.Binomial{N: float64(k), P: q}.LogProb},
		} {
			total := 0.0
			most := 0.0
			for i, p := range c.law.P {
				total += p
				most = max(most, p)
				want := c.log(float64(c.law.First + i))
				if math.Abs(math.Log(p)-want) > 1e-14*(100+float64(k)*math.Log(float64(k))) {
					t.Errorf("%s: log P(%d) is %v, want %v", what, c.law.First+i, math.Log(p), want)
				}
			}
			if math.Abs(total-1) > 1e-12 {
				t.Errorf("%s: the probabilities sum to %v", what, total)
			}
			if last := c.law.First + len(c.law.P); last <= k && math.Exp(c.log(float64(last))) > 1e-20*most {
				t.Errorf("%s: %d deaths have been left out", what, last)
			}
			if c.law.First > 0 && math.Exp(c.log(float64(c.law.First-1))) > 1e-20*most {
				t.Errorf("%s: %d deaths have been left out", what, c.law.First-1)
			}
		}
	})
}

// TestNestedStrictByHand: two particles at states 0 and 2, which tie, with L = 1. Both die, one a
// step, at volumes 1 and 2/3, and what is left, 4/9, goes to the last level, L = e^2, as nothing is
// above state 3.
func TestNestedStrictByHand(t *testing.T) {
	m := finite(nil, []float64{0, -1, 0, 2})
	e := longtest.Sure(estimators.NewNested(m, estimators.NestedOptions{Particles: 2, Ties: estimators.TiesStrict}))
	c := &chainstest.Given{Outcomes: []int{0, 2, 3, 3}}
	// The prior is a quarter everywhere, but log f_1 = 0, so that L = f_T.
	if got, want := e.Estimate(c), math.Log(5.0/9+4.0/9*math.Exp(2)); !near(got, want) {
		t.Errorf("log Z-hat = %v, want %v", got, want)
	}
	if len(c.Outcomes) > 0 || !near(c.LogP, math.Log(1.0/16)) {
		t.Errorf("%d choices are left; the log probability is %v, want that of two draws from the prior",
			len(c.Outcomes), c.LogP)
	}
}

// TestNestedTogetherByHand: three particles at states 0, 2 and 3, of which the last two survive.
// Each is as likely to be copied; the third is, and does not move. Then state 2 leaves, and what is
// left goes to state 3.
func TestNestedTogetherByHand(t *testing.T) {
	m := finite(nil, []float64{0, -1, 1, 2})
	e := longtest.Sure(estimators.NewNested(m, estimators.NestedOptions{Particles: 3, Ties: estimators.TiesTogether}))
	c := &chainstest.Given{Outcomes: []int{0, 2, 3, 1, 0}}
	if got, want := e.Estimate(c), math.Log(1.0/4+3.0/4*1/4*math.E+9.0/16*math.Exp(2)); !near(got, want) {
		t.Errorf("log Z-hat = %v, want %v", got, want)
	}
	if len(c.Outcomes) > 0 || !near(c.LogP, math.Log(1.0/64/2/2)) {
		t.Errorf("%d choices are left; the log probability is %v, want that of three draws and two copies among two",
			len(c.Outcomes), c.LogP)
	}
}

// TestNestedOptions: what is no nested sampling is refused, and so is one by exact draws without
// levels.
func TestNestedOptions(t *testing.T) {
	m := finite(nil, []float64{0, 1, 2})
	for _, c := range []struct {
		o    estimators.NestedOptions
		want string
	}{
		{estimators.NestedOptions{Particles: 1}, "K = 1 particles"},
		{estimators.NestedOptions{Particles: estimators.MaxDraws + 1}, "K = 1000000001 particles"},
		{estimators.NestedOptions{Particles: 2, Ties: -1}, "ties -1"},
		{estimators.NestedOptions{Particles: 2, Volume: 3}, "volume 3"},
		{estimators.NestedOptions{Particles: 2, Ties: estimators.TiesTogether, Moves: -1}, "M = -1 moves"},
		{estimators.NestedOptions{Particles: 2, Ties: estimators.TiesStrict, Moves: 1},
			"M = 1 moves and ties strict"},
	} {
		longtest.Refuses(estimators.NewNested(m, c.o))(t, c.want)
	}
	longtest.Refuses(estimators.NewNested[chains.Chooser, int](
		levelless{m},
		estimators.NestedOptions{Particles: 2},
	))(t, "levels")
	together := estimators.NestedOptions{Particles: 2, Ties: estimators.TiesTogether, Moves: 1}
	longtest.NoError(t, second(estimators.NewNested[chains.Chooser, int](levelless{m}, together)))
	names := fmt.Sprint(estimators.TiesLabel, estimators.TiesStrict, estimators.TiesTogether,
		estimators.VolumePaper, estimators.VolumeUnbiased,
		estimators.VolumeExp)
	if names != "label strict together paper unbiased exp" {
		t.Errorf("the names are %s", names)
	}
}

// levelless is a model that does not know its levels.
type levelless struct {
	estimators.Constrained[chains.Chooser, int]
}

// One run of nested sampling with two particles on a line of four states.
func ExampleNewNested() {
	path, _ := paths.NewGeometric(nil, []float64{0, -1, 0, 2})
	annealing, _ := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(4)}, 2)
	model, _ := estimators.NewFinite(annealing)
	e, err := estimators.NewNested(model, estimators.NestedOptions{Particles: 2, Ties: estimators.TiesStrict})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("log Z-hat: %.4f\n", e.Estimate(chains.NewSampler(rand.NewPCG(1, 2))))
	fmt.Printf("exact draws on average: %.4f\n", e.Work().Exact)
	// Output:
	// log Z-hat: 0.9867
	// exact draws on average: 1.8333
}

func second[T any](_ T, err error) error { return err }
