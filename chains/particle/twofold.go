package particle

// twofold is a number as the sum of two, with some 32 digits, so that stretches of very different lengths that are put side
// by side keep the digits of the short ones.
type twofold struct{ high, low float64 }

// sum returns a + b without an error.
func sum(a, b float64) twofold {
	s := a + b
	back := s - a
	return twofold{s, (a - (s - back)) + (b - back)}
}

// plus returns the sum of two.
func (a twofold) plus(b twofold) twofold {
	s := sum(a.high, b.high)
	return sum(s.high, s.low+(a.low+b.low))
}

// minus returns the difference of two.
func (a twofold) minus(b twofold) twofold { return a.plus(twofold{-b.high, -b.low}) }

// value returns the number, rounded.
func (a twofold) value() float64 { return a.high + a.low }

// compare returns the sign of the difference.
func (a twofold) compare(b twofold) int {
	switch d := a.minus(b).value(); {
	case d < 0:
		return -1
	case d > 0:
		return 1
	}
	return 0
}
