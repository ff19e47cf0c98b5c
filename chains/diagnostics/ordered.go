package diagnostics

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"breadboard/chains/work"
)

// Ordered are draws with their order, which all rank-based diagnostics share.
type Ordered struct {
	draws  Draws
	all    []placed // all draws, ascending
	halves []placed // without the middle draws of odd chains, which split chains leave out
	// the normal quantiles of the lower half of the ranks, as far as they are known; 0 means
	// unknown
	z    []float64
	bulk Draws // the normal quantiles of the ranks, once they are asked for
}

// placed is a draw, and its number among all, chain after chain.
type placed struct {
	value float64
	at    int32
}

// Order returns the draws with their order. It fails if they are invalid. Time is O(K N) for K
// chains of N draws, and memory about 40 bytes a draw.
func Order(d Draws) (*Ordered, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	o := &Ordered{draws: d, all: work.Slice[placed](d.size())[:0], z: work.Slice[float64](d.size()/2 + 1)}
	for _, chain := range d {
		for _, v := range chain {
			o.all = append(o.all, placed{v, int32(len(o.all))})
		}
	}
	o.all = ascending(o.all)
	o.halves = o.all
	if n := len(d[0]); n%2 == 1 {
		o.halves = nil
		for _, p := range o.all {
			if int(p.at)%n != n/2 {
				o.halves = append(o.halves, p)
			}
		}
	}
	return o, nil
}

// digit is how many bits of a number are sorted by at once.
const digit = 11

// ascending returns the draws in ascending order, by their bits, the last ones first. It takes what
// it is given as memory.
func ascending(at []placed) []placed {
	next := work.Slice[placed](len(at))
	const digits = (64 + digit - 1) / digit
	var begins [digits][1<<digit + 1]int32
	for i := range at {
		k := key(at[i].value)
		for d := range begins {
			begins[d][k&(1<<digit-1)+1]++
			k >>= digit
		}
	}
	for d := range begins {
		first := &begins[d]
		shift := d * digit
		for i := 1; i < len(first); i++ {
			first[i] += first[i-1]
		}
		for _, p := range at {
			k := key(p.value) >> shift & (1<<digit - 1)
			next[first[k]] = p
			first[k]++
		}
		at, next = next, at
	}
	return at
}

// key returns a whole number that is larger for a larger number, and the same for both zeros.
func key(v float64) uint64 {
	bits := math.Float64bits(v + 0)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

// ESSBulk returns the effective sample size of split chains whose draws are replaced by the normal
// quantiles of their ranks, so that it exists without a variance.
func (o *Ordered) ESSBulk() float64 { return o.ranked().splitHalves().ess() }

// ESSTail returns the lesser of the effective sample sizes, in split chains, of two indicators:
// that a draw is at most the 5% quantile of all draws, and that it is at most their 95% quantile.
// It is NaN if one of them is constant on the split chains, as often happens with draws of few
// values: if no draw is above the 95% quantile, that tail is unknown.
//
// Source: Vehtari, Gelman, Simpson, Carpenter and Buerkner 2021, section 4.3, and ess_tail of R's
// package posterior, which says NA there.
func (o *Ordered) ESSTail() float64 {
	low, high := o.belowQuantile(1).splitHalves(), o.belowQuantile(19).splitHalves()
	if low.Constant() || high.Constant() {
		return math.NaN()
	}
	return min(low.ess(), high.ess())
}

// belowQuantile returns whether each draw is at most the quantile of the given number of twentieths
// of all draws. The quantile lies between the order statistic at the floor of (S - 1) times its
// level and the next one, so that the former separates the same draws.
func (o *Ordered) belowQuantile(twentieths int) Draws {
	most := o.all[(len(o.all)-1)*twentieths/20].value
	return o.draws.mapped(func(v float64) float64 {
		if v <= most {
			return 1
		}
		return 0
	})
}

// RHatRank returns the larger R-hat of two: of the normal quantiles of the ranks in split chains,
// and of the same for the distances from the median, which tells chains apart that differ only in
// their spread. If the distances are all equal the former is returned.
//
// Source: Vehtari et al. 2021, section 4.
func (o *Ordered) RHatRank() float64 {
	bulk := o.ranked().splitHalves().rhat()
	if spread := o.normal(o.folded()).splitHalves().rhat(); spread > bulk {
		return spread
	}
	return bulk
}

// ranked returns the normal quantile of (r - 3/8)/(S + 1/4) instead of each draw, with r its rank
// among all S draws of split chains. Equal draws have the mean of their ranks.
//
// Source: Blom 1958; Vehtari et al. 2021, Eq. 14.
func (o *Ordered) ranked() Draws {
	if o.bulk == nil {
		o.bulk = o.normal(o.halves)
	}
	return o.bulk
}

// folded returns the distance of each draw from the median of all, in ascending order: from the
// middle to both sides, the nearer one first. Draws are scaled, so that no difference overflows.
func (o *Ordered) folded() []placed {
	exponent := o.draws.exponent()
	h := o.halves
	out := work.Slice[placed](len(h))[:0]
	value := func(i int) float64 { return math.Ldexp(h[i].value, -exponent) }
	if unit := math.Ldexp(1, -exponent); exponent > -1000 && exponent < 1000 { // the power itself is a number
		value = func(i int) float64 { return h[i].value * unit }
	}
	right := len(h) / 2
	left := right - 1
	median := (value((len(h)-1)/2) + value(right)) / 2
	for left >= 0 || right < len(h) {
		below := math.Inf(1)
		above := math.Inf(1)
		if left >= 0 {
			below = median - value(left)
		}
		if right < len(h) {
			above = value(right) - median
		}
		if below < above {
			out = append(out, placed{below, h[left].at})
			left--
		} else {
			out = append(out, placed{above, h[right].at})
			right++
		}
	}
	return out
}

// normal returns the normal quantiles of the ranks of draws that are given in ascending order, by
// their places.
func (o *Ordered) normal(ascending []placed) Draws {
	out, flat := o.draws.zeros()
	for i, end := 0, 0; i < len(ascending); i = end {
		for end = i + 1; end < len(ascending) && ascending[end].value == ascending[i].value; {
			end++
		}
		z := o.quantile(i + 1 + end)
		for _, tied := range ascending[i:end] {
			flat[tied.at] = z
		}
	}
	return out
}

// quantile returns the normal quantile of twice a rank. Ranks that are as far from either end have
// quantiles of the same size.
func (o *Ordered) quantile(twice int) float64 {
	size := len(o.halves)
	other := 2*(size+1) - twice
	switch {
	case twice == other:
		return 0
	case twice > other:
		return -o.quantile(other)
	}
	known := &o.z[twice/2]
	if twice%2 == 1 {
		known = new(float64) // ties have ranks between whole numbers
	}
	if *known == 0 {
		*known = mathext.NormalQuantile((float64(twice)/2 - 3./8) / (float64(size) + 1./4))
	}
	return *known
}
