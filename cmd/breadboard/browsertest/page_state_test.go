package browsertest

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	permissions "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"breadboard/grid/longtest"
)

// TestPageAddress: all that is asked stands in the address of the page, and the page comes back
// from it.
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
	b.wait(`new URLSearchParams(location.search || location.hash.slice(1)).get("seed") === "99"`, longtest.Patience)
	at := longtest.Must(url.Parse(b.value(`location.href.replace("#", "?")`)))(t)
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

// mayCopy lets the page write to the clipboard, and the test read it. There is one clipboard for
// all tabs, so one test alone copies.
func (b *benchPage) mayCopy() {
	b.t.Helper()
	c := chromedp.FromContext(b.ctx)
	executor := cdp.WithExecutor(b.ctx, c.Browser)
	for _, name := range []string{"clipboard-write", "clipboard-read"} {
		p := permissions.SetPermission(&permissions.PermissionDescriptor{Name: name, AllowWithoutGesture: true}, permissions.PermissionSettingGranted)
		p.Origin, p.BrowserContextID = strings.TrimSuffix(b.address, "/"), b.apart
		if err := p.Do(executor); err != nil {
			b.t.Fatal(err)
		}
	}
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

// TestPageCopies: the command that is copied gives the numbers of the page when it is run, the
// program is that of the API, and the link opens the same question in another tab.
func TestPageCopies(t *testing.T) {
	longtest.Only(t) // the tests of the server run the commands and programs that a page copies
	t.Parallel()
	b := openBench(t, smallBench+"&kernel=lazy:0.25&schedule=curve:0:0.3:1&stage=5&seed=3")
	b.mayCopy()
	solved := b.solved()
	b.settled("schedule", "gap", "frames", "curve", "law", "samples", "spectrum") // nothing moves the buttons any more

	command := strings.Fields(b.copied("#copy-command"))
	if len(command) < 2 || command[0] != "breadboard" || command[1] != "tightness" {
		t.Fatalf("the command is %q", command)
	}
	out := breadboard(t, t.TempDir(), append(command[1:], "--format", "json")...)
	var rows []struct{ J, B float64 }
	if err := json.Unmarshal([]byte(out), &rows); err != nil || len(rows) != 1 || rows[0].J != solved.J || rows[0].B != solved.B {
		t.Errorf("%v: the command prints %s; the page shows J = %v, B = %v", err, out, solved.J, solved.B)
	}
	program := b.value(`(await (await import("./assets/api.js")).ask("solve", document.documentElement.dataset.question)).go`)
	if got := b.copied("#copy-go"); got != program || !strings.Contains(got, "package main") {
		t.Errorf("the program is %s, that of the API %s", got, program)
	}
	b.fill("of", "gap")
	if got := b.copied("#copy-command"); !strings.HasPrefix(got, "breadboard gap ") {
		t.Errorf("of the gap: %s", got)
	}

	link := b.copied("#copy-link")
	other := &benchPage{openTab(t), b.address}
	query, same := strings.CutPrefix(strings.Replace(link, "#", "?", 1), b.address+"?")
	if !same {
		t.Fatalf("the link is %s", link)
	}
	other.visit(query)
	if got := other.solved(); got.J != solved.J || got.B != solved.B || other.question().Encode() != b.question().Encode() {
		t.Errorf("the link shows %v, not %v", other.question(), b.question())
	}
	other.settled("frames")
	if other.stage() != 5 || other.value(`document.getElementById("chains-seed").value`) != "3" {
		t.Error("the link forgets the stage or the seed")
	}
	other.quiet()
	b.quiet()
}
