package kernelcheck_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"breadboard/experiments"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/kernelcheck"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// TestDiagnoses: a row for each case and beta, in their order, with the gap that the spectrum has; a sweep keeps its numbers under their
// names; what is no beta is refused.
func TestDiagnoses(t *testing.T) {
	ctx, betas := context.Background(), []float64{1, 0}
	cases := casetest.MustCases(t, casetest.Selection([]int{2}, "easy", "barrier:3x3"))
	rows, err := kernelcheck.Study().Run(ctx, cases, kernelcheck.DiagnosisOptions{Betas: betas}, study.How{Workers: 2})
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i := range cases {
		spectrum := longtest.Must(kernelcheck.Spectrum(ctx, cases[i], betas, 1))(t)
		for k, want := range spectrum {
			if r := rows[2*i+k]; r.Beta != want.Beta || r.String() != cases[i].String() || r.SpectralGap != want.Gap || !(r.OfG.Autocorrelation > 1) || len(r.Notes) > 0 {
				t.Errorf("%s, beta %v: a gap of %v, want %v; %+v", &r.Case, r.Beta, r.SpectralGap, want.Gap, r)
			}
		}
	}
	r, swept := &rows[1], kernelcheck.Study().Sweep() // at beta 0, where every state is as likely
	o := longtest.Must(swept.Row(ctx, append(r.Parts(), experiments.Param{Name: "beta", Value: "0"})))(t)
	for name, want := range map[string]float64{
		"spectral_gap": r.SpectralGap, "autocorrelation_time_g": r.OfG.Autocorrelation, "variance_g": stat.PopVariance(r.Toy.G, nil), "row_sum": r.RowSum,
		"invariance": r.Invariance, "detailed_balance": r.Balance, "classes": 1, "period": 1,
	} {
		if got := swept.Value(name, o.Numbers); !(math.Abs(got-want) <= 1e-12*want) {
			t.Errorf("%s is %v in a sweep, want %v", name, got, want)
		}
	}
	if _, err := kernelcheck.Study().Run(ctx, cases, kernelcheck.DiagnosisOptions{Betas: []float64{1.5}}, study.How{}); err == nil || !strings.Contains(err.Error(), "beta 1.5") {
		t.Errorf("beta 1.5: %v", err)
	}
}
