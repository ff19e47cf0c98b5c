package crosscheck

import (
	"fmt"
	"slices"

	"breadboard/experiments/eprocess"
)

// lags are the distances at which the chains of a call are compared. Half is half the number of chains of the call.
func lags() []int { return []int{1, 2, 3, 4, 8, half} }

const half = -1

// comparedChains is the largest number of chains of a call that are compared with each other.
const comparedChains = 1 << 14

// signature puts chains into a few classes, and holds the law of the class. Chains that are not independent show in the
// counts of pairs of classes, which have far fewer cells than pairs of states.
type signature struct {
	what string
	p    []float64
	of   func(first, last int32) int
}

// stateClasses is the number of classes of states.
const stateClasses = 8

// byState returns the signature that classes chains by one of their ends. States with consecutive numbers share a class, and
// the classes are about equally likely.
func byState(what string, p []float64, last bool) signature {
	class := make([]int, len(p))
	law := make([]float64, stateClasses)
	below := 0.0
	for x, v := range p {
		class[x] = max(0, min(stateClasses-1, int((below+v/2)*stateClasses)))
		law[class[x]] += v
		below += v
	}
	return signature{what, law, func(x, y int32) int {
		if last {
			return class[y]
		}
		return class[x]
	}}
}

// byDisplacement returns the signature that classes chains by x_T - x_1, in the numbering of the states. Each of the most
// likely distances is a class, and all others together are one.
func byDisplacement(l *pathLaw) signature {
	n := l.states
	p := make([]float64, 2*n-1)
	for at, v := range l.ends {
		p[at%n-at/n+n-1] += v
	}
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] > p[b]:
			return -1
		case p[a] < p[b]:
			return 1
		}
		return 0
	})
	class := make([]int, len(p))
	law := make([]float64, stateClasses)
	for rank, i := range order {
		class[i] = min(rank, stateClasses-1)
		law[class[i]] += p[i]
	}
	return signature{"x_T - x_1", law, func(x, y int32) int { return class[int(y-x)+n-1] }}
}

// apart compares pairs of chains of one call whose numbers differ by a lag. At each lag a chain is in one pair.
type apart struct {
	signature
	pair   []float64
	counts map[int][]int // for each lag, the number of pairs in each pair of classes
	class  []int
}

func newApart(s signature) *apart {
	a := &apart{signature: s, pair: product(s.p, s.p), counts: map[int][]int{}}
	for _, lag := range lags() {
		a.counts[lag] = make([]int, len(a.pair))
	}
	return a
}

// add takes the chains of one call.
func (a *apart) add(first, last []int32) {
	a.class = a.class[:0]
	for i := range first[:min(len(first), comparedChains)] {
		a.class = append(a.class, a.of(first[i], last[i]))
	}
	for lag, counts := range a.counts {
		if lag == half {
			lag = len(a.class) / 2
		}
		for i := 0; lag > 0 && i+lag < len(a.class); i++ {
			if i/lag%2 == 0 {
				counts[a.class[i]*len(a.p)+a.class[i+lag]]++
			}
		}
	}
}

// value returns the log e-value, which is an average over the lags.
func (a *apart) value() (float64, func() string) {
	terms := make([]float64, 0, len(a.counts))
	worst := lags()[0]
	largest := 0.0
	for i, lag := range lags() {
		e := eprocess.CountsLogE(a.counts[lag], a.pair)
		if terms = append(terms, e); i == 0 || e > largest {
			worst, largest = lag, e
		}
	}
	return eprocess.LogMean(terms), func() string {
		distance := fmt.Sprintf("%d apart", worst)
		if worst == half {
			distance = "half a call apart"
		}
		return distance + ", " + eprocess.WorstCell(a.counts[worst], a.pair, a.name)
	}
}

func (a *apart) name(cell int) string {
	return fmt.Sprintf("%s in classes %d and %d", a.what, cell/len(a.p), cell%len(a.p))
}

// across compares the i-th forward chain of a block with its i-th reverse chain.
type across struct {
	forward, reverse signature
	pair             []float64
	counts           []int
}

func newAcross(forward, reverse signature) *across {
	pair := product(forward.p, reverse.p)
	return &across{forward, reverse, pair, make([]int, len(pair))}
}

func (a *across) add(firstF, lastF, firstR, lastR []int32) {
	for i := range firstF {
		a.counts[a.forward.of(firstF[i], lastF[i])*len(a.reverse.p)+a.reverse.of(firstR[i], lastR[i])]++
	}
}

func (a *across) name(cell int) string {
	return fmt.Sprintf("%s forward in class %d, %s in reverse in class %d", a.forward.what, cell/len(a.reverse.p), a.reverse.what, cell%len(a.reverse.p))
}

func (a *across) value() (float64, func() string) { return countsValue(a.counts, a.pair, a.name)() }

// averaged joins several tests on the same draws into one. The average of their e-values is an e-value again. The test with
// the largest e-value among them says where a fault is.
func averaged(values ...func() (float64, func() string)) func() (float64, func() string) {
	return func() (float64, func() string) {
		terms := make([]float64, len(values))
		worst, where := 0, make([]func() string, len(values))
		for i, value := range values {
			if terms[i], where[i] = value(); terms[i] > terms[worst] {
				worst = i
			}
		}
		return eprocess.LogMean(terms), where[worst]
	}
}
