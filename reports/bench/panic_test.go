package bench

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestPanics: what panics, on a lane or before it, is answered with a sentence and logged, and the next request is answered.
func TestPanics(t *testing.T) {
	var log bytes.Buffer
	s := New(Options{Log: &log, Workers: 1})
	s.routes["/here"] = route{method: http.MethodGet, handle: func(http.ResponseWriter, *http.Request) error { panic("broken here") }}
	s.routes["/there"] = route{method: http.MethodGet, handle: func(_ http.ResponseWriter, r *http.Request) error {
		return s.quick.inside(r.Context(), time.Minute, func(context.Context) error { panic("broken there") })
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
