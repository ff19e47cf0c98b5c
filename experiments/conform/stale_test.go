package conform_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/conform"
	"breadboard/grid/longtest"
)

// TestCheckFolder: a folder may be written again, and may hold other files, but not an array of another task that stays.
func TestCheckFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]*")
	files := []conform.File{{Name: "logf.npy"}, {Name: "kernel.npy"}}
	if err := conform.CheckFolder(dir, files); err != nil {
		t.Errorf("a folder that does not exist: %v", err)
	}
	put := func(name string) {
		t.Helper()
		longtest.NoError(t, os.MkdirAll(dir, 0o777))
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	for _, name := range []string{"logf.npy", "kernel.npy", "fwd.npy", "my_ais.py", "needs.txt"} {
		put(name)
	}
	if err := conform.CheckFolder(dir, files); err != nil {
		t.Errorf("the same task again: %v", err)
	}
	for _, name := range []string{"logf_stages.npy", "reversal_2.npy", "neighbours.csv", "example.json"} {
		put(name)
		if err := conform.CheckFolder(dir, files); err == nil || !strings.Contains(err.Error(), name+", which seems to be of another task") {
			t.Errorf("%s: %v", name, err)
		}
		longtest.NoError(t, os.Remove(filepath.Join(dir, name)))
	}
}

// TestCheckFolderKnowsEveryName: each file of a task but those that every task has is missed where another task leaves it.
func TestCheckFolderKnowsEveryName(t *testing.T) {
	longtest.NotShort(t)
	middle := filepath.Join(t.TempDir(), "mine.csv")
	writeFile(t, middle, "1,2\n3,4\n")
	always := []string{"task.json", "betas.csv", "logf.csv", "logf.json", "logf.npy", "skeleton.py", "skeleton_numpy.py", "README.md"}
	for _, change := range []func(*experiments.Selection){
		func(*experiments.Selection) {},
		func(s *experiments.Selection) { s.Initial, s.Kernel = "file:"+middle, "compose:metropolis+barker" },
		func(s *experiments.Selection) { s.Path = "via:" + middle },
		func(s *experiments.Selection) { s.Toys, s.Distributions = []string{"random:1:0:30x30"}, []int{20} }, // not all matrices fit
	} {
		s := selection("random:1:0:2x2", 3)
		change(&s)
		files := longtest.Must(mustNew(t, s).Files(context.Background()))(t)
		for _, f := range files {
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, f.Name), "")
			if err := conform.CheckFolder(dir, nil); (err == nil) != slices.Contains(always, f.Name) {
				t.Errorf("%s is left where it is: %v", f.Name, err)
			}
		}
	}
}
