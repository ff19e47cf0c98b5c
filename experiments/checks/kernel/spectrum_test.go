package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"breadboard/chains"
	kernelcheck "breadboard/experiments/checks/kernel"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// spectrumCase returns the annealing of a toy by a kernel.
func spectrumCase(t *testing.T, toy, kernel string) subject.Case {
	t.Helper()
	cases := longtest.Must(
		subject.Selection{Reader: forms.Reader(),
			Toys: []string{toy}, Distributions: []int{5}, Path: "geometric", Schedule: "linear",
			Kernel: kernel}.Cases(context.Background()),
	)(t)
	return cases[0]
}

func TestSpectrumRefuses(t *testing.T) {
	ctx := context.Background()
	c := spectrumCase(t, "easy", "metropolis")
	for _, beta := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		longtest.Refuses(kernelcheck.Spectrum(ctx, c, []float64{0, beta}, 1))(t, "inverse temperatures are from 0 to 1",
			beta)
	}
	for _, n := range []int{1, kernelcheck.MaxSpectrumBetas + 1} {
		longtest.Refuses(kernelcheck.SpectrumBetas(n))(t, fmt.Sprint(n))
	}
	longtest.Refuses(kernelcheck.Spectrum(ctx, c, make([]float64, kernelcheck.MaxSpectrumBetas+1), 1))(t,
		fmt.Sprint(kernelcheck.MaxSpectrumBetas))
}

// counting is a kernel that counts the rows that are asked of it, and calls a function at one of
// them.
type counting struct {
	chains.Rower
	rows  *int
	at    int
	reach func()
}

func (k counting) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	*k.rows++
	if *k.rows == k.at {
		k.reach()
	}
	return k.Rower.AppendRow(dst, logf, x)
}

// TestSpectrumIsGivenUp: if its context ends it returns, with the rows that are done.
func TestSpectrumIsGivenUp(t *testing.T) {
	until := func(end int) (rows []kernelcheck.SpectrumRow, asked int, err error) {
		c := spectrumCase(t, "random:2:1:4x4", "metropolis")
		a := c.Annealing()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		c.Algorithm = longtest.Must(chains.NewAnnealing(a.Path(), a.Schedule(),
			counting{a.Kernel().(chains.Rower), &asked, end, cancel}, a.Distributions()))(t)
		rows, err = kernelcheck.Spectrum(ctx, c, []float64{0, 0.25, 0.5, 0.75, 1}, 1)
		return rows, asked, err
	}
	rows, all, err := until(0)
	if err != nil || len(rows) != 5 || all%5 != 0 {
		t.Fatalf("%d rows of %d, %v", len(rows), all, err)
	}
	for done := range 5 {
		end := done*all/5 + 2 // where the next beta has begun
		if rows, asked, err := until(end); !errors.Is(err, context.Canceled) || len(rows) != done ||
			asked > end+1 {
			t.Errorf("%d rows, %v: row %d of the kernel is asked for, and the context ends at %d", len(rows),
				err, asked, end)
		}
	}
}

// TestDiagnoses: a row for each case and beta, in their order, with the gap that the spectrum has;
// a sweep keeps its numbers under their names; what is no beta is refused.
func TestDiagnoses(t *testing.T) {
	ctx := context.Background()
	betas := []float64{1, 0}
	cases := casetest.MustCases(t, casetest.Selection([]int{2}, "easy", "barrier:3x3"))
	rows, err := study.Run(
		ctx,
		kernelcheck.Study(),
		cases,
		kernelcheck.DiagnosisOptions{Betas: betas},
		study.How{Workers: 2},
	)
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i := range cases {
		spectrum := longtest.Must(kernelcheck.Spectrum(ctx, cases[i], betas, 1))(t)
		for k, want := range spectrum {
			if r := rows[2*i+k]; r.Beta != want.Beta || r.String() != cases[i].String() ||
				r.SpectralGap != want.Gap || !(r.OfG.Autocorrelation > 1) ||
				len(r.Notes) > 0 {
				t.Errorf("%s, beta %v: a gap of %v, want %v; %+v", &r.Case, r.Beta, r.SpectralGap, want.Gap, r)
			}
		}
	}
	// at beta 0, where every state is as likely
	r := &rows[1]
	swept := kernelcheck.Study().Declaration.Sweep()
	o := longtest.Must(
		swept.SolveRow(ctx, forms.Reader(), append(r.Parts(), subject.Param{Name: "beta", Value: "0"})),
	)(t)
	for name, want := range map[string]float64{
		"spectral_gap": r.SpectralGap, "autocorrelation_time_g": r.OfG.Autocorrelation,
		"variance_g": stat.PopVariance(r.Toy.G, nil), "row_sum": r.RowSum,
		"invariance": r.Invariance, "detailed_balance": r.Balance, "classes": 1, "period": 1,
	} {
		if got := swept.Value(name, o.Numbers); !(math.Abs(got-want) <= 1e-12*want) {
			t.Errorf("%s is %v in a sweep, want %v", name, got, want)
		}
	}
	longtest.Refuses(study.Run(ctx, kernelcheck.Study(), cases,
		kernelcheck.DiagnosisOptions{Betas: []float64{1.5}}, study.How{}))(t, "beta 1.5")
}

// The barrier between the modes of BARRIER slows Metropolis' kernel down as it rises with beta.
func Example_kernelSpectrum() {
	ctx := context.Background()
	cases, _ := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"barrier"},
		Distributions: []int{10},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}.Cases(ctx)
	betas, _ := kernelcheck.SpectrumBetas(3)
	rows, err := kernelcheck.Spectrum(ctx, cases[0], betas, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("beta %.1f: gap %.3g, relaxation time %.3g moves\n", r.Beta, r.Gap, r.Relaxation)
	}
	// Output:
	// beta 0.0: gap 0.0495, relaxation time 20.2 moves
	// beta 0.5: gap 0.000296, relaxation time 3.37e+03 moves
	// beta 1.0: gap 1.4e-06, relaxation time 7.15e+05 moves
}
