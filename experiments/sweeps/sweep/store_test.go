package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// small is a sweep of 8 cells, one of which fails.
const small = `
[grid]
toy = ["random:1:0:2x2", "random:1:1:2"]
T = [2, 3, 4]
[[case]]
toy = "random:1:0:2x2"
T = 5
[[case]]
toy = "random:1:1:2"
kernel = "heatbath-axis:1"
T = 3
[[case]]
toy = "random:1:0:2x2"
kernel = "heatbath-axis:1"
T = 3
`

func mustSweep(t testing.TB, text string) *Sweep {
	t.Helper()
	spec := longtest.Must(Parse(sweptStudies(), "test.toml", []byte(text)))(t)
	return longtest.Must(spec.Sweep())(t)
}

// mustPlan returns the plan of a sweep.
func mustPlan(t testing.TB, s *Sweep) Plan {
	t.Helper()
	return longtest.Must(s.Plan())(t)
}

// mustEncode returns the text of the manifest of a sweep.
func mustEncode(t testing.TB, s *Sweep) []byte {
	t.Helper()
	return longtest.Must(s.manifest().encode())(t)
}

// lines writes merged rows in full, to compare.
func (m *Merged) lines() string {
	var b strings.Builder
	for _, r := range m.Rows {
		fmt.Fprintf(&b, "%v %q", r.Cell, r.Error)
		if r.Values != nil {
			fmt.Fprintf(&b, " %x %q", m.timeless(r.Numbers), r.Note)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// timeless returns the numbers of a row with zero for times on the clock, of which no two runs have
// the same.
func (m *Merged) timeless(numbers []float64) []float64 {
	numbers = slices.Clone(numbers)
	for i, v := range m.Sweep.study.Values {
		if v.Clock {
			numbers[i] = 0
		}
	}
	return numbers
}

// reference returns the merged rows of an uninterrupted run.
func reference(t testing.TB, s *Sweep) string {
	t.Helper()
	merged := mustMerge(t, finished(t, s))
	if merged.Missing != 0 {
		t.Fatalf("%d missing", merged.Missing)
	}
	return merged.lines()
}

// mustRun runs a sweep in a folder.
func mustRun(t testing.TB, s *Sweep, dir string, o Options) Account {
	t.Helper()
	return longtest.Must(Run(context.Background(), s, dir, o))(t)
}

// finished returns a disk in memory, with a folder in which a sweep is done.
func finished(t testing.TB, s *Sweep) *memory {
	t.Helper()
	m := newMemory(1)
	mustRun(t, s, "dir", Options{files: m, Workers: 1, group: -1})
	return m
}

// mergeOf returns what the folder of a sweep in memory holds.
func mergeOf(m *memory) (*Merged, error) { return mergeIn(sweptStudies(), m, []string{"dir"}) }

func mustMerge(t testing.TB, m *memory) *Merged {
	t.Helper()
	return longtest.Must(mergeOf(m))(t)
}

// acknowledged runs a sweep and returns the keys that it has acknowledged.
func acknowledged(s *Sweep, m *memory, o Options) (keys []Key, err error) {
	o.files = m
	o.group = -1
	o.Acknowledged = func(p Progress) {
		for _, r := range p.Results {
			keys = append(keys, r.Key)
		}
	}
	_, err = Run(context.Background(), s, "dir", o)
	return keys, err
}

// holds checks that every key has its result in the folder.
func holds(t *testing.T, s *Sweep, m *memory, keys []Key) {
	t.Helper()
	if len(keys) == 0 {
		return
	}
	merged, err := mergeOf(m)
	if err != nil {
		t.Fatalf("after %d acknowledged results: %v", len(keys), err)
	}
	there := map[Key]bool{}
	for _, r := range merged.Rows {
		there[s.Key(r.Cell)] = true
	}
	for _, k := range keys {
		if !there[k] {
			t.Fatalf("the acknowledged result of %v is lost", k)
		}
	}
}

// finishes checks that a run completes what is there, with the same rows and none twice.
func finishes(t *testing.T, s *Sweep, m *memory, want string) {
	t.Helper()
	longtest.Must(acknowledged(s, m, Options{Workers: 1}))(t)
	merged := mustMerge(t, m)
	if got := merged.lines(); got != want || merged.Missing != 0 {
		t.Fatalf("%d missing, rows\n%s\nwant\n%s", merged.Missing, got, want)
	}
	text := m.names["dir/shard-1-of-1.jsonl"].data
	if n := bytes.Count(text, []byte("\n")); n != s.Len()+1 {
		t.Fatalf("%d lines for %d cells", n, s.Len())
	}
}

// TestEveryFault makes each call of a run fail in turn: once, with the process ending, and for
// good, with the power.
func TestEveryFault(t *testing.T) {
	longtest.Only(t) // TestEveryFaultOfAnExtension has some of it
	s := mustSweep(t, small)
	want := reference(t, s)
	for _, dead := range []bool{false, true} {
		seen := map[string]bool{}
		for failAt := 1; ; failAt++ {
			m := newMemory(uint64(failAt))
			m.failAt = failAt
			m.dead = dead
			keys, err := acknowledged(s, m, Options{Workers: 1})
			if m.calls < failAt {
				if err != nil {
					t.Fatalf("no fault, and yet %v", err)
				}
				break
			}
			what := m.trace[failAt-1]
			seen[what] = true
			if !errors.Is(err, errFault) {
				t.Fatalf("call %d (%s) failed, and the run says %v", failAt, what, err)
			}
			if strings.HasSuffix(what, ".jsonl") && what != "close.jsonl" &&
				slices.Contains(m.trace[failAt:], "write.jsonl") {
				t.Fatalf("call %d (%s) failed, and results were written after it: %v", failAt, what,
					m.trace[failAt:])
			}
			for range powerCuts() {
				after := m.powerCut()
				holds(t, s, after, keys)
				finishes(t, s, after, want)
			}
			holds(t, s, m.restart(), keys)
			finishes(t, s, m, want)
		}
		for _, what := range strings.Fields(
			"mkdir names open append rename syncdir syncfile lock unlock write.new sync.new close.new " +
				"truncate.new write.jsonl sync.jsonl close.jsonl write.log close.log",
		) {
			if !seen[what] {
				t.Errorf("no %s has failed", what)
			}
		}
	}
}

// powerCuts is how often the power is cut after a fault; what survives is drawn anew each time.
func powerCuts() int { return longtest.Times(2, 5) }

// TestCountedAsFinished: what a run finds finished is there after a power cut, also if the run
// before it ended, or could not sync, before it had acknowledged it; in its own file as in those of
// other shards.
func TestCountedAsFinished(t *testing.T) {
	longtest.Only(t) // TestEveryFaultOfAnExtension has some of it
	s := mustSweep(t, small)
	for _, dead := range []bool{false, true} {
		for _, shard := range []Shard{{1, 1}, {1, 2}} {
			for failAt := 1; ; failAt++ {
				m := newMemory(uint64(failAt))
				m.failAt = failAt
				m.dead = dead
				// its failures are those of TestEveryFault
				acknowledged(s, m, Options{Workers: 1, Shard: shard})
				if m.calls < failAt {
					break
				}
				what := m.trace[failAt-1]
				m.restart()
				if _, err := acknowledged(s, m, Options{Workers: 1}); err != nil {
					t.Fatalf("shard %v, after call %d (%s) had failed: %v", shard, failAt, what, err)
				}
				for range powerCuts() {
					merged, err := mergeOf(m.powerCut())
					if err != nil || merged.Missing > 0 {
						t.Fatalf("shard %v, call %d (%s) failed, and a run that finished the sweep lost "+
							"something: %+v, %v",
							shard, failAt, what, merged, err)
					}
				}
			}
		}
	}
}

// TestAfterAFailure: a store that could not write or sync once does neither again.
func TestAfterAFailure(t *testing.T) {
	s := mustSweep(t, small)
	for _, what := range []string{"write.jsonl", "sync.jsonl"} {
		m := newMemory(1)
		st := longtest.Must(openStore(context.Background(), m, "dir", s, Shard{1, 1}, s.Len()))(t)
		results := []Result{{Key: s.Key(s.Cell(0)), Cell: s.Cell(0), Error: "x"}}
		m.failAt = m.calls + 1
		if what == "sync.jsonl" {
			m.failAt++
		}
		first := st.commit(results)
		if !errors.Is(first, errFault) || m.trace[m.failAt-1] != what ||
			m.trace[len(m.trace)-1] != "truncate.jsonl" {
			t.Fatalf("%s: %v", what, first)
		}
		calls := m.calls
		if again := st.commit(results); again != first || m.calls != calls {
			t.Errorf("%s failed, and then %v after %v", what, again, m.trace[calls:])
		}
		if err := st.appendLog([]byte("x")); err != first || m.calls != calls {
			t.Errorf("%s failed, and the log is written: %v", what, err)
		}
	}
}

// TestEveryFaultOfARepair does so for a run that begins with a torn line.
func TestEveryFaultOfARepair(t *testing.T) {
	longtest.Only(t)
	s := mustSweep(t, small)
	want := reference(t, s)
	whole := finished(t, s)
	for failAt := 1; ; failAt++ {
		m := whole.powerCut()
		f := m.names["dir/shard-1-of-1.jsonl"]
		f.data = f.data[:len(f.data)-len(f.data)/3]
		f.synced = bytes.Clone(f.data)
		kept := bytes.Count(f.data, []byte("\n")) - 1
		m.failAt, m.dead = failAt, failAt%2 == 0
		keys, err := acknowledged(s, m, Options{Workers: 1})
		if m.calls < failAt {
			if err != nil || len(keys) != s.Len()-kept {
				t.Fatalf("%v, %d results kept and %d solved", err, kept, len(keys))
			}
			return
		}
		after := m.powerCut()
		holds(t, s, after, keys)
		finishes(t, s, after, want)
	}
}

// step leaves most bytes out of runs that are not long. It has no factor in common with the bits of
// a byte, of which one after the other is changed.
func step() int {
	if !longtest.Enabled() {
		return 61
	}
	return longtest.Times(23, 1)
}

// TestEveryDamage changes each byte of a file of results: it is noticed, with the place, or was the
// last newline, and the file is left alone.
func TestEveryDamage(t *testing.T) {
	s := mustSweep(t, small)
	whole := finished(t, s)
	text := whole.names["dir/shard-1-of-1.jsonl"].data
	for n := 0; n < len(text); n += step() {
		damaged := bytes.Clone(text)
		damaged[n] ^= 1 << (n % 8)
		m := whole.powerCut()
		m.names["dir/shard-1-of-1.jsonl"] = &memoryFile{data: bytes.Clone(damaged)}
		_, err := acknowledged(s, m, Options{Workers: 1})
		if n == len(text)-1 {
			if err != nil {
				t.Fatalf("a torn line: %v", err)
			}
			continue
		}
		corrupt, ok := errors.AsType[*corruptError](err)
		line := bytes.Count(text[:n], []byte("\n")) + 1
		offset := bytes.LastIndexByte(text[:n], '\n') + 1
		if !ok || corrupt.Line != line || corrupt.Offset != int64(offset) ||
			corrupt.Path != "dir/shard-1-of-1.jsonl" {
			t.Fatalf("byte %d changed from %q to %q: %v; want line %d at %d", n, text[n], damaged[n], err,
				line, offset)
		}
		if !bytes.Equal(m.names["dir/shard-1-of-1.jsonl"].data, damaged) {
			t.Fatalf("byte %d: the file was not left alone", n)
		}
		if _, err := mergeOf(m); err == nil {
			t.Fatalf("byte %d: merged all the same", n)
		}
	}
}

// TestRemovedLock: who removes the lock file of a run under way does not get a second writer.
func TestRemovedLock(t *testing.T) {
	longtest.Only(t)
	s := mustSweep(t, small)
	dir := t.TempDir()
	st := longtest.Must(openStore(context.Background(), disk{}, dir, s, Shard{1, 1}, s.Len()))(t)
	if err := os.Remove(filepath.Join(dir, "shard-1-of-1.lock")); err != nil {
		t.Skip(err) // Windows keeps it
	}
	_, err := Run(context.Background(), s, dir, Options{})
	if _, refused := errors.AsType[Refusal](err); !refused ||
		!strings.Contains(err.Error(), "shard 1/1 of "+dir+" is being written by another process") {
		t.Errorf("a second writer: %v", err)
	}
	longtest.NoError(t, st.close())
	longtest.Must(Run(context.Background(), s, dir, Options{}))(t)
}

// TestNotOurs: a file of results that does not begin like one is left alone, as is a folder without
// a manifest.
func TestNotOurs(t *testing.T) {
	longtest.Only(t)
	s := mustSweep(t, small)
	dir := t.TempDir()
	path := filepath.Join(dir, "shard-1-of-1.jsonl")
	longtest.NoError(t, os.WriteFile(path, []byte("precious"), 0o644))
	_, err := Run(context.Background(), s, dir, Options{})
	if _, refused := errors.AsType[Refusal](err); !refused ||
		!strings.Contains(err.Error(), "shard-1-of-1.jsonl but no manifest manifest.json") {
		t.Errorf("without a manifest: %v", err)
	}
	longtest.Refuses(os.Stat(filepath.Join(dir, manifestName)))(t, "no such file", "the folder was claimed")
	longtest.NoError(t, writeManifest(disk{}, dir, manifestName, s))
	_, err = Run(context.Background(), s, dir, Options{})
	if corrupt, ok := errors.AsType[*corruptError](err); !ok || corrupt.Path != path || corrupt.Line != 1 {
		t.Errorf("no beginning of a header: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "precious" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}
