//go:build !noasm

package lanes_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"breadboard/exact/internal/lanes"
	"breadboard/grid/longtest"
)

// assembly returns the texts of the functions in assembly by their names.
func assembly(t *testing.T) map[string]string {
	t.Helper()
	text := longtest.Must(os.ReadFile("loops_amd64.s"))(t)
	functions := map[string]string{}
	for _, part := range strings.Split(string(text), "\n// func ")[1:] {
		name, _, _ := strings.Cut(part, "(")
		functions[name] = part
	}
	return functions
}

// TestNeeds: a unit asks for the sets of instructions that its loops use, and for no others.
func TestNeeds(t *testing.T) {
	functions := assembly(t)
	for _, w := range lanes.Wide() {
		var used []string
		for name, text := range functions {
			if !strings.HasSuffix(name, strings.ReplaceAll(w.Name, "-", "")) {
				continue
			}
			delete(functions, name)
			sets := regexp.MustCompile(`(?m)^// Requires: (.*)$`).FindStringSubmatch(text)
			if sets == nil {
				t.Fatalf("%s does not say what it requires", name)
			}
			used = append(used, strings.Split(sets[1], ", ")...)
		}
		slices.Sort(used)
		used = slices.Compact(used)
		if !slices.Equal(used, w.Needs) {
			t.Errorf("%s uses %q and asks for %q", w.Name, used, w.Needs)
		}
	}
	for name := range functions {
		t.Errorf("no unit has %s", name)
	}
}

// TestAssembly: what the writer of the assembly does not look after. Registers from 16 on need more
// than the instructions say that are named for vectors of AVX2, a product and a sum with one
// rounding give other bytes, and vectors that are left as they are slow down all code behind a
// loop.
func TestAssembly(t *testing.T) {
	for name, text := range assembly(t) {
		for what, found := range map[string]string{
			"a register of AVX-512VL":         `\b[XY](1[6-9]|2[0-9]|3[01])\b`,
			"one rounding for two operations": `\bVFN?M`,
			"a call":                          `\bCALL\b`,
		} {
			if at := regexp.MustCompile(found).FindString(text); at != "" {
				t.Errorf("%s has %s: %q", name, what, at)
			}
		}
		if strings.HasSuffix(name, "AVX2") && regexp.MustCompile(`\bZ[0-9]`).MatchString(text) {
			t.Errorf("%s has registers of AVX-512", name)
		}
		if clean := strings.Count(text, "\tVZEROUPPER\n\tRET\n"); clean == 0 ||
			clean < strings.Count(text, "RET") {
			t.Errorf("%s returns without VZEROUPPER", name)
		}
	}
}
