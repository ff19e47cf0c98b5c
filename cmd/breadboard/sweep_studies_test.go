package main

import (
	"strings"
	"testing"

	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/views"
)

const aisSweep = `study = "ais"
[grid]
toy = ["barrier:3x3"]
T = [2, 20]
chains = [50, 500]
[[case]]
toy = "easy"
T = 3
chains = 50
`

// TestSweepOfAnotherStudy: plan, run, status, merge, plot and submit work with a study that has
// parameters of its own, and merge gives the same bytes for any shards.
func TestSweepOfAnotherStudy(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	path, dir, parts := spec(t, aisSweep), t.TempDir(), t.TempDir()
	if cells, _ := ok(t, "sweep", "plan", path, "--cells", "--set", "chains=1e2,7", "--format", "csv"); !strings.HasPrefix(cells,
		"toy,T,path,initial,schedule,kernel,chains,seed,key\n") || !strings.Contains(cells, ",100,1,") {
		t.Error(cells)
	}
	ok(t, "sweep", "plan", path)
	ok(t, "sweep", "run", path, "--out", dir, "--workers", "1")
	for _, shard := range []string{"2/2", "1/2"} {
		ok(t, "sweep", "run", path, "--out", parts, "--shard", shard)
	}
	csv, _ := ok(t, "sweep", "merge", dir, "--format", "csv")
	if shards, _ := ok(t, "sweep", "merge", parts, "--format", "csv"); shards != csv {
		t.Errorf("shards merge as\n%s\nand the whole as\n%s", shards, csv)
	}
	if status, _ := ok(t, "sweep", "status", parts); !strings.Contains(status, "complete") {
		t.Error(status)
	}
	// The numbers are those of the command.
	direct, _ := ok(t, "ais", "--toy", "barrier:3x3", "-T", "20", "--chains", "500", "--format", "csv")
	for _, line := range strings.Split(direct, "\n") {
		if fields := strings.Split(line, ","); len(fields) > 8 && fields[6] == "B" && !strings.Contains(csv, ","+fields[7]+","+fields[8]+","+fields[9]+",") {
			t.Errorf("the sweep has not what ais says: %s\n%s", line, csv)
		}
	}
	figures := t.TempDir()
	ok(t, "sweep", "plot", dir, "--x", "chains", "--y", "B_z", "--facet", "T", "--where", "toy=barrier:3x3", "--out", figures)
	hasParts(t, figures, "B_z_against_chains.svg")
	ok(t, "sweep", "plot", dir, "--out", figures)
	hasParts(t, figures, "J_against_T.svg")
	says(t, exitBadInput, `unknown measure "kl_q_p"`, "sweep", "plot", dir, "--y", "kl_q_p", "--out", figures)
	if scripts, _ := ok(t, "sweep", "submit", "--slurm", path, "--shards", "2", "--out", dir); !strings.Contains(scripts, "--array=1-2") {
		t.Error(scripts)
	}
	says(t, exitBadInput, "its study was ais and is tightness", "sweep", "run", spec(t, strings.Replace(sweepText, "100000", "10", 1)), "--out", dir)
}

// TestSweepOfFactors: a sweep takes problems whose states are not listed beside others, and has the
// numbers of the command.
func TestSweepOfFactors(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	path, dir := spec(t,
		"study = \"success\"\n[grid]\ntoy = [\"ising:{5x5,6x6}:0.6\", \"cold=ising:5x6:2\", \"easy\"]\nkernel = [\"flip\", \"heatbath-scan\"]\nT = [20]\nchains = [50]\n"),
		t.TempDir()
	if plan, _ := ok(t, "sweep", "plan", path, "--format", "csv"); !strings.Contains(plan, "\n8,8,0,49,") {
		t.Error(plan)
	}
	ok(t, "sweep", "run", path, "--out", dir)
	cells, _ := ok(t, "sweep", "merge", dir, "--format", "csv", "--columns", "toy,kernel,p_seen,tts")
	direct, _ := ok(t, "success", "--toy", "ising:5x5:0.6,ising:6x6:0.6,cold=ising:5x6:2,easy", "--kernel", "flip,heatbath-scan", "-T", "20", "--chains",
		"50", "--format", "csv", "--columns", "toy,kernel,p_seen,tts")
	for _, line := range strings.Split(direct, "\n") {
		if line = strings.Replace(line, "cold,", "cold=ising:5x6:2,", 1); !strings.Contains(cells, line) {
			t.Errorf("the sweep has not %s:\n%s", line, cells)
		}
	}
	if strings.Count(cells, "\n") != 9 {
		t.Error(cells)
	}
}

// TestHelpNamesTheStudies: help lists every study with its parameters and values.
func TestHelpNamesTheStudies(t *testing.T) {
	for _, args := range [][]string{{"sweep", "--help"}, {"sweep", "run", "--help"}, {"sweep", "plot", "--help"}} {
		help, _ := ok(t, args...)
		help = strings.Join(strings.Fields(help), " ") // lines are broken between words
		for _, s := range views.Sweeps() {
			for _, name := range append(append(subject.Names(s.Parameters), s.ValueNames()...), s.Name+": "+s.Answers) {
				if !strings.Contains(help, name) {
					t.Errorf("%v does not name %s of %s", args, name, s.Name)
				}
			}
		}
	}
}
