package sandwich

import (
	"fmt"
	"os"
	"testing"
)

// TestPace prints how long trials take beside what is estimated, for whoever changes the constants; it judges nothing, since a test that
// is timed depends on what else the machine does.
func TestPace(t *testing.T) {
	if os.Getenv("BREADBOARD_PACE") == "" {
		t.Skip("set BREADBOARD_PACE to see how long trials take")
	}
	for _, name := range ModelNames() {
		m := mustModel(t, name)
		set := Set{m, DefaultRows, DefaultColumns, 1, 1}
		data := mustDraw(t, set)
		for _, c := range Choices() {
			knob := 30
			if c.Name == "ns" || c.Name == "bic" {
				knob = 2
			}
			e := mustEstimate(t, set, data, c, knob, 1)
			fmt.Printf("%-10s %-10s %s = %d: %8.4f s, estimated %8.4f s, ratio %.2f\n", name, c.Name, c.Knob, knob, e.Seconds, set.Seconds(c, knob), e.Seconds/set.Seconds(c, knob))
		}
	}
}
