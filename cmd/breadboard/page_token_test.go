package main

import (
	"context"
	"io"
	"net"
	"testing"

	"github.com/chromedp/chromedp"

	"breadboard/grid/longtest"
	"breadboard/reports/bench"
)

// TestPageWithToken: where the bench has a token the page works with the address that has it, its answers too, and without it nothing is
// shown but why. The bench listens on loopback all the same, so that nobody else reaches it.
func TestPageWithToken(t *testing.T) {
	t.Parallel()
	p := openTab(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	const token = "AQUITESECRETTOKEN"
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- bench.New(bench.Options{Token: token, Words: inFlags, Log: io.Discard}).Serve(ctx, listener)
	}()
	t.Cleanup(func() {
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	b := &benchPage{p, "http://" + listener.Addr().String() + "/"}
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
