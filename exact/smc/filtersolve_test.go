package smc_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/particle"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/smc"
	"breadboard/grid/longtest"
)

// twistedByHand is twisted SMC on sequences by its definition, with plain probabilities.
type twistedByHand struct {
	pi, phi []float64
	a, psi  [][]float64
	base    bool
}

// chain returns p_0 of the token behind a prefix.
func (h *twistedByHand) chain(t, prefix int) []float64 {
	if t == 0 {
		return h.pi
	}
	return h.a[prefix%len(h.pi)]
}

// proposal returns q and the weights of the tokens behind a prefix.
func (h *twistedByHand) proposal(t, prefix int) (q, w []float64) {
	n := len(h.pi)
	last := t == len(h.psi)-1
	before := 1.0
	sum := 0.0
	if t > 0 {
		before = h.psi[t-1][prefix]
	}
	for v, p := range h.chain(t, prefix) {
		if !h.base {
			p *= h.psi[t][prefix*n+v]
		}
		q = append(q, p)
		sum += p
	}
	for v, p := range h.chain(t, prefix) {
		if sum == 0 {
			q[v] = p
			w = append(w, 0)
			continue
		}
		q[v] /= sum
		to := h.psi[t][prefix*n+v]
		if last {
			to = h.phi[prefix*n+v]
		}
		w = append(w, p*to/(q[v]*before))
	}
	return q, w
}

// model returns the program's own form.
func (h *twistedByHand) model() *particle.Twisted {
	logs := func(p []float64) (out []float64) {
		for _, v := range p {
			out = append(out, math.Log(v))
		}
		return out
	}
	var psi [][]float64
	for _, row := range h.psi {
		psi = append(psi, logs(row))
	}
	return particle.NewTwisted(&particle.Tilted{Pi: h.pi, A: h.a, LogPhi: logs(h.phi)}, psi, h.base)
}

// TestTwisted holds the weights of twisted SMC to their definition, and its exact distribution with
// one and two particles to the enumeration of all runs: with twists, potentials and chains that
// have zeros.
func TestTwisted(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 3).Draw(t, "tokens")
		length := rapid.IntRange(1, 6-n).Draw(t, "length")
		positive := rapid.Custom(func(t *rapid.T) float64 {
			return math.Exp(float64(rapid.IntRange(-30, 30).Draw(t, "log")) / 10)
		})
		number := rapid.Custom(func(t *rapid.T) float64 {
			if rapid.IntRange(0, 9).Draw(t, "zero") == 0 {
				return 0
			}
			return positive.Draw(t, "number")
		})
		law := rapid.Custom(func(t *rapid.T) []float64 {
			return normalised(append(rapid.SliceOfN(number, n-1, n-1).Draw(t, "p"), positive.Draw(t, "last")))
		})
		h := &twistedByHand{
			pi:   law.Draw(t, "pi"),
			a:    rapid.SliceOfN(law, n, n).Draw(t, "A"),
			base: rapid.Bool().Draw(t, "base"),
		}
		states := 1
		for range length {
			states *= n
			h.psi = append(h.psi, rapid.SliceOfN(number, states, states).Draw(t, "psi"))
		}
		h.phi = rapid.SliceOfN(number, states, states).Draw(t, "phi")
		f := h.model()
		particles := rapid.IntRange(1, 2).Draw(t, "P")
		// Z, and the sum over sequences that no run reaches
		z := 0.0
		lost := 0.0
		for x, p := range h.phi {
			reached := true
			prefix := x
			for s := length - 1; s >= 0; s-- {
				y := prefix
				prefix /= n
				q, w := h.proposal(s, prefix)
				p *= h.chain(s, prefix)[y%n]
				reached = reached && q[y%n] > 0 && w[y%n] > 0
				if q[y%n] > 0 && (s == 0 || h.psi[s-1][prefix] > 0) {
					seen["weights"]++
					if got := math.Exp(f.LogWeight(s+1, y)); !exacttest.Same(got, w[y%n], 1e-12, w[y%n]) {
						t.Fatalf("stage %d, prefix %d: weight %v, want %v", s, y, got, w[y%n])
					}
				}
			}
			z += p
			if !reached {
				lost += p
			}
		}
		got, err := smc.SolveFilter(context.Background(),
			f, smc.Setting{Particles: particles, Scheme: particle.Multinomial{}, Threshold: 1}, 1)
		if z-lost <= 1e-12*z {
			if !errors.Is(err, smc.ErrImpossible) {
				t.Fatalf("no sequence is reached, and the error is %v", err)
			}
			return
		}
		longtest.NoError(t, err)
		j := enumeratedFlow(f, particles)
		klqp := 0.0
		klpq := 0.0
		for x, p := range j.Target() {
			if q := j.Q()[x] / (1 - j.Extinct()); q > 0 {
				klqp += q * math.Log(q/(p*(1-lost/z)))
			}
			if p > 0 {
				klpq += p * math.Log(p*(1-j.Extinct())/j.Q()[x])
			}
		}
		upper := j.MeanLogZConditional()
		if lost > 1e-12*z {
			klpq = math.Inf(1)
			upper = math.Inf(1)
			seen["lost"]++
		}
		if j.Extinct() > 0 {
			seen["extinct"]++
		}
		got.Lose(f.LogLost)
		for what, pair := range map[string][2]float64{
			"log Z": {got.LogZRatio, math.Log(z)}, "lower": {got.MeanLogZForward, j.MeanLogZForward()},
			"upper":   {got.MeanLogZConditional, upper},
			"extinct": {got.Extinct, j.Extinct()}, "KL(q||p)": {got.KLQP, klqp}, "KL(p||q)": {got.KLPQ, klpq},
			"J": {got.J, klqp + klpq},
		} {
			if g, w := pair[0], pair[1]; g != w &&
				(math.IsInf(w, 0) || !(math.Abs(g-w) <= 1e-12*max(1, math.Abs(w))/(1-j.Extinct()))) {
				t.Errorf("%s is %v, by enumeration %v", what, g, w)
			}
		}
	})
	if seen["lost"] == 0 || seen["extinct"] == 0 || seen["weights"] == 0 {
		t.Errorf("only these cases occurred: %v", seen)
	}
}
