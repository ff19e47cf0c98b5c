package kernel

import (
	"context"
	"errors"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"

	"breadboard/chains"
)

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

// denseSpectrum finds the second eigenvalue from all eigenvalues. Where T is reversible it computes those of the symmetric
// matrix sqrt(p(x)/p(y)) T(x,y), which has the same ones, because these are accurate; else those of T.
func (d *Diagnosis) denseSpectrum(ctx context.Context, into *columns) error {
	_, reversible, err := imbalanceOf(ctx, d.rows, into, d.logf, d.on)
	if err != nil {
		return err
	}
	values, err := eigenvalues(ctx, d.matrix(), reversible)
	if err != nil {
		return err
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
	if reversible { // the rounding of the entries and of a symmetric solver is that of some 2^-52 for each row
		d.GapError = float64(len(d.on)+1) * 0x1p-51
		d.GapFloor = max(0, d.SpectralGap-d.GapError)
	}
	return nil
}

// eigenvalues returns the eigenvalues of a transition matrix, given whether it is reversible.
func eigenvalues(ctx context.Context, m *mat.Dense, reversible bool) (values []complex128, err error) {
	found := false
	if reversible {
		n, _ := m.Dims()
		s := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				s.SetSym(i, j, math.Sqrt(m.At(i, j)*m.At(j, i))) // = sqrt(p_i/p_j) T_ij
			}
		}
		var e mat.EigenSym
		err = chains.Unless(ctx, func() { found = e.Factorize(s, false) })
		if err == nil && found {
			for _, v := range e.Values(nil) {
				values = append(values, complex(v, 0))
			}
		}
	} else {
		var e mat.Eigen
		err = chains.Unless(ctx, func() { found = e.Factorize(m, mat.EigenNone) })
		if err == nil && found {
			values = e.Values(nil)
		}
	}
	if err == nil && !found {
		err = errors.New("the eigenvalues were not found")
	}
	return values, err
}

// denseVariance adds the asymptotic variance of a function, less its mean, to its stationary one.
func (d *Diagnosis) denseVariance(ctx context.Context, c []float64, out Variance) (Variance, error) {
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
		if err := chains.Unless(ctx, func() { factors.Factorize(a) }); err != nil {
			return Variance{}, err
		}
		d.fundamental = factors
	}
	centred := mat.NewVecDense(n, c)
	out.Error = d.fundamental.Cond() * 0x1p-53
	var h mat.VecDense
	if err := d.fundamental.SolveVecTo(&h, false, centred); err != nil {
		var condition mat.Condition
		if !errors.As(err, &condition) {
			return Variance{}, err
		}
		if h.Len() == 0 { // the matrix is singular in float64, and no digit of the answer is known
			out.Asymptotic, out.Autocorrelation, out.Error = math.NaN(), math.NaN(), math.Inf(1)
			out.Bound = math.Inf(1)
			return out, nil
		}
	}
	size := 0.0 // <h, h>
	for i, x := range d.on {
		out.Asymptotic += 2 * d.invariantP[x] * centred.AtVec(i) * h.AtVec(i)
		size += d.invariantP[x] * h.AtVec(i) * h.AtVec(i)
	}
	out.Asymptotic -= out.Stationary
	out.Autocorrelation = out.Asymptotic / out.Stationary
	// The error is one of h, and <c, h> can be much smaller than c and h are: it is half of <c, c> for a function that averages
	// itself out, as one of a state that goes round in a cycle does. To this comes what the sums are rounded by.
	rounded := float64(n) * 0x1p-53
	out.Bound = 2*(out.Error+rounded)*math.Sqrt(out.Stationary*size) + rounded*out.Stationary
	return out, nil
}
