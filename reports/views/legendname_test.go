package views

import (
	"testing"

	"breadboard/reports/views/annealing"
	"breadboard/reports/views/targets"
)

// TestLegendNames: a painted target has a short name in a legend, with a number where it is not the only one of its size.
func TestLegendNames(t *testing.T) {
	const first, second, small = "cells:0:0:0:0:0:0:0:0:0/1:1:1:1:1:1:1:1:1", "cells:1:0:0:0:0:0:0:0:0/1:1:1:1:1:1:1:1:1", "cells:0:1/2:3"
	for _, c := range []struct {
		name string
		all  []string
		want string
	}{
		{first, []string{"barrier", first}, "painted 2x9"}, {first, []string{first, second}, "painted 2x9 (1)"}, {second, []string{first, "easy", second}, "painted 2x9 (2)"},
		{small, []string{small}, small}, {"barrier", []string{"barrier", first}, "barrier"},
	} {
		if got := annealing.LegendName(c.name, c.all); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if got := targets.RowName(first); got != "painted 2x9" {
		t.Errorf("beside a row of figure 4 it is %s", got)
	}
}
