package kernels

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/internal/library"
	"breadboard/grid"
)

// Gradient is Gibbs with gradients: a step along one axis, up or down, is proposed in proportion to exp(d/2), where d is what the slope of log f
// at x says that the step adds to log f, and accepted with min(1, f(y) q(x|y) / (f(x) q(y|x))), both proposals with their normalising constants.
//
// The slope along an axis is the central difference of log f, and the difference to the one neighbour where the other is beyond a wall or has
// f zero. So it is exact on axes of two values, where the kernel is Balanced by "sqrt", and an approximation on longer ones. What has f zero
// is not proposed, as where a slope is infinite, so that every neighbour of positive f is, however steep log f is: the kernel
// joins the states that Metropolis joins. From a state where f is zero there is no slope, and it proposes and accepts as Balanced by "sqrt".
//
// Source: Grathwohl, Swersky, Hashemi, Duvenaud and Maddison 2021 ("Oops I took a gradient"), algorithm 1.
type Gradient struct{ Space *grid.Lattice }

// slope returns the slope of log f along an axis, in nats for a step up, at a state of positive f.
func (k Gradient) slope(logf []float64, x, axis int) float64 {
	total, sides := 0.0, 0.0
	for up := range 2 {
		if y, inside := k.Space.Neighbour(x, 2*axis+up); inside && !math.IsInf(logf[y], -1) {
			total += float64(2*up-1) * (logf[y] - logf[x])
			sides++
		}
	}
	return total / max(1, sides)
}

func (k Gradient) ways(dst []way, logf []float64, x int) []way {
	for d := range k.Space.Directions() {
		y, inside := k.Space.Neighbour(x, d)
		if !inside {
			continue
		}
		to, is := balancedWay("sqrt", logf, x, y)
		if !is {
			continue
		}
		if to.tilt == 0 {
			half := float64(2*(d%2)-1) / 2
			there, back := half*k.slope(logf, x, d/2), -half*k.slope(logf, y, d/2)
			to.w, to.tilt = there, logf[y]-logf[x]+(back-there)
		}
		dst = append(dst, to)
	}
	return dst
}

// Move makes one proposal and accepts or rejects it.
func (k Gradient) Move(c chains.Chooser, logf []float64, x int) int {
	return moveInformed(k, c, logf, x)
}

// AppendRow appends at most one entry for every direction, and one for staying; the probability of staying is the sum of
// the probabilities of refused proposals.
func (k Gradient) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return informedRow(k, dst, logf, x)
}

// Proposals returns the states that are proposed from x, the probability of each, and log Z(x): -Inf where there are none.
func (k Gradient) Proposals(logf []float64, x int) (to []int, p []float64, logZ float64) {
	return proposals(k, logf, x)
}

// AppendFrame appends the neighbours, and x itself last.
func (k Gradient) AppendFrame(dst []chains.Entry, x int) []chains.Entry {
	return appendDirections(dst, k.Space, x, 1)
}

// FillFrame fills the rows.
func (k Gradient) FillFrame(f *chains.Frame, v *chains.Values) { fillInformed(k, f, v) }

// States returns the number of states of the space.
func (k Gradient) States() int { return k.Space.States() }

// String returns the selector "gradient".
func (Gradient) String() string { return "gradient" }

// Library returns the Word of the library for this type: it leaves its distribution invariant and knows its time reversal.
func (k Gradient) Library() library.Word { return library.For(k) }

// Evaluations returns how often a move asks for log f: for the value and for the gradient at the proposed state, which automatic differentiation
// gives at about the price of another value. Those at the state of the chain are kept from the move before.
func (Gradient) Evaluations() float64 { return 2 }

func gradientForm() kernelForm {
	return kernelForm{
		Syntax: "gradient", Doc: "Gibbs with gradients: a step along an axis in proportion to exp(d/2), d by the slope of log f, accepted with both normalising constants (a value and a gradient a move); needs a grid", Source: "Grathwohl et al. 2021", Example: "gradient", Reversible: true,
		Others: []string{"gwg", "gibbs-with-gradients", "gibbs-with-gradient", "oops"},
		Parse:  onGrid("has a slope along each axis", func(space *grid.Lattice) chains.Kernel { return Gradient{space} }),
	}
}
