package program

import (
	"fmt"

	"breadboard/chains"
)

// What the zero Options stand for.
const (
	DefaultCut      = 0x1p-54
	DefaultBranches = 1 << 20
)

// Options bound the work. A field that is zero stands for its default.
type Options struct {
	// Cut is the probability below which a branch of more than 12 choices is given up; what is given up is in the
	// remainder. The default is 2^-54. To give up next to nothing, take math.SmallestNonzeroFloat64.
	Cut float64
	// Choices is the most choices that one run may make; the default is chains.MaxChoices.
	Choices int
	// Branches is the most runs of one walk, those given up included; Propagate makes a walk from every state. It is also
	// the most states at which Propagate may be after a step. The default is 2^20.
	Branches int
}

// limits returns the options with their defaults, and fails for what is none.
func (o Options) limits() (Limits, error) {
	l := Limits(o)
	if !(l.Cut >= 0 && l.Cut < 1) || l.Choices < 0 || l.Branches < 0 {
		return l, fmt.Errorf("options of cut %v, %d choices and %d branches; a cut is a probability from 0 and below 1, and the others are at least 1, or 0 for the default", l.Cut, l.Choices, l.Branches)
	}
	if l.Cut == 0 {
		l.Cut = DefaultCut
	}
	if l.Choices == 0 {
		l.Choices = chains.MaxChoices
	}
	if l.Branches == 0 {
		l.Branches = DefaultBranches
	}
	return l, nil
}
