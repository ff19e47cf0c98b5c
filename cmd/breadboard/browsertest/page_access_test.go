package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"

	"breadboard/grid/longtest"
)

// tinyBench has figures of few marks, since axe-core looks at each of them.
const tinyBench = "toy=cells:0:1/3:0&T=4"

// showAll opens all that is folded, and has the page show what comes after a press: chains, two schedules, a state that is followed.
func (b *benchPage) showAll() {
	b.t.Helper()
	b.settled("schedule", "gap", "frames", "curve", "law", "samples", "spectrum")
	b.click("#optimise")
	b.wait(`document.getElementById("optimise-progress").textContent.startsWith("Done")`, longtest.Patience)
	b.click("#undo") // both schedules stay in the table, and the law of the linear one takes no second
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

// TestPageIsAccessible: axe-core finds nothing serious on a wide page, in light and dark, with all open and with a mistake in it, and the same
// on a phone, where nothing must be scrolled sideways.
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

// TestPageOnAPhone: the page is as wide as the window of a phone, whatever it shows, and accessible there.
func TestPageOnAPhone(t *testing.T) {
	longtest.Only(t) // TestPageOpens asks axe-core about the page as it opens
	t.Parallel()
	p := openTab(t)
	p.narrow()
	b := &benchPage{p, serveBench(t)}
	b.visit(tinyBench)
	b.fits()
	b.showAll()
	b.fits()
	b.accessible()
	b.dark()
	b.accessible()
	b.visit("toy=random:2:0:25x25&T=3")
	b.fits()
	b.run(chromedp.EmulateViewport(320, 640))
	b.fits()
	b.quiet("400")
}
