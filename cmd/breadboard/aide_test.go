package main

import (
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestAIDECheck: the exit code is 0 for an algorithm that is right, and 1 for a kernel that does
// not leave the target invariant.
func TestAIDECheck(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	for _, args := range []string{"ais", "smc:2:stratified:0.9", "mh:2 --toy random:2:1:2x2 --kernel suwa-todo", "sir:2"} {
		for _, row := range rowsOf(t, append([]string{"aide", "check"}, strings.Fields(args)...)...) {
			if v := row["verdict"]; v != "pass" && v != "note" {
				t.Errorf("%s: %v", args, row)
			}
		}
	}
	dir, half := t.TempDir(), strings.Repeat("0.5000000000000000,0.5000000000000000\n", 2)
	for name, text := range map[string]string{"g.csv": "0,1\n", "k2.csv": half, "k3.csv": half} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	code, _, stderr := command(t, "aide", "check", "smc:2", "--toy", "file:"+filepath.Join(dir, "g.csv"), "-T", "3", "--kernel", "matrix:"+
		filepath.Join(dir, "k{t}.csv"))
	if code != exitFault {
		t.Errorf("a kernel that is wrong: exit code %d, %s", code, stderr)
	}
}
