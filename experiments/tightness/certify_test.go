package tightness_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/tightness"
	"breadboard/grid/longtest"
)

func tightnessRows(t *testing.T, s experiments.Selection) ([]experiments.Case, []tightness.Row) {
	t.Helper()
	cases := casetest.MustCases(t, s)
	rows := casetest.Rows(t, tightness.Study(), cases, tightness.Options{})
	return cases, rows
}

// TestCertify: the solver keeps its promise on the paper's toys, where ratios are out of the range of float64, and
// where log f spans 2000.
func TestCertify(t *testing.T) {
	longtest.NotShort(t)
	s := casetest.Selection([]int{2, 30}, append(experiments.PaperToys(), "random:300:0", "file:../../exact/testdata/corners.csv")...)
	if longtest.Enabled() {
		s.Distributions = append(s.Distributions, 1000)
	}
	for _, kernel := range []string{"metropolis", "barker"} {
		if s.Kernel = kernel; kernel == "barker" {
			s.Distributions, s.Schedule = []int{40}, "sigmoid:4"
		}
		cases, rows := tightnessRows(t, s)
		var steps atomic.Int64
		longtest.NoError(t, tightness.Certify(context.Background(), rows, 2, func(n int) { steps.Add(int64(n)) }))
		if want := tightness.CertifySteps(cases); int(steps.Load()) != want {
			t.Errorf("progress adds up to %d steps of %d", steps.Load(), want)
		}
		for i := range rows {
			for _, c := range rows[i].Certificates {
				// J of the two corners is lost in rounding from about T = 1000 on, as its note says.
				if c.Digits < tightness.PromisedDigits && len(rows[i].Notes) == 0 {
					t.Errorf("%s: %s = %v has %v digits, certified %s", &rows[i].Case, c.Quantity, c.Double, c.Digits, c.Value.Text())
				}
			}
		}
	}
}

// TestCertifyFindsFaults spoils one number in its eleventh digit.
func TestCertifyFindsFaults(t *testing.T) {
	_, rows := tightnessRows(t, casetest.Selection([]int{10}, "easy"))
	rows[0].KLPQ *= 1 + 1e-11
	if _, any := rows[0].Worst(); any {
		t.Error("a certificate before any was made")
	}
	longtest.NoError(t, tightness.Certify(context.Background(), rows, 0, nil))
	if c, _ := rows[0].Worst(); c.Quantity != "kl_p_q" || c.Digits < 10.9 || c.Digits > 11.1 {
		t.Errorf("%+v", c)
	}
}

func TestCertifyRefusesAndStops(t *testing.T) {
	s := casetest.Selection([]int{10}, "easy")
	s.Kernel = "heatbath"
	cases, rows := tightnessRows(t, s)
	for _, err := range []error{tightness.Certifiable(cases), tightness.Certify(context.Background(), rows, 1, nil)} {
		if err == nil || !strings.Contains(err.Error(), "toy easy, T = 10: kernel heatbath cannot be certified; metropolis and barker can") {
			t.Errorf("error %v", err)
		}
	}
	s.Kernel = "metropolis"
	_, rows = tightnessRows(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := tightness.Certify(ctx, rows, 1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
