package kernel

import (
	"context"
	"fmt"
	"math"

	"breadboard/exact/kernel"
	"breadboard/reports/check"
)

// efficiency adds the findings about how well a right kernel mixes.
func (k *Row) efficiency(ctx context.Context, beta float64, d *kernel.Diagnosis) error {
	here := k.under(beta)
	if d.Classes == 1 {
		here.addExact(irreducible, 1, math.NaN(), check.Pass, "")
	} else {
		verdict := check.Note
		if k.strict {
			verdict = check.Fault
		}
		here.addExact(irreducible, float64(d.Classes), math.NaN(), verdict,
			fmt.Sprintf("%d classes of states that do not reach each other; the likeliest has %.6g of the probability",
				d.Classes, d.ClassMasses[0]))
	}
	if d.Period == 1 {
		here.addExact("period", 1, math.NaN(), check.Pass, "")
	} else {
		here.addExact("period", float64(d.Period), math.NaN(), check.Note,
			"it moves in cycles of this length")
	}
	if d.Classes != 1 {
		return nil
	}
	k.gap(beta, d)
	for _, f := range k.functions() {
		v, err := d.AsymptoticVariance(ctx, f.values)
		if err != nil {
			return err
		}
		if !(v.Stationary > 0) {
			continue // the function is constant, as g is on a flat target
		}
		verdict, where := precision(min(v.Error, v.Bound/v.Stationary), d.Proven())
		here.measured("asymptotic_variance_"+f.name, v.Asymptotic, v.Bound, verdict, where)
		here.measured("autocorrelation_time_"+f.name, v.Autocorrelation, v.Bound/v.Stationary, verdict, where)
	}
	return nil
}

// precision says what an error relative to a variance means. On large spaces it is infinite if the
// gap has no lower bound.
func precision(relative float64, small bool) (check.Verdict, string) {
	switch {
	case math.IsInf(relative, 1) && !small:
		return check.Open, "no bound is known, because the spectral gap may be zero: the kernel hardly mixes"
	case relative > 1:
		return check.Open, "beyond floating point: the kernel hardly mixes"
	case relative > 1e-6:
		return check.Note, fmt.Sprintf("to about %.1g: the kernel hardly mixes", relative)
	}
	return check.Note, ""
}

// gap adds the findings about the spectral gap of an irreducible kernel. If the kernel goes round
// in cycles it is zero, whatever rounding makes of it. Otherwise it is open if its bound reaches
// zero.
func (k *Row) gap(beta float64, d *kernel.Diagnosis) {
	here := k.under(beta)
	if d.GapMissing != "" {
		here.measured("spectral_gap", math.NaN(), math.NaN(), check.Open, d.GapMissing)
		return
	}
	verdict := check.Note
	where := "second eigenvalue " + eigenvalue(d.SecondEigen)
	if d.Period > 1 {
		here.addExact("spectral_gap", 0, math.NaN(), verdict,
			fmt.Sprintf("zero, since it moves in cycles of length %d; %s", d.Period, where))
		return
	}
	if d.GapError >= d.SpectralGap {
		verdict = check.Open
		where += "; the bound reaches zero: the kernel hardly mixes"
	}
	here.measured("spectral_gap", d.SpectralGap, d.GapError, verdict, where)
	if d.Proven() {
		return
	}
	verdict, where = check.Note, fmt.Sprintf(
		"no eigenvalue gives a smaller gap, except with probability %.0e over the random start of the search",
		kernel.MissRisk,
	)
	if d.GapFloor == 0 {
		verdict = check.Open
		where = "an eigenvalue with a smaller gap may have been missed: the search was too short for a gap this small"
	}
	here.addExact("spectral_gap_floor", d.GapFloor, math.NaN(), verdict, where)
}

func eigenvalue(v complex128) string {
	if imag(v) == 0 {
		return fmt.Sprintf("%.6g", real(v))
	}
	return fmt.Sprintf("%.6g", v)
}

type stateFunction struct {
	name   string
	values []float64
}

// functions returns the functions of the state whose time averages are judged: g, the values of the
// axes of a grid, and the indicator of the dominant mode.
func (k *Row) functions() []stateFunction {
	n := len(k.Toy.G)
	list := []stateFunction{{"g", k.Toy.MemberG()}}
	if space := k.Toy.Lattice(); space != nil {
		for axis, variable := range k.Toy.Variables() {
			f := stateFunction{variable.Name, make([]float64, n)}
			for x := range f.values {
				f.values[x] = variable.ValueAt(space.Coord(x, axis))
			}
			list = append(list, f)
		}
	}
	if k.Toy.Mode != nil {
		f := stateFunction{"mode", make([]float64, n)}
		for _, x := range k.Toy.Mode {
			f.values[x] = 1
		}
		list = append(list, f)
	}
	return list
}
