package posterior

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/reports/check"
)

// direct compares a direct sampler with the posterior of all data.
func (o *Outcome) direct(ctx context.Context, _ Options, progress func(int)) error {
	place := o.places()
	outside := newWorst()
	far := newWorst()
	wrong := 0
	mean := 0.0
	rounded := newWorst() // what the rounding of cumulative weights may explain
	logs := make([][]float64, len(o.Data))
	laws := make(laws, len(o.Data))
	for y, data := range o.Data {
		row, strange, err := o.row(ctx, place, "a draw given "+data, map[string]any{asksDirect: data})
		if err != nil {
			return err
		}
		for text, q := range strange {
			outside.keepWorst(weight(o.Evidence[y]*q), y, 0, fmt.Sprintf(
				"given these data it draws, with probability %.6g, a value %s%s",
				q,
				o.never(),
				text,
			))
		}
		p := o.Posterior(y)
		q := make([]float64, len(o.Parameters))
		tv := 0.0
		for _, e := range row {
			q[e.To] += e.P
		}
		x := 0
		farthest := 0.0
		for k := range p {
			off := math.Abs(q[k] - p[k])
			switch small := tolerance * max(p[k], q[k]); {
			case off <= small:
			case off <= small+missingPart && q[k] < p[k]:
				rounded.keepWorst(off, y, k, fmt.Sprintf(
					"%s is drawn with probability %.9g instead of %.9g; the rounding of the sampler may "+
						"explain it, or a fault",
					o.Parameters[k],
					q[k],
					p[k],
				))
			default:
				tv += off / 2
				if off > farthest {
					farthest = off
					x = k
				}
			}
			logs[y] = append(logs[y], number.Log(q[k]))
		}
		for _, w := range strange {
			tv += w / 2
		}
		if tv > 0 {
			wrong++
		}
		mean += o.Evidence[y] * tv
		far.keepWorst(tv, y,
			x, fmt.Sprintf("%s is drawn with probability %.9g instead of %.9g", o.Parameters[x], q[x], p[x]))
		laws[y] = q
		progress(1)
	}
	if outside.value > 0 {
		o.addFinding(check.Finding{
			Name:      Support,
			Value:     outside.value,
			Tolerance: 0,
			Verdict:   check.Fault,
			Where:     outside.text,
		}, outside.y)
	}
	if wrong == 0 && rounded.value >= 0 {
		o.addFinding(check.Finding{
			Name:      Distance,
			Value:     rounded.value,
			Tolerance: tolerance,
			Verdict:   check.Open,
			Where:     rounded.text,
		}, rounded.y)
		return nil
	}
	if wrong == 0 {
		o.addFinding(check.Finding{Name: Distance, Value: 0, Tolerance: tolerance, Verdict: check.Pass}, -1)
		return nil
	}
	o.faulty = laws
	text := fmt.Sprintf("%s; wrong for %d of %s, with a mean total variation of %.3g", far.text, wrong,
		selector.Count(len(o.Data), "data set"), mean)
	if outside.value <= 0 {
		text += named("; the draws are those of ", o.explain(logs))
	}
	o.addFinding(check.Finding{
		Name:      Distance,
		Value:     far.value,
		Tolerance: tolerance,
		Verdict:   check.Fault,
		Where:     text,
	}, far.y)
	return nil
}

// single is the largest part of a log density that single precision loses.
const single = 8 * 0x1p-24

// areSingle reports whether all numbers have single precision.
func areSingle(logs [][]float64) bool {
	return !slices.ContainsFunc(logs, func(row []float64) bool {
		return slices.ContainsFunc(row, func(v float64) bool { return float64(float32(v)) != v })
	})
}

// density compares a log joint density with that of prior and simulator, up to a constant.
func (o *Outcome) density(ctx context.Context, _ Options, progress func(int)) error {
	logs := make([][]float64, len(o.Data))
	exact := make([][]float64, len(o.Data))
	shift := 0.0
	have := false
	support := newWorst() // pairs for which exactly one of the two densities is 0
	differ := 0
	for y, data := range o.Data {
		exact[y], logs[y] = o.logJoint(y), make([]float64, len(o.Parameters))
		for x, theta := range o.Parameters {
			request := map[string]any{asksJoint: theta, "data": data}
			if !o.possible(y, x) {
				request["impossible"] = true
			}
			v, err := o.askNumber(ctx, "log_joint at "+theta, request)
			if err != nil {
				return err
			}
			logs[y][x] = v
			if !have && o.possible(y, x) && !math.IsInf(v, -1) {
				shift = v - exact[y][x]
				have = true
			}
			progress(1)
		}
	}
	for y := range o.Data {
		for x, theta := range o.Parameters {
			v := logs[y][x]
			possible := o.possible(y, x)
			if math.IsInf(v, -1) != possible ||
				!possible && o.program.Cut() && math.Exp(v-shift) <= remainderMost {
				continue
			}
			differ++
			text := fmt.Sprintf(
				"log_joint at %s must be -inf, and it is %.9g: prior and simulator never make these together",
				theta,
				v,
			)
			if possible {
				text = fmt.Sprintf("log_joint at %s is -inf, and by prior and simulator it is %.9g", theta, exact[y][x])
			}
			support.keepWorst(1, y, x, text)
		}
	}
	byData := newWorst()
	all := newWorst()
	for y := range o.Data {
		own := math.NaN()
		for x := range exact[y] {
			if math.IsInf(exact[y][x], -1) || math.IsInf(logs[y][x], -1) {
				continue
			}
			off := logs[y][x] - exact[y][x]
			if math.IsNaN(own) {
				own = off
			}
			scale := 1 + math.Abs(exact[y][x])
			byData.keepWorst(math.Abs(off-own)/scale, y, x, fmt.Sprintf(
				"at %s it is %.9g above what prior and simulator give, and %.9g at another parameter",
				o.Parameters[x],
				off,
				own,
			))
			all.keepWorst(math.Abs(off-shift)/scale, y, x, "")
		}
	}
	if differ > 0 {
		o.addFinding(check.Finding{
			Name:      Support,
			Value:     float64(differ),
			Tolerance: 0,
			Verdict:   check.Fault,
			Where:     fmt.Sprintf("%s; wrong for %s", support.text, selector.Count(differ, "pair")),
		}, support.y)
	}
	if byData.y < 0 {
		return nil // no pair has two densities
	}
	f := check.Held(LogJoint, byData.value, tolerance, byData.text)
	switch {
	case f.Verdict == check.Fault && byData.value <= single && areSingle(logs):
		f.Where += ", which is the rounding of single precision: compute in double precision (float64)"
	case f.Verdict == check.Fault:
		f.Where += named(": it is that of ", o.explain(logs))
	case all.value > tolerance:
		f.Verdict = check.Note
		f.Where =
			"it is right up to a number that depends on the data: right for samplers, and wrong for log Z"
	default:
		f.Where = fmt.Sprintf("up to the constant %.6g", shift)
	}
	o.addFinding(f, byData.y)
	return nil
}
