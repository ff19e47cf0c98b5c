package posterior

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/kernel"
	"breadboard/reports/check"
)

// examineStep examines the rows of a Markov step for all data.
func (o *Outcome) examineStep(ctx context.Context, ask Options, progress func(int)) error {
	place := o.places()
	outside := newWorst()
	apart := newWorst()
	flow := flows{fault: newWorst(), open: newWorst()}
	tail := newWorst() // the largest step to a parameter that may lie in what the program has left out
	for y, data := range o.Data {
		p := o.Posterior(y)
		rows := make([][]chains.Entry, len(o.Parameters))
		lost := 0.0
		leaves := func(x int, q float64, where string) {
			text := fmt.Sprintf("a step from %s goes, with probability %.6g, to a parameter %s",
				o.Parameters[x], q, where)
			if o.program.Cut() && p[x]*q*o.Evidence[y] <= remainderMost {
				lost += p[x] * q
				tail.keepWorst(p[x]*q, y, x, text+
					", or with a probability that the program has left out: the tail of the prior was not examined")
				return
			}
			outside.keepWorst(weight(p[x]*q), y, x, text)
		}
		for x, theta := range o.Parameters {
			rows[x] = []chains.Entry{{To: x, P: 1}}
			if !o.possible(y, x) {
				continue
			}
			row, strange, err := o.row(ctx, place, "a step from "+theta, map[string]any{asksStep: theta, "data": data})
			if err != nil {
				return err
			}
			for text, q := range strange {
				leaves(x, q, o.never()+text)
			}
			for _, e := range row {
				if !o.possible(y, e.To) {
					leaves(x, e.P, "which has probability zero given these data: "+o.Parameters[e.To])
				}
			}
			rows[x] = row
			progress(1)
		}
		o.steps = append(o.steps, rows)
		o.balance(y, p, rows, lost, &flow)
		apart.keepWorst(float64(o.countSets(y, rows)), y, 0, "")
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
	if tail.value >= 0 {
		o.addFinding(check.Finding{
			Name:      Support,
			Value:     tail.value,
			Tolerance: remainderMost,
			Verdict:   check.Note,
			Where:     tail.text,
		}, tail.y)
	}
	o.invariance(ctx, flow, outside.value > 0)
	if flow.wrong > 0 || outside.value > 0 {
		o.faulty = ends{o, ask.Moves}
	}
	f := check.Finding{Name: Reaches, Value: apart.value, Tolerance: 1, Verdict: check.Pass}
	if apart.value > 1 {
		f.Verdict, f.Where = check.Note, fmt.Sprintf(
			"the parameters are in %.0f sets that no step joins: a chain stays in the set where it starts",
			apart.value,
		)
		if ask.Strict {
			f.Verdict = check.Fault
		}
	}
	o.addFinding(f, apart.y)
	return nil
}

// countSets returns into how many sets the parameters that are possible given data y fall, if those
// that a step joins are in one.
func (o *Outcome) countSets(y int, rows [][]chains.Entry) int {
	sets := kernel.NewSets(len(rows))
	for x, row := range rows {
		if !o.possible(y, x) {
			continue
		}
		sets.Add(x)
		for _, e := range row {
			if e.P > 0 && o.possible(y, e.To) {
				sets.Add(e.To)
				sets.Join(x, e.To)
			}
		}
	}
	return sets.Count()
}

// never describes a value that the prior has not drawn, in front of the value.
func (m *Model) never() string {
	if m.program.Cut() {
		return "which the prior does not draw with a probability above those that the program has left out: "
	}
	return "which the prior never draws: "
}

// weight is a probability that orders findings: one that underflows is still a finding.
func weight(p float64) float64 { return max(p, math.SmallestNonzeroFloat64) }

// flows are what is wrong with the flows into parameters.
type flows struct {
	fault, open worst // by the joint probability that is gained or lost; open is what rounding may explain
	wrong       int   // the data sets with a fault
	relative    float64
}

// balance compares the flow into each parameter with its probability. As much as is lost to what
// was not examined may come back from there.
func (o *Outcome) balance(y int, p []float64, rows [][]chains.Entry, lost float64, found *flows) {
	into := make([]float64, len(p))
	lent := make([]float64, len(p))
	for x, row := range rows {
		for _, e := range row {
			if p[x] > 0 {
				into[e.To] += p[x] * e.P
				if e.To != x {
					lent[e.To] += p[x]
				}
			}
		}
	}
	wrong := false
	for x := range p {
		off := math.Abs(into[x] - p[x])
		if p[x] == 0 && o.possible(y, x) {
			found.open.keepWorst(0, y, x, fmt.Sprintf(
				"a draw of the posterior is %s with a probability below %.3g, which floating point cannot hold",
				o.Parameters[x],
				math.SmallestNonzeroFloat64,
			))
		}
		if p[x] == 0 || off <= tolerance*p[x]+lost*(1+tolerance) {
			continue
		}
		kind := &found.open
		if off > tolerance*p[x]+missingPart*lent[x] {
			kind = &found.fault
			wrong = true
		}
		kind.keepWorst(o.Evidence[y]*off, y, x, fmt.Sprintf(
			"a draw of the posterior is %s with probability %.9g, and after a step with %.9g",
			o.Parameters[x],
			p[x],
			into[x],
		))
		if kind.x == x && kind.y == y {
			found.relative = off / p[x]
		}
	}
	if wrong {
		found.wrong++
	}
}

// invariance adds the finding about the flows of all data, with the distribution that the step
// leaves invariant instead.
func (o *Outcome) invariance(ctx context.Context, found flows, outside bool) {
	f := check.Finding{Name: Invariance, Value: 0, Tolerance: tolerance, Verdict: check.Pass}
	switch {
	case found.wrong > 0:
		f.Value = found.relative
		f.Verdict = check.Fault
		f.Where = fmt.Sprintf("%s; wrong for %d of %s",
			found.fault.text, found.wrong, selector.Count(len(o.Data), "data set"))
		if !outside {
			f.Where += o.instead(ctx, found.fault.y)
		}
	case found.open.value >= 0:
		f.Value = found.relative
		f.Verdict = check.Open
		f.Where = found.open.text + "; the rounding of the step may explain it, or a fault"
	case outside:
		f.Verdict = check.Note
		f.Where = "of the parameters that the posterior allows, none is wrong"
	}
	at := found.open.y
	if found.wrong > 0 {
		at = found.fault.y
	}
	o.addFinding(f, at)
}

// instead says which distributions the step leaves invariant in place of the posteriors.
func (o *Outcome) instead(ctx context.Context, worst int) string {
	logs := make([][]float64, len(o.Data))
	distance := 0.0
	for y := range o.Data {
		pi, err := o.stationary(ctx, y)
		if err != nil {
			if y == worst {
				return "; " + err.Error()
			}
			return ""
		}
		p := o.Posterior(y)
		logs[y] = make([]float64, len(pi))
		for x := range pi {
			logs[y][x] = number.Log(pi[x])
			if y == worst {
				distance += math.Abs(pi[x]-p[x]) / 2
			}
		}
	}
	return fmt.Sprintf("; for these data it leaves another distribution invariant, at a total variation of %.3g",
		distance) +
		named(": ", o.explain(logs))
}

// named puts a cause behind what it explains.
func named(lead, cause string) string {
	if cause == "" {
		return "; none of the known mistakes explains it"
	}
	return lead + cause
}

// stationary returns the distribution that the step leaves invariant.
func (o *Outcome) stationary(ctx context.Context, y int) ([]float64, error) {
	logf := o.logJoint(y)
	rows, err := kernel.NewRows(ctx, fixed(o.steps[y]), logf)
	if err != nil {
		return nil, err
	}
	d, err := kernel.ForVariances(ctx, rows, logf)
	if err != nil {
		return nil, err
	}
	return d.Stationary(ctx)
}

// fixed is a kernel of known rows.
type fixed [][]chains.Entry

// Move implements chains.Kernel.
func (f fixed) Move(c chains.Chooser, _ []float64, x int) int {
	p := make([]float64, len(f[x]))
	for i, e := range f[x] {
		p[i] = e.P
	}
	return f[x][c.Choose(p)].To
}

// AppendRow implements chains.Rower.
func (f fixed) AppendRow(dst []chains.Entry, _ []float64, x int) []chains.Entry {
	return append(dst, f[x]...)
}
