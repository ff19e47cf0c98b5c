package smc_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact/program"
	"breadboard/exact/smc"
	"breadboard/grid/longtest"
)

// filtered are models with zeros in all matrices, with likelihoods far apart, and of one state.
func filtered() map[string]*particle.HMM {
	steep := weather()
	steep.E = [][]float64{{1 - 1e-9, 1e-9 - 1e-300, 1e-300}, {1e-12, 0.5 - 1e-12, 0.5}}
	zeros := &particle.HMM{
		Pi: []float64{0.75, 0.25, 0},
		A:  [][]float64{{0.6, 0.3, 0.1}, {0, 0.5, 0.5}, {0.4, 0, 0.6}},
		E:  [][]float64{{1, 0}, {0.6, 0.4}, {0.2, 0.8}},
		Y:  []int{0, 1, 1},
	}
	one := &particle.HMM{
		Pi: []float64{1},
		A:  [][]float64{{1}},
		E:  [][]float64{{0.25, 0.75}},
		Y:  []int{0, 1, 1},
	}
	return map[string]*particle.HMM{"weather": weather(), "zeros": zeros, "steep": steep, "one state": one}
}

// TestFilterHMM holds the moments of a filter to all ways in which a run can come out, for every
// resampling scheme and several thresholds.
func TestFilterHMM(t *testing.T) {
	for name, h := range filtered() {
		h.Y = h.Y[:3]
		for _, proposal := range []particle.Proposal{particle.Prior, particle.Optimal} {
			f := hidden(h, proposal)
			for _, scheme := range schemes() {
				for _, threshold := range []float64{0, 0.6, 0.9, 1} {
					// of the zeros 0.9 is a tie: the sizes 1.8 and 0.9 times 2
					s := smc.Setting{Particles: 2, Scheme: scheme, Threshold: threshold}
					if name == "one state" {
						s.Particles = 3
					}
					got := longtest.Must(smc.FilterHMM(context.Background(), h, proposal, s, 0))(t)
					mean, variance, dead := enumeratedLogZ(t, f, s)
					pairs := map[string][2]float64{
						"mean": {got.MeanLogZForward, mean}, "variance": {got.VarianceLogZ, variance},
						"dead": {got.Extinct, dead}, "E Zhat": {got.MeanZ, 1}}
					for what, pair := range pairs {
						if math.IsNaN(pair[0]) && math.IsNaN(pair[1]) || math.Abs(pair[0]-pair[1]) < 1e-30 ||
							pair[0] == pair[1] {
							continue
						}
						sameTo(t, fmt.Sprintf("%s %v %v %v: %s", name, scheme, threshold, proposal, what),
							pair[0], pair[1], 1e-12)
					}
				}
			}
		}
	}
}

// enumeratedLogZ returns the mean and the variance of log Zhat over all runs, and the probability
// of those without an output.
func enumeratedLogZ(t *testing.T, f *particle.Hidden, s smc.Setting) (mean, variance, dead float64) {
	t.Helper()
	run := longtest.Must(particle.NewSMC(f, s.Particles, s.Scheme, s.Threshold))(t)
	law := longtest.Must(program.Enumerate(context.Background(), func(c chains.Chooser) float64 {
		r := run.Run(c)
		if r.Output < 0 {
			return math.Inf(-1)
		}
		return f.LogTarget(r.Output) - r.LogXi
	}, program.Options{}))(t)
	for _, o := range law.Outcomes() {
		mean += o.P * o.Value
		if math.IsInf(o.Value, -1) {
			dead += o.P
		}
	}
	for _, o := range law.Outcomes() {
		variance += o.P * (o.Value - mean) * (o.Value - mean)
	}
	return mean, variance, dead
}

// TestFilterHMMOutOfRange: particles of float64 never take the only path, and log Z is known.
func TestFilterHMMOutOfRange(t *testing.T) {
	e := math.Exp(-600)
	h := &particle.HMM{
		Pi: []float64{1, 0, 0},
		A:  [][]float64{{0, 1, e}, {0, 1, 0}, {0, 0, 1}},
		E:  [][]float64{{1, 0}, {1, 0}, {e, 1}},
		Y:  []int{0, 0, 1},
	}
	m := longtest.Must(smc.FilterHMM(context.Background(), h, particle.Prior,
		smc.Setting{Particles: 2, Scheme: particle.Multinomial{}, Threshold: 1}, 0))(t)
	if !math.IsNaN(m.MeanZ) || m.Extinct != 1 {
		t.Errorf("%+v", m)
	}
	sameTo(t, "log Z", m.LogZ, -1200, 1e-15)
	sameTo(t, "log Z of one particle", filterLaw(hidden(h, particle.Prior), 1).LogZ, -1200, 1e-15)
}
