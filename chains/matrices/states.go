package matrices

import (
	"fmt"
	"strings"
)

// The endings of PRISM's files that have numbers of states.
const (
	rewardsEnding = ".srew"
	labelsEnding  = ".lab"
)

// splitStates splits a path into a file that has numbers of states and the name of those that are meant, and reports whether it is such a path. A # is part
// of the file's name where none of the endings is in front of it.
func splitStates(path string) (file, name string, is bool) {
	has := func(file string) bool { return endsWith(file, append(umbEndings(), rewardsEnding, labelsEnding)...) }
	if i := strings.LastIndexByte(path, '#'); i >= 0 && has(path[:i]) {
		return path[:i], path[i+1:], true
	}
	return path, "", has(path)
}

// OfStates reports whether a path names a number for each state: rewards in FILE.srew, a label in FILE.lab#NAME, or a reward or a label in
// FILE.umb#NAME. The numbers of a label are one for its states and zero for the others.
func OfStates(path string) bool {
	_, _, is := splitStates(path)
	return is
}

// Counts reports whether the file of a path for which OfStates holds says how many states there are, as labels of PRISM do not.
func Counts(path string) bool {
	file, _, _ := splitStates(path)
	return !endsWith(file, labelsEnding)
}

// FileOf returns the file of a path for which OfStates holds, without the name of what is meant in it, and any other path as it is.
func FileOf(path string) string {
	file, _, _ := splitStates(path)
	return file
}

// ReadStates reads the numbers of at most so many states from a path for which OfStates holds. A file of labels does not say how many states there
// are; they are taken to be as many as are allowed.
func ReadStates(path string, most int) ([]float64, error) {
	file, name, _ := splitStates(path)
	data, err := readFile(file, most)
	if err != nil {
		return nil, err
	}
	var c *Chain
	switch {
	case endsWith(file, rewardsEnding):
		r, err := ParseRewards(data, most)
		if err != nil {
			return nil, err
		}
		if name != "" && name != r.Name {
			return nil, fmt.Errorf("the file has the rewards %q, and not %s; leave the name out", r.Name, name)
		}
		return r.Values, nil
	case endsWith(file, labelsEnding):
		labels, err := ParseLabels(data, most)
		if err != nil {
			return nil, err
		}
		c = &Chain{Labels: labels}
	default:
		if c, err = ParseUMB(data, most); err != nil {
			return nil, err
		}
	}
	return c.named(name)
}

// named returns the numbers of the reward or the label of a name.
func (c *Chain) named(name string) ([]float64, error) {
	var names []string
	for _, r := range c.Rewards {
		if r.Name == name {
			return r.Values, nil
		}
		names = append(names, r.Name)
	}
	for _, l := range c.Labels {
		if l.Name == name {
			values := make([]float64, len(l.In))
			for x, in := range l.In {
				if in {
					values[x] = 1
				}
			}
			return values, nil
		}
		names = append(names, l.Name)
	}
	return nil, fmt.Errorf("the file has no numbers of states with the name %q; write one behind #: %s", name, strings.Join(names, ", "))
}
