package kernel

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/kernel"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/programs"
	"breadboard/experiments/study/check"
	"breadboard/grid"
	"breadboard/toys"
)

// mistake is a usual way to get a kernel wrong. A kernel that is found wrong is called by the
// mistakes whose rows it has at every beta.
type mistake struct {
	of   string // what the rows are those of
	cure string // what to write in its place
	as   chains.Kernel
	off  float64 // the largest difference of a probability so far
}

// mistakes returns those that have a meaning on the space of a toy.
func mistakes(toy *toys.Toy) []mistake {
	list := slices.Concat(proposingMistakes(toy.Space, ""), informedMistakes(toy.Space, ""))
	space, is := toy.Space.(*grid.Lattice)
	if is && space.Side(0) > 1 && slices.Min(space.Sides()) == slices.Max(space.Sides()) {
		list = append(list, clusterMistakes(space)...)
	}
	if is && slices.Max(space.Sides()) > 2 { // on axes of two values there is nothing but the neighbours
		values, how := kernels.OtherValues{Lattice: space}, "other values of an axis: "
		list = slices.Concat(list, proposingMistakes(values, how), informedMistakes(values, how))
		sloping := planted.Informed{Of: kernels.Informed{Space: space, Rule: "slope"}, Constants: 1}
		const right = "min(1, f(y) q(x|y)/(f(x) q(y|x)))"
		list = append(list, mistake{of: "Gibbs with gradients accepted with min(1, Z(x)/Z(y)), as if slopes were differences of log f",
			cure: "accept with " + right, as: sloping})
		list = append(list, weighing("Gibbs with gradients", right, sloping.Of)...)
	}
	return list
}

// proposingMistakes are those of kernels that propose a direction, whatever f is.
func proposingMistakes(space grid.Graph, how string) (list []mistake) {
	for _, k := range planted.Proposing(space) {
		list = append(list, mistake{of: how + k.Of, cure: k.Cure, as: k.Kernel})
	}
	return append(list, mistake{of: how + "delayed rejection with a second stage that is accepted with min(1, f(y2)/f(x)) alone",
		cure: "multiply f(y2)/f(x) by (1 - a(y2,y1))/(1 - a(x,y1)), a the acceptance of the first stage", as: planted.ShortDelayed{Space: space}})
}

// informedMistakes are those of locally balanced kernels.
func informedMistakes(space grid.Graph, how string) (list []mistake) {
	for _, rule := range kernels.Rules() {
		wrong := weighing(how+"locally balanced proposals with "+rule, "min(1, Z(x)/Z(y))", kernels.Informed{Space: space, Rule: rule})
		if rule == "min" {
			wrong = wrong[1:] // to accept always is planted.UntilAccepted
		}
		list = append(list, wrong...)
	}
	return append(list, mistake{
		of:   how + "proposals in proportion to f(y), accepted with min(1, Z(x)/Z(y)): g(t) = t is not a balancing function",
		cure: "weigh y by g(f(y)/f(x)) with g(t) = sqrt(t), t/(1+t) or min(1, t), or accept with min(1, S(x)/S(y)), where S is the sum of f over the neighbours",
		as:   planted.Informed{Of: kernels.Informed{Space: space, Rule: "sqrt"}, Squared: true, Constants: 1},
	})
}

// clusterMistakes are those of cluster moves, which are right for other couplings.
func clusterMistakes(space *grid.Lattice) (list []mistake) {
	for _, k := range []chains.Rower{kernels.SwendsenWang{Space: space}, kernels.Wolff{Space: space}} {
		what := "clusters of " + chains.NameOf(k) + " "
		const cure = "bind two sites that agree with probability 1 - exp(-K), where K is the gain in log f from their agreement: 2J beta for Ising spins, J beta for Potts spins"
		list = append(list,
			mistake{of: what + "whose bonds have half of the coupling, such as 1 - exp(-J) instead of 1 - exp(-2J)", cure: cure,
				as: planted.Misread{Kernel: k, As: planted.Times(0.5)}},
			mistake{of: what + "whose bonds have twice the coupling, such as 1 - exp(-2J) in a Potts model", cure: cure,
				as: planted.Misread{Kernel: k, As: planted.Times(2)}})
		if space.Side(0) == 2 {
			list = append(list, mistake{of: what + "that ignore the field",
				cure: "bind each site to a ghost spin with probability 1 - exp(-2h) if it is along the field h, and never flip the cluster of the ghost; or accept by the field",
				as:   planted.Misread{Kernel: k, As: planted.Even}})
		}
	}
	return list
}

// weighing returns the mistakes in the acceptance of weighed proposals, which right ones accept
// with the given probability.
func weighing(what, right string, k kernels.Informed) []mistake {
	accept := ": accept with " + right
	return []mistake{
		{of: what + ", accepted always, without the normalising constant of the reverse proposal", cure: "this leaves f(x) Z(x) invariant instead of f(x)" +
			accept, as: planted.Informed{Of: k}},
		{of: what + ", accepted with min(1, f(y)/f(x)) alone, as if the proposal were symmetric", cure: "the proposal already depends on f" + accept,
			as: planted.Informed{Of: k, Ratio: 1}},
		{of: what + ", accepted with min(1, Z(y)/Z(x))", cure: "the ratio of the normalising constants is inverted" + accept,
			as: planted.Informed{Of: k, Constants: -1}},
	}
}

// suspect leaves of the mistakes those whose rows a kernel has at one more beta, at the states of
// positive probability. What a kernel does at the others changes nothing, and a ratio to zero is
// not defined. Most are out at the first row.
func (k *Row) suspect(ctx context.Context, d *kernel.Diagnosis, candidate chains.Kernel, logf []float64) error {
	if d.OfLibrary || d.States > kernel.DenseStates {
		k.suspects = nil
		return nil
	}
	tolerance := rowTolerance + d.Remainder
	if m, is := candidate.(*programs.Matrix); is {
		tolerance += m.Rounding
	}
	left := k.suspects[:0]
	for _, m := range k.suspects {
		for x := range logf {
			if math.IsInf(logf[x], -1) {
				continue
			}
			row, _, err := kernel.Row(ctx, m.as, logf, x)
			if err != nil {
				return err
			}
			if m.off = max(m.off, apart(row, d.Row(x))); m.off > tolerance {
				break
			}
		}
		if m.off <= tolerance {
			left = append(left, m)
		}
	}
	k.suspects = left
	return nil
}

// apart returns the largest difference of two rows.
func apart(a, b []chains.Entry) (worst float64) {
	difference := map[int]float64{}
	for _, e := range a {
		difference[e.To] += e.P
	}
	for _, e := range b {
		difference[e.To] -= e.P
	}
	for _, v := range difference {
		worst = max(worst, math.Abs(v))
	}
	return worst
}

// named says which mistake it is.
func (m *mistake) named() string { return "the rows are those of " + m.of }

// Cause says what explains a wrong kernel: a known mistake, or the distribution that it leaves
// invariant. It is empty if nothing does.
func (k *Row) Cause() string {
	switch {
	case !k.Wrong():
	case len(k.suspects) > 0:
		return k.suspects[0].named()
	case k.Other != nil && k.Other.explains != "":
		return fmt.Sprintf("at beta %v it leaves another distribution invariant, %s", k.Other.Beta, k.Other.explains)
	}
	return ""
}

// name adds a finding with the mistake that explains a wrong kernel, if one does. On targets such
// as a flat one several have the same rows.
func (k *Row) name() {
	if len(k.suspects) == 0 || !k.Wrong() {
		return
	}
	first := k.suspects[0]
	where := first.named() + "; " + first.cure
	for _, m := range k.suspects[1:] {
		where += "; on this target they are also those of " + m.of
	}
	k.add(math.NaN(), "mistake", first.off, math.NaN(), check.Fault, where)
}
