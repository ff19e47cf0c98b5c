package simulate

import (
	"errors"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/frames"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// hostile returns targets on that many states: flat, with ties but for rounding, steep, with zeros,
// and with all mass on one state.
func hostile(states int) [][]float64 {
	var all [][]float64
	for _, span := range []float64{0, 1e-15, 3, 37, 700} {
		logf := make([]float64, states)
		for x := range logf {
			logf[x] = span * math.Sin(float64(3*x*x+1))
		}
		all = append(all, logf)
	}
	zeros := slices.Clone(all[2])
	needle := slices.Repeat([]float64{math.Inf(-1)}, states)
	for x := 0; x < states; x += 3 {
		zeros[x] = math.Inf(-1)
	}
	needle[states-1] = 0
	return append(all, zeros, needle)
}

// TestPartsHaveTheLawOfTheProduct compares how often chains go by parts from a state to another one
// with the product of the matrices of the parts, and in reverse with that of the time reversal, of
// all states together: no chain goes if it cannot, and the divergences of the frequencies of N
// draws from the probabilities, times N, sum to more than s with a probability of at most exp(d -
// s) (s/d)^d, where d sums the numbers of states that can be reached less one (Agrawal 2020,
// Theorem I.2, of whose exponential moments sums are products). That is 1e-11 for each of some 500
// sums; the seed is fixed.
func TestPartsHaveTheLawOfTheProduct(t *testing.T) {
	longtest.Only(t)
	const draws = 1500
	mixed := grid.MustNew(3, 2, 2)
	bits := grid.MustNew(2, 2, 2)
	watch := &Watch{}
	for i, name := range []string{
		"heatbath-scan", "palindrome:heatbath-axis:0+heatbath-axis:1+metropolis", "repeat:3:metropolis",
		"lazy:0.3:heatbath-scan", "repeat:2:lazy:0.4:heatbath-scan",
		"mixture:1*heatbath-scan+2*barker+0.5*repeat:2:flip", "compose:suwa-todo+stay+independence",
		"compose:jump:0.1+lazy:0.2:heatbath-scan+heatbath",
		"metropolis", "flip", "barker", "heatbath", "lazy:0.2:metropolis", "moore", "suwa-todo", "metropolis",
		"flip", "barker",
	} {
		space := mixed
		if i >= 15 {
			space = bits
		}
		k := longtest.Must(kernels.Parse(name, space))(t)
		for i, target := range hostile(space.States()) {
			a := longtest.Must(chains.NewAnnealing(
				longtest.Must(paths.NewGeometric(nil, target))(t),
				schedules.Linear{},
				k,
				3,
			))(t)
			for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
				of := k
				if d == chains.Reverse {
					of, _ = chains.ReversalOf(k)
				}
				logf := make([]float64, space.States())
				a.LogF(logf, 3)
				var v frames.Values
				v.Load(logf)
				for _, chains := range []int{1, 1 << 30} {
					// if there are few chains each moves alone, and else by tables
					w := wyrand(uint64(i) + 1)
					p := longtest.Must((&parting{space.States(), chains, maxTables, watch.callLook}).splitKernel(of))(t)
					p.load(&v)
					sum := 0.0
					degrees := 0.0
					for x := range logf {
						states := slices.Repeat([]int32{int32(x)}, draws)
						longtest.NoError(t, p.applyMove(&w, states))
						apart, reached := divergence(states, lawOf(of, logf, x))
						sum = sum + draws*apart
						degrees = degrees + float64(reached-1)
					}
					if sum > degrees && (degrees == 0 && sum > 1e-9 ||
						degrees-sum+degrees*math.Log(sum/degrees) < math.Log(1e-11)) {
						t.Errorf("%s of target %d, %s, of %d chains: %v nats in %v degrees of freedom",
							name, i, d, chains, sum, degrees)
					}
				}
			}
		}
	}
}

// divergence returns KL(frequencies || distribution) of states, and how many states the
// distribution has.
func divergence(states []int32, law []float64) (nats float64, reached int) {
	counts := make([]float64, len(law))
	for _, y := range states {
		counts[y] += 1 / float64(len(states))
	}
	for y, f := range counts {
		if law[y] > 0 {
			reached++
		}
		if f > 0 {
			nats += f * math.Log(f/law[y])
		}
	}
	return nats, reached
}

// lawOf returns the distribution of a chain after a move from x.
func lawOf(k chains.Kernel, logf []float64, x int) []float64 {
	law := make([]float64, len(logf))
	for _, e := range k.(chains.Rower).AppendRow(nil, logf, x) {
		law[e.To] += e.P
	}
	return law
}

// TestNeighboursOnAStraightPath compares chains on a path whose log f is a straight line in beta
// with those that take log f of all states at each stage: with the same random numbers they come to
// the same states.
func TestNeighboursOnAStraightPath(t *testing.T) {
	for _, from := range []float64{1, 0} { // from the uniform distribution there is a loop of its own
		for _, span := range []float64{0, 5, 37, 700} {
			sameNeighbours(t, from, span)
		}
	}
}

func sameNeighbours(t *testing.T, from, span float64) {
	space := grid.MustNew(slices.Repeat([]int{2}, 8)...)
	initial := make([]float64, space.States())
	target := make([]float64, space.States())
	for x := range target {
		initial[x], target[x] = from*math.Cos(float64(x)), span*math.Round(8*math.Sin(float64(x*x)))/8
	}
	a := longtest.Must(chains.NewAnnealing(longtest.Must(paths.NewGeometric(initial, target))(t),
		schedules.Power{P: 2}, kernels.Metropolis{Space: space}, 9))(t)
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		run := func(straight bool) ([]int32, []float64) {
			s := longtest.Must(newSweep(a, d, nil))(t)
			p := proposalOf(a.Kernel())
			w := wyrand(3)
			states := make([]int32, 5000)
			logw := make([]float64, 5000)
			for i := range states {
				states[i] = int32(i % len(target))
			}
			if straight {
				longtest.NoError(t, s.byParts(p, &w, states, logw))
			} else {
				longtest.NoError(t, s.byParts(&inTurn{[]part{p}, []int{0}, 1, s.watch.callLook}, &w, states, logw))
			}
			s.addLastIncrement(states, logw)
			return states, logw
		}
		states, logw := run(true)
		wantStates, want := run(false)
		for i := range states {
			if states[i] != wantStates[i] || math.Abs(logw[i]-want[i]) > 1e-12*max(1, span) {
				t.Fatalf("%s, span %v: chain %d comes to %d with %v, want %d with %v", d, span, i, states[i],
					logw[i], wantStates[i], want[i])
			}
		}
	}
}

// TestPartsWhereCheaper holds which kernels move by parts: those whose product is dense, and not
// those of few states that are repeated many times, nor if a kernel makes one move or is not of the
// library.
func TestPartsWhereCheaper(t *testing.T) {
	big := grid.MustNew(slices.Repeat([]int{2}, 9)...)
	small := grid.MustNew(2, 2)
	for _, v := range []struct {
		space  *grid.Lattice
		kernel string
		k      int
		want   bool
	}{
		{big, "heatbath-scan", 10_000, true}, {big, "lazy:0.5:heatbath-scan", 10_000, true},
		{big, "heatbath", 10_000, false},
		{small, "repeat:1000:metropolis", 10_000, false}, {big, "repeat:2:metropolis", 30_000, true},
	} {
		path := longtest.Must(paths.NewGeometric(nil, make([]float64, v.space.States())))(t)
		a := longtest.Must(chains.NewAnnealing(
			path,
			schedules.Linear{},
			longtest.Must(kernels.Parse(v.kernel, v.space))(t),
			3,
		))(t)
		p := longtest.Must(partsFor(a, chains.Forward, v.k, &Watch{}))(t)
		if got := p != nil; got != v.want {
			t.Errorf("%s on %d states moves by parts: %v, want %v", v.kernel, v.space.States(), got, v.want)
		}
	}
}

// TestPartsEnd: an error of the watch ends the moves within a round of a long sequence.
func TestPartsEnd(t *testing.T) {
	space := grid.MustNew(40, 40)
	looks := 0
	stop := errors.New("stop")
	k := kernels.Repeat(10_000, kernels.Metropolis{Space: space})
	path := longtest.Must(paths.NewGeometric(nil, make([]float64, space.States())))(t)
	a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, k, 3))(t)
	_, err := Rows(a, chains.Forward, NewStream(1, "", 0), 300, &Watch{Look: func() error {
		looks++
		if looks > 20_000 {
			return stop
		}
		return nil
	}})
	if !errors.Is(err, stop) || looks != 20_001 {
		t.Errorf("%v after %d looks; the watch failed at look 20,001", err, looks)
	}
}
