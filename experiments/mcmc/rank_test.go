package mcmc_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/rank"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// rankSelection selects kernels on toys, from the uniform start.
func rankSelection(toys string, kernels string) samplers.Selection {
	return samplers.Selection{Toys: strings.Split(toys, ","), Kernels: strings.Split(kernels, ","), Starts: []string{"uniform"}}
}

// contestOf is the contest of a selection.
func contestOf(t testing.TB, s samplers.Selection) []rank.Contest {
	t.Helper()
	c := longtest.Must(rank.NewContest(t.Context(), s))(t)
	return []rank.Contest{*c}
}

// rankRun runs the study.
func rankRun(t testing.TB, s samplers.Selection, budget float64, o rank.Options) []rank.Row {
	t.Helper()
	o.Budget = budget
	return casetest.Rows(t, rank.Study(), contestOf(t, s), o)
}

func rankNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-11*max(1, math.Abs(want))) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// TestScores: RESS was computed by a program independent of this one, at the number of samples that
// the budget pays for: a Metropolis move asks for log f once, and a heat-bath move for the six
// other values of a coordinate.
func TestScores(t *testing.T) {
	longtest.Only(t)
	rows := rankRun(t, rankSelection("barrier", "metropolis,heatbath"), 200, rank.Options{Chains: 8})
	if rows[0].N != 200 || rows[1].N != 34 || rows[0].Work != 200 || rows[1].Work != 199 || rows[0].Median != 117 || rows[1].Competitors != 2 {
		t.Errorf("%+v", rows)
	}
	if rows[1].SuccessBy != rank.ByLaw || rows[0].SuccessBy != rank.ByBounds || rows[1].Scores[rank.Mean].Rank != 1 || rows[0].Scores[rank.Mean].Rank != 2 {
		t.Errorf("success %v by %s, and %v by %s", rows[0].Success, rows[0].SuccessBy, rows[1].Success, rows[1].SuccessBy)
	}
	rows = rankRun(t, rankSelection("barrier", "metropolis,heatbath"), 595, rank.Options{Chains: 8})
	rankNear(t, "RESS of heatbath at N = 100", rows[1].Scores[rank.Mean].RESS, 20.71358997126451)
	rankNear(t, "its NESS", rows[1].Scores[rank.Mean].NESS, 20.71358997126451/((595+100)/2.0))
	rankNear(t, "its success", rows[1].Success, 0.8861227584846865)
}

// TestWarmup: dropping the first samples is a warm-up of as many moves and a chain of the others.
func TestWarmup(t *testing.T) {
	longtest.Only(t)
	s := rankSelection("random:5:2:5x5", "jump:0.1")
	r := rankRun(t, s, 1000, rank.Options{Chains: 8, Drop: []float64{0, 0.1, 0.5}})[0]
	if r.Dropped != 500 {
		t.Fatalf("%d are dropped", r.Dropped)
	}
	s.Warmup = 500
	warm := rankRun(t, s, 1000, rank.Options{Chains: 8})[0]
	if warm.N != 500 || warm.Work != 1000 {
		t.Fatalf("%d samples with work %v", warm.N, warm.Work)
	}
	rankNear(t, "gain", r.DropGain, warm.Scores[rank.Mean].RESS/r.Scores[rank.Mean].RESS)
	if warm.DropGain != 1 || warm.Dropped != 0 {
		t.Errorf("nothing was tried, and %d dropped with a gain of %v", warm.Dropped, warm.DropGain)
	}
	s = rankSelection("easy", "heatbath")
	s.Starts = []string{"target"}
	if r := rankRun(t, s, 1000, rank.Options{Chains: 8, Drop: []float64{0.01, 0.1, 0.5}})[0]; r.DropGain != 1 {
		t.Errorf("from the target a warm-up gains %v", r.DropGain)
	}
}

// TestStandings: what the leaderboard says against its rows, counted another way.
func TestStandings(t *testing.T) {
	longtest.Only(t)
	three := rankSelection("easy,hard,barrier", "metropolis,heatbath,jump:0.1")
	three.Functions = []string{"all"} // whose success is Gaussian, and quick
	rows := rankRun(t, three, 300, rank.Options{Chains: 8, Drop: []float64{0.5}})
	all := rank.Standings(rows)
	wins := 0.0
	for i, s := range all {
		if i > 0 && s.Scores[rank.Mean].MeanRank < all[i-1].Scores[rank.Mean].MeanRank {
			t.Errorf("%s stands after %s", s.Kernel, all[i-1].Kernel)
		}
		ness, success, enough, better := 0.0, 0.0, 0.0, 0.0
		var efficiency []float64
		for _, r := range rows {
			if r.Kernel != s.Kernel {
				continue
			}
			ness += r.Scores[rank.Variance].RESS / r.Median / 3
			success += r.Success / 3
			if r.Scores[rank.Mean].RESS >= 12 {
				enough++
			}
			for _, other := range rows {
				if other.Toy.Name == r.Toy.Name && other.Scores[rank.Distribution].RESS > r.Scores[rank.Distribution].RESS {
					better++
				}
			}
			efficiency = append(efficiency, r.Scores[rank.Mean].RESS/float64(r.N))
		}
		slices.Sort(efficiency)
		rankNear(t, s.Kernel+": NESS of the variance", s.Scores[rank.Variance].MeanNESS, ness)
		rankNear(t, s.Kernel+": success", s.Success, success)
		rankNear(t, s.Kernel+": RESS of 12", s.Scores[rank.Mean].Enough, enough/3)
		rankNear(t, s.Kernel+": rank of the distribution", s.Scores[rank.Distribution].MeanRank, 1+better/3)
		rankNear(t, s.Kernel+": efficiency", s.Efficiency, efficiency[1])
		wins += s.Scores[rank.Mean].Wins
	}
	rankNear(t, "all wins", wins, 3)
}

// TestRanks: ranks of any scores add up to those of the places, a higher score has no higher rank,
// and equal ones have the same.
func TestRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1e-300, 1, 1 + 1e-12, 2, 1e12, math.Inf(1)}), 1, 8).Draw(t, "scores")
		ranks := rank.Ranks(scores)
		total := 0.0
		for i, a := range scores {
			total += ranks[i]
			for j, b := range scores {
				if a == b && ranks[i] != ranks[j] || a > b && ranks[i] > ranks[j] || a > b*(1+1e-6) && ranks[i] >= ranks[j] {
					t.Fatalf("scores %v have the ranks %v", scores, ranks)
				}
			}
		}
		if want := float64(len(scores)*(len(scores)+1)) / 2; total != want {
			t.Fatalf("ranks %v add up to %v, want %v", ranks, total, want)
		}
	})
}

// TestRankLeftOut: kernels that cannot move on a space, or do not say their work, do not compete
// there.
func TestRankLeftOut(t *testing.T) {
	path := casetest.File(t, "m.csv", "0.34567890123456789,0.65432109876543211\n0.65432109876543211,0.34567890123456789\n")
	c, err := rank.NewContest(context.Background(), rankSelection("random:0:0:2,graph:permutations:3:random:1:3", "metropolis,heatbath"))
	if err != nil || len(c.Problems) != 3 || len(c.Excluded) != 1 || c.Excluded[0].Kernel != "heatbath" || !strings.Contains(c.Excluded[0].Why.Error(), "grid") {
		t.Errorf("%+v, %v", c, err)
	}
	if c.Problems[2].Functions[0].Name != "g" {
		t.Errorf("the function on a graph is %s", c.Problems[2].Functions[0].Name)
	}
	for _, f := range []struct{ toys, kernels, want string }{
		{"random:0:0:2", "metropolis,matrix:" + path, "the number of evaluations of log f per move is unknown"},
		{"random:0:0:2", "metropolis,stay", "never evaluate log f"},
		{"random:0:0:2", "metropolis,metropolsi", "did you mean metropolis"},
		{"graph:permutations:3:random:1:3", "metropolis,heatbath", "kernel heatbath can compete on no target"},
		{"easy", "metropolis, metropolis", "the kernel metropolis is named twice"},
		{"easy,easy", "metropolis", "the target easy is named twice"},
	} {
		longtest.Refuses(rank.NewContest(context.Background(), rankSelection(f.toys, f.kernels)))(t, f.want, f.kernels, f.toys)
	}
}

// TestBudget: a budget pays for the start and one move, or it is refused with what it takes.
func TestBudget(t *testing.T) {
	s := rankSelection("easy", "heatbath-scan")
	asked := func(o rank.Options) error {
		_, err := rank.Study().Plan(t.Context(), contestOf(t, s), &o)
		return err
	}
	if err := asked(rank.Options{Budget: 13, Chains: 1}); err != nil {
		t.Error(err)
	}
	for budget, want := range map[float64]string{
		12: "heatbath-scan on easy take 13 evaluations of log f", 0: "give a number of evaluations", math.NaN(): "give a number",
		math.Inf(1): "give a number", -1: "give a number",
		1e300: "pays for more than 1000000000 samples of heatbath-scan on easy",
	} {
		longtest.Refused(t, asked(rank.Options{Budget: budget, Chains: 1}), want, budget)
	}
	for want, o := range map[string]rank.Options{
		"chains 0": {}, "drop 1; give shares": {Chains: 1, Drop: []float64{1}}, "drop NaN": {Chains: 1, Drop: []float64{math.NaN()}},
	} {
		longtest.Refused(t, asked(o), want)
	}
}

// TestRankInterrupted: if the context ends nothing is built and nothing computed.
func TestRankInterrupted(t *testing.T) {
	casetest.Ends(t, rank.Study(), contestOf(t, rankSelection("easy", "metropolis")), rank.Options{Budget: 1e5, Chains: 2})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := rank.NewContest(ctx, rankSelection("easy", "metropolis")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestUnfinished: if the context ends between the kernels of an example, the example has no rows,
// since ranks would be of some alone.
func TestUnfinished(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	solved := 0
	h := study.How{Workers: 1, Progress: func(int) {
		if solved++; solved == 3 {
			cancel()
		}
	}}
	rows, err := study.Run(ctx, rank.Study(), contestOf(t, rankSelection("random:1:1:3x3,random:1:2:3x3", "metropolis,heatbath")),
		rank.Options{Budget: 30, Chains: 2}, h)
	if !errors.Is(err, context.Canceled) || len(rows) != 2 || rows[0].Toy != rows[1].Toy || rows[0].Competitors != 2 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// At equal work sweeps of heat-bath moves beat Metropolis on barrier, although each of their
// samples costs twelve times as much.
func Example_rankStudy() {
	ctx := context.Background()
	contest, err := rank.NewContest(ctx, samplers.Selection{
		Toys: []string{"easy", "barrier"}, Kernels: []string{"metropolis", "heatbath-scan"}, Starts: []string{"uniform"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := study.Run(ctx, rank.Study(), []rank.Contest{*contest}, rank.Options{Budget: 10_000, Chains: 8}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%-7s %-13s N = %5d, RESS %.4g\n", r.Toy.Name, r.Kernel, r.N, r.Scores[rank.Mean].RESS)
	}
	for _, s := range rank.Standings(rows) {
		fmt.Printf("%-13s mean NESS %.2g, wins %v\n", s.Kernel, s.Scores[rank.Mean].MeanNESS, s.Scores[rank.Mean].Wins)
	}
	// Output:
	// easy    metropolis    N = 10000, RESS 19.13
	// easy    heatbath-scan N =   834, RESS 232
	// barrier metropolis    N = 10000, RESS 0.2903
	// barrier heatbath-scan N =   834, RESS 620
	// heatbath-scan mean NESS 0.079, wins 2
	// metropolis    mean NESS 0.0018, wins 0
}
