package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Specifications of which the second has cells of the first, lacks others, and has new ones.
const (
	beforeExtension = "[grid]\ntoy=['barrier:3x3', 'random:1:0:2x2']\nT=[2, 3]\n"
	afterExtension  = "[zip]\ntoy=['random:1:0:2x2', 'random:1:0:2x2', 'random:1:1:2x2']\nT=[3, 4, 3]\n"
)

// TestExtend: a folder that is extended keeps the results of cells that both sweeps have, solves the others, and merges as a new one does.
// It can be extended back, and nothing is solved again.
func TestExtend(t *testing.T) {
	ctx := context.Background()
	old, now := mustSweep(t, beforeExtension), mustSweep(t, afterExtension)
	m := newMemory(1)
	if e, err := extend(ctx, m, "dir", old); e != nil || err != nil {
		t.Fatalf("an empty folder: %v, %v", e, err)
	}
	for _, shard := range []Shard{{1, 2}, {2, 2}} {
		if _, err := Run(ctx, old, "dir", Options{files: m, Shard: shard}); err != nil {
			t.Fatal(err)
		}
	}
	if e, err := extend(ctx, m, "dir", old); e != nil || err != nil {
		t.Fatalf("the same sweep: %v, %v", e, err)
	}
	_, err := Run(ctx, now, "dir", Options{files: m})
	if _, refused := errors.AsType[Refusal](err); !refused || !strings.Contains(err.Error(), "an extension") {
		t.Fatalf("without an extension: %v", err)
	}
	e, err := extend(ctx, m, "dir", now)
	if err != nil || e.Kept != 1 || e.New != 2 || e.Gone != 3 || e.First.Get("toy") != "barrier:3x3" {
		t.Fatalf("%+v, %v", e, err)
	}
	account, err := Run(ctx, now, "dir", Options{files: m, Shard: Shard{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	other, err := Run(ctx, now, "dir", Options{files: m})
	if err != nil || account.Solved+other.Solved != 2 {
		t.Errorf("%+v and %+v, %v; two cells are new", account, other, err)
	}
	merged, err := merge(m, []string{"dir"})
	if err != nil || merged.Missing != 0 || merged.lines() != reference(t, now) {
		t.Errorf("%v, %d missing, rows\n%s\nwant\n%s", err, merged.Missing, merged.lines(), reference(t, now))
	}
	if e, err := extend(ctx, m, "dir", old); err != nil || e.Kept != 1 || e.New != 3 || e.Gone != 2 {
		t.Errorf("back: %+v, %v", e, err)
	}
	if back, err := Run(ctx, old, "dir", Options{files: m}); err != nil || back.Solved != 0 || back.Finished != 4 {
		t.Errorf("back: %+v, %v", back, err)
	}
	if merged, err := merge(m, []string{"dir"}); err != nil || merged.lines() != reference(t, old) {
		t.Errorf("back: %v, rows\n%s", err, merged.lines())
	}
}

// TestExtendAnotherStudy: results of one study are of no use to another.
func TestExtendAnotherStudy(t *testing.T) {
	m := newMemory(1)
	old, now := mustSweep(t, beforeExtension), mustSweep(t, "study='logweights'\n"+beforeExtension)
	if _, err := Run(context.Background(), old, "dir", Options{files: m}); err != nil {
		t.Fatal(err)
	}
	before := slices.Sorted(maps.Keys(m.names))
	_, err := extend(context.Background(), m, "dir", now)
	if _, refused := errors.AsType[Refusal](err); !refused || !strings.Contains(err.Error(), "holds a sweep of the study tightness, which one of the study logweights cannot go on from") {
		t.Errorf("%v", err)
	}
	if after := slices.Sorted(maps.Keys(m.names)); !slices.Equal(before, after) {
		t.Errorf("files %v became %v", before, after)
	}
}

// TestEveryFaultOfAnExtension makes each call of an extension and of the run behind it fail in turn, and cuts the power: the folder
// then holds the one sweep or the other with all its results, and the extension can be done again.
func TestEveryFaultOfAnExtension(t *testing.T) {
	ctx := context.Background()
	old, now := mustSweep(t, beforeExtension), mustSweep(t, afterExtension)
	wantOld, wantNow := reference(t, old), reference(t, now)
	for failAt := 1; ; failAt++ {
		m := newMemory(uint64(failAt))
		if _, err := Run(ctx, old, "dir", Options{files: m, Workers: 1}); err != nil {
			t.Fatal(err)
		}
		m.calls, m.failAt, m.dead = 0, failAt, true
		_, err := extend(ctx, m, "dir", now)
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
			merged, err := merge(after, []string{"dir"})
			if err != nil {
				t.Fatalf("call %d: %v", failAt, err)
			}
			if merged.Sweep.id == old.id && merged.lines() != wantOld {
				t.Fatalf("call %d: the old sweep has lost results:\n%s", failAt, merged.lines())
			}
			if merged.Sweep.id == now.id && !strings.Contains(merged.lines(), strings.SplitN(wantNow, "\n", 2)[0]) {
				t.Fatalf("call %d: the new sweep has lost what the old one had:\n%s", failAt, merged.lines())
			}
			if _, err := extend(ctx, after, "dir", now); err != nil {
				t.Fatalf("call %d: %v", failAt, err)
			}
			if _, err := Run(ctx, now, "dir", Options{files: after, Workers: 1}); err != nil {
				t.Fatalf("call %d: %v", failAt, err)
			}
			if merged, err = merge(after, []string{"dir"}); err != nil || merged.lines() != wantNow {
				t.Fatalf("call %d: %v\n%s", failAt, err, merged.lines())
			}
		}
	}
}

// TestDamageOfAnExtension: results of cells that are gone are read as strictly as others, and manifests too.
func TestDamageOfAnExtension(t *testing.T) {
	ctx := context.Background()
	old, now := mustSweep(t, beforeExtension), mustSweep(t, afterExtension)
	extended := func() *memory {
		m := newMemory(1)
		if _, err := Run(ctx, old, "dir", Options{files: m, Workers: 1}); err != nil {
			t.Fatal(err)
		}
		if _, err := extend(ctx, m, "dir", now); err != nil {
			t.Fatal(err)
		}
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
		"no old manifest":              {func(m *memory) { delete(m.names, kept) }, "holds results of another sweep"},
		"an old manifest that changed": {func(m *memory) { m.names[kept].data[len(m.names[kept].data)/2]++ }, kept},
		"an old manifest of another name": {func(m *memory) {
			m.names["dir/"+earlierName(Key{1})] = m.names[kept]
		}, "give it back its name"},
	} {
		m := extended()
		what += fmt.Sprintf(" (%v)", now.id)
		c.spoil(m)
		_, byMerge := merge(m, []string{"dir"})
		_, byRun := Run(ctx, now, "dir", Options{files: m})
		if byMerge == nil || byRun == nil || byMerge.Error() != byRun.Error() || !strings.Contains(byRun.Error(), c.want) {
			t.Errorf("%s: run says %v and merge %v", what, byRun, byMerge)
		}
	}
}
