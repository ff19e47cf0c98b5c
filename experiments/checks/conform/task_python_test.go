package conform_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/internal/casetest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// run runs a program and returns its output. It fails where the exit code is another one.
func run(t *testing.T, code int, input, name string, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, messages bytes.Buffer
	c := exec.Command(name, args...)
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(input), &out, &messages
	err := c.Run()
	if is := c.ProcessState.ExitCode(); is != code {
		t.Fatalf("%s %s: exit code %d, want %d (%v)\n%s", name, strings.Join(args, " "), is, code, err, messages.String())
	}
	return out.String(), messages.String()
}

// drawn are the chains of one direction.
type drawn struct {
	logW        []float64
	first, last []int
}

// readNPY reads a structured array of log_w, x_first and x_last as NumPy writes it.
func readNPY(t *testing.T, path string) (d drawn) {
	t.Helper()
	data := longtest.Sure(os.ReadFile(path))
	const want = "{'descr': [('log_w', '<f8'), ('x_first', '<i4'), ('x_last', '<i4')], 'fortran_order': False"
	begin := 10 + int(binary.LittleEndian.Uint16(data[8:]))
	if !strings.HasPrefix(string(data[10:begin]), want) {
		t.Fatalf("%s has the header %q", path, data[:begin])
	}
	for row := data[begin:]; len(row) > 0; row = row[16:] {
		d.logW = append(d.logW, math.Float64frombits(binary.LittleEndian.Uint64(row)))
		d.first = append(d.first, int(int32(binary.LittleEndian.Uint32(row[8:]))))
		d.last = append(d.last, int(int32(binary.LittleEndian.Uint32(row[12:]))))
	}
	return d
}

// readCSV reads lines log_w,x_first,x_last below their names.
func readCSV(t *testing.T, text string) (d drawn) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if lines[0] != "log_w,x_first,x_last" {
		t.Fatalf("the first line is %q", lines[0])
	}
	for _, line := range lines[1:] {
		cells := strings.Split(line, ",")
		logW, err := strconv.ParseFloat(cells[0], 64)
		first, err1 := strconv.Atoi(cells[1])
		last, err2 := strconv.Atoi(cells[2])
		if err != nil || err1 != nil || err2 != nil {
			t.Fatalf("the line %q", line)
		}
		d.logW, d.first, d.last = append(d.logW, logW), append(d.first, first), append(d.last, last)
	}
	return d
}

// plan is an annealing written down step by step, with a place for each bug of bugs.py, as the reference for what these
// programs draw. It shares nothing with the kernels of the library.
type plan struct {
	space    *grid.Lattice
	logf     [][]float64 // log f_t at index t
	bug      string
	number   float64         // what stands behind the name of the bug
	moves    func(t int) int // the stage whose distribution the kernel of stage t uses
	weighs   func(t int) int // the stage whose increment is added at stage t
	noMove   int             // the stage that does not move
	noWeight int             // the stage that adds no increment
}

func (p *plan) T() int { return len(p.logf) - 1 }

// newPlan returns the plan of a bug for the geometric path from a uniform start. With a wrong T it is linear.
func newPlan(space *grid.Lattice, g, betas []float64, bug string) *plan {
	T := len(betas)
	name, number, _ := strings.Cut(bug, ":")
	value, _ := strconv.ParseFloat(number, 64)
	p := &plan{space: space, bug: name, number: value, moves: func(t int) int { return t }, weighs: func(t int) int { return t }}
	switch name {
	case "T_minus_one":
		betas = linear(T - 1)
	case "T_plus_one":
		betas = linear(T + 1)
	case "wrap_around":
		p.space, _ = grid.NewWrapped(space.Sides(), []bool{true, true})
	case "beta_early":
		p.moves = func(t int) int { return t - 1 }
	case "beta_late":
		p.moves = func(t int) int { return min(t+1, T) }
	case "increment_early":
		p.weighs = func(t int) int { return max(t-1, 2) }
	case "increment_late":
		p.weighs = func(t int) int { return min(t+1, T) }
	case "first_kernel_left_out":
		p.noMove = 2
	case "last_kernel_left_out":
		p.noMove = T
	case "first_increment_left_out":
		p.noWeight = 2
	case "last_increment_left_out":
		p.noWeight = T
	}
	p.logf = make([][]float64, len(betas)+1)
	for t := 1; t <= len(betas); t++ {
		p.logf[t] = make([]float64, len(g))
		for x, v := range g {
			switch name {
			case "log_f_scaled":
				v *= value
			case "log_f_truncated":
				v = math.Trunc(v/value) * value
			case "log_f_half":
				v = significant(v, 11)
			case "log_f_bfloat16":
				v = significant(v, 8)
			}
			p.logf[t][x] = v * betas[t-1]
		}
	}
	return p
}

// significant returns v rounded to so many binary digits.
func significant(v float64, bits int) float64 {
	rounded, _ := new(big.Float).SetPrec(uint(bits)).SetFloat64(v).Float64()
	return rounded
}

// linear returns T betas at equal distances.
func linear(T int) []float64 {
	betas := make([]float64, T)
	for i := range betas {
		betas[i] = float64(i) / float64(T-1)
	}
	return betas
}

// law returns p_t.
func (p *plan) law(t int) []float64 {
	out := slices.Clone(p.logf[t])
	chains.Normalize(out)
	return out
}

// row returns the probabilities to go from x to every state at stage t.
func (p *plan) row(t, x int) []float64 {
	out := make([]float64, len(p.logf[t]))
	if p.bug == "never_moves" || t == p.noMove {
		out[x] = 1
		return out
	}
	logf := p.logf[p.moves(t)]
	neighbours := slices.Collect(p.space.Neighbours(x))
	each := 1 / float64(p.space.Directions())
	if p.bug == "redrawn" {
		each = 1 / float64(len(neighbours))
	}
	left := 0.0
	for _, y := range neighbours {
		accept := min(1, math.Exp(logf[y]-logf[x]))
		switch p.bug {
		case "barker":
			accept = math.Exp(logf[y]) / (math.Exp(logf[x]) + math.Exp(logf[y]))
		case "always_accepted":
			accept = 1
		case "acceptance_rounded":
			accept = math.Floor(accept/p.number+0.5) * p.number
		}
		out[y] += each * accept
		left += each * accept
	}
	if p.bug == "rejected_not_counted" {
		for y := range out {
			out[y] /= left
		}
		return out
	}
	out[x] += 1 - left
	return out
}

// expected is what the chains of one direction are expected to be.
type expected struct {
	first, last []float64
	mean        float64 // of log w
}

// run returns what the plan gives in a direction.
func (p *plan) run(d chains.Direction) (e expected) {
	start := p.law(1)
	if p.bug == "start_excludes_last" && d == chains.Forward {
		start[len(start)-1] = 0
		for x := range start {
			start[x] *= float64(len(start)) / float64(len(start)-1)
		}
	}
	if d == chains.Reverse {
		switch p.bug {
		case "reverse_from_start":
		case "reverse_from_output":
			start = p.run(chains.Forward).last
		default:
			start = p.law(p.T())
		}
	}
	at := slices.Clone(start)
	for i := 2; i <= p.T(); i++ {
		t := i
		if d == chains.Reverse {
			t = p.T() + 2 - i
		}
		next := make([]float64, len(at))
		for x, q := range at {
			for y, v := range p.row(t, x) {
				next[y] += q * v
			}
		}
		weighed := at
		if (d == chains.Reverse) != (p.bug == "weight_after_move") {
			weighed = next
		}
		for x, q := range weighed {
			if t != p.noWeight {
				e.mean += q * (p.logf[p.weighs(t)][x] - p.logf[p.weighs(t)-1][x])
			}
		}
		at = next
	}
	e.first, e.last = start, at
	if d == chains.Reverse {
		e.first, e.last = at, start
	}
	return e
}

// surprise returns by how many standard deviations chains are off what is expected, in the worst of three: the mean of
// log w, and Pearson's statistic of x_first and of x_last. States of probability zero must not be there.
func surprise(d drawn, e expected) float64 {
	n, sum, squares := float64(len(d.logW)), 0.0, 0.0
	for _, v := range d.logW {
		sum += v
		squares += v * v
	}
	variance := max(squares/n-sum/n*sum/n, 1e-12)
	worst := math.Abs(sum/n-e.mean) / math.Sqrt(variance/n)
	for _, column := range []struct {
		states []int
		law    []float64
	}{{d.first, e.first}, {d.last, e.last}} {
		counts := make([]float64, len(column.law))
		for _, x := range column.states {
			counts[x]++
		}
		statistic, cells := 0.0, -1.0
		for x, p := range column.law {
			switch {
			case p > 1e-12:
				statistic += (counts[x] - n*p) * (counts[x] - n*p) / (n * p)
				cells++
			case counts[x] > 0:
				return math.Inf(1)
			}
		}
		worst = max(worst, (statistic-cells)/math.Sqrt(2*cells))
	}
	return worst
}

// tolerable is the largest surprise of chains that are right. The seeds are fixed; of new ones one in 10^6 or fewer fails.
const tolerable = 7

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

// planOf returns the plan of a bug on that task.
func planOf(made *conform.Task, bug string) *plan {
	a := made.Case.Annealing()
	betas := make([]float64, a.Distributions())
	for i := range betas {
		betas[i] = a.Beta(i + 1)
	}
	return newPlan(made.Case.Toy.Lattice(), made.Case.Toy.G, betas, bug)
}

// TestExamples: the examples draw from the laws of the task.
func TestExamples(t *testing.T) {
	dir, made := bugTask(t)
	right := planOf(made, "none")
	forward, reverse := right.run(chains.Forward), right.run(chains.Reverse)
	t.Run("plain", func(t *testing.T) {
		python := casetest.Python(t)
		program, chains := casetest.Absolute(t, "examples/ais.py"), fmt.Sprint(longtest.Times(2000, 10_000))
		for direction, want := range map[string]expected{"forward": forward, "reverse": reverse} {
			out, _ := run(t, 0, "", python, program, "--task", dir, "--direction", direction, "--chains", chains, "--seed", "3")
			if s := surprise(readCSV(t, out), want); s > tolerable {
				t.Errorf("%s: %v standard deviations off", direction, s)
			}
			file := filepath.Join(t.TempDir(), "out.csv")
			run(t, 0, "", python, program, "--task", dir, "--direction", direction, "--chains", chains, "--seed", "3", "--out", file)
			if again, err := os.ReadFile(file); err != nil || string(again) != out {
				t.Errorf("%s: a second run of the same seed writes something else (%v)", direction, err)
			}
		}
	})
	t.Run("NumPy", func(t *testing.T) {
		python := casetest.Python(t, "numpy")
		program := casetest.Absolute(t, "examples/ais_numpy.py")
		t.Chdir(t.TempDir())
		run(t, 0, "", python, program, dir, "--chains", fmt.Sprint(longtest.Times(30_000, 50_000)), "--seed", "3")
		for file, want := range map[string]expected{"fwd.npy": forward, "rev.npy": reverse} {
			if s := surprise(readNPY(t, file), want); s > tolerable {
				t.Errorf("%s: %v standard deviations off", file, s)
			}
		}
	})
}

// TestServe: the example answers requests, the same seed gives the same chains, and it ends with its input.
func TestServe(t *testing.T) {
	dir, _ := bugTask(t)
	requests := `{"direction": "forward", "chains": 50, "seed": 9007199254740991, "id": 1}
{"direction": "reverse", "chains": 50, "seed": 7, "id": 2}
{"direction": "forward", "chains": 50, "seed": 9007199254740991, "id": 3}
{"direction": "forward", "chains": 50, "seed": 8, "id": 4, "another": true}
`
	out, _ := run(t, 0, requests, casetest.Python(t), casetest.Absolute(t, "examples/ais.py"), "--task", dir, "--serve")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 5 || lines[0] != `{"sampler": "Metropolis in plain Python"}` {
		t.Fatalf("it says %q", out)
	}
	var answers [4]struct {
		LogW  []float64 `json:"log_w"`
		First []int     `json:"x_first"`
		Last  []int     `json:"x_last"`
		ID    int       `json:"id"`
	}
	for i := range answers {
		longtest.NoError(t, json.Unmarshal([]byte(lines[i+1]), &answers[i]))
		if a := answers[i]; a.ID != i+1 || len(a.LogW) != 50 || len(a.First) != 50 || len(a.Last) != 50 {
			t.Errorf("answer %d: %+v", i+1, a)
		}
	}
	if !slices.Equal(answers[0].LogW, answers[2].LogW) || slices.Equal(answers[0].LogW, answers[3].LogW) {
		t.Error("the seed does not make the chains")
	}
}

// TestZerosInPython: where f is zero, weights are zero or infinite, and never NaN.
func TestZerosInPython(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir+"/start.csv", "0,0,-inf\n0,0,0\n")
	s := selection("file:testdata/zeros.csv", 4)
	s.Initial = "file:" + dir + "/start.csv"
	write(t, mustNew(t, s), dir)
	both := func(t *testing.T, forward, reverse drawn) {
		t.Helper()
		for name, d := range map[string]drawn{"forward": forward, "reverse": reverse} {
			infinite := 0
			for _, v := range d.logW {
				switch {
				case math.IsNaN(v) || math.IsInf(v, 1) && name == "forward" || math.IsInf(v, -1) && name == "reverse":
					t.Fatalf("%s: log weight %v", name, v)
				case math.IsInf(v, 0):
					infinite++
				}
			}
			// Of six states, two have f_T = 0 and one more f_1 = 0, so that five starts of eight have f_2 = 0 at once.
			if name == "forward" && infinite == 0 {
				t.Errorf("%s: no weight of %d is zero", name, len(d.logW))
			}
		}
	}
	t.Run("plain", func(t *testing.T) {
		var d [2]drawn
		for i, direction := range []string{"forward", "reverse"} {
			out, _ := run(t, 0, "", casetest.Python(t), casetest.Absolute(t, "examples/ais.py"), "--task", dir, "--direction", direction, "--chains", "500")
			d[i] = readCSV(t, out)
		}
		both(t, d[0], d[1])
	})
	t.Run("NumPy", func(t *testing.T) {
		python := casetest.Python(t, "numpy")
		program := casetest.Absolute(t, "examples/ais_numpy.py")
		t.Chdir(t.TempDir())
		run(t, 0, "", python, program, dir, "--chains", "500")
		both(t, readNPY(t, "fwd.npy"), readNPY(t, "rev.npy"))
	})
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

// TestSkeletons: with their blanks they say what to fill in, and filled in they draw from the laws of the task.
func TestSkeletons(t *testing.T) {
	dir, made := bugTask(t)
	right := planOf(made, "none")
	want := map[string]expected{"forward": right.run(chains.Forward), "reverse": right.run(chains.Reverse)}
	const request = `{"direction": "forward", "chains": 3, "seed": 5, "id": 1}` + "\n"
	for _, c := range []struct {
		file, ending string
		modules      []string
		fill         [4]string // what stands in place of the two blanks
	}{
		{"skeleton.py", ".csv", nil, [4]string{`raise NotImplementedError("fill in one move of the kernel`,
			"y = rng.choice(self.neighbours[x])\n        return y if y >= 0 and rng.random() < math.exp(min(0, self.logf[t][y] - self.logf[t][x])) else x\n        raise NotImplementedError(\"fill in one move of the kernel",
			`raise NotImplementedError("fill in the increment`,
			"return self.logf[t][x] - self.logf[t - 1][x]\n        raise NotImplementedError(\"fill in the increment"}},
		{"skeleton_numpy.py", ".npy", []string{"numpy"}, [4]string{`raise NotImplementedError("fill in one move of the kernel`,
			"y = self.neighbours[x, rng.integers(4, size=x.size)]\n        g = self.logf[t - 1]\n        return np.where((y >= 0) & (rng.random(x.size) < np.exp(g[y] - g[x])), y, x)\n        raise NotImplementedError(\"fill in one move of the kernel",
			`raise NotImplementedError("fill in the increment`,
			"return (self.logf[t - 1] - self.logf[t - 2])[x]\n        raise NotImplementedError(\"fill in the increment"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			python := casetest.Python(t, c.modules...)
			program := filepath.Join(dir, c.file)
			blank := c.file + " is not complete: fill in the increment (the function increment); README.md says what it is\n"
			if out, says := run(t, 1, "", python, program, "--out", filepath.Join(t.TempDir(), "x")); out != "" || says != blank {
				t.Errorf("it says %q and %q", out, says)
			}
			if out, says := run(t, 1, request, python, program, "--serve"); !strings.HasPrefix(out, `{"sampler": "`) || strings.Count(out, "\n") != 1 || says != blank {
				t.Errorf("served: it says %q and %q", out, says)
			}
			text := longtest.Sure(os.ReadFile(program))
			filled := replaced(t, replaced(t, text, c.fill[0], c.fill[1]), c.fill[2], c.fill[3])
			program = filepath.Join(dir, "filled.py")
			writeFile(t, program, string(filled))
			for direction, want := range want {
				file := filepath.Join(t.TempDir(), "out"+c.ending)
				run(t, 0, "", python, program, "--direction", direction, "--chains", fmt.Sprint(longtest.Times(2000, 10_000)), "--seed", "4", "--out", file)
				read := readNPY
				if c.ending == ".csv" {
					read = func(t *testing.T, path string) drawn { return readCSV(t, string(longtest.Must(os.ReadFile(path))(t))) }
				}
				if s := surprise(read(t, file), want); s > tolerable {
					t.Errorf("%s: %v standard deviations off", direction, s)
				}
			}
			if out, _ := run(t, 0, request, python, program, "--serve"); strings.Count(out, "\n") != 2 || !strings.Contains(out, `"id": 1}`) {
				t.Errorf("served: it says %q", out)
			}
			longtest.NoError(t, os.Remove(filepath.Join(dir, "logf_stages.npy")))
			defer writeFile(t, filepath.Join(dir, "logf_stages.npy"), string(contents(t, made)["logf_stages.npy"]))
			if _, says := run(t, 1, "", python, filepath.Join(dir, c.file)); !strings.Contains(says, "logf_stages.npy is not there; give the folder of the task with --task, and see README.md for which files it has") {
				t.Errorf("without a file it says %q", says)
			}
		})
	}
}

// TestBugs: each planted bug draws from the law that it is to have, and that is another one than the right one.
func TestBugs(t *testing.T) {
	python := casetest.Python(t, "numpy")
	dir, made := bugTask(t)
	program := casetest.Absolute(t, "testdata/bugs.py")
	out := t.TempDir()
	// All in one process, because Python with NumPy takes longer to start than to run a bug.
	const all = `import os, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))
import numpy as np
import bugs
np.seterr(all="ignore")
for text in sys.argv[4:]:
    bug, number = bugs.parse_bug(text)
    sampler = bugs.Sampler(bugs.Task(sys.argv[2], bug, number), bug)
    for rows, side in zip(bugs.run(sampler, 40000, 5), ("fwd", "rev")):
        np.save(os.path.join(sys.argv[3], side + "_" + bug + ".npy"), rows)
`
	list, _ := run(t, 0, "", python, "-B", program, "--list")
	names := strings.Fields(strings.NewReplacer(":C", ":0.5", ":G", ":0.5").Replace(list))
	if len(names) != 37 {
		t.Errorf("%d bugs", len(names))
	}
	run(t, 0, "", python, append([]string{"-B", "-c", all, program, dir, out}, names...)...)
	read := func(side, bug string) drawn { return readNPY(t, filepath.Join(out, side+"_"+bug+".npy")) }
	right := planOf(made, "none")
	for _, text := range names {
		bug, _, _ := strings.Cut(text, ":")
		d := [2]drawn{read("fwd", bug), read("rev", bug)}
		e := expectedOf(made, text, d)
		none := [2]expected{right.run(chains.Forward), right.run(chains.Reverse)}
		visible := 0.0
		for i := range d {
			if s := surprise(d[i], e[i]); s > tolerable {
				t.Errorf("%s, %v: %.1f standard deviations off what the bug gives", text, chains.Direction(i), s)
			}
			visible = max(visible, surprise(d[i], none[i]))
		}
		// These leave the laws as they are, or nearly so.
		if quiet := slices.Contains([]string{"none", "log_f_half", "log_f_bfloat16", "float32", "one_stream", "weight_noise", "sticky"}, bug); quiet != (visible <= tolerable) {
			t.Errorf("%s is %.1f standard deviations off the right law", text, visible)
		}
	}
	checkQuietBugs(t, read)
}

// expectedOf returns what a bug gives in each direction.
func expectedOf(made *conform.Task, text string, d [2]drawn) (e [2]expected) {
	bug, _, _ := strings.Cut(text, ":")
	p := planOf(made, text)
	e = [2]expected{p.run(chains.Forward), p.run(chains.Reverse)}
	space := made.Case.Toy.Lattice()
	transposed := func(law []float64) []float64 {
		out := make([]float64, len(law))
		for x, p := range law {
			out[space.Coord(x, 1)*space.Side(0)+space.Coord(x, 0)] = p
		}
		return out
	}
	for i := range e {
		switch bug {
		case "sign":
			e[i].mean *= -1
		case "base10":
			e[i].mean /= math.Ln10
		case "log_z1_included":
			e[i].mean += made.LogZ1
		case "ends_exchanged":
			e[i].first, e[i].last = e[i].last, e[i].first
		case "transposed":
			e[i].first, e[i].last = transposed(e[i].first), transposed(e[i].last)
		case "sticky":
			still := planOf(made, "never_moves").run(chains.Direction(i))
			for _, pair := range [][2][]float64{{e[i].first, still.first}, {e[i].last, still.last}} {
				for x := range pair[0] {
					pair[0][x] = 0.98*pair[0][x] + 0.02*pair[1][x]
				}
			}
			e[i].mean = 0.98*e[i].mean + 0.02*still.mean
		case "not_a_log":
			e[i].mean = math.Exp(made.LogZRatio())
			if i == 1 { // the mean of w in reverse is not known in closed form: log w is tested in its place
				e[i].mean = planOf(made, "none").run(chains.Reverse).mean
				for j, w := range d[i].logW {
					d[i].logW[j] = math.Log(w)
				}
			}
		}
	}
	if bug == "directions_exchanged" {
		e[0], e[1] = e[1], e[0]
	}
	return e
}

// checkQuietBugs checks bugs that leave the law of one direction's columns as they are.
func checkQuietBugs(t *testing.T, read func(side, bug string) drawn) {
	t.Helper()
	none, single := read("fwd", "none"), read("fwd", "float32")
	for _, v := range single.logW {
		if float64(float32(v)) != v {
			t.Fatalf("float32: a log weight of %v", v)
		}
	}
	if slices.Equal(none.logW, single.logW) {
		t.Error("float32 has the same weights")
	}
	for bug, most := range map[string]float64{"log_f_half": 0.01, "log_f_bfloat16": 0.08} {
		exact, near := 0, 0
		for i, v := range read("fwd", bug).logW {
			if off := math.Abs(v - none.logW[i]); off == 0 {
				exact++
			} else if off < most {
				near++
			}
		}
		if n := len(none.logW); exact > n/10 || near < 9*n/10 {
			t.Errorf("%s: of %d log weights %d are exact and %d nearly so", bug, n, exact, near)
		}
	}
	noisy, changed := read("fwd", "weight_noise"), 0
	for i, v := range noisy.logW {
		if off := math.Abs(v - none.logW[i]); off > 0.01 {
			t.Fatalf("weight_noise: off by %v", off)
		} else if off > 0 {
			changed++
		}
	}
	if share := float64(changed) / float64(len(noisy.logW)); math.Abs(share-0.2) > 0.02 {
		t.Errorf("weight_noise: %v of the weights are changed", share)
	}
	stay := func(d drawn) (share float64) {
		for i, x := range d.first {
			if x == d.last[i] {
				share += 1 / float64(len(d.first))
			}
		}
		return share
	}
	if more, want := stay(read("fwd", "sticky"))-stay(none), 0.02*(1-stay(none)); math.Abs(more-want) > 0.009 {
		t.Errorf("sticky: %v more chains end where they begin, and it should be about %v", more, want)
	}
	// One stream: the first number of a chain makes x_1 forward and x_T in reverse, so that they go up together.
	together := func(bug string) float64 {
		forward, reverse := read("fwd", bug), read("rev", bug)
		sum := 0.0
		for i := range forward.first {
			sum += (float64(forward.first[i]) - 5.5) * float64(reverse.last[i])
		}
		return sum / float64(len(forward.first))
	}
	if one, two := together("one_stream"), together("none"); !(one > 3) || math.Abs(two) > 0.3 {
		t.Errorf("x_1 forward and x_T in reverse go together by %v from one stream, and by %v from two", one, two)
	}
}

// TestBugsProgram: its command line writes what the module makes, for one seed and for several.
func TestBugsProgram(t *testing.T) {
	python := casetest.Python(t, "numpy")
	dir, _ := bugTask(t)
	program, out := casetest.Absolute(t, "testdata/bugs.py"), t.TempDir()
	run(t, 0, "", python, "-B", program, "--bug", "log_f_scaled:0.5", "--chains", "100", "--seed", "7", "--seeds", "3", "--out", out, dir)
	one := []string{filepath.Join(out, "f.npy"), filepath.Join(out, "r.npy")}
	run(t, 0, "", python, "-B", program, "--bug", "log_f_scaled:0.5", "--chains", "100", "--seed", "8", "--forward", one[0], "--reverse", one[1], dir)
	for i, side := range []string{"fwd", "rev"} {
		seven, eight := readNPY(t, fmt.Sprintf("%s/%s_7.npy", out, side)), readNPY(t, fmt.Sprintf("%s/%s_8.npy", out, side))
		if slices.Equal(seven.logW, eight.logW) || !slices.Equal(readNPY(t, one[i]).logW, eight.logW) {
			t.Errorf("%s: what a seed gives depends on the others, or not on the seed", side)
		}
		readNPY(t, fmt.Sprintf("%s/%s_9.npy", out, side))
	}
	if _, says := run(t, 2, "", python, "-B", program, "--bug", "weight_before", dir); !strings.Contains(says, "no bug is called weight_before; there are none, weight_after_move") {
		t.Errorf("it says %q", says)
	}
}
