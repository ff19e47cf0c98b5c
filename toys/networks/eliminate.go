package networks

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"

	"breadboard/chains/number"
)

// Inference is the result of an elimination of a product of factors.
type Inference struct {
	// the logarithm of the sum of the product over all configurations (nats), -Inf if it is zero
	LogZ float64
	// the probabilities of the values of each variable; nil if LogZ is -Inf, or alone was asked for
	Marginals [][]float64
	// of two variables v < w that stand in a factor, and have several values each: the probability
	// of both, w fastest; nil if not asked for
	Joint map[[2]int][]float64
	// of each variable, its value in each sample; nil if none were asked for, or LogZ is -Inf
	Samples [][]int32
	// a configuration of the largest product, the values of all variables; nil if not asked for, or
	// the product is zero
	Best    []int
	LogBest number.Bounded // the logarithm of the product there (nats)
	Order   []int          // the variables of more than one value, in the order in which they were eliminated
	Width   int            // one less than the number of variables of the largest table
	Bytes   float64        // the memory that the program takes at most, by estimate
}

// Outputs says what Infer computes beside the sum.
type Outputs struct {
	// the bytes that the program may take, by estimate, OwnMemory among them; 0 for DefaultMemory
	Memory float64
	// an order of all variables that may be a good one to eliminate them in; nil if none is known
	Along     []int
	Marginals bool // the distribution of each variable
	Joint     bool // that of each pair of variables that stand in a factor
	Best      bool // a configuration of the largest product
	// so many configurations, drawn from the distribution that is in proportion to the product
	Samples int
	Random  *rand.Rand // by which they are drawn
	// Progress is called after each step with the share of the work that is done, which does not
	// count that of Best. It may be nil.
	Progress func(share float64)
}

// Infer sums the product of factors over all configurations of variables with the given numbers of
// values, and computes the other outputs, by variable elimination forwards and backwards over the
// tables of one order. Time and memory are proportional to the tables of the order, whatever the
// number of configurations. Tables that do not fit into the memory for the way backwards are
// computed twice. No number under- or overflows, and nothing is subtracted. It fails with a TooWide
// if the memory is not enough, and between two steps if the context has ended.
//
// Source: Dechter 1999, Bucket elimination; the way backwards is that of Lauritzen and
// Spiegelhalter 1988, and for samples and the largest product that of Dawid 1992, Applications of a
// general propagation algorithm for probabilistic expert systems.
func Infer(ctx context.Context, factors []Factor, cards []int, a Outputs) (*Inference, error) {
	n := need{
		memory: a.Memory,
		along:  a.Along,
		back:   a.Marginals || a.Joint || a.Best || a.Samples > 0,
		laws:   a.Marginals || a.Joint,
	}
	if n.memory == 0 {
		n.memory = DefaultMemory
	}
	const stateBytes = 12 // four of the state, and the others of the text that is made of it
	n.other = OwnMemory + stateBytes*float64(a.Samples)*float64(len(cards))
	f, err := a.infer(ctx, factors, cards, n)
	if errors.Is(err, errFar) {
		n.wide = true
		f, err = a.infer(ctx, factors, cards, n)
	}
	return f, err
}

func (a Outputs) infer(ctx context.Context, factors []Factor, cards []int, n need) (*Inference, error) {
	p, err := choose(ctx, scopesOf(factors, cards), cards, severalValued(cards), n)
	if err != nil {
		return nil, err
	}
	f, err := a.carryOut(ctx, p, factors)
	if p.tables > fewBytes {
		debug.FreeOSMemory() // else the tables stay until there is as much again
	}
	return f, err
}

// carryOut computes what is asked for as a plan says.
func (a Outputs) carryOut(ctx context.Context, p *plan, factors []Factor) (*Inference, error) {
	f := &Inference{Width: max(0, len(widest(p.steps, p.cards))-1), Bytes: p.bytes}
	for _, s := range p.steps {
		f.Order = append(f.Order, s.variable)
	}
	t := p.newTape(factors)
	t.told = a.Progress
	for _, s := range t.steps {
		t.ahead += s.size
	}
	if a.Marginals || a.Joint || a.Samples > 0 {
		t.ahead *= 1 + visitTimes
	}
	if err := p.forwards(ctx, t); err != nil {
		return nil, err
	}
	f.LogZ = t.rest().Log()
	if math.IsInf(f.LogZ, -1) {
		return f, nil
	}
	if a.Marginals || a.Joint || a.Samples > 0 {
		if err := a.sumBackwards(ctx, t, f); err != nil {
			return nil, err
		}
	}
	if a.Best {
		if err := t.findLargest(ctx, f); err != nil {
			return nil, err
		}
		f.LogBest = LogProduct(factors, p.cards, f.Best)
	}
	return f, nil
}

// rest returns the product of all tables that no step takes.
func (t *tape) rest() number.Wide {
	z := number.Wide{M: 1}
	for _, one := range t.tablesLeft() {
		z = z.Mul(one.entry(0))
	}
	return z
}

// tablesLeft returns the tables that no step takes.
func (t *tape) tablesLeft() []table {
	left := slices.Clone(t.given[len(t.steps)])
	for i, s := range t.steps {
		if s.parent == len(t.steps) {
			left = append(left, t.messages[i])
		}
	}
	return left
}

// sumBackwards goes backwards for what is asked for of sums.
func (a Outputs) sumBackwards(ctx context.Context, t *tape, f *Inference) error {
	if a.Marginals || a.Joint {
		l := &laws{
			tape:      t,
			messages:  make([][]float64, len(t.steps)),
			marginals: make([][]float64, len(t.cards)),
		}
		for v := range l.marginals {
			l.marginals[v] = []float64{1} // which a variable that is not eliminated has
		}
		if a.Joint {
			l.joint = map[[2]int][]float64{}
		}
		f.Marginals = l.marginals
		f.Joint = l.joint
		t.visitors = append(t.visitors, l.visit)
	}
	if a.Samples > 0 {
		d := newDraws(t, a.Samples, func(weights []float64) int { return drawn(weights, a.Random.Float64()) })
		f.Samples = d.states
		t.visitors = append(t.visitors, d.visit)
	}
	if t.visitors == nil {
		return nil
	}
	return t.backwards(ctx, t)
}

// findLargest finds a configuration of the largest product, by elimination in which the largest
// takes the place of the sum. It begins again, with the memory of what came before.
func (t *tape) findLargest(ctx context.Context, f *Inference) error {
	for i := range t.steps {
		t.drop(i)
	}
	d := newDraws(t, 1, likeliest)
	t.most = true
	t.visitors = []func(i int){d.visit}
	if err := t.forwards(ctx, t); err != nil {
		return err
	}
	if err := t.backwards(ctx, t); err != nil {
		return err
	}
	for _, values := range d.states {
		f.Best = append(f.Best, int(values[0]))
	}
	return nil
}

// LogProduct returns the logarithm of the product of factors at a configuration of all variables.
// Its error allows for the rounding of each factor and of its logarithm, which count if the
// logarithms cancel.
func LogProduct(factors []Factor, cards, configuration []int) number.Bounded {
	var total number.Sum
	err := 0.0
	for _, f := range factors {
		at := 0
		for _, v := range f.Scope {
			at = at*cards[v] + configuration[v]
		}
		if f.Values[at] == 0 {
			return number.Exactly(math.Inf(-1))
		}
		log := number.Scaled(f.Values[at], 0).Log()
		total.Add(log)
		err += 0x1p-52 * (1 + math.Abs(log))
	}
	return number.UpTo(total.Value(), err)
}

// SumOut returns factors over the variables that are not hidden, whose product is the sum of the
// product of the given factors over all values of the hidden ones. Factors without hidden variables
// are returned as they are. If the entries of a sum are too far apart for one table of float64, the
// sum is returned as a product of several tables. It fails with a TooWide if the tables would be
// too large.
func SumOut(factors []Factor, cards, hidden []int) ([]Factor, error) {
	var kept, summed []Factor
	for _, f := range factors {
		if slices.ContainsFunc(f.Scope, func(v int) bool { return slices.Contains(hidden, v) }) {
			summed = append(summed, f)
		} else {
			kept = append(kept, f)
		}
	}
	p, err := choose(
		context.Background(),
		scopesOf(summed, cards),
		cards,
		hidden,
		need{memory: DefaultMemory, wide: true},
	)
	if err != nil {
		return nil, err
	}
	t := p.newTape(summed)
	if err := p.forwards(context.Background(), t); err != nil {
		return nil, err
	}
	for _, one := range t.tablesLeft() {
		kept = append(kept, one.factors()...)
	}
	return kept, nil
}

// severalValued returns the variables of more than one value.
func severalValued(cards []int) (list []int) {
	for v, n := range cards {
		if n > 1 {
			list = append(list, v)
		}
	}
	return list
}

// scopesOf returns the variables of factors that have more than one value.
func scopesOf(factors []Factor, cards []int) [][]int {
	scopes := make([][]int, len(factors))
	for i, f := range factors {
		for _, v := range f.Scope {
			if cards[v] > 1 {
				scopes[i] = append(scopes[i], v)
			}
		}
	}
	return scopes
}
