package kernel

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// poisson solves Poisson's equation (I - T) h = c for functions c of mean zero, by eliminating one
// state after another, the least likely first. Eliminating a state replaces the chain by the chain
// watched only at the other states. Only terms of c are subtracted, so that a slow chain costs no
// digits.
//
// Source: Grassmann, Taksar and Heyman 1985; O'Cinneide 1993.
type poisson struct {
	order []int // the places among the states of positive probability, the likeliest first
	// t holds, in that order, below the diagonal the rows of the chain in which all later states
	// are eliminated, and above it the weights by which a state inherits from those: the
	// probability of a move there over leaves, with which the chain goes from there to a likelier
	// state.
	t      [][]float64
	leaves []float64
}

// errUnderflow ends an elimination if a probability of leaving a state underflows.
var errUnderflow = errors.New("a probability of leaving a state is too small for float64")

// eliminate returns the elimination of the chain on the states of positive probability. Time is
// O(states^3).
func (d *Diagnosis) eliminate(ctx context.Context) (*poisson, error) {
	n := len(d.on)
	e := &poisson{order: make([]int, n), t: make([][]float64, n), leaves: make([]float64, n)}
	for i := range e.order {
		e.order[i] = i
	}
	slices.SortStableFunc(
		e.order,
		func(i, j int) int { return cmp.Compare(d.invariantP[d.on[j]], d.invariantP[d.on[i]]) },
	)
	place := make(map[int]int, n)
	for k, i := range e.order {
		place[d.on[i]] = k
	}
	for k, i := range e.order {
		e.t[k] = make([]float64, n)
		for _, entry := range d.rows.Row(d.on[i]) {
			if to, ok := place[entry.To]; ok {
				e.t[k][to] += entry.P
			}
		}
	}
	for k := n - 1; k > 0; k-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row := e.t[k][:k]
		e.leaves[k] = floats.Sum(row)
		if e.leaves[k] == 0 {
			return nil, errUnderflow
		}
		for _, above := range e.t[:k] {
			above[k] /= e.leaves[k]
			if above[k] != 0 {
				floats.AddScaled(above[:k], above[k], row)
			}
		}
	}
	return e, nil
}

// solve returns the solution that is zero at the likeliest state. For a c that is not of mean zero
// it is the mean of the sum of c until the chain is there. Time is O(states^2).
func (e *poisson) solve(c []float64) []float64 {
	n := len(c)
	right := make([]float64, n)
	h := make([]float64, n)
	out := make([]float64, n)
	for k := n - 1; k > 0; k-- {
		right[k] = c[e.order[k]] + floats.Dot(e.t[k][k+1:], right[k+1:])
	}
	for k := 1; k < n; k++ {
		h[k] = (right[k] + floats.Dot(e.t[k][:k], h[:k])) / e.leaves[k]
		out[e.order[k]] = h[k]
	}
	return out
}

// denseVariance adds the asymptotic variance of a function, less its mean, to its stationary one: 2
// <c, h> - <c, c>.
func (d *Diagnosis) denseVariance(ctx context.Context, g, c []float64, out Variance) (Variance, error) {
	if d.poisson == nil {
		var err error
		d.poisson, err = d.eliminate(ctx)
		if errors.Is(err, errUnderflow) {
			nan := math.NaN()
			inf := math.Inf(1)
			return Variance{
				Stationary:      out.Stationary,
				Asymptotic:      nan,
				Autocorrelation: nan,
				Error:           inf,
				Bound:           inf,
			}, nil
		} else if err != nil {
			return Variance{}, err
		}
	}
	small := smallUnit(c)
	scaled := make([]float64, len(c))
	for i, v := range c {
		scaled[i] = v / small
	}
	h := d.poisson.solve(scaled)
	for i, x := range d.on {
		out.Asymptotic += weighed(d.invariantP[x], scaled[i]*(2*h[i]-scaled[i]), small)
	}
	out.Autocorrelation = out.Asymptotic / out.Stationary
	out.Bound = d.varianceBound(g, scaled, h, small)
	out.Error = over(out.Bound, math.Abs(out.Asymptotic))
	return out, nil
}

// smallUnit returns a power of two in units of which a function is so small that the sum of it over
// 1e308 moves is in the range of float64.
func smallUnit(c []float64) float64 {
	_, exponent := math.Frexp(floats.Norm(c, math.Inf(1)))
	return math.Ldexp(1, exponent+margin)
}

// weighed returns the product p v unit^2, in an order in which neither the rarest states nor the
// largest sums leave the range of float64.
func weighed(p, v, unit float64) float64 {
	if math.Abs(v) < 1 {
		return p * unit * (v * unit)
	}
	return p * unit * v * unit
}

// margin is minus the binary logarithm of the bound on functions.
const margin = 60

// varianceBound bounds the rounding error of 2 <c, h> - <c, c>, for entries of T that are right up
// to their last place. The arithmetic of an elimination adds numbers that are not negative, so that
// each is right to some ulps for each state that is eliminated, and it moves <c, h> by as much of
// <|c|, H>, for H the solution with |c|. The mean of the function is off by ulps of the mean of
// |g|, which moves <c, h> by as much times <1, |h|> + <|c|, m>, for m the mean number of moves to
// the likeliest state.
func (d *Diagnosis) varianceBound(g, c, h []float64, unit float64) float64 {
	const ulp = 0x1p-53
	n := len(c)
	sizes := make([]float64, n)
	some := make([]float64, n)
	mean := 0.0
	for i, x := range d.on {
		sizes[i], some[i] = math.Abs(c[i]), 0x1p-60
		mean += d.off(x) * math.Abs(g[x]/unit)
	}
	most := d.poisson.solve(sizes)
	moves := d.poisson.solve(some)
	bound := 0.0
	for i, x := range d.on {
		p := d.invariantP[x]
		bound += 2 * weighed(d.off(x), sizes[i]*math.Abs(h[i]), unit)
		bound += 2 * float64(n+4) * ulp * weighed(p, sizes[i]*(most[i]+sizes[i]/2), unit)
		bound += 2 * weighed(p, mean*(math.Abs(h[i])+sizes[i]*0x1p60*moves[i]), unit)
	}
	return bound
}

// off returns the relative error of the probability of a state, as the exponential of a rounded
// logarithm.
func (d *Diagnosis) off(x int) float64 {
	return d.invariantP[x] * (3 + math.Abs(d.logf[x]-d.logZ)) * 0x1p-53
}
