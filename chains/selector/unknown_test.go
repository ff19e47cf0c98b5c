package selector_test

import (
	"fmt"
	"strings"
	"testing"

	"breadboard/chains/selector"
)

// TestManyChoices: an error lists fifty choices at most, and suggests the nearest of all.
func TestManyChoices(t *testing.T) {
	var choices []string
	for i := range 50 {
		choices = append(choices, fmt.Sprint("random:", i))
	}
	if text := selector.UnknownError("toy", "rando", choices).Error(); !strings.HasSuffix(text, ", random:48, random:49") {
		t.Error(text)
	}
	text := selector.UnknownError("toy", "esy", append(choices, "easy")).Error()
	if !strings.HasPrefix(text, `unknown toy "esy"; did you mean easy? choices: random:0, random:1, `) || !strings.HasSuffix(text, ", random:49,... (51 in all)") {
		t.Error(text)
	}
}
