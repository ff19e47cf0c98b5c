package geweke_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/experiments/checks/geweke"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
)

// statistics is the number of statistics that chains on a lattice are ranked by.
const statistics = 5

// question is what is asked of which models.
type question struct {
	geweke.Selection
	geweke.Options
	study.How
}

// options returns a question about some models.
func options(toys ...string) question {
	return question{
		Selection: geweke.Selection{Toys: toys, Kernel: geweke.DefaultKernel},
		Options:   geweke.Options{Rounds: 3, Draws: 512, Seed: 1, Alpha: check.DefaultAlpha},
	}
}

// answer answers a question.
func (q *question) answer(ctx context.Context) ([]geweke.Row, error) {
	list, err := q.Build(ctx)
	if err != nil {
		return nil, err
	}
	return study.Run(ctx, geweke.Study(), list, q.Options, q.How)
}

// small writes a clustering of three data in two clusters, and returns its selector.
func small(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"small.toml": "kind = \"clustering\"\ndata = \"small.csv\"\npi = [0.7, 0.3]\ncentre_variance = 4\nnoise_variance = 0.5\n",
		"small.csv":  "1.5,0.2\n-0.3,1\n2,-1\n",
	} {
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return "model:" + filepath.Join(dir, "small.toml")
}

// run runs the test.
func run(t *testing.T, o question) []geweke.Row {
	t.Helper()
	rows := longtest.Must(o.answer(context.Background()))(t)
	return rows
}

// TestRightModelsPass with kernels that are reversible and that are not. Each run fails with a
// probability of 1e-6 at most, and so all of them together with 5e-6.
func TestRightModelsPass(t *testing.T) {
	longtest.Only(t)
	for _, kernel := range []string{"heatbath-scan", "metropolis", "suwa-todo", "independence", "heatbath-axis:0"} {
		o := options(small(t), "clu4", "bin4")
		if o.Kernel = kernel; kernel != geweke.DefaultKernel {
			o.Toys, o.Draws = o.Toys[:1], 1024
		}
		for _, r := range run(t, o) {
			for _, f := range r.Findings {
				if f.Verdict != check.Pass || !(f.Value < f.Tolerance) {
					t.Errorf("%s, %s: %+v", r.Name, kernel, f)
				}
			}
			if want := statistics + 4; len(r.Findings) != want || r.Wrong() || r.Chains != o.Draws {
				t.Errorf("%s, %s: %d findings and %d chains", r.Name, kernel, len(r.Findings), r.Chains)
			}
		}
	}
}

// TestPlots: the points ascend from (0, 0) to (1, 1), and a plot against an exact distribution has
// as many as there are numbers, and one.
func TestPlots(t *testing.T) {
	r := run(t, options("clu4"))[0]
	if len(r.Plots) != statistics+2 {
		t.Fatalf("%d plots", len(r.Plots))
	}
	for _, p := range r.Plots {
		last := p.Points[len(p.Points)-1]
		if p.Points[0] != (geweke.Point{}) || math.Abs(last.Forward-1) > 1e-12 || last.Chains != 1 || p.Chains != r.Chains || p.Doc == "" {
			t.Errorf("%s goes from %v to %v", p.Statistic, p.Points[0], last)
		}
		for i, at := range p.Points[1:] {
			if at.Forward < p.Points[i].Forward || at.Chains < p.Points[i].Chains {
				t.Fatalf("%s falls", p.Statistic)
			}
		}
	}
	used := r.Plots[len(r.Plots)-2] // four data are in one of two clusters with probability 1/8, and in both otherwise
	if want := []float64{0, 0.125, 1}; used.Statistic != "clusters_used" || used.Draws != 0 || len(used.Points) != 3 ||
		math.Abs(used.Points[1].Forward-want[1]) > 1e-15 {
		t.Errorf("clusters used: %+v", used)
	}
	pairs := r.Plots[len(r.Plots)-1] // 2, 3 or 6 pairs, with probabilities 3/8, 1/2 and 1/8
	if math.Abs(pairs.Points[1].Forward-0.375) > 1e-15 || math.Abs(pairs.Points[2].Forward-0.875) > 1e-15 {
		t.Errorf("pairs: %+v", pairs.Points)
	}
}

// TestRunRefuses what is no question.
func TestRunRefuses(t *testing.T) {
	for want, change := range map[string]func(*question){
		"no toy is named":                     func(o *question) { o.Toys = nil },
		"toy easy is not a model":             func(o *question) { o.Toys = []string{"easy"} },
		"toy hyper is not a model":            func(o *question) { o.Toys = []string{"hyper"} },
		"255; the first test is after":        func(o *question) { o.Draws = 255 },
		"0; give a whole number from 1":       func(o *question) { o.Rounds = 0 },
		"alpha NaN":                           func(o *question) { o.Alpha = math.NaN() },
		"alpha 1;":                            func(o *question) { o.Alpha = 1 },
		`unknown kernel "metropoli"; did you`: func(o *question) { o.Kernel = "metropoli" },
	} {
		o := options("clu4")
		change(&o)
		if _, err := o.answer(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A model of four data is tested.
func ExampleStudy() {
	ctx := context.Background()
	which := geweke.Selection{Toys: []string{"clu4"}, Kernel: geweke.DefaultKernel}
	list, err := which.Build(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := study.Run(ctx, geweke.Study(), list, geweke.Options{Rounds: 5, Draws: 256, Seed: 1, Alpha: 1e-6}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range rows[0].Findings {
		fmt.Println(f.Name, f.Verdict)
	}
	// Output:
	// mean_y pass
	// mean_y2 pass
	// mean_y4 pass
	// product_of_rows pass
	// log_joint pass
	// state pass
	// clusters_used pass
	// pairs_in_a_cluster pass
	// invariance pass
}
