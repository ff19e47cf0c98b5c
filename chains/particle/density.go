package particle

import (
	"math"

	"breadboard/chains"
)

// Density is a sampler whose density is known, such as one that draws exactly from the target, or a variational
// approximation. It needs no trace: xi(u, x) is the density, normalised or not.
type Density struct {
	logXi []float64
	p     []float64
}

// NewDensity returns the sampler with the law proportional to exp(logXi), with a state of zero density at -Inf. Its xi is exp(logXi).
func NewDensity(logXi []float64) *Density {
	d := &Density{logXi: append([]float64(nil), logXi...), p: append([]float64(nil), logXi...)}
	chains.Normalize(d.p)
	return d
}

// Outputs implements Algorithm.
func (d *Density) Outputs() int { return len(d.p) }

// Run implements Algorithm.
func (d *Density) Run(c chains.Chooser) Result {
	x := c.Choose(d.p)
	return Result{Output: x, LogXi: d.logXi[x]}
}

// Meta implements Algorithm. It makes no choice, since there is nothing to draw.
func (d *Density) Meta(_ chains.Chooser, x int) Result { return Result{Output: x, LogXi: d.logXi[x]} }

// LogQ returns the logarithm of the normalised density of an output.
func (d *Density) LogQ(x int) float64 { return math.Log(d.p[x]) }
