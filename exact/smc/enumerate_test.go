package smc_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/program"
	"breadboard/exact/smc"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// line returns the annealing from uniform to exp(g) on a line of states, with Metropolis' kernel
// and a linear schedule.
func line(g []float64, T int) *chains.Annealing {
	return annealing(g, T, func(space *grid.Lattice) chains.Kernel { return kernels.Metropolis{Space: space} })
}

func annealing(g []float64, T int, kernel func(*grid.Lattice) chains.Kernel) *chains.Annealing {
	space := longtest.Sure(grid.New(len(g)))
	path := longtest.Sure(paths.NewGeometric(nil, g))
	return longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernel(space), T))
}

// newSMC returns sequential Monte Carlo over an annealing, and log p~.
func newSMC(a *chains.Annealing, particles int, scheme particle.Scheme,
	threshold float64) (*particle.SMC, []float64) {
	flow := longtest.Sure(particle.NewAnnealed(a))
	s := longtest.Sure(particle.NewSMC(flow, particles, scheme, threshold))
	logTarget := make([]float64, a.States())
	for x := range logTarget {
		logTarget[x] = flow.LogTarget(x)
	}
	return s, logTarget
}

// enumerated returns the joint distribution of sequential Monte Carlo, of which the constant of xi
// is one.
func enumerated(t rapid.TB, a *chains.Annealing, particles int, scheme particle.Scheme,
	threshold float64) *smc.Joint {
	t.Helper()
	j, err := smc.EnumerateSMC(context.Background(), a,
		smc.Setting{Particles: particles, Scheme: scheme, Threshold: threshold}, smc.EnumerateOptions{})
	if err != nil {
		t.Fatalf("%v, %d particles, %v, threshold %v: %v", a.Kernel(), particles, scheme, threshold, err)
	}
	return j
}

// holds fails if a finding is above a tolerance.
func holds(t rapid.TB, j *smc.Joint, tolerance float64) {
	t.Helper()
	for _, f := range j.Violations() {
		if !f.Property && !(f.Value <= tolerance) {
			t.Fatalf("%v, by output %v", f, f.ByOutput)
		}
	}
}

func schemes() []particle.Scheme {
	return []particle.Scheme{
		particle.Multinomial{}, particle.Stratified{}, particle.Systematic{}, particle.Residual{}}
}

// TestTinySMC compares J, E log Zhat and the mean and variance of AIDE at M = 1, 2, 3, and its mean
// without the first trace, with values that were computed in long arithmetic by walking over all
// traces: by enumeration, by pairs and by the integrals of particles that are never resampled.
func TestTinySMC(t *testing.T) {
	a := line([]float64{0, 1, -0.7}, 3)
	for _, test := range []struct {
		scheme    particle.Scheme
		threshold float64
		// J, E log Zhat, and for M = 1, 2, 3 the mean, the variance and the mean without the first
		// trace
		values [11]float64
	}{
		{particle.Multinomial{}, 0.9, [11]float64{
			0.00297719484633285174, 0.278237442741885888, 0.120581096432301638, 0.241300637013498048,
			0.00253437575776092883, 0.065197080994066306, 0.130499675068217497, 0.00273220939632735221,
			0.0453264737579814891, 0.0907210377399924883,
			0.002808148667412802}},
		{particle.Multinomial{}, 0, [11]float64{
			0.00303286612593325899, 0.277562650363315067, 0.121917716361613887, 0.243831337030953582,
			0.0025704492345911753, 0.0659303922777218498, 0.131942390192625714, 0.00277919736647798746,
			0.0458338098221356474, 0.091728894285555751,
			0.00285868305756560234}},
		{particle.Systematic{}, 1, [11]float64{
			0.0030186686150582313, 0.278490610505068625, 0.119910044995548692, 0.240077858589397536,
			0.00253306629766558017, 0.0649546151111737718, 0.130030208413026205, 0.00274924474278247233,
			0.0452030147204488877, 0.0904801407885511971,
			0.00283295850837935598}},
	} {
		name := fmt.Sprint(test.scheme, " ", test.threshold)
		j := enumerated(t, a, 2, test.scheme, test.threshold)
		holds(t, j, 1e-13)
		near(t, name+": E log Zhat", j.MeanLogZForward(), test.values[1], 1e-13)
		type bounds struct{ j, variance float64 }
		sides := map[smc.Side]bounds{j: {1e-14, 1e-13}}
		switch test.threshold {
		case 0:
			never := longtest.Sure(smc.NewNever(context.Background(), a, 2, 1))
			near(t, name+": E log Zhat by integrals", never.MeanLogZForward, test.values[1], 1e-13)
			sides[never] = bounds{1e-15, 1e-12}
		case 1:
			sides[longtest.Sure(smc.NewPairs(context.Background(), a, test.scheme, 1))] = bounds{1e-13, 1e-12}
		}
		for side, bound := range sides {
			for i, e := range against(side, j.Target(), 1, 2, 3) {
				want := test.values[2+3*i:]
				near(t, fmt.Sprintf("%s, %T: J", name, side), e.J, test.values[0], bound.j)
				near(t, fmt.Sprintf("%s, %T: mean", name, side), e.Mean, want[0], 1e-13)
				near(t, fmt.Sprintf("%s, %T: variance", name, side), e.Variance, want[1], bound.variance)
				near(t, fmt.Sprintf("%s, %T: without the first trace", name, side), e.MeanWithoutFirst,
					want[2], 1e-13)
			}
		}
	}
}

// TestEnumerationThatIsTooLarge is not begun, and its error says what it would take.
func TestEnumerationThatIsTooLarge(t *testing.T) {
	a := line(make([]float64, 30), 20)
	s, logTarget := newSMC(a, 5, particle.Multinomial{}, 1)
	_, err := smc.Enumerate(context.Background(), s, logTarget, smc.EnumerateOptions{})
	var large *smc.TooLarge
	if !errors.As(err, &large) || large.Runs < 1e50 ||
		!strings.Contains(err.Error(), "take fewer states, particles or stages") {
		t.Errorf("error %v", err)
	}
	_, err = smc.Enumerate(context.Background(), s, logTarget[1:], smc.EnumerateOptions{})
	longtest.Refused(t, err, "an algorithm has 30 outputs and the target distribution 29")
	s, logTarget = newSMC(line(make([]float64, 3), 3), 2, particle.Multinomial{}, 1)
	_, err = smc.Enumerate(
		context.Background(),
		s,
		logTarget,
		smc.EnumerateOptions{Program: program.Options{Branches: 100}},
	)
	if !errors.As(err, &large) || large.Limit != 100 {
		t.Errorf("error %v", err)
	}
}
