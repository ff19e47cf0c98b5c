package success_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/experiments/annealing/success"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

func successSelection(toy, kernel string, T ...int) subject.Selection {
	return subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{toy},
		Distributions: T,
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        kernel,
	}
}

// TestTimeToSolution: the formula, its digits, T if a run sees the state with probability 0.99 or
// more, and which T has the least.
func TestTimeToSolution(t *testing.T) {
	rows := casetest.Rows(t, success.Study(), casetest.MustCases(
		t,
		successSelection("random:2:7:3x3", "metropolis", 10, 100, 1000),
	), success.Options{Levels: 2})
	if len(rows) != 6 {
		t.Fatal(len(rows))
	}
	least := map[float64]int{}
	for i, r := range rows {
		want := float64(r.Distributions()-1) * math.Ceil(math.Log(0.01)/math.Log(r.Unseen.Value))
		if math.Abs(r.TTS().Value/want-1) > 1e-12 ||
			!(r.End.Value > 0 && r.End.Value < r.Seen.Value && r.Seen.Value <= 1) ||
			math.Abs(r.Seen.Value+r.Unseen.Value-1) > 1e-14 || r.States != float64(1+i%2) ||
			!(r.MeanEnd.Value < r.MeanBest.Value) {
			t.Errorf("%+v: TTS %v, want %v", r, r.TTS().Value, want)
		}
		if r.Least {
			least[r.Level] = r.Distributions()
		}
		for _, other := range rows {
			if r.Least && other.Level == r.Level && other.TTS().Value < r.TTS().Value {
				t.Errorf("T = %d has less than the least", other.Distributions())
			}
		}
	}
	if len(least) != 2 {
		t.Error(least)
	}
	for _, r := range casetest.Rows(t, success.Study(),
		casetest.MustCases(t, successSelection("cells:0:0:0", "stay", 7)), success.Options{Levels: 0}) {
		if r.Seen.Value != 1 || r.Unseen.Value != 0 || r.TTS().Value != 6 || r.MeanBest.Value != 0 ||
			r.MeanEnd.Value != 0 || r.States != 3 {
			t.Errorf("%+v: %v", r, r.TTS().Value)
		}
	}
	never := casetest.Rows(t, success.Study(), casetest.MustCases(
		t,
		successSelection("cells:0:1", "stay", 3),
	), success.Options{Levels: 1, Start: "point:0"})[0]
	if never.Seen.Value != 0 || !math.IsInf(never.TTS().Value, 1) || never.Least ||
		never.MeanBest.Value != 0 {
		t.Errorf("%+v: %v", never, never.TTS().Value)
	}
}

// TestSuccessLevels: values that differ by rounding are one level, zeros of f are one, and the
// distribution of all levels has the means.
func TestSuccessLevels(t *testing.T) {
	rows := casetest.Rows(t, success.Study(),
		casetest.MustCases(t, successSelection("cells:0.3:0.30000000000000004/-inf:-inf", "metropolis", 3)),
		success.Options{})
	if len(rows) != 2 || rows[0].States != 2 || rows[1].States != 4 || !math.IsInf(rows[1].Level, -1) ||
		rows[1].Seen.Value != 1 ||
		!(rows[0].Unseen.Value > 0) || !math.IsInf(rows[0].MeanBest.Value, -1) {
		t.Errorf("%+v", rows)
	}
	one := casetest.Rows(t, success.Study(), casetest.MustCases(
		t,
		successSelection("cells:3e-11:-9e-11:5.5e-11:1e-11", "metropolis", 2),
	), success.Options{})
	if len(one) != 1 || one[0].LogTarget != 0 {
		t.Errorf("all states are one level, with log p %v", one[0].LogTarget)
	}
	all := casetest.Rows(t, success.Study(),
		casetest.MustCases(t, successSelection("random:3:2:3x3", "heatbath", 5)), success.Options{})
	best := 0.0
	end := 0.0
	for i, r := range all {
		seen := r.Seen.Value
		last := r.End.Value
		if i > 0 {
			seen = seen - all[i-1].Seen.Value
			last = last - all[i-1].End.Value
		}
		best = best + seen*r.Level
		end = end + last*r.Level
	}
	if math.Abs(best-all[0].MeanBest.Value) > 1e-13 || math.Abs(end-all[0].MeanEnd.Value) > 1e-13 {
		t.Errorf("means %v and %v, want %v and %v", all[0].MeanBest.Value, all[0].MeanEnd.Value, best, end)
	}
}

// TestClasses: classes of symmetric states say what their states do.
func TestClasses(t *testing.T) {
	s := successSelection("ising:3x3:0.6:torus", "flip", 20)
	plain := casetest.Rows(t, success.Study(), casetest.MustCases(t, s), success.Options{})
	s.Toys = []string{"quotient:values:ising:3x3:0.6:torus"}
	classes := casetest.Rows(t, success.Study(), casetest.MustCases(t, s), success.Options{})
	if len(plain) != len(classes) || plain[0].States != 2 {
		t.Fatalf("%d and %d rows", len(plain), len(classes))
	}
	for i, r := range classes {
		if w := plain[i]; math.Abs(r.Level-w.Level) > 1e-12 || r.States != w.States ||
			math.Abs(r.Seen.Value-w.Seen.Value) > 1e-12 ||
			math.Abs(r.End.Value-w.End.Value) > 1e-12 || math.Abs(r.MeanBest.Value-w.MeanBest.Value) > 1e-11 {
			t.Errorf("%+v, of states %+v", r.Reached, w.Reached)
		}
	}
}

// TestSANN: the annealing of R's optim, whose temperatures are temp/log(((t - 1) %/% tmax) tmax +
// e), on a cut of six nodes from no cut: the best of 40 evaluations is the optimum with the
// probability that the distribution of that process has, which draws of R 4.2 were held to
// (experiments/checks/published/r).
func TestSANN(t *testing.T) {
	dir := t.TempDir()
	edges := [][3]int{{0, 1, 3}, {1, 2, 1}, {2, 3, 2}, {3, 4, 4}, {4, 5, 1}, {5, 0, 2}, {0, 3, 1}, {1, 4, 2}}
	temperature := func(move int) float64 { return 4 / math.Log(float64((move-1)/10*10)+math.E) }
	last := temperature(39)
	var graph, betas strings.Builder
	fmt.Fprintln(&graph, 6, len(edges))
	for _, e := range edges {
		fmt.Fprintln(&graph, e[0]+1, e[1]+1, e[2])
	}
	fmt.Fprintln(&betas, 0)
	for move := 1; move < 39; move++ {
		fmt.Fprintln(&betas, last/temperature(move))
	}
	fmt.Fprintln(&betas, 1)
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, "cut.txt"), []byte(graph.String()), 0o600))
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, "betas.txt"), []byte(betas.String()), 0o600))
	s := successSelection(fmt.Sprintf("rudy:%s:%v", filepath.Join(dir, "cut.txt"), -1/(2*last)), "flip", 40)
	s.Schedule = "file:" + filepath.Join(dir, "betas.txt")
	r := casetest.Rows(t, success.Study(), casetest.MustCases(t, s), success.Options{Levels: 1, Start: "point:0"})[0]
	if math.Abs(r.Seen.Value-0.90851666559996735) > 1e-14 {
		t.Errorf("the best of 40 evaluations is the optimum with %v", r.Seen.Value)
	}
}

// TestSuccessWorkers: the same for any number of workers, and an end of the context ends it.
func TestSuccessWorkers(t *testing.T) {
	on := casetest.MustCases(t, successSelection("random:2:7:3x3", "metropolis", 10, 20))
	casetest.SameForAnyWorkers(t, success.Study(), on, success.Options{},
		func(r *success.Row) string {
			return fmt.Sprint(r.Reached, r.MeanEnd.Value, r.MeanBest.Value, r.Least)
		})
	casetest.Ends(t, success.Study(), on, success.Options{})
}

// TestFarFromEvenOdds: a state that is nearly always left, or hardly ever, has its probability,
// also below what float64 holds, and a time to solution of one run, and no probability is outside
// of [0, 1]. The heat baths draw one variable anew, so that each number is a product by hand: with
// potts:4:1x2:700, T = 5 and scans it is 3/4 of x_1, times 3 exp(-700 b) of each later state, log
// 3/4 + 4 log 3 - 1750.
func TestFarFromEvenOdds(t *testing.T) {
	for _, c := range []struct {
		toy, kernel, start string
		T, row             int
		unseen, log        float64
	}{
		{"cells:0:-40", "heatbath", "", 2, 0, 2.1241771276457944e-18, -40.69314718055995},
		{"cells:0:-40", "heatbath", "target", 2, 0, 1.804851387845415e-35, -80},
		{"potts:4:1x2:300", "heatbath", "", 2, 0, 1.1583450500427029e-130, -299.1890697837837},
		{"cells:0:-800", "heatbath", "", 10, 0, 0, -4000.69314718056},
		{"ising:1x2:700:233.33333333333334", "heatbath", "", 2, 1, 0, -934.719627694453},
		{"potts:4:1x2:700", "heatbath-scan", "", 5, 0, 0, -1745.8932329177794},
		{"cells:-2.80991709e-11:-2.02283567e-10:-1.99964405e-9:-1.37119783e-10:6.15328192e-11", "flip",
			"", 2, 0, 0, math.Inf(-1)},
	} {
		r := casetest.Rows(t, success.Study(), casetest.MustCases(t, successSelection(c.toy, c.kernel, c.T)),
			success.Options{Start: c.start})[c.row]
		for what, pair := range map[string][2]float64{
			"p_not_seen": {r.Unseen.Value, c.unseen}, "its logarithm": {r.LogUnseen.Value, c.log},
			"TTS": {r.TTS().Value, float64((c.T - 1) * r.Updates())}} {
			if pair[0] != pair[1] && !(math.Abs(pair[0]/pair[1]-1) < 1e-12) {
				t.Errorf("%s, %s: %s %v, want %v", c.toy, c.kernel, what, pair[0], pair[1])
			}
		}
		if !(r.Seen.Value >= 0 && r.Seen.Value <= 1 && r.Unseen.Value >= 0 && r.End.Value <= 1) {
			t.Errorf("%s: %+v", c.toy, r.Reached)
		}
	}
}

// TestClusters: what cluster moves refuse is a difference of large numbers at small fields, and its
// digits are counted.
func TestClusters(t *testing.T) {
	r := casetest.Rows(t, success.Study(), casetest.MustCases(t, successSelection("ising:2x2:700:1e-07", "wolff", 2)),
		success.Options{Levels: 1, Start: "mode"})[0]
	if off := math.Abs(r.End.Value - 7.99999955e-7); off > r.End.Error || r.End.Digits() < 3 ||
		r.End.Digits() > 6 {
		t.Errorf("%v with %d digits", r.End, r.End.Digits())
	}
}
