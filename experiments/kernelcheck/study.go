package kernelcheck

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"breadboard/exact/kernel"
	"breadboard/experiments"
)

// Study returns the study as one that can be swept: is a kernel right under the distribution of a path at one beta, and how
// fast does it mix there? It has no T and no schedule, since it looks at one distribution only.
func Study() *experiments.Study {
	infinite := math.Inf(1)
	beta := experiments.Parameter{
		Name: "beta", Doc: "where on the path the distribution is; 1 is the target", Defaults: experiments.Just("1"),
		Number: &experiments.Range{Low: 0, High: 1, Real: true},
	}
	return &experiments.Study{
		Name: "kernelcheck", Answers: "does a kernel leave a distribution invariant, and how fast does it mix?",
		Parameters: append(experiments.Common("toy", "path", "initial", "kernel"), beta),
		Values: []experiments.Value{
			// A gap is 1 less the modulus of an eigenvalue, which rounding may leave a little above one.
			{Name: "spectral_gap", Doc: "1 - |second eigenvalue|; none where the kernel is not irreducible", Shown: true, Low: -rowTolerance, High: 1, Missing: true},
			{Name: "autocorrelation_time_g", Doc: "the integrated autocorrelation time of g", Shown: true, Low: -loose, High: infinite, Missing: true},
			{Name: "variance_g", Doc: "the variance of g", Unit: "nats^2", High: infinite, Missing: true},
			{Name: "row_sum", Doc: "the largest difference of the sum of a row from one", High: infinite},
			{Name: "invariance", Doc: "the largest change of a probability by one move", Shown: true, High: infinite},
			{Name: "detailed_balance", Doc: "the largest difference of two opposite flows", High: infinite},
			{Name: "classes", Doc: "classes of states that do not reach each other; 1 is irreducible", Shown: true, Low: 1, High: kernel.MaxDiagnosisStates},
			{Name: "period", Doc: "of the class of the likeliest state; 0 where it never comes back", High: kernel.MaxDiagnosisStates},
		},
		Solve: solve,
		Check: contradiction,
		Cost: func(s experiments.Size) experiments.Cost {
			n := float64(s.States)
			if s.States > kernel.DenseStates {
				return experiments.Cost{Seconds: sparseCost * n, Bytes: s.Solution.Bytes + sparseBytes*n}
			}
			return experiments.Cost{Seconds: rowsCost*n*n + systemCost*n*n*n, Bytes: s.Solution.Bytes + systemBytes*n*n}
		},
	}
}

// Measured for a space of n states: seconds of looking at flows, each n^2, and of linear systems and eigenvalues, each n^3;
// and the bytes of a system, each n^2.
const (
	rowsCost    = 0.3e-6
	systemCost  = 0.5e-9
	systemBytes = 80
	// Above kernel.DenseStates states, for each state of a sparse kernel on the hypercube of 2^16.
	sparseCost  = 60e-6
	sparseBytes = 3000
)

// solve is the Solve of the study. What is wrong with the kernel stands in the note.
func solve(ctx context.Context, c *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
	beta, err := strconv.ParseFloat(params.Get("beta"), 64)
	if err != nil {
		return experiments.Outcome{}, err
	}
	if err := oneKernel(c); err != nil {
		return experiments.Outcome{}, err
	}
	a := c.Annealing()
	d, err := kernel.Diagnose(ctx, a.Kernel(), logfAt(a, beta))
	if err != nil {
		return experiments.Outcome{}, err
	}
	v := kernel.Variance{Autocorrelation: math.NaN(), Stationary: math.NaN()}
	var notes []string
	if d.Classes == 1 {
		if v, err = d.AsymptoticVariance(ctx, c.Toy.G); err != nil {
			return experiments.Outcome{}, err
		}
		if v.Error > 1e-6 {
			notes = append(notes, fmt.Sprintf("the kernel hardly mixes, so that the autocorrelation time is known to about %.1g of its size only", v.Error))
		}
	}
	if d.GapMissing != "" {
		notes = append(notes, "spectral_gap is "+d.GapMissing)
	} else if d.Classes == 1 && d.Period == 1 && d.GapFloor == 0 {
		notes = append(notes, fmt.Sprintf("spectral_gap is known to %.1g only, or an eigenvalue that leaves a smaller one may have been missed", d.GapError))
	}
	row := Row{Toy: c.Toy}
	row.claims(beta, d, a.Kernel())
	for _, f := range row.Findings {
		if f.Verdict == Fault {
			notes = append(notes, fmt.Sprintf("%s is %.3g: %s", f.Name, f.Value, f.Where))
		}
	}
	return experiments.Outcome{
		Numbers: []float64{d.SpectralGap, v.Autocorrelation, v.Stationary, d.RowSum, d.Invariance, d.Balance, float64(d.Classes), float64(d.Period)},
		Note:    strings.Join(notes, "; "),
	}, nil
}

// contradiction is the Check of the study: there is a spectral gap exactly where the kernel is irreducible, unless the note
// says why there is none.
func contradiction(_ experiments.Params, o experiments.Outcome) error {
	gap, classes := o.Numbers[0], o.Numbers[6]
	if math.IsNaN(gap) && classes == 1 && o.Note != "" {
		return nil
	}
	if math.IsNaN(gap) == (classes == 1) {
		return fmt.Errorf("its spectral_gap is %v, and its states are of %v classes", gap, classes)
	}
	return nil
}
