package bench_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/reports/bench"
)

// refused checks that a question is refused with a status, about a parameter, with a message.
func refused(t *testing.T, address string, status int, parameter, message string) {
	t.Helper()
	got, body := get(t, address)
	var a struct{ Error, Parameter string }
	if err := json.Unmarshal(body, &a); err != nil {
		t.Fatalf("%.200s: %d %v: %s", address, got, err, body)
	}
	if got != status || a.Parameter != parameter || !strings.Contains(a.Error, message) || a.Error == "" {
		t.Errorf("%.200s: %d %q about %q, want %d %q about %q", address, got, a.Error, a.Parameter, status, message, parameter)
	}
}

// TestRefusals: what cannot be answered is refused with the parameter that is to blame.
func TestRefusals(t *testing.T) {
	at := start(t, bench.Options{}) + "/api/"
	for _, c := range []struct{ query, parameter, message string }{
		{"T=1e18", "T", "is no whole number from 2 to 1e6"},
		{"T=NaN", "T", "no number"},
		{"T=-5", "T", "whole number"},
		{"T=2.5", "T", "whole number"},
		{"T=2&T=3", "T", "given 2 times"},
		{"t=2", "t", "unknown parameter"},
		{"T=%zz", "", "cannot be read"},
		{"toy=schools:3000x3000", "toy", "9e+06 states"},
		{"toy=random:2:0:1000x1000", "toy", "1e+06 states"},
		{"toy=graph:complete:1000000:random:1:1", "toy", "1e+06 states"},
		{"toy=ising:9x9:1", "toy", "states"},
		{"toy=smooth:1:1:100000:99x99", "toy", "passes"},
		{"toy=cells:NaN:1", "toy", "NaN"},
		{"toy=cells:" + strings.Repeat("1:", 800) + "1", "toy", "at most 625"},
		{"toy=nothing", "toy", "unknown toy"},
		{"kernel=nothing", "kernel", "unknown kernel"},
		{"kernel=lazy:2", "kernel", "lazy"},
		{"kernel=exec:ls", "kernel", "programs cannot be run here"},
		{"path=nothing", "path", "unknown path"},
		{"schedule=nothing", "schedule", "unknown schedule"},
		{"schedule=curve:0:2:1", "schedule", "curve"},
		{"initial=nothing", "initial", "unknown initial"},
		{"initial=prior", "initial", "no prior"},
		{"toy=random:2:0:4096&kernel=heatbath", "kernel", "MB"},
		{"toy=random:2:0:250x250&T=1000000", "T", "seconds"},
	} {
		refused(t, at+"solve?"+c.query, http.StatusBadRequest, c.parameter, c.message)
	}
	refused(t, at+"solve?kernel="+strings.Repeat("lazy:0.5:", 5000)+"metropolis", http.StatusBadRequest, "kernel", "... (the message is longer)")
	refused(t, at+"gap?T=100000", http.StatusBadRequest, "T", "a row for each stage")
	refused(t, at+"curve?Ts=1,2", http.StatusBadRequest, "Ts", "whole number")
	refused(t, at+"curve?Ts="+strings.Repeat("5,", 100)+"5", http.StatusBadRequest, "Ts", "101 numbers")
	refused(t, at+"curve?toy=random:2:0:250x250&T=10&Ts=100000,200000", http.StatusBadRequest, "Ts", "seconds together")
	refused(t, at+"curve?schedule=cess:0.9", http.StatusBadRequest, "schedule", "no curve")
	refused(t, at+"curve.png?width=100in&T=10", http.StatusBadRequest, "width", "up to 20 in wide")
	if !longtest.Short() { // it is looked at how many would be needed
		refused(t, at+"solve?schedule=cess:0.99999999999999&toy=cells:0:9", http.StatusBadRequest, "schedule", "distributions would be needed")
	}
	refused(t, at+"samples?samples=0", http.StatusBadRequest, "samples", "whole number")
	refused(t, at+"spectrum?betas=1e9", http.StatusBadRequest, "betas", "whole number")
	refused(t, at+"frames?count=1000000", http.StatusBadRequest, "count", "whole number")
	refused(t, at+"frames?count=5000", http.StatusBadRequest, "count", "at most")
	refused(t, at+"frames?stages=0", http.StatusBadRequest, "stages", "whole number")
	refused(t, at+"follow?stage=1", http.StatusBadRequest, "state", "give the state")
	refused(t, at+"follow?stage=1&state=49", http.StatusBadRequest, "state", "whole number")
	refused(t, at+"optimize?objective=x", http.StatusBadRequest, "objective", "unknown objective")
	refused(t, at+"optimize?toy=barrier:3x3&T=5000", http.StatusBadRequest, "T", "4096")
	refused(t, at+"gap?T=20&columns=none", http.StatusBadRequest, "columns", "unknown column")
	refused(t, at+"gap?T=20000&toy=cells:"+strings.Repeat("0.1234567890123:", 300)+"1", http.StatusBadRequest, "columns", "too long an answer")
	refused(t, at+"solve?samples=1", http.StatusBadRequest, "samples", "unknown parameter")
}

// TestNoFileIsRead: whatever a selector is made of, a file in it is refused before anybody looks whether it is there.
func TestNoFileIsRead(t *testing.T) {
	at := start(t, bench.Options{}) + "/api/solve?"
	const file = "/nowhere/canary.csv"
	for parameter, selectors := range map[string][]string{
		"toy": {
			"file:" + file, "prob:" + file, "model:" + file, "x=file:" + file, "mixture:0.5*file:" + file + "+0.5*easy", "mixture:1*easy+1*prob:" + file,
			"a=mixture:1*easy+1*model:" + file, "graph:" + file + ":random:1:1", "graph:" + file + ":" + file, "graph:path:5:" + file, "graph:path:5:prob:" + file, " file:" + file,
			"mixture:1*graph:" + file + ":random:1:1+1*easy", "file:" + file + "#key",
		},
		"initial": {"file:" + file, "prob:" + file}, "path": {"via:" + file, "via:0.5:" + file},
		"schedule": {"file:" + file}, "kernel": {"matrix:" + file, "matrix:/nowhere/{t}.npy"},
	} {
		for _, text := range selectors {
			refused(t, at+url.Values{parameter: {text}}.Encode(), http.StatusBadRequest, parameter, "the bench reads none")
		}
	}
	_, body := get(t, strings.TrimSuffix(at, "solve?")+"catalog")
	for _, word := range []string{"PATH", "COMMAND"} {
		if strings.Contains(string(body), word+`"`) {
			t.Errorf("the catalogue offers a %s: %s", word, body)
		}
	}
}

// do sends a request that is changed before, and returns the status and the body.
func do(t *testing.T, method, address string, body io.Reader, change func(*http.Request)) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequest(method, address, body)
	if err != nil {
		t.Fatal(err)
	}
	change(r)
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text), answer.Header
}

// TestGuard: requests that other sites have made are refused, also where the other site's name leads to this machine.
func TestGuard(t *testing.T) {
	at := start(t, bench.Options{})
	host := strings.TrimPrefix(at, "http://")
	_, port, err := net.SplitHostPort(host)
	if err != nil {
		t.Fatal(err)
	}
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for _, c := range []struct {
		what, method, path string
		change             func(*http.Request)
		status             int
	}{
		{"its own name", "GET", "/", func(r *http.Request) { r.Host = "localhost:" + port }, 200},
		{"its own address", "GET", "/", func(r *http.Request) { r.Host = "[::1]:" + port }, 200},
		{"a foreign host", "GET", "/", func(r *http.Request) { r.Host = "evil.example:" + port }, 403},
		{"a foreign host without a port", "GET", "/api/solve", func(r *http.Request) { r.Host = "evil.example" }, 403},
		{"another port", "GET", "/", func(r *http.Request) { r.Host = "localhost:1" }, 403},
		{"its own origin", "POST", "/api/file?name=a.csv", header("Origin", at), 400},
		{"a foreign origin", "POST", "/api/file?name=a.csv", header("Origin", "http://evil.example"), 403},
		{"an opaque origin", "POST", "/api/file?name=a.csv", header("Origin", "null"), 403},
		{"a foreign origin that asks", "GET", "/api/solve", header("Origin", "http://evil.example"), 403},
		{"an image in a foreign page", "GET", "/api/solve.png", header("Sec-Fetch-Site", "cross-site"), 403},
		{"another port's page", "GET", "/api/solve", header("Sec-Fetch-Site", "same-site"), 403},
		{"its own page", "GET", "/api/solve?T=2", header("Sec-Fetch-Site", "same-origin"), 200},
		{"a link that is followed", "GET", "/?toy=easy", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "document")
		}, 200},
		{"a frame", "GET", "/", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "iframe")
		}, 403},
		{"another method", "DELETE", "/api/solve", func(*http.Request) {}, 405},
		{"a question that is posted", "POST", "/api/solve", func(*http.Request) {}, 405},
		{"a file that is not posted", "GET", "/api/file", func(*http.Request) {}, 405},
		{"the header alone", "HEAD", "/", func(*http.Request) {}, 200},
		{"nothing", "GET", "/api/nothing", func(*http.Request) {}, 404},
		{"a study's unknown file", "GET", "/api/solve.exe", func(*http.Request) {}, 404},
		{"a file out of the folder", "GET", "/assets/../server.go", func(*http.Request) {}, 404},
		{"the same, written otherwise", "GET", "/assets/..%2fserver.go", func(*http.Request) {}, 404},
		{"an absolute file", "GET", "/assets//etc/passwd", func(*http.Request) {}, 404},
		{"a folder", "GET", "/assets/", func(*http.Request) {}, 404},
		{"the page's template", "GET", "/assets/index.html", func(*http.Request) {}, 404},
		{"a long address", "GET", "/?x=" + strings.Repeat("x", 200_000), func(*http.Request) {}, 414},
		{"a long header", "GET", "/", header("X-Long", strings.Repeat("x", 400_000)), 431},
	} {
		status, body, h := do(t, c.method, at+c.path, nil, c.change)
		if status != c.status {
			t.Errorf("%s: %d, want %d: %.300s", c.what, status, c.status, body)
		}
		if status >= 400 && status != 431 && !json.Valid([]byte(body)) {
			t.Errorf("%s: %.300s", c.what, body)
		}
		if status != 431 && (!strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") != "no-store") {
			t.Errorf("%s: header %v", c.what, h)
		}
	}
}

// TestToken: where others can reach the bench, nothing is answered without its token.
func TestToken(t *testing.T) {
	const token = "S3CRETTOKEN"
	at := start(t, bench.Options{Token: token})
	plain := func(*http.Request) {}
	for _, path := range []string{"/", "/api/catalog", "/assets/main.js", "/api/solve", "/?token=", "/?token=WRONG", "/nothing"} {
		if status, body, _ := do(t, "GET", at+path, nil, plain); status != 403 || strings.Contains(body, token) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	status, _, h := do(t, "GET", at+"/?token="+token+"&toy=easy", nil, func(r *http.Request) { r.Host = "lab.example" })
	cookie := h.Get("Set-Cookie")
	if status != 200 || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") {
		t.Fatalf("the page with its token: %d, cookie %q", status, cookie)
	}
	pair, _, _ := strings.Cut(cookie, ";")
	for what, change := range map[string]func(*http.Request){
		"cookie": func(r *http.Request) { r.Header.Set("Cookie", pair) },
		"header": func(r *http.Request) { r.Header.Set("X-Breadboard-Token", token) },
		"query":  func(r *http.Request) { r.URL.RawQuery += "&token=" + token },
	} {
		status, body, _ := do(t, "GET", at+"/api/solve?T=2", nil, change)
		if status != 200 || strings.Contains(body, token) {
			t.Errorf("%s: %d %s", what, status, body)
		}
	}
	if status, _, _ := do(t, "GET", at+"/api/solve?T=2", nil, func(r *http.Request) {
		r.Header.Set("Cookie", pair)
		r.Header.Set("Origin", "http://evil.example")
	}); status != 403 {
		t.Errorf("another site with the cookie: %d", status)
	}
}

// long is a body of so many bytes, which counts what is read of it.
type long struct {
	most int64
	read atomic.Int64 // the client goes on reading while the test looks
}

func (l *long) Read(p []byte) (int, error) {
	if l.read.Add(int64(len(p))) > l.most {
		return 0, io.EOF
	}
	return len(p), nil
}

// TestLargeBody: 100 MB are refused when a hundredth of it has been read, whether or not the size is told before.
func TestLargeBody(t *testing.T) {
	at := start(t, bench.Options{})
	for _, told := range []bool{true, false} {
		body := &long{most: 100 << 20}
		r, err := http.NewRequest("POST", at+"/api/file?name=a.csv", body)
		if err != nil {
			t.Fatal(err)
		}
		if told {
			r.ContentLength = body.most
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			continue // the server has closed the connection before its answer was read, since it reads no more
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != http.StatusRequestEntityTooLarge || !json.Valid(text) {
			t.Errorf("told %v: %d %s", told, answer.StatusCode, text)
		}
		if read := body.read.Load(); read > 20<<20 {
			t.Errorf("told %v: %d bytes were taken", told, read)
		}
	}
}

// TestHugeToysTakeNoMemory: they are refused by their selectors, before anything is made.
func TestHugeToysTakeNoMemory(t *testing.T) {
	at := start(t, bench.Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, toy := range []string{"schools:3000x3000", "random:2:0:4096&kernel=heatbath", "random:2:0:4000x4000", "graph:hypercube:24:random:1:1", "mixture:" + strings.Repeat("1*random:1:1:250x250%2B", 40) + "1*easy"} {
		if status, body := get(t, at+"/api/gap?toy="+toy); status != 400 {
			t.Errorf("%.100s: %d %s", toy, status, body)
		}
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 20<<20 {
		t.Errorf("refusing takes %d bytes", taken)
	}
}

// TestQueriesOfAllKinds: every character is taken, alone, as a selector that means nothing.
func TestQueriesOfAllKinds(t *testing.T) {
	at := start(t, bench.Options{})
	var b bytes.Buffer
	for c := range 256 {
		if c < 128 && strings.TrimSpace(string(rune(c))) == "" {
			continue // it stands for a selector that is left out
		}
		b.Reset()
		fmt.Fprintf(&b, "%s/api/solve?T=2&toy=%%%02x&kernel=%%%02x", at, c, c)
		if status, body := get(t, b.String()); status != 400 || !json.Valid(body) {
			t.Errorf("%s: %d %s", b.String(), status, body)
		}
	}
}
