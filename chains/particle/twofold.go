package particle

import (
	"cmp"

	"breadboard/chains/number"
)

// twofold is a number as the sum of two, with some 32 digits, so that stretches of very different lengths that are put side
// by side keep the digits of the short ones.
type twofold struct{ high, low float64 }

// plus returns the sum of two.
func (a twofold) plus(b twofold) twofold {
	high, rest := number.ExactSum(a.high, b.high)
	high, rest = number.ExactSum(high, rest+(a.low+b.low))
	return twofold{high, rest}
}

// minus returns the difference of two.
func (a twofold) minus(b twofold) twofold { return a.plus(twofold{-b.high, -b.low}) }

// value returns the number, rounded.
func (a twofold) value() float64 { return a.high + a.low }

// compare returns the sign of the difference.
func (a twofold) compare(b twofold) int { return cmp.Compare(a.minus(b).value(), 0) }
