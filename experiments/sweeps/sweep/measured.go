package sweep

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"breadboard/experiments"
)

// What is timed: about so many cells, each for so long, and those of which one solution is over sooner as often as that takes.
const (
	timedCells = 24
	timedSlice = 80 * time.Millisecond
	timedLeast = 2 * time.Millisecond
	timedInAll = 2 * time.Second
	timedShare = 0.25
	timedBytes = 1e9 // a cell that takes more memory is not timed
)

// Measure returns the plan with its times scaled by what a few cells take on this machine. The cells are those at equal distances along the
// estimated work, so that they stand for all of it: the more expensive a cell, the likelier it is to be among them. Of a cell that takes long a smaller T is timed, whose steps
// are as those of the cell, and a cell that cannot be cut down keeps its estimate, as does one whose kernel is a program: none is started. It takes some two seconds at most, of
// processor time, in which all times are; other programs on the machine do not change them.
func (s *Sweep) Measure(ctx context.Context, p Plan) (Plan, error) {
	return s.measure(ctx, p, processorTime)
}

// measure does so with a clock.
func (s *Sweep) measure(ctx context.Context, p Plan, clock func() time.Duration) (Plan, error) {
	costs := s.costs()
	t := &timer{sweep: s, weigher: s.weigher(), clock: clock, ratios: map[int]float64{}}
	worst, total := 0, 0.0
	for i, c := range costs {
		if total += c; c > costs[worst] {
			worst = i
		}
	}
	longest, err := t.ratio(ctx, worst, costs[worst])
	if err != nil {
		return Plan{}, err
	}
	// An estimate may be far too small, so that cells with a small one are taken too.
	sizes, all := make([]float64, len(costs)), 0.0
	for i, c := range costs {
		sizes[i] = c + timedShare*total/float64(len(costs))
		all += sizes[i]
	}
	list := spread(along(sizes, timedCells))
	if len(costs) <= timedCells {
		for i := range costs {
			list = append(list, i)
		}
	}
	sum, n := 0.0, 0
	for k, i := range list {
		if n > 0 && t.spent > timedInAll {
			break // what has been timed is spread over the whole sweep
		}
		ratio, err := t.ratio(ctx, i, costs[i])
		if err != nil {
			return Plan{}, err
		}
		if k < timedCells {
			sum += ratio * costs[i] / sizes[i]
			n++
		}
	}
	seconds := sum / float64(n) * all
	if len(t.ratios) == len(costs) { // nothing is left to be estimated
		seconds = 0
		for i, ratio := range t.ratios {
			seconds += ratio * costs[i]
		}
	}
	p.Timed, p.Time, p.Longest = t.timed, scaled(p.Time, seconds/total), scaled(p.Longest, longest)
	return p, nil
}

// scaled returns so many times a duration, or the longest there is.
func scaled(d time.Duration, by float64) time.Duration {
	return time.Duration(min(float64(d)*by, math.MaxInt64/2))
}

// along returns n of the cells with these costs, at equal distances along the sum of the costs. A cell that is expensive may be there
// several times.
func along(costs []float64, n int) []int {
	total := 0.0
	for _, c := range costs {
		total += c
	}
	var out []int
	before := 0.0
	for i, c := range costs {
		for len(out) < n && (before+c >= (float64(len(out))+0.5)*total/float64(n) || i == len(costs)-1) {
			out = append(out, i)
		}
		before += c
	}
	return out
}

// spread returns a list in an order in which its beginning is spread over all of it: each is behind the last by the golden ratio of
// the list, which goes round.
func spread(list []int) []int {
	n := len(list)
	step := max(1, int(math.Round(float64(n)/math.Phi)))
	for ; gcd(step, n) > 1; step++ {
	}
	out := make([]int, n)
	for k := range out {
		out[k] = list[(n/2+k*step)%n]
	}
	return out
}

// gcd returns the greatest common divisor of two numbers, of which the first is above zero.
func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// timer times cells.
type timer struct {
	sweep   *Sweep
	weigher *weigher
	clock   func() time.Duration
	ratios  map[int]float64 // of cells that have been timed
	timed   int
	spent   time.Duration
}

// ratio returns how many times as long as its estimate a cell takes, and 1 where that cannot be found out in a short time.
func (t *timer) ratio(ctx context.Context, i int, cost float64) (float64, error) {
	if known, timed := t.ratios[i]; timed {
		return known, nil
	}
	ratio, err := t.find(ctx, t.sweep.Cell(i), cost)
	if err != nil {
		return 0, err
	}
	if !(ratio > 0) {
		ratio = 1
	}
	t.ratios[i] = ratio
	return ratio, nil
}

// find returns what ratio returns, and NaN where there is none.
func (t *timer) find(ctx context.Context, c Cell, cost float64) (float64, error) {
	if _, _, memory := t.weigher.weigh(c); memory > timedBytes || c.program() {
		return math.NaN(), nil
	}
	if cost <= timedSlice.Seconds() {
		took, _, err := t.took(ctx, c)
		return (took + storeCost) / cost, err
	}
	T := t.shorter(c)
	if T < 4 {
		took, over, err := t.took(ctx, c)
		if !over {
			took = max(took, cost)
		}
		return took / cost, err
	}
	// What a cell takes to begin with is the same for every T, and no part of what grows with it.
	long, half := withT(c, T), withT(c, T/2)
	plannedLong, _, _ := t.weigher.weigh(long)
	a, over, err := t.took(ctx, long)
	if err != nil {
		return 0, err
	}
	if !over {
		return max(a/plannedLong, 1), nil
	}
	b, _, err := t.took(ctx, half)
	if err != nil {
		return 0, err
	}
	plannedHalf, _, _ := t.weigher.weigh(half)
	if slope := (a - b) / (plannedLong - plannedHalf); slope > 0 {
		return slope, nil
	}
	return a / plannedLong, nil
}

// shorter returns the largest T with which a cell takes no longer than it may, by its estimate, and 0 where there is none or the T
// cannot be changed.
func (t *timer) shorter(c Cell) int {
	if c.Get(lengths) == "" || fixesT(c) {
		return 0
	}
	low, high := 0, c.Distributions()
	for high-low > 1 {
		T := low + (high-low)/2
		if seconds, _, _ := t.weigher.weigh(withT(c, max(2, T))); seconds <= timedSlice.Seconds() {
			low = T
		} else {
			high = T
		}
	}
	return low
}

// withT returns a cell with another T.
func withT(c Cell, T int) Cell { return Cell(experiments.Params(c).With(lengths, strconv.Itoa(T))) }

// took returns the seconds that a cell takes: of one solution on average, among as many as fit into a short time, the first of several
// left out. It gives a cell up that takes much longer than it may, and returns how long that was, and that it was not over.
func (t *timer) took(ctx context.Context, c Cell) (seconds float64, over bool, err error) {
	t.timed++
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	defer t.cancelAfter(limited, cancel, 20*timedSlice)()
	var first, others time.Duration
	n := 0
	for first+others < timedLeast && n < 50 {
		start := t.clock()
		_, err := t.sweep.outcome(limited, c)
		one := t.clock() - start
		t.spent += one
		if ctx.Err() != nil {
			return 0, false, ctx.Err()
		}
		if err != nil && !errors.Is(err, errGivenUp) {
			return 0, false, err
		}
		if n++; n == 1 {
			first = one
		} else {
			others += one
		}
		if err != nil {
			return one.Seconds(), false, nil
		}
	}
	if n > 1 {
		return others.Seconds() / float64(n-1), true, nil
	}
	return first.Seconds(), true, nil
}

// cancelAfter cancels a context once the clock has gone on by so much. What it returns ends the watch.
func (t *timer) cancelAfter(ctx context.Context, cancel func(), limit time.Duration) (stop func()) {
	const look = 10 * time.Millisecond
	end, done := t.clock()+limit, make(chan struct{})
	ticker := time.NewTicker(look)
	go func() {
		defer close(done)
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				if t.clock() > end {
					cancel()
				}
			}
		}
	}()
	return func() {
		cancel()
		ticker.Stop()
		<-done
	}
}
