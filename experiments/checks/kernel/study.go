package kernel

import (
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/exact/kernel"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// DiagnosisOptions are the betas at which the kernel of a case is examined.
type DiagnosisOptions struct{ Betas []float64 }

// DiagnosisRow is the diagnosis of the kernel of a case under one distribution of the path.
type DiagnosisRow struct {
	subject.Case
	Beta float64
	*kernel.Diagnosis
	OfG   kernel.Variance // of g; NaN if the kernel is not irreducible
	Notes []string        // caveats, and the faults of the kernel
}

// Study declares the study for sweeps, of a kernel under one distribution of a path. It ignores T
// and the schedule. The command of the same name examines a kernel on whole toys, by Run.
func Study() *study.Study[subject.Case, DiagnosisOptions, DiagnosisRow] {
	beta := subject.Parameter{
		Name:     "beta",
		Doc:      "the inverse temperature of the distribution; 1 is the target",
		Defaults: subject.Just("1"),
		Number:   &subject.Range{Low: 0, High: 1, Real: true},
	}
	return study.New(DiagnosisOptions{Betas: []float64{1}}, diagnosisPlan, study.Declaration{
		Name:    "kernel check",
		Smaller: "J and B by this kernel are answered by breadboard tightness --kernel",
		Asks:    "Is this kernel correct, and how fast does it mix?",
		Help: `check computes the exact transition matrix of a kernel and reports whether the
kernel is correct and how fast it mixes.

Three questions are answered: does the kernel leave the target invariant, does
it join all states, do its chains sample the target? The exit code is 1 if the
kernel is wrong, or if invariance is open because the digits of the rows do not
decide. Without --beta it then compares J and B of annealing with this kernel
and with the Metropolis kernel. A program that makes its own random choices is
tested with --moves moves.

See breadboard help check-kernel.`,
		Examples: `  breadboard kernel check heatbath
  breadboard kernel check "exec:python3 kernel.py"
  breadboard kernel check matrix:kernel.npy --toy file:target.csv
  breadboard kernel check flip --toy ising:3x3:0.44:torus --beta 1`,
		Counts: "examining distributions", Workers: true,
		Options: study.OptionsOf(func(o *DiagnosisOptions) []study.Option {
			return []study.Option{
				{
					Name:  beta.Name,
					Doc:   "of the distribution; 1 is the target",
					Swept: &beta,
					To:    study.Numbers(&o.Betas),
				},
			}
		}),
		Columns: kept(),
		Cost:    cost,
		Most:    kernel.MaxDiagnosisStates,
		Swept: &study.Swept{
			Alone:      true,
			Parameters: subject.Common("toy", "path", "initial", "kernel"), Subject: study.TheCase,
			Note: study.NoteOf(func(r *DiagnosisRow) (string, error) { return strings.Join(r.Notes, "; "), nil }),
		},
	})
}

func kept() columns.List {
	type row = DiagnosisRow
	infinite := math.Inf(1)
	number := func(name, unit, meaning string, k columns.Kept, of func(*row) float64) columns.Field {
		return columns.Of(name, "", meaning, of).In(unit).Keep(k)
	}
	return columns.List{
		// A gap is 1 less the modulus of an eigenvalue, which rounding may leave a little above
		// one.
		number("spectral_gap", "", "1 - |second eigenvalue|; empty if the kernel is not irreducible",
			columns.Kept{Low: -rowTolerance, High: 1, Missing: true, Shown: true},
			func(r *row) float64 { return r.SpectralGap }),
		number("autocorrelation_time_g", "", "the integrated autocorrelation time of g",
			columns.Kept{Low: -loose, High: infinite, Missing: true, Shown: true},
			func(r *row) float64 { return r.OfG.Autocorrelation }),
		number("variance_g", "nats^2", "the variance of g", columns.Kept{High: infinite, Missing: true},
			func(r *row) float64 { return r.OfG.Stationary }),
		number("row_sum", "", "the largest difference of the sum of a row from one",
			columns.Kept{High: infinite}, func(r *row) float64 { return r.RowSum }),
		number("invariance", "", "the largest change of a probability by one move",
			columns.Kept{High: infinite, Shown: true},
			func(r *row) float64 { return r.Invariance }),
		number("detailed_balance", "", "the largest difference of two opposite flows",
			columns.Kept{High: infinite}, func(r *row) float64 { return r.Balance }),
		number("classes",
			"", "the number of classes of states that do not reach each other; 1 means irreducible",
			columns.Kept{Low: 1, High: kernel.MaxDiagnosisStates, Shown: true},
			func(r *row) float64 { return float64(r.Classes) }),
		number("period",
			"", "the period of the class of the likeliest state; 0 if the kernel never returns to it",
			columns.Kept{High: kernel.MaxDiagnosisStates}, func(r *row) float64 { return float64(r.Period) }),
	}
}

// Measured for a space of n states: seconds of looking at flows, each n^2, and of linear systems
// and eigenvalues, each n^3; and the bytes of a system, each n^2.
const (
	rowsCost    = 0.3e-6
	systemCost  = 0.5e-9
	systemBytes = 80
	// Above kernel.DenseStates states, for each state of a sparse kernel on the hypercube of 2^16.
	sparseCost  = 60e-6
	sparseBytes = 3000
)

func cost(s subject.Size) subject.Cost {
	n := float64(s.States)
	if s.States > kernel.DenseStates {
		return subject.Cost{Seconds: sparseCost * n, Bytes: s.Solution.Bytes + sparseBytes*n}
	}
	return subject.Cost{Seconds: rowsCost*n*n + systemCost*n*n*n, Bytes: s.Solution.Bytes + systemBytes*n*n}
}

// diagnosisPlan looks at the kernel of each case at each beta.
func diagnosisPlan(_ context.Context, cases []subject.Case,
	o *DiagnosisOptions) (p study.Plan[DiagnosisRow], err error) {
	for _, b := range o.Betas {
		if err := validBeta(b); err != nil {
			return p, err
		}
	}
	var jobs []study.Job[DiagnosisRow]
	for i := range cases {
		if err := oneKernel(&cases[i]); err != nil {
			return p, err
		}
		for _, b := range o.Betas {
			jobs = append(jobs, study.Job[DiagnosisRow]{
				Steps: 1,
				Rows: func(ctx context.Context, h study.How) ([]DiagnosisRow, error) {
					r := DiagnosisRow{Case: cases[i], Beta: b}
					if err := r.diagnose(ctx); err != nil {
						return nil, cases[i].Wrong(err)
					}
					h.Add(1)
					return []DiagnosisRow{r}, nil
				},
			})
		}
	}
	return study.Jobs(jobs), nil
}

// diagnose looks at the kernel. What is wrong with it stands in the notes.
func (r *DiagnosisRow) diagnose(ctx context.Context) (err error) {
	a := r.Annealing()
	d, err := kernel.Diagnose(ctx, a.Kernel(), logfAt(a, r.Beta))
	if err != nil {
		return err
	}
	r.Diagnosis = d
	r.OfG = kernel.Variance{Autocorrelation: math.NaN(), Stationary: math.NaN()}
	if d.Classes == 1 {
		r.OfG, err = d.AsymptoticVariance(ctx, r.Toy.MemberG())
		if err != nil {
			return err
		}
		if r.OfG.Error > 1e-6 {
			r.note("the kernel hardly mixes: the relative error of the autocorrelation time is about %.1g",
				r.OfG.Error)
		}
	}
	if d.GapMissing != "" {
		r.note("spectral_gap is %s", d.GapMissing)
	} else if d.Classes == 1 && d.Period == 1 && d.GapFloor == 0 {
		r.note("spectral_gap is known to %.1g only, or an eigenvalue with a smaller gap may have been missed",
			d.GapError)
	}
	row := Row{Toy: r.Toy}
	row.claims(r.Beta, d, a.Kernel())
	for _, f := range row.Findings {
		if f.Verdict == check.Fault {
			r.note("%s is %.3g: %s", f.Name, f.Value, f.Where)
		}
	}
	return nil
}

func (r *DiagnosisRow) note(format string, arguments ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, arguments...))
}

// SpectrumRow is the spectral gap of the kernel of an annealing under the distribution at one beta
// of its path.
type SpectrumRow struct {
	subject.Case
	Beta   float64
	Gap    float64 // 1 - |Second|, from 0 to 1; NaN if there is none, and Missing says why
	Error  float64 // a bound on the error of Gap; NaN if there is none (see kernel.Diagnosis)
	Floor  float64 // a lower bound of the gap; NaN if none is known
	Proven bool    // whether Floor is certain; otherwise it may fail with probability kernel.MissRisk
	// the relaxation time 1/Gap, in moves; +Inf if Gap is zero, and NaN if there is none
	Relaxation float64
	Second     complex128 // the eigenvalue of largest modulus apart from the one of the distribution
	Classes    int        // the number of classes of states that do not reach each other; 1 means irreducible
	Period     int
	Missing    string // why there is no gap; else empty
}

// MaxSpectrumBetas is the largest number of betas of one spectrum.
const MaxSpectrumBetas = 10_001

// SpectrumBetas returns n equally spaced betas from 0 to 1. It fails for n below two or above
// MaxSpectrumBetas.
func SpectrumBetas(n int) ([]float64, error) {
	if n < 2 || n > MaxSpectrumBetas {
		return nil, errs.New("%d betas; a spectrum has 2 to %d, both ends included", n, MaxSpectrumBetas)
	}
	betas := make([]float64, n)
	for i := range betas {
		betas[i] = float64(i) / float64(n-1)
	}
	return betas, nil
}

// Spectrum returns the spectral gap of the kernel of an annealing under the distributions at the
// given betas of its path, in their order. It ignores T and the schedule. Zero workers means one
// for each processor.
//
// A reversible kernel on 25x25 states takes a few milliseconds for each beta, or a second if it
// hardly mixes; one that is not reversible takes O(states^3), more than a second there. It fails
// for a kernel that is made for the stages of a schedule, for a beta outside 0 to 1, for spaces of
// more than kernel.MaxDiagnosisStates, and with the error of a kernel without rows. If the context
// ends it returns at once, with the finished rows.
//
// Source: Levin and Peres 2017, section 12.2, for the absolute spectral gap and the relaxation
// time.
func Spectrum(ctx context.Context, c subject.Case, betas []float64, workers int) ([]SpectrumRow, error) {
	if len(betas) > MaxSpectrumBetas {
		return nil, errs.New("%d betas; a spectrum has at most %d", len(betas), MaxSpectrumBetas)
	}
	for _, b := range betas {
		if err := validBeta(b); err != nil {
			return nil, err
		}
	}
	if err := oneKernel(&c); err != nil {
		return nil, err
	}
	return subject.Rows(ctx, len(betas), workers, func(ctx context.Context, i int) ([]SpectrumRow, error) {
		d, err := kernel.Diagnose(ctx, c.Annealing().Kernel(), logfAt(c.Annealing(), betas[i]), kernel.Quick)
		if err != nil {
			return nil, c.Wrong(err)
		}
		return []SpectrumRow{spectrumRow(c, betas[i], d)}, nil
	})
}

func spectrumRow(c subject.Case, beta float64, d *kernel.Diagnosis) SpectrumRow {
	r := SpectrumRow{
		Case: c, Beta: beta, Gap: d.SpectralGap, Error: d.GapError, Floor: d.GapFloor, Proven: d.Proven(),
		Second: d.SecondEigen, Classes: d.Classes, Period: d.Period, Missing: d.GapMissing,
	}
	switch {
	case d.Classes != 1:
		r.Missing = fmt.Sprintf("there are %d classes of states that do not reach each other", d.Classes)
	case d.Period > 1: // whatever rounding makes of it
		r.Gap = 0
		r.Error = 0
		r.Floor = 0
		r.Proven = true
		r.Missing = ""
	case math.IsNaN(r.Gap) && r.Missing == "":
		r.Missing = "the distribution is all at one state"
	}
	r.Relaxation = 1 / r.Gap
	return r
}

// validBeta returns an error for a number that is no beta.
func validBeta(b float64) error {
	if !(b >= 0 && b <= 1) {
		return errs.New("beta %v; inverse temperatures are from 0 to 1", b)
	}
	return nil
}

// oneKernel returns an error if the kernel of a case is made for the stages of a schedule.
func oneKernel(c *subject.Case) error {
	if c.Annealing().Kernel() == nil {
		return errs.New(
			"kernel %s is made for the stages of a schedule, but this study is at a single beta; choose a "+
				"kernel that is the same at every stage",
			c.Param("kernel"),
		)
	}
	return nil
}

// logfAt returns log f at a beta of the centred path of an annealing.
func logfAt(a *chains.Annealing, beta float64) []float64 {
	centred, _ := a.Centred()
	logf := make([]float64, a.States())
	centred.Path().LogF(logf, chains.At(beta))
	return logf
}
