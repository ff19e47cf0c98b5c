package hypotheses

import (
	"regexp"
	"strings"
	"testing"

	"breadboard/chains"
)

// TestDescriptions: every hypothesis has a description of its own, which is one sentence, and a name of its own.
func TestDescriptions(t *testing.T) {
	sentence := regexp.MustCompile(`^[A-Z].*[^.]\.$`)
	names, docs := map[string]bool{}, map[string]bool{}
	all := All()
	for _, d := range all {
		if !sentence.MatchString(d.Doc) || strings.Contains(d.Doc, ". ") || strings.ContainsAny(d.Doc, "\n|") {
			t.Errorf("%s: %q is not one sentence on one line", d.Name, d.Doc)
		}
		if names[d.Name] || docs[d.Doc] {
			t.Errorf("%s: the name or the description stands twice", d.Name)
		}
		names[d.Name], docs[d.Doc] = true, true
		if got := Describe(d.Name); got != d.Doc {
			t.Errorf("%s is described as %q, want %q", d.Name, got, d.Doc)
		}
	}
	for _, h := range list() {
		if !names[h.name] {
			t.Errorf("%s has no description", h.name)
		}
	}
	if all[0].Name != Specification || all[len(all)-1].Name != Unknown || !names[Dependent] || !names[OneStream] {
		t.Errorf("the first is %q and the last %q", all[0].Name, all[len(all)-1].Name)
	}
	if got := Describe("late"); got != "" {
		t.Errorf("a name that no hypothesis has is described as %q", got)
	}
}

// TestDescriptionsSayTheDirection: what has a meaning in one direction only is described as being about that.
func TestDescriptionsSayTheDirection(t *testing.T) {
	words := map[chains.Direction]string{chains.Forward: "A forward chain ", chains.Reverse: "A reverse chain "}
	one := 0
	for _, h := range list() {
		var there []chains.Direction
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			if codeOf(t, taskOf(t, "random:1:1:2x3", "power:2", "suwa-todo", 4, d), h.name) != nil {
				there = append(there, d)
			}
		}
		if len(there) != 1 {
			if strings.HasPrefix(h.doc, words[chains.Forward]) || strings.HasPrefix(h.doc, words[chains.Reverse]) {
				t.Errorf("%s has a meaning in %d directions: %s", h.name, len(there), h.doc)
			}
			continue
		}
		one++
		if !strings.HasPrefix(h.doc, words[there[0]]) {
			t.Errorf("%s is about %v chains alone, which its description does not begin with: %s", h.name, there[0], h.doc)
		}
	}
	if one != 7 {
		t.Errorf("%d hypotheses are about one direction, want 7", one)
	}
}
