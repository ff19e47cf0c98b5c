package kernels

import (
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/frames"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// way is one weighted proposal from a state x: the state y that it leads to, the logarithm of its
// weight w(x,y), and the logarithm of f(y) w(y,x) / (f(x) w(x,y)), which is exactly zero if the
// weights are balanced, and +Inf if f(x) is zero.
type way struct {
	y       int
	w, tilt float64
	axis    int // the axis that it changes, for Tabu
}

// outlook holds all weighted proposals from a state, their probabilities, and log Z. Ways of weight
// zero are left out. The zero value is ready for look.
type outlook struct {
	ways []way
	p    []float64
	z    logZ
}

// logZ is the logarithm of a sum of weights, -Inf if there are none: the sum of the two numbers. If
// all weights are near one, coarse is the logarithm of their number, so that the difference of two
// such logarithms keeps its digits on nearly flat targets.
type logZ struct{ coarse, fine float64 }

// minus returns the difference of two logarithms.
func (z logZ) minus(other logZ) float64 { return (z.coarse - other.coarse) + (z.fine - other.fine) }

func (o *outlook) setNeighbours(k Informed, logf []float64, x int) {
	o.ways = k.ways(o.ways[:0], logf, x)
	o.setProbabilities()
}

// flat is the largest |log w| of weights that are near one.
const flat = 0.25

// setProbabilities finds the probabilities of the ways, and log Z.
func (o *outlook) setProbabilities() {
	o.p = o.p[:0]
	largest := 0.0
	excess := 0.0
	for _, to := range o.ways {
		o.p = append(o.p, to.w)
		largest = max(largest, math.Abs(to.w))
	}
	o.z = logZ{coarse: chains.Normalize(o.p)}
	if n := float64(len(o.ways)); n > 0 && largest <= flat {
		for _, to := range o.ways {
			excess += math.Expm1(to.w)
		}
		o.z = logZ{number.Log(n), math.Log1p(excess / n)}
	}
}

// appendInformed appends the row of the state of this outlook, given log Z of its neighbours.
func appendInformed(dst []chains.Entry, x int, here *outlook, z func(y int) logZ) []chains.Entry {
	if len(here.ways) == 0 {
		return append(dst, chains.Entry{To: x, P: 1})
	}
	stay := 0.0
	for i, to := range here.ways {
		rise := here.z.minus(z(to.y)) + to.tilt
		stay += here.p[i] * metropolisRefuse(0, rise)
		if p := here.p[i] * metropolisAccept(0, rise); p > 0 {
			dst = append(dst, chains.Entry{To: to.y, P: p})
		}
	}
	return appendStay(dst, x, stay)
}

// Informed is a kernel that evaluates f at the neighbours before it proposes one: y is proposed
// with probability w(x,y)/Z(x), where Z(x) is the sum of the weights w over the neighbours, and
// accepted with min(1, f(y) w(y,x) Z(x) / (f(x) w(x,y) Z(y))). A direction that leads nowhere is
// not proposed; of two directions that lead to the same state, both count. If no neighbour has
// positive f the kernel stays.
//
// Locally balanced proposals have the weights g(f(y)/f(x)), where g is balanced: g(t) = t g(1/t).
// Then the acceptance is min(1, Z(x)/Z(y)). The rules are "sqrt", g = sqrt(t); "barker", g =
// t/(1+t); and "min", g = min(1, t). From a state where f is zero all ratios are infinite, and the
// proposals are their limit: proportional to the square root of f(y) for sqrt, and uniform over all
// y of positive f for the other two. They are always accepted. With "sqrt" it is Gibbs with
// gradients by exact ratios, which Grathwohl et al. 2021 approximate.
//
// Gibbs with gradients, "slope", has the weights exp(d/2), where d is the change of log f that the
// slope of log f at x along the axis predicts. The slope is the central difference of log f, or the
// difference to one neighbour if the other is beyond a wall or has f zero. So it is exact on axes
// of two values, where the kernel is that of sqrt, and an approximation on longer ones. Neighbours
// with f zero are not proposed; all others are, so that the kernel connects the states that
// Metropolis connects. From a state where f is zero there is no slope, and it proposes like sqrt.
//
// Source: Zanella 2020, J. Am. Stat. Assoc. 115, 852-865, sections 2 and 3; Grathwohl, Swersky,
// Hashemi, Duvenaud and Maddison 2021 ("Oops I took a gradient"), algorithm 1.
type Informed struct {
	Space grid.Graph // an OtherValues to propose another value of one axis, and a Lattice for slopes
	Rule  string     // "sqrt", "barker", "min" or "slope"
}

// Rules returns the names of the balancing functions.
func Rules() []string { return []string{"sqrt", "barker", "min"} }

// parseRule refuses what is no rule.
func parseRule(text string) (string, error) {
	if !slices.Contains(Rules(), text) {
		return "", errs.New("%q is not a balancing function; there are sqrt, barker and min", text)
	}
	return text, nil
}

// balance returns the logarithm of g(f(to)/f(from))/g(1) by a rule, up to a constant if f(from) is
// zero.
func balance(rule string, from, to float64) float64 {
	switch zero := math.IsInf(from, -1); {
	case math.IsInf(to, -1):
		return to
	case zero && rule == "sqrt":
		return to / 2
	case zero:
		return 0
	case rule == "sqrt":
		return (to - from) / 2
	case rule == "barker" && math.Abs(to-from) < 1:
		return math.Log1p(math.Tanh((to - from) / 2))
	case rule == "barker":
		return math.Ln2 - number.LogPlus(0, from-to)
	}
	return min(0, to-from)
}

// balancedWay returns the way between two states by a rule, and false if its weight is zero.
func balancedWay(rule string, logf []float64, x, y int) (way, bool) {
	to := way{y: y, w: balance(rule, logf[x], logf[y])}
	if math.IsInf(logf[x], -1) {
		to.tilt = math.Inf(1)
	}
	return to, !math.IsInf(to.w, -1)
}

func (k Informed) ways(dst []way, logf []float64, x int) []way {
	for d := range k.Space.Directions() {
		y, inside := k.Space.Neighbour(x, d)
		if !inside {
			continue
		}
		if k.Rule != "slope" {
			if to, is := balancedWay(k.Rule, logf, x, y); is {
				dst = append(dst, to)
			}
			continue
		}
		if to, is := balancedWay("sqrt", logf, x, y); is {
			if to.tilt == 0 {
				half := float64(d%2) - 0.5
				to.w = half * k.slope(logf, x, d/2)
				to.tilt = logf[y] - logf[x] - (half*k.slope(logf, y, d/2) + to.w)
			}
			dst = append(dst, to)
		}
	}
	return dst
}

// slope returns the slope of log f along an axis, in nats for a step up, at a state of positive f.
func (k Informed) slope(logf []float64, x, axis int) float64 {
	total := 0.0
	sides := 0.0
	for up := range 2 {
		if y, inside := k.Space.Neighbour(x, 2*axis+up); inside && !math.IsInf(logf[y], -1) {
			total += float64(2*up-1) * (logf[y] - logf[x])
			sides++
		}
	}
	return total / max(1, sides)
}

// Move makes one proposal and accepts or rejects it.
func (k Informed) Move(c chains.Chooser, logf []float64, x int) int {
	var here, there outlook
	here.setNeighbours(k, logf, x)
	if len(here.ways) == 0 {
		return x
	}
	to := here.ways[c.Choose(here.p)]
	there.setNeighbours(k, logf, to.y)
	if c.Flip(metropolisAccept(0, here.z.minus(there.z)+to.tilt)) {
		return to.y
	}
	return x
}

// AppendRow appends at most one entry for every direction, and one for staying.
func (k Informed) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return k.RowsUnder(logf)(dst, x)
}

// RowsUnder returns AppendRow for a logf that does not change. It evaluates the neighbours of every
// state at most twice, for any number of rows.
func (k Informed) RowsUnder(logf []float64) func(dst []chains.Entry, x int) []chains.Entry {
	var here, there outlook
	// of each state, and NaN until it is asked for
	known := slices.Repeat([]logZ{{coarse: math.NaN()}}, len(logf))
	z := func(y int) logZ {
		if math.IsNaN(known[y].coarse) {
			there.setNeighbours(k, logf, y)
			known[y] = there.z
		}
		return known[y]
	}
	return func(dst []chains.Entry, x int) []chains.Entry {
		here.setNeighbours(k, logf, x)
		return appendInformed(dst, x, &here, z)
	}
}

// Proposals returns the states that are proposed from x, the probability of each, and the logarithm
// of Z(x)/g(1): -Inf if there are none.
func (k Informed) Proposals(logf []float64, x int) (to []int, p []float64, logZ float64) {
	var here outlook
	here.setNeighbours(k, logf, x)
	for _, way := range here.ways {
		to = append(to, way.y)
	}
	return to, here.p, here.z.coarse + here.z.fine
}

// AppendFrame appends the neighbours, and x itself last.
func (k Informed) AppendFrame(dst []chains.Entry, x int) []chains.Entry {
	return appendDirections(dst, k.Space, x, 1)
}

// FillFrame fills the rows.
func (k Informed) FillFrame(f *frames.Frame, v *frames.Values) {
	var entries []chains.Entry
	rows := k.RowsUnder(v.LogF)
	for x := range v.LogF {
		entries = rows(entries[:0], x)
		placeEntries(f.Row(x), entries)
	}
}

// States returns the number of states of the space.
func (k Informed) States() int { return k.Space.States() }

// String returns the selector: "gradient", or "balanced:" and the rule, with ":flip" if other
// values of an axis are proposed.
func (k Informed) String() string {
	if k.Rule == "slope" {
		return "gradient"
	}
	if _, flips := k.Space.(OtherValues); flips {
		return "balanced:" + k.Rule + ":flip"
	}
	return "balanced:" + k.Rule
}

// Evaluations returns the number of evaluations of log f in a move that keeps the values around the
// current state from the move before: those at the neighbours of the proposed state, on average
// over the states of the space. With slopes it is two, for the value and the gradient at the
// proposed state: automatic differentiation gives a gradient at about the price of another value.
func (k Informed) Evaluations() float64 {
	if k.Rule == "slope" {
		return 2
	}
	total := 0.0
	for x := range k.Space.States() {
		for range grid.Neighbours(k.Space, x) {
			total++
		}
	}
	return total / float64(k.Space.States())
}

func balancedForm() kernelForm {
	return kernelForm{
		Syntax: "balanced:RULE[:flip]",
		Doc: "locally balanced: proposes a neighbour y, or with flip another value of one axis, in " +
			"proportion to g(f(y)/f(x)) for g of sqrt, barker or min",
		Source:     "Zanella 2020",
		Example:    "balanced:sqrt",
		Missing:    "the balancing function, sqrt, barker or min",
		Reversible: true,
		Others:     []string{"locally-balanced", "lbp", "informed", "zanella", "gwg", "gibbs-with-gradients"},
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			text, how := args.Cut()
			rule, err := parseRule(text)
			switch {
			case err != nil:
				return nil, args.Wrap(err)
			case how == "flip":
				space, err := on.lattice("proposes another value of one axis")
				return Informed{OtherValues{space}, rule}, args.Wrap(err)
			case strings.Contains(args.Text, ":"):
				return nil, args.Errorf("%q behind the balancing function; only flip may stand there", how)
			}
			return Informed{on.Space, rule}, nil
		},
	}
}

func gradientForm() kernelForm {
	return kernelForm{
		Syntax: "gradient",
		Doc: "Gibbs with gradients: proposes a step along an axis in proportion to exp(d/2), d the " +
			"change of log f by its slope; needs a grid",
		Source:  "Grathwohl et al. 2021",
		Example: "gradient",
		Replaces: []string{"hmc", "nuts", "no-u-turn", "hamiltonian", "mala", "langevin", "ula",
			"sgld"},
		Reversible: true,
		Others:     []string{"gwg", "gibbs-with-gradients", "gibbs-with-gradient", "oops"},
		Parse: onGrid("has a slope along each axis",
			func(space *grid.Lattice) chains.Kernel { return Informed{space, "slope"} }),
	}
}

// OtherValues is the graph of the states of a grid in which two states are neighbours if they
// differ in one coordinate, by any amount.
type OtherValues struct{ *grid.Lattice }

// Directions returns the number of other values of all axes together.
func (g OtherValues) Directions() int {
	n := 0
	for axis := range g.Dims() {
		n += g.Side(axis) - 1
	}
	return max(1, n)
}

// Neighbour returns the state with another value of one axis.
func (g OtherValues) Neighbour(x, d int) (int, bool) {
	for axis := range g.Dims() {
		others := g.Side(axis) - 1
		if d < others {
			return g.otherState(x, axis, d), true
		}
		d -= others
	}
	return 0, false
}

// otherState returns the state with the given one of the other values of an axis.
func (g OtherValues) otherState(x, axis, value int) int {
	here := g.Coord(x, axis)
	if value >= here {
		value++ // skip the value that the axis has already
	}
	return x + g.Stride(axis)*(value-here)
}
