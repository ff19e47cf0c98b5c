package main

import (
	"strconv"
	"strings"
	"testing"

	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// stage waits until the heat maps are of the stage of the slider, and returns it.
func (b *benchPage) stage() int {
	b.t.Helper()
	b.wait(`document.getElementById("maps").dataset.stage === document.getElementById("stage").value`,
		longtest.Patience)
	stage, err := strconv.Atoi(b.value(`document.getElementById("stage").value`))
	if err != nil {
		b.t.Fatal(err)
	}
	return stage
}

// TestPageCancels: an optimisation that is cancelled leaves the schedule as it is, and ends on the
// server too, which has place for one only.
func TestPageCancels(t *testing.T) {
	t.Parallel()
	p := openTab(t)
	b := &benchPage{p, serveAlone(t, "--workers", "1")}
	b.visit("toy=barrier:25x25&T=700") // whose search takes minutes, and whose other answers seconds
	before := b.solved()
	for range 2 {
		b.enter("#optimise")
		b.wait(`document.getElementById("optimise-progress").textContent.includes("steps")`, longtest.Patience)
		b.enter("#optimise-stop")
		if got := b.text("#optimise-progress"); !strings.HasPrefix(got, "Cancelled") {
			t.Errorf("it says %q", got)
		}
	}
	if got := b.question().Get("schedule"); got != "linear" || b.solved().J != before.J ||
		b.is(`document.getElementById("optimise").disabled`) {
		t.Errorf("the schedule is %s", got)
	}
	b.quiet("429") // where the place is free a moment later
}

// TestPageChains: chains run to their end and show the estimates of the command with the same seed,
// beside the exact values, with e-values.
func TestPageChains(t *testing.T) {
	t.Parallel()
	b := openBench(t, smallBench+"&seed=7")
	b.settled("frames")
	if got := b.value(`document.getElementById("chains-seed").value`); got != "7" {
		t.Errorf("the seed of the address is %s on the page", got)
	}
	b.click("#chains-run")
	b.wait(`document.getElementById("chains-status").textContent === "1000 chains done."`, longtest.Patience)
	rows := longtest.Must(study.Run(t.Context(), ais.Study(), []subject.Case{*caseOf(t, b.question())},
		ais.Options{Chains: 1000, Seed: 7}, study.How{}))(t)
	for i, q := range rows[0].Quantities {
		row := `#estimates tbody tr:nth-child(` + strconv.Itoa(i+1) + `) td:nth-of-type`
		if got := b.value(`document.querySelectorAll("#estimates tbody tr")[%d].dataset.quantity`, i); got != q.Name {
			t.Errorf("row %d is %s, want %s", i, got, q.Name)
		}
		for column, want := range []float64{q.Estimate, 0, q.Exact} {
			if column == 1 || column == 0 && *inBrowser {
				// the error is not in its full digits on the page, and exp is rounded otherwise in
				// a browser, which leads to other draws
				continue
			}
			if got, err := strconv.ParseFloat(b.value(`document.querySelector(%q).dataset.value`,
				row+"("+strconv.Itoa(column+1)+")"), 64); err != nil ||
				!b.same(got, want) {
				t.Errorf("%s, column %d: %v, want %v", q.Name, column, got, want)
			}
		}
	}
	if got := b.value(`document.querySelectorAll("#tests tbody tr").length`); got == "0" {
		t.Error("no e-values")
	}
	if b.is(`[...document.querySelectorAll("#tests tbody tr")].some(row => ` +
		`!(Number(row.cells[2].dataset.value) < 1000))`) {
		t.Error("e-values that are none, or speak against the chains")
	}
	if got := b.value(`document.getElementById("chains-ways").textContent`); got != "4 chains on the "+
		"target, move by move" {
		t.Errorf("of what is drawn the page says %q", got) // all of their 12 stages
	}
	if got := b.value(`document.getElementById("chains-sampled").dataset.total`); got != "1000" {
		t.Errorf("%s ends of chains on the heat map", got)
	}
	b.quiet()
}
