package browsertest

import (
	"strings"
	"testing"

	events "github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"breadboard/exact/gradient"
	"breadboard/experiments/study"
	"breadboard/experiments/tuning"
	"breadboard/grid/longtest"
)

// TestPageOptimises: the best schedule is found, is that of the library, and what was before can be had again.
func TestPageOptimises(t *testing.T) {
	longtest.Only(t) // TestPageWithoutMouse optimises too
	t.Parallel()
	b := openBench(t, smallBench)
	b.settled("schedule")
	before := b.solved()
	line := b.value(`document.querySelector("#curve .betas").getAttribute("d")`)
	found := longtest.Must(tuning.Improve(t.Context(), *caseOf(t, b.question()), tuning.OptimizeOptions{Objective: gradient.ObjectiveB}, study.How{Workers: 1}, nil))(t)
	b.click("#optimise")
	b.wait(`document.getElementById("optimise-progress").textContent.startsWith("Done")`, longtest.Patience)
	if got := b.question().Get("schedule"); !strings.HasPrefix(got, "curve:0:") {
		t.Errorf("the schedule is %s", got)
	}
	after := b.solved()
	if after.B != found.After.B || after.J != found.After.J || !(after.B < before.B) {
		t.Errorf("B from %v to %v, the library says %v", before.B, after.B, found.After.B)
	}
	for which, s := range map[string]float64{"before": before.B, "after": after.B} {
		b.shows("#compare [data-which="+which+"] [data-field=B]", s)
	}
	b.settled("schedule")
	if b.value(`document.querySelector("#curve .betas").getAttribute("d")`) == line || b.value(`document.querySelector("#curve .ghost").getAttribute("d")`) != line {
		t.Error("the curve does not move, or what was before is not left to compare with")
	}
	b.click("#compare [data-which=before] button")
	if b.solved().B != before.B || b.question().Get("schedule") != "linear" {
		t.Errorf("before: %v", b.question())
	}
	b.click("#undo")
	if b.solved().B != after.B {
		t.Error("it cannot be undone")
	}
	b.quiet()
}

// TestPageCancels: an optimisation that is cancelled leaves the schedule as it is, and ends on the server too, which has place for one only.
func TestPageCancels(t *testing.T) {
	t.Parallel()
	p := openTab(t)
	b := &benchPage{p, serveAlone(t, "--workers", "1")}
	b.visit("toy=barrier:25x25&T=1000") // whose search takes minutes
	before := b.solved()
	for range 2 {
		b.enter("#optimise")
		b.wait(`document.getElementById("optimise-progress").textContent.includes("steps")`, longtest.Patience)
		b.enter("#optimise-stop")
		if got := b.text("#optimise-progress"); !strings.HasPrefix(got, "Cancelled") {
			t.Errorf("it says %q", got)
		}
	}
	if got := b.question().Get("schedule"); got != "linear" || b.solved().J != before.J || b.is(`document.getElementById("optimise").disabled`) {
		t.Errorf("the schedule is %s", got)
	}
	b.quiet("429", "503") // where the place is free a moment later, and where a busy machine leaves the other parts too little time
}

// TestPageCurve: points of the schedule are dragged by mouse and moved by keys, no further than betas may go.
func TestPageCurve(t *testing.T) {
	longtest.Only(t) // TestPageWithoutMouse changes the schedule
	t.Parallel()
	b := openBench(t, smallBench)
	b.settled("schedule")
	x, y := b.middle(`#curve [role=slider]:nth-of-type(4)`)
	b.mouse(events.MousePressed, x, y)
	for _, up := range []float64{3, 8, 11} {
		b.mouse(events.MouseMoved, x, y-up)
	}
	b.mouse(events.MouseReleased, x, y-11)
	dragged := b.solved()
	schedule := b.question().Get("schedule")
	if !strings.HasPrefix(schedule, "curve:0:0.125:0.25:0.4") || !strings.HasSuffix(schedule, ":0.5:0.625:0.75:0.875:1") {
		t.Errorf("dragged to %s", schedule)
	}
	b.run(chromedp.Focus(`#curve [role=slider]:nth-of-type(3)`, chromedp.ByQuery))
	b.press(kb.ArrowDown, kb.ArrowDown)
	b.solved()
	if got := b.value(`document.activeElement.getAttribute("aria-valuenow")`); got != "0.21" {
		t.Errorf("two keys lead to %s", got)
	}
	b.press(kb.End)
	if got := b.question().Get("schedule"); b.solved() == nil || got != strings.Replace(schedule, ":0.25:", ":"+strings.Split(schedule, ":")[4]+":", 1) {
		t.Errorf("End leads to %s", got)
	}
	b.click("#undo")
	if got := b.question().Get("schedule"); got != schedule || b.solved().B != dragged.B {
		t.Errorf("undone to %s", got)
	}
	b.visit(smallBench + "&schedule=" + schedule)
	if b.solved().B != dragged.B {
		t.Error("the address gives other numbers")
	}
	b.settled("schedule")
	if got := b.value(`document.querySelectorAll("#curve [role=slider]").length`); got != "7" {
		t.Errorf("%s points to drag", got)
	}
	b.quiet()
}
