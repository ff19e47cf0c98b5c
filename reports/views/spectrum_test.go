package views

import (
	"context"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/kernelcheck"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/checks"
)

func spectrumRows(t *testing.T, toy, kernel string, betas int) []kernelcheck.SpectrumRow {
	t.Helper()
	c := reporttest.Cases(t, experiments.Selection{Toys: []string{toy}, Distributions: []int{5}, Path: "geometric", Schedule: "linear", Kernel: kernel})
	return longtest.Must(kernelcheck.Spectrum(context.Background(), c[0], longtest.Must(kernelcheck.SpectrumBetas(betas))(t), 1))(t)
}

func TestSpectrumReport(t *testing.T) {
	r := checks.SpectrumReport(spectrumRows(t, "barrier", "metropolis", 5))
	reporttest.Golden(t, "spectrum.txt", []byte(reporttest.Write(t, r.Tables()[0].Table, table.Text)))
	reporttest.Golden(t, "spectrum.json", []byte(reporttest.Write(t, r.Tables()[0].Table, table.JSON)))
	checkColumns(t, "spectrum", r.Tables()[0].Table)
	checkPeople(t, "spectrum", r.Tables()[0].Table)
	checkMachines(t, "spectrum", r.Tables()[0].Table)
	f := longtest.Must(r.Figures()[0].Draw())(t)
	reporttest.Golden(t, "spectrum.svg", reporttest.SVG(t, f))
	if len(r.Notes()) != 0 {
		t.Errorf("notes %v", r.Notes())
	}
	large := checks.SpectrumReport(spectrumRows(t, "random:2:1:12x12", "metropolis", 2))
	if n := large.Notes(); len(n) != 1 || !strings.Contains(n[0].Error(), "probability of 1e-12") {
		t.Errorf("of gaps that are not proven: %v", n)
	}
	none := checks.SpectrumReport(spectrumRows(t, "easy", "stay", 2))
	if n := none.Notes(); len(n) != 2 || !strings.Contains(n[1].Error(), "49 classes") {
		t.Errorf("of a kernel that does not move: %v", n)
	}
	if _, err := none.Figures()[0].Draw(); err == nil {
		t.Error("no gap is drawn")
	}
	painted := checks.SpectrumReport(spectrumRows(t, "cells:0"+strings.Repeat(":0.123456", 99), "stay", 2))
	if n := painted.Notes(); len(n) != 2 || len(n[0].Error()) > 200 {
		t.Errorf("notes of a target whose selector is long: %v", n)
	}
}
