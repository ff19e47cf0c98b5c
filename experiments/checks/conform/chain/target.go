package chain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains/diagnostics"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/averages"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/verdicts"
	"breadboard/reports/check"
	"breadboard/reports/columns"
	"breadboard/toys"
)

// Mean is the mean of a function over the draws, with its exact mean.
type Mean struct {
	Function  string
	Draws     float64 // the mean of the draws
	Exact, SD float64 // of the target
	Batches   float64 // the standard error by batch means; NaN if there are too few draws
	Off       float64 // the error of the mean in units of Batches
	// the exact root mean squared error of such a mean, in exact standard deviations; NaN without a
	// kernel
	Error       float64
	constant    bool
	infinite    bool    // whether it is infinite at some draw, which is then at an impossible state
	correlation float64 // how many draws are worth one independent draw, by batch means
	of          *averages.Function
}

// MeanColumns lists the columns of means.
func MeanColumns() columns.List {
	return columns.List{
		columns.Of("function", "function", "the function of the state", func(m *Mean) string { return m.Function }),
		columns.Of("mean", "mean",
			"the function's mean over the draws of all chains; empty if it is infinite at a draw",
			func(m *Mean) float64 { return m.Draws }).OrEmpty().Digits(5),
		columns.Of("exact_mean", "exact mean", "the function's mean under the target",
			func(m *Mean) float64 { return m.Exact }).Digits(5),
		columns.Of("exact_sd", "exact sd", "the function's standard deviation under the target",
			func(m *Mean) float64 { return m.SD }).Digits(4),
		columns.Of("batch_se", "batch SE",
			"the standard error of the mean by batches of sqrt(N) draws; empty if it is not known",
			func(m *Mean) float64 { return m.Batches }).OrEmpty().Digits(3),
		columns.Of("off", "error/SE", "the error of the mean in units of batch_se",
			func(m *Mean) float64 { return m.Off }).OrEmpty().Digits(3),
		columns.Of("exact_error", "exact error",
			"the exact root mean squared error of the mean of such chains, in units of exact_sd; empty "+
				"without a kernel",
			func(m *Mean) float64 { return m.Error }).OrEmpty().Digits(3),
	}
}

// target is what draws are meant to represent.
type target struct {
	toy       *toys.Toy
	chain     *averages.Chain // without rows if no kernel is known
	functions []samplers.Function
}

// newTarget returns the target of draws, with functions of its states in their selectors. If none
// are named they are the axes, and g.
func newTarget(toy *toys.Toy, c *averages.Chain, selectors []string) (*target, error) {
	t := &target{toy: toy, chain: c}
	if len(selectors) > 0 {
		for _, name := range selectors {
			f, err := samplers.ParseFunction(name, toy, c)
			if err != nil {
				return nil, err
			}
			if !f.IsScalar() {
				return nil, errs.New("{function} %s is a vector; name functions such as x0", f.Name)
			}
			t.functions = append(t.functions, f)
		}
		return t, nil
	}
	names := []string{"g"}
	for _, axis := range toy.Variables() {
		names = append(names, axis.Name)
	}
	for _, name := range names {
		if f, err := samplers.ParseFunction(name, toy, c); err == nil { // else it is constant
			t.functions = append(t.functions, f)
		}
	}
	return t, nil
}

// minDraws is the least number of draws for a verdict.
const minDraws = 100

// means returns the means of the functions over the draws of all chains.
func (t *target) means(tracks []*track) (list []Mean) {
	size := batchSize(tracks)
	total := 0
	for _, c := range tracks {
		total += len(c.states)
	}
	for _, f := range t.functions {
		h := f.Parts[0]
		m := Mean{
			Function:    f.Name,
			Exact:       h.Mean,
			SD:          h.SD,
			Batches:     math.NaN(),
			Off:         math.NaN(),
			Error:       math.NaN(),
			constant:    true,
			correlation: 1,
			of:          h,
		}
		var batches []float64
		sum := 0.0
		raw := 0.0
		square := 0.0
		for _, c := range tracks {
			for batch := range slices.Chunk(c.states, size) {
				mean := 0.0
				all := 0.0
				for _, x := range batch {
					v := h.Values[x]
					all += h.Raw[x]
					mean += v
					square += v * v
					m.infinite = m.infinite || math.IsInf(h.Raw[x], 0)
					m.constant = m.constant && v == h.Values[tracks[0].states[0]]
				}
				sum += mean
				raw += all
				if len(batch) == size {
					batches = append(batches, mean/float64(size))
				}
			}
		}
		n := float64(total)
		mean := sum / n
		m.Draws = raw / n
		if m.infinite {
			m.Draws = math.NaN()
		}
		if spread := stat.Variance(batches, nil); total >= minDraws && len(batches) > 1 && !m.constant &&
			!m.infinite {
			// No chain is taken to know more than independent draws do: batches may all be alike
			// if a value is rare, or if a chain turns.
			se := math.Sqrt(max(spread/float64(len(batches)), 1/n))
			m.Batches = se * h.SD
			m.Off = mean / se
			if within := square/n - mean*mean; within > 0 {
				m.correlation = max(1, float64(size)*spread/within)
			}
		}
		list = append(list, m)
	}
	return list
}

// batchSize returns how many draws are in a batch: the square root of all there are, or a whole
// chain where chains are shorter.
func batchSize(tracks []*track) int {
	longest := 0
	total := 0
	for _, c := range tracks {
		longest = max(longest, len(c.states))
		total += len(c.states)
	}
	return min(longest, diagnostics.BatchSize(total))
}

// mostOff returns the largest error of a mean in standard errors of batches that is left to chance,
// where that many batches and functions are looked at.
func mostOff(alpha float64, batches, functions int) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(max(1, batches-1))}.Quantile(1 - alpha/float64(2*functions))
}

// lack is a reason why draws do not represent the target.
type lack struct {
	check.Finding
	says  string // empty if there is nothing to say
	order int    // reasons of a lower order come first
}

// lacks looks for reasons why draws do not represent the target. It is open about a mean that is
// off by verdicts.FarErrors or more, and by more than chance leaves with so few batches.
func (t *target) lacks(tracks []*track, means []Mean, alpha float64) (list []lack) {
	counts := make([]int, len(t.chain.Target))
	n := 0
	for _, c := range tracks {
		for _, x := range c.states {
			counts[x]++
		}
		n += len(c.states)
	}
	size := batchSize(tracks)
	batches := 0
	for _, c := range tracks {
		batches += len(c.states) / size
	}
	add := func(order int, name string, value, most float64, says string) {
		if order > 0 && n < minDraws {
			return
		}
		f := check.Held(name, value, most, says)
		if f.Verdict == check.Fault { // which is not said: the sampler may be right
			f.Verdict = check.Differs
		} else {
			says = ""
		}
		list = append(list, lack{f, says, order})
	}
	if same := twins(tracks); same != "" {
		add(0, "identical chains", 1, 0, same)
	}
	impossible := 0
	first := 0
	for x, c := range counts {
		if c > 0 && t.chain.Target[x] == 0 {
			impossible += c
			if impossible == c {
				first = x
			}
		}
	}
	add(0, "draws of impossible states", float64(impossible), 0,
		fmt.Sprintf("%s at states of %s, such as state %s", selector.Count(impossible, "draw"),
			t.chain.Vanishing(first), t.toy.State(first)))
	correlation := 1.0
	shown := max(verdicts.FarErrors, mostOff(2*verdicts.Rare, batches, 1))
	for i := range means {
		m := &means[i]
		correlation = max(correlation, m.correlation)
		v := float64(m.of.Level[tracks[0].states[0]])
		switch {
		case m.infinite: // whose states are named
		case m.constant:
			p := 0.0
			if v < float64(len(m.of.Masses)) {
				p = m.of.Masses[int(v)]
			}
			add(1, "draws all alike: "+m.Function, -float64(n-1)*number.Log(p),
				-number.Log(alpha/float64(len(means))),
				fmt.Sprintf("%s never left %s, which has probability %.4g", m.Function,
					t.valueName(m, int(tracks[0].states[0])), p))
		case !math.IsNaN(m.Off):
			off := math.Abs(m.Off)
			says := fmt.Sprintf("the mean of %s is %.5g instead of %.5g, %.3g standard errors by batch means away",
				m.Function, m.Draws, m.Exact, off)
			add(2, "mean of "+m.Function, off, mostOff(alpha, batches, len(means)), says)
			if f := &list[len(list)-1].Finding; off >= shown && n >= minDraws && f.Verdict == check.Pass {
				f.Verdict = check.Open
				f.Where = says
			}
		}
	}
	missing := 0
	most := 0.0
	rarest := 0
	for x, p := range t.chain.Target {
		if expected := float64(n) * p; counts[x] == 0 && expected > seldom {
			missing++
			if expected > most {
				most = expected
				rarest = x
			}
		}
	}
	says := fmt.Sprintf("%s never visited that independent draws visit %d times or more, such as state %s, with %.4g",
		selector.Count(missing, "state"),
		seldom, t.toy.State(rarest), most)
	add(3, "states never visited", most/correlation, seldom, says)
	return list
}

// seldom is how often a state that was never visited is visited on average by independent draws, or
// by as many draws as are worth these, from which on that is no chance: it has a probability of
// e^-20.
const seldom = 20

// valueName names the value of a function at a state.
func (t *target) valueName(m *Mean, x int) string {
	for k, axis := range t.toy.Variables() {
		if axis.Name == m.Function && len(axis.Labels) > 0 {
			return axis.Labels[t.toy.Lattice().Coord(x, k)]
		}
	}
	return fmt.Sprintf("%.6g", m.of.Raw[x])
}

// mostSeconds is how long exact errors may take on one core, in all.
const mostSeconds = 2

// enough is the exact error of a mean, in exact standard deviations, for which the number of draws
// is looked for.
const enough = 0.1

// expectation finds exact errors of means, as long as time is left.
type expectation struct {
	*target
	tracks []*track
	left   float64 // in seconds on one core
}

// expectErrors finds the exact errors of means of such chains, those first whose draws depend on
// one another the longest, and says how large the largest is and how many draws are needed if it is
// not small. It says nothing if none is known.
func (t *target) expectErrors(ctx context.Context, tracks []*track, means []Mean) (f check.Finding,
	err error) {
	e := &expectation{t, tracks, mostSeconds}
	var worst *Mean
	order := make([]*Mean, len(means))
	for i := range means {
		order[i] = &means[i]
	}
	slices.SortStableFunc(order, func(a, b *Mean) int { return cmp.Compare(b.correlation, a.correlation) })
	for _, m := range order {
		m.Error, err = e.rootMeanSquare(ctx, m, 1)
		if err != nil {
			return f, err
		}
		if !math.IsNaN(m.Error) && (worst == nil || m.Error > worst.Error) {
			worst = m
		}
	}
	classes, err := samplers.Classes(ctx, t.toy, t.chain)
	f = check.Finding{
		Name:      "exact error of the means",
		Value:     math.NaN(),
		Tolerance: 1 / math.Sqrt(samplers.SuccessRESS),
		Verdict:   check.Pass,
		Where:     classes,
	}
	if worst != nil {
		f.Value, f.Where = worst.Error,
			fmt.Sprintf("the exact error at N = %d is %.3g standard deviations of %s", e.draws(), worst.Error,
				worst.Function)
	}
	switch {
	case classes != "" && worst != nil:
		f.Where += ", and no N is enough: " + classes
		fallthrough
	case classes != "":
		f.Verdict = check.Differs
	case f.Value > f.Tolerance:
		f.Verdict = check.Differs
		f.Where = "too few draws: " + f.Where
		fallthrough
	case f.Value > enough:
		var says string
		says, err = e.neededByAll(ctx, order)
		f.Where += says
	}
	return f, err
}

// neededByAll says for how many draws the errors of all means are enough: the mean whose error is
// the largest now may not be the slowest one. It is empty if none is known.
func (e *expectation) neededByAll(ctx context.Context, means []*Mean) (string, error) {
	e.left = mostSeconds
	most := 0.0
	more := ""
	for _, m := range means {
		if !(m.Error > enough) {
			continue
		}
		n, err := e.needed(ctx, m)
		if err != nil {
			return "", err
		}
		if n == 0 {
			more = " or more"
		}
		most = max(most, n)
	}
	if most == 0 {
		return "", nil
	}
	return fmt.Sprintf(", and about N = %.2g%s is needed for %v", most, more, enough), nil
}

// draws returns how many draws there are in all chains.
func (e *expectation) draws() (n int) {
	for _, c := range e.tracks {
		n += len(c.states)
	}
	return n
}

// rootMeanSquare returns the exact root mean squared error of the mean over all chains, each that
// many times as long; NaN if that takes too long. What a chain has drawn before it came to a state
// of positive probability is left out.
func (e *expectation) rootMeanSquare(ctx context.Context, m *Mean, times int64) (float64, error) {
	total := 0.0
	bias := 0.0
	variance := 0.0
	for _, c := range e.tracks {
		first := slices.IndexFunc(c.states, func(x int32) bool { return e.chain.Target[x] > 0 })
		if first < 0 {
			return math.NaN(), nil
		}
		start := make([]float64, len(e.chain.Target))
		start[c.states[first]] = 1
		n := int64(len(c.states)-first) * times
		q := averages.Question{Function: m.of, Starts: [][]float64{start}, N: []int64{n}}
		method, err := e.chain.Fastest(q)
		if err == nil {
			e.left -= e.chain.Seconds(q, method)
			if e.left < 0 {
				return math.NaN(), ctx.Err()
			}
			var errors [][]averages.Errors
			errors, err = e.chain.Errors(ctx, q, method)
			if err == nil {
				at := errors[0][0]
				weight := float64(n)
				total += weight
				bias += weight * at.Bias.Value
				variance += weight * weight * max(0, at.MSE.Float()-at.Bias.Value*at.Bias.Value)
			}
		}
		if err != nil { // such as if the function is infinite where the chain began
			return math.NaN(), ctx.Err()
		}
	}
	return math.Sqrt(bias*bias+variance) / total, nil
}

// needed returns the number of draws for which the error is enough, and zero where finding it takes
// too long. One over the mean squared error grows by about as much with each draw, so that between
// two numbers of draws, of which one is twice the other, the number is found on a straight line.
func (e *expectation) needed(ctx context.Context, m *Mean) (float64, error) {
	n := float64(e.draws())
	before := 1 / (m.Error * m.Error)
	for times := int64(2); ; times *= 2 {
		off, err := e.rootMeanSquare(ctx, m, times)
		if err != nil || math.IsNaN(off) {
			return 0, err
		}
		now := 1 / max(off*off, math.SmallestNonzeroFloat64)
		if now >= 1/(enough*enough) {
			return n * float64(times) / 2 * (1 + (1/(enough*enough)-before)/(now-before)), nil
		}
		before = now
	}
}

// reasons lists what speaks against draws: what is impossible, what never moved, and what is off,
// each from what is the least likely on.
func reasons(list []lack) string {
	list = slices.DeleteFunc(slices.Clone(list), func(l lack) bool { return l.says == "" })
	slices.SortStableFunc(list, func(a, b lack) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(b.Value, a.Value))
	})
	var says []string
	for _, l := range list {
		says = append(says, l.says)
	}
	const most = 3
	if more := len(says) - most; more > 0 {
		says = append(says[:most], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(says, "; ")
}
