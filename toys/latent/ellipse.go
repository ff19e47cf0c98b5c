package latent

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
)

// ellipse is the search of elliptical slice sampling: it proposes points of the ellipse through a
// state x and a draw nu from its normal prior of mean zero, at angles that close in on x, until one
// has a likelihood of at least a level that was drawn below that of x. At an angle of zero that is
// x itself, so that the search ends, also if the level is that of x but for rounding. The move that
// it makes is its own time reversal.
//
// Source: Murray, Adams and MacKay 2010, Elliptical slice sampling, Figure 2.
type ellipse struct{ angle, low, high float64 }

// newEllipse draws the first angle, and by how much the logarithm of the level lies below that of
// the likelihood at x.
func newEllipse(c chains.RealChooser) (e ellipse, drop float64) {
	drop = -number.Log(unit(c))
	angle := 2 * math.Pi * unit(c)
	return ellipse{angle, angle - 2*math.Pi, angle}, drop
}

// point writes the proposal to dst.
func (e *ellipse) point(dst, x, nu []float64) {
	sin, cos := math.Sincos(e.angle)
	for i, v := range x {
		dst[i] = v*cos + nu[i]*sin
	}
}

// shrink draws another angle after a proposal that was not above the level. The bracket of angles
// keeps zero, the angle of x.
func (e *ellipse) shrink(c chains.RealChooser) {
	if e.angle < 0 {
		e.low = e.angle
	} else {
		e.high = e.angle
	}
	e.angle = e.low + (e.high-e.low)*unit(c)
}
