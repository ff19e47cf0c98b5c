package smc

import (
	"context"
	"math"

	"breadboard/chains/number"
)

// With n_x particles in state x and the weights w = p_t/p_{t-1}, a stage multiplies Zhat/Z by sum_x
// n_x w_x/P, and draws each particle of the next, independently of the others, from
//
//	m(y) = sum_x n_x w_x T(x,y) / sum_x n_x w_x.
//
// So the counts are a Markov chain with multinomial rows. A stage takes O(C^2) for the C = P + 1
// counts of two states, or (P+1)(P+2)/2 of three.

// mostCounts is the number of ways to put the particles into two or three states above which their
// distribution is not propagated: a stage goes from each of them to each.
const mostCounts = 1 << 13

// counts is the distribution of how many particles are in each state, two or three of them,
// resampled by the multinomial scheme. The particles of the next stage are independent draws from
// one distribution, given those of this one: the mean of the weighted particles, moved. So a stage
// is resampled and moved in one step, when the distribution is needed.
type counts struct {
	n, size int
	at      [][3]int    // the counts, by place
	law     [][]float64 // by column
	// Between weighing and the next look at the distribution: by place, what its columns have
	// become and the distribution from which the particles are drawn.
	tilted  [][maxColumns]float64
	means   [][3]float64
	pending bool
	// Memory of draw: by place the probability, and that of the numbers in the first and in the
	// second state.
	drawn         []float64
	first, second []float64
}

func newCounts(n, size int) *counts { return &counts{n: n, size: size} }

func (*counts) method() Method { return MethodCounts }

func (e *counts) drawFirst(p []float64, columns int) {
	for a := 0; a <= e.size; a++ {
		for b := 0; a+b <= e.size; b++ {
			c := e.size - a - b
			if e.n == 2 && c > 0 || e.n == 1 && b+c > 0 {
				continue
			}
			e.at = append(e.at, [3]int{a, b, c})
		}
	}
	places := len(e.at)
	e.means = make([][3]float64, places)
	e.tilted = make([][maxColumns]float64, places)
	e.drawn = make([]float64, places)
	e.first = make([]float64, e.size+1)
	e.second = make([]float64, e.size+1)
	e.law = make([][]float64, columns)
	var mean [3]float64
	copy(mean[:], p)
	e.writeCounts(mean)
	for j := range e.law {
		e.law[j] = make([]float64, places)
		if j != derivative {
			copy(e.law[j], e.drawn)
		}
	}
}

func (e *counts) resample(w *weighing, c *account) {
	e.drawParticles()
	e.pending = true
	for i, at := range e.at {
		var total, rise float64
		var mean [3]float64
		for x := range e.n {
			mean[x] = float64(at[x]) * w.w[x]
			total += mean[x]
			rise += float64(at[x]) * w.rise[x]
		}
		v := &e.tilted[i]
		*v = [maxColumns]float64{}
		for j, law := range e.law {
			v[j] = law[i]
		}
		if !c.tilt(v, total/float64(e.size), rise/float64(e.size)) {
			*v = [maxColumns]float64{}
			continue
		}
		for x := range mean {
			mean[x] /= total
		}
		e.means[i] = mean
	}
}

func (e *counts) moveParticles(_ context.Context, t *transition, _ func(int, func(int))) {
	for i := range e.means {
		var next [3]float64
		t.push(next[:e.n], e.means[i][:e.n])
		e.means[i] = next
	}
}

// drawParticles draws the particles.
func (e *counts) drawParticles() {
	if !e.pending {
		return
	}
	e.pending = false
	for _, law := range e.law {
		clear(law)
	}
	for i, mean := range e.means {
		v := &e.tilted[i]
		if *v == [maxColumns]float64{} {
			continue
		}
		e.writeCounts(mean)
		for j, law := range e.law {
			for to, p := range e.drawn {
				law[to] += v[j] * p
			}
		}
	}
}

// writeCounts writes the distribution of the counts of independent draws from a distribution on the
// states, which need not sum to one exactly.
func (e *counts) writeCounts(mean [3]float64) {
	binomialLaw(e.first, mean[0], mean[1]+mean[2])
	place := 0
	for a, p := range e.first {
		rest := e.size - a
		switch {
		case e.n == 1 && rest > 0:
			continue
		case e.n < 3:
			e.drawn[place] = p
			place++
			continue
		}
		q := e.second[:rest+1]
		binomialLaw(q, mean[1], mean[2])
		for _, v := range q {
			e.drawn[place] = p * v
			place++
		}
	}
}

// binomialLaw writes the distribution of the number of successes in len(dst) - 1 trials, whose
// probabilities of success and of failure are as p to q. It goes from the likeliest number to both
// sides, so that every probability has its digits.
func binomialLaw(dst []float64, p, q float64) {
	n := len(dst) - 1
	clear(dst)
	switch {
	case p == 0:
		dst[0] = 1
		return
	case q == 0:
		dst[n] = 1
		return
	}
	mode := min(n, int(float64(n+1)*(p/(p+q))))
	dst[mode] = 1
	total := 1.0
	for k := mode; k < n; k++ {
		dst[k+1] = dst[k] * (float64(n-k) / float64(k+1)) * (p / q)
		total += dst[k+1]
	}
	for k := mode; k > 0; k-- {
		dst[k-1] = dst[k] * (float64(k) / float64(n-k+1)) * (q / p)
		total += dst[k-1]
	}
	for k := range dst {
		dst[k] /= total
	}
}

func (e *counts) outputs() [][]float64 {
	e.drawParticles()
	out := make([][]float64, len(e.law))
	for j, law := range e.law {
		out[j] = make([]float64, e.n)
		for i, v := range law {
			for x := range e.n {
				out[j][x] += v * float64(e.at[i][x]) / float64(e.size)
			}
		}
	}
	return out
}

// countSpace numbers the multisets of types of a number of particles. The number of the multiset of
// the types a_1 <= ... <= a_N is the sum over i of the binomial coefficient of a_i + i - 1 over i.
type countSpace struct {
	particles, types int
	over             [][]int // over[i][a] is the binomial coefficient of a + i - 1 over i
}

// Multisets returns the number of multisets of the given number of particles over the given
// number of types. Beyond 2^53 it is rounded.
func Multisets(particles, types int) float64 {
	if particles == 0 {
		return 1
	}
	if types == 0 {
		return 0
	}
	return math.Round(binomialCoefficient(types+particles-1, particles))
}

func newCountSpace(particles, types int) *countSpace {
	s := &countSpace{particles: particles, types: types, over: make([][]int, particles+1)}
	for i := range s.over {
		s.over[i] = make([]int, types+1)
		for a := range s.over[i] {
			switch {
			case i == 0:
				s.over[i][a] = 1
			case a > 0:
				s.over[i][a] = s.over[i][a-1] + s.over[i-1][a]
			}
		}
	}
	return s
}

// between returns the term of particles from+1 to to, all of one type, in the number of a multiset:
// the sum of over[i][kind] for these i, by the hockey-stick identity.
func (s *countSpace) between(from, to, kind int) int {
	return s.over[to][kind+1] - s.over[from][kind+1]
}

// size returns the number of multisets.
func (s *countSpace) size() int {
	if s.particles == 0 {
		return 1
	}
	return s.over[s.particles][s.types]
}

// eachMultiset calls f with every multiset over some of the types, which are given in increasing
// order: its number, and the places in that list of the types that it has, with their counts. f
// must not keep the slices.
func (s *countSpace) eachMultiset(types []int, f func(number int, places, counts []int)) {
	none := func(int, int, int) float64 { return 1 }
	s.products(types, none, func(number int, places, counts []int, _ float64) { f(number, places, counts) })
}

// products is each with the product of a factor for each type that a multiset has: of how many
// particles are left for it and the types behind it, of its place, and of its count. Time is O(1)
// for each multiset, on average.
func (s *countSpace) products(types []int, factor func(left, place, n int) float64,
	f func(number int, places, counts []int, product float64)) {
	places := make([]int, 0, len(types))
	counts := make([]int, 0, len(types))
	var fill func(from, left, number int, product float64)
	// pair is fill for the last two types, in the same order: it has most of the multisets.
	pair := func(k, left, number int, product float64) {
		before := s.particles - left
		placed := places
		counted := counts
		for n := 1; n < left; n++ {
			places, counts = append(placed, k, k+1), append(counted, n, left-n)
			at := number + s.between(before, before+n, types[k]) +
				s.between(before+n, s.particles, types[k+1])
			f(at, places, counts, product*factor(left, k, n)*factor(left-n, k+1, left-n))
		}
		for last := range 2 {
			places, counts = append(placed, k+last), append(counted, left)
			f(number+s.between(before, s.particles, types[k+last]), places, counts,
				product*factor(left, k+last, left))
		}
		places = placed
		counts = counted
	}
	fill = func(from, left, number int, product float64) {
		if left == 0 {
			f(number, places, counts, product)
			return
		}
		if from+2 == len(types) {
			pair(from, left, number, product)
			return
		}
		before := s.particles - left
		for k := from; k < len(types); k++ {
			places, counts = append(places, k), append(counts, 0)
			last := len(counts) - 1
			least := 1
			if k+1 == len(types) {
				least = left
			}
			for n := least; n <= left; n++ {
				counts[last] = n
				fill(k+1, left-n, number+s.between(before, before+n, types[k]), product*factor(left, k, n))
			}
			places = places[:last]
			counts = counts[:last]
		}
	}
	fill(0, s.particles, 0, 1)
}

// multisetNumber returns the number of the multiset with the given counts of each type.
func (s *countSpace) multisetNumber(counts []int) int {
	sum := 0
	all := 0
	for k, n := range counts {
		sum += s.between(all, all+n, k)
		all += n
	}
	return sum
}

// multinomial is the distribution of the counts of independent draws. Its memory is reused.
type multinomial struct {
	space  *countSpace
	powers [][]float64
	logs   []float64
	choose *binomials
}

// binomials keeps binomial coefficients by their upper number. Each row is made when it is first
// needed.
type binomials struct{ rows [][]float64 }

// mostChosen is the largest upper number of which coefficients are kept: 4 MB of them.
const mostChosen = 1000

// coefficient returns binomialCoefficient(n, k), which is computed once for the same numbers.
func (b *binomials) coefficient(n, k int) float64 {
	if n < len(b.rows) && b.rows[n] != nil {
		return b.rows[n][k]
	}
	return b.compute(n, k)
}

func (b *binomials) compute(n, k int) float64 {
	if n > mostChosen {
		return binomialCoefficient(n, k)
	}
	for len(b.rows) <= n {
		b.rows = append(b.rows, nil)
	}
	for k := range n + 1 {
		b.rows[n] = append(b.rows[n], binomialCoefficient(n, k))
	}
	return b.rows[n][k]
}

// eachMultiset calls f, like each, with every multiset of draws from a distribution over the types,
// and with its probability: p[k] is the probability of types[k], which are in increasing order.
func (m *multinomial) eachMultiset(types []int, p []float64,
	f func(number int, places, counts []int, probability float64)) {
	N := m.space.particles
	for len(m.powers) < len(types) {
		m.powers = append(m.powers, make([]float64, N+1))
	}
	m.logs = m.logs[:0]
	for k, v := range p {
		for n := range N + 1 {
			m.powers[k][n] = math.Pow(v, float64(n))
		}
		m.logs = append(m.logs, number.Log(v))
	}
	factor := func(left, place, n int) float64 {
		if n == left {
			return m.powers[place][n]
		}
		return m.choose.coefficient(left, n) * m.powers[place][n]
	}
	m.space.products(types, factor, func(number int, places, counts []int, probability float64) {
		// Beyond what float64 holds the logarithms take over; they keep fewer digits.
		if !(probability > 1e-250 && probability < 2) {
			probability = m.byLogs(places, counts)
		}
		if probability > 0 {
			f(number, places, counts, probability)
		}
	})
}

// byLogs returns the probability of a multiset.
func (m *multinomial) byLogs(places, counts []int) float64 {
	sum := number.LogFactorial(float64(m.space.particles))
	for i, n := range counts {
		sum += float64(n)*m.logs[places[i]] - number.LogFactorial(float64(n))
	}
	return math.Exp(sum)
}

// binomialCoefficient returns a binomial coefficient, rounded once for each factor.
func binomialCoefficient(n, k int) float64 {
	k = min(k, n-k)
	v := 1.0
	for i := 1; i <= k; i++ {
		v = v * float64(n-k+i) / float64(i)
	}
	return v
}
