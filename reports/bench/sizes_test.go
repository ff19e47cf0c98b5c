package bench

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/table"
)

// small is the annealing of which these tests ask.
const small = "toy=barrier:3x3&T=5"

// TestRowsAreKnown: as many rows are announced before the computation as there are behind it.
func TestRowsAreKnown(t *testing.T) {
	s := New(Options{})
	for query, want := range map[string]int{
		"solve?": 1, "curve?": 6, "curve?Ts=7,3,7": 2, "gap?": 5, "law?": 1, "samples?": 4, "samples?samples=2": 1, "spectrum?": standardBetas, "spectrum?betas=3": 3,
		"schedule?": 5, "schedule?path=q:0.5": 5,
	} {
		path, _, _ := strings.Cut("/api/"+query, "?")
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/"+query+"&"+small, nil)
		_, _, err := s.compute(r, s.routes[path].study, func(_ context.Context, a *task) error {
			if got := len(a.table(table.JSON).Rows); got != want || a.rows != want {
				t.Errorf("%s: %d rows, and %d were announced; want %d", query, got, a.rows, want)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestLongAnswersAreNotComputed: rows that would repeat the question too often are refused before they are computed, in whatever file they
// are to stand, and no others are.
func TestLongAnswersAreNotComputed(t *testing.T) {
	limits := DefaultLimits()
	limits.Repeated = int64(len("barrier:3x3")) - 1
	s := New(Options{Limits: limits})
	for _, study := range studies() {
		computed := false
		instead(s, "/api/"+study.name, func(own computation) computation {
			return func(ctx context.Context) (*reports.Report, error) {
				computed = true
				return own(ctx)
			}
		})
		for _, ending := range []string{"", ".csv", ".json", ".svg"} {
			for _, columns := range []string{"", "&columns=toy"} {
				computed = false
				w := answerOf(t, s, "/api/"+study.name+ending+"?"+small+columns)
				refused := w.Code == http.StatusBadRequest && strings.Contains(w.Body.String(), "too long an answer; name the columns to have, and not toy")
				if want := columns != "" || study.columns == nil; refused != want || computed == want {
					t.Errorf("%s%s%s: %d, computed %v: %s", study.name, ending, columns, w.Code, computed, w.Body)
				}
			}
		}
	}
}

// TestLargeQuestionsAreNotComputed: what a limit forbids is refused before anything is computed, which would take many minutes here: nothing
// else than these limits is in the way.
func TestLargeQuestionsAreNotComputed(t *testing.T) {
	longtest.NotShort(t)
	limits := DefaultLimits()
	limits.Bytes, limits.Time, limits.Stream = 1e15, 1e6*time.Hour, 1e6*time.Hour
	s := New(Options{Limits: limits, Workers: 1})
	const large = "toy=random:2:0:100x100&T=1000000"
	for query, parameter := range map[string]string{
		"gap?" + large: "T", "curve?" + large + "&Ts=" + strings.Repeat("1000000,", 30) + "1000000": "Ts", "samples?" + large + "&samples=0": "samples",
		"spectrum?betas=1002&" + large: "betas", "law?frequencies=-1&" + large: "frequencies",
		"frames?count=7&" + large: "count", "follow?stage=1&state=0&count=21&" + large: "count",
		"chains?chains=1000000&show=1000000&count=2&" + large: "toy", "chains?chains=1000000&show=10000&count=21&" + large: "count",
		"optimize?" + large: "T",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), longtest.Patience)
		w := httptest.NewRecorder()
		s.serve(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/"+query, nil))
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), `"parameter":"`+parameter+`"`) {
			t.Errorf("%s: %d %.300s, want a refusal of %s", query, w.Code, w.Body, parameter)
		}
		cancel()
	}
}
