package draws

import (
	"context"
	"math"
	"slices"
	"strings"

	"breadboard/chains/number"
	"breadboard/exact/policies"
	"breadboard/experiments/verdicts"
)

// reading is how a draw is read as that of a distribution: which state and log weight it has, and
// false if it has none.
type reading func(i int) (d draw, is bool)

// account compares the first draws, as they are read, with a distribution: their log likelihood,
// and whether it leaves nothing unexplained, neither their counts nor their order. That is nil if a
// draw is impossible.
func (t *paths) account(l *pathLaw, read reading, n int) (log float64, fits func() bool) {
	again := newTally(l.law("", t.codes), true)
	for i := range min(n, len(t.seen)) {
		d, is := read(i)
		if !is { // so that a reading of fewer draws is no likelier
			log += number.Log(slices.Min(again.P))
			continue
		}
		at, is := l.find(d.x, d.logW)
		if !is {
			return math.Inf(-1), nil
		}
		log += number.Log(l.cells[at].p)
		again.add(at, 1)
	}
	return log, func() bool {
		var s Pearson
		s.Add(again.counts, again.P)
		return s.P(0) >= Unexplained && Strongest(slices.Concat(again.frequencies(), again.order())).LogE < number.Log(verdicts.EnoughLead)
	}
}

// weighed returns the reading of log weights by a function. A weight of zero stays one.
func (t *paths) weighed(of func(logW float64) float64) reading {
	return func(i int) (draw, bool) {
		d := t.seen[i]
		if d.logW > math.Inf(-1) {
			d.logW = of(d.logW)
		}
		return d, true
	}
}

// from returns the reading in which each state has the log weight of a draw some rows further on.
func (t *paths) from(rows int) reading {
	return func(i int) (d draw, is bool) {
		if d = t.seen[i]; i+rows >= 0 && i+rows < len(t.seen) {
			return draw{d.x, t.seen[i+rows].logW}, true
		}
		return d, false
	}
}

// same reads draws as they stand.
func (t *paths) same() reading { return t.weighed(func(l float64) float64 { return l }) }

// named says which known mistakes explain the draws, as Named does.
func (t *paths) named(ctx context.Context) (named, reason string) {
	var list []Candidate
	add := func(says string, l *pathLaw, read reading, parameters int) (explains bool) {
		log, fits := t.account(l, read, mostPaths)
		list = append(list, Candidate{says, log, parameters, fits})
		return fits != nil && fits()
	}
	shift, known := t.shift()
	if known {
		known = add("log weights are shifted by C = "+precise(shift)+t.normalized(shift), t.joint, t.weighed(func(l float64) float64 { return l - shift }), 1)
	}
	for _, m := range mistaken() {
		ends, err := policies.EndsOf(ctx, t.model, m.terms)
		if err != nil {
			continue
		}
		if l := newPathLaw(ends, t.tolerance); !slices.EqualFunc(l.cells, t.joint.cells, t.near) { // the term is not always zero
			if add(m.says, l, t.same(), 0) && known { // it is a constant
				list[0].Says, list = list[0].Says+", as if "+m.says, list[:len(list)-1]
			}
		}
	}
	add("log weights have the opposite sign", t.joint, t.weighed(func(l float64) float64 { return -l }), 0)
	add("the column has the weights, not their logarithms", t.joint, t.weighed(func(l float64) float64 { return number.Log(max(0, l)) }), 0)
	add("the logarithms are to the base 10", t.joint, t.weighed(func(l float64) float64 { return l * math.Ln10 }), 0)
	add("each state has the log weight of the draw before it", t.joint, t.from(1), 0)
	add("each state has the log weight of the draw behind it", t.joint, t.from(-1), 0)
	if all := t.independent(); all != nil {
		add("the log weights were shuffled against the states", all, t.same(), 0)
	}
	return Named(list, t.unknown())
}

// mistaken returns the log weights of programs with a mistake in one term.
func mistaken() []mistakenTerms {
	return []mistakenTerms{
		{"log f was omitted", policies.Terms{Backward: 1, Forward: 1, Initial: 1}},
		{"the sum of log P_B was omitted", policies.Terms{Target: 1, Forward: 1, Initial: 1}},
		{"the sum of log P_B was subtracted, not added", policies.Terms{Target: 1, Backward: -1, Forward: 1, Initial: 1}},
		{"the sum of log P_F was omitted", policies.Terms{Target: 1, Backward: 1, Initial: 1}},
		{"the sum of log P_F was added, not subtracted", policies.Terms{Target: 1, Backward: 1, Forward: -1, Initial: 1}},
		{"log q_0 of the first state was omitted", policies.Terms{Target: 1, Backward: 1, Forward: 1}},
	}
}

// mistakenTerms are the terms of log w of a program, and what is wrong with them.
type mistakenTerms struct {
	says  string
	terms policies.Terms
}

// near reports whether two cells are the same but for rounding.
func (t *paths) near(a, b cell) bool { return a.state == b.state && a.off(b.low) <= t.tolerance }

// normalized says which constants a shift of log weights may come from.
func (t *paths) normalized(shift float64) string {
	var logs number.LogSum
	most := math.Inf(-1)
	for _, d := range t.seen {
		logs.Add(d.logW)
		most = max(most, d.logW)
	}
	var says []string
	for _, c := range []struct {
		off  float64
		says string
	}{
		{shift + t.logZ, "the weights were divided by Z"}, {logs.Log() - number.Log(float64(t.n)), "the weights were divided by their mean"},
		{logs.Log(), "the weights were divided by their sum"}, {most, "the weights were divided by the largest"},
	} {
		if math.Abs(c.off) <= 4*t.tolerance {
			says = append(says, ", as if "+c.says)
		}
	}
	return strings.Join(says, "")
}

// mostShifts is how many draws a shift has to explain before it is compared with all of them.
const mostShifts = 256

// shift returns the likeliest constant by which all log weights are shifted, and false if none
// makes them all possible.
func (t *paths) shift() (shift float64, known bool) {
	best := math.Inf(-1)
	at := slices.IndexFunc(t.seen, func(d draw) bool { return d.logW > math.Inf(-1) })
	if at < 0 {
		return 0, false
	}
	for _, c := range t.joint.of(t.seen[at].x) {
		by := t.seen[at].logW - (c.low+c.high)/2
		shifted := t.weighed(func(l float64) float64 { return l - by })
		if _, fits := t.account(t.joint, shifted, mostShifts); fits == nil {
			continue
		}
		if log, fits := t.account(t.joint, shifted, mostPaths); fits != nil && (!known || log > best) {
			best, shift, known = log, by, true
		}
	}
	if !known {
		return 0, false
	}
	var off number.Sum // the mean has less rounding than the first one
	for _, d := range t.seen {
		at, _ := t.joint.find(d.x, d.logW-shift)
		if c := t.joint.cells[at]; c.low > math.Inf(-1) {
			off.Add(d.logW - shift - (c.low+c.high)/2)
		}
	}
	shift += off.Value() / float64(len(t.seen))
	return shift, math.Abs(shift) > t.tolerance
}

// independent returns the distribution of states and log weights that have nothing to do with each
// other, and nil if it has too many cells.
func (t *paths) independent() *pathLaw {
	var all []policies.Atom
	for _, c := range t.joint.cells {
		all = append(all, policies.Atom{LogW: c.low, LogP: number.Log(c.p)})
	}
	all = policies.Merged(all)
	if len(all)*len(t.ranges) > mostProducts {
		return nil
	}
	ends := make([][]policies.Atom, len(t.ranges))
	for x, r := range t.ranges {
		if r.LogQ > math.Inf(-1) {
			for _, a := range all {
				ends[x] = append(ends[x], policies.Atom{LogW: a.LogW, LogP: a.LogP + r.LogQ})
			}
		}
	}
	return newPathLaw(ends, t.tolerance)
}

// mostProducts is the most pairs of a state and a value of log w that are compared with draws.
const mostProducts = 1 << 20

// unknown returns the log likelihood of the draws under an unknown distribution. Of the values of
// log w that are not possible it knows one, and each other one only to lie within a nat.
func (t *paths) unknown() float64 {
	ends := make([][]policies.Atom, len(t.ranges))
	for _, d := range t.seen {
		ends[d.x] = append(ends[d.x], policies.Atom{LogW: d.logW})
	}
	for x := range ends {
		ends[x] = policies.Merged(ends[x])
	}
	l := newPathLaw(ends, t.tolerance)
	counts := make([]int, len(l.cells))
	for _, d := range t.seen {
		at, _ := l.find(d.x, d.logW)
		counts[at]++
	}
	guessed := -1.0
	for _, c := range l.cells {
		if _, is := t.joint.find(c.state, c.low); !is {
			guessed++
		}
	}
	return LogUnknown(counts, max(len(counts), len(t.joint.cells))) + max(0, guessed)*number.Log(2*t.tolerance)
}
