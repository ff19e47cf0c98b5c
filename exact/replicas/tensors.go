package replicas

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/tempering"
)

// tensors moves arrays with a number for each joint state, one axis a rung: the last rung varies
// fastest. It moves distributions forward in time. In rooted coordinates a number is the mass of a
// joint state over the square root of its stationary probability, and otherwise the mass itself.
//
// A scan applies, to the distribution q of the n^N joint states, the matrix T_i along the axis of
// each rung i, in n^N times the entries of a row of it, and for pairs of rungs the swap
//
//	q'(x,y) = (1 - a(x,y)) q(x,y) + a(y,x) q(y,x)
//
// with the acceptance a. In rooted coordinates the second factor is the root of a(x,y) a(y,x).
type tensors struct {
	n, rungs int
	size     int
	scheme   tempering.Scheme
	into     [][][]chains.Entry // by rung and state: the sources of its mass, with probabilities
	// by pair and state x n + y, with x at rung i and y at rung i+1: what stays there, and what
	// comes from (y, x)
	stay, come [][]float64
	spare      []float64
	progress   func(scans int) // called after each scan; may be nil
}

// tensors returns the operators on joint states, which are few enough.
func (r *Replicas) tensors(rooted bool) *tensors {
	t := &tensors{n: r.m.States(), rungs: r.m.Rungs(), size: int(r.joint()), scheme: r.m.Scheme()}
	for i, rows := range r.rows {
		into := make([][]chains.Entry, t.n)
		for x := range t.n {
			for _, e := range rows.Row(x) {
				w := e.P
				if rooted && e.To != x {
					w *= rootRatio(r.logp[i][x], r.logp[i][e.To])
				}
				into[e.To] = append(into[e.To], chains.Entry{To: x, P: w})
			}
		}
		t.into = append(t.into, into)
	}
	for i := range t.rungs - 1 {
		stay := make([]float64, t.n*t.n)
		come := make([]float64, t.n*t.n)
		for x := range t.n {
			for y := range t.n {
				here := r.m.LogAcceptance(i, x, y)
				there := r.m.LogAcceptance(i, y, x)
				stay[x*t.n+y], come[x*t.n+y] = -math.Expm1(here), math.Exp(there)
				if rooted {
					// one of the two is zero, and the other the logarithm of the ratio of the two
					// probabilities
					come[x*t.n+y] = math.Exp((here + there) / 2)
				}
			}
		}
		t.stay, t.come = append(t.stay, stay), append(t.come, come)
	}
	return t
}

// rootRatio returns the square root of the ratio of two probabilities given by their logarithms,
// and zero if either is zero.
func rootRatio(from, to float64) float64 {
	if math.IsInf(from, -1) || math.IsInf(to, -1) {
		return 0
	}
	return math.Exp((from - to) / 2)
}

// product returns the tensor of the products of a number for each rung.
func (t *tensors) product(factor func(rung, x int) float64) []float64 {
	v := []float64{1}
	for i := range t.rungs {
		next := make([]float64, 0, len(v)*t.n)
		for _, u := range v {
			for x := range t.n {
				next = append(next, u*factor(i, x))
			}
		}
		v = next
	}
	return v
}

// root returns the square root of the stationary distribution.
func (t *tensors) root(r *Replicas) []float64 {
	return t.product(func(i, x int) float64 { return math.Sqrt(r.p[i][x]) })
}

// stride returns how far apart neighbours along a rung are.
func (t *tensors) stride(rung int) int {
	s := 1
	for range t.rungs - 1 - rung {
		s *= t.n
	}
	return s
}

// explore moves every replica by its kernel. It overwrites v, and fails if the context ends.
func (t *tensors) explore(ctx context.Context, v []float64) error {
	if t.spare == nil {
		t.spare = make([]float64, t.size)
	}
	for i := range t.rungs {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.moveRung(t.spare, v, i)
		copy(v, t.spare)
	}
	return nil
}

// moveRung moves the replica at one rung.
func (t *tensors) moveRung(dst, src []float64, rung int) {
	s := t.stride(rung)
	for first := 0; first < t.size; first += s * t.n {
		for y, from := range t.into[rung] {
			if s == 1 {
				sum := 0.0
				for _, e := range from {
					sum += float64(e.P * src[first+e.To])
				}
				dst[first+y] = sum
				continue
			}
			out := dst[first+y*s:][:s]
			clear(out)
			for _, e := range from {
				for j, v := range src[first+e.To*s:][:s] {
					out[j] += float64(e.P * v)
				}
			}
		}
	}
}

// swap proposes a swap of the pair (i, i+1). The number of a joint state in a goes to b if the swap
// is accepted, and vice versa; a and b may be the same.
func (t *tensors) swap(i int, a, b []float64) {
	s := t.stride(i + 1)
	n := t.n
	same := &a[0] == &b[0]
	for first := 0; first < t.size; first += s * n * n {
		for x := range n {
			for y := range n {
				if same && y < x {
					continue // done with (y, x)
				}
				here := x*n + y
				there := y*n + x
				stayA := t.stay[i][here]
				comeA := t.come[i][here]
				stayB := t.stay[i][there]
				comeB := t.come[i][there]
				for k, l := first+here*s, first+there*s; k < first+(here+1)*s; k, l = k+1, l+1 {
					a[k], b[l] = float64(stayA*a[k])+float64(comeA*b[l]),
						float64(stayB*b[l])+float64(comeB*a[k])
				}
			}
		}
	}
}

// feed is swap where b is what it was before again thereafter; nil is zero everywhere.
func (t *tensors) feed(i int, a, b []float64) {
	s := t.stride(i + 1)
	n := t.n
	for first := 0; first < t.size; first += s * n * n {
		for x := range n {
			for y := range n {
				here := x*n + y
				there := y*n + x
				stay := t.stay[i][here]
				come := t.come[i][here]
				for k, l := first+here*s, first+there*s; k < first+(here+1)*s; k, l = k+1, l+1 {
					a[k] *= stay
					if b != nil {
						a[k] += float64(come * b[l])
					}
				}
			}
		}
	}
}

// scan makes a scan whose first pair is (first, first+1), or for SEO the mean of both.
func (t *tensors) scan(ctx context.Context, v []float64, first int) error {
	if err := t.explore(ctx, v); err != nil {
		return err
	}
	if t.progress != nil {
		t.progress(1)
	}
	if t.scheme == tempering.DEO {
		t.swaps(v, first)
		return nil
	}
	other := t.spare
	copy(other, v)
	t.swaps(v, 0)
	t.swaps(other, 1)
	for k, o := range other {
		v[k] = (v[k] + o) / 2
	}
	return nil
}

// swaps proposes swaps of every second pair from the first on.
func (t *tensors) swaps(v []float64, first int) {
	for i := first; i+1 < t.rungs; i += 2 {
		t.swap(i, v, v)
	}
}

// sumOver adds up a tensor over all rungs but one.
func (t *tensors) sumOver(v []float64, rung int) []float64 {
	s := t.stride(rung)
	out := make([]float64, t.n)
	for k, m := range v {
		out[k/s%t.n] += m
	}
	return out
}
