package bench

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// FuzzQuery: whatever stands in a query is answered, in JSON, and nothing of it is a mistake of the program itself. Nobody reads a file for it.
func FuzzQuery(f *testing.F) {
	for _, query := range []string{
		"T=10&toy=easy", "toy=cells:0:1/2:-inf&schedule=curve:0:0.5:1", "toy=mixture:1*easy%2B1*hard&kernel=lazy:0.5&path=q:0.5", "toy=graph:path:5:random:1:1&initial=tempered:0.1",
		"schedule=cess:0.9", "toy=file:canary.csv", "toy=x=model:canary", "kernel=matrix:canary{t}", "path=via:0.5:canary", "toy=ising:2x2:1&T=5&columns=t,beta", "toy=smooth:1:1:3:3x3",
	} {
		f.Add(query)
	}
	for c := range 256 {
		f.Add(fmt.Sprintf("T=2&toy=%%%02x&kernel=%%%02x", c, c)) // every character, alone
	}
	limits := DefaultLimits()
	limits.T, limits.States, limits.Time = 50, 300, longtest.Patience
	s := New(Options{Limits: limits})
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest(http.MethodGet, "/api/schedule", nil)
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		s.serve(w, r)
		if w.Code >= http.StatusInternalServerError || !json.Valid(w.Body.Bytes()) || strings.Contains(w.Body.String(), "no such file") {
			t.Errorf("%q: %d %s", query, w.Code, w.Body)
		}
	})
}
