package main

import (
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"

	"breadboard/grid/longtest"
)

// TestPageWithToken: if the bench has a token the page works with the address that has it, its
// answers too, and without it nothing is shown but why. Who reaches this machine by the network
// could ask this bench too, and has not its token, which is random.
func TestPageWithToken(t *testing.T) {
	longtest.Only(t) // the tests of the server ask with tokens, and without
	if *inBrowser {
		t.Skip("there is nobody to ask for a token")
	}
	t.Parallel()
	p := openTab(t)
	address := longtest.Must(url.Parse(serveAlone(t, "--host", "0.0.0.0")))(t)
	token := address.Query().Get("token")
	if token == "" {
		t.Fatalf("no token in %s", address)
	}
	// the browser of the tests goes to no other machine
	b := &benchPage{p, "http://127.0.0.1:" + address.Port() + "/"}
	b.open(b.address)
	if got := b.text("body"); b.is(`document.getElementById("numbers")`) || got == "" {
		t.Errorf("without the token: %s", got)
	}
	b.visit("token=" + token + "&" + smallBench)
	b.solved()
	b.settled("gap", "frames", "law")
	b.click("#chains-run")
	b.wait(`document.getElementById("chains-status").textContent.endsWith("done.")`, longtest.Patience)
	b.fill("control-T", "13")
	b.solved()
	b.wait(`location.search.includes("T=13")`, longtest.Patience)
	if b.is(`location.href.includes(%q)`, token) {
		t.Error("the token stays in the address, which people share")
	}
	b.run(chromedp.Reload())
	b.wait(`document.documentElement.dataset.ready === "true"`, longtest.Patience)
	b.solved()
	if b.is(`document.cookie.includes(%q)`, token) {
		t.Error("a script can read the cookie")
	}
	b.quiet("403")
}
