package paths

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
)

// levels is a geometric path on which one state stands for several.
type levels struct {
	*Geometric
	logs []float64 // the logarithm of how many states each stands for
}

// Levels returns a path on which one state represents all states of a geometric path that have the
// same f at both ends, to the last digit. The distribution of log f, and so of every ratio of two
// distributions on the path, is the same. It is for sums over states that need no kernel. It
// returns other paths unchanged, and also those on which fewer than half of the states can be
// merged. It also does so if the context ends. Time is O(n).
//
//	sum over x of h(f_0(x), f_1(x)) = sum over the levels of (number of states) h(f_0, f_1)
func Levels(ctx context.Context, path chains.Path) chains.Path {
	p, is := path.(*Geometric)
	if !is {
		return path
	}
	type level struct{ initial, target, rise uint64 }
	place := map[level]int{}
	var first []int
	var counts []float64
	for x := range p.States() {
		if x%(1<<16) == 0 && ctx.Err() != nil {
			return path
		}
		l := level{math.Float64bits(p.ends.initial.coreAt(x)), math.Float64bits(p.ends.target.coreAt(x)),
			math.Float64bits(p.ends.rise[x])}
		at, known := place[l]
		if !known {
			at = len(first)
			if 2*at > p.States() {
				return path
			}
			place[l], first, counts = at, append(first, x), append(counts, 0)
		}
		counts[at]++
	}
	if 2*len(first) > p.States() {
		return path
	}
	for i, n := range counts {
		counts[i] = number.Log(n)
	}
	return &levels{&Geometric{p.ends.restrictTo(first)}, counts}
}

// restrictTo returns the ends on some of their states.
func (e *Ends) restrictTo(states []int) *Ends {
	pick := func(v []float64) (out []float64) {
		for _, x := range states {
			if v != nil {
				out = append(out, v[x])
			}
		}
		return out
	}
	part := func(e end) end {
		e.core, e.given, e.left = pick(e.core), pick(e.given), pick(e.left)
		return e
	}
	some := *e
	some.initial, some.target, some.rise, some.model = part(e.initial), part(e.target), pick(e.rise), nil
	return &some
}

// LogF writes log f_b of the states together to dst.
func (p *levels) LogF(dst []float64, at chains.Place) {
	p.Geometric.LogF(dst, at)
	for x, l := range p.logs {
		dst[x] += l
	}
}

// Centred implements chains.Path.
func (p *levels) Centred() (chains.Path, float64) {
	return &levels{&Geometric{p.ends.centred()}, p.logs}, p.ends.offset
}
