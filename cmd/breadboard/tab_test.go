package main

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// goodPage has nothing that a tab should find, under a policy that allows no script but that of the
// server.
const goodPage = `<!doctype html><html lang="en"><head><title>A good page</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"></head>
<body><main><h1>A good page</h1><p>J is <output id="j">1.65</output> nats.</p><button id="b">Count</button></main><script src="/a.js"></script></body></html>`

// badPage has one of each thing that a tab should find.
const badPage = `<!doctype html><html><head><link rel="icon" href="data:,"></head><body style="width: 2000px"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==">
<script>
console.error("an error", 1); console.warn("a warning"); console.log("fine");
setTimeout(() => { throw new Error("uncaught") });
Promise.reject(new Error("rejected"));
fetch("/missing");
fetch("https://example.com/outside").catch(() => {});
</script></body></html>`

// tabServer serves the pages of the tests of tabs.
func tabServer(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/good":
			w.Header().Set("Content-Security-Policy",
				"default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:")
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Write([]byte(goodPage))
		case "/leaving":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Write([]byte(`<!doctype html><title>Leaving</title><script>setTimeout(() => { location.href ` +
				`= "/good" }, 50)</script>`))
		case "/a.js":
			w.Header().Set("Content-Type", "text/javascript")
			w.Write([]byte(`let n = 0; document.getElementById("b").addEventListener("click", () => { ` +
				`document.getElementById("j").textContent = ++n })`))
		case "/bad":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Write([]byte(badPage))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// TestTabFindsWhatIsWrong: a tab finds errors of every kind, requests to other machines, pages that
// are too wide and what axe-core finds.
func TestTabFindsWhatIsWrong(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	p := openTab(t)
	p.open(tabServer(t).URL + "/bad")
	for _, want := range []string{"console.error: an error 1", "console.warning: a warning", "uncaught",
		"rejected", "404", "example.com"} {
		has := func() bool {
			return slices.ContainsFunc(p.problems(), func(problem string) bool {
				return strings.Contains(strings.ReplaceAll(problem, `"`, ""), want)
			})
		}
		if !eventually(has) {
			t.Errorf("%q is not in %q", want, p.problems())
		}
	}
	if found := p.problems(); len(found) != 6 {
		t.Errorf("%d problems: %q", len(found), found)
	}
	if got := p.outside(); !slices.Equal(got, []string{"https://example.com/outside"}) {
		t.Errorf("requests outside: %q", got)
	}
	var wide bool
	p.eval("document.documentElement.scrollWidth > document.documentElement.clientWidth", &wide)
	if !wide {
		t.Error("the page is not too wide")
	}
	if serious, run := p.violations(); run {
		var rules []string
		for _, v := range serious {
			rules = append(rules, v.ID)
		}
		slices.Sort(rules)
		if !slices.Equal(rules, []string{"document-title", "html-has-lang", "image-alt"}) {
			t.Errorf("axe-core finds %v", serious)
		}
	}
}

// TestStays: what goes to another machine, and what does not.
func TestStays(t *testing.T) {
	for address, want := range map[string]bool{
		"http://127.0.0.1:8642/": true, "http://localhost:1/a": true, "ws://[::1]:8642/": true,
		"data:image/png;base64,AA==": true,
		"blob:http://127.0.0.1/x":    true, "about:blank": true,
		"file:///tmp/a.html": true, "file://server/a.html": false, "https://example.com/": false,
		"http://127.0.0.1.example.com/": false,
		"http://localhost.example.com/": false, "http://192.168.0.1/": false, "//example.com/a": false,
		"http://%zz/": false,
	} {
		if got := stays(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

// TestWaitOutlivesItsPage: what a test waits for may come true on the page after the one on which
// it began to wait.
func TestWaitOutlivesItsPage(t *testing.T) {
	t.Parallel()
	s := tabServer(t)
	p := openTab(t)
	for range 3 {
		p.open(s.URL + "/leaving")
		p.wait(`document.title === "A good page"`, longtest.Patience)
	}
}
