package browsertest

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"

	"breadboard/grid/longtest"
)

// TestPageAddress: all that is asked stands in the address of the page, and the page comes back from it.
func TestPageAddress(t *testing.T) {
	longtest.Only(t) // the other walks open the page by addresses that have a state
	t.Parallel()
	b := openBench(t, smallBench)
	changes := map[string]string{"T": "30", "kernel": "lazy:0.5:metropolis", "schedule": "power:2", "initial": "tempered:0.5", "toy": "cells:1:2/3:-Inf/0:0"}
	for name, value := range changes {
		b.fill("control-"+name, value)
	}
	b.settled("frames")
	b.fill("stage", "4")
	b.fill("chains-seed", "99")
	before := b.solved()
	b.wait(`new URLSearchParams(location.search).get("seed") === "99"`, longtest.Patience)
	at := longtest.Must(url.Parse(b.value(`location.href`)))(t)
	for name, value := range changes {
		if got := at.Query().Get(name); got != value {
			t.Errorf("%s is %q in the address, want %q", name, got, value)
		}
	}
	b.run(chromedp.Reload())
	b.wait(`document.documentElement.dataset.ready === "true"`, longtest.Patience)
	if got := b.solved(); got.J != before.J || got.B != before.B {
		t.Error("the page forgets when it is loaded again")
	}
	b.settled("frames")
	if got := b.stage(); got != 4 {
		t.Errorf("stage %d", got)
	}
	b.quiet()
}

// TestPageBeginsWithAMistake: an address with a mistake in it is shown as it is, with a message, and can be mended there.
func TestPageBeginsWithAMistake(t *testing.T) {
	longtest.Only(t) // TestPageSaysWhatIsWrong mends mistakes in every run
	t.Parallel()
	p := openTab(t)
	b := &benchPage{p, serveBench(t)}
	b.open(b.address + "?" + smallBench + "&kernel=" + url.QueryEscape(`<img src=x onerror=alert(1)>`) + "&unknown=1")
	b.wait(`!document.getElementById("error-kernel").hidden`, longtest.Patience)
	if b.is(`document.querySelector("img, [onerror]")`) {
		t.Error("what stands in the address becomes a part of the page")
	}
	b.fill("control-kernel", "heatbath")
	b.solved()
	b.settled("frames", "gap")
	b.wait(fmt.Sprintf(`!location.search.includes("unknown") && location.search.includes(%q)`, "kernel=heatbath"), longtest.Patience)
	b.quiet("400")
}
