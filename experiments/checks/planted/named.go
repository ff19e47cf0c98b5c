package planted

import (
	"breadboard/chains"
	"breadboard/grid"
)

// Named is a wrong kernel with the name by which it can be selected.
type Named struct {
	Name, Doc string
	Kernel    chains.Kernel
}

// Proposing lists the wrong versions of Metropolis' kernel, which propose a direction whatever f
// is.
func Proposing(space grid.Graph) []Named {
	return []Named{
		{"accept-all", "Metropolis that accepts every proposal", AlwaysAccepted{space}},
		{"inverse", "Metropolis with the inverse acceptance ratio", TurnedRatio{space}},
		{"redraw", "Metropolis that redraws a proposal until it is inside the space", Redrawn{space}},
		{"until-accepted", "Metropolis that redraws proposals until one is accepted", UntilAccepted{space}},
		{"skewed", "Metropolis that proposes the first direction twice as often as any other", Skewed{space}},
	}
}
