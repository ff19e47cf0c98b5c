package smc

import (
	"breadboard/chains/number"
	"math"
)

// countSpace are the ways in which so many particles can be of each of some types: their multisets, which are numbered. The number
// of the multiset of the types a_1 <= ... <= a_N is the sum over i of the binomial coefficient of a_i + i - 1 over i.
type countSpace struct {
	particles, types int
	over             [][]int // over[i][a] is the binomial coefficient of a + i - 1 over i
}

// multisetsOf returns the number of multisets of so many particles over so many types. Beyond 2^53 it is rounded.
func multisetsOf(particles, types int) float64 {
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

// size returns the number of multisets.
func (s *countSpace) size() int {
	if s.particles == 0 {
		return 1
	}
	return s.over[s.particles][s.types]
}

// each calls f with every multiset over some of the types, which are given in increasing order: its number, and the places in that list
// of the types that it has, with their counts. f must not keep the slices. Time is O(particles) for each multiset.
func (s *countSpace) each(types []int, f func(number int, places, counts []int)) {
	var places, counts []int
	var fill func(from, left, number int)
	fill = func(from, left, number int) {
		if left == 0 {
			f(number, places, counts)
			return
		}
		for k := from; k < len(types); k++ {
			places, counts = append(places, k), append(counts, 0)
			sum, last := number, len(counts)-1
			for n := 1; n <= left; n++ {
				sum += s.over[s.particles-left+n][types[k]]
				counts[last] = n
				if n == left || k+1 < len(types) {
					fill(k+1, left-n, sum)
				}
			}
			places, counts = places[:last], counts[:last]
		}
	}
	fill(0, s.particles, 0)
}

// multinomial is the law of the counts of so many independent draws. Its memory is reused.
type multinomial struct {
	space  *countSpace
	powers [][]float64
	logs   []float64
}

// law calls f with the number and the probability of every multiset that draws from a law over the types may give: p[k] is the
// probability of types[k], which are in increasing order.
func (m *multinomial) law(types []int, p []float64, f func(number int, probability float64)) {
	N := m.space.particles
	for len(m.powers) < len(types) {
		m.powers = append(m.powers, make([]float64, N+1))
	}
	m.logs = m.logs[:0]
	for k, v := range p {
		for n := range N + 1 {
			m.powers[k][n] = math.Pow(v, float64(n))
		}
		m.logs = append(m.logs, math.Log(v))
	}
	m.space.each(types, func(number int, places, counts []int) {
		left, probability := N, 1.0
		for i, n := range counts {
			probability *= binomialCoefficient(left, n) * m.powers[places[i]][n]
			left -= n
		}
		// Beyond what float64 holds the logarithms take over; they keep fewer digits.
		if !(probability > 1e-250 && probability < 2) {
			probability = m.byLogs(places, counts)
		}
		if probability > 0 {
			f(number, probability)
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
