package browsertest

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
	b := &benchPage{p, "http://127.0.0.1:" + address.Port() + "/"} // the browser of the tests goes to no other machine
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

// hearCopied watches for the words that something is copied, after which others may be said at
// once.
const hearCopied = `(() => {
	const said = document.getElementById("said");
	said.textContent = "";
	window.copied = false;
	window.hearing?.disconnect();
	window.hearing = new MutationObserver(changes => {
		for (const change of changes) for (const words of change.addedNodes) copied ||= words.textContent.endsWith("copied.");
	});
	hearing.observe(said, {childList: true});
	return 0 })()`

// copied presses a button that copies, and returns what is on the clipboard then.
func (b *benchPage) copied(button string) string {
	b.t.Helper()
	b.eval(`navigator.clipboard.writeText("nothing")`, nil)
	b.eval(hearCopied, nil)
	b.click(button)
	b.wait(`copied`, longtest.Patience)
	return b.value(`await navigator.clipboard.readText()`)
}
