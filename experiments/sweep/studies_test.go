package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"breadboard/chains/particle"
	law "breadboard/exact/particle"
	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/logweights"
	"breadboard/experiments/particles"
	"breadboard/experiments/subjective"
)

// smallOf returns a small sweep of a study: with zeros in f, a target that is nearly a point, and a kernel that cannot be.
func smallOf(study string) string {
	own := map[string]string{"ais": "chains=[30]", "samples": "K=[1, 7]", "smc": "particles=[1, 2]\nresample=['multinomial', 'residual']\nthreshold=[1, 0.5]", "subjective": "reference=['point:01', 'initial']\nmoves=[3]", "kernelcheck": "beta=[0, 0.25]"}
	T := "T=[2, 4]"
	switch study {
	case "kernelcheck":
		T = ""
	case "samples", "smc":
		T = "T=[2]"
	}
	if study == "logweights" { // laws that are on no lattice take seconds
		return "study='logweights'\n[grid]\ntoy=['barrier:3x3', 'random:60:1:2']\nkernel=['metropolis', 'heatbath-axis:1']\nT=[2]\n"
	}
	return fmt.Sprintf("study='%s'\n[grid]\ntoy=['random:1:0:2x2', 'random:60:1:3', 'file:testdata/holes.csv']\npath=['geometric', 'q:0.5']\nkernel=['metropolis', 'heatbath-axis:1']\n%s\n%s\n", study, T, own[study])
}

// TestEveryStudy: each study that is listed runs, with the same results for any number of workers, and what it has written
// is read. Only cells that cannot be fail, and no solution contradicts itself.
func TestEveryStudy(t *testing.T) {
	for _, study := range Studies() {
		t.Run(study.Name, func(t *testing.T) {
			if testing.Short() && study.Name == "smc" {
				t.Skip("its integrals take a second")
			}
			s := mustSweep(t, smallOf(study.Name))
			if s.Study().Name != study.Name {
				t.Fatalf("a sweep of %s", s.Study().Name)
			}
			if _, err := s.Plan(); err != nil {
				t.Fatal(err)
			}
			want := reference(t, s)
			m := newMemory(1)
			account, err := Run(context.Background(), s, "dir", Options{files: m, Workers: 3})
			if err != nil || account.Failed == account.Cells {
				t.Fatalf("%+v, %v", account, err)
			}
			merged, err := merge(m, []string{"dir"})
			if err != nil || merged.lines() != want {
				t.Fatalf("three workers: %v\n%s\nwant\n%s", err, merged.lines(), want)
			}
			for _, r := range merged.Rows {
				if strings.Contains(r.Error, "contradicts itself") || strings.Contains(r.Error, "panic") {
					t.Errorf("%v: %s", r.Cell, r.Error)
				}
				if r.Error != "" && r.Cell.Get("kernel") == "metropolis" && study.Name != "subjective" && study.Name != "tuning" {
					t.Errorf("%v: %s", r.Cell, r.Error)
				}
			}
			text, err := s.manifest().encode()
			if err != nil {
				t.Fatal(err)
			}
			if named := strings.Contains(string(text), `"study"`); named == (study.Name == defaultStudy) {
				t.Errorf("the manifest is\n%.200s", text)
			}
			if again, err := parseManifest(text); err != nil || again.ID() != s.ID() || again.study.Name != study.Name || cells(again) != cells(s) {
				t.Errorf("the manifest reads as %v, %v", again, err)
			}
		})
	}
}

// TestStudiesAreTheirCommands: the numbers of a cell are those that the study has of the same case, bit for bit.
func TestStudiesAreTheirCommands(t *testing.T) {
	ctx := context.Background()
	cases := casetest.MustCases(t, casetest.Selection([]int{5}, "barrier:3x3"))
	row := func(text string) *Values {
		t.Helper()
		s := mustSweep(t, text)
		o, err := s.study.Row(ctx, experiments.Params(s.Cell(0)))
		if err != nil {
			t.Fatal(err)
		}
		return valuesOf(s.study, o)
	}
	same := func(what string, got, want float64) {
		t.Helper()
		if math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s is %v in the sweep and %v in the study", what, got, want)
		}
	}
	const grid = "[grid]\ntoy=['barrier:3x3']\nT=[5]\n"
	chains, err := ais.Run(ctx, cases, ais.Options{Chains: 200, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	v := row("study='ais'\n" + grid + "chains=[200]\nseed=[3]")
	for _, q := range chains[0].Quantities {
		same(q.Name, v.Get(q.Name+"_estimate"), q.Estimate)
	}
	same("J", v.Get("J"), chains[0].Exact.J)
	laws, err := logweights.Run(ctx, cases, logweights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v = row("study='logweights'\n" + grid)
	same("P(B-hat < J)", v.Get("p_bhat_below_J"), laws[0].BelowJ.Value)
	same("ESS", v.Get("ess_fraction"), laws[0].ESSFraction)
	bounds, err := logweights.RunSamples(ctx, cases, []int{7}, logweights.SampleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v = row("study='samples'\n" + grid + "K=[7]")
	same("the forward bound", v.Get("forward_bound"), bounds[0].Forward)
	same("its distance", v.Get("forward_below"), bounds[0].LogZRatio-bounds[0].Forward)
	systems, err := particles.Run(ctx, cases, []law.Setting{{Particles: 2, Scheme: particle.Residual{}, Threshold: 1}}, particles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v = row("study='smc'\n" + grid + "particles=[2]\nresample=['residual']")
	same("J of two particles", v.Get("J"), systems[0].J)
	same("the mean of log Zhat", v.Get("mean_log_z_forward"), systems[0].MeanLogZForward)
	moved, err := subjective.Run(ctx, cases, subjective.Options{References: []string{"mode"}, Moves: []int{2}})
	if err != nil {
		t.Fatal(err)
	}
	v = row("study='subjective'\n" + grid + "reference=['mode']\nmoves=[2]")
	same("the subjective divergence", v.Get("value"), moved[0].Points[0].Value)
}

// TestBadStudies: unknown studies and parameters are refused with the line and the study that has them.
func TestBadStudies(t *testing.T) {
	for text, want := range map[string]string{
		"study = 'aiz'\n[grid]":                                        `line 1: unknown study "aiz"; did you mean ais?`,
		"study = 3\n[grid]":                                            "line 1: the study is 3; write its name in quotes",
		"[grid]\nstudy = 'ais'":                                        "line 2: study is no parameter; write it at the top of the file",
		"[grid]\nchains = [3]":                                         `line 2: unknown parameter "chains"; choices: toy, path, initial, schedule, kernel, T (of the study tightness; the study ais has chains)`,
		"study='ais'\n[grid]\nchans = [3]":                             `line 3: unknown parameter "chans"; did you mean chains?`,
		"study='ais'\n[grid]\nchains = [1]":                            "line 3: chains is 1; it is a whole number from 2 to 1e15",
		"study='ais'\n[grid]\nseed = ['x']":                            "line 3: seed is the text \"x\"; write a number without quotes",
		"study='ais'\n[grid]\nseed = [1e16]":                           "line 3: seed is 1e+16",
		"study='ais'\n[grid]\nseed = [true]":                           "line 3: seed is true; it is a whole number from 0 to 1e15",
		"study='kernelcheck'\n[grid]\nT = [3]":                         `line 3: unknown parameter "T"; choices: toy, path, initial, kernel, beta (of the study kernelcheck; the study tightness has T)`,
		"study='kernelcheck'\n[grid]\ntoy = ['a=easy', 'a=hard']":      "line 3: the name a stands for two targets, easy and hard; give each its own",
		"study='kernelcheck'\n[grid]\nbeta = [1.5]":                    "line 3: beta is 1.5; it is a number from 0 to 1",
		"study='tuning'\n[grid]\nobjective = ['K']":                    "line 3: unknown objective",
		"study='subjective'\n[grid]\nreference=['mid']":                "line 3: unknown reference",
		"study='subjective'\n[grid]\nreference=['point:x']":            "line 3: reference point:x: the states are numbered from 0",
		"study='smc'\n[grid]\nresample=['sistematic']":                 `line 3: unknown resampling scheme "sistematic"; did you mean systematic?`,
		"study='smc'\n[grid]\nthreshold=[1.5]":                         "line 3: threshold is 1.5; it is a number from 0 to 1",
		"study='smc'\n[grid]\nparticles=[0]":                           "line 3: particles is 0; it is a whole number from 1 to 1e9",
		"study='samples'\n[[case]]\ntoy='easy'\nT=3":                   "line 2: the case does not say its K",
		"study='ais'\n[grid]\ntoy=['easy']\nT=[3]\nseed=[1,1.0]":       "seed 1 is there twice",
		"study='ais'\n[grid]\ntoy=['easy']\nchains=[1e14]":             "the limit of one cell is 30",
		"study='subjective'\n[grid]\nreference=['point:1','point:01']": "point:1 (as point:01) is there twice",
	} {
		if _, err := resolve("x", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %q", text, err, want)
		}
	}
	if _, err := resolve("x", "study='ais'\n[grid]\ntoy=['easy']", "chains=3,1"); err == nil || !strings.Contains(err.Error(), "--set chains: chains is 1;") {
		t.Errorf("--set: %v", err)
	}
}

// TestStudiesDoNotMix: a folder of one study is refused to another, of which all else is the same; merge takes no two.
func TestStudiesDoNotMix(t *testing.T) {
	const grid = "[grid]\ntoy=['barrier:3x3']\nT=[2]\n"
	one, other := mustSweep(t, grid), mustSweep(t, "study='logweights'\n"+grid)
	if one.Key(one.Cell(0)) == other.Key(other.Cell(0)) {
		t.Error("the same cell in two studies has one key")
	}
	a, b := t.TempDir(), t.TempDir()
	for dir, s := range map[string]*Sweep{a: one, b: other} {
		if _, err := Run(context.Background(), s, dir, Options{}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Run(context.Background(), other, a, Options{})
	if _, refused := errors.AsType[Refusal](err); !refused || !strings.Contains(err.Error(), "its study was tightness and is logweights") {
		t.Errorf("another study in a folder: %v", err)
	}
	if _, err := Merge(a, b); err == nil || !strings.Contains(err.Error(), "hold different sweeps: from the first to the second, its study was tightness and is logweights") {
		t.Errorf("two studies merge: %v", err)
	}
	text, err := os.ReadFile(b + "/" + manifestName)
	if err != nil {
		t.Fatal(err)
	}
	for old, new := range map[string]string{`"study": "logweights"`: `"study": "other"`, `  "study": "logweights",` + "\n": ""} {
		if _, err := parseManifest([]byte(strings.Replace(string(text), old, new, 1))); err == nil {
			t.Errorf("%s for %s is not noticed", new, old)
		}
	}
}

// TestStudiesRefuseDamage: numbers that cannot be are refused by run, status and merge alike.
func TestStudiesRefuseDamage(t *testing.T) {
	for _, c := range []struct {
		study, name string
		value       float64
		want        string
	}{
		{"ais", "J", -1, "its J is -1, which is not from 0 to +Inf"},
		{"ais", "B_standard_error", -1, "its B_standard_error is -1"},
		{"ais", "B_estimate", 1e6, "its B_estimate is 1e+06, and the estimates"},
		{"ais", "B", 1e6, "its B is 1e+06, and its mean log weights"},
		{"logweights", "p_bhat_below_J", 1.5, "its p_bhat_below_J is 1.5"},
		{"logweights", "p_bhat_below_0", 0.99, "and J is never below zero"},
		{"logweights", "B", 1e6, "its B is 1e+06, and its mean log weights"},
		{"smc", "J", 1e6, "its B is"},
		{"smc", "kl_q_p", 0, "its J is"},
		{"smc", "extinct", 2, "its extinct is 2"},
		{"samples", "forward_bound", 1e6, "which it bounds from below"},
		{"samples", "reverse_bound", -1e6, "which it bounds from above"},
		{"samples", "mixed_bound", -1e6, "which it bounds from above"},
		{"subjective", "is_bound", 0.5, "its is_bound is 0.5"},
		{"tuning", "optimum", 1e6, "its linear, which is no better"},
		{"tuning", "converged", 0, "it has no note that says why"},
		{"kernelcheck", "spectral_gap", 2, "its spectral_gap is 2"},
		{"kernelcheck", "classes", 2, "its states are of 2 classes"},
	} {
		s := mustSweep(t, smallOf(c.study))
		var r Result
		o, err := s.study.Row(context.Background(), experiments.Params(s.Cell(0)))
		if err != nil {
			t.Fatal(err)
		}
		r = Result{Key: s.Key(s.Cell(0)), Cell: s.Cell(0), Values: valuesOf(s.study, o)}
		if err := r.validate(s.study); err != nil {
			t.Fatalf("%s: %v", c.study, err)
		}
		for i, v := range s.study.Stored() {
			if v.Name == c.name {
				r.Numbers[i] = c.value
			}
		}
		head := asLine(t, "header", []byte(asJSON(t, header{schema, written(s.study), s.id, "1/1", s.Len()})))
		refusedByAll(t, s, c.study+" with another "+c.name, map[string]string{"shard-1-of-1.jsonl": head + asLine(t, "result", []byte(asJSON(t, r)))}, "shard-1-of-1.jsonl, line 2", c.want, "out")
	}
}
