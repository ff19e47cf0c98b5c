package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"breadboard/experiments/checks/reproduce"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// emptyAtWrite is a standard output that notes what is in a folder when it is written to.
type emptyAtWrite struct {
	folder string
	left   []os.DirEntry
}

func (w *emptyAtWrite) Write(data []byte) (int, error) {
	left, err := os.ReadDir(w.folder)
	w.left = append(w.left, left...)
	return len(data), err
}

// TestReproduceIntoClosedPipe: when the rows are written the temporary files are gone, as the
// program may end there: breadboard reproduce | head.
func TestReproduceIntoClosedPipe(t *testing.T) {
	longtest.Only(t)
	out := &emptyAtWrite{folder: t.TempDir()}
	t.Setenv("TMPDIR", out.folder)
	if code := runWith(t.Context(), []string{"reproduce", "--id", "bread-1"}, out, io.Discard,
		&leftovers{}); code != exitDone || len(out.left) > 0 {
		t.Errorf("exit code %d, %v are left", code, out.left)
	}
}

// TestCommandsOfClaimsAreThere: each command of a claim and of a figure is one of the program, with
// flags and values that it takes, and names only files that stand among the inputs, all of which
// are named by a command or
// a model.
func TestCommandsOfClaimsAreThere(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	var commands []string
	for _, c := range reproduce.Claims() {
		commands = append(commands, c.Commands...)
	}
	for _, f := range reproduce.Figures() {
		commands = append(commands, f.Command)
	}
	slices.Sort(commands) // each once, since its command is made for each
	commands = slices.Compact(commands)
	named := map[string]bool{}
	for _, command := range commands {
		for _, path := range regexp.MustCompile(`inputs/[\w.-]+`).FindAllString(command, -1) {
			named[path] = true
			if _, err := fs.Stat(reproduce.Inputs(), path); err != nil {
				t.Errorf("%s: %v", command, err)
			}
		}
		flagsAreRead(t, strings.Fields(command))
	}
	models, err := fs.Glob(reproduce.Inputs(), "inputs/*.toml")
	for _, path := range models {
		text := longtest.Must(fs.ReadFile(reproduce.Inputs(), path))(t)
		for _, data := range regexp.MustCompile(`data = "(.+)"`).FindAllStringSubmatch(string(text), -1) {
			named["inputs/"+data[1]] = true
		}
	}
	longtest.NoError(t, err)
	all, err := fs.Glob(reproduce.Inputs(), "inputs/*")
	for _, path := range all {
		if !named[path] {
			t.Errorf("no command names %s", path)
		}
	}
	if err != nil || len(all) == 0 {
		t.Error(err)
	}
}

// breakage is one thing that could be broken in the program: it changes command lines, or the
// numbers that they answer with.
type breakage struct {
	name    string
	command func(command string) string
	row     func(command string, row map[string]any)
	changes string // the claims whose verdicts change, among the fast ones
}

// breakages are broken one at a time.
func breakages() []breakage {
	is := func(command string, names ...string) bool {
		return slices.Contains(names, strings.Fields(command)[0]) &&
			!strings.HasPrefix(command, "reproduce aide") && !strings.HasPrefix(command, "aide check")
	}
	const easy, hard = "random:1.4142135623730951:0", "random:3.1622776601683795:0"
	return []breakage{
		{
			name: "T counts the moves, and not the distributions",
			changes: "bread-2 bread-4 bread-6 bread-8 bread-12 bread-21 bread-32 bread-33 bread-35 " +
				"bread-54 aide-3 aide-4 aide-6 aide-19 meta-3 meta-9 meta-10 " +
				"meta-16",
			command: func(c string) string {
				if !is(c, "tightness") {
					return c
				}
				words := strings.Fields(c)
				if at := slices.Index(words, "-T") + 1; at > 0 {
					list := strings.Split(words[at], ",")
					for i, text := range list {
						n, _ := strconv.Atoi(text) // TestCommandsOfClaimsAreThere reads it
						list[i] = strconv.Itoa(n + 1)
					}
					words[at] = strings.Join(list, ",")
				}
				return strings.Join(words, " ")
			},
			row: func(c string, row map[string]any) {
				if t, counted := row["T"].(float64); counted && is(c, "tightness") &&
					strings.Contains(c, "-T") {
					row["T"] = t - 1
				}
			},
		},
		{
			name:    "the last move is not made",
			changes: "bread-4 bread-32 bread-33 bread-35 meta-10",
			row: func(c string, row map[string]any) {
				// What J is before the last move, by breadboard export --arrays p,q_t.
				before := map[any][2]float64{"easy": {0.133765, 0.00526197}, "hard": {4.72728, 1.84038},
					"barrier": {1.647869, 1.084693}}
				if j, known := before[row["toy"]]; known && is(c, "tightness") &&
					row["kernel"] == "metropolis" {
					switch row["T"] {
					case 100.0:
						row["J"] = j[0]
					case 1000.0:
						row["J"] = j[1]
					}
				}
			},
		},
		{
			name: "sigma of the random toys is the variance",
			changes: "bread-1 bread-2 bread-4 bread-6 bread-15 bread-17 bread-18 bread-20 bread-21 " +
				"bread-32 bread-33 bread-35 bread-53 aide-3 aide-4 aide-6 " +
				"aide-19 meta-16",
			command: func(c string) string {
				if !is(c, "tightness") || strings.Contains(c, "random:") {
					return c
				}
				if !strings.Contains(c, "--toy") {
					c += " --toy easy,hard,barrier"
				}
				return strings.NewReplacer("easy", easy, "hard", hard).Replace(c)
			},
			row: func(c string, row map[string]any) {
				if toy, is := row["toy"].(string); is && !strings.Contains(c, "random:") {
					row["toy"] = strings.NewReplacer(easy, "easy", hard, "hard").Replace(toy)
				}
			},
		},
		{
			name: "moves go to eight neighbours",
			changes: "bread-1 bread-2 bread-3 bread-4 bread-6 bread-8 bread-9 bread-12 bread-15 bread-17 " +
				"bread-20 bread-21 bread-32 bread-33 bread-35 bread-53 " +
				"bread-54 aide-3 aide-4 aide-17 meta-10 meta-16",
			command: func(c string) string {
				if is(c, "tightness") && !strings.Contains(c, "--kernel") {
					c += " --kernel moore"
				}
				return c
			},
		},
		{
			name: "B has its forward half alone",
			changes: "bread-4 bread-5 bread-6 bread-8 bread-9 bread-14 bread-15 bread-32 bread-33 " +
				"bread-35 aide-4 aide-6 aide-17 aide-19",
			row: func(c string, row map[string]any) {
				if b, has := row["B"].(float64); has && is(c, "tightness") {
					half := row["log_z_ratio"].(float64) - row["mean_log_w_forward"].(float64)
					row["B"], row["relative_error"] = half, row["J"]
					if ratio, known := row["B_over_J"].(float64); known { // else J is zero or has no digit
						row["B_over_J"] = ratio * half / b
					}
				}
			},
		},
		{
			name: "forward and reverse chains are exchanged",
			changes: "bread-21 bread-22 bread-23 bread-24 bread-34 bread-54 aide-3 bdmc-6 bdmc-60 meta-8 " +
				"meta-9 meta-10",
			row: func(c string, row map[string]any) {
				if _, has := row["mean_log_w_forward"]; has && is(c, "tightness") {
					row["mean_log_w_forward"], row["mean_log_w_reverse"] = row["mean_log_w_reverse"],
						row["mean_log_w_forward"]
				}
			},
		},
		{
			name:    "R of the variance is 2, and not the kurtosis less one",
			changes: "samplers-3",
			row: func(c string, row map[string]any) {
				if strings.HasPrefix(c, "samplers errors") && row["R_var"] != nil {
					row["R_var"] = 2.0
				}
			},
		},
		{
			name:    "the volumes of nested sampling shrink by 1 - 1/K",
			changes: "bdmc-29",
			row: func(_ string, row map[string]any) {
				if row["estimator"] == "ns:2" {
					// the estimate is then unbiased, and its mean half a nat lower
					row["log_mean_z"] = row["log_z_ratio"]
					if bias, known := row["bias"].(float64); known {
						row["bias"] = -math.Abs(bias)
					}
				}
			},
		},
		{
			name:    "AIDE leaves out the trace of the run",
			changes: "aide-1 aide-2 aide-3 aide-4 aide-28 meta-6 meta-16",
			command: func(c string) string {
				if c == "aide -T 100" {
					c += " --without-first-trace"
				}
				return c
			},
		},
		{
			name:    "the reverse half of what each stage adds has the wrong sign",
			changes: "bread-21 bread-31 bread-35",
			row: func(c string, row map[string]any) {
				if is(c, "gap") {
					row["reverse"] = -row["reverse"].(float64)
				}
			},
		},
	}
}

// answerer answers commands, each run once, as a program with something broken would.
type answerer struct {
	run  *claimsRun
	mu   sync.Mutex
	kept map[string][]byte
}

func (k *answerer) ask(ctx context.Context, command string) ([]byte, error) {
	k.mu.Lock()
	data, there := k.kept[command]
	k.mu.Unlock()
	if there {
		return data, nil
	}
	data, err := k.run.answerCommand(ctx, command)
	if err == nil {
		k.mu.Lock()
		k.kept[command] = data
		k.mu.Unlock()
	}
	return data, err
}

// broken answers a command with something broken.
func (k *answerer) broken(b breakage) func(context.Context, string) ([]byte, error) {
	return func(ctx context.Context, command string) ([]byte, error) {
		asked := command
		if b.command != nil {
			asked = b.command(command)
		}
		data, err := k.ask(ctx, asked)
		if err != nil || b.row == nil {
			return data, err
		}
		rows, err := reproduce.ParseTable(data)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			b.row(command, row)
		}
		return json.Marshal(rows)
	}
}

// judged judges the claims.
func judged(t *testing.T, claims []string,
	ask func(context.Context, string) ([]byte, error)) []reproduce.Row {
	t.Helper()
	rows := longtest.Must(study.Run(t.Context(), reproduce.Study(), nil,
		reproduce.Options{Claims: claims, Effort: reproduce.Fast, Ask: ask}, study.How{}))(t)
	return rows
}

// dear are the beginnings of commands that take a second of a processor and more, and that no
// breakage touches.
func dear(command string) bool {
	return slices.ContainsFunc([]string{
		"samplers calibrate", "samplers meta", "sandwich compare", "reproduce aide"}, func(start string) bool {
		return strings.HasPrefix(command, start)
	})
}

// TestBreakagesChangeTheirVerdicts: each thing that is broken changes the verdicts of those claims
// that depend on it, and of no others. With -long these are the fast claims without a dear command,
// with -long=2 all fast claims, and else those on the printed numbers of J and B.
func TestBreakagesChangeTheirVerdicts(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	other := func(command string) bool { return command != "tightness -T 100,1000" }
	leftOut := []func(string) bool{
		other, dear, func(string) bool { return false }}[min(longtest.Times(0, 1), 2)]
	var claims []string
	for _, c := range reproduce.Claims() {
		if cmp.Or(c.Effort, reproduce.Fast) == reproduce.Fast && !slices.ContainsFunc(c.Commands, leftOut) &&
			(c.Holds != nil || longtest.More()) {
			claims = append(claims, c.ID)
		}
	}
	k := &answerer{run: newClaimsRun(
		newApp(t.Context(), nil, &bytes.Buffer{}, &bytes.Buffer{}, &leftovers{}),
	), kept: map[string][]byte{}}
	defer k.run.removeFolder()
	right := judged(t, claims, k.ask)
	for i := range right {
		if right[i].Differs() {
			t.Errorf("%s: %q, %v", right[i].ID, right[i].Now, right[i].Fault)
		}
	}
	for _, b := range breakages() {
		var changed []string
		for _, r := range judged(t, claims, k.broken(b)) {
			if r.Differs() {
				changed = append(changed, r.ID)
			}
			if r.Fault != nil {
				t.Errorf("%s: %s: %v", b.name, r.ID, r.Fault)
			}
		}
		want := slices.DeleteFunc(strings.Fields(b.changes),
			func(id string) bool { return !longtest.More() && !slices.Contains(claims, id) })
		if !slices.Equal(changed, want) {
			t.Errorf("%s changes the verdicts of %v; want %v", b.name, changed, want)
		}
	}
}
