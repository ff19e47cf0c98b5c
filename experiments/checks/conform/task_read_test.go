package conform_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"breadboard/experiments/checks/conform"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/programs"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// taskFolder writes the task of easy with T = 3.
func taskFolder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	write(t, mustNew(t, selection("easy", 3)), dir)
	return dir
}

// replaced returns a text with something else in it, which must be there.
func replaced(t testing.TB, text []byte, old, with string) []byte {
	t.Helper()
	if !bytes.Contains(text, []byte(old)) {
		t.Fatalf("no %q in %s", old, text)
	}
	return bytes.Replace(text, []byte(old), []byte(with), 1)
}

// TestHostileTasks: whatever stands in task.json, ReadTask refuses it in words, at once, and starts
// nothing.
func TestHostileTasks(t *testing.T) {
	longtest.Only(t)
	dir := taskFolder(t)
	path := filepath.Join(dir, "task.json")
	good := longtest.Sure(os.ReadFile(path))
	touched := filepath.Join(t.TempDir(), "touched")
	logZ1 := fmt.Sprint(mustNew(t, selection("easy", 3)).LogZ1)
	deep := strings.Repeat("[", 1<<20)
	for _, c := range []struct{ name, old, with, want string }{
		{"empty", string(good), "", "it ends too early"},
		{"no JSON", string(good), "\x93NUMPY", "it cannot be read as JSON"},
		{"another object", string(good),
			"{}", `its format is "", and that of a task is "breadboard conform task"`},
		{"a list", string(good), "[]", "it is a JSON array, not an object"},
		{"cut off", `"betas"`, `"bet`, "it cannot be read as JSON"},
		{"deep", string(good), deep, "cannot be read"},
		{"another version", `"version": 1`, `"version": 2`,
			"a later version of breadboard wrote it (schema 2; this version reads and writes schema 1)"},
		{"a version of another type", `"version": 1`, `"version": "1"`, `the field "version" holds a string`},
		{"an unknown field", `"version": 1,`, `"version": 1, "command": "rm",`, `unknown field "command"`},
		{"a field twice", `"version": 1,`, `"version": 1, "toy": "hard",`, "duplicated"},
		{"a field in capitals", `"toy"`, `"TOY"`, "a name or a number is written differently"},
		{"a field missing", `"path": "geometric",`, "", "a field is missing"},
		{"other digits", `"betas": [
    0,`, `"betas": [
    0.0,`, "a name or a number is written differently"},
		{"more behind it", string(good), string(good) + "{}", "there is text after the end of its object"},
		{"T of a thousand million", `"T": 3`, `"T": 1000000000`,
			"it has T = 1000000000; a task has from 2 to 100000"},
		{"T beyond all numbers", `"T": 3`, `"T": 1e400`, "it is not what was written"},
		{"T of one", `"T": 3`, `"T": 1`, "it has T = 1;"},
		{"T of another task", `"T": 3`, `"T": 4`, "there are 3 betas for T = 4"},
		{"T as a text", `"T": 3`, `"T": "3"`, `the field "T" holds a string`},
		{"another beta", `0.5,`, `0.5000000000000001,`,
			`the field "betas" holds [0 0.5000000000000001 1], and by the other fields it is [0 0.5 1]`},
		{"states beyond all memory", `"states": 49`, `"states": 9007199254740993`,
			"a task has from 1 to 1048576"},
		{"other states", `"states": 49`, `"states": 50`,
			`the space is "7x7" with 50 states, and the toy is on 7x7 with 49`},
		{"other sides", "    7,\n    7\n", "    49,\n    1\n", `the field "sides"`},
		{"a large toy", `"toy": "easy"`, `"toy": "random:1:0:99999x99999"`, "the limit is"},
		{"another toy", `"toy": "easy"`, `"toy": "hard"`, `the field "log_z_T" holds`},
		{"an unknown toy", `"toy": "easy"`, `"toy": "eazy"`, "unknown toy"},
		{"a graph by a relative path", `"toy": "easy"`, `"toy": "graph:../../edges.csv:g.csv"`,
			`the toy "graph:../../edges.csv:g.csv" has a relative path`},
		{"a path through a relative file", `"path": "geometric"`, `"path": "via:0.5:../secret"`,
			"middle.npy"},
		{"a schedule of no file", `"schedule": "linear"`, `"schedule": "file:"`, "no path"},
		{"a toy of no file", `"toy": "easy"`, `"toy": "file:"`, "no path"},
		{"a path through no file", `"path": "geometric"`, `"path": "via:"`, "give the file"},
		{"a start from no file", `"initial": "uniform"`, `"initial": "file:"`, "no path"},
		{"a matrix by a relative path", `"kernel": "metropolis"`, `"kernel": "matrix:../k.npy"`,
			`the kernel "matrix:../k.npy" has a relative path`},
		{"a matrix that never ends", `"kernel": "metropolis"`, `"kernel": "matrix:/dev/zero"`,
			"not a regular file"},
		{"a program", `"kernel": "metropolis"`, `"kernel": "exec:touch ` + touched + `"`,
			"a program named by a folder is not started automatically"},
		{"a program within a kernel", `"kernel": "metropolis"`,
			`"kernel": "lazy:0.5:exec:touch ` + touched + `"`, "unknown kernel"},
		{"another kernel", `"kernel": "metropolis"`, `"kernel": "lazy:.5:metropolis"`,
			`the field "kernel" holds "lazy:.5:metropolis", and by the other fields it is "lazy:0.5:metropolis"`},
		{"another schedule", `"schedule": "linear"`, `"schedule": "power:2"`, `the field "betas"`},
		{"another log Z", `"log_z_1": ` + logZ1, `"log_z_1": 3.5`,
			`the field "log_z_1" holds 3.5, and by the other fields it is ` + logZ1},
		{"an unknown column", `"x_last"`, `"x_end"`, `"x_end" is not a column`},
		{"a column twice", `"x_last"`, `"x_first"`, "or appears twice"},
		{"another convention", "States are numbered from 0.", "States are numbered from 1.",
			`the field "conventions"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			writeFile(t, path, string(replaced(t, good, c.old, c.with)))
			ctx, cancel := context.WithTimeout(t.Context(), longtest.Patience)
			defer cancel()
			_, err := conform.ReadTask(ctx, dir, forms.Reader())
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) ||
				len(err.Error()) > 2000 {
				t.Errorf("error %v, want one with %q that names %s", err, c.want, path)
			}
		})
	}
	if _, err := os.Stat(touched); err == nil {
		t.Error("a program was started")
	}
	writeFile(t, path, string(replaced(t, good, `"schedule": "linear"`, `"schedule": "file:/dev/zero"`)))
	if again, err := conform.ReadTask(context.Background(), dir, forms.Reader()); err != nil ||
		again.Case.Param("schedule") != "file:/dev/zero" {
		t.Errorf("a schedule that is in the folder is read from elsewhere: %v", err)
	}
	writeFile(t, path, strings.ReplaceAll(string(good), "\n", "\r\n"))
	longtest.Must(conform.ReadTask(context.Background(), dir, forms.Reader()))(t)
}

// TestLargeTaskFile: a file that is too large is not read.
func TestLargeTaskFile(t *testing.T) {
	dir := taskFolder(t)
	if err := os.Truncate(filepath.Join(dir, "task.json"), 1<<40); err != nil {
		t.Skip(err)
	}
	longtest.Refuses(conform.ReadTask(context.Background(), dir, forms.Reader()))(t, "at most 8.389 MB are read")
}

// TestChangedFolder: an array that was edited, cut, replaced or removed is found.
func TestChangedFolder(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		name, want string
		change     func(t *testing.T, dir string)
	}{
		{"no folder", "is not the folder of a task",
			func(t *testing.T, dir string) { remove(t, dir, "task.json") }},
		{"a bit of log f", "logf.npy does not hold the numbers of the task (they differ from byte 200 on)",
			func(t *testing.T, dir string) { flip(t, dir, "logf.npy", 200) }},
		{"a bit of the header", "logf.npy does not hold",
			func(t *testing.T, dir string) { flip(t, dir, "logf.npy", 20) }},
		{"a bit of a stage", "logf_stages.npy does not hold",
			func(t *testing.T, dir string) { flip(t, dir, "logf_stages.npy", 900) }},
		{"cut", "it has 100 bytes instead of 520", func(t *testing.T, dir string) {
			longtest.NoError(t, os.Truncate(filepath.Join(dir, "logf.npy"), 100))
		}},
		{"longer", "it has 1048576 bytes instead of 520", func(t *testing.T, dir string) {
			longtest.NoError(t, os.Truncate(filepath.Join(dir, "logf.npy"), 1<<20))
		}},
		{"removed", "the folder of the task lacks a file",
			func(t *testing.T, dir string) { remove(t, dir, "logf_stages.npy") }},
		{"an edited toy", `the field "log_z_T" holds`, func(t *testing.T, dir string) {
			write(t, mustNew(t, selection("file:testdata/zeros.csv", 3)), dir)
			flip(t, dir, "logf.npy", 131)
		}},
		{"another task's", "does not hold the numbers", func(t *testing.T, dir string) {
			writeFile(t, filepath.Join(dir, "logf.npy"),
				string(contents(t, mustNew(t, selection("hard", 3)))["logf.npy"]))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := taskFolder(t)
			c.change(t, dir)
			if _, err := conform.ReadTask(context.Background(), dir, forms.Reader()); err == nil ||
				!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	longtest.NoError(t, os.Remove(filepath.Join(dir, name)))
}

// flip turns the lowest bit of a byte round.
func flip(t *testing.T, dir, name string, at int) {
	t.Helper()
	path := filepath.Join(dir, name)
	data := longtest.Sure(os.ReadFile(path))
	data[at] ^= 1
	writeFile(t, path, string(data))
}

// TestChangedMatrix: a file outside of the folder that has changed is found.
func TestChangedMatrix(t *testing.T) {
	from := t.TempDir()
	dir := t.TempDir()
	matrix := filepath.Join(from, "k_{t}.csv")
	for _, name := range []string{"k_2.csv", "k_3.csv"} {
		writeFile(t, filepath.Join(from, name),
			"0.250000000000000000,0.750000000000000000\n0.750000000000000000,0.250000000000000000\n")
	}
	s := selection("random:0:0:2", 3)
	s.Kernel = "matrix:" + matrix
	write(t, mustNew(t, s), dir)
	longtest.Must(conform.ReadTask(context.Background(), dir, forms.Reader()))(t)
	writeFile(t, filepath.Join(from, "k_3.csv"),
		"0.500000000000000000,0.500000000000000000\n0.500000000000000000,0.500000000000000000\n")
	longtest.Refuses(conform.ReadTask(context.Background(), dir, forms.Reader()))(t,
		"kernel.npy does not hold the numbers of the task")
}

// TestFilesThatNeverEnd: what stands instead of a file of the folder is not waited for.
func TestFilesThatNeverEnd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no devices with names")
	}
	for _, name := range []string{"task.json", "logf.npy"} {
		dir := taskFolder(t)
		remove(t, dir, name)
		longtest.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, name)))
		longtest.Refuses(conform.ReadTask(context.Background(), dir, forms.Reader()))(t,
			"not a regular file but a device",
			name,
		)
	}
}

// FuzzRead: whatever stands in task.json, ReadTask ends without a panic, and what it accepts is the
// task that was written.
func FuzzRead(f *testing.F) {
	dir := taskFolder(f)
	path := filepath.Join(dir, "task.json")
	good := longtest.Must(os.ReadFile(path))(f)
	f.Add(string(good))
	f.Add(`{"format": "breadboard conform task", "version": 1}`)
	f.Add(strings.Replace(string(good), `"linear"`, `"file:betas.csv"`, 1))
	f.Add(strings.Replace(string(good), `"linear"`, `"file:"`, 1))
	f.Add(strings.Replace(string(good), `"uniform"`, `"file:"`, 1))
	f.Add(strings.Replace(string(good), `"geometric"`, `"via:"`, 1))
	f.Fuzz(func(t *testing.T, text string) {
		writeFile(t, path, text)
		ctx, cancel := context.WithTimeout(context.Background(), longtest.Patience)
		defer cancel()
		if _, err := conform.ReadTask(ctx, dir, forms.Reader()); err != nil {
			return
		}
		var is, was bytes.Buffer
		if json.Compact(&is, []byte(text)) != nil || json.Compact(&was, good) != nil {
			t.Fatalf("it accepts %q", text)
		}
		if is.String() == was.String() {
			return
		}
		// The names of a schedule that the folder holds may be any, and so may be the wanted
		// columns.
		if !strings.Contains(text, `"file:`) && !strings.Contains(text, `"columns"`) {
			t.Fatalf("it accepts %q", text)
		}
	})
}

// TestAProgramIsStartedWhereItMay: with programs given, a task whose kernel is a program is read as
// any other.
func TestAProgramIsStartedWhereItMay(t *testing.T) {
	python := casetest.Python(t)
	programs := programs.NewPrograms(context.Background(), time.Minute)
	defer programs.Close()
	s := selection("random:1:0:1x2", 2)
	s.Kernel = "exec:" + python + " " + casetest.Absolute(t, "../../programs/examples/choose.py")
	s.Programs = programs
	made := mustNew(t, s)
	dir := t.TempDir()
	write(t, made, dir)
	in := subject.Reader{Forms: forms.All(), Programs: programs}
	again := longtest.Sure(conform.ReadTask(context.Background(), dir, in))
	sameCase(t, again.Case, made.Case)
	longtest.Refuses(conform.ReadTask(context.Background(), dir, forms.Reader()))(t,
		"a program named by a folder is not started automatically")
}

// TestCheckFolder: a folder may be written again, and may hold other files, but not an array of
// another task that stays.
func TestCheckFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]*")
	files := []conform.File{{Name: "logf.npy"}, {Name: "kernel.npy"}}
	longtest.NoError(t, conform.CheckFolder(dir, files)) // a folder that does not exist
	put := func(name string) {
		t.Helper()
		longtest.NoError(t, os.MkdirAll(dir, 0o777))
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	for _, name := range []string{"logf.npy", "kernel.npy", "fwd.npy", "my_ais.py", "needs.txt"} {
		put(name)
	}
	longtest.NoError(t, conform.CheckFolder(dir, files)) // the same task again
	for _, name := range []string{"logf_stages.npy", "reversal_2.npy", "neighbours.csv", "example.json"} {
		put(name)
		longtest.Refused(t, conform.CheckFolder(dir, files), name+", which seems to belong to another task")
		longtest.NoError(t, os.Remove(filepath.Join(dir, name)))
	}
}
