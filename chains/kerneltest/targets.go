package kerneltest

import "math"

// Target is a log f, up to a constant, under which a kernel is tested.
type Target struct {
	Name string
	LogF []float64
}

// Targets returns the targets of the suite on a number of states. Kernels have been seen to fail on such targets: all
// states alike, ties, one state with nearly all mass, zeros of f, states that differ by 1e-12 nats, ranges of 300 nats,
// and large constants in log f, beside which small differences lose their digits unless the constant is taken out first.
func Targets(n int) []Target {
	wave := func(x int) float64 { return 2 * math.Sin(1+12.9898*float64(x)) }
	make := func(name string, at func(x int) float64) Target {
		t := Target{name, make([]float64, n)}
		for x := range t.LogF {
			t.LogF[x] = at(x)
		}
		return t
	}
	// place puts the states in another order, as numbers from 0 to 1, so that neighbours are not alike.
	place := func(x int) float64 { return float64((x*7+3)%max(1, n)) / float64(max(1, n-1)) }
	list := []Target{
		make("wave", wave),
		make("flat", func(int) float64 { return 0 }),
		make("ties", func(x int) float64 { return float64(x % 2) }),
		make("peak of 30 nats", func(x int) float64 { return peak(x, n/2) }),
		make("range of 300 nats", func(x int) float64 { return 300*place(x) - 150 }),
		make("differences of 1e-12", func(x int) float64 { return 1e-12 * float64((x*5)%7) }),
		make("constant of 1e12", func(x int) float64 { return 1e12 + wave(x) }),
		make("constant of -1e12", func(x int) float64 { return -1e12 + wave(x) }),
	}
	if n < 2 {
		return list
	}
	return append(list,
		make("zeros", func(x int) float64 {
			if x%3 == 1 {
				return math.Inf(-1)
			}
			return wave(x)
		}),
		make("zeros beside a constant of 1e12", func(x int) float64 {
			if x%3 == 0 {
				return math.Inf(-1)
			}
			return 1e12 + wave(x)
		}),
		make("one state", func(x int) float64 {
			if x != n-1 {
				return math.Inf(-1)
			}
			return 3
		}),
	)
}

func peak(x, at int) float64 {
	if x == at {
		return 30
	}
	return 0
}
