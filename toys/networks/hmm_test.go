package networks_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/particle"
	"breadboard/grid/longtest"
	"breadboard/toys/forms"
	"breadboard/toys/models"
	"breadboard/toys/networks"
)

// TestOfHMM: elimination finds log Z as the forward recursion does, for any model, likelihoods of
// all magnitudes, zeros, and a chain of any length.
func TestOfHMM(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "states")
		symbols := rapid.IntRange(1, 3).Draw(t, "symbols")
		length := rapid.IntRange(1, 30).Draw(t, "length")
		row := func(n int) []float64 {
			p := make([]float64, n)
			sum := 0.0
			for i := range p {
				p[i] = math.Exp(-rapid.SampledFrom([]float64{0, 1, 37, 600, math.Inf(1)}).Draw(t, "nats"))
				sum += p[i]
			}
			if sum == 0 {
				p[0], sum = 1, 1
			}
			for i := range p {
				p[i] /= sum
			}
			return p
		}
		h := &particle.HMM{Pi: row(n)}
		for range n {
			h.A, h.E = append(h.A, row(n)), append(h.E, row(symbols))
		}
		for range length {
			h.Y = append(h.Y, rapid.IntRange(0, symbols-1).Draw(t, "y"))
		}
		_, want := h.Forward()
		net := networks.OfHMM(h)
		q := &networks.Query{Network: net, Evidence: net.Given, Hidden: make([]bool, len(net.Variables))}
		found := longtest.Sure(q.Product(t.Context(), q.Clamped(), networks.Outputs{}))
		if !(math.Abs(found.LogZ-want) <= 1e-11*(1+math.Abs(want))) &&
			!(math.IsInf(want, -1) && math.IsInf(found.LogZ, -1)) {
			t.Fatalf("log Z %v, want %v", found.LogZ, want)
		}
	})
}

// TestHMMIsAToy: states are paths, log f is that of the filter's target, the model along its data
// is the model of fewer data, and hiding or seeing states makes another target.
func TestHMMIsAToy(t *testing.T) {
	toy := longtest.Must(forms.Targets().Parse("hmm:wear"))(t)
	flow := longtest.Must(particle.NewHidden(models.Wear(), particle.Prior))(t)
	if len(toy.G) != flow.Outputs() {
		t.Fatalf("%d states", len(toy.G))
	}
	for x, g := range toy.G {
		if want := flow.LogTarget(x); g != want && math.Abs(g-want) > 1e-13 {
			t.Errorf("path %d has %v, want %v", x, g, want)
		}
	}
	first := toy.Model.(models.Sequential).First(2)
	short := models.Wear()
	short.Y = short.Y[:2]
	flow = longtest.Must(particle.NewHidden(short, particle.Prior))(t)
	prior := first.LogPrior()
	likelihood := first.LogLikelihood(1)
	for x := range prior {
		if got, want := prior[x]+likelihood[x], flow.LogTarget(x); got != want && math.Abs(got-want) > 1e-13 {
			t.Errorf("path %d of two has %v, want %v", x, got, want)
		}
	}
	for _, text := range []string{
		"hmm:wear:hide=x2", "hmm:wear:evidence=x2=1", "hmm:wear:evidence=x2=1:hide=x1", "hmm:wear:keep=x5"} {
		other := longtest.Must(forms.Targets().Parse(text))(t)
		if other.Name != text {
			t.Errorf("%s is called %s", text, other.Name)
		}
		if _, is := other.Model.(*networks.Hidden); is {
			t.Errorf("%s is the whole model", text)
		}
	}
	for text, want := range map[string]string{
		"hmm:wear:evidence=y1=1": "y1", "hmm:wear:hide=y1": "y1 is observed", "hmm:wear:evidence=x9=1": "x9",
		"hmm:nowhere": "no such file",
		"hmm:":        "the path", "hmm:wear:table=child-fastest": "table",
	} {
		longtest.Refuses(forms.Targets().Parse(text))(t, want)
	}
}
