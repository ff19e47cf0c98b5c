package kernels

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/internal/library"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// way is one proposal from a state x by a kernel that weighs its proposals: the state y that it leads to, the logarithm of its weight
// w(x,y), and the logarithm of f(y) w(y,x) / (f(x) w(x,y)), which is exactly zero where the weights are balanced.
type way struct {
	y       int
	w, tilt float64
	axis    int // the axis that it changes, for Tabu
}

// informed is a kernel that looks at f of the neighbours before it proposes one: y is proposed with probability w(x,y)/Z(x), where Z(x) is the
// sum of the weights of the ways from x, and accepted with min(1, f(y) w(y,x) Z(x) / (f(x) w(x,y) Z(y))). Ways of weight zero are left
// out. From a state where f is zero what is proposed is always accepted: its tilt is +Inf.
type informed interface {
	ways(dst []way, logf []float64, x int) []way
}

// outlook is what an informed kernel sees from a state: its ways, the probability with which each is proposed, and log Z, which is -Inf
// where there are none. The zero value is ready for look.
type outlook struct {
	ways []way
	p    []float64
	logZ float64
}

func (o *outlook) look(k informed, logf []float64, x int) {
	o.ways = k.ways(o.ways[:0], logf, x)
	o.weigh()
}

// weigh finds the probabilities of the ways, and log Z.
func (o *outlook) weigh() {
	o.p = o.p[:0]
	for _, to := range o.ways {
		o.p = append(o.p, to.w)
	}
	o.logZ = chains.Normalize(o.p)
}

func proposals(k informed, logf []float64, x int) (to []int, p []float64, logZ float64) {
	var here outlook
	here.look(k, logf, x)
	for _, way := range here.ways {
		to = append(to, way.y)
	}
	return to, here.p, here.logZ
}

func moveInformed(k informed, c chains.Chooser, logf []float64, x int) int {
	var here, there outlook
	here.look(k, logf, x)
	if len(here.ways) == 0 {
		return x
	}
	to := here.ways[c.Choose(here.p)]
	there.look(k, logf, to.y)
	if c.Flip(metropolisAccept(there.logZ, here.logZ+to.tilt)) {
		return to.y
	}
	return x
}

// appendInformed appends the row of the state that has this outlook, given log Z of the states that it leads to.
func appendInformed(dst []chains.Entry, x int, here *outlook, logZ func(y int) float64) []chains.Entry {
	if len(here.ways) == 0 {
		return append(dst, chains.Entry{To: x, P: 1})
	}
	stay := 0.0
	for i, to := range here.ways {
		from, level := logZ(to.y), here.logZ+to.tilt
		stay += here.p[i] * metropolisRefuse(from, level)
		if p := here.p[i] * metropolisAccept(from, level); p > 0 {
			dst = append(dst, chains.Entry{To: to.y, P: p})
		}
	}
	if stay > 0 {
		dst = append(dst, chains.Entry{To: x, P: stay})
	}
	return dst
}

// informedRow is AppendRow of an informed kernel. It makes the outlook of every neighbour, in O(D^2) for D directions.
func informedRow(k informed, dst []chains.Entry, logf []float64, x int) []chains.Entry {
	var here, there outlook
	here.look(k, logf, x)
	return appendInformed(dst, x, &here, func(y int) float64 {
		there.look(k, logf, y)
		return there.logZ
	})
}

// fillInformed fills a frame of an informed kernel, with the rows of informedRow. It makes the outlook of every state twice, whatever D is.
func fillInformed(k informed, f *chains.Frame, v *chains.Values) {
	var here outlook
	logZ := make([]float64, len(v.LogF))
	for x := range logZ {
		here.look(k, v.LogF, x)
		logZ[x] = here.logZ
	}
	var entries []chains.Entry
	for x := range logZ {
		here.look(k, v.LogF, x)
		entries = appendInformed(entries[:0], x, &here, func(y int) float64 { return logZ[y] })
		placeEntries(f.Row(x), entries)
	}
}

// Balanced is the kernel of locally balanced proposals: y is proposed among the neighbours of x with probability g(f(y)/f(x))/Z(x), where
// Z(x) is the sum of g(f(y)/f(x)) over the neighbours, and accepted with min(1, Z(x)/Z(y)). A function g is balanced where g(t) = t g(1/t),
// as the three of the rules are: "sqrt" is the square root of t, "barker" t/(1+t), and "min" min(1, t). A direction that leads nowhere is
// not proposed; of two directions that lead to the same state, both count.
//
// From a state where f is zero all ratios are infinite, and proposals are in their limit: in proportion to the square root of f(y) for
// sqrt, and alike for all y of positive f for the other two. They are always accepted. Where no neighbour has positive f the kernel stays.
//
// With "sqrt" it is Gibbs with gradients by exact ratios of neighbours, which Grathwohl et al. 2021 compare with their approximation.
//
// Source: Zanella 2020, J. Am. Stat. Assoc. 115, 852-865, sections 2 and 3.
type Balanced struct {
	Space grid.Graph // an OtherValues where another value of one axis is proposed
	Rule  string     // "sqrt", "barker" or "min"
}

// Rules returns the names of the balancing functions.
func Rules() []string { return []string{"sqrt", "barker", "min"} }

// parseRule refuses what is no rule.
func parseRule(text string) (string, error) {
	if !slices.Contains(Rules(), text) {
		return "", fmt.Errorf("%q is no balancing function; there are sqrt, barker and min", text)
	}
	return text, nil
}

// balance returns the logarithm of g(f(to)/f(from)) by a rule, up to a constant where f(from) is zero.
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
	case rule == "barker":
		return -number.LogPlus(0, from-to)
	}
	return min(0, to-from)
}

// balancedWay returns the way between two states by a rule, and false where its weight is zero.
func balancedWay(rule string, logf []float64, x, y int) (way, bool) {
	to := way{y: y, w: balance(rule, logf[x], logf[y])}
	if math.IsInf(logf[x], -1) {
		to.tilt = math.Inf(1)
	}
	return to, !math.IsInf(to.w, -1)
}

func (k Balanced) ways(dst []way, logf []float64, x int) []way {
	for y := range grid.Neighbours(k.Space, x) {
		if to, is := balancedWay(k.Rule, logf, x, y); is {
			dst = append(dst, to)
		}
	}
	return dst
}

// Move makes one proposal and accepts or rejects it.
func (k Balanced) Move(c chains.Chooser, logf []float64, x int) int {
	return moveInformed(k, c, logf, x)
}

// AppendRow appends at most one entry for every direction, and one for staying; the probability of staying is the sum of
// the probabilities of refused proposals.
func (k Balanced) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return informedRow(k, dst, logf, x)
}

// Proposals returns the states that are proposed from x, the probability of each, and log Z(x): -Inf where there are none.
func (k Balanced) Proposals(logf []float64, x int) (to []int, p []float64, logZ float64) {
	return proposals(k, logf, x)
}

// AppendFrame appends the neighbours, and x itself last.
func (k Balanced) AppendFrame(dst []chains.Entry, x int) []chains.Entry {
	return appendDirections(dst, k.Space, x, 1)
}

// FillFrame fills the rows.
func (k Balanced) FillFrame(f *chains.Frame, v *chains.Values) { fillInformed(k, f, v) }

// States returns the number of states of the space.
func (k Balanced) States() int { return k.Space.States() }

// String returns the selector "balanced:" and the rule, with ":flip" where other values of an axis are proposed.
func (k Balanced) String() string {
	if _, flips := k.Space.(OtherValues); flips {
		return "balanced:" + k.Rule + ":flip"
	}
	return "balanced:" + k.Rule
}

// Library returns the Word of the library for this type: it leaves its distribution invariant and knows its time reversal.
func (k Balanced) Library() library.Word { return library.For(k) }

// Evaluations returns how often a move asks for log f where its values at the state of the chain and at all neighbours of that are kept from
// the move before: at the neighbours of the proposed state, on average over the states of the space.
func (k Balanced) Evaluations() float64 {
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
		Syntax: "balanced:RULE[:flip]", Doc: "locally balanced: a neighbour y in proportion to g(f(y)/f(x)) for g of sqrt, barker (t/(1+t)) or min (min(1, t)), accepted with min(1, Z(x)/Z(y)); with flip another value of one axis", Source: "Zanella 2020", Example: "balanced:sqrt", Missing: "the balancing function, sqrt, barker or min", Reversible: true,
		Others: []string{"locally-balanced", "lbp", "informed", "zanella", "gwg", "gibbs-with-gradients"},
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			text, how := args.Cut()
			rule, err := parseRule(text)
			switch {
			case err != nil:
				return nil, args.Wrap(err)
			case how == "flip":
				space, err := on.lattice("proposes another value of one axis")
				return Balanced{OtherValues{space}, rule}, args.Wrap(err)
			case strings.Contains(args.Text, ":"):
				return nil, args.Errorf("%q behind the balancing function; only flip may stand there", how)
			}
			return Balanced{on.Space, rule}, nil
		},
	}
}

// OtherValues is the graph of the states of a grid in which those are neighbours that differ in one coordinate, by however much.
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
			return g.along(x, axis, d), true
		}
		d -= others
	}
	return 0, false
}

// along returns the state with the given one of the other values of an axis.
func (g OtherValues) along(x, axis, value int) int {
	here := g.Coord(x, axis)
	if value >= here {
		value++ // skip the value that the axis has already
	}
	return x + g.Stride(axis)*(value-here)
}
