package chains_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/simulate"
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

// weighing is the slow reference of the Scorer: a Chooser that multiplies up the probabilities of
// what another chooses.
type weighing struct {
	c chains.Chooser
	p float64
}

func (w *weighing) Flip(p float64) bool {
	up := w.c.Flip(p)
	if up {
		w.p *= p
	} else {
		w.p *= 1 - p
	}
	return up
}

func (w *weighing) Uniform(n int) int {
	w.p /= float64(n)
	return w.c.Uniform(n)
}

func (w *weighing) Choose(p []float64) int {
	i := w.c.Choose(p)
	w.p *= p[i]
	return i
}

// choices is some algorithm with choices of all kinds, which depend on those before.
func choices(c chains.Chooser) int {
	x := c.Uniform(4)
	for c.Flip(float64(x+1) / 5) {
		x += 1 + c.Choose([]float64{0.5, 0, 0.25, 0.25})
		if x > 20 || c.Flip(0) || !c.Flip(1) {
			break
		}
		x %= 4
	}
	return x
}

// TestScorerReplaysWhatWasRecorded: the same result, with the probability of the choices.
func TestScorerReplaysWhatWasRecorded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &weighing{chains.NewSampler(simulate.NewStream(rapid.Uint64().Draw(t, "seed"), "", 0)), 1}
		r := chains.NewRecorder(w)
		want := choices(r)
		got, logP, err := chains.Score(choices, r.Outcomes())
		if err != nil || got != want || math.Abs(logP-math.Log(w.p)) > 1e-13*(1-logP) {
			t.Fatalf("result %d with log probability %v, %v; want %d with %v", got, logP, err, want, math.Log(w.p))
		}
	})
}

// TestOutcomesThatDoNotFit: every way in which outcomes do not fit has its fault, and says at which
// choice.
func TestOutcomesThatDoNotFit(t *testing.T) {
	flip := func(p float64) func(chains.Chooser) bool {
		return func(c chains.Chooser) bool { c.Uniform(2); return c.Flip(p) }
	}
	choose := func(p ...float64) func(chains.Chooser) bool {
		return func(c chains.Chooser) bool { c.Uniform(2); return c.Choose(p) == 0 }
	}
	uniform := func(n int) func(chains.Chooser) bool {
		return func(c chains.Chooser) bool { c.Uniform(2); return c.Uniform(n) == 0 }
	}
	for _, test := range []struct {
		f        func(chains.Chooser) bool
		outcomes []int
		fault    chains.OutcomeFault
		choice   int
		message  string
	}{
		{flip(0), []int{1, 1}, chains.OutcomeImpossible, 1, "outcome 1 of Flip with probability 0 has probability zero"},
		{choose(0.5, 0, 0.5), []int{1, 1}, chains.OutcomeImpossible, 1, "outcome 1 of Choose among 3 has probability zero"},
		{flip(0.5), []int{1, 2}, chains.OutcomeOutOfRange, 1, "outcome 2 of Flip with probability 0.5, which has the outcomes 0..1"},
		{uniform(3), []int{1, 3}, chains.OutcomeOutOfRange, 1, "outcome 3 of Uniform among 3, which has the outcomes 0..2"},
		{uniform(3), []int{1}, chains.OutcomesTooFew, 1, "Uniform among 3 is asked for, and only 1 outcomes are given"},
		{uniform(3), nil, chains.OutcomesTooFew, 0, "Uniform among 2 is asked for, and only 0 outcomes are given"},
		{uniform(3), []int{1, 1, 0, 0}, chains.OutcomesLeftOver, 2, "the algorithm has ended, and 2 of 4 outcomes are left over"},
		{flip(1.5), []int{1, 1}, chains.ChoiceInvalid, 1, "Flip(1.5); a probability is from 0 to 1"},
		{choose(math.NaN()), []int{1, 0}, chains.ChoiceInvalid, 1, "Choose with a probability of NaN"},
		{uniform(0), []int{1, 0}, chains.ChoiceInvalid, 1, "Uniform(0); n must be at least 1"},
	} {
		_, logP, err := chains.Score(test.f, test.outcomes)
		fault, is := errors.AsType[*chains.OutcomeError](err)
		if !is || fault.Fault != test.fault || fault.Choice != test.choice || err.Error() != fmt.Sprintf("choice %d: %s", test.choice, test.message) {
			t.Errorf("error %v, want %s", err, test.message)
		}
		if impossible := test.fault == chains.OutcomeImpossible; impossible != math.IsInf(logP, -1) || !impossible && !math.IsNaN(logP) {
			t.Errorf("%v: log probability %v", err, logP)
		}
	}
}
