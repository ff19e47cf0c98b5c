package kernelcheck

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/exact/kernel"
	"breadboard/experiments"
)

// SpectrumRow says how fast the kernel of an annealing mixes under the distribution at one place of its path.
type SpectrumRow struct {
	experiments.Case
	Beta       float64
	Gap        float64    // 1 - |Second|, from 0 to 1; NaN where there is none, and Missing says why
	Error      float64    // how far Gap may be off; NaN where nothing bounds that (see kernel.Diagnosis)
	Floor      float64    // a lower bound of the gap; NaN where none is known
	Proven     bool       // whether Floor is proven, and does not fail with the probability kernel.MissRisk
	Relaxation float64    // the relaxation time 1/Gap, in moves; +Inf where Gap is zero, and NaN where there is none
	Second     complex128 // the eigenvalue of largest modulus apart from the one of the distribution
	Classes    int        // classes of states that do not reach each other; 1 is irreducible
	Period     int
	Missing    string // why there is no gap; else empty
}

// MaxSpectrumBetas is the largest number of betas of one spectrum.
const MaxSpectrumBetas = 10_001

// SpectrumBetas returns so many equally spaced betas from 0 to 1, of which there must be at least two.
func SpectrumBetas(n int) ([]float64, error) {
	if n < 2 || n > MaxSpectrumBetas {
		return nil, fmt.Errorf("%d betas; a spectrum has 2 to %d, both ends included", n, MaxSpectrumBetas)
	}
	betas := make([]float64, n)
	for i := range betas {
		betas[i] = float64(i) / float64(n-1)
	}
	return betas, nil
}

// Spectrum returns the spectral gap of the kernel of an annealing under the distributions at the given betas of its path, in their
// order. It has no use for T and the schedule. Betas are looked at by so many workers at once; 0 is one for each processor.
//
// A reversible kernel on 25x25 states takes a few milliseconds for each beta, and where it hardly mixes a second; one that is not
// reversible takes O(states^3), more than a second there. It fails for a kernel that is made for the stages of a schedule, for a beta
// outside 0 to 1, for spaces of more than kernel.MaxDiagnosisStates, and with the error of a kernel without rows. Where the context
// ends it returns at once, with the rows that are done.
//
// Source: Levin and Peres 2017, section 12.2, for the absolute spectral gap and the relaxation time.
func Spectrum(ctx context.Context, c experiments.Case, betas []float64, workers int) ([]SpectrumRow, error) {
	if len(betas) > MaxSpectrumBetas {
		return nil, fmt.Errorf("%d betas; a spectrum has at most %d", len(betas), MaxSpectrumBetas)
	}
	for _, b := range betas {
		if err := validBeta(b); err != nil {
			return nil, err
		}
	}
	if err := oneKernel(&c); err != nil {
		return nil, err
	}
	return experiments.Rows(ctx, len(betas), workers, func(ctx context.Context, i int) ([]SpectrumRow, error) {
		d, err := kernel.DiagnoseQuickly(ctx, c.Annealing().Kernel(), logfAt(c.Annealing(), betas[i]))
		if err != nil {
			return nil, c.Wrong(err)
		}
		return []SpectrumRow{spectrumRow(c, betas[i], d)}, nil
	})
}

// spectrumRow returns the row of a diagnosis.
func spectrumRow(c experiments.Case, beta float64, d *kernel.Diagnosis) SpectrumRow {
	r := SpectrumRow{
		Case: c, Beta: beta, Gap: d.SpectralGap, Error: d.GapError, Floor: d.GapFloor, Proven: d.Proven(),
		Second: d.SecondEigen, Classes: d.Classes, Period: d.Period, Missing: d.GapMissing,
	}
	switch {
	case d.Classes != 1:
		r.Missing = fmt.Sprintf("there are %d classes of states that do not reach each other", d.Classes)
	case d.Period > 1: // whatever rounding makes of it
		r.Gap, r.Error, r.Floor, r.Proven, r.Missing = 0, 0, 0, true, ""
	case math.IsNaN(r.Gap) && r.Missing == "":
		r.Missing = "the distribution is all at one state"
	}
	r.Relaxation = 1 / r.Gap
	return r
}

// validBeta returns an error for a number that is no beta.
func validBeta(b float64) error {
	if !(b >= 0 && b <= 1) {
		return fmt.Errorf("beta %v; inverse temperatures are from 0 to 1", b)
	}
	return nil
}

// oneKernel returns an error where the kernel of a case is made for the stages of a schedule.
func oneKernel(c *experiments.Case) error {
	if c.Annealing().Kernel() == nil {
		return fmt.Errorf("kernel %s is made for the stages of a schedule, and this study looks at one beta; choose one that is the same at every stage", c.Param("kernel"))
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
