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

// Specifications of which the second has cells of the first, lacks others, and has new ones.
const (
	beforeExtension = "[grid]\ntoy=['barrier:3x3', 'random:1:0:2x2']\nT=[2, 3]\n"
	afterExtension  = "[zip]\ntoy=['random:1:0:2x2', 'random:1:0:2x2', 'random:1:1:2x2']\nT=[3, 4, 3]\n"
)

// TestExtend: a folder that is extended keeps the results of cells that both sweeps have, solves
// the others, and merges as a new one does. It can be extended back, and nothing is solved again.
func TestExtend(t *testing.T) {
	ctx := context.Background()
	old := mustSweep(t, beforeExtension)
	now := mustSweep(t, afterExtension)
	m := newMemory(1)
	if e, err := extendIn(ctx, m, "dir", old); e != nil || err != nil {
		t.Fatalf("an empty folder: %v, %v", e, err)
	}
	for _, shard := range []Shard{{1, 2}, {2, 2}} {
		mustRun(t, old, "dir", Options{files: m, Shard: shard})
	}
	if e, err := extendIn(ctx, m, "dir", old); e != nil || err != nil {
		t.Fatalf("the same sweep: %v, %v", e, err)
	}
	_, err := Run(ctx, now, "dir", Options{files: m})
	if _, refused := errors.AsType[Refusal](err); !refused || !strings.Contains(err.Error(), "an extension") {
		t.Fatalf("without an extension: %v", err)
	}
	longtest.Refuses(extendIn(ctx, m, "dir", mustSweep(t, "study='weights'\n"+beforeExtension)))(t,
		"holds a sweep of the study tightness; a sweep of the study weights cannot extend it")
	e, err := extendIn(ctx, m, "dir", now)
	if err != nil || e.Kept != 1 || e.New != 2 || e.Gone != 3 || e.First.Get("toy") != "barrier:3x3" {
		t.Fatalf("%+v, %v", e, err)
	}
	account := longtest.Must(Run(ctx, now, "dir", Options{files: m, Shard: Shard{1, 2}}))(t)
	other, err := Run(ctx, now, "dir", Options{files: m})
	if err != nil || account.Solved+other.Solved != 2 {
		t.Errorf("%+v and %+v, %v; two cells are new", account, other, err)
	}
	merged, err := mergeOf(m)
	if err != nil || merged.Missing != 0 || merged.lines() != reference(t, now) {
		t.Errorf("%v, %d missing, rows\n%s\nwant\n%s", err, merged.Missing, merged.lines(), reference(t, now))
	}
	if e, err := extendIn(ctx, m, "dir", old); err != nil || e.Kept != 1 || e.New != 3 || e.Gone != 2 {
		t.Errorf("back: %+v, %v", e, err)
	}
	if back, err := Run(ctx, old, "dir", Options{files: m}); err != nil || back.Solved != 0 ||
		back.Finished != 4 {
		t.Errorf("back: %+v, %v", back, err)
	}
	if merged, err := mergeOf(m); err != nil || merged.lines() != reference(t, old) {
		t.Errorf("back: %v, rows\n%s", err, merged.lines())
	}
}

// TestEveryFaultOfAnExtension makes each call of an extension and of the run behind it fail in
// turn, and cuts the power: the folder then holds the one sweep or the other with all its results,
// and the extension can be done again.
func TestEveryFaultOfAnExtension(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	old := mustSweep(t, beforeExtension)
	now := mustSweep(t, afterExtension)
	wantOld := reference(t, old)
	wantNow := reference(t, now)
	for failAt := 1; ; failAt++ {
		m := newMemory(uint64(failAt))
		mustRun(t, old, "dir", Options{files: m, Workers: 1})
		m.calls = 0
		m.failAt = failAt
		m.dead = true
		_, err := extendIn(ctx, m, "dir", now)
		if err == nil {
			_, err = Run(ctx, now, "dir", Options{files: m, Workers: 1, group: -1})
		}
		if m.calls < failAt {
			if err != nil {
				t.Fatalf("no fault, and yet %v", err)
			}
			break
		}
		for range powerCuts() {
			after := m.powerCut()
			merged, err := mergeOf(after)
			if err != nil {
				t.Fatalf("call %d: %v", failAt, err)
			}
			if merged.Sweep.id == old.id && merged.lines() != wantOld {
				t.Fatalf("call %d: the old sweep has lost results:\n%s", failAt, merged.lines())
			}
			if merged.Sweep.id == now.id &&
				!strings.Contains(merged.lines(), strings.SplitN(wantNow, "\n", 2)[0]) {
				t.Fatalf("call %d: the new sweep has lost what the old one had:\n%s", failAt, merged.lines())
			}
			if _, err := extendIn(ctx, after, "dir", now); err != nil {
				t.Fatalf("call %d: %v", failAt, err)
			}
			if _, err := Run(ctx, now, "dir", Options{files: after, Workers: 1}); err != nil {
				t.Fatalf("call %d: %v", failAt, err)
			}
			merged, err = mergeOf(after)
			if err != nil || merged.lines() != wantNow {
				t.Fatalf("call %d: %v\n%s", failAt, err, merged.lines())
			}
		}
	}
}

// TestDamageOfAnExtension: results of cells that are gone are read as strictly as others, and
// manifests too.
func TestDamageOfAnExtension(t *testing.T) {
	ctx := context.Background()
	old := mustSweep(t, beforeExtension)
	now := mustSweep(t, afterExtension)
	extended := func() *memory {
		m := newMemory(1)
		mustRun(t, old, "dir", Options{files: m, Workers: 1})
		longtest.Must(extendIn(ctx, m, "dir", now))(t)
		return m
	}
	kept := "dir/" + earlierName(old.id)
	for what, c := range map[string]struct {
		spoil func(m *memory)
		want  string
	}{
		"a digit of a result that is gone": {func(m *memory) {
			f := m.names["dir/shard-1-of-1.jsonl"]
			at := bytes.Index(f.data, []byte(`"toy":"barrier:3x3"`))
			f.data[at+len(`"toy":"barrier:`)] = '4'
		}, "is damaged"},
		"no old manifest": {
			func(m *memory) { delete(m.names, kept) }, "holds results of another sweep"},
		"an old manifest that changed": {
			func(m *memory) { m.names[kept].data[len(m.names[kept].data)/2]++ }, kept},
		"an old manifest of another name": {
			func(m *memory) { m.names["dir/"+earlierName(Key{1})] = m.names[kept] }, "rename it back"},
	} {
		m := extended()
		what += fmt.Sprintf(" (%v)", now.id)
		c.spoil(m)
		_, byMerge := mergeOf(m)
		_, byRun := Run(ctx, now, "dir", Options{files: m})
		if byMerge == nil || byRun == nil || byMerge.Error() != byRun.Error() ||
			!strings.Contains(byRun.Error(), c.want) {
			t.Errorf("%s: run says %v and merge %v", what, byRun, byMerge)
		}
	}
}

// TestResultFiles: a folder that was extended has the manifests of both sweeps and the files of its
// shards, and what is no sweep has none.
func TestResultFiles(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	dir := t.TempDir()
	if got := ResultFiles(dir); got != nil {
		t.Errorf("an empty folder holds %v", got)
	}
	old := mustSweep(t, beforeExtension)
	now := mustSweep(t, afterExtension)
	for i, s := range []*Sweep{old, now} {
		if i > 0 {
			longtest.Must(Extend(ctx, dir, s))(t)
		}
		mustRun(t, s, dir, Options{Shard: Shard{i + 1, 2}, Version: "v1.2.3"})
	}
	want := []string{earlierName(old.id), manifestName, "shard-1-of-2.jsonl", "shard-2-of-2.jsonl"}
	for i, name := range want {
		want[i] = filepath.Join(dir, name)
	}
	if got := ResultFiles(dir); !slices.Equal(got, want) {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
	log, err := os.ReadFile(filepath.Join(dir, "shard-1-of-2.log"))
	if err != nil || bytes.Count(log, []byte("\n")) == 0 ||
		bytes.Count(log, []byte("\n")) != bytes.Count(log, []byte(`"version":"v1.2.3"`)) {
		t.Errorf("the log does not say by which version cells were solved: %v, %s", err, log)
	}
}

// TestWhatHasChanged: of long lists that begin alike an error names what is new and what is gone,
// and short ones it writes out.
func TestWhatHasChanged(t *testing.T) {
	seeds := func(from, to int) (out []string) {
		for i := from; i <= to; i++ {
			out = append(out, fmt.Sprint("s", i))
		}
		return out
	}
	turned := seeds(0, 9)
	slices.Reverse(turned)
	for _, c := range []struct {
		was, is []string
		want    string
	}{
		{seeds(0, 1), seeds(0, 2), "was s0,s1 and is s0,s1,s2"},
		{nil, seeds(0, 9), "was not there and is s0,s1,s2,s3,s4,s5,s6,s7,... (10 values)"},
		{seeds(0, 199), seeds(0, 200), "had 200 values and has 201: new is s200"},
		{seeds(0, 9), seeds(1, 8), "had 10 values and has 8: gone is s0,s9"},
		{seeds(0, 9), seeds(1, 10), "had 10 values and has 10: new is s10, and gone is s0"},
		{seeds(0, 9), seeds(0, 29),
			"had 10 values and has 30: new is s10,s11,s12,s13,s14,s15,s16,s17,... (20 values)"},
		{seeds(0, 9), turned, "has the same 10 values in another order"},
	} {
		if got := change(c.was, c.is); got != c.want {
			t.Errorf("%v and %v: %s, want %s", c.was, c.is, got, c.want)
		}
	}
}
