package browsertest

import (
	"strconv"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// TestPageChains: chains run to their end and show the estimates of the command with the same seed, beside the exact values, with e-values.
func TestPageChains(t *testing.T) {
	t.Parallel()
	b := openBench(t, smallBench+"&seed=7")
	b.settled("frames")
	if got := b.value(`document.getElementById("chains-seed").value`); got != "7" {
		t.Errorf("the seed of the address is %s on the page", got)
	}
	b.click("#chains-run")
	b.wait(`document.getElementById("chains-status").textContent === "1000 chains done."`, longtest.Patience)
	rows := longtest.Must(ais.Study().Run(t.Context(), []experiments.Case{*caseOf(t, b.question())}, ais.Options{Chains: 1000, Seed: 7}, study.How{}))(t)
	for i, q := range rows[0].Quantities {
		row := `#estimates tbody tr:nth-child(` + strconv.Itoa(i+1) + `) td:nth-of-type`
		if got := b.value(`document.querySelectorAll("#estimates tbody tr")[%d].dataset.quantity`, i); got != q.Name {
			t.Errorf("row %d is %s, want %s", i, got, q.Name)
		}
		for column, want := range []float64{q.Estimate, 0, q.Exact} {
			if column == 1 {
				continue // the error is not in its full digits on the page
			}
			if got, err := strconv.ParseFloat(b.value(`document.querySelector(%q).dataset.value`, row+"("+strconv.Itoa(column+1)+")"), 64); err != nil || got != want {
				t.Errorf("%s, column %d: %v, want %v", q.Name, column, got, want)
			}
		}
	}
	if got := b.value(`document.querySelectorAll("#tests tbody tr").length`); got == "0" {
		t.Error("no e-values")
	}
	if b.is(`[...document.querySelectorAll("#tests tbody tr")].some(row => !(Number(row.cells[2].dataset.value) < 1000))`) {
		t.Error("e-values that are none, or speak against the chains")
	}
	if got := b.value(`document.getElementById("chains-ways").textContent`); got != "4 chains on the target" {
		t.Errorf("of what is drawn the page says %q", got) // all of their 12 stages
	}
	if got := b.value(`document.getElementById("chains-sampled").dataset.total`); got != "1000" {
		t.Errorf("%s ends of chains on the heat map", got)
	}
	b.quiet()
}

// TestPageChainsStop: a long run of chains shows estimates as they come, and ends when it is stopped or the question changes, on the server too.
func TestPageChainsStop(t *testing.T) {
	longtest.Only(t) // TestPageCancels stops a search, and the tests of reports/bench what clients leave
	t.Parallel()
	p := openTab(t)
	b := &benchPage{p, serveAlone(t, "--workers", "1")}
	b.visit("T=1000")
	b.settled("frames")
	b.fill("chains-count", "100000")
	b.click("#chains-run")
	b.wait(`document.querySelectorAll("#estimates tbody tr").length > 0`, longtest.Patience)
	b.click("#chains-stop")
	if got := b.text("#chains-status"); got != "Stopped." {
		t.Errorf("it says %q", got)
	}
	b.click("#chains-run")
	b.wait(`document.querySelectorAll("#estimates tbody tr").length > 0`, longtest.Patience)
	b.fill("control-T", "900")
	if got := b.text("#chains-status"); got != "Stopped, since the question changed." {
		t.Errorf("it says %q", got)
	}
	b.solved()
	b.quiet("429")
}

// TestPageCursor: the line at the T of the page stands on the panel of J and B against T, above what is written below the axis.
func TestPageCursor(t *testing.T) {
	longtest.Only(t) // TestPageTime draws the same panel in every run
	t.Parallel()
	b := openBench(t, "toy=cells:0:1:2:3:4:5:6/0:1:2:3:4:5:6&T=100")
	b.settled("curve")
	const inside = `(() => { const figure = document.querySelector("[data-section=curve] svg"), box = (e) => e.getBoundingClientRect();
		const title = [...figure.querySelectorAll("text")].find((text) => text.textContent.includes("number of distributions"));
		const line = box(figure.querySelector("line.now")), lowest = Math.max(...[...figure.querySelectorAll("circle.choice")].map((point) => box(point).bottom));
		return line.height > 100 && line.bottom < box(title).top && line.bottom >= lowest })()`
	if !b.is(inside) {
		t.Error("the line is not on the panel")
	}
	if legend := b.value(`[...document.querySelectorAll("[data-section=curve] svg text")].map((text) => text.textContent).join(" ")`); !strings.Contains(legend, "painted 2x7") || strings.Contains(legend, "0:1:2") {
		t.Errorf("the figure names its target otherwise: %s", legend)
	}
	b.quiet()
}
