package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestAIDEColumns: the rows have the columns that are promised, in their order, and published values.
func TestAIDEColumns(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	stdout, _ := ok(t, "aide", "--toy", "barrier", "-T", "100", "--meta", "1,10", "--runs", "20", "--format", "csv")
	header, _, _ := strings.Cut(stdout, "\n")
	const want = "toy,T,path,initial,schedule,kernel,target,gold,meta,gold_meta,J,mean,sd,bias,upper_half,lower_half," +
		"kl_q_p_lower,kl_q_p_upper,kl_p_q_upper,method,estimate,standard_error,z,note"
	if header != want {
		t.Errorf("columns %s", header)
	}
	rows := rowsOf(t, "aide", "--toy", "barrier", "-T", "100", "--meta", "1,10")
	for i, mean := range []float64{1.81043263447226741, 1.67130464160291365} {
		if got := rows[i]["mean"].(float64); math.Abs(got-mean) > 1e-12 {
			t.Errorf("mean %v, want %v", got, mean)
		}
	}
}

// TestAIDEWithoutFirstTrace: the faulty variant says that it is none.
func TestAIDEWithoutFirstTrace(t *testing.T) {
	_, stderr := ok(t, "aide", "--toy", "random:1:0:3", "-T", "3", "--without-first-trace")
	if !strings.Contains(stderr, "these are not AIDE") {
		t.Error(stderr)
	}
}

// TestAIDEStudy: a study writes its table and its figures.
func TestAIDEStudy(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	stdout, _ := ok(t, "aide", "study", "hmm", "--meta", "1", "--out", dir, "--format", "csv")
	if header, _, _ := strings.Cut(stdout, "\n"); !strings.HasPrefix(header, "study,algorithm,particles,rejuvenate,gold,meta,J,mean,sd,lml_error,probe,method,") {
		t.Errorf("columns %s", header)
	}
	hasParts(t, dir, ".csv", "hmm.svg", "hmm_marginals.svg")
}

// TestAIDECheck: the exit code is 0 for an algorithm that is right, and 1 for a kernel that does not leave the target invariant.
func TestAIDECheck(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
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
	code, _, stderr := command(t, "aide", "check", "smc:2", "--toy", "file:"+filepath.Join(dir, "g.csv"), "-T", "3", "--kernel", "matrix:"+filepath.Join(dir, "k{t}.csv"))
	if code != exitFault {
		t.Errorf("a kernel that is wrong: exit code %d, %s", code, stderr)
	}
}
