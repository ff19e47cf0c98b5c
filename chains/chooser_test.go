package chains_test

import (
	"math/rand/v2"
	"testing"

	"breadboard/chains"
)

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

// TestNormal: a Sampler draws the normal numbers of its own generator, so that a RealChooser is as
// reproducible as a Chooser.
func TestNormal(t *testing.T) {
	var c chains.RealChooser = chains.NewSampler(rand.NewPCG(1, 2))
	want := rand.New(rand.NewPCG(1, 2))
	for i := range 100 {
		if got, w := c.Normal(), want.NormFloat64(); got != w {
			t.Fatalf("number %d is %v, want %v", i, got, w)
		}
	}
}
