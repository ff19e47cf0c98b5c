package certified

import (
	"context"
	"math"
	"math/big"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/stages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// dense is a small annealing of the paper's kernel in many digits: all distributions, kernels and laws.
type dense struct {
	arithmetic
	p, q, r [][]*big.Float // by stage
}

func newDense(g []float64, space *grid.Lattice, T int) *dense {
	d := &dense{newArithmetic(200), make([][]*big.Float, T+1), make([][]*big.Float, T+1), make([][]*big.Float, T+1)}
	kernels := make([][][]*big.Float, T+1)
	for t := 1; t <= T; t++ {
		beta := d.zero().Quo(whole(int64(t-1), d.bits), whole(int64(T-1), d.bits))
		z := d.zero()
		for _, v := range g {
			f := d.exp(d.zero().Mul(beta, d.fromFloat(v)))
			d.p[t] = append(d.p[t], f)
			z.Add(z, f)
		}
		for x := range g {
			d.p[t][x].Quo(d.p[t][x], z)
		}
		kernels[t] = d.kernel(d.p[t], space)
	}
	d.q[1], d.r[T] = d.p[1], d.p[T]
	for t := 2; t <= T; t++ {
		d.q[t] = d.push(d.q[t-1], kernels[t])
	}
	for t := T; t >= 2; t-- {
		d.r[t-1] = d.push(d.r[t], kernels[t])
	}
	return d
}

func (d *dense) kernel(p []*big.Float, space *grid.Lattice) [][]*big.Float {
	k := make([][]*big.Float, len(p))
	for x := range p {
		k[x] = make([]*big.Float, len(p))
		for y := range p {
			k[x][y] = d.zero()
		}
		stay := d.round(d.one)
		for y := range space.Neighbours(x) {
			accept := d.zero().Quo(p[y], p[x])
			if accept.Cmp(d.one) > 0 {
				accept.Set(d.one)
			}
			k[x][y].Quo(accept, whole(int64(space.Directions()), d.bits))
			stay.Sub(stay, k[x][y])
		}
		k[x][x] = stay
	}
	return k
}

func (d *dense) push(q []*big.Float, k [][]*big.Float) []*big.Float {
	next := make([]*big.Float, len(q))
	for y := range q {
		next[y] = d.zero()
		for x := range q {
			next[y].Add(next[y], d.zero().Mul(q[x], k[x][y]))
		}
	}
	return next
}

// mean returns E_r log(q/p).
func (d *dense) mean(r, q, p []*big.Float) *big.Float {
	total := d.zero()
	for x := range r {
		total.Add(total, d.zero().Mul(r[x], d.log(d.zero().Quo(q[x], p[x]))))
	}
	return total
}

// TestBracketsKeepTheirDigits compares the brackets of stages.GapByStage with their definitions in many digits. By
// these, some brackets are differences of divergences that are a hundred thousand times as large.
func TestBracketsKeepTheirDigits(t *testing.T) {
	longtest.NotShort(t)
	const T = 200
	space := grid.MustNew(6)
	g := []float64{0, 0.5, -12, -12, 3, 2.5}
	a := exacttest.Build(t, nil, g, schedules.Linear{}, kernels.Metropolis{Space: space}, T)
	gap := longtest.Must(stages.GapByStage(context.Background(), a, nil))(t)
	d := newDense(g, space, T)
	smallest := 1.0
	for _, s := range gap.Stages {
		p, t1 := d.p[s.Stage], s.Stage
		forward := float(d.zero().Sub(d.mean(d.q[t1-1], d.q[t1-1], p), d.mean(d.q[t1], d.q[t1], p)))
		reverse := float(d.zero().Sub(d.mean(d.r[t1], d.q[t1], p), d.mean(d.r[t1-1], d.q[t1-1], p)))
		if math.Abs(s.Forward-forward) > 1e-12*forward || math.Abs(s.Reverse-reverse) > 1e-12*reverse {
			t.Errorf("t = %d: %v and %v, by definition %v and %v", s.Stage, s.Forward, s.Reverse, forward, reverse)
		}
		smallest = min(smallest, forward/float(d.mean(d.q[t1], d.q[t1], p)))
	}
	if smallest > 1e-5 {
		t.Errorf("no bracket is below %v of its divergence", smallest)
	}
}
