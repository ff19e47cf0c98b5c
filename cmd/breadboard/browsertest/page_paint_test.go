package browsertest

import (
	"fmt"
	"strings"
	"testing"

	events "github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"breadboard/grid/longtest"
)

// flatBench is a flat target of 4 by 4 cells.
const flatBench = "toy=cells:0:0:0:0/0:0:0:0/0:0:0:0/0:0:0:0&T=10"

// cell is a cell of the board.
func cell(x int) string { return fmt.Sprintf("#board [data-state=%q]", fmt.Sprint(x)) }

// hasToy checks what the target of the page is, once the numbers are those of it.
func (b *benchPage) hasToy(want string) {
	b.t.Helper()
	b.answered()
	if got := b.question().Get("toy"); got != want {
		b.t.Errorf("the target is %s, want %s", got, want)
	}
	b.solved()
}

// TestPagePaintsByMouse: a barrier is painted in one stroke, which is undone and done again at once, and the numbers follow it, T and the
// kernel.
func TestPagePaintsByMouse(t *testing.T) {
	t.Parallel()
	b := openBench(t, flatBench)
	first := b.solved()
	b.click(`[data-paint="-10"]`)
	x, y := b.middle(cell(4))
	b.mouse(events.MousePressed, x, y)
	for k := 5; k < 8; k++ {
		x, y := b.middle(cell(k))
		b.mouse(events.MouseMoved, x, y)
	}
	x, y = b.middle(cell(7))
	b.mouse(events.MouseReleased, x, y)
	const barrier = "cells:0:0:0:0/-10:-10:-10:-10/0:0:0:0/0:0:0:0"
	b.hasToy(barrier)
	if last := b.solved(); last.J == first.J {
		t.Error("the barrier changes nothing")
	}
	b.wait(fmt.Sprintf(`Number(document.querySelector('%s').dataset.p) < 1e-5`, cell(4)), longtest.Patience)
	if reading := b.text("#board-reading"); !strings.HasPrefix(reading, "row 2, column 4: g = −10, p = 3.") {
		t.Errorf("of the cell that was painted last, the page says %q", reading)
	}

	b.fill("T-slider", "200")
	b.solved()
	if b.question().Get("T") == "10" {
		t.Error("the slider changes no T")
	}
	b.fill("choose-kernel", b.value(`[...document.querySelectorAll("#choose-kernel option")].find(o => o.value.startsWith("heatbath")).value`))
	b.solved()
	if b.question().Get("kernel") == "metropolis" {
		t.Error("the list changes no kernel")
	}
	for range 3 {
		b.click("#undo")
	}
	b.hasToy("cells:0:0:0:0/0:0:0:0/0:0:0:0/0:0:0:0")
	if !b.is(`document.getElementById("undo").disabled`) {
		t.Error("there is more to undo than was done")
	}
	b.click("#redo")
	b.hasToy(barrier)

	b.fill("brush-size", "3")
	b.click(`[data-paint="-Inf"]`)
	b.click(cell(10))
	b.hasToy("cells:0:0:0:0/-10:-Inf:-Inf:-Inf/0:-Inf:-Inf:-Inf/0:-Inf:-Inf:-Inf")
	b.fill("rows", "2")
	b.fill("columns", "3")
	b.hasToy("cells:0:0:0/-10:-Inf:-Inf")
	b.wait(`document.querySelectorAll("#board [role=gridcell]").length === 6`, longtest.Patience)
	b.click("#clear")
	b.hasToy("cells:0:0:0/0:0:0")
	b.quiet()
}

// TestPagePaintsByTouch: a finger paints, and the page does not scroll below it.
func TestPagePaintsByTouch(t *testing.T) {
	longtest.Only(t) // TestPagePaintsByMouse paints in every run
	t.Parallel()
	p := openTab(t)
	p.narrow()
	b := &benchPage{p, serveBench(t)}
	b.visit(flatBench)
	b.fits()
	b.click(`[data-paint="3"]`)
	b.middle("#board")
	var scroll, after float64
	b.eval("scrollY", &scroll)
	touch := func(kind events.TouchType, cells ...int) {
		for _, k := range cells {
			var at struct{ X, Y float64 }
			b.eval(fmt.Sprintf(`(() => { const box = document.querySelector('%s').getBoundingClientRect(); return {X: box.x + box.width / 2, Y: box.y + box.height / 2} })()`, cell(k)), &at)
			points := []*events.TouchPoint{{X: at.X, Y: at.Y}}
			if kind == events.TouchEnd {
				points = []*events.TouchPoint{}
			}
			b.run(events.DispatchTouchEvent(kind, points))
		}
	}
	touch(events.TouchStart, 1)
	touch(events.TouchMove, 5, 9, 13)
	touch(events.TouchEnd, 13)
	b.hasToy("cells:0:3:0:0/0:3:0:0/0:3:0:0/0:3:0:0")
	if b.eval("scrollY", &after); after != scroll {
		t.Errorf("the page scrolls from %v to %v", scroll, after)
	}
	b.click("#undo")
	b.hasToy("cells:0:0:0:0/0:0:0:0/0:0:0:0/0:0:0:0")
	b.quiet()
}

// TestPagePaintsByKeys: arrows move, numbers set values, space paints with the brush, and Ctrl-Z takes it back.
func TestPagePaintsByKeys(t *testing.T) {
	longtest.Only(t) // TestPageWithoutMouse paints by keys
	t.Parallel()
	b := openBench(t, flatBench)
	b.run(chromedp.Focus(cell(0), chromedp.ByQuery))
	b.press(kb.ArrowRight, "-", "7")
	b.hasToy("cells:0:-7:0:0/0:0:0:0/0:0:0:0/0:0:0:0")
	b.press(kb.ArrowDown, " ", kb.End, "\r", kb.Home, kb.ArrowDown, kb.ArrowDown, kb.ArrowDown, " ")
	b.hasToy("cells:0:-7:0:0/0:-7:0:-7/0:0:0:0/-7:0:0:0")
	b.press(kb.Delete)
	b.hasToy("cells:0:-7:0:0/0:-7:0:-7/0:0:0:0/0:0:0:0")
	if got := b.value(`document.activeElement.dataset.state`); got != "12" {
		t.Errorf("the focus is at state %s", got)
	}
	words := "row 4, column 1: g = 0, p = " + printed(b.solved().Target[12], 4)
	b.wait(fmt.Sprintf(`document.activeElement.getAttribute("aria-label") === %q`, words), longtest.Patience)
	for range 2 {
		b.run(chromedp.KeyEvent("z", chromedp.KeyModifiers(events.ModifierCtrl)))
	}
	b.hasToy("cells:0:-7:0:0/0:-7:0:-7/0:0:0:0/0:0:0:0")
	b.quiet()
}
