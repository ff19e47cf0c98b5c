package chains_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
)

// TestSampler checks the choices themselves, by the same bound.
func TestSampler(t *testing.T) {
	const draws = 40_000
	bound := math.Sqrt(math.Log(2/1e-12) / (2 * draws))
	c := chains.NewSampler(rand.NewPCG(3, 4))
	p := []float64{0, 0.5, 0, 0.2, 0.3, 0}
	counts := make([]float64, len(p))
	heads, uniform := 0.0, make([]float64, 5)
	for range draws {
		counts[c.Choose(p)] += 1.0 / draws
		uniform[c.Uniform(5)] += 1.0 / draws
		if c.Flip(0.3) {
			heads += 1.0 / draws
		}
	}
	for i := range p {
		if math.Abs(counts[i]-p[i]) > bound || (p[i] == 0 && counts[i] > 0) {
			t.Errorf("Choose gives %d in %v of draws, probability %v", i, counts[i], p[i])
		}
	}
	for i, f := range uniform {
		if math.Abs(f-0.2) > bound {
			t.Errorf("Uniform(5) gives %d in %v of draws", i, f)
		}
	}
	if math.Abs(heads-0.3) > bound {
		t.Errorf("Flip(0.3) is true in %v of draws", heads)
	}
	if c.Flip(0) || !c.Flip(1) {
		t.Error("Flip(0) or Flip(1) is not certain")
	}
}

// TestSamplerStream pins the stream: the same seed gives the same choices for ever.
func TestSamplerStream(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(1, 2))
	var got [8]int
	for i := range got {
		got[i] = c.Uniform(100)
	}
	if want := [8]int{76, 61, 78, 79, 23, 4, 49, 44}; got != want {
		t.Errorf("the first draws are %v, want %v", got, want)
	}
}

func TestChooseWithoutMassPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	chains.NewSampler(rand.NewPCG(1, 2)).Choose([]float64{0, 0})
}

// TestNormal: a Sampler draws the normal numbers of its own generator, so that a RealChooser is as reproducible as a Chooser.
func TestNormal(t *testing.T) {
	var c chains.RealChooser = chains.NewSampler(rand.NewPCG(1, 2))
	want := rand.New(rand.NewPCG(1, 2))
	for i := range 100 {
		if got, w := c.Normal(), want.NormFloat64(); got != w {
			t.Fatalf("number %d is %v, want %v", i, got, w)
		}
	}
}
