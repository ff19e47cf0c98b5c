package program

import "math"

// Points is the law of the total of a process, value by value, in increasing order. Totals are added up in float64, as Run
// adds them, and those that are equal are one value. So is a total that is above a value by the grain at most, because it
// is taken to differ by rounding only: the value then stands for it. That may happen whenever paths come together, and each
// time by one grain more, so that a grain should be far smaller than the smallest difference that matters.
type Points struct {
	grain     float64
	values, p []float64
}

// NewPoints returns the carrier of the law of the total. With a grain of zero only equal totals are one value, so that
// there may be as many as there are paths.
func NewPoints(grain float64) Points { return Points{grain, []float64{0}, []float64{1}} }

// Values returns the totals, in increasing order; they belong to the receiver.
func (l Points) Values() []float64 { return l.values }

// P returns the probabilities of the values, in their order; they belong to the receiver.
func (l Points) P() []float64 { return l.p }

// Along takes the share of the branch, and moves the totals by the increment. One that is infinite stays as it is.
func (l Points) Along(p, increment float64) Points {
	out := Points{grain: l.grain}
	if p == 0 {
		return out
	}
	for i, v := range l.values {
		if !math.IsInf(v, 0) {
			v += increment
		}
		out.append(v, l.p[i]*p)
	}
	return out
}

// Plus returns the law of the paths of both.
func (l Points) Plus(other Points) Points {
	out := Points{grain: l.grain}
	i, j := 0, 0
	for i < len(l.values) || j < len(other.values) {
		if j == len(other.values) || i < len(l.values) && l.values[i] <= other.values[j] {
			out.append(l.values[i], l.p[i])
			i++
		} else {
			out.append(other.values[j], other.p[j])
			j++
		}
	}
	return out
}

// append adds a value that is not below the last.
func (l *Points) append(v, p float64) {
	if n := len(l.values); n > 0 && (v == l.values[n-1] || v-l.values[n-1] <= l.grain) {
		l.p[n-1] += p
		return
	}
	l.values, l.p = append(l.values, v), append(l.p, p)
}
