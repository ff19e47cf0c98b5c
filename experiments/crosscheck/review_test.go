package crosscheck

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains"
)

// TestNaNIsAFault: no comparison holds for an e-value that is no number, so that it would pass.
func TestNaNIsAFault(t *testing.T) {
	p := &test{
		Result: Result{Threshold: 10}, budget: 1,
		draw:  func(context.Context, int) error { return nil },
		value: func() (float64, func() string) { return math.NaN(), func() string { return "here" } },
	}
	if p.advance(context.Background(), 1); !p.Fault || !strings.Contains(p.Where, "NaN") || !strings.Contains(p.Where, "here") {
		t.Errorf("%+v", p.Result)
	}
}

// TestRanksOfTheImpossible: counts at states that no chain can be at are a fault, however few.
func TestRanksOfTheImpossible(t *testing.T) {
	p := make([]float64, 9)
	for x := range 8 {
		p[x] = 1.0 / 8
	}
	r := newRanks("x_T", p, middleCounts, rand.New(rand.NewPCG(1, 2)))
	counts := make([]int, 9)
	counts[0], counts[8] = middleCounts-1, 1
	if r.add(counts); !math.IsInf(first(r.value()), 1) {
		t.Errorf("log e = %v", first(r.value()))
	}
}

func first(v float64, _ func() string) float64 { return v }

// TestDivergence compares with numbers that are known: KL((1/2, 1/2) || (1/4, 3/4)) = log(4/3)/2, and to the second
// order in d, KL((1/2+d, 1/2-d) || (1/2, 1/2)) = 2 d^2.
func TestDivergence(t *testing.T) {
	if kl := divergence([]float64{0.5, 0.5}, []float64{0.25, 0.75}); math.Abs(kl-math.Log(4.0/3)/2) > 1e-15 {
		t.Errorf("KL = %v", kl)
	}
	const d = 0x1p-20
	if kl := divergence([]float64{0.5 + d, 0.5 - d}, []float64{0.5, 0.5}); math.Abs(kl/(2*d*d)-1) > 1e-3 {
		t.Errorf("KL = %v, want %v", kl, 2*d*d)
	}
}

// TestJointLaw: the joint law of both ends has the laws of the ends as its margins.
func TestJointLaw(t *testing.T) {
	l := laws(t, annealing(t, "random:2:1:3x3", 6))
	for d, law := range l.ends {
		first, last := make([]float64, 9), make([]float64, 9)
		for at, p := range law {
			first[at/9] += p
			last[at%9] += p
		}
		for x := range 9 {
			if math.Abs(first[x]-l.first[d][x]) > 1e-14 || math.Abs(last[x]-l.last[d][x]) > 1e-14 {
				t.Errorf("%v, state %d: %v and %v, want %v and %v", d, x, first[x], last[x], l.first[d][x], l.last[d][x])
			}
		}
	}
	if len(l.ends) != 2 || l.skipped != nil {
		t.Errorf("%d joint laws, skipped %v", len(l.ends), l.skipped)
	}
}

// TestNeeds: of the planted kernels only the acceptance in 32 bits needs more moves than can be made.
func TestNeeds(t *testing.T) {
	a := annealing(t, "easy", 12)
	l := laws(t, a)
	for _, m := range Mutants(a, a.Kernel().(chains.Metropolis).Space) {
		if m.wrong == nil || m.Harmless || m.Annealing != a {
			continue
		}
		needs, err := m.needs(context.Background(), l, DefaultAlpha)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.3g", m.Name, needs)
		if (needs > VisibleMoves) != (m.Name == "32-bit acceptance uniform") || needs < 1 {
			t.Errorf("%s needs %.3g moves", m.Name, needs)
		}
	}
}
