package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// pythons returns the different Pythons among those where tests look for one, of version 3.9 or later. One of them may have
// NumPy, and another one not.
func pythons() (list []string) {
	seen := map[string]bool{}
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		const where = "import sys; assert sys.version_info >= (3, 9); print(sys.executable)"
		out, err := exec.Command(name, "-c", where).Output()
		if path := strings.TrimSpace(string(out)); err == nil && !seen[path] {
			seen[path] = true
			list = append(list, path)
		}
	}
	return list
}

// TestPython runs the tests of the module in python/breadboard on this program, with a Python that has NumPy where there is one, and with -long with
// every Python that is here.
func TestPython(t *testing.T) {
	longtest.NotShort(t)
	t.Parallel()
	self := longtest.Must(os.Executable())(t)
	list := pythons()
	if len(list) == 0 {
		t.Skip("no python3 here")
	}
	if python := pythonFor(t, "import numpy"); python != "" && !longtest.Enabled() {
		list = []string{python}
	}
	for i, python := range list {
		c := exec.Command(python, "-B", "-W", "error", "-m", "unittest")
		if i > 0 { // what serves programs does not know NumPy
			c.Args = append(c.Args, "test_breadboard.Commands")
		}
		c.Dir = "../../python"
		c.Env = append(os.Environ(), asCommand+"=1", "BREADBOARD="+self)
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", python, err, out)
		}
	}
}
