package conform

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"breadboard/chains"
	"breadboard/experiments/checks/conform/hypotheses"

	"breadboard/experiments/draws/files"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/programs"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// folder writes the folder of a task.
func folder(t *testing.T, made *Task) string {
	t.Helper()
	files := longtest.Sure(made.Files(context.Background()))
	dir := t.TempDir()
	for _, f := range files {
		content := longtest.Sure(f.Content())
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), content, 0o644))
	}
	return dir
}

// bug is a bug of bugs.py and the hypotheses that it is, forward and in reverse. An empty name is
// none, because the bug leaves chains of that direction as they are. Where chains are at stake that
// depend on each other the name is that of both directions.
type bug struct {
	name             string
	forward, reverse string
	unnamed          bool // whether it is a fault that no hypothesis covers
}

// both returns a bug that is the same hypothesis in both directions.
func both(name, hypothesis string) bug {
	return bug{name: name, forward: hypothesis, reverse: hypothesis}
}

// bugs are all of bugs.py but "none".
func bugs() []bug {
	return []bug{
		{
			name:    "weight_after_move",
			forward: "weight taken after the move",
			reverse: "weight taken before the move",
		},
		both("beta_early", "kernel one beta early"),
		both("beta_late", "kernel one beta late"),
		both("increment_early", "increment one stage early"),
		both("increment_late", "increment one stage late"),
		both("first_kernel_left_out", "first kernel left out"),
		both("last_kernel_left_out", "last kernel left out"),
		both("first_increment_left_out", "first increment left out"),
		both("last_increment_left_out", "last increment left out"),
		both("T_minus_one", "linear betas, and one distribution too few"),
		both("T_plus_one", "linear betas, and one distribution too many"),
		both("log_f_scaled:0.5", "log f halved"),
		both("log_f_scaled:2", "log f doubled"),
		both("log_f_truncated:0.1", "log f truncated to 0.1"),
		both("log_f_truncated:0.01", "log f truncated to 0.01"),
		both("log_f_half", "log f in half precision"),
		both("log_f_bfloat16", "log f in bfloat16"),
		both("float32", "single precision"),
		both("wrap_around", "proposals off the edge come in on the other side"),
		both("redrawn", "proposals off the edge are drawn again"),
		both("acceptance_rounded:0.01", "acceptance probabilities rounded to 0.01"),
		both("rejected_not_counted", "rejected proposals are not counted"),
		both("barker", "Barker's kernel instead of the task's"),
		both("always_accepted", "every proposal is accepted"),
		both("never_moves", "chains never move"),
		{name: "reverse_from_start", reverse: "reverse chains start from p_1, not from the target"},
		{name: "reverse_from_output", reverse: "reverse chains start where forward chains end"},
		both("one_stream", hypotheses.OneStream),
		{name: "start_excludes_last", forward: "no chain starts at the last state"},
		both("transposed", "states numbered column by column"),
		both("ends_exchanged", "x_1 and x_T exchanged"),
		both("directions_exchanged", "forward and reverse exchanged"),
		both("sign", "log w with the other sign"),
		both("base10", "log w in base 10"),
		both("not_a_log", "the weight and not its logarithm"),
		both("log_z1_included", "log Z_1 added to log w"),
		{name: "sticky", unnamed: true},
		{name: "weight_noise", unnamed: true},
	}
}

// TestBugsInPython: every bug that is planted in the NumPy program is a fault, and what it is is
// named first, from log weights and both ends alone, with as many chains as Powerful says for it,
// and 10,000 if that is more. Bugs that no hypothesis covers are faults, and none is named.
func TestBugsInPython(t *testing.T) {
	python := casetest.Python(t, "numpy")
	l := usualLaws(t)
	seeds := longtest.Times(1, 1)
	dir := folder(t, l.task)
	out := t.TempDir()
	candidate := longtest.Must(Powerful(t.Context(), []subject.Case{l.task.Case}, DefaultAlpha, 0, nil))(t)[0]
	list := longtest.Must(exec.Command(python, "-B", casetest.Absolute(t, "testdata/bugs.py"), "--list").Output())(t)
	for _, name := range strings.Fields(string(list)) {
		name, _, _ := strings.Cut(name, ":")
		if name != "none" &&
			!slices.ContainsFunc(bugs(), func(b bug) bool { return strings.HasPrefix(b.name, name) }) {
			t.Errorf("%s is not tried", name)
		}
	}
	tried := bugs()
	if !longtest.More() {
		// every third one, with one stream for both directions and a bug that no hypothesis covers
		tried = slices.DeleteFunc(tried, func(b bug) bool {
			return slices.IndexFunc(bugs(), func(o bug) bool { return o.name == b.name })%3 != 1
		})
	}
	// All bugs in one process, because Python with NumPy takes longer to start than to run one.
	const all = `import os, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))
import numpy as np
import bugs
np.seterr(all="ignore")
task, out, seeds = sys.argv[2], sys.argv[3], int(sys.argv[4])
for text in sys.argv[5:]:
    name, chains = text.rsplit("@", 1)
    bug, number = bugs.parse_bug(name)
    sampler = bugs.Sampler(bugs.Task(task, bug, number), bug)
    for seed in range(1, seeds + 1):
        for rows, side in zip(bugs.run(sampler, int(chains), seed), ("fwd", "rev")):
            np.save(os.path.join(out, f"{side}_{name}_{seed}.npy"), rows)
`
	args := []string{"-B", "-c", all, casetest.Absolute(t, "testdata/bugs.py"), dir, out, fmt.Sprint(seeds)}
	for _, b := range tried {
		args = append(args, fmt.Sprintf("%s@%d", b.name, b.chains(&candidate)))
	}
	start := time.Now()
	c := exec.Command(python, args...)
	c.Dir = out
	if says, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, says)
	}
	t.Logf("Python took %v", time.Since(start))
	right := 0
	for _, b := range tried {
		caught := 0
		for seed := 1; seed <= seeds; seed++ {
			var sides [2]*files.Reader
			for d, side := range []string{"fwd", "rev"} {
				path := filepath.Join(out, fmt.Sprintf("%s_%s_%d.npy", side, b.name, seed))
				sides[d] = longtest.Sure(files.Open(t.Context(), path, files.Options{Space: l.task.Space()}))
				defer sides[d].Close()
			}
			if wrong := b.wrong(checked(t, l, Input{Forward: sides[0], Reverse: sides[1]}, Options{})); wrong != "" {
				t.Errorf("%s, seed %d: %s", b.name, seed, wrong)
			} else {
				caught++
			}
		}
		right += caught
		t.Logf("%-28s %d of %d", b.name, caught, seeds)
	}
	t.Logf("%d of %d runs are faults and named first, in %v", right, seeds*len(tried), time.Since(start))
}

// chains returns how many chains of each direction are enough to find and name the bug, and 10,000
// if these are more.
func (b bug) chains(c *Candidate) int {
	needed := 10_000.0
	for _, h := range c.Needs {
		if h.Hypothesis == b.forward || h.Hypothesis == b.reverse {
			needed = max(needed, math.Ceil(h.Both()))
		}
	}
	return int(needed)
}

// wrong says what is not as it should be in what was found of a bug; empty if all is.
func (b bug) wrong(o *Outcome) string {
	if !o.Fault() {
		return "it passes"
	}
	for _, s := range o.Sides {
		want := b.forward
		if s.Direction == chains.Reverse {
			want = b.reverse
		}
		switch {
		case b.unnamed && s.Fault && len(s.Named) > 0:
			return fmt.Sprintf("%v chains: %q is named, and none fits", s.Direction, s.Named)
		case b.unnamed:
		case want == "" && s.Fault:
			return fmt.Sprintf("%v chains: a fault if there is none", s.Direction)
		case want == "":
		case !s.Fault:
			return fmt.Sprintf("%v chains pass", s.Direction)
		case !slices.Contains(s.Named, want):
			return fmt.Sprintf("%v chains: named %q, want %q; the odds are %s", s.Direction, s.Named, want,
				likeliest(s.Odds))
		}
	}
	return ""
}

// likeliest lists the first of the odds.
func likeliest(odds []hypotheses.Odds) string {
	var out []string
	for _, o := range odds[:min(3, len(odds))] {
		out = append(out, fmt.Sprintf("%s: %.3g (log e-value against it %.3g)", o.Name, o.Posterior, o.LogE))
	}
	return strings.Join(out, "; ")
}

// sampler starts a program that runs chains of a task.
func sampler(t *testing.T, l *Laws, words ...string) *programs.Sampler {
	t.Helper()
	programs := programs.NewPrograms(context.Background(), programs.BatchDeadline)
	t.Cleanup(programs.Close)
	return longtest.Must(programs.StartSampler(words, l.task.Space()))(t)
}

// TestProgram: a program that answers requests passes and is asked for no more than is wanted; one
// with a bug stops once that is named.
func TestProgram(t *testing.T) {
	python := casetest.Python(t)
	l := usualLaws(t)
	dir := folder(t, l.task)
	program := casetest.Absolute(t, "examples/ais.py")
	right := sampler(t, l, python, program, "--task", dir, "--serve")
	in := longtest.Must(Programs(context.Background(), right, 1))(t)
	out := checked(t, l, in, Options{Chains: 5000})
	passes(t, "examples/ais.py", out)
	for _, s := range out.Sides {
		if s.Chains != 5000 {
			t.Errorf("%v: %d chains", s.Direction, s.Chains)
		}
	}

	text := longtest.Sure(os.ReadFile(program))
	before := "log_w += self.increment(t, x)  # at the state before the move\n            x = " +
		"self.move(rng, t, x)  # at every stage, the last too"
	after := "x = self.move(rng, t, x)\n                log_w += self.increment(t, x)"
	wrong := strings.Replace(string(text), before, after, 1)
	if wrong == string(text) {
		t.Fatal("the example has changed")
	}
	file := longtest.File(t, "wrong.py", wrong)
	in = longtest.Must(Programs(context.Background(), sampler(t, l, python, file, "--task", dir, "--serve"), 1))(t)
	out = checked(t, l, in, Options{Chains: 1 << 20, UntilDecided: true})
	s := out.Sides[0]
	if !s.Fault || len(s.Named) != 1 || s.Named[0] != "weight taken after the move" || s.Chains > 2048 {
		t.Errorf("fault: %v after %d chains, named %q", s.Fault, s.Chains, s.Named)
	}
	// Rows are given out as they are asked for, whatever was asked of the program.
	in = longtest.Must(Programs(context.Background(), right, 1))(t)
	if out := checked(t, l, in, Options{Chains: 10}); out.Sides[0].Chains != 10 || out.Sides[1].Chains != 10 {
		t.Errorf("%d and %d chains, of 10", out.Sides[0].Chains, out.Sides[1].Chains)
	}
}
