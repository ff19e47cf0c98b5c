package kerneltest

import "math"

// Target is a log f, up to a constant, under which a kernel is tested.
type Target struct {
	Name string
	LogF []float64
}

// Targets returns the targets of the suite on a number of states. Kernels have been seen to fail on such targets: all
// states alike, ties, one state with nearly all mass, zeros of f, states that differ by 1e-12 nats, ranges of 300 nats and
// of 2000 nats, over which the probabilities of two states may both be zero in float64 so that their ratio is undefined,
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
	step := stride(n)
	place := func(x int) float64 { return float64(x*step%n) / float64(max(1, n-1)) }
	list := []Target{
		make("wave", wave),
		make("flat", func(int) float64 { return 0 }),
		make("ties", func(x int) float64 { return float64(x % 2) }),
		make("peak of 30 nats", func(x int) float64 { return peak(x, n/2) }),
		make("range of 300 nats", func(x int) float64 { return 300*place(x) - 150 }),
		make("range of 2000 nats", func(x int) float64 { return 2000 * (place(x) - 1) }),
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

// stride returns the number by whose multiples, counted around a ring of n states, one comes to each of them once. It is near
// the golden section of n, so that neighbours come to be far from one another.
func stride(n int) int {
	step := max(1, int(math.Round(0.618*float64(n))))
	for divisor(step, n) != 1 {
		step++
	}
	return step
}

// divisor returns the greatest common divisor.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
