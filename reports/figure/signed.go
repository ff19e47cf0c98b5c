package figure

import (
	"math"

	"gonum.org/v1/plot"
)

// Signed is the scale of an axis for numbers of both signs and of many sizes: linear near zero, and logarithmic where a number is well
// above Unit in size, which is a power of ten. Its ticks are at zero and at plus and minus the powers of ten times Unit, with labels but for plus and
// minus Unit on an axis that reaches much further, where they would touch that of zero.
type Signed struct{ Unit float64 }

// Of returns where a number stands on the axis.
func (s Signed) Of(v float64) float64 { return math.Asinh(v / s.Unit) }

// Value returns the number at a place of the axis.
func (s Signed) Value(at float64) float64 { return s.Unit * math.Sinh(at) }

// Ticks implements plot.Ticker. Where there would be fewer than three labels, they are at round numbers of equal distance.
func (s Signed) Ticks(low, high float64) []plot.Tick { return s.Choices(low, high)[0] }

// Choices returns the ticks of Ticks, and those with fewer labels.
func (s Signed) Choices(low, high float64) (choices [][]plot.Tick) {
	ticks := s.powers(low, high)
	if labelsOf(ticks) < leastLabels {
		for _, even := range placed(low, high, s.Value, s.Of) {
			if labelsOf(even) > labelsOf(ticks) {
				choices = append(choices, even)
			}
		}
	}
	return append(choices, ticks)
}

// powers returns ticks at zero and at plus and minus the powers of ten times Unit.
func (s Signed) powers(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	far := s.Unit * math.Sinh(max(math.Abs(low), math.Abs(high)))
	unit := int(math.Round(math.Log10(s.Unit)))
	decades := int(math.Floor(math.Log10(max(1, far/s.Unit)) + 1e-9))
	add := func(sign string, k int) {
		v := math.Pow(10, float64(unit+k))
		if sign != "" {
			v = -v
		}
		if at := s.Of(v); at >= low-1e-9 && at <= high+1e-9 {
			tick := plot.Tick{Value: at}
			if far < 10*s.Unit || k > 0 {
				tick.Label = sign + Power(unit+k)
			}
			ticks = append(ticks, tick)
		}
	}
	for k := decades; k >= 0; k-- {
		add("-", k)
	}
	if low <= 0 && high >= 0 {
		ticks = append(ticks, plot.Tick{Label: "0"})
	}
	for k := range decades + 1 {
		add("", k)
	}
	return ticks
}
