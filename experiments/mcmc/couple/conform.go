package couple

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/sorts"
	"breadboard/exact/meeting"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/checks/eprocess"
	"breadboard/experiments/checks/external"
	"breadboard/experiments/data/samples/files"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study/check"
)

// Run says how somebody's coupled chains were made.
type Run struct {
	Problem  samplers.Problem // one start, and one function for estimates
	Coupling string           // one of CouplingNames, Rejection or exec:COMMAND
	Programs *external.Programs
	Lag      int
	K, M     int     // of the estimates; M of the cost too
	T        int     // the number of moves of which the bound is
	Alpha    float64 // the probability of a false alarm among all columns
}

// runColumns names the columns that can be tested.
func runColumns() []string { return []string{"tau", "cost", "bound", "estimate"} }

// Conform tests what somebody's coupled chains have given, in a row a pair of chains, against the exact laws of the columns that are there. Where
// one has another law it says as which known mistake it is. Rows are taken to be independent of one another.
func Conform(ctx context.Context, r Run, cells *files.Cells) ([]Finding, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	meets, err := r.law(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Problem.Name(), err)
	}
	others, err := r.others(ctx)
	if err != nil {
		return nil, err
	}
	untried := ""
	if r.tooMany() {
		untried = fmt.Sprintf("; whether the chains were moved by another coupling was not tried, as that takes long with more than %d pairs of states", meeting.MaxSolved)
	}
	var columns []*column
	for _, name := range runColumns() {
		if at := slices.Index(cells.Names(), name); at >= 0 {
			c, err := r.column(ctx, meets, others, name)
			if err != nil {
				return nil, fmt.Errorf("%s, column %s: %w", r.Problem.Name(), name, err)
			}
			c.at, c.untried = at, untried
			columns = append(columns, c)
		}
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("%s: it has none of the columns %s", cells.Name(), strings.Join(runColumns(), ", "))
	}
	rows, err := read(ctx, cells, columns)
	if err != nil {
		return nil, err
	}
	var out []Finding
	for _, c := range columns {
		for _, f := range c.findings(rows, number.Log(float64(len(columns))/r.Alpha)) {
			out = append(out, Finding{r.Problem.Toy.Name, "column " + c.name, f})
		}
	}
	return out, nil
}

func (r *Run) validate() error {
	switch {
	case r.Lag < 1:
		return chains.NewAdvice("{lag} %d; a lag is 1 or more", r.Lag)
	case r.K < 0 || r.K > r.M:
		return chains.NewAdvice("{k} %d and m = %d; give 0 <= k <= m", r.K, r.M)
	case r.T < 0:
		return fmt.Errorf("t = %d; give a number of moves of 0 or more", r.T)
	}
	return check.ValidateAlpha(r.Alpha)
}

// meetings is what is known of the chains of a run.
type meetings struct {
	solved *meeting.Solved
	*meeting.Law
}

// law solves the coupling of the run.
func (r *Run) law(ctx context.Context) (m meetings, err error) {
	p := &r.Problem
	if _, program := external.CommandOf(r.Coupling); !program {
		name := r.Coupling
		if name == Rejection {
			name = "rows" // which has the same law
		}
		if err = knownCouplings([]string{name}, true); err == nil {
			m.solved, err = solve(ctx, p, name)
		}
	} else {
		m.solved, err = r.ofProgram(ctx)
	}
	if err == nil {
		m.Law, err = m.solved.Meet(ctx, p.Starts[0].Law, r.Lag)
	}
	return m, err
}

// other is a coupling by which chains may have been moved in place of the right one.
type other struct {
	name string
	meetings
}

// says is what was done wrong, after "as if".
func (o *other) says() string { return "the chains were moved by the coupling " + o.name }

// tooMany reports whether there are so many pairs of states that the meetings of other couplings are not solved for.
func (r *Run) tooMany() bool {
	n := r.Problem.Chain.States()
	return n*(n-1)/2 > meeting.MaxSolved
}

// others solves all other couplings of the library that the kernel has, where that takes little time. It leaves out those whose chains may never
// meet, which give no rows.
func (r *Run) others(ctx context.Context) (all []other, err error) {
	p := &r.Problem
	if r.tooMany() {
		return nil, nil
	}
	for _, name := range CouplingNames() {
		if name == r.Coupling {
			continue
		}
		o := other{name: name}
		if o.solved, err = solve(ctx, p, name); err == nil {
			o.Law, err = o.solved.Meet(ctx, p.Starts[0].Law, r.Lag)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil && !math.IsInf(o.Mean, 1):
			all = append(all, o)
		}
	}
	return all, nil
}

// ofProgram solves the coupling of a program.
func (r *Run) ofProgram(ctx context.Context) (*meeting.Solved, error) {
	c, err := couplingOf(r.Coupling, r.Programs, r.Problem.Moves, r.Problem.Toy)
	if err != nil {
		return nil, err
	}
	if p, is := c.(*external.Program); is && p.Samples() {
		return nil, errors.New("the program of the coupling makes its own choices, so that no law of it is known; have it ask for them (mode choose)")
	}
	pairs, err := meeting.New(ctx, c, r.Problem.Chain)
	if err != nil {
		return nil, fmt.Errorf("coupling %s: %w (breadboard couple check says more)", r.Coupling, err)
	}
	return pairs.Solve(ctx)
}

// column is a column with its laws, and what was read of it.
type column struct {
	name  string
	at    int  // its place in a row
	whole bool // whether it has whole numbers
	tally
	right    law
	mistakes []law    // those that are another law
	unseen   []string // what is done wrong in those that have the law of the right one
	mean, sd float64
	atoms    []atom // of the right law of whole numbers

	sum, largest float64 // of what was read
	untried      string  // that other couplings were not tried, and why; empty where they were
}

// cut adds that whole numbers were cut off at the largest that was read, which is a bound that the law does not have.
func (c *column) cut() {
	counts, whole := c.tally.(*counts)
	if !whole {
		return
	}
	atoms := slices.Clone(c.atoms)
	for i := range atoms {
		atoms[i].value = min(atoms[i].value, c.largest)
	}
	l := counts.law(fmt.Sprintf("all was stopped at %v, the largest value of the column", c.largest), atoms)
	l.prior = -number.Log(float64(len(atoms))) // it was chosen among as many by the rows themselves
	if !l.same(c.right) {
		c.mistake(l)
	}
}

// vanishing is the probability of longer meeting times below which these are left out of a law.
const vanishing = 1e-13

// times returns the law of tau, counted from when the first chain begins, where it makes lead moves alone, and whether it is cut off where hardly
// any chains are left that have not met.
func (m meetings) times(ctx context.Context, start []float64, lead int) (atoms []atom, cutOff bool, err error) {
	survival, err := m.solved.Survival(ctx, start, lead, vanishing)
	before := 1.0
	for s, apart := range survival {
		atoms, before = append(atoms, atom{float64(lead + s), before - apart}), apart
	}
	return atoms, before > 0, err
}

// column returns the laws of a column.
func (r *Run) column(ctx context.Context, m meetings, others []other, name string) (*column, error) {
	if name == "estimate" {
		return r.estimates(ctx, m, others)
	}
	tau, cutOff, err := m.times(ctx, r.Problem.Starts[0].Law, r.Lag)
	if err != nil {
		return nil, err
	}
	together, _, err := m.times(ctx, r.Problem.Starts[0].Law, 0)
	if err != nil {
		return nil, err
	}
	ways := r.ways(name)
	of := func(tau []atom, value func(tau float64) float64) []atom {
		out := make([]atom, len(tau))
		for i, a := range tau {
			out[i] = atom{value(a.value), a.p}
		}
		return out
	}
	right := of(tau, ways[0].value)
	counts := newCounts(right, cutOff)
	c := &column{name: name, whole: true, tally: counts, right: counts.law("", right), atoms: right, largest: math.Inf(-1)}
	for _, a := range right {
		c.mean += a.p * a.value
	}
	for _, a := range right {
		c.sd += a.p * (a.value - c.mean) * (a.value - c.mean)
	}
	c.sd = math.Sqrt(c.sd)
	for _, w := range ways[1:] {
		c.mistake(counts.law(w.says, of(tau, w.value)))
	}
	c.mistake(counts.law("both chains began to move at time 0, and none was ahead by the lag", of(together, ways[0].value)))
	for _, o := range others {
		tau, _, err := o.times(ctx, r.Problem.Starts[0].Law, r.Lag)
		if err != nil {
			return nil, err
		}
		c.mistake(counts.law(o.says(), of(tau, ways[0].value)))
	}
	return c, nil
}

// mistake adds a known mistake. One that has the right law cannot be seen, and one that has the law of another goes by both names.
func (c *column) mistake(l law) {
	if l.same(c.right) {
		c.unseen = append(c.unseen, l.says)
		return
	}
	if i := slices.IndexFunc(c.mistakes, l.same); i >= 0 {
		c.mistakes[i].says += ", or " + l.says
		return
	}
	c.mistakes = append(c.mistakes, l)
}

// way is how a column is made of the meeting time.
type way struct {
	says  string
	value func(tau float64) float64
}

// ways lists how a column may be made of the meeting time, the right one first.
func (r *Run) ways(name string) []way {
	lag, m, t := float64(r.Lag), float64(r.M), float64(r.T)
	const overlooked = "chains that are at one state when both begin to move were not noticed (t > L in place of t >= L)"
	cost := func(tau float64) float64 { return lag + 2*(tau-lag) + max(0, m-tau) }
	switch name {
	case "cost":
		return []way{
			{"", cost},
			{overlooked, func(tau float64) float64 { return cost(max(tau, lag+1)) }},
			{"the moves that the first chain makes alone at the beginning were left out", func(tau float64) float64 { return 2*(tau-lag) + max(0, m-tau) }},
			{"a move of both chains counted as one", func(tau float64) float64 { return max(tau, m) }},
			{"the moves from the meeting up to m were left out", func(tau float64) float64 { return lag + 2*(tau-lag) }},
		}
	case "bound":
		return []way{
			{"", func(tau float64) float64 { return max(0, math.Ceil((tau-lag-t)/lag)) }},
			{overlooked, func(tau float64) float64 { return max(0, math.Ceil((max(tau, lag+1)-lag-t)/lag)) }},
			{"the quotient was rounded down, and not up", func(tau float64) float64 { return max(0, math.Floor((tau-lag-t)/lag)) }},
			{"the lag was subtracted twice, as where tau is counted from when the second chain begins", func(tau float64) float64 { return max(0, math.Ceil((tau-2*lag-t)/lag)) }},
			{"the lag was not subtracted", func(tau float64) float64 { return max(0, math.Ceil((tau-t)/lag)) }},
			{"the quotient was not cut off at zero", func(tau float64) float64 { return math.Ceil((tau - lag - t) / lag) }},
			{"it was not divided by the lag", func(tau float64) float64 { return max(0, tau-lag-t) }},
		}
	}
	return []way{
		{"", func(tau float64) float64 { return tau }},
		{"it was counted from when the second chain begins", func(tau float64) float64 { return tau - lag }},
		{overlooked, func(tau float64) float64 { return max(tau, lag+1) }},
		{"it was one too many", func(tau float64) float64 { return tau + 1 }},
		{"it was one too few", func(tau float64) float64 { return tau - 1 }},
		{"the lag was added once more", func(tau float64) float64 { return tau + lag }},
	}
}

func (r *Run) estimates(ctx context.Context, m meetings, others []other) (*column, error) {
	f := r.Problem.Functions[0]
	if !f.Whole() {
		return nil, fmt.Errorf("function %s is a vector, and the estimator is of a number; give one of its parts", f.Name)
	}
	h := f.Parts[0]
	_, variance, err := m.VariantMoments(ctx, h, r.K, r.M, meeting.Variant{})
	if err != nil {
		return nil, err
	}
	w := newWaves(h, variance)
	c := &column{name: "estimate", tally: w, mean: h.Mean, sd: h.SD * math.Sqrt(variance)}
	if c.right, err = w.law(ctx, m.Law, h, r.K, r.M, "", meeting.Variant{}, 1); err != nil {
		return nil, err
	}
	count := float64(r.M - r.K + 1)
	v := func(t int) float64 { return meeting.Weight(t, r.K, r.M, r.Lag) }
	mistakes := []struct {
		says string
		meeting.Variant
		factor float64
	}{
		{"the correction was left out", meeting.Variant{Weight: func(int) float64 { return 0 }}, 1},
		{"both chains began to move at time 0, and none was ahead by the lag", meeting.Variant{Together: true}, 1},
		{"the correction began at time k, and not at k + L", meeting.Variant{Weight: func(t int) float64 {
			if t >= r.K && t < r.K+r.Lag {
				return 1
			}
			return v(t)
		}}, 1},
		{"v_t lacked the max(1, .)", meeting.Variant{Weight: func(t int) float64 {
			if t < r.K+r.Lag {
				return 0
			}
			return max(0, math.Floor(float64(t-r.K)/float64(r.Lag))-math.Ceil(float64(t-r.M)/float64(r.Lag))+1)
		}}, 1},
		{"each difference counted in full, without dividing v_t by m - k + 1", meeting.Variant{Weight: func(t int) float64 { return count * v(t) }}, 1},
		{"all was stopped at time m, although the chains had not met", meeting.Variant{Until: max(1, r.M)}, 1},
		{"the sign of the correction was turned", meeting.Variant{Weight: func(t int) float64 { return -v(t) }}, 1},
		{"it was divided by m - k, and not by m - k + 1", meeting.Variant{}, count / (count - 1)},
	}
	for _, x := range mistakes {
		if math.IsInf(x.factor, 1) {
			continue
		}
		l, err := w.law(ctx, m.Law, h, r.K, r.M, x.says, x.Variant, x.factor)
		if err != nil {
			return nil, err
		}
		c.mistake(l)
	}
	for _, o := range others {
		l, err := w.law(ctx, o.Law, h, r.K, r.M, o.says(), meeting.Variant{}, 1)
		if err != nil {
			return nil, err
		}
		c.mistake(l)
	}
	return c, nil
}

// read has the columns take all rows, and returns how many there are.
func read(ctx context.Context, cells *files.Cells, columns []*column) (rows int, err error) {
	for ; ; rows++ {
		row, err := cells.Next(ctx)
		switch {
		case errors.Is(err, io.EOF) && rows == 0:
			return 0, fmt.Errorf("%s: there are no rows in it", cells.Name())
		case errors.Is(err, io.EOF):
			return rows, nil
		case err != nil:
			return 0, err
		}
		for _, c := range columns {
			cell := strings.TrimSpace(string(row[c.at]))
			v, err := strconv.ParseFloat(cell, 64)
			switch {
			case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
				return 0, cells.Wrong(c.name, files.Quoted(row[c.at]), "write a finite number")
			case c.whole && v != math.Trunc(v):
				return 0, cells.Wrong(c.name, files.Quoted(row[c.at]), "write a whole number")
			}
			c.add(v)
			c.sum, c.largest = c.sum+v, max(c.largest, v)
		}
	}
}

// NotRuledOut begins what is said of a known mistake that may have been made.
const NotRuledOut = "not ruled out: "

// explained says what may explain that a column does not have its law: a known mistake where its posterior odds are eprocess.EnoughLead or more. Of
// estimates no likelihood is known, so that nothing is named: it is said what the rows do not rule out.
func (c *column) explained(open []string) string {
	counts, whole := c.tally.(*counts)
	switch {
	case whole:
		l, lead := counts.named(c.right, c.mistakes)
		if lead.Enough(eprocess.EnoughLead) {
			return fmt.Sprintf("; it is as if %s, with posterior odds of %s against all other known mistakes and the right law together, and of %s against %q", l.says, odds(lead.Others), odds(lead.Unknown), hypotheses.Unknown)
		}
		return fmt.Sprintf("; no known mistake explains it: none has posterior odds of %d or more against all others and against %q; what deviates most: %s", eprocess.EnoughLead, hypotheses.Unknown, counts.where(c.right))
	case len(open) > 0:
		return "; of the known mistakes these rows rule out all but that " + strings.Join(open, ", and that ") + "; it may be none that is known, as no odds are computed of estimates"
	}
	return ", and none of the known mistakes explains it"
}

// odds writes posterior odds, given their logarithm.
func odds(log float64) string {
	switch {
	case math.IsInf(log, 1):
		return "infinity"
	case log > number.Log(1e6):
		return fmt.Sprintf("10^%.0f", math.Floor(log/math.Ln10))
	}
	return fmt.Sprintf("%.3g", math.Exp(log))
}

// findings makes those of a column: whether it has its law, how each known mistake would explain it, and its mean.
func (c *column) findings(rows int, logThreshold float64) []check.Finding {
	type explained struct {
		law
		logE float64
	}
	right := c.logE(c.right)
	if right >= logThreshold {
		c.cut()
	}
	var open []explained
	var notes []check.Finding
	for i, l := range c.mistakes {
		logE := c.logE(l)
		says := "ruled out: " + l.says
		if logE < logThreshold {
			open = append(open, explained{l, logE})
			says = fmt.Sprintf("%s%s; about %.3g rows would tell", NotRuledOut, l.says, c.rows(l, c.right, logThreshold))
		}
		notes = append(notes, note(fmt.Sprintf("mistake_%d", i+1), math.Exp(logE), says))
	}
	looked := fmt.Sprintf("%d rows, by which %d of %d known mistakes that change the law are ruled out", rows, len(c.mistakes)-len(open), len(c.mistakes))
	if len(c.unseen) > 0 && right < logThreshold {
		looked += fmt.Sprintf("; %d others would leave it as it is, and cannot be seen here", len(c.unseen))
		notes = append(notes, note("unseen", math.NaN(), NotRuledOut+strings.Join(c.unseen, "; or ")+": no number of rows would tell, as the law is the same"))
	}
	looked += c.untried
	sorts.Stable(open, func(a, b explained) int { return cmp.Compare(a.logE, b.logE) })
	law := check.EValue("law", right, logThreshold, looked, func() string {
		var says []string
		for _, e := range open {
			says = append(says, e.says)
		}
		return "the column does not have its law" + c.explained(says) + c.untried
	})
	z := (c.sum/float64(rows) - c.mean) / (c.sd / math.Sqrt(float64(rows)))
	mean := note("mean", c.sum/float64(rows), fmt.Sprintf("exactly %.6g, and one row has a standard deviation of %.4g: it is off by %.2g standard errors", c.mean, c.sd, z))
	return slices.Concat([]check.Finding{law, mean}, notes)
}
