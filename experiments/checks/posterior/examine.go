package posterior

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/kernel"
	"breadboard/experiments/columns"
	"breadboard/experiments/study/check"
)

// Finding is one result about a sampler, with the data that show it most.
type Finding struct {
	check.Finding
	Data string
}

// Columns lists the columns of findings.
func Columns() columns.List {
	list := check.ReasonFirst(check.Columns[Finding](Support, Invariance, Reaches, Distance, LogJoint, Order, LogEvidence))
	data := columns.Of("data", "data", "the data for which the value is farthest from right; empty if they do not matter",
		func(f *Finding) string { return f.Data })
	return append(columns.List{list[0], data}, list[1:]...)
}

// The findings.
const (
	Support     = "support"     // the step or sampler draws what the posterior excludes
	Invariance  = "invariance"  // the step leaves the posterior invariant
	Reaches     = "reaches all" // the step joins all parameters
	Distance    = "distance"    // total variation of the direct sampler from the posterior
	LogJoint    = "log_joint"   // log joint density against prior and simulator
	Order       = "order"       // the answers do not depend on the questions before
	LogEvidence = "log_z"       // mean of the estimates of p(y)
)

// tolerance is how far a flow may be from balance, relative to the state's own probability, and a
// density or a mean from right, relative to itself: far above the rounding of the user's program,
// and far below any fault.
const tolerance = 1e-9

// borrowed is the part of the probability of other states that may be missing in an entry which a
// program has found by subtraction from one.
const borrowed = 0x1p-49

// askedAgain is about how many requests are asked again, in another order.
const askedAgain = 500

// Outcome is the result of Examine.
type Outcome struct {
	*Model
	Findings []Finding
	Tests    []Test  // the power of other tests against a fault
	Untested string  // the reason why there are none
	faulty   sampler // the last sampler that is wrong; nil if none is
	steps    [][][]chains.Entry
}

// Options are the options of Examine.
type Options struct {
	Strict bool // whether a step that does not join all parameters is wrong
	Draws  int  // L, the draws of a rank in SBC
	Moves  int  // of a chain before its end is a draw
	Runs   int  // of the tests whose power is computed
	Alpha  float64
}

// Examine tests everything that the program answers, and computes the power of other tests against
// a fault. It calls progress with numbers of finished requests.
func (m *Model) Examine(ctx context.Context, o Options, progress func(int)) (*Outcome, error) {
	out := &Outcome{Model: m}
	m.every = 1 + m.Requests()/askedAgain
	for _, part := range []struct {
		request string
		test    func(context.Context, Options, func(int)) error
	}{{asksStep, out.step}, {asksDirect, out.direct}, {asksJoint, out.density}, {asksEstimate, out.estimates}} {
		if !m.Has(part.request) {
			continue
		}
		if err := part.test(ctx, o, progress); err != nil {
			return nil, err
		}
	}
	differs, err := m.repeat(ctx)
	if err != nil {
		return nil, err
	}
	if differs != "" {
		out.Findings = append(out.Findings, Finding{Finding: check.Finding{Name: Order, Value: 1, Tolerance: 0, Verdict: check.Fault, Where: differs}})
	}
	if out.faulty != nil {
		return out, out.seen(ctx, o)
	}
	return out, nil
}

// Requests returns how many requests Examine makes.
func (m *Model) Requests() (n int) {
	for y := range m.Data {
		for x := range m.Parameters {
			if m.Has(asksStep) && m.possible(y, x) {
				n++
			}
			if m.Has(asksJoint) {
				n++
			}
		}
		for _, request := range []string{asksDirect, asksEstimate} {
			if m.Has(request) {
				n++
			}
		}
	}
	return n
}

// Limits describes what a pass leaves open.
func (o *Outcome) Limits() (text string) {
	if o.Some {
		text += ", for the data that were given"
	}
	for _, f := range o.Findings {
		if f.Name == Reaches && f.Verdict == check.Note {
			text += "; but the step alone does not join all parameters"
		}
	}
	return text
}

func (o *Outcome) add(f check.Finding, y int) {
	data := ""
	if y >= 0 {
		data = o.Data[y]
	}
	if f.Verdict == check.Fault {
		f.Where = "data " + data + ": " + f.Where
	}
	o.Findings = append(o.Findings, Finding{f, data})
}

// worst is the largest of values, with where it is.
type worst struct {
	value float64
	y, x  int
	text  string
}

func newWorst() worst { return worst{value: -1, y: -1} }

func (w *worst) take(value float64, y, x int, text string) {
	if value > w.value || math.IsNaN(value) {
		*w = worst{value, y, x, text}
	}
}

// step examines the rows of a Markov step for all data.
func (o *Outcome) step(ctx context.Context, ask Options, progress func(int)) error {
	place, outside, apart := o.places(), newWorst(), newWorst()
	flow := flows{fault: newWorst(), open: newWorst()}
	tail := newWorst() // the largest step to a parameter that may lie in what the program has left out
	for y, data := range o.Data {
		p, rows, lost := o.Posterior(y), make([][]chains.Entry, len(o.Parameters)), 0.0
		leaves := func(x int, q float64, where string) {
			text := fmt.Sprintf("a step from %s goes, with probability %.6g, to a parameter %s", o.Parameters[x], q, where)
			if o.program.Cut() && p[x]*q*o.Evidence[y] <= remainderMost {
				lost += p[x] * q
				tail.take(p[x]*q, y, x, text+", or with a probability that the program has left out: the tail of the prior was not examined")
				return
			}
			outside.take(weight(p[x]*q), y, x, text)
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
		sets := kernel.NewSets(len(p))
		for x := range p {
			if o.possible(y, x) {
				sets.Add(x)
				for _, e := range rows[x] {
					if e.P > 0 && o.possible(y, e.To) {
						sets.Add(e.To)
						sets.Join(x, e.To)
					}
				}
			}
		}
		apart.take(float64(sets.Count()), y, 0, "")
	}
	if outside.value > 0 {
		o.add(check.Finding{Name: Support, Value: outside.value, Tolerance: 0, Verdict: check.Fault, Where: outside.text}, outside.y)
	}
	if tail.value >= 0 {
		o.add(check.Finding{Name: Support, Value: tail.value, Tolerance: remainderMost, Verdict: check.Note, Where: tail.text}, tail.y)
	}
	if o.invariance(ctx, flow, outside.value > 0); flow.wrong > 0 || outside.value > 0 {
		o.faulty = ends{o, ask.Moves}
	}
	f := check.Finding{Name: Reaches, Value: apart.value, Tolerance: 1, Verdict: check.Pass}
	if apart.value > 1 {
		f.Verdict, f.Where = check.Note, fmt.Sprintf("the parameters are in %.0f sets that no step joins: a chain stays in the set where it starts", apart.value)
		if ask.Strict {
			f.Verdict = check.Fault
		}
	}
	o.add(f, apart.y)
	return nil
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
	into, lent := make([]float64, len(p)), make([]float64, len(p))
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
			found.open.take(0, y, x, fmt.Sprintf("a draw of the posterior is %s with a probability below %.3g, which floating point cannot hold", o.Parameters[x], math.SmallestNonzeroFloat64))
		}
		if p[x] == 0 || off <= tolerance*p[x]+lost*(1+tolerance) {
			continue
		}
		kind := &found.open
		if off > tolerance*p[x]+borrowed*lent[x] {
			kind, wrong = &found.fault, true
		}
		kind.take(o.Evidence[y]*off, y, x, fmt.Sprintf(
			"a draw of the posterior is %s with probability %.9g, and after a step with %.9g", o.Parameters[x], p[x], into[x]))
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
		f.Value, f.Verdict = found.relative, check.Fault
		f.Where = fmt.Sprintf("%s; wrong for %d of %s", found.fault.text, found.wrong, selector.Count(len(o.Data), "data set"))
		if !outside {
			f.Where += o.instead(ctx, found.fault.y)
		}
	case found.open.value >= 0:
		f.Value, f.Verdict, f.Where = found.relative, check.Open, found.open.text+"; the rounding of the step may explain it, or a fault"
	case outside:
		f.Verdict, f.Where = check.Note, "of the parameters that the posterior allows, none is wrong"
	}
	at := found.open.y
	if found.wrong > 0 {
		at = found.fault.y
	}
	o.add(f, at)
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
	return fmt.Sprintf("; for these data it leaves another distribution invariant, at a total variation of %.3g", distance) + named(": ", o.explain(logs))
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

// direct compares a direct sampler with the posterior of all data.
func (o *Outcome) direct(ctx context.Context, _ Options, progress func(int)) error {
	place, outside, far, wrong, mean := o.places(), newWorst(), newWorst(), 0, 0.0
	rounded := newWorst() // what the rounding of cumulative weights may explain
	logs, laws := make([][]float64, len(o.Data)), make(laws, len(o.Data))
	for y, data := range o.Data {
		row, strange, err := o.row(ctx, place, "a draw given "+data, map[string]any{asksDirect: data})
		if err != nil {
			return err
		}
		for text, q := range strange {
			outside.take(weight(o.Evidence[y]*q), y, 0, fmt.Sprintf("given these data it draws, with probability %.6g, a value %s%s", q, o.never(), text))
		}
		p, q, tv := o.Posterior(y), make([]float64, len(o.Parameters)), 0.0
		for _, e := range row {
			q[e.To] += e.P
		}
		x := 0
		for k := range p {
			off := math.Abs(q[k] - p[k])
			switch small := tolerance * max(p[k], q[k]); {
			case off <= small:
			case off <= small+borrowed && q[k] < p[k]:
				rounded.take(off, y, k, fmt.Sprintf("%s is drawn with probability %.9g instead of %.9g; the rounding of the sampler may explain it, or a fault", o.Parameters[k], q[k], p[k]))
			default:
				tv += off / 2
				if off > math.Abs(q[x]-p[x]) {
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
		far.take(tv, y, x, fmt.Sprintf("%s is drawn with probability %.9g instead of %.9g", o.Parameters[x], q[x], p[x]))
		laws[y] = q
		progress(1)
	}
	if outside.value > 0 {
		o.add(check.Finding{Name: Support, Value: outside.value, Tolerance: 0, Verdict: check.Fault, Where: outside.text}, outside.y)
	}
	if wrong == 0 && rounded.value >= 0 {
		o.add(check.Finding{Name: Distance, Value: rounded.value, Tolerance: tolerance, Verdict: check.Open, Where: rounded.text}, rounded.y)
		return nil
	}
	if wrong == 0 {
		o.add(check.Finding{Name: Distance, Value: 0, Tolerance: tolerance, Verdict: check.Pass}, -1)
		return nil
	}
	o.faulty = laws
	text := fmt.Sprintf("%s; wrong for %d of %s, with a mean total variation of %.3g", far.text, wrong, selector.Count(len(o.Data), "data set"), mean)
	if outside.value <= 0 {
		text += named("; the draws are those of ", o.explain(logs))
	}
	o.add(check.Finding{Name: Distance, Value: far.value, Tolerance: tolerance, Verdict: check.Fault, Where: text}, far.y)
	return nil
}

// density compares a log joint density with that of prior and simulator, up to a constant.
func (o *Outcome) density(ctx context.Context, _ Options, progress func(int)) error {
	logs, exact := make([][]float64, len(o.Data)), make([][]float64, len(o.Data))
	shift, have := 0.0, false
	support := newWorst() // pairs for which exactly one of the two densities is 0
	differ := 0
	for y, data := range o.Data {
		exact[y], logs[y] = o.logJoint(y), make([]float64, len(o.Parameters))
		for x, theta := range o.Parameters {
			request := map[string]any{asksJoint: theta, "data": data}
			if !o.possible(y, x) {
				request["impossible"] = true
			}
			v, err := o.number(ctx, "log_joint at "+theta, request)
			if err != nil {
				return err
			}
			logs[y][x] = v
			if !have && o.possible(y, x) && !math.IsInf(v, -1) {
				shift, have = v-exact[y][x], true
			}
			progress(1)
		}
	}
	for y := range o.Data {
		for x, theta := range o.Parameters {
			v, possible := logs[y][x], o.possible(y, x)
			if math.IsInf(v, -1) != possible || !possible && o.program.Cut() && math.Exp(v-shift) <= remainderMost {
				continue
			}
			differ++
			text := fmt.Sprintf("log_joint at %s must be -inf, and it is %.9g: prior and simulator never make these together", theta, v)
			if possible {
				text = fmt.Sprintf("log_joint at %s is -inf, and by prior and simulator it is %.9g", theta, exact[y][x])
			}
			support.take(1, y, x, text)
		}
	}
	byData, all := newWorst(), newWorst()
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
			byData.take(math.Abs(off-own)/scale, y, x, fmt.Sprintf("at %s it is %.9g above what prior and simulator give, and %.9g at another parameter", o.Parameters[x], off, own))
			all.take(math.Abs(off-shift)/scale, y, x, "")
		}
	}
	if differ > 0 {
		o.add(check.Finding{Name: Support, Value: float64(differ), Tolerance: 0, Verdict: check.Fault, Where: fmt.Sprintf(
			"%s; wrong for %s", support.text, selector.Count(differ, "pair"))}, support.y)
	}
	if byData.y < 0 {
		return nil // no pair has two densities
	}
	f := check.Held(LogJoint, byData.value, tolerance, byData.text)
	switch {
	case f.Verdict == check.Fault:
		f.Where += named(": it is that of ", o.explain(logs))
	case all.value > tolerance:
		f.Verdict, f.Where = check.Note, "it is right up to a number that depends on the data: right for samplers, and wrong for log Z"
	default:
		f.Where = fmt.Sprintf("up to the constant %.6g", shift)
	}
	o.add(f, byData.y)
	return nil
}

// estimates compares the mean of estimates of p(y) with it.
func (o *Outcome) estimates(ctx context.Context, _ Options, progress func(int)) error {
	far, open := newWorst(), newWorst()
	for y, data := range o.Data {
		found, err := o.law(ctx, "log_z given "+data, map[string]any{asksEstimate: data})
		if err != nil {
			return err
		}
		mean, most, log := 0.0, 0.0, o.LogZ[y]
		for _, out := range found.Outcomes() {
			v, err := parse(out.Value)
			if err != nil {
				return fmt.Errorf("log_z given %s: %w", data, err)
			}
			mean += out.P * math.Exp(v-log)
			most = max(most, math.Exp(v-log))
		}
		if left := found.Cut + found.Left; left > 0 && !(left*most <= tolerance*mean) {
			open.take(left, y, 0, fmt.Sprintf("the mean of exp(log_z) is not known, since estimates of probability %.3g were not explored; that of the explored ones is %.9g p(y)", left, mean))
			progress(1)
			continue
		}
		far.take(math.Abs(mean-1), y, 0, fmt.Sprintf("the mean of exp(log_z) is %.9g p(y)", mean))
		progress(1)
	}
	if open.value > 0 {
		o.add(check.Finding{Name: LogEvidence, Value: open.value, Tolerance: tolerance, Verdict: check.Open, Where: open.text}, open.y)
	}
	if far.y < 0 {
		return nil
	}
	f := check.Held(LogEvidence, far.value, tolerance, far.text)
	o.add(f, far.y)
	return nil
}

// number returns the answer to a request that is one number, always the same.
func (o *Outcome) number(ctx context.Context, what string, request map[string]any) (float64, error) {
	found, err := o.law(ctx, what, request)
	if err != nil {
		return 0, err
	}
	if len(found.Outcomes()) != 1 {
		return 0, fmt.Errorf("%s: it has %d values; it may not be random", what, len(found.Outcomes()))
	}
	v, err := parse(found.Outcomes()[0].Value)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	return v, nil
}

func parse(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 1) {
		return 0, fmt.Errorf("%q is no log density; write a number below infinity", text)
	}
	return v, nil
}
