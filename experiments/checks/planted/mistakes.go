package planted

import (
	"slices"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
)

// Mistakes lists the usual mistakes in kernels that have a meaning on a space. All checks of moves
// use this list.
func Mistakes(on grid.Graph) []Named {
	list := slices.Concat(proposingMistakes(on, ""), informedMistakes(on, ""))
	space, is := on.(*grid.Lattice)
	if is && space.Dims() > 1 && space.Side(0) > 1 && slices.Min(space.Sides()) == slices.Max(space.Sides()) {
		// one site has no bonds
		list = append(list, clusterMistakes(space)...)
	}
	if is && slices.Max(space.Sides()) > 2 { // on axes of two values there is nothing but the neighbours
		values := kernels.OtherValues{Lattice: space}
		how := "other values of an axis: "
		list = slices.Concat(list, proposingMistakes(values, how), informedMistakes(values, how))
		sloping := Informed{Of: kernels.Informed{Space: space, Rule: "slope"}, Constants: 1}
		const right = "min(1, f(y) q(x|y)/(f(x) q(y|x)))"
		list = append(list, Named{Of: how +
			"Metropolis that rounds a uniform number to a value, so that the two end values are half as likely",
			Cure: "draw all values equally often, as by rounding down", Kernel: RoundedEnds{space}})
		list = append(list, Named{
			Of:     "Gibbs with gradients accepted with min(1, Z(x)/Z(y)), as if slopes were differences of log f",
			Cure:   "accept with " + right,
			Kernel: sloping,
		})
		list = append(list, weighing("Gibbs with gradients", right, sloping.Of)...)
	}
	return list
}

// proposingMistakes are those of kernels that propose a direction, whatever f is.
func proposingMistakes(space grid.Graph, how string) []Named {
	list := append(Proposing(space),
		Named{
			Of:     "delayed rejection with a second stage that is accepted with min(1, f(y2)/f(x)) alone",
			Cure:   "multiply f(y2)/f(x) by (1 - a(y2,y1))/(1 - a(x,y1)), a the acceptance of the first stage",
			Kernel: ShortDelayed{space},
		})
	for i := range list {
		list[i].Of = how + list[i].Of
	}
	return list
}

// informedMistakes are those of locally balanced kernels.
func informedMistakes(space grid.Graph, how string) (list []Named) {
	for _, rule := range kernels.Rules() {
		wrong := weighing(how+"locally balanced proposals with "+rule, "min(1, Z(x)/Z(y))",
			kernels.Informed{Space: space, Rule: rule})
		if rule == "min" {
			wrong = wrong[1:] // to accept always is UntilAccepted
		}
		list = append(list, wrong...)
	}
	return append(list, Named{
		Of: how +
			"proposals in proportion to f(y), accepted with min(1, Z(x)/Z(y)): g(t) = t is not a balancing function",
		Cure: "weigh y by g(f(y)/f(x)) with g(t) = sqrt(t), t/(1+t) or min(1, t), or accept with min(1, " +
			"S(x)/S(y)), where S is the sum of f over the neighbours",
		Kernel: Informed{Of: kernels.Informed{Space: space, Rule: "sqrt"}, Squared: true, Constants: 1},
	})
}

// clusterMistakes are those of cluster moves, which are right for other couplings.
func clusterMistakes(space *grid.Lattice) (list []Named) {
	for _, k := range []chains.Rower{kernels.SwendsenWang{Space: space}, kernels.Wolff{Space: space}} {
		what := "clusters of " + chains.NameOf(k) + " "
		const cure = "bind two sites that agree with probability 1 - exp(-K), where K is the gain in log " +
			"f from their agreement: 2J beta for Ising spins, J beta for Potts spins"
		list = append(list,
			Named{
				Of: what +
					"whose bonds have half of the coupling, such as 1 - exp(-J) instead of 1 - exp(-2J)",
				Cure:   cure,
				Kernel: Misread{Kernel: k, As: Times(0.5)},
			},
			Named{
				Of:     what + "whose bonds have twice the coupling, such as 1 - exp(-2J) in a Potts model",
				Cure:   cure,
				Kernel: Misread{Kernel: k, As: Times(2)},
			})
		if space.Side(0) == 2 {
			list = append(list, Named{Of: what + "that ignore the field",
				Cure: "bind each site to a ghost spin with probability 1 - exp(-2h) if it is along the " +
					"field h, and never flip the cluster of the ghost; or accept by the field",
				Kernel: Misread{Kernel: k, As: Even}})
		}
	}
	return list
}

// weighing returns the mistakes in the acceptance of weighed proposals, which right ones accept
// with the given probability.
func weighing(what, right string, k kernels.Informed) []Named {
	accept := ": accept with " + right
	return []Named{
		{
			Of: what + ", accepted always, without the normalising constant of the reverse proposal",
			Cure: "this leaves f(x) Z(x) invariant instead of f(x)" +
				accept,
			Kernel: Informed{Of: k},
		},
		{
			Of:     what + ", accepted with min(1, f(y)/f(x)) alone, as if the proposal were symmetric",
			Cure:   "the proposal already depends on f" + accept,
			Kernel: Informed{Of: k, Ratio: 1},
		},
		{
			Of:     what + ", accepted with min(1, Z(y)/Z(x))",
			Cure:   "the ratio of the normalising constants is inverted" + accept,
			Kernel: Informed{Of: k, Constants: -1},
		},
	}
}
