package main

import (
	"fmt"
	"math"
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

// ofPosterior are the numbers of R's package posterior 1.4.0 for these chains.
func ofPosterior() map[string]map[string]float64 {
	return map[string]map[string]float64{
		"lp__": {
			"mean": -16.826169, "sd": 4.6557791518899316, "mcse_mean": 1.0709493046552596,
			"mcse_sd": 0.37909014138186437, "ess_basic": 27.222880313663023,
			"ess_mean": 18.899352100268075,
			"ess_bulk": 15.973161296656462, "ess_tail": 22.426164210028009, "rhat_basic": 1.0385408677072978,
			"rhat_split": 1.1453484243205889,
			"rhat_rank":  1.1789192304962115,
		},
		"mu": {
			"mean": 4.1735492855, "sd": 3.2273262603548365, "mcse_mean": 0.26114241422555007,
			"mcse_sd": 0.18071778296861141, "ess_basic": 133.54310283375716,
			"ess_mean": 152.73230778834278,
			"ess_bulk": 156.91451635999707, "ess_tail": 233.54013573725672, "rhat_basic": 1.0134766803353661,
			"rhat_split": 1.0118696821359556,
			"rhat_rank":  1.0240543002537963,
		},
		"tau": {
			"mean": 4.5347733249999997, "sd": 2.9771404574010996, "mcse_mean": 0.39996858403459951,
			"mcse_sd":   0.37688679699666633,
			"ess_basic": 58.28189870816631, "ess_mean": 55.404735768884748,
			"ess_bulk": 27.527912359370841, "ess_tail": 39.111460998902658, "rhat_basic": 1.0094470387306158,
			"rhat_split": 1.0502699598298606,
			"rhat_rank":  1.1057793780749927,
		},
	}
}

// TestSamplersDiagnoseFiles: the numbers of CmdStan's files are those of R's package posterior.
func TestSamplersDiagnoseFiles(t *testing.T) {
	longtest.Only(t)
	stdout, stderr := ok(t, append([]string{"samplers", "diagnose", "--format", "json"}, schoolsFiles()...)...)
	rows := parseRows(t, stdout)
	if len(rows) != 3 || !strings.Contains(stderr, "4 chains of 100 draws in each\n") ||
		!strings.Contains(stderr, "6 of 400 transitions diverged") {
		t.Fatalf("%d rows, %s", len(rows), stderr)
	}
	for _, r := range rows {
		for name, want := range ofPosterior()[r["variable"].(string)] {
			if got := r[name].(float64); !(math.Abs(got/want-1) <= 1e-12) {
				t.Errorf("%s of %s is %v, and posterior has %v", name, r["variable"], got, want)
			}
		}
		if r["exact_mean"] != nil || r["toy"] != nil || r["essd"] != nil {
			t.Errorf("%v", r)
		}
	}
}
