package browsertest

import (
	"encoding/json"
	"strings"
	"testing"

	permissions "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"breadboard/grid/longtest"
)

// mayCopy lets the page write to the clipboard, and the test read it. There is one clipboard for all tabs, so one
// test alone copies.
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

// hearCopied watches for the words that something is copied, after which others may be said at once.
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

// TestPageCopies: the command that is copied gives the numbers of the page when it is run, the program is that of the API, and the link opens
// the same question in another tab.
func TestPageCopies(t *testing.T) {
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
	var program string
	b.eval(`fetch("api/solve?" + document.documentElement.dataset.question).then(answer => answer.json()).then(answer => answer.go)`, &program)
	if got := b.copied("#copy-go"); got != program || !strings.Contains(got, "package main") {
		t.Errorf("the program is %s, that of the API %s", got, program)
	}
	b.fill("of", "gap")
	if got := b.copied("#copy-command"); !strings.HasPrefix(got, "breadboard gap ") {
		t.Errorf("of the gap: %s", got)
	}

	link := b.copied("#copy-link")
	other := &benchPage{openTab(t), b.address}
	query, same := strings.CutPrefix(link, b.address+"?")
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
