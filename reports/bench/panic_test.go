package bench

import (
	"bytes"
	"context"
	"log"
	"net/http"
	"strings"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// TestPanics: what panics, on a lane or before it, is answered with a sentence and logged, and the next request is answered.
func TestPanics(t *testing.T) {
	var log bytes.Buffer
	s := New(Options{Log: &log, Workers: 1})
	s.routes["/here"] = route{method: http.MethodGet, handle: func(http.ResponseWriter, *http.Request) error { panic("broken here") }}
	s.routes["/there"] = route{method: http.MethodGet, handle: func(_ http.ResponseWriter, r *http.Request) error {
		return s.quick.inside(r.Context(), longtest.Patience, func(context.Context) error { panic("broken there") })
	}}
	for range 3 {
		for _, path := range []string{"/here", "/there"} {
			if w := answerOf(t, s, path); w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "a mistake in breadboard itself") || strings.Contains(w.Body.String(), "broken") {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
		}
	}
	if w := answerOf(t, s, "/api/solve?T=2"); w.Code != http.StatusOK {
		t.Errorf("afterwards: %d %s", w.Code, w.Body)
	}
	for _, want := range []string{"/here panicked: broken here", "/there panicked: broken there", "panic_test.go"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q: %s", want, log.String())
		}
	}
}

// TestLatePanics: what panics when nobody waits for it any more is logged.
func TestLatePanics(t *testing.T) {
	said := make(said, 1)
	l := newLane(1, 1, log.New(said, "", 0))
	ctx, cancel := context.WithCancel(t.Context())
	givenUp := make(chan struct{})
	err := l.inside(ctx, longtest.Patience, func(context.Context) error {
		cancel()
		<-givenUp
		panic("broken late")
	})
	close(givenUp)
	if err == nil {
		t.Error("work that was given up has no error")
	}
	select {
	case text := <-said:
		if !strings.Contains(text, "broken late") {
			t.Errorf("the log says %q", text)
		}
	case <-time.After(longtest.Patience):
		t.Error("nothing is logged")
	}
}

// said is a log whose lines somebody waits for.
type said chan string

func (s said) Write(line []byte) (int, error) {
	s <- string(line)
	return len(line), nil
}
