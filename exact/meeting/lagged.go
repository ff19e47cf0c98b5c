package meeting

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/exact/internal/linear"
)

// lagged computes the sum of the distances between the distributions after t, t+L, ... moves,
//
//	D_L(t) = sum_{j>=0} TV(p_{t+jL}, p_{t+(j+1)L}) >= TV(p_t, p),
//
// by the triangle inequality (Biswas, Jacob and Vanetti 2019). That is half the sum over the
// states of the total variation of their probabilities along these moves. Between two turning
// points of a probability its variation is its change. So D follows from the distributions at few
// places, with the digits of the distance from the target, however slowly that falls.
//
// A stretch of strides of L moves is taken at once if samples show no turning point: its middle,
// and the strides 0, 1, 2, 4, 8 ... after its beginning, middle and end. Otherwise it is halved. A
// periodic component is detected since some power of two is nearly half its period, where its sign
// is opposite. The result is never more than D. A stretch is no longer than a quarter of all
// strides before it, in which sums of exponential functions do not turn twice undetected, and it
// changes at least as much as its last stride implies, since strides do not become longer.
type lagged struct {
	chain *averages.Chain
	sets  *sets
	lag   int
	jumps []*linear.Stochastic // of L, 2L, 4L, ... moves
	// a number of strides, over one minus the largest remaining fraction of a difference after
	// them; 0 while it is not known
	reach  float64
	work   float64 // products so far
	length float64 // of the first stride
	singly float64 // the strides that are added up one by one
	// searched says whether a sum relies on turning points found by sampling.
	searched bool
}

// walker is the distribution of the chain, and its change by a further stride.
type walker struct{ distance, stride *difference }

const (
	// mostLagged is the work, in products, after which D is abandoned: some seconds.
	mostLagged = 1e9
	// mostStrides is the number of strides after which D is abandoned; twice as many still fit 64
	// bits.
	mostStrides = int64(1) << 62
	// unseen is the largest undetected change of a stretch, relative to a distance.
	unseen = 0x1p-50
	// noise is the rounding error of a later stride, relative to the first one.
	noise = 0x1p-48
)

// addDistances adds up the distances from ascending numbers of strides on, into sums. The walker
// has made the given number of strides before. It returns the reason for a failure, or "".
func (l *lagged) addDistances(ctx context.Context, w *walker, before int64, wanted []int64,
	sums []float64) (note string, err error) {
	for at := int64(0); ; {
		if at >= wanted[len(wanted)-1] && l.over(w, slices.Min(sums)) {
			return "", nil
		}
		if far := w.distance.totalVariation(); w.stride.totalVariation() < vanished &&
			!l.nothing(far, slices.Min(sums)) {
			return fmt.Sprintf(
				"D is not given: the change by a move underflows, and the distribution is %.2g from the target",
				far,
			), nil
		}
		if l.work > mostLagged || before+at > mostStrides {
			return fmt.Sprintf(
				"D is not given: the distances that it sums are still %.2g after %.3g moves, the largest "+
					"number that is tried",
				w.stride.totalVariation(),
				float64(l.lag)*float64(before+at),
			), nil
		}
		k, err := l.longestStretch(ctx, before+at)
		if err != nil {
			return "", err
		}
		begun := 0
		for begun < len(wanted) && wanted[begun] <= at {
			begun++
		}
		if begun < len(wanted) {
			for k >= 0 && int64(1)<<k > wanted[begun]-at {
				k--
			}
		}
		size, err := l.stretch(ctx, w, max(0, k))
		if err != nil {
			return "", err
		}
		for i := range begun {
			sums[i] += size
		}
		at += int64(1) << max(0, k)
	}
}

// over reports whether the remaining terms are rounding relative to a sum.
func (l *lagged) over(w *walker, sum float64) bool {
	size := w.stride.totalVariation()
	return size < vanished && l.nothing(w.distance.totalVariation(), sum) || l.reach > 0 &&
		l.reach*size < 1e-17*sum
}

// nothing reports whether a distance from the target is rounding relative to a sum, or to the
// change by the first stride.
func (l *lagged) nothing(distance, sum float64) bool {
	return distance <= max(1e-17*sum, noise*l.length)
}

// vanished is the size below which a difference has no digits left.
const vanished = 1e-290

// longestStretch returns the binary logarithm of the longest stretch that may be tried after the
// given number of strides, and makes powers for it while that takes no more work than the strides
// so far.
func (l *lagged) longestStretch(ctx context.Context, made int64) (k int, err error) {
	n := float64(l.chain.States())
	for l.reach == 0 && made>>len(l.jumps) >= 4 && l.work >= n*n*n*float64(len(l.jumps)) {
		var next *linear.Stochastic
		if len(l.jumps) == 0 {
			next, err = raised(ctx, linear.NewStochastic(l.chain.Rows.States(), l.chain.Rows.Row), l.lag)
		} else {
			last := l.jumps[len(l.jumps)-1]
			next = last.Empty()
			err = next.Multiply(ctx, last, last)
		}
		if err != nil {
			return 0, err
		}
		l.work += n * n * n
		l.jumps = append(l.jumps, next)
		l.contract()
	}
	return min(len(l.jumps)-1, bits.Len64(uint64(made))-3), nil
}

// contract finds the reach from the last of the jumps: the part that all states of a set share
// after it cancels in a difference.
func (l *lagged) contract() {
	m := l.jumps[len(l.jumps)-1]
	s := l.sets
	least := make([]float64, m.N)
	worst := 1.0
	for set := range s.masses {
		first := true
		for x, of := range s.of {
			if of != set && (of >= 0 || len(s.masses) > 1) {
				continue
			}
			for y, p := range m.Row(x) {
				if first {
					least[y] = p
				} else {
					least[y] = min(least[y], p)
				}
			}
			first = false
		}
		common := 0.0
		for _, p := range least {
			common += p
		}
		worst = min(worst, common)
	}
	if worst >= 0.5 {
		l.reach = math.Exp2(float64(len(l.jumps)-1)) / worst
	}
}

// stretch goes on by 2^k strides and returns how much of D is in them.
func (l *lagged) stretch(ctx context.Context, w *walker, k int) (size float64, err error) {
	n := float64(l.chain.States())
	strides := math.Exp2(float64(k))
	if one := float64(l.lag) * float64(len(l.chain.Rows.Entries)+50); k == 0 || strides*one <= 4*n*n {
		for range int64(strides) {
			size += w.stride.totalVariation()
			w.stride.moveTimes(l.lag)
			w.distance.moveTimes(l.lag)
		}
		l.work += 2 * strides * one
		l.singly += strides
		return size, ctx.Err()
	}
	half := l.jumps[k-1]
	middle := w.jumped(half)
	end := middle.jumped(half)
	l.work += 4*n*n + 2000
	if !l.turns(w, middle, end, k) {
		l.searched = true
		size = totalVariation(w.distance, end.distance)
		*w = *end
		return size, ctx.Err()
	}
	size, err = l.stretch(ctx, w, k-1)
	if err != nil || l.work > mostLagged {
		return size, err
	}
	second, err := l.stretch(ctx, w, k-1)
	return size + second, err
}

// turns reports whether samples show a turning point of a probability in a stretch.
func (l *lagged) turns(begin, middle, end *walker, k int) bool {
	strides := math.Exp2(float64(k))
	all := 2 * begin.distance.totalVariation()
	whole := totalVariation(begin.distance, end.distance)
	halves := totalVariation(begin.distance, middle.distance) + totalVariation(middle.distance, end.distance)
	if halves-whole > unseen*all || whole < strides*(end.stride.totalVariation()*(1-1e-9)-noise*l.length) {
		return true
	}
	back := func(stride *difference) bool {
		sum := 0.0
		for x, v := range stride.values {
			if change := begin.distance.values[x] - end.distance.values[x]; v*change < 0 &&
				math.Abs(v) > noise*l.length {
				sum += math.Abs(v)
			}
		}
		return sum*strides > unseen*all
	}
	n := float64(l.chain.States())
	for _, from := range []*difference{begin.stride, middle.stride, end.stride} {
		if back(from) {
			return true
		}
		for _, jump := range l.jumps[:k] { // periodic components return after one of these numbers of strides
			l.work += n * n
			if back(from.jumped(jump)) {
				return true
			}
		}
	}
	return false
}

// totalVariation returns the total variation distance of two distributions by their differences
// from a third.
func totalVariation(a, b *difference) (sum float64) {
	for x, v := range a.values {
		sum += math.Abs(v-b.values[x]) / 2
	}
	return sum
}

// jumped returns where a power of the chain leads.
func (w *walker) jumped(by *linear.Stochastic) *walker {
	return &walker{w.distance.jumped(by), w.stride.jumped(by)}
}

// lagTV returns D_L at numbers of moves that rise, or NaN and a note that says why, unless that is
// that the distribution does not tend to the target.
func (m *Law) lagTV(ctx context.Context, ts []int64) (sums []float64, note string, err error) {
	chain := m.solved.pairs.Chain
	lag := int64(m.Lag)
	nothing := slices.Repeat([]float64{math.NaN()}, len(ts))
	if m.Floor > 0 {
		return nothing, "", nil
	}
	if sums, note, err := m.lagModes(ctx, ts); err != nil || sums != nil {
		return sums, note, err
	}
	at := walker{m.solved.sets.differ(chain, m.start, chain.Target), nil}
	if m.Lag <= mostLagMoved {
		at.stride = m.solved.sets.after(chain, m.start, m.Lag)
	} else {
		later, err := chain.After(ctx, m.start, m.Lag)
		if err != nil {
			return nil, "", err
		}
		at.stride = m.solved.sets.differ(chain, m.start, later)
	}
	l := &lagged{chain: chain, sets: m.solved.sets, lag: m.Lag, length: 2 * at.stride.totalVariation()}
	searched := false
	lost := 0.0
	// What rounding leaves of the start and of each move may never get smaller: the speed of the
	// chain is not known here. It counts in each stride, and once in all stretches.
	slip := at.stride.off
	slipped := at.distance.off
	sums = make([]float64, len(ts))
	made := int64(0)
	done := make([]bool, len(ts))
	for i, t := range ts {
		if done[i] {
			continue
		}
		for ; made < t; made++ {
			if made%1024 == 0 && ctx.Err() != nil {
				return nil, "", ctx.Err()
			}
			slip, slipped = slip+ulps*at.stride.totalVariation(), slipped+ulps*at.distance.totalVariation()
			at.stride.moveTimes(1)
			at.distance.moveTimes(1)
		}
		var places []int // those that are a number of strides later
		var wanted []int64
		for j := i; j < len(ts); j++ {
			if (ts[j]-t)%lag == 0 {
				places, wanted, done[j] = append(places, j), append(wanted, (ts[j]-t)/lag), true
			}
		}
		some := make([]float64, len(places))
		l.work = 0
		l.singly = 0
		l.searched = false
		if note, err := l.addDistances(ctx, &walker{at.distance.clone(), at.stride.clone()}, t/lag, wanted,
			some); err != nil || note != "" {
			return nothing, note, err
		}
		off := l.singly * slip
		if l.searched {
			off += slipped
		}
		searched = searched || l.searched
		for j, place := range places {
			sums[place] = some[j]
			if some[j] > 0 {
				lost = max(lost, off/some[j])
			}
		}
	}
	switch {
	case lost > said:
		note = fmt.Sprintf("rounding of larger distances leaves about %.0f digits of the smallest D",
			max(0, math.Floor(-number.Log10(lost))))
	case searched:
		note = "D is summed between turning points of the probabilities found by sampling the moves; it " +
			"is not proven that there are no others"
	}
	return sums, note, nil
}

const (
	said = 1e-10   // the relative error of D that needs no note
	ulps = 0x1p-51 // the part of a distance that rounding may add to it in a move
)

// lagModes returns D_L from the modes of a reversible chain: some moves are made one by one, until
// little deviation is left at rare states, and all later ones are summed by modes. It returns nil
// if fewer than four digits remain, and if D is so small that the rounding of earlier, larger
// distances matters.
func (m *Law) lagModes(ctx context.Context, ts []int64) (sums []float64, note string, err error) {
	const few, worst = 512, 1e-4
	chain := m.solved.pairs.Chain
	modes := m.solved.spectrum
	if modes == nil {
		return nil, "", ctx.Err()
	}
	at := m.solved.sets.differ(chain, m.start, chain.Target)
	lost := 0.0
	made := int64(0)
	slowest := modes.slowest()
	slip := at.off // what rounding leaves of the start and of each move, as the slowest mode has it
	for _, t := range ts {
		for ; made < t; made++ {
			if made%1024 == 0 && ctx.Err() != nil {
				return nil, "", ctx.Err()
			}
			slip = slip*slowest + ulps*at.totalVariation()
			at.moveBoth()
		}
		w := at.clone()
		sum := 0.0
		moves := 0
		first := w.clone()
		for ; moves < few; moves++ {
			if moves > 0 && moves%m.Lag == 0 {
				sum += totalVariation(first, w)
				first = w.clone()
			}
			w.moveBoth()
		}
		later := float64((m.Lag - moves%m.Lag) % m.Lag) // until a stride ends
		left, off, all := modes.modes(w.values, later, m.Lag)
		if !all {
			return nil, "", ctx.Err()
		}
		next := modes.sumModes(left, chain.States())
		for x, v := range first.values {
			sum += math.Abs(v-next[x]) / 2
		}
		rest, more := modes.sumDistances(left)
		sum += rest
		if !(off+more <= worst*sum) || sum > 0 && slip > 1e-12*sum {
			return nil, "", ctx.Err()
		}
		sums = append(sums, sum)
		if sum > 0 {
			lost = max(lost, (off+more)/sum)
		}
	}
	if lost > said {
		note = fmt.Sprintf("rounding of the modes of the chain leaves about %.0f digits of D",
			math.Floor(-number.Log10(lost)))
	}
	return sums, note, ctx.Err()
}

// mostLagMoved is the largest lag over which the difference of two distributions is found move by
// move.
const mostLagMoved = 1000
