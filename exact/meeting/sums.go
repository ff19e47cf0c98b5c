package meeting

import (
	"context"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/exact/averages"
	"breadboard/exact/internal/linear"
)

// sums finds the first two moments of (m-k+1) H for a function with mean zero and each k from low
// to high at once. The sum is that over k' from k to m of h(X_k') and h(X_(k'+lL)) -
// h(Y_(k'+(l-1)L)) for l >= 1, if all but the first are zero once the chains have met.
//
// Its second moment is the sum over times of the mean of the term of that time, times the sum of
// itself and twice the expected future. Given the states x and y, the expected future is a
// difference of two functions of one state, since each chain by itself moves by the kernel. So all
// k need the distribution of the pair at each time only once. The terms after m repeat after L
// moves, so that they are weighted by a (I - Q^L)^-1, which is computed once too.
//
//	(m-k+1) H = sum over k' = k..m of h(X_k') + sum over l >= 1 of h(X_(k'+lL)) - h(Y_(k'+(l-1)L))
//
// Time is O(m) moves of the pairs, and O(n (m + L)) for each k.
//
// Source: Jacob, O'Leary and Atchade 2020 (the estimator H).
type sums struct {
	law             *Law
	h               []float64
	low, high, last int
	ahead           [][]float64 // number j is the sum over 1 <= i <= j of T^i h
	// number j is the sum over l >= 0 of T^(j + lL) h, up to a constant, which is the same for all
	// j
	every        [][]float64
	mean, second []float64 // by k, from low on
}

// maxSumsBytes is the most memory that functions of the states take.
const maxSumsBytes = 1 << 30

// momentsByStart returns the two moments by k.
func (m *Law) momentsByStart(ctx context.Context, h []float64,
	low, high, last int) (mean, second []float64, err error) {
	n := len(h)
	chain := m.solved.ordered.Chain
	if bytes := 8 * float64(n) * float64(2*last+m.Lag+2); bytes > maxSumsBytes {
		return nil, nil, errs.New(
			"m = %d with lag %d takes %s, and the limit is %.2g GB; give a smaller m or lag",
			last,
			m.Lag,
			errs.Memory(bytes),
			maxSumsBytes/1e9,
		)
	}
	s := &sums{
		law:    m,
		h:      h,
		low:    low,
		high:   high,
		last:   last,
		mean:   make([]float64, high-low+1),
		second: make([]float64, high-low+1),
	}
	s.ahead = append(s.ahead, make([]float64, n))
	for power := h; len(s.ahead) <= last; {
		power = pulled(chain, power)
		next := make([]float64, n)
		for x, v := range power {
			next[x] = s.ahead[len(s.ahead)-1][x] + v
		}
		s.ahead = append(s.ahead, next)
	}
	first, err := m.potential(ctx, h)
	if err != nil {
		return nil, nil, err
	}
	for s.every = [][]float64{first}; len(s.every) <= last+m.Lag; {
		s.every = append(s.every, pulled(chain, s.every[len(s.every)-1]))
	}
	alone := m.start
	for t := range m.Lag {
		if t <= last {
			s.addSoloTime(t, alone)
		}
		alone, err = chain.After(ctx, alone, 1)
		if err != nil {
			return nil, nil, err
		}
	}
	return s.mean, s.second, s.together(ctx, alone)
}

// pulled returns T v.
func pulled(chain *averages.Chain, v []float64) []float64 {
	out := make([]float64, len(v))
	chain.Rows.Pull(out, v)
	return out
}

// inner returns the mean of a function.
func inner(law, h []float64) (sum float64) {
	for x, p := range law {
		sum += p * h[x]
	}
	return sum
}

// potential returns the sum over l of T^(lL) h, up to a constant on each set that the chain does
// not leave in L moves: it is zero at the likeliest state of each. So states between which the
// chain moves often differ by numbers with digits of their own, and the systems are solved without
// a subtraction.
func (m *Law) potential(ctx context.Context, h []float64) ([]float64, error) {
	chain := m.solved.ordered.Chain
	sets := m.solved.sets
	n := chain.States()
	ground := make([]int, len(sets.masses))
	means := make([]float64, len(sets.masses))
	for x, set := range sets.of {
		if set >= 0 {
			means[set] += sets.within[x] * h[x]
			if sets.of[ground[set]] != set || sets.within[x] > sets.within[ground[set]] {
				ground[set] = x
			}
		}
	}
	place := make([]int, n)
	free := []int(nil)
	for x, set := range sets.of {
		place[x] = -1
		if set < 0 || ground[set] != x {
			place[x], free = len(free), append(free, x)
		}
	}
	moves, err := raised(ctx, linear.NewStochastic(chain.Rows.States(), chain.Rows.Row), m.Lag)
	if err != nil {
		return nil, err
	}
	inverse := eliminate(linear.NewStochastic(len(free)+1, func(i int) (row []chains.Entry) {
		if i == len(free) {
			return []chains.Entry{{To: i, P: 1}}
		}
		exit := 0.0
		for y, p := range moves.Row(free[i]) {
			if place[y] >= 0 {
				row = append(row, chains.Entry{To: place[y], P: p})
			} else {
				exit += p
			}
		}
		return append(row, chains.Entry{To: len(free), P: exit})
	}))
	up, down := make([]float64, len(free)), make([]float64, len(free))
	for i, x := range free {
		v := h[x]
		if set := sets.of[x]; set >= 0 {
			v -= means[set]
		}
		up[i], down[i] = max(0, v), max(0, -v)
	}
	up, down = inverse.solved(up, 1), inverse.solved(down, 1)
	v := make([]float64, n)
	for i, x := range free {
		if !inverse.lost[i] {
			v[x] = up[i] - down[i]
		}
	}
	return v, nil
}

// eachK calls do for each k from high to low, with the weight of the difference at a time, and the
// expected future differences by the state of each chain; beside are those of the chain Y before
// its first move.
func (s *sums) eachK(t int, do func(i int, weight float64, later []float64, beside float64)) {
	lag := s.law.Lag
	later := make([]float64, len(s.h))
	weight := 0.0
	beside := 0.0
	for k := s.last; k >= s.low; k-- {
		j := k + lag - t
		if j < 1 {
			j = (j%lag + lag) % lag
			if j == 0 {
				j = lag
				weight += 1
			}
		}
		for x, v := range s.every[j] {
			later[x] += v
		}
		if t < lag {
			beside += inner(s.law.start, s.every[k])
		}
		if k <= s.high {
			do(k-s.low, weight, later, beside)
		}
	}
}

// addSoloTime adds a time at which only X moves.
func (s *sums) addSoloTime(t int, law []float64) {
	ahead := s.ahead[s.last-t]
	s.eachK(t, func(i int, _ float64, later []float64, beside float64) {
		if i+s.low > t {
			return
		}
		for x, mass := range law {
			s.mean[i] += mass * s.h[x]
			s.second[i] += mass * s.h[x] * (s.h[x] + 2*(ahead[x]+later[x]-beside))
		}
	})
}

// together adds all times from the lag on, given the distribution of X then.
func (s *sums) together(ctx context.Context, law []float64) error {
	m := s.law
	pairs := s.law.solved.ordered
	n := len(s.h)
	a := pairs.independentPairs(law, m.start)
	next := make([]float64, len(pairs.states))
	met := make([]float64, n)
	for x := range met {
		met[x] = law[x] * m.start[x]
	}
	t := m.Lag
	for ; t <= s.last; t++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.met(t, met)
		s.addApart(t, pairs, a)
		meets := make([]float64, n)
		for x, mass := range met {
			for _, e := range pairs.Chain.Rows.Row(x) {
				meets[e.To] += mass * e.P
			}
		}
		for at, mass := range a {
			for _, e := range pairs.met[at] {
				meets[e.To] += mass * e.P
			}
		}
		pairs.push(next, a)
		a, next, met = next, a, meets
	}
	rest := s.margins(pairs, a)
	s.eachK(t, func(i int, weight float64, later []float64, _ float64) {
		s.mean[i] += weight * rest.zed
		for x, v := range later {
			s.mean[i] += (rest.first[x] - rest.second[x]) * v
		}
	})
	folded := m.solved.pairs // the square of what comes after m does not depend on the order of the two
	tail := make([]float64, len(folded.states))
	for at, xy := range pairs.states {
		tail[folded.number[int(xy[0])*n+int(xy[1])]] += a[at]
	}
	tail, err := m.leftSolve(ctx, tail)
	if err != nil {
		return err
	}
	next = make([]float64, len(tail))
	for range m.Lag {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.addApart(t, folded, tail)
		folded.push(next, tail)
		tail, next = next, tail
		t++
	}
	return nil
}

// met adds a time for chains that have met.
func (s *sums) met(t int, law []float64) {
	mean := 0.0
	second := 0.0
	ahead := s.ahead[s.last-t]
	for x, mass := range law {
		mean += mass * s.h[x]
		second += mass * s.h[x] * (s.h[x] + 2*ahead[x])
	}
	for k := s.low; k <= min(t, s.high); k++ {
		s.mean[k-s.low] += mean
		s.second[k-s.low] += second
	}
}

// margins are the sums over the distribution of the pairs at a time that all k need, with z = h(X)
// - h(Y). Sums of z, and not of h, keep the digits of pairs that nearly agree.
type margins struct {
	first, second         []float64 // the mass by the state of each chain
	firstZ, secondZ       []float64 // the mean of z there
	secondH               []float64 // the mean of h(X) by the state of Y
	h, square, cross, zed float64   // the means of h(X), h(X)^2, h(X) z and z
	zz                    float64   // that of z^2
}

func (s *sums) margins(pairs *Pairs, a []float64) *margins {
	n := len(s.h)
	m := &margins{
		first:   make([]float64, n),
		second:  make([]float64, n),
		firstZ:  make([]float64, n),
		secondZ: make([]float64, n),
		secondH: make([]float64, n),
	}
	for at, xy := range pairs.states {
		mass := a[at]
		x := xy[0]
		y := xy[1]
		if mass == 0 {
			continue
		}
		h := s.h[x]
		z := h - s.h[y]
		m.first[x] += mass
		m.second[y] += mass
		m.firstZ[x] += mass * z
		m.secondZ[y] += mass * z
		m.secondH[y] += mass * h
		m.h += mass * h
		m.square += mass * h * h
		m.cross += mass * h * z
		m.zed += mass * z
		m.zz += mass * z * z
	}
	return m
}

// addApart adds a time for chains that have not met, by the masses of the pairs. After m it adds
// only to the second moment. The term of a time is b h(X) + v z, with b one from k to m, and the
// expected future is a function of X less one of Y. So each k needs sums over the states, but not
// over the pairs.
func (s *sums) addApart(t int, pairs *Pairs, a []float64) {
	m := s.margins(pairs, a)
	ahead := s.ahead[max(0, s.last-t)]
	s.eachK(t, func(i int, v float64, later []float64, _ float64) {
		b := 0.0
		if k := i + s.low; k <= t && t <= s.last {
			b = 1
		} else if v == 0 {
			return
		}
		if t <= s.last {
			s.mean[i] += b*m.h + v*m.zed
		}
		future := 0.0
		for x, h := range s.h {
			future += (b*m.first[x]*h+v*m.firstZ[x])*(ahead[x]+later[x]) -
				(b*m.secondH[x]+v*m.secondZ[x])*later[x]
		}
		s.second[i] += b*m.square + 2*b*v*m.cross + v*v*m.zz + 2*future
	})
}

// leftSolve returns a (I - Q^L)^-1 for a distribution of pairs. For a lag above one that is a (I -
// Q)^-1 (I + Q + ... + Q^(L-1))^-1, of which the second is solved by iteration: it is near I - (1 -
// 1/L) Q, if nothing cancels if chains meet late.
func (m *Law) leftSolve(ctx context.Context, a []float64) ([]float64, error) {
	if e, is := m.systems.(*elimination); is {
		return e.left(ctx, a)
	}
	u, err := m.solved.systems.left(ctx, a)
	if m.Lag == 1 || err != nil {
		return u, err
	}
	pairs := m.solved.pairs
	part := 1 - 1/float64(m.Lag)
	moved := make([]float64, len(a))
	next := make([]float64, len(a))
	return refined(func(dst, v []float64) error {
		copy(dst, v)
		copy(moved, v)
		for range m.Lag - 1 {
			pairs.push(next, moved)
			moved, next = next, moved
			for at, mass := range moved {
				dst[at] += mass
			}
		}
		return ctx.Err()
	}, func(dst, v []float64) error {
		pairs.push(dst, v)
		for at, mass := range v {
			dst[at] = mass - part*dst[at]
		}
		return nil
	}, u)
}
