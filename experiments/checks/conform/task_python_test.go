package conform_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/experiments/checks/conform"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/internal/casetest"
	"breadboard/grid/longtest"
)

// run runs a program and returns its output. It fails if the exit code is another one.
func run(t *testing.T, code int, input, name string, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, messages bytes.Buffer
	c := exec.Command(name, args...)
	c.Stdin = strings.NewReader(input)
	c.Stdout = &out
	c.Stderr = &messages
	err := c.Run()
	if is := c.ProcessState.ExitCode(); is != code {
		t.Fatalf("%s %s: exit code %d, want %d (%v)\n%s", name, strings.Join(args, " "), is, code, err,
			messages.String())
	}
	return out.String(), messages.String()
}

// holds fails if chains of one direction in a file do not have the distributions of a task.
func holds(t *testing.T, l *conform.Laws, made *conform.Task, direction, file string) {
	t.Helper()
	r := longtest.Sure(files.Open(t.Context(), file, files.Options{Space: made.Space()}))
	defer r.Close()
	in := conform.Input{Forward: r}
	if direction == "reverse" {
		in = conform.Input{Reverse: r}
	}
	for _, result := range longtest.Must(
		l.Check(t.Context(), in, conform.Options{Alpha: conform.DefaultAlpha}),
	)(t).Results {
		if result.Fault {
			t.Errorf("%s: %s, %s: %s", direction, result.Test, result.Where, result.Statistic)
		}
	}
}

// bugTask writes the task that the programs are tried on.
func bugTask(t *testing.T) (dir string, made *conform.Task) {
	t.Helper()
	dir = t.TempDir()
	s := selection("random:2:3:3x4", 5)
	s.Schedule = "power:2" // with a linear one all increments of a state are alike
	made = mustNew(t, s)
	write(t, made, dir)
	return dir, made
}

// TestExamples: the examples draw from the distributions of the task, also if f is zero somewhere,
// where weights are zero or infinite and never NaN.
func TestExamples(t *testing.T) {
	bugs, made := bugTask(t)
	zeros := selection("file:testdata/zeros.csv", 4)
	zeros.Initial = "file:" + filepath.Join(t.TempDir(), "start.csv")
	writeFile(t, strings.TrimPrefix(zeros.Initial, "file:"), "0,0,-inf\n0,0,0\n")
	none := mustNew(t, zeros)
	folder := t.TempDir()
	write(t, none, folder)
	for dir, made := range map[string]*conform.Task{bugs: made, folder: none} {
		l := conform.NewLaws(made)
		t.Run("plain", func(t *testing.T) {
			python := casetest.Python(t)
			program := casetest.Absolute(t, "examples/ais.py")
			for _, direction := range []string{"forward", "reverse"} {
				file := filepath.Join(t.TempDir(), "out.csv")
				arguments := []string{program, "--task", dir, "--direction", direction, "--chains",
					fmt.Sprint(longtest.Times(1000, 10_000)), "--seed", "3"}
				out, _ := run(t, 0, "", python, arguments...)
				run(t, 0, "", python, append(arguments, "--out", file)...)
				if again, err := os.ReadFile(file); err != nil || string(again) != out {
					t.Errorf("%s: a second run of the same seed writes something else (%v)", direction, err)
				}
				holds(t, l, made, direction, file)
			}
		})
		t.Run("NumPy", func(t *testing.T) {
			python := casetest.Python(t, "numpy")
			program := casetest.Absolute(t, "examples/ais_numpy.py")
			t.Chdir(t.TempDir())
			run(t, 0, "", python, program, dir, "--chains", fmt.Sprint(longtest.Times(10_000, 50_000)),
				"--seed", "3")
			holds(t, l, made, "forward", "fwd.npy")
			holds(t, l, made, "reverse", "rev.npy")
		})
	}
}

// TestServe: the example answers requests with their numbers, the same seed, of 53 bits, gives the
// same chains, and it ends with its input.
func TestServe(t *testing.T) {
	dir, _ := bugTask(t)
	requests := ""
	for i, seed := range []int64{1<<53 - 1, 1<<53 - 1, 1<<53 - 2} {
		requests += fmt.Sprintf(`{"direction": "forward", "chains": 50, "seed": %d, "id": %d}`+"\n", seed, i+1)
	}
	out, _ := run(t, 0, requests, casetest.Python(t), casetest.Absolute(t, "examples/ais.py"), "--task", dir, "--serve")
	var answers []string
	for i, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
		answer, numbered := strings.CutSuffix(line, fmt.Sprintf(`"id": %d}`, i+1))
		answers = append(answers, answer)
		if !numbered {
			t.Errorf("answer %d is %q", i+1, line)
		}
	}
	if len(answers) != 3 || answers[0] != answers[1] || answers[0] == answers[2] {
		t.Errorf("the seed does not make the chains of %d answers", len(answers))
	}
}

// TestOtherKernels: the examples refuse a task that they are not for.
func TestOtherKernels(t *testing.T) {
	dir := t.TempDir()
	s := selection("easy", 3)
	s.Kernel = "barker"
	write(t, mustNew(t, s), dir)
	_, says := run(t, 1, "", casetest.Python(t), casetest.Absolute(t, "examples/ais.py"), "--task", dir)
	if says != "this program moves by metropolis, and the task asks for barker\n" {
		t.Errorf("it says %q", says)
	}
}

// TestSkeletons: with their blanks they say what to fill in, and filled in they draw from the
// distributions of the task.
func TestSkeletons(t *testing.T) {
	dir, made := bugTask(t)
	l := conform.NewLaws(made)
	const request = `{"direction": "forward", "chains": 3, "seed": 5, "id": 1}` + "\n"
	for _, c := range []struct {
		file, ending string
		modules      []string
		fill         [4]string // what stands instead of the two blanks
	}{
		{"skeleton.py", ".csv", nil, [4]string{`raise NotImplementedError("fill in one move of the kernel`,
			"y = rng.choice(self.neighbours[x])\n        return y if y >= 0 and rng.random() < " +
				"math.exp(min(0, self.logf[t][y] - self.logf[t][x])) else x\n        raise " +
				"NotImplementedError(\"fill in one move of the kernel",
			`raise NotImplementedError("fill in the increment`,
			"return self.logf[t][x] - self.logf[t - 1][x]\n        raise NotImplementedError(\"fill in the increment"}},
		{"skeleton_numpy.py", ".npy", []string{"numpy"},
			[4]string{`raise NotImplementedError("fill in one move of the kernel`,
				"y = self.neighbours[x, rng.integers(4, size=x.size)]\n        g = self.logf[t - 1]\n" +
					"        return np.where((y >= 0) & (rng.random(x.size) < np.exp(g[y] - g[x])), y, " +
					"x)\n        raise NotImplementedError(\"fill in one move of the kernel",
				`raise NotImplementedError("fill in the increment`,
				"return (self.logf[t - 1] - self.logf[t - 2])[x]\n        raise " +
					"NotImplementedError(\"fill in the increment"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			python := casetest.Python(t, c.modules...)
			program := filepath.Join(dir, c.file)
			blank := c.file +
				" is not complete: fill in the increment (the function increment); README.md says what it is\n"
			if out, says := run(t, 1, "", python, program, "--out",
				filepath.Join(t.TempDir(), "x")); out != "" || says != blank {
				t.Errorf("it says %q and %q", out, says)
			}
			if out, says := run(t, 1, request, python, program, "--serve"); !strings.HasPrefix(
				out,
				`{"sampler": "`,
			) || strings.Count(out, "\n") != 1 || says != blank {
				t.Errorf("served: it says %q and %q", out, says)
			}
			text := longtest.Sure(os.ReadFile(program))
			filled := replaced(t, replaced(t, text, c.fill[0], c.fill[1]), c.fill[2], c.fill[3])
			program = filepath.Join(dir, "filled.py")
			writeFile(t, program, string(filled))
			for _, direction := range []string{"forward", "reverse"} {
				file := filepath.Join(t.TempDir(), "out"+c.ending)
				run(t, 0, "", python, program, "--direction", direction, "--chains",
					fmt.Sprint(longtest.Times(2000, 10_000)), "--seed", "4", "--out", file)
				holds(t, l, made, direction, file)
			}
			if out, _ := run(t, 0, request, python, program, "--serve"); strings.Count(out, "\n") != 2 ||
				!strings.Contains(out, `"id": 1}`) {
				t.Errorf("served: it says %q", out)
			}
			longtest.NoError(t, os.Remove(filepath.Join(dir, "logf_stages.npy")))
			defer writeFile(t, filepath.Join(dir, "logf_stages.npy"), string(contents(t, made)["logf_stages.npy"]))
			if _, says := run(t, 1, "", python, filepath.Join(dir, c.file)); !strings.Contains(says,
				"logf_stages.npy is not there; give the folder of the task with --task, and see README.md "+
					"for which files it has") {
				t.Errorf("without a file it says %q", says)
			}
		})
	}
}
