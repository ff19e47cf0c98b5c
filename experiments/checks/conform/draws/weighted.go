package draws

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/draws/codes"
	"breadboard/experiments/verdicts"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// Weights summarises the weights of draws.
type Weights struct {
	// the effective number of draws, the square of the sum of the weights over the sum of their
	// squares (Kong 1992)
	Effective float64
	// Bound is what no weight may exceed if the verdict is to hold, in units of the mean of all;
	// +Inf if it does not depend on that.
	Bound  float64
	States []WeightedState // those whose shares are the farthest from the distribution, the worst first
}

// WeightedState is a state with its share of the weight.
//
// Its share is r = sum_i w_i 1[x_i = x]/sum_i w_i. If its probability is p, the square of the
// standard error of this ratio is sum_i w_i^2 (1[x_i = x] - p)^2/(sum_i w_i)^2.
type WeightedState struct {
	Label    string
	Observed int     // how often it was drawn
	Share    float64 // its part of the weight of all draws
	// Standard is by how many standard errors of a ratio estimate the share is off; infinite if the
	// state is impossible
	Expected, Standard float64
	Error              float64 // that standard error
	effective          float64 // the effective number of its own draws
}

// WeightedColumns lists the columns of weighted states.
func WeightedColumns() columns.List {
	return columns.List{
		columns.Of("state", "state", "the state, by its label or number",
			func(s *WeightedState) string { return s.Label }),
		columns.Of("observed", "observed", "the number of its draws",
			func(s *WeightedState) int { return s.Observed }),
		columns.Of("share", "share", "the state's share of the total weight",
			func(s *WeightedState) float64 { return s.Share }).Digits(6),
		columns.Of("expected", "expected", "the probability of the state",
			func(s *WeightedState) float64 { return s.Expected }).Digits(6),
		columns.Of("deviation", "deviation",
			"the difference of share and probability, in standard errors of the share",
			func(s *WeightedState) float64 { return s.Standard }).Digits(3),
	}
}

// mostWeighted is the most weighted draws, which are all remembered.
const mostWeighted = 1 << 26

// weighted are draws with their weights, none of which is zero.
type weighted struct {
	*Law
	states []int32
	logs   []float64 // log weights
	rows   int       // with those of weight zero, which are no draws of the distribution
	// the first state of probability zero that was drawn with a weight; empty if there is none
	zero string

	// What follows is found from the draws.
	value     Value
	excluded  string
	undecided string  // why there can be no verdict
	logBound  float64 // of the weights; +Inf if there need be none
}

// checkWeighted does what Check does for draws with weights. There is one look, at the end, since
// all weights are known then.
func checkWeighted(ctx context.Context, law *Law, readers *codes.Readers, o Options) (*Outcome, error) {
	d := &weighted{Law: law, logBound: math.Inf(1)}
	err := d.readDraws(ctx, readers, o)
	switch {
	case err != nil && ctx.Err() == nil:
		return nil, err
	case d.rows == 0:
		return nil, cmp.Or(err, fmt.Errorf("%s: there are no draws in it", readers.List[0].Name()))
	case len(d.states) == 0:
		return nil, fmt.Errorf("%s: all weights are zero", readers.Name())
	}
	logThreshold := -number.Log(o.Alpha)
	d.test(logThreshold)
	out := &Outcome{
		Law:     law.Name,
		Source:  readers.Name(),
		Draws:   d.rows,
		States:  len(d.P),
		Weights: d.summary(),
	}
	w := &verdicts.Watch{
		Name:         averageOfWeighted,
		LogThreshold: logThreshold,
		LogE:         d.value.LogE,
		Fault: d.undecided == "" &&
			d.value.LogE >= logThreshold,
	}
	if w.Fault {
		out.Fault = d.value.Says
	}
	rows := fmt.Sprintf("%s of an effective number of %.4g", selector.Count(out.Draws, "draw"), out.Weights.Effective)
	var findings []check.Finding
	findings, out.Excluded = Findings(w, nil, rows, out.Fault, d.farShare(), d.excluded)
	switch f := &findings[0]; {
	case d.undecided != "":
		out.Excluded = d.undecided
		f.Verdict = check.Open
		f.Where = d.undecided
	case f.Verdict == check.Pass:
		f.Where = fmt.Sprintf("%s; the probability of a false alarm is at most %.3g", rows, o.Alpha)
	}
	out.Findings = append(out.Findings, findings...)
	return out, err
}

// readDraws reads all draws, or as many as are wanted.
func (d *weighted) readDraws(ctx context.Context, readers *codes.Readers, o Options) error {
	for ; o.Most == 0 || d.rows < o.Most; d.rows++ {
		x, _, err := readers.Next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case len(d.states) == mostWeighted:
			return errs.New("%s: more than %d weighted draws; give fewer", readers.Name(), mostWeighted)
		}
		if l := readers.LogWeight(); !math.IsInf(l, -1) {
			if d.P[x] == 0 && d.zero == "" {
				d.zero = fmt.Sprintf("state %s has probability zero, but is drawn with a weight in row %d",
					d.Codes.Label(x), d.rows+1)
			}
			d.states, d.logs = append(d.states, int32(x)), append(d.logs, l)
		}
		if d.rows%4096 == 4095 {
			if o.Progress != nil {
				o.Progress(4096)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

const (
	// sameWeight is by how much the log weights of a state may differ for their digits.
	sameWeight = 1e-6
	// nearLargest is how many weights above half of the bound there must be: with fewer, larger
	// ones are likely to be yet to come.
	nearLargest = 32
	// mostUnseen is the probability of the states that were not drawn, from which on there is no
	// verdict on the distribution. It is less if a smaller difference would have been found.
	mostUnseen = 0.1
)

// test tests the draws. If every state has one weight the distribution of the draws is known on the
// states that were drawn, and nothing need be known of weights that did not occur. Else no weight
// may exceed a bound: without one a rare huge weight could make up for anything.
func (d *weighted) test(logThreshold float64) {
	d.value = (Value{Name: averageOfWeighted, LogE: math.Inf(1), Says: d.zero})
	if d.zero != "" {
		return
	}
	if logq, one := d.proposal(); one {
		d.value.LogE = verdicts.SeenLogE(d.states, logq)
		d.exclude(logq, logThreshold)
	} else {
		d.testBounded(logThreshold)
	}
	d.value.Says = d.says()
}

// proposal returns the logarithm of the distribution of the draws, up to a constant, if every state
// has one weight; it is NaN at states that were not drawn.
func (d *weighted) proposal() (logq []float64, one bool) {
	logq = make([]float64, len(d.P))
	for x := range logq {
		logq[x] = math.NaN()
	}
	for i, x := range d.states {
		l := number.Log(d.P[x]) - d.logs[i]
		if math.IsNaN(logq[x]) {
			logq[x] = l
		}
		if math.Abs(logq[x]-l) > sameWeight {
			return nil, false
		}
	}
	return logq, true
}

// exclude says what a pass excludes where the distribution of the draws is known on the states that
// were drawn.
func (d *weighted) exclude(logq []float64, logThreshold float64) {
	seen := &Law{Codes: &codes.Codes{}}
	unseen := 0.0
	repeated := len(d.states)
	var labels []string
	for x, l := range logq {
		if math.IsNaN(l) {
			unseen += d.P[x]
			continue
		}
		labels, seen.P = append(labels, d.Codes.Label(x)), append(seen.P, l)
		repeated--
	}
	chains.Normalize(seen.P)
	seen.Codes.Label = func(x int) string { return labels[x] }
	excluded, variation := excludedBy(seen, repeated, logThreshold)
	if unseen > min(mostUnseen, variation) && d.value.LogE < logThreshold {
		d.undecided = fmt.Sprintf(
			"states with %.3g of the probability were not drawn; give more draws, or use a proposal that "+
				"can reach them",
			unseen,
		)
		return
	}
	d.excluded = excluded
	if excluded != "" {
		d.excluded += fmt.Sprintf(
			", between the draws and the distribution that their weights imply, on the %s that were drawn",
			selector.Count(len(labels), "state"),
		)
		if unseen > 0 {
			d.excluded += fmt.Sprintf("; the others have %.3g of the probability together", unseen)
		}
	}
}

// testBounded tests draws none of whose weights can exceed the least product of the first with a
// power of two that none exceeds. Given the first draw, this does not depend on the others as long
// as the largest possible weight lies between half of it and the bound, and the unit of the weights
// does not matter.
func (d *weighted) testBounded(logThreshold float64) {
	d.logBound = d.logs[0] + math.Ln2*math.Ceil((slices.Max(d.logs)-d.logs[0])/math.Ln2-sameWeight)
	kept := make([]float64, len(d.logs))
	total := 0.0
	near := 0
	for i, l := range d.logs {
		kept[i] = min(1, math.Exp(l-d.logBound))
		total += kept[i]
		if kept[i] > 0.5 {
			near++
		}
	}
	d.value.LogE = verdicts.KeptLogE(d.states, kept, d.P)
	d.excluded, _ = excludedBy(d.Law, int(total), logThreshold)
	if near < nearLargest {
		d.undecided = fmt.Sprintf(
			"only %d of the weights are near the largest, so larger ones are likely to follow; give more "+
				"draws, or use a proposal with less variable weights",
			near,
		)
	}
}

// says says what is wrong: the state whose share is the farthest off, and whether the draws would
// be right without their weights.
func (d *weighted) says() string {
	worst := d.shares()[0]
	text := fmt.Sprintf(
		"the weighted frequencies differ from the distribution: state %s has %.6g of the weight instead "+
			"of %.6g, %.3g standard errors away",
		worst.Label,
		worst.Share,
		worst.Expected,
		math.Abs(worst.Standard),
	)
	counts := make([]int, len(d.P))
	for _, x := range d.states {
		counts[x]++
	}
	if Fits(counts, d.P, 0) {
		text += "; without weights the draws have the distribution, as after resampling, or if the " +
			"weights were already used"
	}
	return text
}

// farShare says which share is far from its probability: by its standard error, and by
// verdicts.FarCount of an equivalent number of draws without weights. The rest of the draws is no
// cell of its own. Else it says which mean is, by the larger of two standard errors of the ratio
// estimate: that of the squares of the draws, and that of the variance under the distribution.
func (d *weighted) farShare() (says string) {
	for _, s := range d.shares() {
		if says == "" && s.Observed > 0 && math.Abs(s.Standard) >= verdicts.FarErrors {
			m := math.Round(s.effective)
			says = verdicts.FarCount(
				[]int{int(m), int(m/s.Share - m)},
				[]float64{s.Expected, math.NaN()},
				len(d.P),
				"effective draws",
				func(int) string { return "state " + s.Label },
			)
		}
	}
	if says != "" {
		return says
	}
	weights := d.weights()
	alone, products := d.statistics()
	for _, s := range append(alone, products...) {
		variance, _ := d.moment(s.values)
		sum := 0.0
		squares := 0.0
		least := 0.0
		rounding := 0.0
		for i, w := range weights {
			v := s.values[d.states[i]]
			sum += w * v
			rounding += w * (s.rounding + verdicts.Rounding*float64(len(weights))*math.Abs(v))
			squares += w * w * v * v
			least += w * w * variance
		}
		sum = verdicts.BeyondRounding(sum, rounding)
		says = cmp.Or(says, verdicts.FarMean("the mean of "+s.name, sum/math.Sqrt(max(squares, least)), "draws"))
	}
	return says
}

// summary describes the weights.
func (d *weighted) summary() *Weights {
	most := slices.Max(d.logs)
	total := 0.0
	squares := 0.0
	for _, w := range d.weights() {
		total += w
		squares += w * w
	}
	return &Weights{
		States:    d.shares(),
		Effective: total * total / squares,
		Bound:     math.Exp(d.logBound-most) * float64(d.rows) / total,
	}
}

// weights returns the weights of the draws, of which the largest is one.
func (d *weighted) weights() []float64 {
	most := slices.Max(d.logs)
	list := make([]float64, len(d.logs))
	for i, l := range d.logs {
		list[i] = math.Exp(l - most)
	}
	return list
}

// shares returns the states whose shares of the weight are the farthest from the distribution. The
// standard errors are those of ratio estimates.
func (d *weighted) shares() []WeightedState {
	list := make([]WeightedState, len(d.P))
	total := 0.0
	squares := 0.0
	own := make([]float64, len(d.P)) // the sum of the squares of the weights of each state
	for i, w := range d.weights() {
		x := d.states[i]
		list[x].Observed++
		list[x].Share += w
		own[x] += w * w
		total += w
		squares += w * w
	}
	for x := range list {
		s := &list[x]
		p := d.P[x]
		s.effective = s.Share * s.Share / own[x]
		s.Label = d.Codes.Label(x)
		s.Expected = p
		s.Share /= total
		s.Error = math.Sqrt(max(0, own[x]*(1-p)*(1-p)+(squares-own[x])*p*p)) / total
		if off := s.Share - p; off != 0 {
			s.Standard = off / s.Error
		}
	}
	slices.SortStableFunc(list,
		func(a, b WeightedState) int { return -cmp.Compare(math.Abs(a.Standard), math.Abs(b.Standard)) })
	return list[:min(len(list), shown)]
}
