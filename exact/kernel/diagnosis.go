package kernel

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"

	"breadboard/chains"
	"breadboard/chains/abandon"
	"breadboard/exact/internal/number"
)

// MaxDiagnosisStates is the largest number of states that Diagnose accepts. Beyond it the linear systems take minutes.
const MaxDiagnosisStates = 1024

// Diagnosis holds what Diagnose has found out about a kernel T under one distribution p. Each largest violation comes
// with the state or the pair of states where it is.
type Diagnosis struct {
	States int // the number of states

	Remainder float64 // the largest probability that enumeration left out of a row (see Row)
	Missing   float64 // the mean under p of what enumeration left out: all flows together are too small by at most that

	RowSum   float64 // largest |sum_y T(x,y) - 1|
	RowSumAt int     // the x where it is
	// Invariance is the largest |(p T)(y) - p(y)|.
	Invariance   float64
	InvarianceAt int       // the y where it is
	Defect       []float64 // (p T)(y) - p(y) for every y
	// Balance is the largest |p(x) T(x,y) - p(y) T(y,x)|, which is zero for a reversible kernel. It must be zero for a
	// kernel of the library that does not say what its time reversal R is. Where a kernel says so, Reversal must be zero,
	// the largest |p(x) T(x,y) - p(y) R(y,x)|. Where a kernel from outside does not say so, its reversal is found from its
	// rows, and neither need be zero.
	Balance     float64
	BalanceAt   [2]int // the x and y where it is
	OfLibrary   bool   // whether the kernel is of the library
	HasReversal bool   // whether the kernel says what its time reversal is
	Reversal    float64
	ReversalAt  [2]int     // the x and y where it is
	Classes     int        // the number of communicating classes of states of positive probability; 1 is irreducible
	Period      int        // the period of the class that holds the likeliest state
	SpectralGap float64    // 1 - |SecondEigen|; NaN where T is not irreducible
	SecondEigen complex128 // the eigenvalue of largest modulus apart from the eigenvalue one of p
	invariantP  []float64  // p
	rows        *Rows
	fundamental *mat.LU // factors of I - T + 1 p, once they are needed
	on          []int   // the states of positive probability
}

// Diagnose examines a kernel under logf. It fails where the rows of the kernel cannot be found (see NewRows) and for
// spaces of more than MaxDiagnosisStates. Rows that do not sum to one are no error here but a finding. Time is
// O(states^3). Where the context ends Diagnose returns at once; an abandoned goroutine may then go on computing the
// eigenvalues for some seconds, because that computation cannot be interrupted.
func Diagnose(ctx context.Context, k chains.Kernel, logf []float64) (*Diagnosis, error) {
	if len(logf) > MaxDiagnosisStates {
		return nil, fmt.Errorf("%d states; a diagnosis takes at most %d", len(logf), MaxDiagnosisStates)
	}
	d := &Diagnosis{States: len(logf), rows: &Rows{tolerance: math.Inf(1)}}
	if err := d.rows.Fill(ctx, k, logf); err != nil {
		return nil, err
	}
	d.invariantP = append([]float64(nil), logf...)
	logZ := number.LogSumExp(logf)
	for x, v := range logf {
		d.invariantP[x] = math.Exp(v - logZ)
		if !math.IsInf(v, -1) { // also where p underflows
			d.on = append(d.on, x)
		}
	}
	for x, r := range d.rows.remainders {
		d.Remainder = max(d.Remainder, r)
		d.Missing += r * d.invariantP[x]
	}
	d.sums()
	d.invariance()
	d.OfLibrary = chains.OfLibrary(k)
	reversal := d.rows
	said, ok := chains.ReversalOf(k)
	if _, d.HasReversal = k.(chains.Reverser); d.HasReversal && ok {
		reversal = &Rows{tolerance: math.Inf(1)}
		if err := reversal.Fill(ctx, said, logf); err != nil {
			return nil, fmt.Errorf("time reversal: %w", err)
		}
	} else {
		d.HasReversal = false // it is a combination, and one of its parts does not say what its reversal is
	}
	var err error
	if d.Balance, d.BalanceAt, err = d.flows(ctx, d.rows); err != nil {
		return nil, err
	}
	if d.Reversal, d.ReversalAt, err = d.flows(ctx, reversal); err != nil {
		return nil, err
	}
	if err := d.classes(ctx); err != nil {
		return nil, err
	}
	return d, d.spectrum(ctx, logf)
}

// sums finds the row whose sum is farthest from one.
func (d *Diagnosis) sums() {
	for x := range d.States {
		total := 0.0
		for _, e := range d.rows.Row(x) {
			total += e.P
		}
		if off := math.Abs(total - 1); off > d.RowSum {
			d.RowSum, d.RowSumAt = off, x
		}
	}
}

// invariance finds by how much one move changes the probability of each state.
func (d *Diagnosis) invariance() {
	moved := make([]number.Sum, d.States)
	for x, p := range d.invariantP {
		for _, e := range d.rows.Row(x) {
			moved[e.To].Add(p * e.P)
		}
	}
	d.Defect = make([]float64, d.States)
	for y, p := range d.invariantP {
		d.Defect[y] = moved[y].Value() - p
		if off := math.Abs(d.Defect[y]); off > d.Invariance {
			d.Invariance, d.InvarianceAt = off, y
		}
	}
}

// flows returns the largest difference between the flow from x to y and the flow back by the given reversal, and where
// it is.
func (d *Diagnosis) flows(ctx context.Context, reversal *Rows) (worst float64, at [2]int, err error) {
	check := func(x, y int, there, back float64) {
		if off := math.Abs(there - back); off > worst {
			worst, at = off, [2]int{x, y}
		}
	}
	for x, p := range d.invariantP {
		if err := ctx.Err(); err != nil { // a state takes long: each of its entries is searched in a row of the other matrix
			return 0, at, err
		}
		for _, e := range d.rows.Row(x) {
			check(x, e.To, p*e.P, d.invariantP[e.To]*reversal.At(e.To, x))
		}
		for _, e := range reversal.Row(x) { // this also finds flows back where there is no flow there
			check(e.To, x, d.invariantP[e.To]*d.rows.At(e.To, x), p*e.P)
		}
	}
	return worst, at, nil
}

// classes counts the communicating classes of the states of positive probability and finds the period, by searching the
// states that can be reached from a state and those that can reach it.
func (d *Diagnosis) classes(ctx context.Context) error {
	reach := func(from int, next [][]int) []int { // distances, -1 where not reached
		dist := make([]int, d.States)
		for x := range dist {
			dist[x] = -1
		}
		dist[from] = 0
		for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
			for _, y := range next[queue[0]] {
				if dist[y] < 0 {
					dist[y] = dist[queue[0]] + 1
					queue = append(queue, y)
				}
			}
		}
		return dist
	}
	forth, back := make([][]int, d.States), make([][]int, d.States)
	for _, x := range d.on {
		for _, e := range d.rows.Row(x) {
			if e.P > 0 {
				forth[x] = append(forth[x], e.To)
				back[e.To] = append(back[e.To], x)
			}
		}
	}
	likeliest := d.on[0]
	for _, x := range d.on {
		if d.invariantP[x] > d.invariantP[likeliest] {
			likeliest = x
		}
	}
	done := make([]bool, d.States)
	for _, x := range d.on {
		if done[x] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		d.Classes++
		to, from := reach(x, forth), reach(x, back)
		for y := range done {
			done[y] = done[y] || to[y] >= 0 && from[y] >= 0
		}
	}
	to, from := reach(likeliest, forth), reach(likeliest, back)
	for x := range d.States {
		if to[x] < 0 || from[x] < 0 {
			continue
		}
		for _, y := range forth[x] {
			if to[y] >= 0 && from[y] >= 0 {
				d.Period = gcd(d.Period, to[x]+1-to[y])
			}
		}
	}
	return nil
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// matrix returns T restricted to the states of positive probability.
func (d *Diagnosis) matrix() *mat.Dense {
	index := make(map[int]int, len(d.on))
	for i, x := range d.on {
		index[x] = i
	}
	m := mat.NewDense(len(d.on), len(d.on), nil)
	for i, x := range d.on {
		for _, e := range d.rows.Row(x) {
			if j, ok := index[e.To]; ok {
				m.Set(i, j, e.P)
			}
		}
	}
	return m
}

// reversible reports whether every flow equals the flow back to a relative error of 1e-9. An absolute tolerance would
// let any kernel on a sharply peaked distribution pass as reversible.
func (d *Diagnosis) reversible(ctx context.Context, logf []float64) (bool, error) {
	for _, x := range d.on {
		if err := ctx.Err(); err != nil { // a state takes long: each of its entries is searched in another row
			return false, err
		}
		for _, e := range d.rows.Row(x) {
			if e.To == x || e.P == 0 {
				continue
			}
			back := d.rows.At(e.To, x)
			if back == 0 || math.Abs(math.Log(e.P/back)+logf[x]-logf[e.To]) > 1e-9 {
				return false, nil
			}
		}
	}
	return true, nil
}

// spectrum finds the second eigenvalue and the spectral gap. Where T is reversible it computes the eigenvalues of the
// symmetric matrix sqrt(p(x)/p(y)) T(x,y), which has the same ones, because these are accurate; else those of T.
func (d *Diagnosis) spectrum(ctx context.Context, logf []float64) error {
	d.SpectralGap, d.SecondEigen = math.NaN(), complex(math.NaN(), 0)
	if d.Classes != 1 || len(d.on) < 2 {
		return nil
	}
	reversible, err := d.reversible(ctx, logf)
	if err != nil {
		return err
	}
	m := d.matrix()
	var values []complex128
	found := false
	if reversible {
		s := mat.NewSymDense(len(d.on), nil)
		for i := range d.on {
			for j := i; j < len(d.on); j++ {
				s.SetSym(i, j, math.Sqrt(m.At(i, j)*m.At(j, i))) // = sqrt(p_i/p_j) T_ij
			}
		}
		var e mat.EigenSym
		err = abandon.Unless(ctx, func() { found = e.Factorize(s, false) })
		if err == nil && found {
			for _, v := range e.Values(nil) {
				values = append(values, complex(v, 0))
			}
		}
	} else {
		var e mat.Eigen
		err = abandon.Unless(ctx, func() { found = e.Factorize(m, mat.EigenNone) })
		if err == nil && found {
			values = e.Values(nil)
		}
	}
	if err != nil {
		return err
	}
	if !found {
		return errors.New("the eigenvalues were not found")
	}
	// The eigenvalue nearest to one belongs to p; the largest of the others is the second.
	first := 0
	for i, v := range values {
		if cmplx.Abs(v-1) < cmplx.Abs(values[first]-1) {
			first = i
		}
	}
	second := complex(0, 0)
	for i, v := range values {
		if i != first && cmplx.Abs(v) > cmplx.Abs(second) {
			second = v
		}
	}
	d.SecondEigen, d.SpectralGap = second, 1-cmplx.Abs(second)
	return nil
}

// Variance says how accurate the time average of a function of the state is under a kernel. The variance of an average
// over n moves is about Asymptotic / n.
type Variance struct {
	Stationary      float64 // the variance of the function under p
	Asymptotic      float64 // C(0) + 2 sum over k >= 1 of C(k), for C(k) the covariance at lag k
	Autocorrelation float64 // the integrated autocorrelation time, Asymptotic / Stationary; NaN for a constant
	// Error is about the relative error that solving the linear system leaves in Asymptotic. It grows as the spectral gap
	// tends to zero.
	Error float64
}

// AsymptoticVariance returns the variances of g, which holds one value for each state. They are exact: with c = g minus
// its mean under p, and h the solution of (I - T + 1 p) h = c, the asymptotic variance is 2 <c, h> - <c, c>, where
// <.,.> is the mean of the product under p. It fails where the kernel is not irreducible. The result has no meaning
// where the kernel does not leave p invariant. Where the context ends it returns at once, as Diagnose does. Time is
// O(states^3) for the first call on a Diagnosis, and O(states^2) for others.
//
// Source: Kemeny and Snell 1960, theorem 4.6.3.
func (d *Diagnosis) AsymptoticVariance(ctx context.Context, g []float64) (Variance, error) {
	if d.Classes != 1 {
		return Variance{}, fmt.Errorf("the kernel has %d classes; no time average converges to the mean under all of the distribution", d.Classes)
	}
	n := len(d.on)
	if d.fundamental == nil {
		m := d.matrix()
		a := mat.NewDense(n, n, nil)
		for i := range n {
			for j, y := range d.on {
				v := d.invariantP[y] - m.At(i, j)
				if i == j {
					v++
				}
				a.Set(i, j, v)
			}
		}
		factors := &mat.LU{}
		if err := abandon.Unless(ctx, func() { factors.Factorize(a) }); err != nil {
			return Variance{}, err
		}
		d.fundamental = factors
	}
	mean := 0.0
	for _, x := range d.on {
		mean += d.invariantP[x] * g[x]
	}
	centred := mat.NewVecDense(n, nil)
	var out Variance
	for i, x := range d.on {
		c := g[x] - mean
		centred.SetVec(i, c)
		out.Stationary += d.invariantP[x] * c * c
	}
	out.Error = d.fundamental.Cond() * 0x1p-53
	var h mat.VecDense
	if err := d.fundamental.SolveVecTo(&h, false, centred); err != nil {
		var condition mat.Condition
		if !errors.As(err, &condition) {
			return Variance{}, err
		}
		if h.Len() == 0 { // the matrix is singular in float64, and no digit of the answer is known
			out.Asymptotic, out.Autocorrelation, out.Error = math.NaN(), math.NaN(), math.Inf(1)
			return out, nil
		}
	}
	for i, x := range d.on {
		out.Asymptotic += 2 * d.invariantP[x] * centred.AtVec(i) * h.AtVec(i)
	}
	out.Asymptotic -= out.Stationary
	out.Autocorrelation = out.Asymptotic / out.Stationary
	return out, nil
}
