package toys

import (
	"fmt"
	"strings"

	"breadboard/chains"
)

// PathNames returns the forms of selector that ParsePath reads.
func PathNames() []string { return []string{"geometric", "arithmetic", "q:Q", "via:[BETA:]PATH"} }

// ParsePath returns the path of a selector between the ends that ParseInitial has made for a toy: "geometric",
// "arithmetic" (the mixture), "q:Q" (power means), or "via:PATH" and "via:BETA:PATH", through the distribution whose
// log f is in a file, at beta 0.5 where that is left out.
func ParsePath(selector string, ends *chains.Ends, toy *Toy) (chains.Path, error) {
	name, arg, hasArg := strings.Cut(selector, ":")
	switch {
	case name == "geometric" && !hasArg:
		return orNil(chains.GeometricBetween(ends))
	case name == "arithmetic" && !hasArg:
		return chains.ArithmeticBetween(ends), nil
	case name == "q" && hasArg:
		q, err := chains.ParseNumber(arg)
		if err != nil {
			return nil, fmt.Errorf("path %q: q: %w", selector, err)
		}
		return chains.PowerMeanBetween(q, ends)
	case name == "via" && arg != "":
		return parseVia(selector, arg, ends, toy)
	case name == "q":
		return nil, fmt.Errorf("path %q: give the order, as in q:0.5", selector)
	case name == "via":
		return nil, fmt.Errorf("path %q: give the file of the intermediate distribution, as in via:0.3:middle.csv", selector)
	case name == "geometric" || name == "arithmetic":
		return nil, fmt.Errorf("path %q: %s takes no argument", selector, name)
	}
	return nil, chains.UnknownError("path", selector, PathNames())
}

func parseVia(selector, arg string, ends *chains.Ends, toy *Toy) (chains.Path, error) {
	at, file := splitVia(arg)
	middle, err := readOn(file, toy)
	if err != nil {
		return nil, fmt.Errorf("path %q: %w", selector, err)
	}
	return orNil(chains.PiecewiseBetween(fmt.Sprintf("via:%v:%s", at, file), ends, middle, at))
}

// orNil keeps a nil pointer from becoming a path that is not nil.
func orNil[P chains.Path](p P, err error) (chains.Path, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
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
