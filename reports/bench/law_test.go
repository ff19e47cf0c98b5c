package bench

import (
	"encoding/json"
	"net/http/httptest"
	"testing"
)

// TestLawTakesSeconds: the longer a stage takes and the more there are, the fewer frequencies a law is computed at, down to some that are computed
// whatever they take. Where there are many, their number is left to the study.
func TestLawTakesSeconds(t *testing.T) {
	s := New(Options{})
	for text, want := range map[string]int{
		"toy=barrier:3x3&T=5": 0, "toy=barrier&T=200": 1 << 13, "toy=barrier&T=1000": 1 << 11, "toy=barrier&T=1e5": fewestFrequencies,
		"toy=random:1:0:25x25&T=100": 1 << 11, "toy=barrier&T=200&kernel=heatbath": 1 << 12,
	} {
		q, err := s.ask(httptest.NewRequest("GET", "/api/law?"+text, nil))
		if err == nil {
			err = q.build(t.Context(), nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := frequenciesOf(q); got != want {
			t.Errorf("%s: %d frequencies, want %d", text, got, want)
		}
	}
}

// TestLawSaysItsFrequencies: the command of an answer has the frequencies with which its bounds are proven, and none where the study chooses.
func TestLawSaysItsFrequencies(t *testing.T) {
	s := New(Options{Words: func(option string) string { return "--" + option }})
	for text, want := range map[string]string{
		"toy=barrier:3x3&T=5&schedule=power:2":                  "breadboard weights --toy barrier:3x3 --schedule power:2 --T 5",
		"toy=barrier:3x3&T=5&schedule=power:2&frequencies=2048": "breadboard weights --frequencies 2048 --toy barrier:3x3 --schedule power:2 --T 5",
	} {
		var answer struct{ Command string }
		w := answerOf(t, s, "/api/law?"+text)
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Command != want {
			t.Errorf("%v, %s, want %s", err, answer.Command, want)
		}
	}
}
