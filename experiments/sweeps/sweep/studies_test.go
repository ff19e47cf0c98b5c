package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// smallOf returns a small sweep of a study: with zeros in f, a target that is nearly a point, and a
// kernel that cannot be.
func smallOf(study string) string {
	own := map[string]string{"ais": "chains=[30]", "samples": "K=[1, 7]",
		"smc":               "particles=[1, 2]\nresample=['multinomial', 'residual']\nthreshold=[1, 0.5]",
		"subjective":        "reference=['point:01', 'initial']\nmoves=[3]",
		"kernel check":      "beta=[0, 0.25]",
		"aide":              "target=['ais', 'mh:02']\ngold=['exact']\nmeta=[2]",
		"evidence":          "estimator=['lw', 'ais']\nbudget=[20]\ntrials=[1, 2]",
		"samplers errors":   "start=['uniform', 'mode']\nfunction=['x0', 'x0 <= 0']\nN=[2, 9]",
		"samplers laws":     "start=['target']\nfunction=['x0<=0']\nN=[9]\nchains=[2]",
		"samplers times":    "start=['uniform', 'initial']\nmi=[0.1]",
		"samplers diagnose": "start=['target']\nfunction=['x0', 'g']\nN=[50]\nchains=[3]"}
	T := "T=[2, 4]"
	switch study {
	case "kernel check", "evidence", "samplers errors", "samplers laws", "samplers times",
		"samplers diagnose":
		T = ""
	case "samples", "smc", "aide":
		T = "T=[2]"
	}
	if study == "weights" { // laws that are on no lattice take seconds
		return "study='weights'\n[grid]\ntoy=['barrier:3x3', 'random:60:1:2']\nkernel=['metropolis', " +
			"'heatbath-axis:1']\nT=[2]\n"
	}
	if study == "sandwich" { // it has data of its own, and K = 9 is too many for them
		return "study='sandwich'\n[grid]\nmodel=['clustering:2', 'lowrank:9']\nrows=[5]\ncolumns=[4]\n" +
			"estimator=['lw', 'shme']\nknob=[2]\ntrial=[1, 2]\n"
	}
	path := "path=['geometric', 'q:0.5']"
	if strings.HasPrefix(study, "samplers ") {
		path = ""
	}
	if !longtest.More() && (study == "smc" || study == "aide") { // their integrals take seconds
		own["smc"] = "particles=[1, 2]\nresample=['multinomial', 'residual']"
		path = "path=['geometric']"
	}
	return fmt.Sprintf("study='%s'\n[grid]\ntoy=['random:1:0:2x2', 'random:60:1:3', 'file:testdata/holes.csv']\n%s\n"+
		"kernel=['metropolis', 'heatbath-axis:1']\n%s\n%s\n",
		study, path, T, own[study])
}

// TestEveryStudy: each study that is listed runs, with the same results for any number of workers,
// and what it has written is read. Only cells that cannot be fail, and no solution contradicts
// itself.
func TestEveryStudy(t *testing.T) {
	for _, study := range sweptStudies().List {
		t.Run(study.Name, func(t *testing.T) {
			if !longtest.Enabled() && study.Name != "tightness" && study.Name != "ais" {
				t.Skip("go test without -short runs it")
			}
			s := mustSweep(t, smallOf(study.Name))
			if s.Study().Name != study.Name {
				t.Fatalf("a sweep of %s", s.Study().Name)
			}
			longtest.Must(s.Plan())(t)
			want := reference(t, s)
			m := newMemory(1)
			account, err := Run(context.Background(), s, "dir", Options{files: m, Workers: 3})
			if err != nil || account.Failed == account.Cells {
				t.Fatalf("%+v, %v", account, err)
			}
			merged, err := mergeOf(m)
			if err != nil || merged.lines() != want {
				t.Fatalf("three workers: %v\n%s\nwant\n%s", err, merged.lines(), want)
			}
			interruptedAsWhole(t, study.Name)
			for _, r := range merged.Rows {
				if strings.Contains(r.Error, "is out of range") || strings.Contains(r.Error, "panic") {
					t.Errorf("%v: %s", r.Cell, r.Error)
				}
				if r.Error != "" && r.Cell.Get("kernel") == "metropolis" && study.Name != "subjective" &&
					study.Name != "schedule optimize" {
					t.Errorf("%v: %s", r.Cell, r.Error)
				}
			}
			text := mustEncode(t, s)
			if again, err := parseManifest(sweptStudies(), text); err != nil || again.ID() != s.ID() ||
				again.study.Name != study.Name || cells(again) != cells(s) {
				t.Errorf("the manifest reads as %v, %v", again, err)
			}
		})
	}
}

// interruptedAsWhole: a run of a shard during which the power is cut, another shard, and a run that
// finishes what they have left write the same rows as one run.
func interruptedAsWhole(t *testing.T, study string) {
	t.Helper()
	spec := smallOf(study)
	for _, list := range []string{", 'random:60:1:3', 'file:testdata/holes.csv'", ", 'q:0.5'"} {
		spec = strings.Replace(spec, list, "", 1) // a few cells are enough
	}
	s := mustSweep(t, spec)
	m := newMemory(7)
	_, err := Run(context.Background(), s, "dir",
		Options{files: m, Workers: 2, Shard: Shard{1, 2}, group: -1, Acknowledged: func(p Progress) {
			if len(p.Results) > 0 && m.failAt == 0 {
				m.mu.Lock()
				m.failAt = m.calls + 2
				m.dead = true
				m.mu.Unlock()
			}
		}})
	if !errors.Is(err, errFault) {
		t.Fatalf("the power was cut, and the run says %v", err)
	}
	after := m.powerCut()
	for _, shard := range []Shard{{2, 3}, {1, 1}} {
		mustRun(t, s, "dir", Options{files: after, Shard: shard})
	}
	if merged, err := mergeOf(after); err != nil || merged.lines() != reference(t, s) {
		t.Errorf("after a power cut: %v\n%s\nwant\n%s", err, merged.lines(), reference(t, s))
	}
}

// TestBadStudies: unknown studies and parameters are refused with the line and the study that has
// them.
func TestBadStudies(t *testing.T) {
	for text, want := range map[string]string{
		"study = 'aiz'\n[grid]": `line 1: unknown study "aiz"; did ` +
			`you mean ais?`,
		"study = 3\n[grid]": "line 1: the study is 3; write " +
			"its name in quotes",
		"[grid]\nstudy = 'ais'": "line 2: study is not a " +
			"parameter; write it at the top of the file",
		"[grid]\nchains = [3]": `line 2: unknown parameter ` +
			`"chains"; choices: toy, path, initial, schedule, kernel, T (of the study tightness; the ` +
			`study ais has chains)`,
		"study='ais'\n[grid]\nchans = [3]": `line 3: unknown parameter ` +
			`"chans"; did you mean chains?`,
		"study='ais'\n[grid]\nchains = [1]": "line 3: chains is 1; it is a " +
			"whole number from 2 to 1e15",
		"study='ais'\n[grid]\nseed = ['x']": "line 3: seed is the text \"x\"; " +
			"write a number without quotes",
		"study='ais'\n[grid]\nseed = [1e16]": "line 3: seed is 1e+16",
		"study='ais'\n[grid]\nseed = [true]": "line 3: seed is true; it is a " +
			"whole number from 0 to 1e15",
		"study='kernelcheck'\n[grid]\nT = [3]": `line 3: unknown parameter "T"; ` +
			`choices: toy, path, initial, kernel, beta (of the study kernel check; the study tightness has T)`,
		"study='kernelcheck'\n[grid]\ntoy = ['a=easy', 'a=hard']": "line 3: the name a stands for " +
			"two selectors, easy and hard; give each its own",
		"study='kernelcheck'\n[grid]\nbeta = [1.5]": "line 3: beta is 1.5; it is a " +
			"number from 0 to 1",
		"study='schedule optimize'\n[grid]\nobjective = ['K']": "line 3: unknown objective",
		"study='subjective'\n[grid]\nreference=['mid']":        "line 3: unknown reference",
		"study='subjective'\n[grid]\nreference=['point:x']": "line 3: reference point:x: the " +
			"states are numbered from 0",
		"study='smc'\n[grid]\nresample=['sistematic']": `line 3: unknown resampling ` +
			`scheme "sistematic"; did you mean systematic?`,
		"study='smc'\n[grid]\nthreshold=[1.5]": "line 3: threshold is 1.5; it is " +
			"a number from 0 to 1",
		"study='smc'\n[grid]\nparticles=[0]": "line 3: particles is 0; it is a " +
			"whole number from 1 to 1e9",
		"study='samples'\n[[case]]\ntoy='easy'\nT=3":             "line 2: the case has no K",
		"study='ais'\n[grid]\ntoy=['easy']\nT=[3]\nseed=[1,1.0]": "seed 1 appears twice",
		"study='aide'\n[grid]\ntarget='asi'":                     `line 3: unknown algorithm "asi"`,
		"study='aide'\n[grid]\ngold='smc'":                       "line 3: algorithm \"smc\"",
		"study='evidence'\n[grid]\nestimator='hmee'":             `line 3: unknown estimator "hmee"`,
		"study='evidence'\n[grid]\nT=3":                          `line 3: unknown parameter "T"`,
		"study='samplers-errors'\n[grid]\nstart='here'":          `line 3: unknown start "here"`,
		"study='samplers-errors'\n[grid]\nN=0":                   "line 3: N is 0; it is a whole number from 1",
		"study='samplers-laws'\n[grid]\nchains=1e4": "line 3: chains is 10000; it is a " +
			"whole number from 1 to 1000",
		"study='samplers-times'\n[grid]\ntv=1": "line 3: tv is 1; it is a number from 1e-12",
		"study='samplers-times'\n[grid]\nkernel='exec:sh x'": "line 3: kernel exec:sh x: a " +
			"change of the program would go unnoticed",
		"study='samplers'\n[grid]":                                     "line 1: unknown study \"samplers\"",
		"study='ais'\n[grid]\ntoy=['easy']\nchains=[1e14]":             "the limit of one cell is 30",
		"study='subjective'\n[grid]\nreference=['point:1','point:01']": "point:1 (as point:01) appears twice",
	} {
		longtest.Refuses(resolve("x", text))(t, want, text)
	}
	longtest.Refuses(resolve("x", "study='ais'\n[grid]\ntoy=['easy']", "chains=3,1"))(t,
		"--set chains: chains is 1;",
		"--set",
	)
}

// TestOtherVersions: a manifest of a version in which the study has a parameter more, or less, is
// refused by the name of that parameter.
func TestOtherVersions(t *testing.T) {
	for _, spec := range []string{"[grid]\ntoy='easy'\nT=3", "[[case]]\ntoy='easy'\nT=3"} {
		text := longtest.Must(mustSweep(t, spec).manifest().encode())(t)
		more := *tightness.Study().Declaration.Sweep()
		less := *tightness.Study().Declaration.Sweep()
		more.Parameters = append(slices.Clone(more.Parameters), subject.Whole("slack", "a new one", 0, 9, 1))
		less.Parameters = slices.DeleteFunc(
			slices.Clone(less.Parameters),
			func(p subject.Parameter) bool { return p.Name == "kernel" },
		)
		for want, study := range map[string]*subject.Question{
			"had no parameter slack": &more, "has a parameter kernel": &less} {
			longtest.Refuses(parseManifest(Studies{List: []*subject.Question{study}}, text))(t, want)
		}
	}
}
