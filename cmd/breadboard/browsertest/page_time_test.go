package browsertest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	events "github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"breadboard/chains"
	"breadboard/exact/stages"
	"breadboard/grid/longtest"
)

// timeBench has more stages than the page asks for at once.
const timeBench = "toy=cells:0:1:2/3:0:-1/0:-2:4&T=400"

// stage waits until the heat maps are of the stage of the slider, and returns it.
func (b *benchPage) stage() int {
	b.t.Helper()
	b.wait(`document.getElementById("maps").dataset.stage === document.getElementById("stage").value`, longtest.Patience)
	stage, err := strconv.Atoi(b.value(`document.getElementById("stage").value`))
	if err != nil {
		b.t.Fatal(err)
	}
	return stage
}

// hover moves the mouse to a state of a heat map of 3 by 3 states, and returns the place on the screen.
func (b *benchPage) hover(id string, state int) (x, y float64) {
	b.t.Helper()
	x, y = b.middle("#" + id + " canvas")
	side, err := strconv.ParseFloat(b.value(`document.querySelector("#%s canvas").getBoundingClientRect().width`, id), 64)
	if err != nil {
		b.t.Fatal(err)
	}
	x, y = x+side/3*float64(state%3-1), y+side/3*float64(state/3-1)
	b.run(events.DispatchMouseEvent(events.MouseMoved, x, y))
	return x, y
}

// TestPageTime: the slider is dragged, and the numbers below the mouse are those of the library at that stage. A state is followed, and
// what is followed is said as well.
func TestPageTime(t *testing.T) {
	longtest.Only(t) // TestPageWithoutMouse goes through the page in every run, and the frames are tested in reports/bench
	t.Parallel()
	b := openBench(t, timeBench+"&kernel=heatbath&schedule=power:2")
	b.settled("frames")
	of := caseOf(t, b.question()).Annealing()
	x, y := b.middle("#stage")
	b.mouse(events.MousePressed, x, y)
	b.mouse(events.MouseMoved, x+40, y)
	b.mouse(events.MouseMoved, x+77, y)
	b.mouse(events.MouseReleased, x+77, y)
	stage := b.stage()
	if stage < 200 || stage >= 400 {
		t.Errorf("the slider was dragged to %d", stage)
	}
	marginals := longtest.Must(stages.Marginals(t.Context(), of, []int{stage}))(t)
	m := marginals[0]
	for id, state := range map[string]int{"map-p": 0, "map-q": 3, "map-r": 8, "map-difference": 5} {
		b.hover(id, state)
		want := fmt.Sprintf("row %d, column %d: p = %s, q = %s, r = %s, q − p = %s", state/3+1, state%3+1,
			printed(m.P[state], 4), printed(m.Forward[state], 4), printed(m.Reverse[state], 4), printed(m.Forward[state]-m.P[state], 4))
		if got := b.text("#reading"); got != want {
			t.Errorf("stage %d, %s: %q, want %q", stage, id, got, want)
		}
	}
	if got := b.value(`document.querySelector("#map-q canvas").getAttribute("aria-label")`); !strings.Contains(got, fmt.Sprintf("t = %d of 400, β = %s", stage, printed(m.Beta, 4))) {
		t.Errorf("the heat map says %q", got)
	}

	x, y = b.hover("map-q", 4)
	b.mouse(events.MousePressed, x, y)
	b.mouse(events.MouseReleased, x, y)
	b.wait(`!document.getElementById("figure-follow").hidden`, longtest.Patience)
	for _, key := range []string{kb.Home, kb.End} {
		b.run(chromedp.Focus("#stage", chromedp.ByQuery))
		b.press(key)
		at := b.stage()
		laws := longtest.Must(stages.Follow(t.Context(), of, chains.Forward, stage, 4, []int{at}))(t)
		b.hover("map-follow", 8)
		if want := "followed " + printed(laws[0].Law[8], 4); !strings.HasSuffix(b.text("#reading"), want) {
			t.Errorf("stage %d: %q, want %q", at, b.text("#reading"), want)
		}
	}
	b.run(chromedp.Focus("#maps", chromedp.ByQuery))
	b.press(kb.Escape)
	if !b.is(`document.getElementById("figure-follow").hidden`) {
		t.Error("Escape does not end the following")
	}
	b.press(kb.Home, kb.PageDown)
	if got := b.stage(); got >= 400 {
		t.Errorf("PageDown leads to stage %d", got)
	}
	b.quiet()
}

// TestPagePlays: time goes on by itself after a press, ends with the next one, and makes single steps where nothing shall move.
func TestPagePlays(t *testing.T) {
	longtest.Only(t) // TestPageTime steps through the stages
	t.Parallel()
	b := openBench(t, smallBench)
	b.settled("frames")
	b.click("#play")
	b.wait(`document.getElementById("maps").dataset.stage === "3"`, longtest.Patience)
	b.click("#play")
	if got := b.text("#play"); got != "Play" {
		t.Errorf("after the end: %q", got)
	}
	b.still()
	b.wait(`document.getElementById("play").textContent === "Step"`, longtest.Patience)
	before := b.stage()
	b.click("#play")
	if got := b.stage(); got != before+1 {
		t.Errorf("a step from %d to %d", before, got)
	}
	if b.is(`document.getAnimations().length`) {
		t.Error("something moves")
	}
	b.quiet()
}
