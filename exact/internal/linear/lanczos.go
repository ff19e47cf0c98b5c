package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/lapack/gonum"

	"breadboard/chains/number"
)

// Lanczos is a run of the method of Lanczos for a symmetric matrix A on a space: after k steps it
// has orthogonal vectors v_1..v_k and a tridiagonal matrix T with A v_j = beta_(j-1) v_(j-1) +
// alpha_j v_j + beta_j v_(j+1). The extreme eigenvalues of T are those of A on the space that
// polynomials of A of degree k - 1 reach from the start vector. Only three vectors are kept. The
// vectors are not made orthogonal to all earlier ones, so that rounding can duplicate eigenvalues
// of T. They are still accurate (Paige 1980). An eigenvector is taken from the step at which its
// eigenvalue was first found, before it was duplicated.
type Lanczos struct {
	apply       Operator
	space       Space
	seed        uint64
	alpha, beta []float64 // beta_j stands beside alpha_j and alpha_(j+1)
	at, before  []float64 // v_k and v_(k-1) for the next step
	next        []float64
	size        float64 // the largest number of T so far
}

// NewLanczos begins a run from the start vector of a seed.
func NewLanczos(apply Operator, space Space, seed uint64) *Lanczos {
	l := &Lanczos{apply: apply, space: space, seed: seed, next: make([]float64, space.N)}
	l.prepareRun()
	return l
}

func (l *Lanczos) prepareRun() {
	l.at = Start(l.space, l.seed)
	l.before = make([]float64, l.space.N)
}

// Steps returns the number of steps that were made, each of which is one product with the matrix.
func (l *Lanczos) Steps() int { return len(l.alpha) }

// Step makes one more step.
func (l *Lanczos) Step() error {
	k := len(l.alpha)
	if err := l.apply(l.next, l.at); err != nil {
		return err
	}
	if k > 0 {
		add(l.next, -l.beta[k-1], l.before)
	}
	alpha := Dot(l.at, l.next)
	add(l.next, -alpha, l.at)
	l.space.Project(l.next)
	l.alpha, l.beta = append(l.alpha, alpha), append(l.beta, Norm(l.next))
	l.normalizeRemainder(k)
	return nil
}

// normalizeRemainder normalises the remainder of step k as the next vector. If the remainder is
// little more than rounding, the vectors so far span an invariant space, and the rounding may lie
// outside of the space: it is made orthogonal again. If nothing remains then, a new start vector
// searches outside of the invariant space.
func (l *Lanczos) normalizeRemainder(k int) {
	l.size = max(l.size, math.Abs(l.alpha[k]), l.beta[k])
	if l.beta[k] > 0 {
		scale(l.next, 1/l.beta[k])
	}
	if l.beta[k] < little*l.size || l.beta[k] == 0 {
		l.space.Project(l.next)
		length := Norm(l.next)
		if length < 0.5 {
			copy(l.next, Start(l.space, l.seed+uint64(k+1)<<32)) // far from the seeds of other runs
		} else {
			scale(l.next, 1/length)
		}
	}
	l.before, l.at, l.next = l.at, l.next, l.before
}

// little is the remainder of a step, relative to the largest number of T, below which rounding may
// be a part of 1e-8 of it.
const little = 1e-8

// Ritz is an approximation of an eigenvalue.
type Ritz struct {
	Value    float64
	Residual float64 // about the length of A v - Value v for its vector v, estimated from T
	Steps    int     // the number of steps after which it was found
	weights  []float64
}

// Smallest and Largest return the approximations of the ends of the spectrum after the steps so
// far, of which there must be at least one. The smallest eigenvalue of A on the space is not above
// the first, and the largest is not below the second, apart from rounding. Time is O(steps).
func (l *Lanczos) Smallest() Ritz { return l.ritz(0) }
func (l *Lanczos) Largest() Ritz  { return l.ritz(len(l.alpha) - 1) }

func (l *Lanczos) ritz(index int) Ritz {
	k := len(l.alpha)
	r := Ritz{Value: tridiagonal{l.alpha, l.beta[:k-1]}.extreme(index), Steps: k, weights: make([]float64, k)}
	// If a remainder was no more than rounding, T falls into blocks, and the same eigenvalue may be
	// in several of them. The vector is that of the first block that has it.
	for first, j := 0, 0; j < k; j++ {
		if j+1 < k && l.beta[j] > negligible*l.size {
			continue
		}
		block := tridiagonal{l.alpha[first : j+1], l.beta[first:j]}
		own := 0
		if index > 0 {
			own = j - first
		}
		if value := block.extreme(own); math.Abs(value-r.Value) <= negligible*l.size || j+1 == k {
			copy(r.weights[first:], block.vector(value))
			r.Residual = l.beta[j] * math.Abs(r.weights[j])
			if first > 0 {
				r.Residual += l.beta[first-1] * math.Abs(r.weights[first])
			}
			break
		}
		first = j + 1
	}
	return r
}

// negligible is the remainder of a step, relative to the largest number of T, that is no more than
// rounding.
const negligible = 1e-13

// Vector returns the unit vector of an approximation, by repeating its steps.
func (l *Lanczos) Vector(r Ritz) ([]float64, error) {
	again := &Lanczos{
		apply: l.apply,
		space: l.space,
		seed:  l.seed,
		alpha: l.alpha,
		beta:  l.beta,
		next:  make([]float64, l.space.N),
	}
	again.prepareRun()
	out := make([]float64, l.space.N)
	for k := range r.Steps {
		add(out, r.weights[k], again.at)
		if k+1 == r.Steps {
			break
		}
		if err := again.apply(again.next, again.at); err != nil {
			return nil, err
		}
		if k > 0 {
			add(again.next, -l.beta[k-1], again.before)
		}
		add(again.next, -l.alpha[k], again.at)
		again.space.Project(again.next)
		again.normalizeRemainder(k)
	}
	l.space.Project(out)
	scale(out, 1/Norm(out))
	return out, nil
}

// Missed returns how much of the largest eigenvalue of a positive semidefinite matrix Lanczos may
// have missed: with probability at least 1 - risk over start vectors that are uniform on the
// sphere, the largest eigenvalue of T after k steps is at least 1 - Missed times the largest
// eigenvalue of the matrix, for any spectrum. It is one if k steps are too few for a bound. The
// dimension n is that of the space.
//
// The bound assumes exact arithmetic. It comes from the values of a Chebyshev polynomial, which
// Lanczos reaches to within rounding also in floating point (Musco, Musco and Sidford 2018).
//
// Source: Kuczynski and Wozniakowski 1992, theorem 4.2: the probability is at most 1.648 sqrt(n)
// exp(-(2k-1) sqrt(e)).
func Missed(n, k int, risk float64) float64 {
	if k < 1 {
		return 1
	}
	root := number.Log(1.648*math.Sqrt(float64(n))/risk) / float64(2*k-1)
	return min(1, root*root)
}

// StepsFor returns the number of steps after which Missed is at most e.
func StepsFor(n int, e, risk float64) float64 {
	return math.Ceil((number.Log(1.648*math.Sqrt(float64(n))/risk)/math.Sqrt(e) + 1) / 2)
}

// Start returns a vector of length one in a space, whose direction is that of independent normal
// numbers: it is uniform on the sphere, as Missed assumes. The numbers come from the generator
// SplitMix64 and the given seed, so that every run has the same.
//
// Source: Steele, Lea and Flood 2014, for the generator; Box and Muller 1958.
func Start(s Space, seed uint64) []float64 {
	v := make([]float64, s.N)
	state := seed
	uniform := func() float64 { // above 0 and at most 1
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
		return (float64(z>>11) + 1) * 0x1p-53
	}
	for i := range v {
		v[i] = math.Sqrt(-2*number.Log(uniform())) * math.Cos(2*math.Pi*uniform())
	}
	s.Project(v)
	s.Project(v) // the first projection leaves rounding of the size of the removed part
	scale(v, 1/Norm(v))
	return v
}

// tridiagonal is a symmetric tridiagonal matrix of k rows: the diagonal, and the k - 1 entries
// beside it.
type tridiagonal struct{ diagonal, beside []float64 }

// countBelow returns the number of eigenvalues below x, by the signs of the pivots of T - x
// (Sturm).
func (t tridiagonal) countBelow(x float64) int {
	count := 0
	pivot := 1.0
	for i, a := range t.diagonal {
		square := 0.0
		if i > 0 {
			square = t.beside[i-1] * t.beside[i-1]
		}
		pivot = a - x - square/pivot
		if pivot == 0 {
			pivot = -0x1p-1000
		}
		if pivot < 0 {
			count++
		}
	}
	return count
}

// extreme returns the smallest eigenvalue (index 0) or the largest (index k - 1), to all digits
// that T itself gives, by bisection. Time is O(k).
func (t tridiagonal) extreme(index int) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for i, a := range t.diagonal { // Gershgorin
		radius := 0.0
		if i > 0 {
			radius += math.Abs(t.beside[i-1])
		}
		if i < len(t.beside) {
			radius += math.Abs(t.beside[i])
		}
		low, high = min(low, a-radius), max(high, a+radius)
	}
	for range 1100 { // float64 has no more halves than that
		middle := low + (high-low)/2
		if middle <= low || middle >= high {
			break
		}
		if t.countBelow(middle) > index {
			high = middle
		} else {
			low = middle
		}
	}
	return low
}

// vector returns the unit eigenvector of an eigenvalue, by inverse iteration.
func (t tridiagonal) vector(value float64) []float64 {
	n := len(t.diagonal)
	v := slices.Repeat([]float64{1 / math.Sqrt(float64(n))}, n)
	diagonal := make([]float64, n)
	under := make([]float64, n)
	over := make([]float64, n)
	norm := 0.0
	for i, a := range t.diagonal {
		norm = max(norm, math.Abs(a))
		if i < len(t.beside) {
			norm = max(norm, math.Abs(t.beside[i]))
		}
	}
	// The matrix T - value is singular to within rounding, and a solution of its system is nearly
	// the eigenvector. If a pivot is exactly zero, the value is changed within its rounding.
	shift := value
	more := 0x1p-53 * norm
	for tries, solved := 0, 0; solved < 3 && tries < 60; tries++ {
		for i, a := range t.diagonal {
			diagonal[i] = a - shift
		}
		copy(under, t.beside)
		copy(over, t.beside)
		regular := (gonum.Implementation{}).Dgtsv(n, 1, under[:n-1], diagonal, over[:n-1], v, 1)
		largest := 0.0
		for _, a := range v {
			largest = max(largest, math.Abs(a)) // NaN if a is
		}
		if !regular || !(largest < 0x1p1000) {
			shift -= more
			more = 2 * more
			for i := range v {
				v[i] = 1 / math.Sqrt(float64(n))
			}
			if norm == 0 {
				break // all vectors are eigenvectors of zero
			}
			continue
		}
		solved++
		scale(v, 1/largest)
		scale(v, 1/Norm(v))
	}
	return v
}
