package evidence

import (
	"context"
	"math"
	"testing"

	"breadboard/exact/program"
	"breadboard/grid/longtest"
)

// TestAboveOfCombined: the probability that several estimates, combined, are above a number is that of going through all ways for them to
// come out, wherever it is there; and where it is not a note says so.
func TestAboveOfCombined(t *testing.T) {
	longtest.NotShort(t)
	ctx, known := context.Background(), 0
	for _, on := range []*target{targetOf(t, "clu4", ""), targetOf(t, "random:1:0:2x2", "")} {
		for _, text := range Standard() {
			c := longtest.Must(Parse(text))(t)
			if c.lacks(ctx, on) != nil {
				continue
			}
			plans := longtest.Must(c.plans(ctx, on, []float64{1}, 1))(t)
			if aboveOfCombined(t, &plans[0]) {
				known++
			}
		}
	}
	if known != 12 { // lw, hme, chib and mf on both, and mf:sym, vb, vb:sym, bic on the clustering
		t.Errorf("%d probabilities are known", known)
	}
}

// aboveOfCombined holds the probabilities of estimates that combine one, two and three of a plan's, above numbers between the values
// that they can have. It returns whether those of combined ones are known.
func aboveOfCombined(t *testing.T, p *plan) bool {
	ctx := context.Background()
	law := longtest.Must(p.lawOf(ctx, p.target, p.setting, 1))(t)
	one := longtest.Must(p.enumerate(ctx))(t)
	known := false
	for _, trials := range []int{1, 2, 3} {
		for _, at := range []float64{p.LogZ - 0.31, p.LogZ - 0.017, p.LogZ + 0.0123, p.LogZ + 0.41} {
			got := longtest.Must(p.above(ctx, law, trials, at, 1))(t)
			if math.IsNaN(got.Low) && trials > 1 {
				if got.Note == "" {
					t.Errorf("%s, %d trials: nothing says why the probability is not there", p.Name, trials)
				}
				continue
			}
			known = known || trials > 1
			if one == nil || math.IsNaN(got.Low) {
				continue
			}
			want := combinedAbove(one.Outcomes(), trials, p, at)
			if !(got.Low <= want+1e-12 && got.High >= want-1e-12 && got.Low <= got.High) {
				t.Errorf("%s on %s, %d trials: P(log Z-hat > %v) in %v to %v, want %v", p.Name, p.on.Toy.Name, trials, at, got.Low, got.High, want)
			}
		}
	}
	return known
}

// combinedAbove goes through the ways for so many estimates to come out.
func combinedAbove(law []program.Outcome[float64], trials int, p *plan, at float64) float64 {
	total, logs := 0.0, []float64{}
	var add func(left int, probability float64)
	add = func(left int, probability float64) {
		if left == 0 {
			if combined(logs, p.combination) > at {
				total += probability
			}
			return
		}
		for _, o := range law {
			logs = append(logs, o.Value)
			add(left-1, probability*o.P)
			logs = logs[:len(logs)-1]
		}
	}
	add(trials, 1)
	return total
}

// TestAnyOf keeps the digits of small probabilities, and knows certain and impossible events.
func TestAnyOf(t *testing.T) {
	for p, want := range map[float64]float64{0: 0, 1: 1, 0.5: 1 - 0.5*0.5*0.5, 1e-20: 3e-20} {
		if got := anyOf(3, p); math.Abs(got-want) > 1e-15*want {
			t.Errorf("any of three events of probability %v: %v, want %v", p, got, want)
		}
	}
}
