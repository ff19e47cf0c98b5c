package hypotheses

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

// TestParts: chains of which a part has the law of a hypothesis are none of these, and their probability is what a plain sum over
// the cells says.
func TestParts(t *testing.T) {
	longtest.NotShort(t)
	const other, share, n = "log f rounded to 0.1", 0.3, 4000
	for regime, of := range regimes {
		p := taskOf(t, "random:2:1:3x3", "power:2", "metropolis", 4, chains.Forward)
		s := of(t, p)
		h := slices.Index(s.Names, other)
		tally := s.NewTally(rand.NewPCG(1, 2))
		tally.Add(draw(codeOf(t, p, Specification), n*(1-share), rand.NewPCG(3, 4)))
		tally.Add(draw(codeOf(t, p, other), n*share, rand.NewPCG(5, 6)))
		right, wrong, want := s.laws[0].dense(s.Cells(), 0), s.laws[h].dense(s.Cells(), 0), 0.0
		most := 0.0
		for cell, c := range tally.counts {
			if c > 0 {
				want += float64(c) * math.Log((1-share)*right[cell]+share*wrong[cell])
				most += float64(c) * math.Log(float64(c)/n)
			}
		}
		seen := tally.seen()
		if got := seen.part(0, h, share); !(math.Abs(got-want) < 1e-9*math.Abs(want)) {
			t.Errorf("%s: the log probability is %v, want %v", regime, got, want)
		}
		best := tally.Odds()[0]
		if regime == "listed" && (best.Name != Unknown || best.Posterior < 0.999) {
			t.Errorf("%s: %q is likeliest, with %v", regime, best.Name, best.Posterior)
		}
		// The mixture is at least each of its terms, here one of 3 parts, 2 ways, the hypotheses and 5 shares, and at most what the
		// shares of the cells themselves give.
		u := tally.unlisted(tally.logLikelihoods(), leaderCount).log
		if least := want - math.Log(3*2*5*float64(len(s.laws))); u < least-1e-6 || u > most {
			t.Errorf("%s: the log probability of what is on no list is %v, want %v..%v", regime, u, least, most)
		}
	}
}

// TestAgainstHasMeanOneAtMost sums the e-value against each hypothesis over all cells of one chain and, for some, of two, under that
// hypothesis itself. Which hypotheses lead depends on the chains.
func TestAgainstHasMeanOneAtMost(t *testing.T) {
	longtest.NotShort(t)
	p := taskOf(t, "random:2:1:2x2", "linear", "metropolis", 2, chains.Forward)
	p.Columns = Columns{Last: true, LogW: true}
	s := setOf(t, p)
	tally := s.NewTally(rand.NewPCG(1, 2))
	one, two := make([]float64, len(s.laws)), make([]float64, len(s.laws))
	laws := make([][]float64, len(s.laws))
	for h, l := range s.laws {
		laws[h] = l.dense(s.Cells(), 0)
	}
	add := func(total []float64, of func(h int) float64) {
		for _, o := range tally.Odds() {
			if h := slices.Index(s.Names, o.Name); h >= 0 && of(h) > 0 {
				total[h] += of(h) * math.Exp(o.LogE)
			}
		}
	}
	cells := s.laws[0].cells
	for a := range s.Cells() {
		tally.counts[a]++
		tally.Chains = 1
		add(one, func(h int) float64 { return laws[h][a] })
		if slices.Contains(cells, int32(a)) {
			for _, b := range cells {
				tally.counts[b]++
				tally.Chains = 2
				add(two, func(h int) float64 { return laws[h][a] * laws[h][b] })
				tally.counts[b]--
			}
		}
		tally.counts[a]--
	}
	for h, name := range s.Names {
		if !(one[h] <= 1+1e-12) || !(two[h] <= 1+1e-12) || one[h] < 0.4 {
			t.Errorf("%s: the e-value has the mean %v for one chain and %v for two", name, one[h], two[h])
		}
	}
}
