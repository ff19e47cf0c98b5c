package figure

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// Signed is the scale of an axis for numbers of both signs and of many sizes: linear near zero, and logarithmic where a number is well
// above Unit in size. Its ticks are at zero and at plus and minus the powers of ten times Unit, with labels but for plus and minus Unit on an axis that
// reaches much further, where they would touch that of zero.
type Signed struct{ Unit float64 }

// Of returns where a number stands on the axis.
func (s Signed) Of(v float64) float64 { return math.Asinh(v / s.Unit) }

// Ticks implements plot.Ticker.
func (s Signed) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	far := s.Unit * math.Sinh(max(math.Abs(low), math.Abs(high)))
	add := func(v float64) {
		if at := s.Of(v); at >= low-1e-9 && at <= high+1e-9 {
			tick := plot.Tick{Value: at}
			if v == 0 || far < 10*s.Unit || math.Abs(v) > 2*s.Unit {
				tick.Label = strconv.FormatFloat(v, 'g', 4, 64)
			}
			ticks = append(ticks, tick)
		}
	}
	decades := int(math.Floor(math.Log10(max(1, far/s.Unit)) + 1e-9))
	for k := decades; k >= 0; k-- {
		add(-s.Unit * math.Pow10(k))
	}
	add(0)
	for k := range decades + 1 {
		add(s.Unit * math.Pow10(k))
	}
	return ticks
}
