package toys

import (
	"fmt"
	"strings"

	"breadboard/chains"
)

// PathNames returns the forms of selector that ParsePath reads.
func PathNames() []string { return []string{"geometric", "arithmetic", "q:Q", "via:[BETA:]PATH"} }

// ParsePath returns the path of a selector from log f of an initial distribution, nil for uniform, to a toy:
// "geometric", "arithmetic" (the mixture), "q:Q" (power means), or "via:PATH" and "via:BETA:PATH", through the
// distribution whose log f is in a file, at beta 0.5 where that is left out.
func ParsePath(selector string, initial []float64, toy *Toy) (chains.Path, error) {
	name, arg, hasArg := strings.Cut(selector, ":")
	switch {
	case name == "geometric" && !hasArg:
		return chains.NewGeometric(initial, toy.G)
	case name == "arithmetic" && !hasArg:
		return chains.NewArithmetic(initial, toy.G)
	case name == "q" && hasArg:
		q, err := chains.ParseNumber(arg)
		if err != nil {
			return nil, fmt.Errorf("path %q: q: %w", selector, err)
		}
		return chains.NewPowerMean(q, initial, toy.G)
	case name == "via" && arg != "":
		return parseVia(selector, arg, initial, toy)
	case name == "q":
		return nil, fmt.Errorf("path %q: give the order, as in q:0.5", selector)
	case name == "via":
		return nil, fmt.Errorf("path %q: give the file of the intermediate distribution, as in via:0.3:middle.csv", selector)
	case name == "geometric" || name == "arithmetic":
		return nil, fmt.Errorf("path %q: %s takes no argument", selector, name)
	}
	return nil, chains.UnknownError("path", selector, PathNames())
}

func parseVia(selector, arg string, initial []float64, toy *Toy) (chains.Path, error) {
	at, file := splitVia(arg)
	middle, err := readOn(file, toy)
	if err != nil {
		return nil, fmt.Errorf("path %q: %w", selector, err)
	}
	return chains.NewPiecewise(fmt.Sprintf("via:%v:%s", at, file), initial, middle, toy.G, at)
}

// splitVia returns the beta and the file of what follows "via:".
func splitVia(arg string) (at float64, file string) {
	if first, rest, found := strings.Cut(arg, ":"); found {
		if v, err := chains.ParseNumber(first); err == nil {
			return v, rest
		}
	}
	return 0.5, arg
}

// FileOf returns the file that a selector of a toy, an initial distribution or a path names, and "" where it names none.
func FileOf(selector string) string {
	switch name, arg, _ := strings.Cut(selector, ":"); name {
	case "file":
		return arg
	case "via":
		_, file := splitVia(arg)
		return file
	}
	return ""
}
