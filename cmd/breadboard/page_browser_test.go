package main

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"

	"breadboard/grid/longtest"
)

// inBrowser has all walks go over the page that computes in the browser.
var inBrowser = flag.Bool("inbrowser",
	false, "open the page that breadboard serve --export writes, where it fits the test")

// serveFiles makes the page, exports it as users do, and serves it in a folder.
func serveFiles() (string, error) {
	dir := sharedFolder()
	make := exec.Command("go", "run", "./.ci/dist", "page", "-out", filepath.Join(dir, "program"))
	make.Dir = moduleFolder
	if out, err := make.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(make.Args, " "), err, out)
	}
	if _, err := outputOf(dir, "serve", "--export", filepath.Join("site", "bench")); err != nil {
		return "", err
	}
	s := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(dir, "site"))))
	atEnd.add(func() error { s.Close(); return nil })
	return s.URL + "/bench/", nil
}

// TestPageInBrowser: without a server of its own, and without any network once it is loaded, the
// page shows the numbers of the library, follows the brush, runs chains, saves files, and gives up
// what is not wanted any more. Its address has its state where browsers send it nowhere.
func TestPageInBrowser(t *testing.T) {
	if !*inBrowser {
		t.Skip("go test -long -inbrowser runs it: the page is compiled for two minutes")
	}
	longtest.Only(t)
	t.Parallel()
	p := openTab(t)
	b := &benchPage{p, longtest.Must(sharedFiles())(t)}
	b.run(network.EmulateNetworkConditions(false, 0, 2<<20, -1)) // with which the program takes seconds
	b.open(b.address + "?" + flatBench)
	b.wait(`document.getElementById("browser").textContent.includes("MB so far. The controls work when it is here.")`,
		longtest.Patience)
	if !b.is(`!document.documentElement.dataset.ready && document.querySelector("main").inert && ` +
		`document.getElementById("copy-link").disabled`) {
		t.Error("controls are active before the program is here")
	}
	b.online()
	b.visit(flatBench)
	b.settled("gap", "frames", "law")
	b.offline()
	b.click(`[data-paint="-10"]`)
	b.click(cell(5))
	b.hasToy("cells:0:0:0:0/0:-10:0:0/0:0:0:0/0:0:0:0")
	b.wait(`location.hash.includes("0:-10") && location.search === ""`, longtest.Patience)

	b.eval(`location.hash = "toy=cells:0:2/1:3&T=20", 0`, nil) // as of a link to another state
	b.hasToy("cells:0:2/1:3")
	b.solved()

	b.fill("control-toy", "barrier:25x25")
	for T := range 5 { // more than there are workers
		b.fill("control-T", fmt.Sprint(1000+T))
		b.answered()
		b.enter("#optimise") // which would take an hour
		b.wait(`document.getElementById("optimise-progress").textContent.includes("steps")`, longtest.Patience)
	}
	b.fill("control-toy", "barrier:3x3")
	b.fill("control-T", "50")
	b.solved()
	b.settled("schedule", "gap", "frames", "curve", "law", "samples", "spectrum")
	b.click("#chains-run")
	b.wait(`document.getElementById("chains-status").textContent === "1000 chains done."`, longtest.Patience)
	b.eval(`URL.createObjectURL = (blob) => (window.saved = blob, "#"), 0`, nil)
	b.click("[data-section=gap] .downloads a[href*=csv]")
	b.wait(`window.saved`, longtest.Patience)
	if got := b.value(`await saved.text()`); !strings.HasPrefix(got, "toy,") ||
		strings.Count(got, "\n") != 51 {
		t.Errorf("the file has %s", got)
	}
	b.fill("control-kernel", "exec:ls")
	b.wait(`!document.getElementById("error-kernel").hidden`, longtest.Patience)
	b.accessible()
	b.quiet("ERR_INTERNET_DISCONNECTED")

	b.online()
	b.open(strings.TrimSuffix(b.address, "bench/")) // a page that shows the bench in a frame
	b.eval(`(() => { const it = document.createElement("iframe"); it.src = "bench/#toy=cells:0:1&T=5"; `+
		`document.body.append(it) })()`, nil)
	J := func(query string) {
		t.Helper()
		b.wait(fmt.Sprintf(`(it => it?.dataset.question?.startsWith(%q) && it.dataset.stale === `+
			`"false")(frames[0].document.getElementById("numbers"))`,
			query),
			longtest.Patience)
	}
	J("toy=cells:0:1&T=5&")
	b.offline()
	b.eval(`document.querySelector("iframe").src = "bench/#toy=cells:0:2/1:3&T=20", 0`, nil)
	J("toy=cells:0:2/1:3&T=20&")
}
