package networks_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/grid/longtest"
)

// TestGenerative: evidence that is drawn given a state has the law that the likelihood says, and the model with it is that of its selector.
func TestGenerative(t *testing.T) {
	const file = "bif:testdata/asia.bif:evidence="
	q := longtest.Sure(parse(file + "dysp=yes+xray=no"))
	g, is := q.Generative(longtest.Sure(q.Target()))
	if !is || !slices.Equal(g.Rows()[0], []float64{1, 0}) {
		t.Fatal(is, g)
	}
	labels := []string{"yes", "no"}
	for x := range 2 {
		for d := range 2 {
			other := g.With([][]float64{{float64(x), float64(d)}})
			want := longtest.Sure(longtest.Sure(parse(file + "xray=" + labels[x] + "+dysp=" + labels[d])).Target()).Model.LogLikelihood(1)
			for z, v := range other.LogLikelihood(1) {
				if v != want[z] || other.LogLikelihoodAt(z) != v {
					t.Fatalf("state %d has the log likelihood %v with other data, and %v in its own model", z, v, want[z])
				}
			}
		}
	}
	random, state := rand.New(rand.NewPCG(1, 2)), 5
	const draws = 20_000
	seen := [4]float64{}
	for range draws {
		y := g.Simulate(state, random)[0]
		seen[int(2*y[0]+y[1])]++
	}
	for i, n := range seen {
		p := math.Exp(g.With([][]float64{{float64(i / 2), float64(i % 2)}}).LogLikelihoodAt(state))
		if off := n/draws - p; math.Abs(off) > 6*math.Sqrt(p*(1-p)/draws)+1e-12 { // wrong by chance once in 5e8 tests
			t.Errorf("data %d have been drawn with the frequency %v, and have the probability %v", i, n/draws, p)
		}
	}
	for selector, why := range map[string]string{
		"bif:testdata/asia.bif": "no evidence", file + "smoke=yes": "lung has an observed parent", file + "xray=yes:hide=either": "a hidden variable",
		"uai:testdata/markov3.uai:evidence=0=1": "a Markov network",
	} {
		q := longtest.Sure(parse(selector))
		if _, is := q.Generative(longtest.Sure(q.Target())); is {
			t.Errorf("%s has %s", selector, why)
		}
	}
	chain := longtest.Sure(parse("bif:testdata/earthquake.bif:evidence=MaryCalls=True+Alarm=False+JohnCalls=True"))
	if g, is := chain.Generative(longtest.Sure(chain.Target())); !is || !slices.Equal(g.Rows()[0], []float64{1, 0, 0}) {
		t.Errorf("the alarm is drawn before who calls: %v", g.Rows())
	}
}
