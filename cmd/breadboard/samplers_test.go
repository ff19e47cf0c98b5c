package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// schoolsFiles are the four chains of eight schools in testdata, in the form of CmdStan's files.
func schoolsFiles() (paths []string) {
	for k := range 4 {
		paths = append(paths, fmt.Sprintf("testdata/schools_%d.csv", k+1))
	}
	return paths
}

// posterior are the numbers of R's package posterior 1.4.0 for these chains.
func posterior() map[string]map[string]float64 {
	return map[string]map[string]float64{
		"lp__": {
			"mean": -16.826169, "sd": 4.6557791518899316, "mcse_mean": 1.0709493046552596, "mcse_sd": 0.37909014138186437, "ess_basic": 27.222880313663023,
			"ess_mean": 18.899352100268075,
			"ess_bulk": 15.973161296656462, "ess_tail": 22.426164210028009, "rhat_basic": 1.0385408677072978, "rhat_split": 1.1453484243205889,
			"rhat_rank": 1.1789192304962115,
		},
		"mu": {
			"mean": 4.1735492855, "sd": 3.2273262603548365, "mcse_mean": 0.26114241422555007, "mcse_sd": 0.18071778296861141, "ess_basic": 133.54310283375716,
			"ess_mean": 152.73230778834278,
			"ess_bulk": 156.91451635999707, "ess_tail": 233.54013573725672, "rhat_basic": 1.0134766803353661, "rhat_split": 1.0118696821359556,
			"rhat_rank": 1.0240543002537963,
		},
		"tau": {
			"mean": 4.5347733249999997, "sd": 2.9771404574010996, "mcse_mean": 0.39996858403459951, "mcse_sd": 0.37688679699666633,
			"ess_basic": 58.28189870816631, "ess_mean": 55.404735768884748,
			"ess_bulk": 27.527912359370841, "ess_tail": 39.111460998902658, "rhat_basic": 1.0094470387306158, "rhat_split": 1.0502699598298606,
			"rhat_rank": 1.1057793780749927,
		},
	}
}

// TestSamplersDiagnoseFiles: the numbers of CmdStan's files are those of R's package posterior, the
// same chains as coda's files and as one table in another order have the same, and a target adds
// what is exact.
func TestSamplersDiagnoseFiles(t *testing.T) {
	longtest.Only(t)
	stdout, stderr := ok(t, append([]string{"samplers", "diagnose", "--format", "json"}, schoolsFiles()...)...)
	rows := parseRows(t, stdout)
	if len(rows) != 3 || !strings.Contains(stderr, "4 chains of 100 draws in each: testdata/schools_1.csv") ||
		!strings.Contains(stderr, "6 of 400 transitions diverged") {
		t.Fatalf("%d rows, %s", len(rows), stderr)
	}
	for _, r := range rows {
		for name, want := range posterior()[r["variable"].(string)] {
			if got := r[name].(float64); !(math.Abs(got/want-1) <= 1e-12) {
				t.Errorf("%s of %s is %v, and posterior has %v", name, r["variable"], got, want)
			}
		}
		if r["exact_mean"] != nil || r["toy"] != nil || r["essd"] != nil {
			t.Errorf("%v", r)
		}
	}
	dir := t.TempDir()
	asCoda(t, dir)
	coda, _ := ok(t, "samplers", "diagnose", "--format", "json", filepath.Join(dir, "CODAindex.txt"))
	table, _ := ok(t, "samplers", "diagnose", "--format", "json", filepath.Join(dir, "table.csv"))
	forms := map[string]string{"coda": coda, "a table": table}
	text := string(longtest.Must(os.ReadFile(filepath.Join(dir, "table.csv")))(t))
	for i, names := range []string{`"chain__","iter__","draw__"`, `"CHAIN","ITER","Iteration"`, `"run",".iteration",".draw"`} {
		path, chain := filepath.Join(dir, fmt.Sprintf("table%d.csv", i)), []string{}
		writeFile(t, path, strings.Replace(text, `".chain",".iteration",".draw"`, names, 1))
		if i == 2 {
			chain = []string{"--chain-column", "run"}
			if _, stderr := ok(t, "samplers", "diagnose", path); !strings.Contains(stderr, "if it tells chains apart, give --chain-column run") {
				t.Error(stderr)
			}
		}
		forms[names], _ = ok(t, append([]string{"samplers", "diagnose", "--format", "json", path}, chain...)...)
	}
	for form, text := range forms {
		for _, r := range parseRows(t, text) {
			if got, want := r["rhat_rank"].(float64), posterior()[r["variable"].(string)]["rhat_rank"]; !(math.Abs(got/want-1) <= 1e-12) {
				t.Errorf("%s: R-hat of %s is %v, want %v", form, r["variable"], got, want)
			}
		}
	}
	stdout, stderr = ok(t, append([]string{"samplers", "diagnose", "--format", "json", "--toy", "schools"}, schoolsFiles()...)...)
	if !strings.Contains(stderr,
		"mu: 400 of 400 draws are not among the 31 values of mu under schools, from -14.35 to 24.35; the exact mean is that of these values") {
		t.Error(stderr)
	}
	exact := parseRows(t, stdout)
	errors, _ := ok(t, "samplers", "diagnose", "--toy", "schools", "--kernel", "heatbath", "--function", "tau", "--start", "target", "-N", "50",
		"--chains", "2", "--format", "json")
	if truth := parseRows(t, errors)[0]; exact[2]["function"] != truth["function"] || exact[0]["exact_mean"] != nil {
		t.Errorf("%v", exact[2])
	}
	r := exact[2]
	if got, want := r["mean_error"].(float64), (r["mean"].(float64)-r["exact_mean"].(float64))/r["mcse_mean"].(float64); math.Abs(got-want) > 1e-12 ||
		math.Abs(r["exact_mean"].(float64)-3.6340487184126156) > 1e-12 {
		t.Errorf("%v: the error is %v, want %v", r, got, want)
	}
}

// asCoda writes mu and tau of the chains as coda's files and as a table of R's package posterior
// into a folder.
func asCoda(t *testing.T, dir string) {
	t.Helper()
	table := "\"tau\",\".chain\",\".iteration\",\".draw\",\"mu\"\n"
	for k, path := range schoolsFiles() {
		text := string(longtest.Must(os.ReadFile(path))(t))
		var mu, tau strings.Builder
		i := 0
		for line := range strings.Lines(text) {
			cells := strings.Split(strings.TrimSpace(line), ",")
			if len(cells) != 9 || cells[0] == "lp__" || line[0] == '#' {
				continue
			}
			i++
			fmt.Fprintf(&mu, "%d  %s\n", 300+i, cells[7])
			fmt.Fprintf(&tau, "%d  %s\n", 300+i, cells[8])
			table += fmt.Sprintf("%s,%d,%d,%d,%s\n", cells[8], k+1, i, 100*k+i, cells[7])
		}
		writeFile(t, filepath.Join(dir, fmt.Sprintf("CODAchain%d.txt", k+1)), tau.String()+mu.String())
	}
	writeFile(t, filepath.Join(dir, "CODAindex.txt"), "mu 101 200\ntau 1 100\n")
	writeFile(t, filepath.Join(dir, "table.csv"), table)
}
