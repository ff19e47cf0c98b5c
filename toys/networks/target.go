package networks

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/grid"
	"breadboard/toys/models"
)

// Target is the function of the free variables of a query that is proportional to their
// distribution given the evidence: the product of all factors at the evidence, summed over the
// hidden variables.
type Target struct {
	Space *grid.Lattice // an axis for each free variable, in their order
	Axes  []models.Axis
	// the logarithm at each state (nats); nil of a Bayesian network, of which the model has it
	LogF  []float64
	Model *Model // of a Bayesian network; nil of a Markov network, which has no prior
}

// EnumerateTarget enumerates the target of a query. It fails if there are more states than a
// lattice may have, if no variable is free, and if the target is zero everywhere, because the
// evidence is impossible.
func (q *Query) EnumerateTarget() (*Target, error) {
	free := q.Free()
	if len(free) == 0 {
		return nil, errs.New(
			"all variables are observed or hidden, so that there is nothing to sample; leave one of them free",
		)
	}
	if err := q.checkStates(free); err != nil {
		return nil, err
	}
	t := &Target{}
	sides := make([]int, len(free))
	for i, v := range free {
		sides[i] = len(q.Variables[v].Labels)
		t.Axes = append(t.Axes, models.Axis{Name: q.Variables[v].Name, Labels: q.Variables[v].Labels})
	}
	var err error
	t.Space, err = grid.New(sides...)
	if err != nil {
		return nil, err
	}
	possible := false
	if q.Bayes {
		t.Model, err = q.model(t, free)
		possible = err == nil && t.Model.possible()
	} else {
		t.LogF, err = q.summed(free, q.Clamped())
		possible = slices.ContainsFunc(t.LogF, func(v float64) bool { return v > math.Inf(-1) })
	}
	if err == nil && !possible {
		err = errors.New(q.impossible())
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// Clamped returns the factors at the evidence, whose scopes have only the unobserved variables.
func (q *Query) Clamped() []Factor {
	clamped := make([]Factor, len(q.Factors))
	cards := q.Cards()
	for i, f := range q.Factors {
		clamped[i] = clamp(f, cards, q.Evidence)
	}
	return clamped
}

// clamp returns a factor at the evidence.
func clamp(f Factor, cards, evidence []int) Factor {
	scope := slices.DeleteFunc(slices.Clone(f.Scope), func(v int) bool { return evidence[v] != Unseen })
	if len(scope) == len(f.Scope) {
		return f
	}
	// the entry at the evidence with the first values of the others, and the number of entries that
	// are left
	first := 0
	size := 1
	for _, v := range f.Scope {
		first *= cards[v]
		if evidence[v] != Unseen {
			first += evidence[v]
		} else {
			size *= cards[v]
		}
	}
	out := Factor{Scope: scope, Values: make([]float64, size)}
	strides := stridesOf(f.Scope, cards)
	for i := range out.Values {
		at := first
		rest := i
		for _, v := range reversed(scope) {
			at += rest % cards[v] * strides[slices.Index(f.Scope, v)]
			rest /= cards[v]
		}
		out.Values[i] = f.Values[at]
	}
	return out
}

// stridesOf returns by how many entries a table moves with each of its variables.
func stridesOf(scope, cards []int) []int {
	strides := make([]int, len(scope))
	size := 1
	for i := len(scope) - 1; i >= 0; i-- {
		strides[i], size = size, size*cards[scope[i]]
	}
	return strides
}

// summed returns the logarithm of the product of factors at each state of the free variables,
// summed over the hidden ones.
func (q *Query) summed(free []int, factors []Factor) ([]float64, error) {
	var hidden []int
	for v, is := range q.Hidden {
		if is {
			hidden = append(hidden, v)
		}
	}
	if hidden != nil {
		var err error
		factors, err = SumOut(factors, q.Cards(), hidden)
		_, err = q.nameError(nil, err)
		if err != nil {
			return nil, err
		}
	}
	return logProducts(factors, free, q.Cards()), nil
}

// logProducts returns the logarithm of the product of factors for each configuration of some
// variables, the last fastest. All that the factors depend on are among them.
//
// It goes from one variable to the next: the products of the factors whose variables have all been
// met are known for each configuration of these, and the next variable adds the factors of which it
// is the last. So most factors are looked at for few configurations.
func logProducts(factors []Factor, variables, cards []int) []float64 {
	var sides []int           // of the variables with several values, which are no more than twenty-four
	position := map[int]int{} // of these, by their numbers
	for _, v := range variables {
		if cards[v] > 1 {
			position[v] = len(sides)
			sides = append(sides, cards[v])
		}
	}
	adding := make([][]*addend, len(sides)) // by the last variable of the factor
	constant := 0.0
	for _, f := range factors {
		if a := newAddend(f, position, cards); a.last < 0 {
			constant += a.logs[0]
		} else {
			adding[a.last] = append(adding[a.last], a)
		}
	}
	sums := []float64{constant}
	digits := make([]int, len(sides))
	for i, side := range sides {
		next := make([]float64, 0, len(sums)*side)
		for _, sum := range sums {
			for value := range side {
				total := sum
				for _, a := range adding[i] {
					total += a.logs[a.at+value*int(a.strides[i])]
				}
				next = append(next, total)
			}
			advance(digits[:i], sides, adding[i])
		}
		sums = next
	}
	return sums
}

// addend is a factor that is added where its last variable is met.
type addend struct {
	logs    []float64
	strides []int32 // by the position of the variable, up to the last
	last    int     // the position of the last of its variables, -1 for a constant
	at      int     // the entry at the present configuration of the variables before the last
}

func newAddend(f Factor, position map[int]int, cards []int) *addend {
	a := &addend{logs: make([]float64, len(f.Values)), last: -1}
	for k, v := range f.Values {
		// since math.Log of a number below 2^-1022 is wrong on some processors
		a.logs[k] = number.Scaled(v, 0).Log()
	}
	for _, v := range f.Scope {
		if at, several := position[v]; several {
			a.last = max(a.last, at)
		}
	}
	a.strides = make([]int32, a.last+1)
	for i, stride := range stridesOf(f.Scope, cards) {
		if at, several := position[f.Scope[i]]; several {
			a.strides[at] = int32(stride)
		}
	}
	return a
}

// advance goes on to the next configuration of the variables that have been met.
func advance(digits, sides []int, adding []*addend) {
	for k := len(digits) - 1; k >= 0; k-- {
		digits[k]++
		move := 1
		if digits[k] == sides[k] {
			move, digits[k] = 1-sides[k], 0
		}
		for _, a := range adding {
			a.at += int(a.strides[k]) * move
		}
		if digits[k] > 0 {
			return
		}
	}
}

// checkStates fails if the free variables have too many states, and says what would make them few
// enough.
func (q *Query) checkStates(free []int) error {
	states := q.States()
	if states <= grid.MaxStates {
		return nil
	}
	count := fmt.Sprintf("%.15g", states)
	if log10 := q.LogStates() / math.Ln10; log10 > 15 {
		count = fmt.Sprintf("10^%.4g", log10)
	}
	slices.SortStableFunc(free, func(a, b int) int { return len(q.Variables[b].Labels) - len(q.Variables[a].Labels) })
	// the smallest variables stay, as many as fit
	enough := 1.0
	kept := len(free)
	for kept > 0 && enough*float64(len(q.Variables[free[kept-1]].Labels)) <= grid.MaxStates {
		kept--
		enough *= float64(len(q.Variables[free[kept]].Labels))
	}
	var names []string
	for _, v := range free[:kept] {
		names = append(names, quote(q.Variables[v].Name))
	}
	out := "sum as many out"
	const few = 40
	if kept <= few {
		out += ", as with :" + keyHide + "=" + strings.Join(names, "+")
	}
	err := errs.New("its %d free variables have %s states, and at most %d can be enumerated; observe %s or more, or "+
		"%s; inference by elimination needs no enumeration",
		len(free), count, grid.MaxStates, selector.Count(kept, "variable"), out)
	return grid.TooLarge{What: "states", Need: states, Limit: grid.MaxStates, Err: err}
}

// impossible says why the target is zero everywhere: the first factor that is zero at the evidence
// whatever the other variables are, or that there is none.
func (q *Query) impossible() string {
	for i, f := range q.Clamped() {
		if slices.ContainsFunc(f.Values, func(v float64) bool { return v > 0 }) {
			continue
		}
		var names, seen []string
		for _, v := range q.Factors[i].Scope {
			names = append(names, q.Variables[v].Name)
			if q.Evidence[v] != Unseen {
				seen = append(seen, q.Variables[v].Name+"="+q.Variables[v].Labels[q.Evidence[v]])
			}
		}
		table := fmt.Sprintf("table %d, of %s,", i+1, listed(names))
		if q.Bayes {
			table = "the table of " + names[len(names)-1]
			if len(names) > 1 {
				table += " given " + listed(names[:len(names)-1])
			}
		}
		if len(names) == 0 {
			return fmt.Sprintf("table %d, which has no variables and one entry, is zero, and with it the target", i+1)
		}
		if seen == nil {
			return table + " is zero everywhere, and with it the target"
		}
		return fmt.Sprintf(
			"the evidence is impossible: %s is zero at %s, whatever the other variables are; leave one of "+
				"these observations away",
			table,
			listed(seen),
		)
	}
	if slices.ContainsFunc(q.Evidence, func(value int) bool { return value != Unseen }) {
		return "the evidence is impossible: the product of all tables is zero for every value of the " +
			"other variables, though none is alone; leave some observations away"
	}
	return "the product of all tables is zero everywhere, though none is alone; the target has no mass"
}
