package planted

import (
	"breadboard/chains"
	"breadboard/grid"
)

// Named is a wrong kernel with its selector, a description, and the cure.
type Named struct {
	Name, Of, Cure string
	Kernel         chains.Kernel
}

// Proposing lists the wrong versions of Metropolis' kernel with proposals that do not depend on f.
func Proposing(space grid.Graph) []Named {
	return []Named{
		{"accept-all", "Metropolis without an acceptance step: every proposal is accepted",
			"accept y with probability min(1, f(y)/f(x)), and else stay at x", AlwaysAccepted{space}},
		{"inverse", "Metropolis with the inverse acceptance ratio, min(1, f(x)/f(y))",
			"accept with min(1, f(y)/f(x))", TurnedRatio{space}},
		{"redraw", "Metropolis that redraws a proposal until it is inside the space",
			"stay at x if the proposal is off the edge, or multiply f(y)/f(x) by the number of neighbours " +
				"of x over that of y",
			Redrawn{space}},
		{"until-accepted",
			"Metropolis that redraws proposals until one is accepted: a locally balanced proposal with " +
				"g(t) = min(1, t) that is always accepted",
			"count a rejected proposal as a move that stays at x, or accept with min(1, Z(x)/Z(y)), where " +
				"Z(x) is the sum of min(1, f(y)/f(x)) over the neighbours",
			UntilAccepted{space}},
		{"skewed", "Metropolis that proposes the first direction twice as often as any other",
			"propose all directions equally often, or multiply f(y)/f(x) by q(x|y)/q(y|x)", Skewed{space}},
	}
}
