package toys

import (
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

// Initial is a distribution to anneal from.
type Initial struct {
	Name string    // its selector in canonical form
	LogF []float64 // of each state, in nats; nil for the uniform distribution
}

// ParseInitial returns the initial distribution of a selector, for annealing towards a toy: "uniform";
// "tempered:BETA", the target to the power BETA; "smoothed:PASSES", the target after so many passes of Smooth;
// "file:PATH", log f from a file as Read takes it, on the toy's space.
func ParseInitial(selector string, toy *Toy) (Initial, error) {
	name, arg, hasArg := strings.Cut(selector, ":")
	switch {
	case name == "uniform" && !hasArg:
		return Initial{Name: selector}, nil
	case name == "tempered" && hasArg:
		beta, err := chains.ParseNumber(arg)
		if err != nil || !(beta >= 0 && beta <= 1) {
			return Initial{}, fmt.Errorf("initial distribution %q: %q is no power from 0 to 1", selector, arg)
		}
		return Initial{fmt.Sprintf("tempered:%v", beta), temper(toy.G, beta)}, nil
	case name == "smoothed" && hasArg:
		passes, err := strconv.Atoi(arg)
		if err != nil || passes < 0 || passes > maxPasses {
			return Initial{}, fmt.Errorf("initial distribution %q: %q is no number of passes from 0 to %d", selector, arg, maxPasses)
		}
		return Initial{fmt.Sprintf("smoothed:%d", passes), Smooth(toy.Space, toy.G, passes)}, nil
	case name == "file" && hasArg:
		logf, err := readOn(arg, toy)
		return Initial{selector, logf}, err
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

// Smooth returns log f after passes of the binomial filter (1, 2, 1)/4 along every axis of f; what would leave at a
// wall stays. A state whose f is below the largest by more than about 700 nats counts as a zero.
func Smooth(space *grid.Lattice, logf []float64, passes int) []float64 {
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
	return p
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
