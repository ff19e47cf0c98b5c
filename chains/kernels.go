package chains

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"breadboard/grid"
)

// KernelForm is one kernel of the library: how it is written, and what it is.
type KernelForm struct {
	Form        string // as in lazy:P[:KERNEL]
	Description string
	Reversible  bool // always; combinations, where their parts are
}

// KernelForms lists the library.
func KernelForms() []KernelForm {
	return []KernelForm{
		{"metropolis", "the paper's: one of the 2d neighbours, accepted with min(1, f(y)/f(x))", true},
		{"moore", "Metropolis with all 3^d - 1 points around", true},
		{"barker", "one of the 2d neighbours, accepted with f(y)/(f(x)+f(y))", true},
		{"jump:EPS", "Metropolis that proposes any state with probability EPS", true},
		{"independence", "Metropolis that proposes any state alike", true},
		{"heatbath", "one coordinate, chosen at random, drawn given the others", true},
		{"heatbath-axis:AXIS", "the coordinate on one axis drawn given the others", true},
		{"heatbath-scan", "every coordinate in turn drawn given the others", false},
		{"suwa-todo", "one coordinate, chosen at random, moved with the fewest rejections", false},
		{"suwa-todo-axis:AXIS", "the coordinate on one axis moved with the fewest rejections", false},
		{"stay", "never moves", true},
		{"lazy:P[:KERNEL]", "stays with probability P, else moves as KERNEL (metropolis)", true},
		{"repeat:N[:KERNEL]", "KERNEL (metropolis) N times", true},
		{"compose:K1+K2...", "one kernel after another", false},
		{"palindrome:K1+K2...", "one kernel after another, forth and back: K1, K2, K1", true},
		{"mixture:W1*K1+W2*K2...", "one of the kernels, drawn with the weights", true},
	}
}

// KernelSelectors returns the forms that ParseKernel reads.
func KernelSelectors() []string {
	var list []string
	for _, f := range KernelForms() {
		list = append(list, f.Form)
	}
	return list
}

// limits of selectors that multiply work
const (
	maxRepeat = 10_000
	maxNested = 16
)

// ParseKernel returns the kernel of a selector on a space. The independence kernel proposes uniformly.
func ParseKernel(selector string, space *grid.Lattice) (Kernel, error) {
	return parseKernel(selector, space, 0)
}

func parseKernel(selector string, space *grid.Lattice, depth int) (Kernel, error) {
	if depth > maxNested {
		return nil, fmt.Errorf("kernel %q is nested more than %d deep", selector, maxNested)
	}
	name, arg, hasArg := strings.Cut(selector, ":")
	if k := plainKernel(name, space); k != nil {
		if hasArg {
			return nil, fmt.Errorf("kernel %q: %s takes no argument", selector, name)
		}
		return k, nil
	}
	var k Kernel
	var err error
	switch name {
	case "jump":
		var eps float64
		if eps, err = probability(arg); err == nil {
			k = Jump{space, eps}
		}
	case "heatbath-axis", "suwa-todo-axis":
		var axis int
		if axis, err = parseAxis(arg, space); err == nil && name == "heatbath-axis" {
			k = HeatBathAxis{space, axis}
		} else if err == nil {
			k = SuwaTodoAxis{space, axis, false}
		}
	case "lazy":
		p, inner, _ := strings.Cut(arg, ":")
		var stay float64
		if stay, err = probability(p); err == nil && stay == 1 {
			err = errors.New("it would never move")
		}
		if err == nil {
			if k, err = innerKernel(inner, space, depth); err == nil {
				k = Lazy(stay, k)
			}
		}
	case "repeat":
		times, inner, _ := strings.Cut(arg, ":")
		n, convErr := strconv.Atoi(times)
		if convErr != nil || n < 1 || n > maxRepeat {
			err = fmt.Errorf("%q is no number of repeats from 1 to %d", times, maxRepeat)
		} else if strings.Contains(inner, "repeat:") {
			err = errors.New("a repeat of a repeat; multiply the numbers")
		} else if k, err = innerKernel(inner, space, depth); err == nil {
			k = Repeat(n, k)
		}
	case "compose", "palindrome", "mixture":
		k, err = parseCombined(name, arg, space, depth)
	default:
		return nil, UnknownError("kernel", selector, KernelSelectors())
	}
	if err != nil {
		return nil, fmt.Errorf("kernel %q: %w", selector, err)
	}
	return k, nil
}

// plainKernel returns the kernel of a name without arguments, nil where there is none.
func plainKernel(name string, space *grid.Lattice) Kernel {
	switch name {
	case "metropolis":
		return Metropolis{space}
	case "moore":
		return Moore{space}
	case "barker":
		return Barker{space}
	case "stay":
		return Stay{}
	case "independence":
		p := make([]float64, space.States())
		for x := range p {
			p[x] = 1 / float64(len(p))
		}
		return Independence{p}
	case "heatbath":
		return anyAxis(name, space, func(axis int) Kernel { return HeatBathAxis{space, axis} })
	case "suwa-todo":
		return anyAxis(name, space, func(axis int) Kernel { return SuwaTodoAxis{space, axis, false} })
	case "heatbath-scan":
		parts := axes(space, func(axis int) Kernel { return HeatBathAxis{space, axis} })
		return sequence(Sequence{Parts: parts, Times: 1, order: inOrder(len(parts)), name: name})
	}
	return nil
}

func axes(space *grid.Lattice, kernel func(axis int) Kernel) []Kernel {
	parts := make([]Kernel, space.Dims())
	for axis := range parts {
		parts[axis] = kernel(axis)
	}
	return parts
}

// anyAxis is the random scan: one axis, each with equal probability.
func anyAxis(name string, space *grid.Lattice, kernel func(axis int) Kernel) Kernel {
	p := make([]float64, space.Dims())
	for axis := range p {
		p[axis] = 1 / float64(len(p))
	}
	return mix(name, p, axes(space, kernel))
}

func probability(arg string) (float64, error) {
	p, err := ParseNumber(arg)
	if err == nil && !(p >= 0 && p <= 1) {
		err = fmt.Errorf("%v is no probability", p)
	}
	return p, err
}

func parseAxis(arg string, space *grid.Lattice) (int, error) {
	axis, err := strconv.Atoi(arg)
	if err != nil || axis < 0 || axis >= space.Dims() {
		return 0, fmt.Errorf("%q is no axis of %s; they are numbered from 0 to %d", arg, space, space.Dims()-1)
	}
	return axis, nil
}

// innerKernel parses the kernel that another is made of; metropolis where it is left out.
func innerKernel(selector string, space *grid.Lattice, depth int) (Kernel, error) {
	if selector == "" {
		return Metropolis{space}, nil
	}
	return parseKernel(selector, space, depth+1)
}

// parseCombined parses K1+K2..., each with a weight in front for a mixture.
func parseCombined(name, arg string, space *grid.Lattice, depth int) (Kernel, error) {
	var parts []Kernel
	var weights []float64
	for term := range strings.SplitSeq(arg, "+") {
		if name == "mixture" {
			weight, rest, found := strings.Cut(term, "*")
			w, err := ParseNumber(weight)
			if !found || err != nil || !(w > 0) {
				return nil, fmt.Errorf("%q has no weight; write a positive one in front, as in 0.5*metropolis", term)
			}
			weights, term = append(weights, w), rest
		}
		k, err := parseKernel(term, space, depth+1)
		if err != nil {
			return nil, err
		}
		parts = append(parts, k)
	}
	if len(parts) < 2 {
		return nil, errors.New("it takes at least two kernels joined by +")
	}
	switch name {
	case "compose":
		return Compose(parts...), nil
	case "palindrome":
		return Palindrome(parts...), nil
	}
	return Mixture(weights, parts)
}
