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

// TestNotesOfColumns: a note about a column is shown beside it alone, and codes that no file of
// draws has are refused.
func TestNotesOfColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "two.csv")
	writeFile(t, path, "a\n0\n1\n0\n1\n1\n")
	const about = "ess_tail is empty"
	for _, c := range []struct {
		args  string
		noted bool
	}{{"", false}, {"--columns variable,mean", false}, {"--format csv", true}, {"--format csv --columns variable,ess_bulk", false}} {
		_, stderr := ok(t, append([]string{"samplers", "diagnose", path}, strings.Fields(c.args)...)...)
		if strings.Contains(stderr, about) != c.noted || strings.Contains(stderr, "only the R-hat of its halves") != c.noted {
			t.Errorf("%s: %s", c.args, stderr)
		}
	}
	refuses(t, "--base counts the states of a target", "samplers", "diagnose", path, "--base", "1")
	refuses(t, "--map says how files of draws are written", "samplers", "diagnose", "--map", path)
	refuses(t, "--draws and --base are both given", "samplers", "diagnose", "--draws", path, "--base", "1")
}

// TestSamplersDiagnoseStates: draws of the states of a toy, by coordinates and by number, have the
// functions of it.
func TestSamplersDiagnoseStates(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "xy.csv"), "x1,other,x0\n0,1,6\n1,2,5\n6,0,3\n2,3,3\n")
	writeFile(t, filepath.Join(dir, "number.csv"), "state\n42\n36\n27\n23\n")
	xy, _ := ok(t, "samplers", "diagnose", "--toy", "easy", "--function", "sum", "--format", "csv", "--columns", "variable,function,mean,exact_mean",
		filepath.Join(dir, "xy.csv"))
	lines := strings.Split(strings.TrimSpace(xy), "\n")
	if len(lines) != 5 || !strings.HasPrefix(lines[1], "x1,x1,2.25,") || lines[2] != "other,,1.5," || !strings.HasPrefix(lines[3], "x0,x0,4.25,") ||
		!strings.HasPrefix(lines[4], "sum,sum,6.5,") {
		t.Error(xy)
	}
	number, _ := ok(t, "samplers", "diagnose", "--toy", "easy", "--format", "csv", "--columns", "variable,function,mean,exact_mean",
		filepath.Join(dir, "number.csv"))
	if got := strings.Split(strings.TrimSpace(number), "\n"); len(got) != 3 || got[1] != lines[3] || got[2] != lines[1] {
		t.Errorf("%s, where coordinates give %s", number, xy)
	}
	writeFile(t, filepath.Join(dir, "labels.csv"), "state\na\nc\nb\n1\n")
	writeFile(t, filepath.Join(dir, "abc.csv"), "a,b\nb,c\n")
	abc := "graph:" + filepath.Join(dir, "abc.csv") + ":random:1:0"
	labels, _ := ok(t, "samplers", "diagnose", "--toy", abc, "--format", "csv", "--columns", "variable,N", filepath.Join(dir, "labels.csv"))
	if labels != "variable,N\ng,4\n" {
		t.Error(labels)
	}
}

// TestConformTakesDraws: estimates in CmdStan's file, without those of the warm-up, and in coda's
// are those of a plain file.
func TestConformTakesDraws(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "logz.csv"), "log_z\n0.5\n0.25\n")
	writeFile(t, filepath.Join(dir, "stan.csv"),
		"# stan_version_major = 2\n# num_samples = 2\n# num_warmup = 1\n# save_warmup = true\nlp__,log_z\n0,99\n# Adaptation terminated\n0,0.5\n0,0.25\n# \n#  Elapsed Time: 1 seconds (Warm-up)\n")
	writeFile(t, filepath.Join(dir, "CODAindex.txt"), "deviance 2 2\nlog_z 1 1\n")
	writeFile(t, filepath.Join(dir, "CODAchain1.txt"), "1 0.5\n1 7\n")
	writeFile(t, filepath.Join(dir, "CODAchain2.txt"), "1 0.25\n1 7\n")
	check := func(name string) (string, string) {
		return ok(t, "conform", "estimates", filepath.Join(dir, name), "--toy", "random:2:1:2x2", "--format", "csv")
	}
	plain, _ := check("logz.csv")
	stan, stderr := check("stan.csv")
	coda, _ := check("CODAindex.txt")
	if stan != plain || coda != plain || !strings.Contains(stderr, "stan.csv: 1 draw of the warm-up omitted") {
		t.Errorf("plain %s\nCmdStan %s\ncoda %s\n%s", plain, stan, coda, stderr)
	}
}

// TestSamplersCorpusCommand: the corpora are listed, standard if none is named, and one of your
// own.
func TestSamplersCorpusCommand(t *testing.T) {
	if rows := rowsOf(t, "samplers", "corpus"); len(rows) != 100 || rows[99]["states"] != 25. {
		t.Errorf("%d rows, the last is %v", len(rows), rows[len(rows)-1])
	}
	path := filepath.Join(t.TempDir(), "mine.toml")
	writeFile(t, path, "targets = ['schools', 'clu4']\n")
	rows := rowsOf(t, "samplers", "corpus", path)
	if len(rows) != 2 || rows[0]["toy"] != "schools" || rows[0]["states"] != 961. || !strings.Contains(rows[0]["source"].(string), "Rubin 1981") ||
		!strings.Contains(rows[1]["source"].(string), "Grosse") {
		t.Errorf("%v", rows)
	}
	for args, want := range map[string]string{"nothing": "unknown corpus", path + "z": "unknown corpus", "no.toml": "no such file"} {
		refuses(t, want, "samplers", "corpus", args)
	}
}
