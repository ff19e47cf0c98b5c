package success_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains/number"
	"breadboard/experiments/annealing/success"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/subject"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// successOnFactors runs chains on the factors of a toy.
func successOnFactors(t *testing.T, s subject.Selection, o success.Options) []success.Row {
	t.Helper()
	return casetest.Rows(t, success.Study(), factored(t, s), o)
}

func factored(t *testing.T, s subject.Selection) []subject.Case {
	t.Helper()
	return longtest.Must(s.OnFactors(context.Background(), s.Toys[0]))(t)
}

// qubo is a problem with weights of many sizes, on a ring with chords; the best of its states is
// not known beforehand.
func qubo(t *testing.T, n int) string {
	text := fmt.Sprintf("p qubo 0 %d %d %d\n", n, n, 2*n)
	for i := range n {
		text += fmt.Sprintf("%d %d %v\n", i, i, math.Sin(float64(3*i+1)))
	}
	for i := range n {
		for _, k := range []int{1, 3} {
			j := (i + k) % n
			text += fmt.Sprintf("%d %d %v\n", min(i, j), max(i, j), math.Cos(float64(5*i+2*k)))
		}
	}
	return "qubo:" + longtest.File(t, "problem.qubo", text) + ":3"
}

// annealingNetwork is one of which the prior is not uniform, and where what is seen leaves some
// values impossible.
const annealingNetwork = `network n { }
variable a { type discrete [ 2 ] { n, y }; }
variable b { type discrete [ 3 ] { u, v, w }; }
variable c { type discrete [ 2 ] { n, y }; }
probability ( a ) { table 0.7, 0.3; }
probability ( b | a ) { (n) 0.5, 0.3, 0.2; (y) 0.1, 0.2, 0.7; }
probability ( c | a, b ) { (n, u) 0.9, 0.1; (n, v) 0.6, 0.4; (n, w) 0.5, 0.5; (y, u) 0.2, 0.8; (y, v) 0.3, 0.7; (y, w) 0.75, 0.25; }
`

// TestChainsOnFactorsHaveTheExactLaw: if the states can be listed too, shares of chains on factors
// and their means are within five standard errors of the exact probabilities and means, level and
// optimum are the same, and intervals hold the estimates. One of 120 comparisons is off by chance
// in a run in 14,000.
func TestChainsOnFactorsHaveTheExactLaw(t *testing.T) {
	longtest.Only(t)
	for _, toy := range []string{"ising:3x3:0.4:0.2", "potts:3:2x3:0.9", qubo(t, 8),
		"bif:" + longtest.File(t, "small.bif", annealingNetwork) + ":evidence=c=y"} {
		for _, kernel := range []string{"flip", "heatbath", "heatbath-scan"} {
			s := successSelection(toy, kernel, 2, 15)
			s.Schedule = "power:2"
			var exact []success.Row // of the optimum; the mean of the best needs all levels
			for _, r := range casetest.Rows(t, success.Study(), casetest.MustCases(t, s), success.Options{}) {
				if len(exact) == 0 || exact[len(exact)-1].Distributions() != r.Distributions() {
					exact = append(exact, r)
				}
			}
			for i, r := range successOnFactors(t, s, success.Options{Levels: 1, Chains: 20_000, Seed: 5}) {
				want := exact[i]
				sim := r.Simulated
				if strings.HasPrefix(toy, "ising") || strings.HasPrefix(toy, "qubo") {
					if r.States != want.States || math.Abs(r.LogTarget-want.LogTarget) > 1e-11 {
						t.Errorf("%s: %v states have it with log probability %v, want %v and %v",
							toy, r.States, r.LogTarget, want.States, want.LogTarget)
					}
				} else if !math.IsNaN(r.States) || !math.IsNaN(r.LogTarget) {
					t.Errorf("%s: %v states, log probability %v", toy, r.States, r.LogTarget)
				}
				if math.Abs(r.Level-want.Level) > 1e-9 {
					t.Errorf("%s, %s: level %v, want %v", toy, kernel, r.Level, want.Level)
				}
				near := func(what string, got, want, deviation float64) {
					if !(math.Abs(got-want) <= 5*deviation+1e-12) {
						t.Errorf("%s, %s, T = %d: %s is %v +- %v, exactly %v", toy, kernel, r.Distributions(),
							what, got, deviation, want)
					}
				}
				binomial := func(p float64) float64 { return math.Sqrt(p * (1 - p) / float64(sim.Chains)) }
				near("p_end", r.End.Value, want.End.Value, binomial(want.End.Value))
				near("p_seen", r.Seen.Value, want.Seen.Value, binomial(want.Seen.Value))
				near("mean_end", r.MeanEnd.Value, want.MeanEnd.Value, sim.ErrEnd)
				near("mean_best", r.MeanBest.Value, want.MeanBest.Value, sim.ErrBest)
				if !(sim.PSeen.Low < r.Seen.Value && r.Seen.Value < sim.PSeen.High &&
					sim.PEnd.Low < r.End.Value && r.End.Value < sim.PEnd.High) {
					t.Errorf("%v is not in %v, or %v not in %v", r.Seen.Value, sim.PSeen, r.End.Value, sim.PEnd)
				}
			}
		}
	}
}

// TestSuccessPastEnumeration: on 40x40 spins, which elimination does not reach, the level is that
// of a tabu search, and the note says so. No number depends on the workers, and the end of a
// context is an end.
func TestSuccessPastEnumeration(t *testing.T) {
	longtest.Only(t)
	wide := successOnFactors(t, successSelection("ising:40x40:0.5", "heatbath-scan", 3, 30),
		success.Options{Levels: 1, Chains: 50, Seed: 1})
	for _, r := range wide {
		if r.Level != 1560 || !math.IsNaN(r.States) || !math.IsNaN(r.LogTarget) ||
			slices.Max(r.Simulated.Bests) > r.Level {
			t.Errorf("level %v of %v states, and the best of chains is %v; all spins alike have 1560",
				r.Level, r.States, slices.Max(r.Simulated.Bests))
		}
		longtest.Refuses(0, fmt.Errorf("%s", r.Simulated.Note))(t, "best found, by a tabu search, and not proven")
	}
	cases := factored(t, successSelection("ising:8x8:1", "heatbath-scan", 10, 100))
	casetest.SameForAnyWorkers(t, success.Study(), cases, success.Options{Levels: 1, Chains: 3000, Seed: 2},
		func(r *success.Row) string { return fmt.Sprint(r.Reached, r.Simulated.Bests, r.Least) })
	casetest.Ends(t, success.Study(), cases, success.Options{Levels: 1, Chains: 3000})
}

// TestHostileFactors: states that are all alike are all best, also if there is one variable, and T
// = 2; probabilities of one have intervals up to one.
func TestHostileFactors(t *testing.T) {
	for _, toy := range []string{"ising:1x1:1", "ising:2x2:0", "ising:8x8:0"} {
		for _, r := range successOnFactors(
			t,
			successSelection(toy, "flip", 2, 5),
			success.Options{Levels: 1, Chains: 100, Seed: 1},
		) {
			low := math.Pow(0.025, 1./100) // where (1 - p)^0 p^100 leaves 0.025
			if r.Seen.Value != 1 || r.End.Value != 1 || r.TTS().Value != float64(r.Distributions()-1) ||
				r.Simulated.PSeen.High != 1 ||
				math.Abs(r.Simulated.PSeen.Low-low) > 1e-9 || r.MeanBest.Value != r.Level {
				t.Errorf("%s: %+v, %+v", toy, r.Reached, r.Simulated.PSeen)
			}
			moves := float64(r.Distributions() - 1)
			if in := r.TTSInterval(); in.Low != moves ||
				in.High != moves*math.Ceil(math.Log(0.01)/math.Log1p(-low)) {
				t.Errorf("TTS %v in %v", r.TTS().Value, in)
			}
		}
	}
	if ring := successOnFactors(t, successSelection(qubo(t, 30), "heatbath-scan", 300),
		success.Options{Levels: 1, Chains: 200, Seed: 1})[0]; !(ring.Seen.Value > 0.1 &&
		ring.End.Value <= ring.Seen.Value) {
		t.Errorf("%+v", ring.Reached)
	}
}

// TestRefusedOnFactors: options that would do nothing, and unknown levels.
func TestRefusedOnFactors(t *testing.T) {
	cases := factored(t, successSelection("ising:8x8:1", "flip", 10))
	listed := casetest.MustCases(t, successSelection("barrier", "metropolis", 10))
	casetest.Refuses(t, success.Study(), cases, success.Options{Levels: 3}, "give levels 1")
	casetest.Refuses(t, success.Study(), cases, success.Options{Levels: 1, Start: "point:0"}, "leave start out")
	casetest.Refuses(t, success.Study(), cases, success.Options{Levels: 1, Chains: 1}, "needs at least 2")
	near := subject.Selection{Reader: forms.Reader(),
		Distributions: []int{2}, Path: "geometric", Schedule: "linear", Kernel: "flip",
		Toys: []string{"qubo:testdata/q30.qubo:1e-9"}}
	casetest.Refuses(t, success.Study(), factored(t, near), success.Options{Levels: 1},
		"too close to be told from rounding")
	casetest.Refuses(t, success.Study(), listed, success.Options{Levels: 1, Chains: 100}, "leave chains out")
	if rows := casetest.Rows(t, success.Study(), append(cases, listed...),
		success.Options{Levels: 1, Chains: 100, Start: "uniform"}); rows[0].Simulated == nil ||
		rows[1].Simulated != nil {
		t.Errorf("%+v", rows)
	}
}

// TestLeastOfChains: a row has the least time to solution if its whole interval is below all
// others, and is open if the intervals say no more.
func TestLeastOfChains(t *testing.T) {
	longtest.Only(t)
	s := successSelection("ising:3x3:0.6", "flip", 3)
	s.Distributions = []int{2, 60, 1000}
	seen := map[string]int{}
	for _, chains := range []int{50, 3000} {
		rows := successOnFactors(t, s, success.Options{Levels: 1, Chains: chains, Seed: 3})
		for i := range rows {
			// whether this interval lies below all others, and above one of them
			below := true
			above := false
			for k := range rows {
				mine := rows[i].TTSInterval()
				other := rows[k].TTSInterval()
				below = below && (i == k || mine.High <= other.Low)
				above = above || mine.Low > other.High
			}
			if r := rows[i]; r.Least != below || r.Open != (!below && !above) {
				t.Errorf("%d chains, T = %d: least %v, open %v; its interval is below all others: %v, above one: %v",
					chains, r.Distributions(), r.Least, r.Open, below, above)
			}
			seen[fmt.Sprint(below, above)]++
		}
	}
	if len(seen) != 3 {
		t.Errorf("of below, above and open there are only %v", seen)
	}
}

// TestTimeNearOne: exact and simulated times to solution fall with the probability down to one run
// of 9 sweeps over 6 variables, which is that of 0.99 and of 1, and all rows that have the least
// are marked.
func TestTimeNearOne(t *testing.T) {
	for _, run := range []func(*testing.T, subject.Selection) []success.Row{
		func(t *testing.T, s subject.Selection) []success.Row {
			return casetest.Rows(t, success.Study(), casetest.MustCases(t, s), success.Options{Levels: 1})
		},
		func(t *testing.T, s subject.Selection) []success.Row {
			return successOnFactors(t, s, success.Options{Levels: 1, Chains: 1000, Seed: 1})
		},
	} {
		high := 0
		one := 0
		for _, field := range []float64{0.2, 0.4, 0.6, 0.7, 0.8, 1, 2, 12} {
			r := run(t, successSelection(fmt.Sprintf("ising:2x3:1:%v", field), "heatbath-scan", 10))[0]
			p := r.Seen.Value
			tts := r.TTS().Value
			want := 54 * max(1, math.Ceil(math.Log(0.01)/math.Log(r.Unseen.Value)-1e-9))
			if math.Abs(tts-want) > 1e-12 || p >= 0.99 && tts != 54 || !r.Least {
				t.Errorf("p %v: TTS %v, want %v", p, tts, want)
			}
			if r.Simulated != nil {
				if in := r.TTSInterval(); !(54 <= in.Low && in.Low <= tts && tts <= in.High) {
					t.Errorf("p %v: TTS %v in %v", p, tts, in)
				}
				// Clopper and Pearson 1934: either end leaves 0.025 of the binomial distribution.
				seen := 1000 * p
				in := r.Simulated.PSeen
				above, below := 1-distuv.Binomial{N: 1000, P: in.Low}.CDF(seen-1),
					distuv.Binomial{N: 1000, P: in.High}.CDF(seen)
				if math.Abs(above-0.025) > 1e-9 || p < 1 && math.Abs(below-0.025) > 1e-9 {
					t.Errorf("p %v in %v: %v is above, and %v below", p, in, above, below)
				}
			}
			if p > 0.99 {
				high++
			}
			if p > 1-1e-9 {
				one++
			}
		}
		if one == 0 || high == one {
			t.Errorf("%d probabilities are above 0.99, and %d of them are one", high, one)
		}
	}
	rows := casetest.Rows(t, success.Study(), crossed(
		t,
		"ising:2x3:1",
		nil,
		[]string{"linear", "power:1.00000000000001", "power:9"},
		[]string{"flip"},
		9,
	), success.Options{Levels: 1})
	if rows[0].Seen.Value == 0 || !rows[0].Least || !rows[1].Least || rows[2].Least {
		t.Errorf("the least TTS is %v, %v, %v of %v, %v, %v", rows[0].Least, rows[1].Least, rows[2].Least,
			rows[0].TTS(), rows[1].TTS(), rows[2].TTS())
	}
	sure := success.Row{Case: rows[0].Case, Reached: success.Reached{
		Seen:      number.Within(1, 1e-12),
		LogUnseen: number.Bounded{Value: -700, Error: math.Inf(1)},
	}}
	if want := number.Exactly(float64(8 * sure.Updates())); sure.TTS() != want {
		t.Errorf("with p %v and log(1 - p) %v the TTS is %v, want %v", sure.Seen, sure.LogUnseen, sure.TTS(), want)
	}
}

// TestChainsAtEverySize: a product of factors makes cases on these if chains are asked for, and if
// exact numbers take too much; by a kernel that does not move so the refusal stands.
func TestChainsAtEverySize(t *testing.T) {
	small := subject.Reader{Forms: forms.All(),
		Check: func(subject.Size) error { return grid.TooLarge{Err: errors.New("too large")} }}
	chained := subject.Reader{Forms: forms.All(), Chains: true}
	for _, c := range []struct {
		in     subject.Reader
		kernel string
		on     bool
		fails  string
	}{
		{forms.Reader(), "flip", false, ""}, {chained, "flip", true, ""}, {small, "flip", true, ""},
		{small, "metropolis", false, "too large"}, {chained, "metropolis", false, "does not move by factors"},
	} {
		s := successSelection("ising:3x3:0.6", c.kernel, 10)
		s.Reader = c.in
		s.Factored = true
		cases, err := s.Cases(t.Context())
		if c.fails != "" {
			longtest.Refused(t, err, c.fails)
		} else if longtest.NoError(t, err); (cases[0].Factored() != nil) != c.on {
			t.Errorf("kernel %s: %v", c.kernel, cases)
		}
	}
}
