package schedules

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// MaxCurve is the largest number of points of a curve. The selector of a curve with that many
// points has some 80 kB, which fits a command line.
const MaxCurve = 4096

// Curve is piecewise linear through n points at equal distances of u = (t-1)/(T-1): point k of
// 0..n-1 is at u = k/(n-1). It can have any number of distributions, and with T = n these are the
// points, to the last bit. With fewer it passes over some points.
type Curve struct {
	betas []float64
	name  string
}

// NewCurve returns the curve through 2 to MaxCurve points, which start at 0, end at 1 and never
// decrease; the error names the first that does not.
func NewCurve(betas []float64) (*Curve, error) {
	if len(betas) > MaxCurve {
		return nil, tooManyPoints(len(betas))
	}
	if err := checkPoints(betas); err != nil {
		return nil, fmt.Errorf("the curve %w", err)
	}
	c := &Curve{betas: make([]float64, len(betas))}
	text := []byte("curve")
	for k, b := range betas {
		c.betas[k] = b + 0 // + 0 makes 0 of -0
		text = strconv.AppendFloat(append(text, ':'), c.betas[k], 'g', -1, 64)
	}
	c.name = string(text)
	return c, nil
}

// Validate accepts any T >= 2.
func (c *Curve) Validate(T int) error { return validateLength(T) }

// Points returns the number of points.
func (c *Curve) Points() int { return len(c.betas) }

// Point returns the beta of point k, 0 <= k < Points().
func (c *Curve) Point(k int) float64 { return c.betas[k] }

// Place returns where on the curve b_t is: rest/(T-1) of the way from point k to the next one, 0 <=
// rest < T-1. At t = T it is at the last point. It is exact for any T.
func (c *Curve) Place(t, T int) (k, rest int) {
	high, low := bits.Mul64(uint64(t-1), uint64(len(c.betas)-1))
	quotient, remainder := bits.Div64(high, low, uint64(T-1))
	return int(quotient), int(remainder)
}

// between returns how far the curve rises on a part/(T-1) of the way from point k to the next one.
// The conversion keeps the product from being fused with a sum, so that a beta has the same bits on
// every machine.
func (c *Curve) between(k, part, T int) float64 {
	if part == 0 {
		return 0
	}
	return float64((c.betas[k+1] - c.betas[k]) * (float64(part) / float64(T-1)))
}

// Beta returns b_t. The sum of the point before and what lies between may round to more than the
// point after, and b_t is never above that.
func (c *Curve) Beta(t, T int) float64 {
	k, rest := c.Place(t, T)
	if rest == 0 {
		return c.betas[k]
	}
	return min(c.betas[k+1], c.betas[k]+c.between(k, rest, T))
}

// Rest returns 1 - b_t: the rise to the next point plus 1 minus that point, but at most 1 minus the
// point before.
func (c *Curve) Rest(t, T int) float64 {
	k, rest := c.Place(t, T)
	if rest == 0 {
		return 1 - c.betas[k]
	}
	return min(1-c.betas[k], c.between(k, T-1-rest, T)+(1-c.betas[k+1]))
}

// Step returns b_t - b_{t-1}. Within one line it is the slope; else it is the sum of the end of one
// line, whole lines, and the beginning of another. None is negative, so that no digits cancel.
func (c *Curve) Step(t, T int) float64 {
	from, left := c.Place(t-1, T)
	to, right := c.Place(t, T)
	if from == to {
		return c.between(from, right-left, T)
	}
	return c.between(from, T-1-left, T) + (c.betas[to] - c.betas[from+1]) + c.between(to, right, T)
}

// String returns "curve:" and the points.
func (c *Curve) String() string { return c.name }

func curveForm() scheduleForm {
	return scheduleForm{
		Syntax: "curve:B:B...",
		Doc: "piecewise linear in t through these betas at equal distances, from 0 to 1; T betas are " +
			"taken as they are",
		Example: "curve:0:0.1:0.4:1", Missing: "the betas",
		Parse: parseCurve,
	}
}

func parseCurve(args selector.Args, _ selector.Nothing) (chains.Schedule, error) {
	if n := 1 + strings.Count(args.Text, ":"); n > MaxCurve {
		return nil, args.Wrap(tooManyPoints(n))
	}
	var betas []float64
	for text := range strings.SplitSeq(args.Text, ":") {
		b, err := selector.ParseNumber(text)
		if err != nil {
			return nil, args.Errorf("b_%d: %w", len(betas)+1, err)
		}
		betas = append(betas, b)
	}
	c, err := NewCurve(betas)
	if err != nil {
		return nil, args.Wrap(err)
	}
	return c, nil
}

func tooManyPoints(n int) error {
	return errs.New("%d points; a curve has at most %d, and a schedule with more stands in a file, as in %s",
		n, MaxCurve, pointsForm().Example)
}
