package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"breadboard/grid/longtest"
)

// holdAt keeps the focus at an element that fits a selector, once it is there: the tabulator does
// nothing until letGo. So keys can be sent many at a time.
const holdAt = `(() => { const hold = event => { if (event.key === "Tab" && document.activeElement.matches(%q)) event.preventDefault() };
	addEventListener("keydown", hold, true);
	window.letGo = () => removeEventListener("keydown", hold, true) })()`

// tabTo presses the tabulator until an element has the focus.
func (b *benchPage) tabTo(css string) {
	b.t.Helper()
	b.eval(fmt.Sprintf(holdAt, css), nil)
	for range 30 {
		if b.is(`document.activeElement.matches(%q)`, css) {
			b.eval(`letGo()`, nil)
			return
		}
		b.press(strings.Repeat(kb.Tab, 10))
	}
	b.t.Fatalf("the tabulator does not come to %s", css)
}

// TestPageWithoutMouse: a target is painted, T and the schedule are changed, and the schedule is
// optimised by keys alone.
func TestPageWithoutMouse(t *testing.T) {
	t.Parallel()
	b := openBench(t, flatBench)
	b.settled("schedule")
	b.tabTo("#board [role=gridcell]")
	b.press(kb.ArrowRight, "4")
	b.hasToy("cells:0:4:0:0/0:0:0:0/0:0:0:0/0:0:0:0")
	b.tabTo("#T-slider")
	for k := 1; k <= longtest.Times(1, 3); k++ { // each press asks something else
		before := b.question().Get("T")
		b.press(kb.ArrowRight)
		b.solved()
		if got := b.question().Get("T"); got == before {
			t.Errorf("press %d leaves T at %s", k, got)
		}
	}
	b.tabTo("#control-kernel")
	b.eval(`document.activeElement.select()`, nil) // as Ctrl-A does where the system has it
	for _, letter := range "barker" {
		b.press(string(letter))
	}
	b.solved()
	if got := b.question().Get("kernel"); got != "barker" {
		t.Errorf("typed kernel %q", got)
	}
	b.tabTo("#curve [role=slider]")
	b.press(kb.ArrowUp)
	b.solved()
	b.tabTo("#optimise")
	b.press("\r")
	b.wait(`document.getElementById("optimise-progress").textContent.startsWith("Done")`, longtest.Patience)
	b.solved()
	b.settled("frames")
	b.tabTo("#maps")
	b.press(kb.ArrowRight, "\r")
	b.wait(`!document.getElementById("figure-follow").hidden`, longtest.Patience)
	if got := b.text("#reading"); !strings.HasPrefix(got, "row 1, column 1") {
		t.Errorf("the heat maps say %q", got)
	}
	b.wait(fmt.Sprintf(`document.getElementById("said").textContent.startsWith(%q)`, "J is "), longtest.Patience)
	b.quiet("400")
}

// tinyBench has figures of few marks, since axe-core looks at each of them.
const tinyBench = "toy=cells:0:1/3:0&T=4"

// showAll opens all that is folded, and has the page show what comes after a press: chains, two
// schedules, a state that is followed.
func (b *benchPage) showAll() {
	b.t.Helper()
	b.settled("schedule", "gap", "frames", "curve", "law", "samples", "spectrum")
	b.click("#optimise")
	b.wait(`document.getElementById("optimise-progress").textContent.startsWith("Done")`, longtest.Patience)
	// both schedules stay in the table, and the distribution of the linear one takes no second
	b.click("#undo")
	b.answered()
	b.settled("schedule", "gap", "frames", "curve", "law", "samples", "spectrum")
	b.click("#chains-run")
	b.wait(`document.getElementById("chains-status").textContent.endsWith("done.")`, longtest.Patience)
	b.click("#map-q")
	b.wait(`!document.getElementById("figure-follow").hidden`, longtest.Patience)
	b.eval(`document.querySelectorAll("details").forEach(it => it.open = true)`, nil)
	b.fill("control-toy", "nothing")
	b.wait(`!document.getElementById("error-toy").hidden`, longtest.Patience)
}

// TestPageIsAccessible: axe-core finds nothing serious on a wide page, in light and dark, with all
// open and with a mistake in it, and the same on a phone, if nothing must be scrolled sideways.
func TestPageIsAccessible(t *testing.T) {
	longtest.Only(t) // TestPagePaintsByTouch looks at a narrow page
	t.Parallel()
	b := openBench(t, tinyBench)
	b.showAll()
	b.accessible()
	b.dark()
	b.accessible()
	b.quiet("400")
}
