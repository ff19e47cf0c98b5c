package catalogue

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/experiments/checks/conform/chain"
	kernelcheck "breadboard/experiments/checks/kernel"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/checks/reproduce"
	"breadboard/experiments/forms"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/check"
	"breadboard/reports/table"
)

// TestFindingsBegin: people see a summary, whose verdict is open where anything is, then what is no
// pass, and a note if something was compared or nothing was; programs, files and those who ask for
// it see all findings. A fault in a finding makes one of the report.
func TestFindingsBegin(t *testing.T) {
	pass := evidence.Finding{
		Case: casesOf(t, subject.Selection{Toys: []string{"clu4"}, Distributions: []int{2}, Path: "geometric",
			Schedule: "linear", Kernel: "heatbath-scan"})[0],
		Estimator: "lw",
		Finding:   check.Finding{Name: "passing", Verdict: check.Pass},
	}
	open := pass
	fault := pass
	open.Verdict = check.Open
	open.Name = "undecided"
	fault.Verdict = check.Fault
	fault.Name = "wrong"
	fault.Value = math.Inf(1)
	for _, of := range []struct {
		findings []evidence.Finding
		begins   string
		lines    int // with the header of a table, if there is one
	}{
		{[]evidence.Finding{pass, pass},
			"pass: estimators of Z and their exact distributions: 2 pass, 0 fault, 0 open\n", 1},
		{[]evidence.Finding{pass, open},
			"open: estimators of Z and their exact distributions: 1 pass, 0 fault, 1 open\n", 4},
		{[]evidence.Finding{pass, open, fault},
			"fault: estimators of Z and their exact distributions: 1 pass, 1 fault, 1 open\n", 5},
		{[]evidence.Finding{open},
			"open: estimators of Z and their exact distributions: 0 pass, 0 fault, 1 open\n", 4},
		{nil, "open: estimators of Z and their exact distributions: 0 pass, 0 fault, 0 open\n", 1},
	} {
		r := evidence.CheckReport(of.findings)
		shown := func(r *reports.Report, f table.Format) string {
			var out strings.Builder
			longtest.NoError(t, (&reports.Output{Results: &out, Messages: io.Discard, Format: f}).Write(t.Context(), r))
			return out.String()
		}
		if (r.Fault != nil) != strings.HasPrefix(of.begins, "fault") {
			t.Errorf("%s: fault %v", of.begins, r.Fault)
		}
		if text := shown(r, table.Text); !strings.HasPrefix(text, of.begins) ||
			strings.Count(text, "\n") != of.lines || strings.Contains(text, "passing") {
			t.Errorf("got\n%s", text)
		}
		if text := shown(r.ShowWhole(), table.Text); strings.Count(text, "passing") !=
			strings.Count(fmt.Sprint(of.findings), "passing") {
			t.Errorf("got\n%s", text)
		}
		if text := shown(r, table.CSV); strings.Count(text, "\n") != 1+len(of.findings) {
			t.Errorf("got\n%s", text)
		}
	}
}

func spectrumRows(t *testing.T, toy, kernel string, betas int) []kernelcheck.SpectrumRow {
	t.Helper()
	c := casesOf(t, subject.Selection{
		Toys:          []string{toy},
		Distributions: []int{5},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        kernel,
	})
	return longtest.Must(kernelcheck.Spectrum(
		context.Background(),
		c[0],
		longtest.Must(kernelcheck.SpectrumBetas(betas))(t),
		1,
	))(t)
}

func TestSpectrumReport(t *testing.T) {
	r := kernelcheck.SpectrumReport(spectrumRows(t, "barrier", "metropolis", 5))
	goldenTable(t, "spectrum.txt", r.Tables()[0].Table)
	checkGolden(t, "spectrum.json", []byte(writeTable(t, r.Tables()[0].Table, table.JSON)))
	drawFigure(t, r.Figures()[0], "spectrum")
	large := kernelcheck.SpectrumReport(spectrumRows(t, "random:2:1:12x12", "metropolis", 2))
	if n := large.Notes(); len(n) != 1 || !strings.Contains(n[0].Error(), "probability of 1e-12") {
		t.Errorf("of gaps that are not proven: %v", n)
	}
	none := kernelcheck.SpectrumReport(spectrumRows(t, "easy", "stay", 2))
	if n := none.Notes(); len(n) != 2 || !strings.Contains(n[1].Error(), "49 classes") {
		t.Errorf("of a kernel that does not move: %v", n)
	}
	longtest.Refuses(none.Figures()[0].Draw())(t, "two values of beta")
	painted := kernelcheck.SpectrumReport(spectrumRows(t, "cells:0"+strings.Repeat(":0.123456", 99), "stay", 2))
	if n := painted.Notes(); len(n) != 2 || len(n[0].Error()) > 200 {
		t.Errorf("notes of a target whose selector is long: %v", n)
	}
}

// TestClaimsByVerdict: if there are many claims the verdicts come first, each with its claims, and
// a run of claims is one only if none is missing in it.
func TestClaimsByVerdict(t *testing.T) {
	t.Parallel()
	rows := make([]reproduce.Row, 0, 12)
	for _, n := range []string{"bread-1", "bread-2", "bread-3", "bread-5", "aide-6", "aide-7", "aide-8",
		"aide-9", "aide-10", "aide-11", "aide-12"} {
		rows = append(rows, reproduce.Row{Claim: reproduce.Claim{ID: n}, Now: reproduce.Verdicts()[0]})
	}
	rows[2].Now = reproduce.Verdicts()[1]
	rows[10].Now = ""
	want := fmt.Sprintf("11 claims: 9 %[1]s, 1 %[2]s, 1 without a verdict\n"+
		"%[1]s: bread-1 to bread-2, bread-5, aide-6 to aide-11\n%[2]s: bread-3\nwithout a verdict: aide-12\n",
		reproduce.Verdicts()[0], reproduce.Verdicts()[1])
	var got strings.Builder
	longtest.NoError(t, (&reports.Output{Results: &got, Messages: io.Discard, Format: table.Text}).Write(
		t.Context(),
		reproduce.Report(rows),
	))
	if !strings.HasPrefix(got.String(), want) {
		t.Errorf("%s\nwant\n%s", got.String(), want)
	}
}

// TestCausesOfKernels: each fault of a wrong kernel says what explains it: a known mistake, or the
// distribution that it leaves invariant.
func TestCausesOfKernels(t *testing.T) {
	t.Parallel()
	toy := longtest.Must(forms.All().Parse("random:2:5:3x3"))(t)
	metropolis := kernels.Metropolis{Space: toy.Space}
	for want, k := range map[string]chains.Kernel{
		"the rows are those of Metropolis that redraws a proposal until it is inside the space": planted.Redrawn{
			Space: toy.Space},
		"at beta 1 it leaves another distribution invariant, f(x)^2, as at 2 times the inverse temperature: ": planted.Misread{
			Kernel: metropolis,
			As:     planted.Times(2),
		},
		"at beta 1 it leaves another distribution invariant, f(x)^0.434294, as at 0.434294 times the " +
			"inverse temperature, or with logarithms in base 10 and natural ones confused: ": planted.Misread{
			Kernel: metropolis,
			As:     planted.Times(1 / math.Ln10),
		},
		"at beta 1 it leaves another distribution invariant, f with its axes x0 and x1 exchanged, as if " +
			"columns were swapped: ": planted.Misread{
			Kernel: metropolis,
			As: func(logf []float64) []float64 {
				as := make([]float64, len(logf))
				for x := range as {
					as[x] = logf[toy.Lattice().Swapped(x, 0, 1)]
				}
				return as
			},
		},
	} {
		row := kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{1}}
		longtest.NoError(t, row.Examine(t.Context(), k, 0))
		var text strings.Builder
		longtest.NoError(t, check.WriteJUnit(
			&text,
			check.Suite{Cases: kernelcheck.KernelCheckReport("test", []kernelcheck.Row{row}).Checked},
		))
		if n := strings.Count(text.String(), `<failure message="`+want); n < 2 ||
			n != strings.Count(text.String(), "<failure") {
			t.Errorf("%s: %s", want, text.String())
		}
	}
}

// TestChainAnswers: each no and each open has its reason, and wrong moves have no yes.
func TestChainAnswers(t *testing.T) {
	t.Parallel()
	moves := []chain.Finding{{About: "moves"}}
	for want, o := range map[string]*chain.Outcome{
		"yes, as far as that many draws show": {Represents: true},
		"open: the moves are wrong":           {Fault: "they are slow"},
		"no\n":                                {Fault: "they are slow", Lacks: "the mean is off"},
		"no: too few draws":                   {Mixing: "too few draws"},
		"open: there are 60 draws":            {Undecided: "there are 60 draws"},
	} {
		o.Kernel = "metropolis"
		o.Findings = moves
		r := chain.Report(o, false)
		if got := r.Tables()[0].Summary(func(s string) string { return s }); !strings.Contains(
			got,
			"represent the target? "+want,
		) {
			t.Errorf("%q: %s", want, got)
		}
	}
}
