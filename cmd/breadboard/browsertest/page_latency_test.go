package browsertest

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"breadboard/grid/longtest"
)

// watchKeys measures, for each key, the time from the key to the numbers of the question to which
// it has led. The time of a key is that at which the browser had it, before the page heard of it.
const watchKeys = `(() => {
	const panel = document.getElementById("numbers");
	window.taken = [];
	let pressed = null;
	document.addEventListener("keydown", event => { pressed = event.timeStamp }, true);
	new MutationObserver(() => {
		const done = panel.getAttribute("aria-busy") === "false" && panel.dataset.question === document.documentElement.dataset.question;
		if (!done || pressed === null) return;
		taken.push(performance.now() - pressed);
		pressed = null;
	}).observe(panel, {attributes: true});
	return 0 })()`

// pauseBetween is the time from new numbers to the next key: what follows the numbers is under way
// by then, and must not be in the way.
const pauseBetween = 250 * time.Millisecond

// pressAll presses keys by turns, each after the numbers of the one before, and returns the times
// that they took in milliseconds.
func (b *benchPage) pressAll(n int, keys ...string) (taken []float64) {
	b.t.Helper()
	b.eval(`taken = []; 0`, nil)
	for k := range n {
		b.press(keys[k%len(keys)])
		b.wait(fmt.Sprintf(`taken.length === %d`, k+1), longtest.Patience)
		time.Sleep(pauseBetween)
	}
	if err := json.Unmarshal([]byte(b.value(`JSON.stringify(taken)`)), &taken); err != nil {
		b.t.Fatal(err)
	}
	slices.Sort(taken)
	return taken
}

// quantile returns a quantile of sorted numbers.
func quantile(sorted []float64, q float64) float64 {
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// TestPageLatency prints how long it takes from a key to new numbers, where 95 of 100 keys shall
// take less than the goal on a machine that has nothing else to do:
//
//	go test ./cmd/breadboard/browsertest -run TestPageLatency -v -long=20
//
// It fails if a key leads to no new numbers at all.
func TestPageLatency(t *testing.T) {
	longtest.Rare(t) // it prints times, and the other walks see that numbers follow
	keys := longtest.Times(0, 5)
	b := openBench(t, "T=1000")
	for _, c := range []struct {
		name, query string
		goal        float64 // in milliseconds
	}{
		{"7x7", "toy=barrier&T=1000", 100},
		{"25x25", "toy=random:2:0:25x25&T=1000", 500},
	} {
		b.visit(c.query)
		b.wait(`document.querySelectorAll("#board [role=gridcell]").length > 0`, longtest.Patience)
		b.eval(watchKeys, nil)
		for what, press := range map[string]func() []float64{
			"T": func() []float64 {
				b.run(chromedp.Focus("#T-slider", chromedp.ByQuery))
				return b.pressAll(keys/2, kb.ArrowRight, kb.ArrowLeft)
			},
			"a cell": func() []float64 {
				b.run(chromedp.Focus(cell(3), chromedp.ByQuery))
				return b.pressAll(keys/2, " ", kb.Delete)
			},
		} {
			taken := press()
			t.Logf("%s, %s: p50 %.0f ms, p95 %.0f ms (goal %.0f ms), longest %.0f ms of %d keys",
				c.name, what, quantile(taken, 0.5), quantile(taken, 0.95), c.goal, taken[len(taken)-1], len(taken))
		}
	}
	b.quiet()
}
