package casetest

import (
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"breadboard/grid/longtest"
)

// pythons is where a Python is that can import some modules, by their names; empty where there is none. To ask takes a while.
var pythons sync.Map

// Python returns a Python that can import what a program imports, and skips the test where there is none, and in the fast lane.
func Python(t *testing.T, modules ...string) string {
	t.Helper()
	longtest.NotShort(t)
	names := strings.Join(modules, " ")
	known, is := pythons.Load(names)
	if !is {
		known = searchPython(modules)
		pythons.Store(names, known)
	}
	if known == "" {
		t.Skipf("no python3 with %v", modules)
	}
	return known.(string)
}

// searchPython returns a Python that can import some modules; empty where there is none.
func searchPython(modules []string) string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		// What stands in the path may be a script that takes longer to find Python than Python takes to start.
		const where = "; assert sys.version_info >= (3, 8); print(sys.executable)"
		if out, err := exec.Command(name, "-c", "import sys, "+strings.Join(append(modules, "json"), ", ")+where).Output(); err == nil {
			return strings.TrimSpace(string(out))
		}
	}
	return ""
}

// Absolute returns the absolute path of a file, given from the folder of the tests.
func Absolute(t *testing.T, path string) string {
	t.Helper()
	out := longtest.Must(filepath.Abs(path))(t)
	return out
}
