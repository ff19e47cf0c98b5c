package aide_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"breadboard/experiments/checks/reproduce/aide"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// comparisonRun returns what a study finds.
func comparisonRun(t *testing.T, name string, own aide.Data, o aide.Options) []aide.Row {
	t.Helper()
	return casetest.Rows(t, aide.Study(), []*aide.Comparison{longtest.Must(aide.Load(name, own))(t)}, o)
}

// particlesFind returns a row.
func particlesFind(t *testing.T, rows []aide.Row, algorithm string, particles, meta int,
	rejuvenate bool) *aide.Row {
	t.Helper()
	for i := range rows {
		if row := &rows[i]; row.Algorithm == algorithm && row.Particles == particles && row.Meta == meta &&
			row.Rejuvenate == rejuvenate {
			return row
		}
	}
	t.Fatalf("study %s has no row of %s with %d and M = %d", rows[0].Study, algorithm, particles, meta)
	return nil
}

// particlesValue is a published number of a row.
type particlesValue struct {
	algorithm       string
	particles, meta int
	j, mean, lml    float64 // NaN if there is none
	probe           float64
}

// hold compares the rows of a study with values, relatively.
func hold(t *testing.T, r []aide.Row, tolerance float64, values []particlesValue) {
	t.Helper()
	for _, want := range values {
		got := particlesFind(t, r, want.algorithm, want.particles, want.meta, false)
		for _, v := range []struct {
			name      string
			got, want float64
		}{{"J", got.J, want.j}, {"AIDE", got.Mean, want.mean}, {"lml error", got.LMLError, want.lml},
			{"probe", got.Probe, want.probe}} {
			if !math.IsNaN(v.want) && !(math.Abs(v.got-v.want) <= tolerance*math.Abs(v.want)) {
				t.Errorf("%s %s %d, M = %d: %s is %.15g, want %.15g", r[0].Study, want.algorithm,
					want.particles, want.meta, v.name, v.got, v.want)
			}
		}
	}
}

// nan stands for a number that is not published.
func nan() float64 { return math.NaN() }

// TestRegression holds the study to values of an independent program, to their twelve digits.
func TestRegression(t *testing.T) {
	longtest.Only(t)
	logZ := -2.36035571217999734
	smc := comparisonRun(t, "regression", aide.Data{},
		aide.Options{Proposals: []string{"smc"}, Particles: []int{3}, Metas: []int{1}})
	rest := comparisonRun(t, "regression", aide.Data{},
		aide.Options{Proposals: []string{"mh", "meanfield"}, Metas: []int{1, 10, 100}})
	hold(t, append(smc, rest...), 1e-11, []particlesValue{
		{"smc", 3, 1, 0.379113545060808656, 1.771973248509089, -3.6461504282803705 - logZ, nan()},
		{"mh", 1, 1, 6.11288694936348861, 7.92989088060575834, nan(), nan()},
		{"mh", 10, 10, 0.638552239673047711, 6.05788165660870492, nan(), nan()},
		{"mh", 100, 100, 3.86467753160382235e-10, 4.65908079237560409, nan(), nan()},
		{"meanfield", 0, 1, 0.339549858943313511, 0.339549858943313511, -2.49932547102608943 - logZ, nan()},
	})
}

// TestBimodal holds the study to values of an independent program. The error of log Zhat says that
// the proposal which misses a mode does well, and J says that it does not.
func TestBimodal(t *testing.T) {
	longtest.Only(t)
	hold(t, comparisonRun(t, "bimodal", aide.Data{},
		aide.Options{Particles: []int{10, 1000}, Metas: []int{1}}), 1e-9, []particlesValue{
		{"broad", 10, 1, 0.0100819405317854287, 0.119342814306388336, -0.0627957509804811123,
			0.500357173012580512},
		{"offset", 1000, 1, 2.83027334019134856, 2.87727108167352712, -0.567972186486567842,
			0.0789264883710611231},
	})
}

// TestHMM holds the study to values of an independent program.
func TestHMM(t *testing.T) {
	longtest.Only(t)
	logZ := -11.7428610285806302
	r := comparisonRun(t, "hmm", aide.Data{}, aide.Options{Particles: []int{1}, Metas: []int{1}})
	hold(t, append(r, comparisonRun(t, "hmm", aide.Data{},
		aide.Options{Proposals: []string{"prior"}, Particles: []int{10}, Metas: []int{1}})...),
		1e-11, []particlesValue{
			{"prior", 1, 1, 4.37202474576951682, 4.37202474576951682, -13.9976390283556676 - logZ, nan()},
			{"prior", 10, 1, 0.176604730997613828, 0.764392338094917225, -12.1541204373007915 - logZ, nan()},
			{"optimal", 1, 1, 1.53935048442363336, 1.53935048442363336, -12.5051804148244433 - logZ, nan()},
		})
	for _, parts := range [][][]float64{r[0].Posterior.Marginals, r[0].Marginals} {
		if len(parts) != 10 {
			t.Errorf("the path has %d parts", len(parts))
		}
		for at, p := range parts {
			if math.Abs(p[0]+p[1]-1) > 1e-12 {
				t.Errorf("the marginal at %d is %v", at+1, p)
			}
		}
	}
}

// TestMixture holds the study to values of an independent program, and to runs if there are no
// exact ones.
func TestMixture(t *testing.T) {
	longtest.Only(t)
	logZ := -11.9331972542020354
	r := comparisonRun(t, "mixture", aide.Data{}, aide.Options{Metas: []int{1}, Chains: 200, Seed: 1})
	hold(t, r, 1e-12, []particlesValue{
		{"prior", 1, 1, 8.53619172941237883, 8.53619172941237882, -18.2420971860886775 - logZ,
			2.28333333333333333},
		{"prior", 2, 1, 4.54750192797995967, 5.24753208141136302, -15.9620751341803445 - logZ,
			2.5561395740841901},
		{"prior", 3, 1, 2.40940120798880817, 3.30301028873825512, -14.4244233713903638 - logZ,
			2.74042775162252475},
		{"optimal", 1, 1, 0.0843571136151675551, 0.0843571136151675548, -11.9775006787461872 - logZ,
			2.79964648504143453},
		{"optimal", 3, 1, 0.0233447980056859142, 0.0449935860892402212, -11.9563643386134675 - logZ,
			2.85882778091875672},
	})
	if math.Abs(r[0].Posterior.Exact-2.92830595448084787) > 1e-13 {
		t.Errorf("the posterior has %.15g clusters", r[0].Posterior.Exact)
	}
	if one := particlesFind(t, r, "prior", 1, 1, true); one.Method == aide.MethodSampled ||
		!(one.J < 0.5) {
		t.Errorf("a Gibbs scan is exact at one particle, and helps: %+v", one)
	}
	if many := particlesFind(t, r, "optimal", 10, 1, true); many.Method != aide.MethodSampled ||
		!(many.MeanError > 0) || !math.IsNaN(many.J) {
		t.Errorf("ten particles with scans are sampled: %+v", many)
	}
}

// TestOwnData: models and points of your own are taken from files, and what cannot be had is
// refused with a cure.
func TestOwnData(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"own.toml": "pi = [1]\nA = [[1]]\nE = [[0.5, 0.5]]\ny = [0, 1]\n",
		"bad.toml": "pi = [0.4]\n", "points.csv": "0,1\n"}
	for i := range 13 {
		files["many.csv"] += fmt.Sprintln(i)
	}
	for name, text := range files {
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	r := comparisonRun(
		t,
		"hmm",
		aide.Data{HMM: filepath.Join(dir, "own.toml")},
		aide.Options{Metas: []int{1}},
	)
	if row := particlesFind(t, r, "prior", 1, 1, false); row.J != 0 || math.Abs(row.LMLError) > 1e-15 {
		t.Errorf("one path: %+v", row)
	}
	r = comparisonRun(t, "mixture", aide.Data{Points: filepath.Join(dir, "points.csv")},
		aide.Options{Metas: []int{1}})
	if !(r[0].Posterior.Exact > 1 && r[0].Posterior.Exact < 2) {
		t.Errorf("two points have %v clusters", r[0].Posterior.Exact)
	}
	if longtest.Enabled() {
		// thirteen points have too many partitions to be counted, and are sampled against a
		// particle gold
		r = comparisonRun(t, "mixture", aide.Data{Points: filepath.Join(dir, "many.csv")},
			aide.Options{
				Particles: []int{10},
				Metas:     []int{1},
				Chains:    longtest.Times(5, 20),
				Seed:      1,
			})
		row := particlesFind(t, r, "optimal", 10, 1, true)
		if row.Method != aide.MethodSampled || !(math.Abs(row.Mean) < 20*row.MeanError+1) ||
			!(row.Probe >= 1 && row.Probe <= 13) ||
			!math.IsNaN(r[0].Posterior.Exact) || !math.IsNaN(row.LMLError) {
			t.Errorf("thirteen points: %+v", row)
		}
	}
	for _, bad := range []struct {
		study  string
		own    aide.Data
		chains int
		want   string
	}{
		{"hmm", aide.Data{HMM: filepath.Join(dir, "bad.toml")}, 0, "pi"},
		{"mixture", aide.Data{Points: filepath.Join(dir, "many.csv")}, 0,
			"13 points; partitions are enumerated for at most 12 points: give fewer points, or chains"},
		{"mixtura", aide.Data{}, 0, "did you mean mixture?"},
		{"bimodal", aide.Data{HMM: "x"}, 0, "leave it out"},
		{"hmm", aide.Data{Points: "x"}, 0, "leave it out"},
		{"hmm", aide.Data{}, 1, "no standard error"},
	} {
		s, err := aide.Load(bad.study, bad.own)
		if err == nil {
			_, err = aide.Study().Plan(context.Background(), []*aide.Comparison{s},
				&aide.Options{Metas: []int{1}, Chains: bad.chains})
		}
		longtest.Refused(t, err, bad.want, bad.study, bad.own)
	}
}

// How far the output of particle filters is from the posterior of a Dirichlet-process mixture, and
// what the error of the log marginal likelihood says.
func Example_aideComparisons() {
	s, err := aide.Load("mixture", aide.Data{})
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := study.Run(context.Background(), aide.Study(), []*aide.Comparison{s},
		aide.Options{Metas: []int{1}}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		if r.Particles == 3 && !r.Rejuvenate {
			fmt.Printf("%s: J %.6f, AIDE %.6f, error of log Zhat %.6f\n", r.Algorithm, r.J, r.Mean, r.LMLError)
		}
	}
	// Output:
	// prior: J 2.409401, AIDE 3.303010, error of log Zhat -2.491226
	// optimal: J 0.023345, AIDE 0.044994, error of log Zhat -0.023167
}

// TestGoldStandards: AIDE against another algorithm of the study is what it is with the two
// exchanged, agrees with an independent program and with runs, and a gold standard without a
// distribution is sampled.
func TestGoldStandards(t *testing.T) {
	longtest.Only(t)
	of := func(o aide.Options) []aide.Row {
		return comparisonRun(t, "hmm", aide.Data{}, o)
	}
	one := []int{1}
	forward := of(aide.Options{
		Proposals: []string{"prior"},
		Particles: []int{1, 2},
		Golds:     []string{"exact", "optimal:2"},
		Metas:     one,
	})
	back := of(aide.Options{
		Proposals: []string{"optimal"},
		Particles: []int{2},
		Golds:     []string{"prior:1", "prior:2.0e0"},
		Metas:     one,
	})
	if len(forward) != 4 || len(back) != 2 {
		t.Fatalf("%d and %d rows", len(forward), len(back))
	}
	for i := range back {
		f := forward[2*i+1]
		b := back[i]
		if f.Gold != "optimal:2" || b.Gold != fmt.Sprintf("prior:%d", f.Particles) || !(f.Mean > f.J) ||
			!(math.Abs(f.Mean-b.Mean) <= 1e-12) ||
			!(math.Abs(f.J-b.J) <= 1e-12) || !(math.Abs(f.SD-b.SD) <= 1e-12) {
			t.Errorf("%s %d against %s: J %v, AIDE %v; exchanged, against %s, %v and %v", f.Algorithm,
				f.Particles, f.Gold, f.J, f.Mean, b.Gold, b.J, b.Mean)
		}
		if exact := forward[2*i]; exact.LMLError != f.LMLError || exact.Gold != "exact" {
			t.Errorf("the error of log Zhat depends on the gold standard: %v and %v", exact.LMLError, f.LMLError)
		}
	}
	// Thirty particles of the optimal proposal are nearly the posterior, and the distribution of a
	// hundred takes too long.
	nearly := of(aide.Options{
		Proposals: []string{"prior"},
		Particles: []int{2},
		Golds:     []string{"optimal:30", "optimal:100"},
		Metas:     one,
		Chains:    longtest.Times(100, 3000),
		Seed:      3,
	})
	exact := forward[2]
	known := nearly[0]
	sampled := nearly[1]
	if known.Method != exact.Method || known.MeanError != 0 || !(math.Abs(known.Mean-exact.Mean) < 0.02) ||
		known.LMLError != exact.LMLError {
		t.Errorf("against thirty particles of the optimal proposal: %+v; against the posterior %v",
			known, exact.Mean)
	}
	if sampled.Method != aide.MethodSampled || !math.IsNaN(sampled.J) ||
		!(math.Abs(sampled.Mean-exact.Mean) < 5*sampled.MeanError+0.02) ||
		sampled.LMLError != exact.LMLError {
		t.Errorf("against a gold standard that is sampled: %+v; against the posterior %v", sampled, exact.Mean)
	}
}

// TestNoSuchGold: what cannot be compared is refused with a cure.
func TestNoSuchGold(t *testing.T) {
	for _, bad := range []struct {
		study string
		o     aide.Options
		want  string
	}{
		{"hmm", aide.Options{Golds: []string{"optimum:10"}}, "did you mean optimal?"},
		{"hmm", aide.Options{Golds: []string{"optimal"}},
			"give its number of particles, as in optimal:100"},
		{"hmm", aide.Options{Golds: []string{"optimal:1e7"}}, "from 1 to 1e6"},
		{"hmm", aide.Options{Golds: []string{"optimal:10:scans"}},
			"unknown gold standard of the study hmm"},
		{"regression", aide.Options{Golds: []string{"meanfield:2"}}, "unknown gold standard"},
		{"regression", aide.Options{Proposals: []string{"hm"}}, "choices: smc, mh, meanfield"},
		{"bimodal", aide.Options{Particles: []int{0}}, "particles 0"},
	} {
		s := longtest.Must(aide.Load(bad.study, aide.Data{}))(t)
		bad.o.Metas = []int{1}
		longtest.Refuses(aide.Study().Plan(context.Background(), []*aide.Comparison{s}, &bad.o))(t,
			bad.want,
			bad.study,
			bad.o,
		)
	}
}
