package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// lines is a writer that tells of its first line. The command writes to it while the test reads.
type lines struct {
	mu    sync.Mutex
	text  bytes.Buffer
	first chan string
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := strings.Contains(l.text.String(), "\n")
	l.text.Write(p)
	if line, _, whole := strings.Cut(l.text.String(), "\n"); whole && !before {
		l.first <- line
	}
	return len(p), nil
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// startBench runs the command serve with further words, and returns the address that it prints,
// what it says, and what interrupts it and returns its exit code.
func startBench(t *testing.T, words ...string) (address string, messages *lines, end func() int) {
	t.Helper()
	ctx, interrupt := context.WithCancel(context.Background())
	out := &lines{first: make(chan string, 1)}
	messages = &lines{first: make(chan string, 1)}
	code := make(chan int, 1)
	go func() { code <- run(ctx, append([]string{"serve", "--port", "0"}, words...), out, messages) }()
	select {
	case address = <-out.first:
	case <-time.After(longtest.Patience):
		t.Fatal("serve prints no address: ", messages)
	}
	return address, messages, sync.OnceValue(func() int { interrupt(); return <-code })
}

// serveBench runs the command serve until the test ends, and returns the address that it prints.
func serveBench(t *testing.T) string {
	t.Helper()
	address, _, end := startBench(t)
	t.Cleanup(func() {
		if code := end(); code != exitDone {
			t.Errorf("serve ends with exit code %d", code)
		}
	})
	return address
}

// TestServe: the command prints the address of a free port, answers there with what tightness
// prints, and ends when it is interrupted.
func TestServe(t *testing.T) {
	address, messages, end := startBench(t)
	defer end()
	r := longtest.Must(http.Get(address + "api/solve?toy=easy&T=50"))(t)
	defer r.Body.Close()
	body := longtest.Must(io.ReadAll(r.Body))(t)
	var answer struct {
		Rows    json.RawMessage
		Command string
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatal(err, string(body))
	}
	var compacted bytes.Buffer
	printed, _ := ok(t, append(strings.Fields(answer.Command)[1:], "--format", "json")...)
	if err := json.Compact(&compacted, []byte(printed)); err != nil ||
		compacted.String() != string(answer.Rows) {
		t.Errorf("%v: the command prints %s, the bench answers %s", err, printed, answer.Rows)
	}
	if got := end(); got != exitDone || !strings.Contains(messages.String(), "the bench has ended") {
		t.Errorf("exit code %d, %s", got, messages)
	}
}

// TestServeFar: if others reach the bench, the address has a token, and nothing is answered without
// it.
func TestServeFar(t *testing.T) {
	address, _, end := startBench(t, "--host", "0.0.0.0")
	defer end()
	page, token, given := strings.Cut(address, "?token=")
	if !given || len(token) < 20 || strings.Contains(page, "0.0.0.0") {
		t.Errorf("address %q", address)
	}
	_, port, err := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(page, "http://"), "/"))
	longtest.NoError(t, err)
	for query, want := range map[string]int{"": http.StatusForbidden, "?token=" + token: http.StatusOK} {
		r := longtest.Must(http.Get("http://127.0.0.1:" + port + "/" + query))(t)
		r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("%q: %s", query, r.Status)
		}
	}
}

// TestServeTaken: if the port is taken a message says what to do.
func TestServeTaken(t *testing.T) {
	taken := longtest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	if code, _, stderr := command(t, "serve", "--port", port); code != exitIO ||
		!strings.Contains(stderr, "--port 0 for any that is free") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// askedOnce returns the status of an answer, and fails if there is none or one that says nothing.
func askedOnce(client *http.Client, address string) (int, error) {
	r, err := client.Get(address)
	if err != nil {
		return 0, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err == nil && len(body) == 0 {
		err = fmt.Errorf("%s without a body", r.Status)
	}
	return r.StatusCode, err
}

// living returns the bytes that are still in use.
func living() uint64 {
	runtime.GC()
	runtime.GC() // what the first one has left to finalizers and pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// TestServeUnderLoad: many requests at once and more in a row are answered or told to come again,
// and the memory is given back. That a page goes on meanwhile is tested in a browser.
func TestServeUnderLoad(t *testing.T) {
	longtest.Only(t)
	address := serveBench(t)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
	defer client.CloseIdleConnections()
	if status, err := askedOnce(client, address+"api/solve?toy=cells:0:1&T=2"); err != nil ||
		status != http.StatusOK {
		t.Fatalf("%d %v", status, err)
	}
	before := living()

	var good, later atomic.Int64
	var group sync.WaitGroup
	for k := range longtest.Times(20, 200) {
		group.Go(func() {
			status, err := askedOnce(client, fmt.Sprintf("%sapi/gap?toy=easy&T=%d", address, longtest.Times(30, 300)+k))
			switch {
			case err == nil && status == http.StatusOK:
				good.Add(1)
			case err == nil &&
				(status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable):
				later.Add(1)
			default:
				t.Errorf("request %d: %d %v", k, status, err)
			}
		})
	}
	group.Wait()
	if good.Load() == 0 {
		t.Error("nobody was answered")
	}
	t.Logf("at once: %d answered, %d told to come again", good.Load(), later.Load())

	for k := range longtest.Times(100, 10_000) {
		if status, err := askedOnce(client, address+"api/solve?toy=cells:0:1&T=2"); err != nil ||
			status != http.StatusOK {
			t.Fatalf("request %d: %d %v", k, status, err)
		}
	}
	client.CloseIdleConnections()
	if after := living(); after > before+20<<20 {
		t.Errorf("%d bytes in use before, %d after", before, after)
	}
}

// curlLine is a command line of curl in a document: its options, the address in quotes, and perhaps
// a member of the answer behind jq.
var curlLine = regexp.MustCompile(
	`^curl ((?:-\S+ (?:[@\w][\w.]* )?|--data-binary @\S+ )*)'http://127\.0\.0\.1:8642/([^']*)'(?: \| jq -c \.(\w+))?$`,
)

// curl does what a line of curl in a document asks of a bench at the usual address, which is the
// one at another address here, and returns the lines of the output. Files are those of the folder.
// It needs neither curl nor jq.
func curl(t *testing.T, line, bench, dir string) []string {
	t.Helper()
	parts := curlLine.FindStringSubmatch(line)
	if parts == nil {
		t.Fatalf("nothing here reads the line %q; write curl -s 'ADDRESS' | jq -c .MEMBER, or mend curlLine", line)
	}
	request, to := curlRequest(t, strings.Fields(parts[1]), bench+parts[2], dir)
	answer := longtest.Must(http.DefaultClient.Do(request))(t)
	defer answer.Body.Close()
	body := longtest.Must(io.ReadAll(answer.Body))(t)
	if member := parts[3]; member != "" {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(body, &members); err != nil || members[member] == nil {
			t.Fatalf("%s: no member %s in %s, %v", line, member, body, err)
		}
		body = members[member]
	}
	if to == "" {
		return linesOf(string(body))
	}
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, to), body, 0o644))
	return nil
}

// curlRequest returns the request of options of curl, and the name of the file for the answer,
// which may be empty.
func curlRequest(t *testing.T, options []string, address, dir string) (request *http.Request, to string) {
	t.Helper()
	method := http.MethodGet
	body := []byte(nil)
	for len(options) > 0 {
		option := options[0]
		options = options[1:]
		switch option {
		case "-s", "-sN":
			continue
		case "-so":
			to = options[0]
		case "--data-binary":
			data, err := os.ReadFile(filepath.Join(dir, strings.TrimPrefix(options[0], "@")))
			longtest.NoError(t, err)
			method = http.MethodPost
			body = data
		default:
			t.Fatalf("nothing here knows the option %s of curl", option)
		}
		options = options[1:]
	}
	request, err := http.NewRequestWithContext(t.Context(), method, address, bytes.NewReader(body))
	longtest.NoError(t, err)
	return request, to
}
