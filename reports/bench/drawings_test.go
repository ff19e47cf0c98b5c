package bench

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// TestFiguresAreDrawnInTheLane: figures are drawn on the place of their computation and within its time, and none for those who have gone.
func TestFiguresAreDrawnInTheLane(t *testing.T) {
	s := New(Options{Workers: 1})
	gap := gapStudy()
	ctx, leave := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/gap?toy=easy&T=5", nil)
	begun, drawn := make(chan struct{}), make(chan error, 1)
	go func() {
		_, _, err := s.compute(r, &gap, func(ctx context.Context, a *task) error {
			if n := len(s.quick.places); n != 1 {
				t.Errorf("%d places are taken while figures are drawn", n)
			}
			close(begun)
			<-ctx.Done()
			_, err := drawings(ctx, a.report)
			drawn <- err
			return err
		})
		if err == nil {
			t.Error("an answer for nobody")
		}
	}()
	<-begun
	leave()
	select {
	case err := <-drawn:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("figures are drawn for nobody: %v", err)
		}
	case <-time.After(longtest.Patience):
		t.Error("nobody tells that the client has gone")
	}
}
