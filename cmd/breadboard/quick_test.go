package main

import (
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestQuick: --quick is the same as its settings, and what is said beside it holds.
func TestQuick(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	for _, c := range [][2]string{
		{"weights --toy barrier:3x3 --quick", "weights --toy barrier:3x3 --frequencies 4096"},
		{"weights --toy barrier:3x3 --frequencies 256 --quick", "weights --toy barrier:3x3 --frequencies 256"},
		{"tightness --quick", "tightness -T 10,100"},
		{"tightness --quick --toy easy -T 5", "tightness --toy easy -T 5"},
	} {
		got, _ := ok(t, strings.Fields(c[0])...)
		want, _ := ok(t, strings.Fields(c[1])...)
		if got != want {
			t.Errorf("%s prints\n%s\nand %s\n%s", c[0], got, c[1], want)
		}
	}
}

// TestQuickSettings: every setting is one that its command takes, and differs from the default.
func TestQuickSettings(t *testing.T) {
	longtest.NotShort(t)
	t.Parallel()
	for path, settings := range quickSettings() {
		c, _, err := (&app{}).rootCommand().Find(strings.Fields(path))
		if err != nil {
			t.Fatal(err)
		}
		for _, setting := range settings {
			name, value, _ := strings.Cut(setting, "=")
			f := c.Flags().Lookup(name)
			if f == nil {
				t.Fatalf("%s has no flag --%s", path, name)
			}
			before := f.Value.String()
			if err := f.Value.Set(value); err != nil || f.Value.String() == before {
				t.Errorf("%s --%s: %v; the default is %s", path, setting, err, before)
			}
		}
	}
}
