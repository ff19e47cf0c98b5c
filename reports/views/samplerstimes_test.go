package views

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/experiments/samplers"
	"breadboard/experiments/study"

	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/mcmc"
)

func TestSamplerTimes(t *testing.T) {
	longtest.NotShort(t)
	s := samplers.Selection{Toys: []string{"easy", "barrier"}, Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform", "mode"}}
	o := samplers.TimesOptions{MI: 0.01, TV: 0.02, Curves: true}
	rows := longtest.Must(samplers.Times().Run(context.Background(), samplerProblems(t, s), o, study.How{}))(t)
	reporttest.Golden(t, "samplers_times.txt", []byte(reporttest.Write(t, mcmc.SamplerTimes(rows), table.Text)))
	reporttest.Columns(t, mcmc.SamplerTimes(rows), "toy,kernel,start,mixing_mi,burn_in_tv,mixing_error,burn_in_error,mi,tv,note,warmup")
	figures := mcmc.SamplerTimesReport(rows).Figures()
	if len(figures) != 2 {
		t.Fatalf("%d figures", len(figures))
	}
	reporttest.Drawn(t, figures[1], "")
	rows[0].Mixing.Moves, rows[0].Mixing.Note = math.Inf(1), "it never does"
	rows[1].Mixing = rows[0].Mixing
	if text := reporttest.Write(t, mcmc.SamplerTimes(rows), table.Text); !strings.Contains(text, "never") {
		t.Errorf("an infinite time:\n%s", text)
	}
	if text := reporttest.Write(t, mcmc.SamplerTimes(rows), table.JSON); !strings.Contains(text, `"mixing_mi": "+Inf"`) {
		t.Errorf("an infinite time:\n%s", text)
	}
	report := mcmc.SamplerTimesReport(rows)
	if n := report.Notes(); len(n) != 1 || n[0].Error() != "toy easy, kernel metropolis: mixing: it never does" {
		t.Errorf("notes %v", n)
	}
	if _, err := report.Figures()[0].Draw(); err != nil {
		t.Errorf("a time that is infinite: %v", err)
	}
	if _, err := mcmc.SamplerTimesFigure(nil); err == nil {
		t.Error("nothing is drawn")
	}
	rows[0].Curve = nil
	if n := len(mcmc.SamplerTimesReport(rows[:1]).Figures()); n != 0 {
		t.Errorf("%d figures without curves", n)
	}
}
