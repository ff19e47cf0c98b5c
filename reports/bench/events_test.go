package bench

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestNothingIsSentBehindTheAnswer: work that goes on when its request has ended sends nothing more, since the connection may by then have
// another answer.
func TestNothingIsSentBehindTheAnswer(t *testing.T) {
	s := New(Options{Workers: 1})
	ctx, leave := context.WithCancel(t.Context())
	w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/api/chains", nil).WithContext(ctx)
	goOn, late := make(chan struct{}), make(chan error)
	err := s.stream(w, r, func(_ context.Context, e *events) error {
		if err := e.send("early", object{}); err != nil {
			return err
		}
		leave()
		<-goOn
		err := e.send("late", object{})
		late <- err
		return err
	})
	if err != nil {
		t.Error(err)
	}
	close(goOn)
	if err := <-late; err == nil || strings.Contains(w.Body.String(), "late") || !strings.Contains(w.Body.String(), "event: early") {
		t.Errorf("%v: %s", err, w.Body)
	}
}
