package smc_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/particle"
	"breadboard/exact/smc"
	"breadboard/grid/longtest"
)

// twistedByHand is twisted SMC on sequences by its definition: all tokens and all ancestors of two
// particles, or one, with plain probabilities.
type twistedByHand struct {
	pi, phi   []float64
	a, psi    [][]float64
	base      bool
	particles int

	z, lost        float64 // Z, and the sum over sequences that no run reaches
	q              []float64
	lower, extinct float64
	upper          float64
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
	n, last := len(h.pi), t == len(h.psi)-1
	before, sum := 1.0, 0.0
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

// run continues particles that are at stage t with a probability, and calls end with the states,
// their weights and Zhat before these. The first particle keeps to the path of an output from 0 on.
func (h *twistedByHand) run(t int, states []int, zhat, p float64, output int, end func(states []int, w []float64, zhat, p float64)) {
	n := len(h.pi)
	var move func(i int, next []int, w []float64, p float64)
	move = func(i int, next []int, w []float64, p float64) {
		if p == 0 {
			return
		}
		if i < len(states) {
			q, weights := h.proposal(t, states[i])
			if i == 0 && output >= 0 {
				y := output
				for range len(h.psi) - 1 - t {
					y /= n
				}
				move(1, []int{y}, []float64{weights[y%n]}, p)
				return
			}
			for v := range q {
				move(i+1, append(next[:i:i], states[i]*n+v), append(w[:i:i], weights[v]), p*q[v])
			}
			return
		}
		sum := 0.0
		for _, v := range w {
			sum += v
		}
		if t == len(h.psi)-1 || sum == 0 {
			end(next, w, zhat, p)
			return
		}
		zhat := zhat * sum / float64(len(w))
		var parents func(i int, chosen []int, p float64)
		parents = func(i int, chosen []int, p float64) {
			if i == len(w) {
				h.run(t+1, chosen, zhat, p, output, end)
				return
			}
			if i == 0 && output >= 0 {
				parents(1, []int{next[0]}, p)
				return
			}
			for j, v := range w {
				if v > 0 {
					parents(i+1, append(chosen[:i:i], next[j]), p*v/sum)
				}
			}
		}
		parents(0, nil, p)
	}
	move(0, nil, nil, p)
}

// solve fills in the results.
func (h *twistedByHand) solve() {
	h.q = make([]float64, len(h.phi))
	h.run(0, make([]int, h.particles), 1, 1, -1, func(states []int, w []float64, zhat, p float64) {
		sum := 0.0
		for _, v := range w {
			sum += v
		}
		if sum == 0 {
			h.extinct += p
			return
		}
		h.lower += p * math.Log(zhat*sum/float64(len(w)))
		for i, x := range states {
			h.q[x] += p * w[i] / sum
		}
	})
	for x, phi := range h.phi {
		p, reached := phi, true
		prefix, n := x, len(h.pi)
		for t := len(h.psi) - 1; t >= 0; t-- {
			v := prefix % n
			prefix /= n
			q, w := h.proposal(t, prefix)
			p *= h.chain(t, prefix)[v]
			reached = reached && q[v] > 0 && w[v] > 0
		}
		if h.z += p; !reached {
			h.lost += p
			continue
		}
		h.run(0, make([]int, h.particles), 1, p, x, func(_ []int, w []float64, zhat, p float64) {
			sum := 0.0
			for _, v := range w {
				sum += v
			}
			h.upper += p * math.Log(zhat*sum/float64(len(w)))
		})
	}
	if h.upper /= h.z - h.lost; h.extinct > 0 {
		h.lower = math.Inf(-1)
	}
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

// TestTwistedByHand holds twisted SMC with one and two particles to all of its runs and conditional
// runs: with twists, potentials and chains that have zeros.
func TestTwistedByHand(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 3).Draw(t, "tokens")
		length := rapid.IntRange(1, 6-n).Draw(t, "length")
		positive := rapid.Custom(func(t *rapid.T) float64 { return math.Exp(float64(rapid.IntRange(-30, 30).Draw(t, "log")) / 10) })
		number := rapid.Custom(func(t *rapid.T) float64 {
			if rapid.IntRange(0, 9).Draw(t, "zero") == 0 {
				return 0
			}
			return positive.Draw(t, "number")
		})
		law := rapid.Custom(func(t *rapid.T) []float64 {
			p := append(rapid.SliceOfN(number, n-1, n-1).Draw(t, "p"), positive.Draw(t, "last"))
			sum := 0.0
			for _, v := range p {
				sum += v
			}
			for i := range p {
				p[i] /= sum
			}
			return p
		})
		h := &twistedByHand{pi: law.Draw(t, "pi"), a: rapid.SliceOfN(law, n, n).Draw(t, "A"), base: rapid.Bool().Draw(t, "base"),
			particles: rapid.IntRange(1, 2).Draw(t, "P")}
		states := 1
		for range length {
			states *= n
			h.psi = append(h.psi, rapid.SliceOfN(number, states, states).Draw(t, "psi"))
		}
		h.phi = rapid.SliceOfN(number, states, states).Draw(t, "phi")
		h.solve()
		f := h.model()
		s := smc.Setting{Particles: h.particles, Scheme: particle.Multinomial{}, Threshold: 1}
		got, err := smc.SolveFilter(context.Background(), f, s, 1)
		if reached := h.z - h.lost; reached <= 1e-12*h.z {
			if !errors.Is(err, smc.ErrImpossible) {
				t.Fatalf("no sequence is reached, and the error is %v", err)
			}
			seen["none"]++
			return
		}
		longtest.NoError(t, err)
		klqp, klpq := 0.0, 0.0
		for x, q := range h.q {
			p := math.Exp(f.LogTarget(x)) / (h.z - h.lost)
			if q /= 1 - h.extinct; q > 0 {
				klqp += q * math.Log(q/(p*(1-h.lost/h.z)))
			}
			if p > 0 {
				klpq += p * math.Log(p/q)
			}
		}
		if h.lost > 1e-12*h.z {
			klpq, h.upper = math.Inf(1), math.Inf(1)
			seen["lost"]++
		}
		if h.extinct > 0 {
			seen["extinct"]++
		}
		got.Lose(f.LogLost)
		for what, pair := range map[string][2]float64{
			"log Z": {got.LogZRatio, math.Log(h.z)}, "lower": {got.MeanLogZForward, h.lower}, "upper": {got.MeanLogZConditional, h.upper},
			"extinct": {got.Extinct, h.extinct}, "KL(q||p)": {got.KLQP, klqp}, "KL(p||q)": {got.KLPQ, klpq}, "J": {got.J, klqp + klpq},
		} {
			if g, w := pair[0], pair[1]; g != w && (math.IsInf(w, 0) || !(math.Abs(g-w) <= 1e-12*max(1, math.Abs(w))/(1-h.extinct))) {
				t.Errorf("%s is %v, by hand %v", what, g, w)
			}
		}
	})
	if seen["lost"] == 0 || seen["extinct"] == 0 {
		t.Errorf("only these cases occurred: %v", seen)
	}
}
