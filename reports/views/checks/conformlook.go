package checks

import (
	"slices"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/conform"
)

// lookNote says which laws of the chains of a direction a test found wrong and which none did, and where in the program to look
// for a bug that does so. It is empty where the tests that were made leave that open.
func lookNote(o *conform.Outcome, s *conform.Side) string {
	start, end := part{"x_1", []string{"x_1", "states of x_1"}}, part{"x_T", []string{"x_T", "states of x_T"}}
	if s.Direction == chains.Reverse {
		start, end = end, start
	}
	weight := part{"log w", []string{"log w", "finite log w", "law of log w"}}
	var wrong, right []string
	var is [3]bool
	for i, p := range []part{start, end, weight} {
		tested, fault := p.found(o, s.Direction)
		if !tested {
			return ""
		}
		if is[i] = fault; fault {
			wrong = append(wrong, p.name)
		} else {
			right = append(right, p.name)
		}
	}
	found := "no test found a fault in " + lawsOf(right) + " by themselves"
	if len(wrong) > 0 {
		found = "a fault is in " + lawsOf(wrong)
		if len(right) > 0 {
			found += ", and none was found in " + lawsOf(right)
		}
	}
	return found + ": " + where(s.Direction, is[0], is[1], is[2])
}

// lawsOf names the laws of some parts of a chain.
func lawsOf(parts []string) string {
	if len(parts) == 1 {
		return "the law of " + parts[0]
	}
	return "the laws of " + selector.Listed(parts)
}

// part is what a chain has, and the tests of its law by itself.
type part struct {
	name  string
	tests []string
}

// found reports whether the law was tested, and whether that found a fault.
func (p part) found(o *conform.Outcome, d chains.Direction) (tested, fault bool) {
	for _, r := range o.Results {
		if slices.ContainsFunc(p.tests, func(name string) bool { return r.Test == d.String()+" "+name }) {
			tested, fault = tested || !r.Idle, fault || r.Fault
		}
	}
	return tested, fault
}

// where says where to look, by whether the laws of the state at which a chain starts, of that at which it ends and of its log
// weight are wrong.
func where(d chains.Direction, start, end, weight bool) string {
	switch {
	case start:
		return "look first at how chains start"
	case end && weight:
		return "look first at the moves, which both depend on"
	case end && d == chains.Forward:
		return "look first at the last move, after which nothing is added to log w"
	case end:
		return "look first at which state is written as x_1: the last increment is added there"
	case weight:
		return "look first at the increments: of which stage they are, and at which state they are added"
	}
	return "look first at what comes together in a chain, as the order of the rows in each column, and which states a single move can reach"
}
