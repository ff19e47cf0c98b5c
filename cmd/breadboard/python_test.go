package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/pflag"

	"breadboard/grid/longtest"
)

// pythons returns the different Pythons among those where tests look for one, of version 3.10 or
// later. One of them may have NumPy, and another one not. From then on python3 is the first itself
// and no program that looks for it.
var pythons = sync.OnceValue(func() (list []string) {
	seen := map[string]bool{}
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		const where = "import sys; assert sys.version_info >= (3, 10); print(sys.executable)"
		out, err := exec.Command(name, "-c", where).Output()
		if path := strings.TrimSpace(string(out)); err == nil && !seen[path] {
			seen[path] = true
			list = append(list, path)
		}
	}
	if len(list) > 0 {
		os.Setenv("PATH", filepath.Dir(list[0])+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	return list
})

// pythonWithNumPy returns the first of them that has NumPy, and "" if none has.
var pythonWithNumPy = sync.OnceValue(func() string {
	for _, python := range pythons() {
		if exec.Command(python, "-c", "import numpy").Run() == nil {
			return python
		}
	}
	return ""
})

// TestRepeatedInPython: the module knows all flags that take one value each time, whose lists it
// must not join by commas.
func TestRepeatedInPython(t *testing.T) {
	source := string(longtest.Must(os.ReadFile("../../python/breadboard/_program/arguments.py"))(t))
	_, source, _ = strings.Cut(source, "\nRECORDS = ")
	known, _, _ := strings.Cut(source, "\nOF_RECORDS")
	root := (&app{}).rootCommand()
	seen := 0
	for _, name := range leaves(root) {
		c, _, err := root.Find(strings.Fields(name))
		longtest.NoError(t, err)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() != "stringArray" {
				return
			}
			seen++
			if python := strings.ReplaceAll(f.Name, "-", "_"); !strings.Contains(known, strconv.Quote(python)) {
				t.Errorf("%s --%s: REPEATED has no %s", c.CommandPath(), f.Name, python)
			}
		})
	}
	if seen < 10 {
		t.Errorf("only %d flags", seen)
	}
}

// TestPython runs tests of the module in python/breadboard on this program, with a Python that has
// NumPy if there is one, and with -long all, with every Python that is here.
func TestPython(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	self := longtest.Must(os.Executable())(t)
	list := pythons()
	if len(list) == 0 {
		t.Skip("no python3 here")
	}
	if python := pythonFor("import numpy"); python != "" {
		list = slices.Insert(slices.DeleteFunc(
			slices.Clone(list),
			func(other string) bool { return other == python },
		), 0, python)
		if !longtest.More() {
			list = list[:1]
		}
	}
	for i, python := range list {
		c := exec.Command(python, "-B", "-W", "error", "-m", "unittest")
		switch {
		case i > 0: // what serves programs does not know NumPy
			c.Args = append(c.Args, "test_breadboard.Commands", "test_breadboard.Checking", "test_law",
				"test_races", "test_integrals", "test_posterior", "test_floats", "test_ahead",
				"test_models")
		case !longtest.More(): // one of each kind of function that is served and tested
			c.Args = append(c.Args, "test_breadboard.Commands", "test_breadboard.Checking.test_a_kernel_is_a_function",
				"test_breadboard.Serving.test_moves_are_tested",
				"test_breadboard.Serving.test_a_wrong_kernel_is_a_fault", "test_law", "test_races",
				"test_integrals", "test_posterior", "test_floats", "test_ahead", "test_models", "test_doors")
		}
		c.Dir = "../../python"
		c.Env = append(os.Environ(), asCommand+"=1", "BREADBOARD="+self)
		if longtest.More() {
			c.Env = append(c.Env, "BREADBOARD_LONG=1") // laws are held to more runs
		}
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", python, err, out)
		}
	}
}

// TestStub: the module for Python names the commands of this program. With -update its names and
// its types are written anew.
func TestStub(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	list := pythons()
	if len(list) == 0 {
		t.Skip("no python3 here")
	}
	c := exec.Command(list[0], "-B", "stub.py")
	if !*update {
		c.Args = append(c.Args, "--check")
	}
	c.Dir = "../../python"
	c.Env = append(os.Environ(), asCommand+"=1", "BREADBOARD="+longtest.Must(os.Executable())(t))
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// stepsOf returns the scripts of the steps of a workflow, by their names, in their order.
func stepsOf(t *testing.T, page string) (list [][2]string) {
	t.Helper()
	workflow := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(page)
	if workflow == nil {
		t.Fatal("the page has no workflow")
	}
	for _, step := range regexp.MustCompile(
		`(?m)^      - name: (.*)\n        run: \|\n((?:          .*\n)+)`,
	).FindAllStringSubmatch(workflow[1], -1) {
		list = append(list, [2]string{step[1], strings.ReplaceAll(step[2], "\n          ", "\n")})
	}
	return list
}

// myKernel returns the program my_kernel.py of the tutorial, to which other pages refer.
func myKernel() string {
	page := pageOf("check")
	return regexp.MustCompile("(?s)```python\n# my_kernel.py\n(.*?)```").FindStringSubmatch(page)[1]
}

// TestWorkflow: the steps of the workflow that the page shows are run as a runner runs them, one
// shell a step, with programs that are right and with wrong ones. With -long=2 the program is built
// as the workflow says.
func TestWorkflow(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	bash, err := exec.LookPath("bash")
	list := pythons()
	if err != nil || len(list) == 0 {
		t.Skip("there is no bash, or no Python")
	}
	page := pageOf("ci")
	kernel := myKernel()
	steps := stepsOf(t, page)
	if len(steps) != 4 {
		t.Fatalf("the workflow has the steps %q", steps)
	}
	for _, wrong := range []bool{false, true} {
		if wrong { // it accepts everything
			kernel = strings.Replace(kernel, "min(0.0, log_f[y] - log_f[x])", "0.0", 1)
		}
		dir := t.TempDir()
		runner := t.TempDir()
		bin := filepath.Join(runner, "bin")
		writeFile(t, filepath.Join(dir, "my_kernel.py"), kernel)
		writeFile(t, filepath.Join(dir, "my_ais.py"), myAIS(t, wrong))
		env := append(os.Environ(), "RUNNER_TEMP="+runner, "GITHUB_PATH="+filepath.Join(runner, "path"),
			"GITHUB_ENV="+filepath.Join(runner, "env"),
			"BREADBOARD_URL="+longtest.Must(filepath.Abs("../.."))(t),
			"PATH="+bin+string(os.PathListSeparator)+filepath.Dir(list[0])+
				string(os.PathListSeparator)+os.Getenv("PATH"))
		for _, step := range steps {
			c := exec.Command(bash, "-e", "-o", "pipefail", "-c", step[1])
			c.Dir, c.Env = dir, append(env, "PYTHONPATH="+longtest.Must(filepath.Abs("../../python"))(t))
			switch {
			case step[0] == "Build breadboard" && (wrong || longtest.Times(0, 1) < 2):
				longtest.NoError(t, os.Mkdir(bin, 0o777))
				if err := os.Symlink(longtest.Must(os.Executable())(t), filepath.Join(bin, "breadboard")); err != nil {
					t.Skip(err)
				}
				env = append(env, asCommand+"=1")
				continue
			case step[0] == "Is the annealing right?" && !longtest.More():
				continue // TestConformRun does the same
			}
			out, err := c.CombinedOutput()
			if fails := wrong && step[0] != "Build breadboard"; (err != nil) != fails {
				t.Fatalf("wrong programs %v, step %q: %v\n%s", wrong, step[0], err, out)
			}
		}
		code := exitDone
		if wrong {
			code = exitFault
		}
		checkJUnit(t, "kernel check", filepath.Join(dir, "reports", "kernel.xml"), code)
		if longtest.More() {
			checkJUnit(t, "conform run", filepath.Join(dir, "reports", "annealing.xml"), code)
		}
	}
}
