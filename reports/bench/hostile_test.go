package bench_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
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
		{"T=-5", "T", "whole number"},
		{"T=2.5", "T", "whole number"},
		{"T=2&T=3", "T", "given 2 times"},
		{"t=2", "t", "unknown parameter"},
		{"T=%zz", "", "cannot be read"},
		{"toy=schools:3000x3000", "toy", "9e+06 states"},
		{"toy=random:2:0:1000x1000", "toy", "1e+06 states"},
		{"toy=graph:complete:1000000:random:1:1", "toy", "1e+06 states"},
		{"toy=ising:9x9:1", "toy", "states"},
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
	} {
		refused(t, at+"solve?"+c.query, http.StatusBadRequest, c.parameter, c.message)
	}
	refused(t, at+"solve?kernel="+strings.Repeat("lazy:0.5:", 5000)+"metropolis", http.StatusBadRequest, "kernel", "...0.5:metropolis\" is nested more than 16 deep")
	refused(t, at+"gap?T=100000", http.StatusBadRequest, "T", "a row for each stage")
	refused(t, at+"curve?Ts=1,2", http.StatusBadRequest, "Ts", "whole number")
	refused(t, at+"curve?Ts="+strings.Repeat("5,", 100)+"5", http.StatusBadRequest, "Ts", "101 numbers")
	refused(t, at+"curve?schedule=cess:0.9", http.StatusBadRequest, "schedule", "no curve")
	refused(t, at+"curve.png?width=100in&T=10", http.StatusBadRequest, "width", "up to 20 in wide")
	if !longtest.Short() { // it is looked at how many would be needed
		refused(t, at+"solve?schedule=cess:0.99999999999999&toy=cells:0:9", http.StatusBadRequest, "schedule", "distributions would be needed")
	}
	refused(t, at+"law?frequencies=4000000&T=10", http.StatusBadRequest, "frequencies", "take fewer frequencies")
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
