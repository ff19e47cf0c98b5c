// Package pair answers: what do log weights of both directions say about Z_T/Z_1, and do they
// belong to one pair of processes? The log weights are those of bidirectional Monte Carlo with any
// program.
//
// The weight of a path is w, with log w the sum of log f_t - log f_{t-1} at its states: in both
// directions the same function of the path. With p_F and p_R the densities of log w in either
// direction and R = Z_T/Z_1,
//
//	p_F(l) e^l = R p_R(l),
//
// so that the mean of log w is at most log R forward, and at least log R in reverse. Their
// difference is B. BAR is the estimate of log R with the smallest asymptotic variance. Pair tests
// the relation itself, by e-values for unknown R, and for a known one.
//
// A pass needs log weights that would show mistakes: those of these data with the other sign, with
// the files exchanged, or with a constant added to one file.
//
// Source: Crooks 1999; Bennett 1976; Grosse, Ghahramani and Adams 2015 (the sandwich).
package pair

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
	"breadboard/reports/check"
)

// Options are the log weights, in nats.
type Options struct {
	Forward, Reverse []float64
	LogZ             float64 // log(Z_T/Z_1); NaN if it is not known
}

// Row is what the log weights say.
type Row struct {
	Options
	Lower, Upper, B, BAR   ais.Estimate
	ForwardESS, ReverseESS float64
	Case                   *subject.Case   // the annealing with exact values; nil if there is none
	Exact                  *exact.Solution // of Case
	Findings               []check.Finding
}

// Most is the largest number of log weights of a direction.
const Most = 2_000_000

// validate returns an error if the log weights cannot be used.
func (o *Options) validate(on []subject.Case) error {
	for _, side := range []struct {
		name   string
		values []float64
	}{{"forward", o.Forward}, {"reverse", o.Reverse}} {
		if n := len(side.values); n < 2 || n > Most {
			return errs.New("%s of direction %s; give from 2 to %d", selector.Count(n, "log weight"), side.name, Most)
		}
		if i := slices.IndexFunc(side.values, math.IsNaN); i >= 0 {
			return errs.New("log weight %d of direction %s is NaN; give numbers", i, side.name)
		}
	}
	if math.IsInf(o.LogZ, 0) {
		return errs.New("{log-z} %v; give a finite number of nats", o.LogZ)
	}
	if len(on) > 1 {
		return errs.New("%d annealings, and log weights are of one; give one {toy} and one {distributions}", len(on))
	}
	return nil
}

// plan accepts log weights with at most one annealing.
func plan(_ context.Context, on []subject.Case, o *Options) (study.Plan[Row], error) {
	if err := o.validate(on); err != nil {
		return study.Plan[Row]{}, err
	}
	return study.Plan[Row]{Steps: -1, Run: func(ctx context.Context, h study.How) ([]Row, error) {
		r := Row{Options: *o}
		if len(on) == 1 {
			r.Case = &on[0]
			solution, err := exact.Solve(ctx, on[0].Annealing(), exact.Options{Workers: h.Workers})
			if err != nil {
				return nil, err
			}
			r.Exact = solution
		}
		r.estimate()
		err := r.judge(ctx, h.Workers)
		return []Row{r}, err
	}}, nil
}

// estimate sets the estimates.
func (r *Row) estimate() {
	r.Lower, r.Upper = ais.Mean(r.Forward), ais.Mean(r.Reverse)
	r.B = ais.Estimate{
		Value:         r.Upper.Value - r.Lower.Value,
		StandardError: math.Hypot(r.Upper.StandardError, r.Lower.StandardError),
	}
	r.BAR = ais.BAR(r.Forward, r.Reverse)
	r.ForwardESS, r.ReverseESS = ess(r.Forward, 1), ess(r.Reverse, -1)
}

// ess returns the effective sample size of the weights e^(sign l): the square of their sum over the
// sum of their squares.
//
// Source: Kong 1992.
func ess(l []float64, sign float64) float64 {
	once, twice := make([]float64, len(l)), make([]float64, len(l))
	for i, v := range l {
		once[i], twice[i] = sign*v, 2*sign*v
	}
	return math.Exp(2*number.LogSumExp(once) - number.LogSumExp(twice))
}

// The names of the findings.
const (
	onePair   = "one pair of processes"
	knownZ    = "log Z"
	lowerMean = "lower"
	upperMean = "upper"
)

// judge sets the findings.
func (r *Row) judge(ctx context.Context, workers int) error {
	known := r.LogZ
	if math.IsNaN(known) && r.Exact != nil {
		known = r.Exact.LogZRatio
	}
	tests := 1
	if !math.IsNaN(known) {
		tests = 2
	}
	threshold := number.Log(float64(tests) / check.DefaultAlpha)
	of := tested{r.Forward, r.Reverse, workers, threshold}
	first, err := of.onePair(ctx)
	if err != nil {
		return err
	}
	r.Findings = []check.Finding{first}
	if tests == 2 {
		r.Findings = append(r.Findings, of.value(known, r.BAR))
	}
	if r.Exact != nil {
		r.Findings = append(r.Findings,
			far(lowerMean, r.Lower, r.Exact.MeanLogWForward), far(upperMean, r.Upper, r.Exact.MeanLogWReverse))
	}
	return nil
}

// far holds a mean to its exact value: it is open if it is as many standard errors off as no pass
// may be, since the standard errors of heavy tails are too small for a fault.
func far(name string, of ais.Estimate, want float64) check.Finding {
	z := math.Abs(of.Value-want) / of.StandardError
	f := check.Finding{Name: name, Value: z, Tolerance: verdicts.FarErrors, Verdict: check.Pass}
	f.Where = fmt.Sprintf("%.6g, exactly %.6g: %.2g standard errors", of.Value, want, z)
	if !(z < verdicts.FarErrors) && of.Value != want {
		f.Verdict = check.Open
		f.Where += "; conform check tests whole distributions"
	}
	return f
}

// tested are log weights of both directions that are tested.
type tested struct {
	forward, reverse []float64
	workers          int
	threshold        float64 // the log e-value of a fault
}

// evidence is how much log weights speak against one pair of processes.
type evidence struct {
	logE, best float64 // the log e-value, and that of the best alternative alone
	where      string
}

// evidence returns the average of the two e-values, of which one sees which values are reverse, and
// the other whether any R fits their frequencies. A weight of zero in reverse, or an infinite one
// forward, is impossible.
func (t tested) evidence(ctx context.Context) (evidence, error) {
	forward := slices.DeleteFunc(slices.Clone(t.forward), func(l float64) bool { return math.IsInf(l, -1) })
	reverse := slices.DeleteFunc(slices.Clone(t.reverse), func(l float64) bool { return math.IsInf(l, 1) })
	certain := evidence{logE: math.Inf(1), best: math.Inf(1)}
	switch {
	case slices.ContainsFunc(forward, isInf):
		certain.where = "a forward log weight is +Inf; a path that has been drawn has a density above zero"
		return certain, nil
	case slices.ContainsFunc(reverse, isInf):
		certain.where = "a reverse log weight is -Inf; its path begins at an exact draw, and its weight is not zero"
		return certain, nil
	case len(forward) == 0 || len(reverse) == 0:
		return evidence{where: "all weights of a direction are zero or infinite"}, nil
	}
	e := newExchange(forward, reverse)
	labels, best, like, err := e.logE(ctx, t.workers)
	if err != nil {
		return evidence{}, err
	}
	low, high := slices.Min(slices.Concat(forward, reverse)), slices.Max(slices.Concat(forward, reverse))
	b := newBalance(t.forward, t.reverse, ais.BAR(t.forward, t.reverse).Value)
	sizes := b.least(low-reach, high+reach)
	found := evidence{number.LogMean([]float64{labels, sizes}), max(best, sizes), like.String()}
	if sizes > best {
		found.where = "no R fits: the mean weight forward and the mean inverse weight in reverse contradict each other"
	}
	return found, nil
}

// reach is how far log R may be outside of all log weights, in nats: a mean of n weights is not
// outside of them.
const reach = 1

func isInf(l float64) bool { return math.IsInf(l, 0) }

// mistake is a way to get a file wrong.
type mistake struct {
	what string
	make func(t tested) tested
}

// mistakes are those that a pass excludes, one of which explains a fault if its opposite passes.
func mistakes() []mistake {
	return []mistake{
		{"the reverse log weights have the other sign", func(t tested) tested { return t.changed(-1, 0) }},
		{"the files are exchanged", func(t tested) tested {
			t.forward, t.reverse = t.reverse, t.forward
			return t
		}},
	}
}

// changed returns the log weights with the reverse ones multiplied by a sign, and a constant added.
func (t tested) changed(sign, constant float64) tested {
	reverse := make([]float64, len(t.reverse))
	for i, l := range t.reverse {
		reverse[i] = sign*l + constant
	}
	t.reverse = reverse
	return t
}

// onePair tests Crooks's relation.
func (t tested) onePair(ctx context.Context) (check.Finding, error) {
	e, err := t.evidence(ctx)
	if err != nil {
		return check.Finding{}, err
	}
	f := check.EValue(onePair, e.logE, t.threshold, "", func() string { return e.where })
	if f.Verdict == check.Fault {
		why, err := t.explanation(ctx)
		f.Where += why
		return f, err
	}
	if math.IsNaN(ais.BAR(t.forward, t.reverse).StandardError) {
		f.Verdict = check.Open
		f.Where = "the log weights of both directions hardly overlap; a longer annealing or more chains decide"
		return f, nil
	}
	if e.best >= check.Shown {
		f.Verdict = check.Open
		f.Where = e.where + ": as far from right as five standard errors; more chains decide"
		return f, nil
	}
	if f.Verdict == check.Pass {
		f.Where, err = t.excluded(ctx)
		if f.Where == "" {
			f.Verdict = check.Open
			f.Where = "no mistake would be found with so few chains; more of them decide"
		}
	}
	return f, err
}

// explanation names a mistake without which the log weights pass; empty if there is none.
func (t tested) explanation(ctx context.Context) (string, error) {
	list := mistakes()
	if shift := t.constant(); !math.IsNaN(shift) {
		list = append(list, mistake{
			fmt.Sprintf("the reverse log weights are too large by a constant of about %.3g nats, as if one file has "+
				"log Z_1 and the other has not", shift),
			func(t tested) tested { return t.changed(1, -shift) },
		})
	}
	for _, m := range list {
		right := m.make(t)
		e, err := right.evidence(ctx)
		if err != nil {
			return "", err
		}
		if e.best < check.Shown && !math.IsNaN(ais.BAR(right.forward, right.reverse).StandardError) {
			return ": " + m.what, nil
		}
	}
	return "", nil
}

// constant is by how much log R differs between the mean weight forward and the mean inverse weight
// in reverse; NaN if one of them has no standard error below one.
func (t tested) constant() float64 {
	forward, reverse := ais.LogMeanExp(t.forward, 1), ais.LogMeanExp(t.reverse, -1)
	if !(forward.StandardError < 1 && reverse.StandardError < 1) {
		return math.NaN()
	}
	return -reverse.Value - forward.Value
}

// excluded says which mistakes these log weights would show; empty if they show none.
func (t tested) excluded(ctx context.Context) (string, error) {
	t.forward, t.reverse = t.forward[:min(enough, len(t.forward))], t.reverse[:min(enough, len(t.reverse))]
	shows := func(wrong tested) bool {
		e, err := wrong.evidence(ctx)
		return err == nil && e.logE >= t.threshold
	}
	signs := shows(mistakes()[0].make(t))
	constant := smallest(func(c float64) bool { return shows(t.changed(1, c)) && shows(t.changed(1, -c)) })
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case !math.IsNaN(constant):
		return fmt.Sprintf("a constant of %v nats in one of the files would be found", constant), nil
	case signs:
		return "the other sign of the reverse log weights would be found, and no constant in one of the files", nil
	}
	return "", nil
}

// enough log weights of each direction say which mistakes are found; more find more.
const enough = 4096

// smallest returns the smallest number of nats that is found; NaN if none is.
func smallest(found func(nats float64) bool) float64 {
	least := math.NaN()
	for _, nats := range []float64{10, 3, 1, 0.3, 0.1, 0.03, 0.01} {
		if !found(nats) {
			if nats < 10 {
				break
			}
			continue
		}
		least = nats
	}
	return least
}

// value tests a known log R.
func (t tested) value(logR float64, bar ais.Estimate) check.Finding {
	centre := bar.Value
	if math.IsNaN(centre) {
		centre = logR
	}
	b := newBalance(t.forward, t.reverse, centre)
	off := (bar.Value - logR) / bar.StandardError
	f := check.EValue(knownZ, b.logE(logR), t.threshold, "", func() string {
		return fmt.Sprintf("BAR is %.6g, with a standard error of %.2g; log Z is %.6g", bar.Value, bar.StandardError, logR)
	})
	if f.Verdict == check.Fault {
		return f
	}
	least := smallest(func(nats float64) bool {
		return b.logE(logR-nats) >= t.threshold && b.logE(logR+nats) >= t.threshold
	})
	switch {
	case math.Abs(off) >= verdicts.FarErrors:
		f.Verdict = check.Open
		f.Where = fmt.Sprintf("BAR is %.1f standard errors off; more chains decide", math.Abs(off))
	case math.IsNaN(least):
		f.Verdict = check.Open
		f.Where = "an error of 10 nats would not be found; more chains decide"
	case f.Verdict == check.Pass:
		f.Where = fmt.Sprintf("an error of %v nats would be found", least)
	}
	return f
}
