package kernelcheck_test

import (
	"context"
	"strings"
	"testing"

	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/kernelcheck"
	"breadboard/experiments/study"
)

// TestDiagnoses: a row for each case and beta, in their order, with the gap that the spectrum has; what is no beta is refused.
func TestDiagnoses(t *testing.T) {
	ctx, betas := context.Background(), []float64{1, 0}
	cases := casetest.MustCases(t, casetest.Selection([]int{2}, "easy", "barrier:3x3"))
	rows, err := kernelcheck.Study().Run(ctx, cases, kernelcheck.DiagnosisOptions{Betas: betas}, study.How{Workers: 2})
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i := range cases {
		spectrum, err := kernelcheck.Spectrum(ctx, cases[i], betas, 1)
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range spectrum {
			if r := rows[2*i+k]; r.Beta != want.Beta || r.String() != cases[i].String() || r.SpectralGap != want.Gap || !(r.OfG.Autocorrelation > 1) || len(r.Notes) > 0 {
				t.Errorf("%s, beta %v: a gap of %v, want %v; %+v", &r.Case, r.Beta, r.SpectralGap, want.Gap, r)
			}
		}
	}
	if _, err := kernelcheck.Study().Run(ctx, cases, kernelcheck.DiagnosisOptions{Betas: []float64{1.5}}, study.How{}); err == nil || !strings.Contains(err.Error(), "beta 1.5") {
		t.Errorf("beta 1.5: %v", err)
	}
}
