package couple_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/experiments/couple"
	"breadboard/experiments/samplers"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// problems returns the chains of a kernel on a target from the uniform start.
func problems(toy, kernel string, functions ...string) ([]samplers.Problem, error) {
	s := samplers.Selection{Toys: []string{toy}, Kernels: []string{kernel}, Starts: []string{"uniform"}, Functions: functions}
	return s.Problems(context.Background())
}

func Example() {
	ctx := context.Background()
	p, err := problems("random:2:7:3x3", "heatbath")
	if err != nil {
		panic(err)
	}
	o := couple.Options{Couplings: []string{"rows", couple.Best}, Lags: []int{1}, At: []int64{5}, Within: 0.25}
	rows, err := couple.Study().Run(ctx, p, o, study.How{})
	if err != nil {
		panic(err)
	}
	for _, r := range rows {
		fmt.Printf("%s: E tau = %.4f; TV = %.4f, D = %.4f and d = %.4f after %d moves\n", r.Coupling, r.MeanTau, r.TV, r.LagTV, r.Point.Bound, r.T)
	}
	// Output:
	// rows: E tau = 6.9753; TV = 0.1332, D = 0.1347 and d = 3.2000 after 5 moves
	// best: E tau = 6.5868; TV = 0.1332, D = 0.1347 and d = 2.8778 after 5 moves
}

// TestLagGains: with a lag of 12 and its best k the estimator loses 1.83, and 7.85 with a lag of one, as a program independent of this one has it.
func TestLagGains(t *testing.T) {
	longtest.NotShort(t)
	p := longtest.Must(problems("random:2:7:3x3", "heatbath", "g"))(t)
	o := couple.UnbiasedOptions{Couplings: []string{"rows-comonotone"}, Lags: []int{1, 12}, K: []string{"best", "q99"}, M: []int{60}}
	rows := longtest.Must(couple.Estimator().Run(context.Background(), p, o, study.How{}))(t)
	for i, want := range []struct{ k, loss float64 }{{53, 7.851015552057068}, {39, 10.96514783215973}, {23, 1.830653882350609}, {51, 3.2996024020461348}} {
		if r := rows[i]; float64(r.Unbiased.K) != want.k || math.Abs(r.Loss-want.loss) > 1e-11*want.loss {
			t.Errorf("lag %d, %s: k = %d loses %v, for k = %v and %v", r.Lag, r.Rule, r.Unbiased.K, r.Loss, want.k, want.loss)
		}
	}
}

// TestRefused: what cannot be answered is refused with the cure.
func TestRefused(t *testing.T) {
	ctx := context.Background()
	p := longtest.Must(problems("random:1:1:2x2", "metropolis", "g"))(t)
	good := couple.Study().Standard
	for want, change := range map[string]func(o *couple.Options){
		"did you mean common": func(o *couple.Options) { o.Couplings = []string{"commen"} }, "a lag is 1 or more": func(o *couple.Options) { o.Lags = []int{0} },
		"between zero and one": func(o *couple.Options) { o.Within = 1 }, "give at least one": func(o *couple.Options) { o.At = nil },
	} {
		o := good
		change(&o)
		if _, err := couple.Study().Run(ctx, p, o, study.How{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	for want, o := range map[string]couple.UnbiasedOptions{
		"above m = 3": {Couplings: []string{"rows"}, Lags: []int{1}, K: []string{"5"}, M: []int{3}}, "best for the least": {Couplings: []string{"rows"}, Lags: []int{1}, K: []string{"x"}, M: []int{3}},
	} {
		if _, err := couple.Estimator().Run(ctx, p, o, study.How{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	large := longtest.Must(problems("random:1:1:17x17", "metropolis"))(t)
	if _, err := couple.Study().Run(ctx, large, good, study.How{}); err == nil || !strings.Contains(err.Error(), "up to 256 states") {
		t.Error(err)
	}
}

// TestBestIsTheFloor: no coupling's chains meet sooner than those of the best one, and couplings that a kernel has not are left out.
func TestBestIsTheFloor(t *testing.T) {
	p := longtest.Must(problems("random:1:1:2x2", "independence"))(t)
	rows := longtest.Must(couple.Comparison().Run(context.Background(), p, couple.Comparison().Standard, study.How{}))(t)
	if len(rows) != 5 {
		t.Errorf("%d couplings of independence, which proposes no neighbour", len(rows))
	}
	for _, r := range rows {
		if r.MeanTau < r.BestMean*(1-1e-12) {
			t.Errorf("%s: %v is below the best, %v", r.Coupling, r.MeanTau, r.BestMean)
		}
	}
}
