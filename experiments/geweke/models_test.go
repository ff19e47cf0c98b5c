package geweke

import (
	"math"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys/latent"
)

// TestModels: all models of any size pass at a tiny size, with known and with unknown hyperparameters. It fails with a probability of
// 7e-6 at most.
func TestModels(t *testing.T) {
	longtest.NotShort(t)
	draws := longtest.Times(firstLook, 1024)
	for _, name := range []string{"clustering:2", "clustering:inferred:2", "lowrank:2", "lowrank:inferred:2", "collapsed:2", "binary:2", "binary:inferred:2"} {
		m := longtest.Sure(Models().Parse(name, Size{6, 4}))
		if faults := examined(t, m.tested, draws); len(faults) > 0 || m.Name != name {
			t.Errorf("%s: %v", name, faults)
		}
	}
}

// TestFullSize: the models of the paper pass on 50 rows of 25 columns with 10 rounds, and each bug is found. So many chains were needed, and
// so many seconds on two cores that others used too:
//
//	model                 reversal in order   noise 5% too large   values not drawn anew
//	clustering               1024,  11 s                              4096,  68 s
//	clustering:inferred       256,   3 s          512,  4 s
//	lowrank                   256,   3 s         4096, 51 s            256,  10 s
//	lowrank:inferred          256,   4 s          512,  6 s            256,   3 s
//	binary                    256,   5 s                              1024, 104 s
//	binary:inferred           256,   6 s          256,  5 s
//
// Known noise that is 5% too large is not looked for where the latent variables are discrete: in a clustering 2048 chains of 5 rounds do not
// find it, because with 25 columns nearly every row is in its cluster for certain. Nor are variances of low rank drawn given the factors
// from before the scan, which 4096 pairs do not find: the squares of so many residuals sum to nearly the same after a scan.
func TestFullSize(t *testing.T) {
	longtest.Hunt(t) // TestModels has the same models on few data
	size := Size{50, 25}
	for name, list := range map[string][]mutant{
		"clustering":          mutantsOf("clustering", size, rowsAtOnce, nil),
		"clustering:inferred": mutantsOf("clustering:inferred", size, nil, loudDrawn[*latent.Clustering](clusteringNoise)),
		"lowrank":             mutantsOf("lowrank", size, vGivenOldU, loudGiven[*latent.LowRank](lowRankNoise)),
		"lowrank:inferred":    mutantsOf("lowrank:inferred", size, vGivenOldU, loudDrawn[*latent.LowRank](lowRankNoise)),
		"binary":              mutantsOf("binary", size, attributesAtOnce, nil),
		"binary:inferred":     mutantsOf("binary:inferred", size, nil, loudDrawn[*latent.Binary](binaryNoise)),
	} {
		t.Run(name, func(t *testing.T) {
			for _, m := range list {
				fullSize(t, &m)
			}
		})
	}
}

// fullSize holds a mutant at full size to what it is.
func fullSize(t *testing.T, m *mutant) {
	t.Helper()
	s := longtest.Must(m.planted(""))(t)
	draws := 4096
	if m.harmless {
		draws = 512
	}
	r := longtest.Must(s.examine(t.Context(), &runOptions{Options: Options{Rounds: 10, Draws: draws, Seed: 1}}, math.Log(1e8)))(t)
	for _, f := range r.Findings {
		t.Logf("%s: %s after %d chains: %s %s", m.name, f.Name, f.Chains, f.Verdict, f.Where)
	}
	if r.Wrong() == m.harmless {
		t.Errorf("%s, %s: caught %v", m.model, m.name, r.Wrong())
	}
}

// TestModelSelectors: what a selector says is what is tested, and what it cannot mean is refused.
func TestModelSelectors(t *testing.T) {
	for text, want := range map[string]string{"clustering:10": "clustering", "lowrank:inferred:5": "lowrank:inferred", "binary:3": "binary:3", "collapsed:5": "collapsed"} {
		if m, err := Models().Parse(text, Size{50, 25}); err != nil || m.Name != want {
			t.Errorf("%s is %q, %v", text, m.Name, err)
		}
	}
	for text, want := range map[string]string{
		"clusterings":           "did you mean clustering",
		"clustering:":           "write clustering, clustering:K or clustering:inferred:K",
		"clustering:0":          "0 is no whole number from 1 to 100",
		"lowrank:inferred:":     "the number K of components",
		"lowrank:inferred:3:1":  "the number K of components",
		"lowrank:25":            "25 components for 50 rows and 25 columns",
		"collapsed:inferred":    "the number K of components",
		"binary:inferred:two":   `"two" is no number`,
		"clustering:inferred:a": `"a" is no number`,
	} {
		if _, err := Models().Parse(text, Size{50, 25}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
