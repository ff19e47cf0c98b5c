package bench

import (
	"fmt"
	"math"
	"slices"
	"time"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/exact"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// Limits are what a request may take. A request beyond them gets an error before anything is
// computed.
type Limits struct {
	T        int           // the largest number of distributions
	Stages   int           // the largest T of an answer that has a row for each stage
	States   int           // the largest number of states of a toy
	Side     int           // the largest side of a grid that is painted
	Repeated int64         // the most bytes in which the rows of an answer repeat the question
	Numbers  int           // the most numbers in the answer of frames
	Chains   int           // the most chains of a stream
	Width    float64       // the widest figure, in inches
	Curve    int           // the most values of T of a curve
	Bytes    float64       // the most memory of a computation, as it is estimated
	Time     time.Duration // how long one processor may take for an answer, as it is estimated
	// the same for an answer that comes in parts; no answer takes longer, also on a busy machine
	Stream time.Duration
	Queue  int   // how many computations of a kind may wait
	Body   int64 // the most bytes of a file
	Draws  int64 // the most bytes of a file of draws
	// the most bytes of large answers that are under way, of small ones, and of files, each beside
	// a single one
	Held   int64
	Header int // about the most bytes of the header of a request
	URL    int // the most characters of an address, in which a painted grid or a curve stands
}

// DefaultLimits are limits with which a bench answers in time on any current machine.
func DefaultLimits() Limits {
	return Limits{
		T:        1_000_000,
		Stages:   20_000,
		States:   1 << 16,
		Side:     25,
		Repeated: 32 << 20,
		Numbers:  200_000,
		Chains:   1_000_000,
		Width:    20,
		Curve:    30,
		Bytes:    250e6,
		Time:     10 * time.Second,
		Stream:   5 * time.Minute,
		Queue:    16,
		Body:     1 << 20,
		Draws:    8 << 20,
		Held:     64 << 20,
		Header:   256 << 10,
		URL:      128 << 10,
	}
}

// toyWork is about the most that making a toy, or the distribution where paths start, may take:
// passes along an axis times states. Of the filter of smoothed targets they take three seconds.
const toyWork = 2e8

// toy fails if making a toy would take too much.
func (l Limits) toy(d toys.Demand) error {
	if !(d.States <= float64(l.States)) { // it may be NaN
		return failf(statusBadRequest, "toy",
			"the toy has %.6g states, and at most %d are computed here; take a smaller one, or run the "+
				"command in a terminal",
			d.States, l.States)
	}
	return l.passes("toy", d)
}

// passes fails if the filter would go over the states too often.
func (l Limits) passes(parameter string, d toys.Demand) error {
	if !(d.States*d.Passes <= toyWork) { // it may be NaN
		return failf(statusBadRequest, parameter,
			"%.6g passes over %.6g states, one for each axis, take too long here; take fewer passes or a smaller space",
			d.Passes, d.States)
	}
	return nil
}

// made fails if a toy is too large, whose selector had not said so.
func (l Limits) made(toy *toys.Toy) error {
	if n := toy.Space.States(); n > l.States {
		return failf(statusBadRequest, "toy",
			"the toy has %d states, and at most %d are computed here; take a smaller one, or run the "+
				"command in a terminal",
			n, l.States)
	}
	return nil
}

// length reads a number of distributions.
func (l Limits) length(name, text string) (int, error) {
	T, err := selector.ParseWhole(text, 2, float64(l.T))
	if err != nil {
		return 0, bad(name, fmt.Errorf("%s: %w", name, err))
	}
	return T, nil
}

// size is an annealing before it is built.
type size struct {
	toy    *toys.Toy
	kernel chains.Kernel
	T      int
}

// cost returns what a study with parameters of its own takes for an annealing, and what it takes by
// the general method of package exact, which holds more memory.
func (s size) cost(study *subject.Question, own subject.Params) (usual, general subject.Cost) {
	costOf := func(w exact.Work) subject.Cost {
		return subject.Cost{Seconds: w.Start + w.Seconds*float64(s.T-1), Bytes: w.Bytes}
	}
	general = costOf(exact.GeneralWorkOf(s.kernel, s.toy.Space, s.toy.G))
	usual = general
	if !slices.Contains(s.toy.G, math.Inf(-1)) {
		usual = costOf(exact.WorkOf(s.kernel, s.toy.Space, s.toy.G))
	}
	if study == nil || study.Cost == nil {
		return usual, general
	}
	at := subject.Size{
		Params:        own,
		Distributions: s.T,
		States:        s.toy.Space.States(),
		Solution:      usual,
		General:       general,
	}
	return study.Cost(at), general
}

// checkCost fails if a study of an annealing, with parameters of its own, takes too much memory or
// more than some time, by the estimates that sweeps are planned with.
func (l Limits) checkCost(s size, study *subject.Question, own subject.Params, within time.Duration) error {
	usual, general := s.cost(study, own)
	if bytes := max(usual.Bytes, general.Bytes); bytes > l.Bytes {
		return failf(statusBadRequest, "kernel",
			"this would take about %.3g MB, and at most %.3g MB are taken here; take a smaller space, or "+
				"a kernel that reaches fewer states in a move",
			bytes/1e6, l.Bytes/1e6)
	}
	return afford("T", "a smaller T or a smaller space", usual.Seconds, within)
}

// afford fails if work would take longer than some time, as it is estimated, because of a
// parameter, and says what to take instead.
func afford(parameter, instead string, seconds float64, within time.Duration) error {
	if seconds > within.Seconds() {
		return failf(statusBadRequest, parameter,
			"this would take about %.3g seconds, and at most %.3g are taken here; take %s, or run the "+
				"command in a terminal",
			seconds, within.Seconds(), instead)
	}
	return nil
}
