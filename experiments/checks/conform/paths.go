package conform

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/kernel"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/draws"
	"breadboard/experiments/verdicts"
)

// maxPathCells bounds the memory for the transitions of all stages, some hundred megabytes.
const maxPathCells = 1 << 24

// paths tests whole paths: the transitions of each stage against exact rows, and increments against
// those that the path determines.
type paths struct {
	direction chains.Direction
	right     *planted.Annealer
	stages    []*transitions // by t - 2
	state     func(x int) string
	rows      int
	wrong     string // the first wrong increment
	wrongs    int

	weighed  bool    // whether there are log weights or increments to compare
	included float64 // the constant that written log weights hold beside the sum of the increments
	// slack and incrementSlack say how far a log weight and an increment that were written may be
	// from what was computed.
	slack, incrementSlack func(v float64) float64
}

// newPaths returns the test of the paths of one direction, and nil with the reason if there are too
// many cells.
func newPaths(ctx context.Context, a *chains.Annealing, d chains.Direction,
	state func(int) string) (*paths, string, error) {
	n := a.States()
	T := a.Distributions()
	if cells := float64(n) * float64(n) * float64(T-1); cells > maxPathCells {
		return nil, fmt.Sprintf(
			"the transitions of %d stages between %d states have more than %d cells and are not tested",
			T-1,
			n,
			maxPathCells,
		), nil
	}
	right, err := planted.AnnealerOf(a, d)
	if err != nil {
		return nil, "", err
	}
	p := &paths{direction: d, right: right, state: state}
	for t := 2; t <= T; t++ {
		rows, err := kernel.NewRows(ctx, right.Kernel(t), right.LogF[t])
		if err != nil {
			return nil, "", fmt.Errorf("stage t = %d: %w", t, err)
		}
		p.stages = append(p.stages, newTransitions(rows, state))
	}
	return p, "", nil
}

// addPaths takes the next paths, with log weights from which the offset has been taken.
func (p *paths) addPaths(b *draws.Batch, logw []float64, offset float64) {
	for t := 2; t < len(p.right.LogF); t++ {
		from, to := b.Path[t-2], b.Path[t-1]
		if p.direction == chains.Reverse {
			from, to = to, from
		}
		p.stages[t-2].countMoves(p.rows, from, to)
	}
	for i := range b.Rows {
		p.compareIncrements(b, logw, offset, i)
	}
	p.rows += b.Rows
}

// compareIncrements compares the increments of one path, and their sum with the log weight. Those
// after an infinite one have no effect and are left out.
func (p *paths) compareIncrements(b *draws.Batch, logw []float64, offset float64, i int) {
	total := 0.0
	for step := 1; step <= p.right.Steps() && !math.IsInf(total, 0); step++ {
		t := p.right.StageAt(step)
		// both directions weigh at x_{t-1}: forward it is before the move, in reverse after it
		x := b.Path[t-2][i]
		want := p.right.Increment(t, int(x))
		total += want
		if b.Increments == nil {
			continue
		}
		if got := b.Increments[t-2][i]; differ(got, want, p.incrementSlack(want)) {
			is, right := twoNumbers(got, want)
			p.addFault("row %d: at stage t = %d the increment at state %s is %s instead of %s", p.rows+i+1,
				t, p.state(int(x)), is, right)
		}
	}
	if logw != nil {
		if got := logw[i] + offset; differ(got, total, p.slack(total+p.included)) {
			is, right := twoNumbers(got, total)
			p.addFault("row %d: log w is %s, but the increments along its path sum to %s", p.rows+i+1, is, right)
		}
	}
}

// differ reports whether a number is not the right one. Infinities must be the same.
func differ(got, want, slack float64) bool {
	if math.IsInf(got, 0) || math.IsInf(want, 0) {
		return got != want
	}
	return !(math.Abs(got-want) <= slack)
}

func (p *paths) addFault(format string, args ...any) {
	if p.wrongs == 0 {
		p.wrong = fmt.Sprintf(format, args...)
	}
	p.wrongs++
}

// tests returns the tests of the paths. That of the increments has an e-value of one while all are
// right, as nothing is random.
func (p *paths) tests() []*test {
	drawn := func() int { return p.rows }
	var out []*test
	for i, s := range p.stages {
		out = append(out, &test{Result: Result{
			Test: fmt.Sprintf("%s transitions at t = %d", p.direction, i+2)}, draws: drawn,
			value: s.logEValue,
			row:   func() string { return s.wrong }})
	}
	out = append(out, &test{
		Result: Result{Test: p.direction.String() + " transitions of all stages"},
		draws:  drawn,
		value:  p.together,
	})
	if !p.weighed {
		return out
	}
	return append(out, &test{
		Result: Result{Test: p.direction.String() + " increments"},
		draws:  drawn,
		row:    func() string { return p.wrong },
		value: func() (float64, func() string) {
			if p.wrongs > 0 {
				return math.Inf(1),
					func() string { return selector.Count(p.wrongs, "number") + " not the one of the path" }
			}
			return 0, func() string { return "every increment is the one of the path" }
		},
	})
}

// together returns the log e-value of the transitions of all stages, and if it is largest: the
// product of those of the stages, each of which is one given the states that the moves come from.
func (p *paths) together() (float64, func() string) {
	total := 0.0
	most := math.Inf(-1)
	worst := func() string { return "" }
	at := 0
	for i, s := range p.stages {
		logE, where := s.logEValue()
		total += logE
		if logE > most {
			most = logE
			worst = where
			at = i + 2
		}
	}
	return total, func() string { return fmt.Sprintf("at t = %d %s", at, worst()) }
}

// transitions tests moves from states that are given: of one stage of many paths, or of a list of
// moves at one beta.
type transitions struct {
	n      int
	cell   []float64 // the probability of a move from x to y, at x n + y
	counts []int
	state  func(x int) string
	wrong  string // the first impossible move
}

func newTransitions(rows *kernel.Rows, state func(int) string) *transitions {
	n := rows.States()
	m := &transitions{n: n, cell: make([]float64, n*n), counts: make([]int, n*n), state: state}
	for x := range n {
		for _, e := range rows.Row(x) {
			m.cell[x*n+e.To] += e.P
		}
	}
	return m
}

// countMoves counts moves, of which the first is in the given row.
func (m *transitions) countMoves(row int, from, to []int32) {
	for i, x := range from {
		at := int(x)*m.n + int(to[i])
		m.counts[at]++
		if m.cell[at] == 0 && m.wrong == "" {
			m.wrong = fmt.Sprintf("row %d: a move from state %s to state %s has probability zero", row+i+1,
				m.state(int(x)), m.state(int(to[i])))
		}
	}
}

// logEValue returns the log e-value. Given the states that moves come from, those from each state
// have an e-value, and so has their product; the result is the average of the product and of the
// mean over the states.
func (m *transitions) logEValue() (float64, func() string) {
	all := 0.0
	each := make([]float64, m.n)
	worst := 0
	for x := range m.n {
		each[x] = verdicts.CountsLogE(m.counts[x*m.n:][:m.n], m.cell[x*m.n:][:m.n])
		all += each[x]
		if each[x] > each[worst] {
			worst = x
		}
	}
	return number.LogMean([]float64{all, number.LogMean(each)}), func() string {
		return "from state " + m.state(worst) + " to " +
			verdicts.WorstCell(m.counts[worst*m.n:][:m.n], m.cell[worst*m.n:][:m.n], m.state)
	}
}

// movesToDecide returns how many moves, from n on, would have shown less than a gross fault if the
// states before them stay as frequent. It is about the product of the e-values of these states, of
// which each is an average over the concentrations of its own.
func (m *transitions) movesToDecide(n int, logThreshold float64) int {
	p := slices.Clone(m.cell)
	threshold := logThreshold + math.Ln2
	for x := range m.n {
		from := 0
		for _, count := range m.counts[x*m.n:][:m.n] {
			from += count
		}
		if from > 0 {
			threshold += number.Log(verdicts.ConcentrationCount)
		}
		floats.Scale(float64(from)/float64(n), p[x*m.n:][:m.n])
	}
	return verdicts.DrawsToDecide(p, n, threshold)
}

// sameBeta is how far a beta may be from that of a stage to be taken for it: it may have been
// written with few digits.
const sameBeta = 1e-9

// maxBetas is the largest number of different betas of single moves.
const maxBetas = 1000

// moves tests single moves of the kernel, each at a beta of its own.
type moves struct {
	a     *chains.Annealing
	state func(x int) string
	at    []*movesAt
	place map[float64]*movesAt // by beta
	rows  int
	added func(*test) // called with each new test, for the betas are known only when they are read
}

// movesAt are the moves at one beta.
type movesAt struct {
	*transitions
	beta  float64
	moved int
}

// addMoves takes the next moves.
func (m *moves) addMoves(ctx context.Context, b *draws.Batch) error {
	for i, beta := range b.Beta {
		at := m.place[beta]
		if at == nil {
			var err error
			at, err = m.openTest(ctx, beta)
			if err != nil {
				return fmt.Errorf("row %d: %w", b.First+i+1, err)
			}
		}
		at.transitions.countMoves(b.First+i, b.From[i:i+1], b.To[i:i+1])
		at.moved++
	}
	m.rows += b.Rows
	return nil
}

// openTest begins the test of the moves at a beta.
func (m *moves) openTest(ctx context.Context, beta float64) (*movesAt, error) {
	if !(beta >= 0 && beta <= 1) {
		return nil, errs.New("beta is %v; write an inverse temperature from 0 to 1", beta)
	}
	if len(m.place) == maxBetas {
		return nil, errs.New("there are more than %d different betas; test fewer at a time", maxBetas)
	}
	k, logf, exact, err := m.kernel(beta)
	if err != nil {
		return nil, err
	}
	for _, old := range m.at {
		if old.beta == exact { // the same stage, written in another way
			m.place[beta] = old
			return old, nil
		}
	}
	if n := float64(len(logf)); n*n*float64(len(m.at)+1) > maxPathCells {
		return nil, errs.New(
			"the moves between %d states at %s have more than %d cells; test fewer betas at a time, or a smaller toy",
			len(logf),
			selector.Count(len(m.at)+1, "beta"),
			maxPathCells,
		)
	}
	rows, err := kernel.NewRows(ctx, k, logf)
	if err != nil {
		return nil, err
	}
	at := &movesAt{transitions: newTransitions(rows, m.state), beta: exact}
	m.at = append(m.at, at)
	m.place[beta] = at
	name := "moves at beta = " + strconv.FormatFloat(exact, 'g', -1, 64)
	m.added(&test{
		Result: Result{Test: name},
		draws:  func() int { return at.moved },
		value:  at.logEValue,
		row:    func() string { return at.wrong },
	})
	return at, nil
}

// kernel returns the kernel and log f at a beta: of a stage that has it, or of the path there, if
// all stages have the same kernel.
func (m *moves) kernel(beta float64) (chains.Kernel, []float64, float64, error) {
	logf := make([]float64, m.a.States())
	for t := 2; t <= m.a.Distributions(); t++ {
		if b := m.a.Beta(t); math.Abs(b-beta) <= sameBeta {
			m.a.LogF(logf, t)
			return m.a.KernelAt(t), logf, b, nil
		}
	}
	if m.a.Kernel() == nil {
		return nil, nil, 0,
			errs.New("beta is %v, which is not the beta of a stage, and the kernel is known only at stages; "+
				"write one of the betas of task.json",
				beta)
	}
	m.a.Path().LogF(logf, chains.At(beta))
	return m.a.Kernel(), logf, beta, nil
}
