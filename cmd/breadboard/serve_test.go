package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
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

// serveBench runs the command serve until the test ends, and returns the address that it prints.
func serveBench(t *testing.T) string {
	t.Helper()
	ctx, interrupt := context.WithCancel(context.Background())
	out := &lines{first: make(chan string, 1)}
	code := make(chan int, 1)
	go func() { code <- run(ctx, []string{"serve", "--port", "0"}, out, io.Discard) }()
	t.Cleanup(func() {
		interrupt()
		if got := <-code; got != exitDone {
			t.Errorf("serve ends with exit code %d", got)
		}
	})
	select {
	case address := <-out.first:
		return address
	case <-time.After(longtest.Patience):
		t.Fatal("serve prints no address")
		return ""
	}
}

// TestServe: the command prints the address of a free port, answers there with what tightness prints, and ends when it is interrupted.
func TestServe(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	out, messages := &lines{first: make(chan string, 1)}, &lines{first: make(chan string, 1)}
	code := make(chan int, 1)
	go func() { code <- run(ctx, []string{"serve", "--port", "0"}, out, messages) }()
	var address string
	select {
	case address = <-out.first:
	case <-time.After(longtest.Patience):
		t.Fatal("no address: ", messages)
	}
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
	var printed, compacted, errors bytes.Buffer
	words := append(strings.Fields(answer.Command)[1:], "--format", "json")
	if exit := run(t.Context(), words, &printed, &errors); exit != exitDone {
		t.Fatal(exit, errors.String())
	}
	if err := json.Compact(&compacted, printed.Bytes()); err != nil || compacted.String() != string(answer.Rows) {
		t.Errorf("%v: the command prints %s, the bench answers %s", err, printed.String(), answer.Rows)
	}
	interrupt()
	if got := <-code; got != exitDone || !strings.Contains(messages.String(), "the bench has ended") {
		t.Errorf("exit code %d, %s", got, messages)
	}
}

// TestServeFar: where others reach the bench, the address has a token, and nothing is answered without it.
func TestServeFar(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	out, messages := &lines{first: make(chan string, 1)}, &lines{first: make(chan string, 1)}
	code := make(chan int, 1)
	go func() { code <- run(ctx, []string{"serve", "--host", "0.0.0.0", "--port", "0"}, out, messages) }()
	var address string
	select {
	case address = <-out.first:
	case <-time.After(longtest.Patience):
		t.Fatal("no address: ", messages)
	}
	page, token, given := strings.Cut(address, "?token=")
	if !given || len(token) < 20 || strings.Contains(page, "0.0.0.0") {
		t.Errorf("address %q", address)
	}
	_, port, err := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(page, "http://"), "/"))
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{"": http.StatusForbidden, "?token=" + token: http.StatusOK} {
		r := longtest.Must(http.Get("http://127.0.0.1:" + port + "/" + query))(t)
		r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("%q: %s", query, r.Status)
		}
	}
	interrupt()
	<-code
}

// TestServeRefuses: what cannot be served is said with what to do.
func TestServeRefuses(t *testing.T) {
	taken := longtest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--port " + port, exitIO, "--port 0 for any that is free"},
		{"--port 99999", exitBadInput, "from 1 to 65535"},
		{"--host 203.0.113.1", exitIO, "an address of this machine"},
		{"--workers -1", exitBadInput, "--workers -1"},
		{"--out " + path.Join("no", "where"), exitBadInput, "leave it out"},
		{"more", exitBadInput, "more"},
	} {
		var out, messages bytes.Buffer
		if code := run(t.Context(), append([]string{"serve"}, strings.Fields(c.args)...), &out, &messages); code != c.code || !strings.Contains(messages.String(), c.want) {
			t.Errorf("serve %s: %d %s", c.args, code, messages.String())
		}
	}
}

// TestServeOpens: that no browser can be opened is said, and the bench is served all the same.
func TestServeOpens(t *testing.T) {
	t.Setenv("PATH", "")
	ctx, interrupt := context.WithCancel(t.Context())
	out, messages := &lines{first: make(chan string, 1)}, &lines{first: make(chan string, 1)}
	code := make(chan int, 1)
	go func() { code <- run(ctx, []string{"serve", "--port", "0", "--open"}, out, messages) }()
	address := <-out.first
	r := longtest.Must(http.Get(address))(t)
	r.Body.Close()
	if r.StatusCode != http.StatusOK || !strings.Contains(messages.String(), "no browser was opened") {
		t.Errorf("%s; %s", r.Status, messages)
	}
	interrupt()
	<-code
}
