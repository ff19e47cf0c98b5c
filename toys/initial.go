package toys

import (
	"context"
	"fmt"
	"math"
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

// ParseInitial returns log f of the initial distribution of a selector, for annealing towards a toy: nil for
// "uniform"; "tempered:BETA", the target to the power BETA; "smoothed:PASSES", the target after so many passes of
// Smooth; "file:PATH", log f from a file as Read takes it, on the toy's space. It fails where the context ends.
func ParseInitial(ctx context.Context, selector string, toy *Toy) ([]float64, error) {
	name, arg, hasArg := strings.Cut(selector, ":")
	switch {
	case name == "uniform" && !hasArg:
		return nil, nil
	case name == "tempered" && hasArg:
		beta, err := chains.ParseNumber(arg)
		if err != nil || !(beta >= 0 && beta <= 1) {
			return nil, fmt.Errorf("initial distribution %q: %q is no power from 0 to 1", selector, arg)
		}
		return temper(toy.G, beta), nil
	case name == "smoothed" && hasArg:
		passes, err := strconv.Atoi(arg)
		if err != nil || passes < 0 || passes > maxPasses {
			return nil, fmt.Errorf("initial distribution %q: %q is no number of passes from 0 to %d", selector, arg, maxPasses)
		}
		return Smooth(ctx, toy.Space, toy.G, passes)
	case name == "file" && hasArg:
		return readOn(arg, toy)
	case name == "uniform":
		return nil, fmt.Errorf("initial distribution %q: uniform takes no argument", selector)
	case name == "tempered":
		return nil, fmt.Errorf("initial distribution %q: give the power, as in tempered:0.1", selector)
	case name == "smoothed":
		return nil, fmt.Errorf("initial distribution %q: give the number of passes, as in smoothed:3", selector)
	case name == "file":
		return nil, fmt.Errorf("initial distribution %q: give the path, as in file:start.csv", selector)
	}
	return nil, chains.UnknownError("initial distribution", selector, InitialNames())
}

// temper returns beta g; zeros of f stay zeros.
func temper(g []float64, beta float64) []float64 {
	out := make([]float64, len(g))
	for x, v := range g {
		if out[x] = beta * v; math.IsInf(v, -1) {
			out[x] = v
		}
	}
	return out
}

// smoothPulse is the number of states between looks at the context.
const smoothPulse = 1 << 16

// Smooth returns log f after passes of the binomial filter (1, 2, 1)/4 along every axis of f; what would leave at a
// wall stays. A state whose f is below the largest by more than about 700 nats counts as a zero. It fails where the
// context ends.
func Smooth(ctx context.Context, space *grid.Lattice, logf []float64, passes int) ([]float64, error) {
	p, next := make([]float64, len(logf)), make([]float64, len(logf))
	top := math.Inf(-1)
	for _, v := range logf {
		top = max(top, v)
	}
	for x, v := range logf {
		p[x] = math.Exp(v - top)
	}
	for range passes {
		for axis := range space.Dims() {
			for x := range p {
				if x%smoothPulse == 0 && ctx.Err() != nil {
					return nil, ctx.Err()
				}
				next[x] = p[x] / 2
				for side := range 2 {
					y, inside := space.Neighbour(x, 2*axis+side)
					if !inside {
						y = x
					}
					next[x] += p[y] / 4
				}
			}
			p, next = next, p
		}
	}
	for x, v := range p {
		p[x] = math.Log(v)
	}
	return p, nil
}

// readOn reads log f on the toy's space from a file.
func readOn(path string, toy *Toy) ([]float64, error) {
	other, err := Read(path)
	if err != nil {
		return nil, err
	}
	if other.Space.String() != toy.Space.String() {
		return nil, fmt.Errorf("%s is on %s and the toy %s on %s; they must be on one space", path, other.Space, toy.Name, toy.Space)
	}
	return other.G, nil
}
