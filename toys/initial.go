package toys

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/grid"
)

// maxPasses bounds the filter passes of a smoothed target: by then any toy is flat.
const maxPasses = 100_000

// InitialNames returns the forms of selector that ParseInitial reads.
func InitialNames() []string {
	return []string{"uniform", "tempered:BETA", "smoothed:PASSES", "file:PATH"}
}

// Initial is a distribution to anneal from.
type Initial struct {
	Name string       // its selector in canonical form
	Ends *chains.Ends // it and the target, between which a path runs
}

// ParseInitial returns the initial distribution of a selector, for annealing towards a toy: "uniform";
// "tempered:BETA", the target to the power BETA; "smoothed:PASSES", the target after so many passes of Smooth;
// "file:PATH", log f from a file as Read takes it, on the toy's space. It fails where the context ends.
func ParseInitial(ctx context.Context, selector string, toy *Toy) (Initial, error) {
	name, arg, hasArg := strings.Cut(selector, ":")
	switch {
	case name == "uniform" && !hasArg:
		return named(selector)(chains.NewEnds(nil, toy.G))
	case name == "tempered" && hasArg:
		beta, err := chains.ParseNumber(arg)
		if err != nil || !(beta >= 0 && beta <= 1) {
			return Initial{}, fmt.Errorf("initial distribution %q: %q is no power from 0 to 1", selector, arg)
		}
		return named(fmt.Sprintf("tempered:%v", beta))(chains.NewTemperedEnds(beta, toy.G))
	case name == "smoothed" && hasArg:
		passes, err := strconv.Atoi(arg)
		if err != nil || passes < 0 || passes > maxPasses {
			return Initial{}, fmt.Errorf("initial distribution %q: %q is no number of passes from 0 to %d", selector, arg, maxPasses)
		}
		return named(fmt.Sprintf("smoothed:%d", passes))(smoothedEnds(ctx, toy, passes))
	case name == "file" && hasArg:
		logf, err := readOn(arg, toy)
		if err != nil {
			return Initial{}, err
		}
		return named(selector)(chains.NewEnds(logf, toy.G))
	case name == "uniform":
		return Initial{}, fmt.Errorf("initial distribution %q: uniform takes no argument", selector)
	case name == "tempered":
		return Initial{}, fmt.Errorf("initial distribution %q: give the power, as in tempered:0.1", selector)
	case name == "smoothed":
		return Initial{}, fmt.Errorf("initial distribution %q: give the number of passes, as in smoothed:3", selector)
	case name == "file":
		return Initial{}, fmt.Errorf("initial distribution %q: give the path, as in file:start.csv", selector)
	}
	return Initial{}, chains.UnknownError("initial distribution", selector, InitialNames())
}

// named returns what gives ends their name, where they could be made.
func named(name string) func(*chains.Ends, error) (Initial, error) {
	return func(ends *chains.Ends, err error) (Initial, error) {
		if err != nil {
			return Initial{}, err
		}
		return Initial{name, ends}, nil
	}
}

// smoothedEnds returns the ends from the target after so many passes of Smooth. Where there is none the ends are the same
// but for the constant that Smooth takes out; to subtract it would leave its rounding between them.
func smoothedEnds(ctx context.Context, toy *Toy, passes int) (*chains.Ends, error) {
	if passes > 0 {
		initial, err := Smooth(ctx, toy.Space, toy.G, passes)
		if err != nil {
			return nil, err
		}
		return chains.NewEnds(initial, toy.G)
	}
	ends, err := chains.NewTemperedEnds(1, toy.G)
	if err != nil {
		return nil, err
	}
	return ends.Scaled(-slices.Max(toy.G)), nil
}

// Smooth returns log f, less its largest value, after passes of the binomial filter (1, 2, 1)/4 along every axis of f;
// what would leave at a wall stays. A state whose f is below the largest by more than about 700 nats counts as a zero.
//
// The filter is applied to f over its largest value, which keeps the digits of small ones, and to what that lacks of
// one, which keeps those of a target that is nearly flat. Smooth fails where the context ends.
func Smooth(ctx context.Context, space *grid.Lattice, logf []float64, passes int) ([]float64, error) {
	f, lack := make([]float64, len(logf)), make([]float64, len(logf))
	top := slices.Max(logf)
	for x, v := range logf {
		f[x], lack[x] = math.Exp(v-top), math.Expm1(v-top)
	}
	next := make([]float64, len(logf))
	for range passes {
		for axis := range space.Dims() {
			if err := filter(ctx, space, axis, next, f); err != nil {
				return nil, err
			}
			f, next = next, f
			if err := filter(ctx, space, axis, next, lack); err != nil {
				return nil, err
			}
			lack, next = next, lack
		}
	}
	for x, v := range lack {
		if v > -0.5 {
			next[x] = math.Log1p(v)
		} else {
			next[x] = math.Log(f[x])
		}
	}
	return next, nil
}

// smoothPulse is the number of states between looks at the context.
const smoothPulse = 1 << 16

// filter writes v after one pass along one axis to dst.
func filter(ctx context.Context, space *grid.Lattice, axis int, dst, v []float64) error {
	for x := range v {
		if x%smoothPulse == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		dst[x] = v[x] / 2
		for side := range 2 {
			y, inside := space.Neighbour(x, 2*axis+side)
			if !inside {
				y = x
			}
			dst[x] += v[y] / 4
		}
	}
	return nil
}

// readOn reads log f on the toy's space from a file.
func readOn(path string, toy *Toy) ([]float64, error) {
	other, err := readUpTo(path, toy.Space.States())
	if err != nil {
		return nil, err
	}
	if other.Space.String() != toy.Space.String() {
		return nil, fmt.Errorf("%s is on %s and the toy %s on %s; they must be on one space", path, other.Space, toy.Name, toy.Space)
	}
	return other.G, nil
}
