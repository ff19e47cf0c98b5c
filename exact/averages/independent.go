package averages

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// maxIndependentWork is the largest number of products that IndependentKS may take: some seconds.
const maxIndependentWork = 1e10

// IndependentKS returns the moments of the Kolmogorov-Smirnov distance of n independent draws from
// the target. R of that distance is N E[KS^2]. It fails if that takes too long, and if the context
// ends. Progress, which may be nil, is called with about the completed fraction.
//
// KS is at most d if and only if the number S_j of draws at level j or below is within n d of n
// F_j, for all levels. The S_j have the distribution of sums of independent Poisson variables with
// means n P(level j), given that the last sum is n. So a recursion over the levels gives P(KS > d),
// the probability of leaving the bands. While n d goes from one whole number to the next, the band
// of each level gets wider by one number at either end, one level after another, in the same order
// each time. The recursion runs from both ends of the levels to the middle, and shares a sum among
// all distances at which the bands on its side are the same: L^2/2 sums instead of 2 L^2. All terms
// are positive, and the omitted terms are below rounding. With L levels it takes about 200 (L
// n)^(3/2) products.
//
// Source: Turner and Neal 2017, section 4.6 (R).
func (f *Function) IndependentKS(ctx context.Context, n int, progress func(part float64)) (KS, error) {
	if n < 1 {
		return KS{}, errs.New("the distance of %d draws; give a number from 1 on", n)
	}
	if work := f.IndependentKSWork(n); work > maxIndependentWork {
		return KS{},
			errs.New("the distance of %d independent draws at %d levels takes %.3g products, and at most %.3g "+
				"are made; take fewer draws, or a function of fewer levels",
				n, len(f.Levels.Values), work, float64(maxIndependentWork))
	}
	d := f.draws(n)
	size := float64(n)
	var mean, square number.Sum
	for k := range n {
		if ctx.Err() != nil {
			return KS{}, ctx.Err()
		}
		if progress != nil { // the bands grow with k, which ends if exp(-2 k^2/n) is rounding
			progress(float64(k*k) / min(20*size, size*size))
		}
		beyond := d.beyond(k)
		for v, p := range beyond {
			low, high := d.offset(v-1), d.offset(v)
			mean.Add(p * (high - low) / size)
			square.Add(p * (high - low) * (2*float64(k) + low + high) / size / size)
		}
		// The remaining terms add at most the last probability, and by the inequality of Dvoretzky,
		// Kiefer and Wolfowitz, whose factor 2 is Massart's (1990), at most exp(-2 n d^2)/n to the
		// square and 1/(2 d) times as much to the mean, with n d = k + 1.
		rest := math.Exp(-2 * float64(k+1) * float64(k+1) / size)
		if last := beyond[len(beyond)-1]; min(last, rest/size) < unit/16*square.Value() &&
			min(last, rest/float64(2*(k+1))) < unit/16*mean.Value() {
			break
		}
	}
	return KS{mean.Value(), square.Value()}, nil
}

// IndependentKSWork returns about how many products IndependentKS makes, about 1e9 a second.
func (f *Function) IndependentKSWork(n int) float64 {
	return 200 * math.Pow(float64(len(f.Levels.Values)-1)*float64(n), 1.5)
}

// draws are independent draws from the levels of a function. The last level has no band, as all
// draws are at it or below.
type draws struct {
	n      int
	levels []drawn // all but the last
	events []event // in ascending order; after the first v of them the bands are those of version v
	whole  float64 // the probability that the total number is n
	room   [4]room // for the levels in turn, from the first on and from the last
}

// drawn holds the probabilities of the draws at a level.
type drawn struct {
	below int // the largest number S_j at most n F_j
	// the probabilities of fewest, fewest + 1, ... at the level itself, if the numbers are Poisson
	// variables
	share    []float64
	fewest   int
	rest     []float64 // rest[c] is the probability that the numbers at all levels above together are c
	down, up int       // the first versions in which the band has got its new number below, and above
	low      int       // all numbers S_j below low together, and all above high, have negligible probability
	high     int
}

// event is when the band of a level gets a new number: how far n d is then from the whole number
// before it.
type event struct {
	offset float64
	level  int
	up     bool
}

// draws prepares n draws.
func (f *Function) draws(n int) *draws {
	d := &draws{n: n, whole: poisson(float64(n), n)[n]}
	below := f.below()
	above := f.above()
	least := 0.0
	for j, share := range below[:len(below)-1] {
		least = max(least, share*above[j]/float64(n)) // a lower bound on E[KS^2]: the variance of any share
	}
	for j, share := range below[:len(below)-1] {
		// The lesser of the two shares keeps its digits if the other is nearly one.
		at := float64(n) * min(share, above[j])
		whole := math.Floor(at)
		l := drawn{below: int(whole)}
		part := at - whole
		down := part
		up := 1 - part
		if share > above[j] {
			l.below, down, up = n-1-l.below, up, down
		}
		l.rest = poisson(float64(n)*above[j], n)
		little := unit / 32 * least / float64(len(below)) // of probability
		l.share, l.fewest = within(poisson(float64(n)*f.Masses[j], n), little)
		sums := poisson(float64(n)*share, n)
		for s := range sums {
			sums[s] *= l.rest[n-s] / d.whole
		}
		sums, l.low = within(sums, little)
		l.high = l.low + len(sums) - 1
		d.levels = append(d.levels, l)
		d.events = append(d.events, event{down, j, false}, event{up, j, true})
	}
	slices.SortStableFunc(d.events, func(a, b event) int { return cmp.Compare(a.offset, b.offset) })
	for i, e := range d.events {
		if e.up {
			d.levels[e.level].up = i + 1
		} else {
			d.levels[e.level].down = i + 1
		}
	}
	return d
}

// within returns probabilities without the ends that together are less than a number, and where
// they begin. They are those of a binomial or a Poisson variable. A binomial variable of the same
// mean has no greater probability in the ends of the latter, if they begin at least one from the
// mean.
//
// Source: Anderson and Samuels 1967 (the tails of the two).
func within(p []float64, less float64) (kept []float64, first int) {
	mode := slices.Index(p, slices.Max(p))
	last := len(p) - 1
	total := 0.0
	for ; first < mode-1 && total+p[first] < less/2; first++ {
		total += p[first]
	}
	for total = 0; last > mode+2 && total+p[last] < less/2; last-- {
		total += p[last]
	}
	return p[first : last+1], first
}

// poisson returns the probabilities of 0 to n of a Poisson variable of a mean up to n. They are
// computed from the most probable number on, by ratios of neighbours, and divided by their sum. So
// they keep their digits, which a formula with factorials would lose.
func poisson(mean float64, n int) []float64 {
	p := make([]float64, n+1)
	mode := int(mean)
	p[mode] = 1
	var total number.Sum
	for c := mode; c > 0; c-- {
		p[c-1] = p[c] * float64(c) / mean
		total.Add(p[c-1])
	}
	for c, v := mode, 1.0; c < n || v > 0x1p-80; c++ { // beyond n too, because these count in the sum
		total.Add(v)
		v *= mean / float64(c+1)
		if c+1 <= n {
			p[c+1] = v
		}
	}
	for c := range p {
		p[c] /= total.Value()
	}
	return p
}

// offset returns where a version ends, from the whole number before it. Before the first version
// that is zero, and after the last one.
func (d *draws) offset(v int) float64 {
	switch {
	case v < 0:
		return 0
	case v == len(d.events):
		return 1
	}
	return d.events[v].offset
}

// band returns the least and the largest number in the widest of the bands of a level while n d is
// from k to k + 1, that of the last version, without numbers that are too improbable.
func (d *draws) band(j, k int) (low, high int) {
	l := &d.levels[j]
	return max(l.low, l.below-k), min(l.high, l.below+1+k)
}

// piece holds the probabilities at a level for a range of versions that have the same bands so far.
type piece struct {
	from, to int
	first    int       // the sum that the first value is of
	values   []float64 // for each sum
	left     float64   // the probability to have left a band
}

// beyond returns the probability that KS is above d in each version while n d is from k to k + 1.
func (d *draws) beyond(k int) []float64 {
	out := make([]float64, len(d.events)+1)
	if len(d.levels) == 0 {
		return out
	}
	middle := (len(d.levels) - 1) / 2
	begun := []piece{{to: len(out), values: []float64{1}}}
	for j := range middle + 1 {
		begun = d.forward(begun, j, k)
	}
	ended := []piece{{to: len(out)}}
	for j := len(d.levels) - 1; j > middle; j-- {
		ended = d.backward(ended, j, k)
	}
	for _, e := range ended {
		for _, b := range begun {
			if from, to := max(b.from, e.from), min(b.to, e.to); from < to {
				total := b.left
				if middle+1 < len(d.levels) {
					total += floats.Dot(b.values, e.values[b.first-e.first:][:len(b.values)])
				}
				for v := from; v < to; v++ {
					out[v] = total / d.whole
				}
			}
		}
	}
	return out
}

// forward takes the probabilities of the sums up to the level before j to those of the sums up to
// level j.
func (d *draws) forward(begun []piece, j, k int) (out []piece) {
	l := &d.levels[j]
	room := &d.room[j&1]
	low, high := d.band(j, k)
	from, to := 0, 0 // the sums up to the level before
	if j > 0 {
		from, to = d.band(j-1, k)
	}
	away := d.leaving(j, from, to, low, high)
	room.used = 0
	for _, b := range begun {
		b.left += floats.Dot(b.values, away[b.first-from:][:len(b.values)])
		next := room.zeros(high - low + 1)
		for c, p := range l.share {
			add := b.first + l.fewest + c - low // where the first value goes
			if src := b.values[min(max(0, -add), len(b.values)):]; max(add, 0) < len(next) {
				dst := next[max(add, 0):]
				length := min(len(src), len(dst))
				floats.AddScaled(dst[:length], p, src[:length])
			}
		}
		out = d.cut(out, b, j, k, func(b piece, lacksLow, lacksHigh bool) piece {
			b.first = low
			b.values = next
			if lacksLow {
				b.left += b.values[0] * l.rest[d.n-low]
				b.first = low + 1
				b.values = b.values[1:]
			}
			if last := len(b.values) - 1; lacksHigh {
				b.left += b.values[last] * l.rest[d.n-high]
				b.values = b.values[:last]
			}
			return b
		})
	}
	return out
}

// backward takes the probabilities to leave a band above level j, given each sum up to it, to those
// to leave one from level j on, given each sum up to the level before. In either the last sum is n
// too. Those of the last level are nil, which stands for zeros.
func (d *draws) backward(ended []piece, j, k int) (out []piece) {
	l := &d.levels[j]
	room := &d.room[2+(j&1)]
	low, high := d.band(j, k)
	from, to := d.band(j-1, k)
	away := d.leaving(j, from, to, low, high)
	room.used = 0
	for _, e := range ended {
		out = d.cut(out, e, j, k, func(e piece, lacksLow, lacksHigh bool) piece {
			values := room.zeros(high - low + 1)
			copy(values, e.values)
			if lacksLow {
				values[0] = l.rest[d.n-low]
			}
			if lacksHigh {
				values[len(values)-1] = l.rest[d.n-high]
			}
			e.first, e.values = from, room.zeros(to-from+1)
			copy(e.values, away)
			for c, p := range l.share {
				add := low - l.fewest - c - from // where the first value goes
				if src := values[min(max(0, -add), len(values)):]; max(add, 0) < len(e.values) {
					dst := e.values[max(add, 0):]
					length := min(len(src), len(dst))
					floats.AddScaled(dst[:length], p, src[:length])
				}
			}
			return e
		})
	}
	return out
}

// cut divides a piece at the versions where the band of a level gets wider, and appends the
// results. becomes makes each part. lacksLow says that the least number of the widest band is not
// yet in the part, and lacksHigh that the largest one is not.
func (d *draws) cut(out []piece, p piece, j, k int,
	becomes func(p piece, lacksLow, lacksHigh bool) piece) []piece {
	l := &d.levels[j]
	low, high := d.band(j, k)
	down := 0
	up := 0
	if l.below-k == low {
		down = l.down
	}
	if l.below+1+k == high {
		up = l.up
	}
	at := p.from
	end := p.to
	for _, next := range [...]int{min(down, up), max(down, up), end} {
		next = min(next, end)
		if next > at {
			p.from, p.to = at, next
			out = append(out, becomes(p, at < down, at < up))
			at = next
		}
	}
	return out
}

// leaving returns, for each sum up to the level before j, the probability that the sum up to level
// j is not from low to high, and the last one is n.
func (d *draws) leaving(j, from, to, low, high int) []float64 {
	l := &d.levels[j]
	out := make([]float64, to-from+1)
	for i := range out {
		s := from + i + l.fewest // the sum with the fewest at this level
		for c := range min(low-s, len(l.share)) {
			out[i] += l.share[c] * l.rest[d.n-s-c]
		}
		for c := max(0, high+1-s); c < len(l.share) && s+c <= d.n; c++ {
			out[i] += l.share[c] * l.rest[d.n-s-c]
		}
	}
	return out
}

// room is reused memory.
type room struct {
	all  []float64
	used int
}

// zeros returns n zeros.
func (r *room) zeros(n int) []float64 {
	if r.used+n > len(r.all) {
		// what was taken before stays in the old memory
		r.all = make([]float64, max(2*len(r.all), 1<<12, n))
		r.used = 0
	}
	out := r.all[r.used:][:n:n]
	r.used += n
	clear(out)
	return out
}
