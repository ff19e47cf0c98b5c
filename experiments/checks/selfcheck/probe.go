package selfcheck

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
)

// probe is an annealing so short that all its paths can be enumerated, so that the probability of
// every value of x_1, log w and x_T together is known. A simulation is run on it in many small
// calls. A probe has three distributions, because a bug may confuse two stages, or two
// distributions where three have too many paths.
type probe struct {
	name  string
	a     *chains.Annealing
	paths [2]*pathLaw        // the distribution of the paths, by direction
	label func(x int) string // the label of a state; nil if states are known by their numbers
}

// The names of the probes.
const (
	short = "short"
	steep = "steep"
)

const (
	// steepRange is the range of log f of the steep probe, in nats. Its log weights are far larger
	// than those of most cases.
	steepRange = 200
	// maxPaths is the largest number of paths of a probe.
	maxPaths = 1 << 20
	// logwSlack is how far a simulated log weight may be from that of its path, relative to the
	// largest log f.
	logwSlack = 1e-9
)

// addProbes adds a short annealing on the case's own path, and a steep one.
func (l *Laws) addProbes(ctx context.Context) error {
	const untested = "the distribution of each path, repeated calls and the distribution of counts are not tested"
	if l.a.Kernel() == nil {
		l.skip("the kernel differs between stages and cannot be run on short annealings: %s", untested)
		return nil
	}
	var between []float64
	if T := l.a.Distributions(); T > 2 {
		between = []float64{l.a.Beta(1 + max(1, (T-1)/3))}
	}
	first, err := newProbe(ctx, short, l.a.Path(), l.a.Kernel(), between...)
	if err != nil {
		return err
	}
	if first == nil {
		l.skip("with %d states a chain of one move has more than %d paths: %s", l.a.States(), maxPaths, untested)
		return nil
	}
	l.probes = []*probe{first}
	path, err := steepPath(l.a)
	if err != nil {
		return err
	}
	if path == nil {
		l.skip("f is constant where it is positive, so no steep annealing exists and none is tested")
		return nil
	}
	p, err := newProbe(ctx, steep, path, l.a.Kernel(), 0.3)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		l.skip("no steep annealing is tested: %v", err)
		return nil
	}
	l.probes = append(l.probes, p)
	return nil
}

// shortened returns an annealing between the ends of a path with one distribution between them, or
// with none.
func shortened(path chains.Path, k chains.Kernel, betas ...float64) (*chains.Annealing, error) {
	betas = append(append([]float64{0}, betas...), 1)
	points, err := schedules.NewPoints("short", betas)
	if err != nil {
		return nil, err
	}
	return chains.NewAnnealing(path, points, k, len(betas))
}

// steepPath returns the geometric path from the uniform distribution to the target with its log f
// stretched to a range of steepRange nats; nil if the log f of the target does not vary.
func steepPath(a *chains.Annealing) (chains.Path, error) {
	g := make([]float64, a.States())
	a.LogF(g, a.Distributions())
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range g {
		if !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	if !(high > low) {
		return nil, nil
	}
	for x := range g {
		g[x] = (g[x]/(high-low) - low/(high-low) - 0.5) * steepRange
	}
	return paths.NewGeometric(nil, g)
}

// newProbe returns a probe on a path, whose annealing has a distribution between the two ends.
// Where this has too many paths the annealing has the two ends alone, and where that has too many
// as well the probe is nil.
func newProbe(ctx context.Context, name string, path chains.Path, k chains.Kernel, between ...float64) (*probe, error) {
	for _, betas := range [][]float64{between, nil} {
		a, err := shortened(path, k, betas...)
		if err != nil {
			return nil, err
		}
		if a, err = exact.WithReversal(ctx, a); err != nil {
			return nil, err
		}
		if p, err := walkBoth(ctx, name, a); p != nil || err != nil {
			return p, err
		}
	}
	return nil, nil
}

func walkBoth(ctx context.Context, name string, a *chains.Annealing) (*probe, error) {
	p := &probe{name: name, a: a}
	for d := range p.paths {
		law, err := walkPaths(ctx, a, chains.Direction(d))
		if law == nil || err != nil {
			return nil, err
		}
		p.paths[d] = law
	}
	return p, nil
}

// pathLaw is the joint distribution of x_1, log w and x_T. Log weights nearer to each other than
// the tolerance are one outcome.
type pathLaw struct {
	states    int
	tolerance float64
	at        [][]outcome // the outcomes at x_1 n + x_T, in the order of log w
	p         []float64   // the probability of each outcome; the last entry, 0, is for a chain that is on no path
	ends      []float64   // the probability of each pair of ends
}

// outcome is a cell of the distribution with the least and the greatest of its log weights.
type outcome struct {
	low, high float64
	cell      int
}

// walkPaths enumerates every path in one direction and returns their distribution; it returns nil
// if there are too many paths.
func walkPaths(ctx context.Context, a *chains.Annealing, d chains.Direction) (*pathLaw, error) {
	w, err := newWalk(ctx, a, d)
	if err != nil {
		return nil, err
	}
	start := stages.Distribution(a.Path(), float64(d)) // p_1 forward, p_T in reverse
	for x, p := range start {
		if p > 0 && !w.from(0, x, x, p, 0) {
			return nil, nil
		}
	}
	return w.law(), nil
}

// walk is the state of an enumeration of the paths of an annealing.
type walk struct {
	states     int
	direction  chains.Direction
	rows       []*kernel.Rows // the rows of the kernel, by step
	increments [][]float64    // the increment at each state, by step
	largest    float64        // the largest absolute value of log f
	count      int
	values     [][]weighted // the log weights of the paths and their probabilities, at x_1 n + x_T
}

type weighted struct{ logw, p float64 }

func newWalk(ctx context.Context, a *chains.Annealing, d chains.Direction) (*walk, error) {
	T, n := a.Distributions(), a.States()
	w := &walk{states: n, direction: d, values: make([][]weighted, n*n)}
	before, here := make([]float64, n), make([]float64, n)
	for step := 2; step <= T; step++ {
		rows, t, err := rowsOf(ctx, a, d, step, here)
		if err != nil {
			return nil, fmt.Errorf("stage t = %d of a short annealing with %d distributions: %w", t, T, err)
		}
		a.LogF(before, t-1)
		w.rows = append(w.rows, rows)
		w.increments = append(w.increments, w.between(before, here))
	}
	return w, nil
}

// between returns the increments log f_t - log f_{t-1}. If one of the two is zero, the weight of
// the chains that can be there becomes zero forward and infinite in reverse.
func (w *walk) between(before, here []float64) []float64 {
	out := make([]float64, len(here))
	for x := range out {
		was, is := !math.IsInf(before[x], -1), !math.IsInf(here[x], -1)
		switch {
		case was && is:
			out[x] = here[x] - before[x]
			w.largest = max(w.largest, math.Abs(here[x]), math.Abs(before[x]))
		case was && w.direction == chains.Forward:
			out[x] = math.Inf(-1)
		case is && w.direction == chains.Reverse:
			out[x] = math.Inf(1)
		}
	}
	return out
}

// from continues the enumeration from a state, and returns false if there are too many paths.
func (w *walk) from(step, origin, x int, p, logw float64) bool {
	if step == len(w.rows) {
		at := origin*w.states + x
		if w.direction == chains.Reverse {
			at = x*w.states + origin
		}
		w.values[at] = append(w.values[at], weighted{logw, p})
		w.count++
		return w.count <= maxPaths
	}
	for _, e := range w.rows[step].Row(x) {
		weighed := x // forward, the increment is that of the state before the move
		if w.direction == chains.Reverse {
			weighed = e.To
		}
		if q := p * e.P; q > 0 && !w.from(step+1, origin, e.To, q, logw+w.increments[step][weighed]) {
			return false
		}
	}
	return true
}

// distribution returns the distribution of the paths. It merges log weights that lie so close that
// rounding in a simulation could exchange them.
func (w *walk) law() *pathLaw {
	l := &pathLaw{states: w.states, tolerance: logwSlack * (1 + w.largest), at: make([][]outcome, len(w.values)), ends: make([]float64, len(w.values))}
	for i, values := range w.values {
		slices.SortStableFunc(values, func(a, b weighted) int { return cmp.Compare(a.logw, b.logw) })
		for j, v := range values {
			l.ends[i] += v.p
			if j > 0 && (v.logw == values[j-1].logw || v.logw-values[j-1].logw <= 4*l.tolerance) {
				l.p[len(l.p)-1] += v.p
				l.at[i][len(l.at[i])-1].high = v.logw
			} else {
				l.at[i] = append(l.at[i], outcome{v.logw, v.logw, len(l.p)})
				l.p = append(l.p, v.p)
			}
		}
	}
	l.p = append(l.p, 0)
	return l
}

// cell returns the number of a chain's outcome. It is the last one, which is for no path, if no
// path has these ends and this log weight.
func (l *pathLaw) cell(first, last int, logw float64) int {
	for _, o := range l.at[first*l.states+last] {
		if o.low == logw || logw >= o.low-l.tolerance && logw <= o.high+l.tolerance {
			return o.cell
		}
	}
	return len(l.p) - 1
}

// name describes an outcome for messages. It names states by their labels, or by number where label
// is nil.
func (l *pathLaw) name(cell int, label func(x int) string) string {
	for at, list := range l.at {
		for _, o := range list {
			if o.cell == cell {
				return fmt.Sprintf("x_1 = %s, x_T = %s, log w = %.6g", stateName(label, at/l.states), stateName(label, at%l.states), o.low)
			}
		}
	}
	return "ends and a log weight that no path has"
}
