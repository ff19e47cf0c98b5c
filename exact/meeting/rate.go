package meeting

import (
	"context"
	"math"
	"math/cmplx"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/exact/internal/linear"
	"breadboard/exact/kernel"
)

// hidden is the modulus below which the second eigenvalue of a kernel that is not reversible counts
// as hidden by rounding: the eigenvalues of a matrix that is not symmetric may be off by the root
// of the rounding of its entries.
const hidden = 1e-7

// RateRatio returns the ratio of the times of the bound and of the distance in the far tail: the
// logarithm of the second largest modulus of the eigenvalues of the kernel over that of the tail
// rate. It is NaN if one of them is not known, with a note if rounding is the reason.
//
//	ratio = log(1 - gap of the kernel)/log(1 - gap of the pairs that have not met)
//
// Time is that of relaxation, if the second eigenvalue is positive.
func (s *Solved) RateRatio(ctx context.Context,
	d *kernel.Diagnosis) (ratio number.Bounded, note string, err error) {
	none := number.Exactly(math.NaN())
	tail, err := s.TailGap(ctx)
	if err != nil {
		return none, "", err
	}
	gap := d.SpectralGap
	off := d.GapError
	if math.IsNaN(gap) || math.IsNaN(tail) || tail == 0 {
		return none, "", nil
	}
	if cmplx.Abs(d.SecondEigen) <= max(off, 0) || math.IsNaN(off) && cmplx.Abs(d.SecondEigen) <= hidden {
		return none,
			"the second eigenvalue of the kernel is zero or below rounding, so that the distance has no " +
				"rate, and there is no rate ratio", nil
	}
	if real(d.SecondEigen) > 0 && !math.IsNaN(off) {
		better, err := relaxation(ctx, s.ordered.Chain)
		if err != nil {
			return none, "", err
		}
		if math.Abs(better-gap) <= 4*off { // else it is the gap of another eigenvalue
			gap = better
			off = 0
		}
	}
	second := math.Log1p(-gap)
	if gap <= 0 {
		return number.Bounded{Value: math.NaN(), Error: math.Inf(1)}, "", nil
	}
	return number.Within(second/math.Log1p(-tail), off/((1-gap)*-second)), "", nil
}

// relaxation returns one minus the largest eigenvalue, apart from one, of a reversible chain that
// reaches all states of positive probability, keeping the digits that ordinary eigenvalues lose if
// it is small. It iterates with the inverse of I - T, computed without a subtraction after the
// state of the largest probability is removed, and takes the quadratic form of the vector: a sum of
// squares of differences.
//
// It is the least of
//
//	1/2 sum over x, y of p(x) T(x,y) (v(x) - v(y))^2
//
// over all v with mean zero and variance one. Time is O(states^3) for the elimination and
// O(states^2) for each of the iterations, which end when three in a row agree to 1e-14.
func relaxation(ctx context.Context, chain *averages.Chain) (gap float64, err error) {
	var on []int
	for x, v := range chain.LogF {
		if !math.IsInf(v, -1) {
			on = append(on, x)
		}
	}
	mode := slices.MaxFunc(on, func(a, b int) int {
		switch {
		case chain.LogF[a] < chain.LogF[b]:
			return -1
		case chain.LogF[a] > chain.LogF[b]:
			return 1
		}
		return 0
	})
	on = append(slices.DeleteFunc(on, func(x int) bool { return x == mode }), mode)
	place := make([]int, chain.States())
	n := len(on)
	for i, x := range on {
		place[x] = i
	}
	rows := func(i int) (row []chains.Entry) {
		for _, e := range chain.Rows.Row(on[i]) {
			if e.P > 0 {
				row = append(row, chains.Entry{To: place[e.To], P: e.P})
			}
		}
		return row
	}
	inverse := eliminate(linear.NewStochastic(n, rows))
	if slices.Contains(inverse.lost, true) {
		return math.NaN(), nil
	}
	v := make([]float64, n)
	for i := range v {
		v[i] = math.Cos(1.7 * float64(i))
	}
	centre := func() {
		mean := 0.0
		size := 0.0
		most := greatest(v)
		for i := range v {
			v[i] /= most // the squares of large numbers overflow
		}
		for i, x := range on {
			mean += chain.Target[x] * v[i]
		}
		for i, x := range on {
			v[i] -= mean
			size += chain.Target[x] * v[i] * v[i]
		}
		for i := range v {
			v[i] /= math.Sqrt(size)
		}
	}
	const most, enough = 10_000, 3
	centre()
	last := 0.0
	calm := 0
	for i := 0; i < most && calm < enough; i++ {
		up, down := make([]float64, n-1), make([]float64, n-1)
		for i := range up {
			up[i], down[i] = max(0, v[i]), max(0, -v[i])
		}
		up, down = inverse.solved(up, 1), inverse.solved(down, 1)
		for i := range up {
			v[i] = up[i] - down[i]
		}
		v[n-1] = 0
		centre()
		gap = 0
		for i, x := range on {
			for _, e := range rows(i) {
				gap += chain.Target[x] * e.P * (v[i] - v[e.To]) * (v[i] - v[e.To]) / 2
			}
		}
		calm++
		if math.Abs(gap-last) > 1e-14*gap {
			calm = 0
		}
		last = gap
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	return gap, nil
}
