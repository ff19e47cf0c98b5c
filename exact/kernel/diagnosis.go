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

// MaxDiagnosisStates is the number of states above which Diagnose would solve linear systems that take minutes.
const MaxDiagnosisStates = 1024

// Diagnosis is what can be said of a kernel T under one distribution p. Largest violations come with the states
// where they are.
type Diagnosis struct {
	States int

	Remainder float64 // probability that enumeration left out of a row at most (see Row)
	Missing   float64 // the mean of what it left out, under p: a bound on what the flows lack

	RowSum   float64 // largest |sum_y T(x,y) - 1|
	RowSumAt int     // x
	// Invariance is the largest |(p T)(y) - p(y)|.
	Invariance   float64
	InvarianceAt int
	Defect       []float64 // (p T)(y) - p(y) for every y
	// Balance is the largest |p(x) T(x,y) - p(y) T(y,x)|. A kernel that says what its time reversal R is need not have
	// it, but then Reversal, the largest |p(x) T(x,y) - p(y) R(y,x)|, is to be zero. A kernel from outside that says
	// nothing need not have it either, as its reversal is found from its rows; one of the library must.
	Balance     float64
	BalanceAt   [2]int
	OfLibrary   bool
	HasReversal bool // whether the kernel says what its time reversal is
	Reversal    float64
	ReversalAt  [2]int
	Classes     int     // communicating classes among the states of positive probability; 1 is irreducible
	Period      int     // of the class that holds the likeliest state
	SpectralGap float64 // 1 - the second largest modulus of an eigenvalue; NaN where not irreducible
	SecondEigen complex128
	invariantP  []float64
	rows        *Rows
	fundamental *mat.LU
	on          []int // the states of positive probability
}

// Diagnose examines a kernel under logf. It fails where the kernel has no rows at all (see NewRows), except that
// rows that do not sum to one are a finding, and for spaces of more than MaxDiagnosisStates. Time is O(states^3). Where
// the context ends Diagnose returns at once; the eigenvalues are then still computed for some seconds in a goroutine
// that is abandoned, since nothing can interrupt that.
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
		d.HasReversal = false // a combination with a part that says nothing
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

// flows returns the largest difference between the flow from x to y and the flow back in a reversal.
func (d *Diagnosis) flows(ctx context.Context, reversal *Rows) (worst float64, at [2]int, err error) {
	check := func(x, y int, there, back float64) {
		if off := math.Abs(there - back); off > worst {
			worst, at = off, [2]int{x, y}
		}
	}
	for x, p := range d.invariantP {
		if err := ctx.Err(); err != nil { // rows are searched for each entry
			return 0, at, err
		}
		for _, e := range d.rows.Row(x) {
			check(x, e.To, p*e.P, d.invariantP[e.To]*reversal.At(e.To, x))
		}
		for _, e := range reversal.Row(x) { // flows that only the reversal has
			check(e.To, x, d.invariantP[e.To]*d.rows.At(e.To, x), p*e.P)
		}
	}
	return worst, at, nil
}

// classes finds the communicating classes of the states of positive probability and the period, by walking
// forth and back from each state.
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

// reversible reports whether every flow is as large as the flow back, each to its own digits: an absolute measure
// would take any kernel on a peaked distribution for reversible.
func (d *Diagnosis) reversible(ctx context.Context, logf []float64) (bool, error) {
	for _, x := range d.on {
		if err := ctx.Err(); err != nil { // rows are searched for each entry
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

// spectrum computes the eigenvalues: of the symmetric sqrt(p(x)/p(y)) T(x,y) where T is reversible, which is
// accurate, else of T.
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
	// The eigenvalue one belongs to p; the largest of the others is the second.
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

// Variance is how well the time average of a function of the state does under a kernel.
type Variance struct {
	Stationary      float64 // variance under p
	Asymptotic      float64 // C(0) + 2 sum over k >= 1 of C(k), C(k) the covariance at lag k
	Autocorrelation float64 // integrated autocorrelation time, Asymptotic / Stationary; NaN for a constant
	// Error is about the relative error that the linear system leaves in Asymptotic; it grows as the gap closes.
	Error float64
}

// AsymptoticVariance returns the variances of g, exactly: with h the solution of (I - T + 1 p) h = g less its
// mean, the asymptotic one is 2 <g, h> - <g, g>. It fails where the kernel is not irreducible, and means
// nothing where it does not leave p invariant. Where the context ends it returns at once, as Diagnose does. Source:
// Kemeny and Snell 1960, theorem 4.6.3.
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
		if h.Len() == 0 { // singular to all digits
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
