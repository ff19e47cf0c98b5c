package bench

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// answerOf returns what a server answers, without a network between.
func answerOf(tb testing.TB, s *Server, path string) *httptest.ResponseRecorder {
	tb.Helper()
	w := httptest.NewRecorder()
	s.serve(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// BenchmarkAnswers times the answers for which somebody waits who paints: those of solve must take some milliseconds, and those of gap
// less than 50.
func BenchmarkAnswers(b *testing.B) {
	for _, path := range []string{
		"/api/solve?toy=barrier&T=1000", "/api/solve?toy=random:2:0:25x25&T=1000", "/api/target?toy=random:2:0:25x25", "/api/gap?toy=barrier&T=1000",
		"/api/frames?toy=barrier&T=1000", "/api/follow?toy=barrier&T=1000&stage=500&state=3", "/api/curve?toy=barrier&T=1000", "/api/spectrum?toy=barrier",
	} {
		b.Run(path, func(b *testing.B) {
			s := New(Options{})
			for b.Loop() {
				if w := answerOf(b, s, path); w.Code != http.StatusOK {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
	}
}
