package annealing_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/annealing/scaling"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// scalingRows answers the study for toys.
func scalingRows(t longtest.Failer, o scaling.Options, T int, kernel string, toys ...string) []scaling.Row {
	t.Helper()
	s := subject.Selection{Toys: toys, Distributions: []int{T}, Path: "geometric", Schedule: "linear", Kernel: kernel}
	cases := longtest.Must(s.Cases(context.Background()))(t)
	return longtest.Must(study.Run(context.Background(), scaling.Study(), cases, o, study.How{}))(t)
}

// TestScaling: J, B and the relative variance are those of the larger space that another program
// has computed, and the number of distributions meets the limit, and one less does not.
func TestScaling(t *testing.T) {
	r := scalingRows(t, scaling.Options{Limit: 3, MostT: 200}, 100, "flip", "curie-weiss:100:1")[0]
	for name, v := range map[string][2]float64{
		"J":                       {r.J, 2.01414775712699128011},
		"B":                       {r.B, 3.25956985767493428723},
		"log(1+rel. variance)":    {r.RelativeVariance, 19.09290582273447522},
		"log of the states":       {r.LogStates, 100 * math.Ln2},
		"size":                    {float64(r.Size), 100},
		"number of distributions": {float64(r.Used), 100},
	} {
		if math.Abs(v[0]-v[1]) > 1e-12*v[1] {
			t.Errorf("%s is %v, not %v", name, v[0], v[1])
		}
	}
	if r.Family != "curie-weiss:N:1" || r.NeedJ == 0 || r.NeedB == 0 {
		t.Fatalf("family %s, needs %d and %d", r.Family, r.NeedJ, r.NeedB)
	}
	for T, of := range map[int]func(*scaling.Row) float64{r.NeedJ: func(r *scaling.Row) float64 { return r.J },
		r.NeedB: func(r *scaling.Row) float64 { return r.B }} {
		at := func(T int) float64 {
			return of(&scalingRows(t, scaling.Options{Limit: 1}, T, "flip", "curie-weiss:100:1")[0])
		}
		if at(T) > 3 || at(T-1) <= 3 {
			t.Errorf("%v at T = %d and %v with one less, for a limit of 3", at(T), T, at(T-1))
		}
	}
	if r := scalingRows(t, scaling.Options{Limit: 1, MostT: 100}, 50, "flip", "curie-weiss:100:1")[0]; r.NeedJ != 0 || r.NeedB != 0 {
		t.Errorf("up to 100 distributions %d and %d are enough", r.NeedJ, r.NeedB)
	}
	if r := scalingRows(t, scaling.Options{Limit: 1, PerSize: true}, 10, "flip", "curie-weiss:10:0.5")[0]; r.Used != 100 ||
		math.Abs(r.J-0.000411136919675675) > 1e-15 {
		t.Errorf("10 distributions for each of 10 spins: %d, J = %v", r.Used, r.J)
	}
}

// TestFits: powers are found, with what they leave.
func TestFits(t *testing.T) {
	list := scalingRows(t, scaling.Options{Limit: 1}, 2, "flip", "curie-weiss:8:1", "curie-weiss:4:1", "curie-weiss:16:1", "easy")
	for i := range list {
		size := float64(list[i].Size)
		list[i].J, list[i].B = 3*math.Pow(size, 0.5), math.Inf(1)
		list[i].RelativeVariance = size
		if list[i].Size == 8 {
			list[i].RelativeVariance *= math.Exp(0.3)
		}
	}
	fits := scaling.Fits(list)
	if len(fits) != 2 {
		t.Fatalf("%d fits", len(fits))
	}
	if f := fits[0]; f.Quantity != "J" || f.Sizes != 3 || f.From != 4 || f.To != 16 || math.Abs(f.Exponent-0.5) > 1e-14 ||
		math.Abs(f.Factor-3) > 1e-13 || f.Residual > 1e-14 || math.Abs(f.Last-0.5) > 1e-14 {
		t.Errorf("J: %+v", f)
	}
	if f := fits[1]; math.Abs(f.Exponent-1) > 1e-14 || math.Abs(f.Residual-0.2) > 1e-14 || math.Abs(f.Last-(1-0.3/math.Ln2)) > 1e-14 {
		t.Errorf("relative variance: %+v", f)
	}
}

// TestSizes: a toy without a family is one of its own.
func TestSizes(t *testing.T) {
	list := scalingRows(t, scaling.Options{Limit: 1}, 2, "flip", "ising:2x3:0.5", "easy", "quotient:values:ising:3x3:0.5:0.1:torus", "quotient:values:easy",
		"potts-colours:3:5:3", "coins:2:3:1:1", "weight:5:needle:5")
	for i, want := range []string{"ising:RxC:0.5 6", "easy 49", "ising:RxC:0.5:0.1:torus 9", "easy 49", "potts-colours:3:N:3 5", "coins:2:3:1:1 12",
		"weight:N:needle:5 5"} {
		if got := fmt.Sprint(list[i].Family, " ", list[i].Size); got != want {
			t.Errorf("%s: %s, not %s", list[i].Toy.Name, got, want)
		}
	}
}

// TestScalingRefuses: limits and schedules that make no sense.
func TestScalingRefuses(t *testing.T) {
	for want, o := range map[string]scaling.Options{"number of nats above 0": {}, "2 or more": {Limit: 1, MostT: 1},
		"give a smaller T": {Limit: 1, PerSize: true}} {
		s := subject.Selection{Toys: []string{"curie-weiss:2000:1"}, Distributions: []int{1 << 30}, Path: "geometric", Schedule: "linear", Kernel: "flip"}
		cases := longtest.Must(s.Cases(context.Background()))(t)
		longtest.Refuses(study.Run(context.Background(), scaling.Study(), cases, o, study.How{}))(t, want, o)
	}
	s := subject.Selection{Toys: []string{"curie-weiss:10:1"}, Distributions: []int{10}, Path: "geometric", Schedule: "fisher", Kernel: "flip"}
	cases := longtest.Must(s.Cases(context.Background()))(t)
	if _, err := study.Run(context.Background(), scaling.Study(), cases, scaling.Options{Limit: 1, MostT: 8}, study.How{}); err == nil ||
		!strings.Contains(err.Error(), "has T = 10 only") {
		t.Errorf("schedule fisher: error %v", err)
	}
}

// J grows like the square root of the size at the critical point, where models have as many
// distributions for each spin.
func Example_scaling() {
	s := subject.Selection{Toys: []string{"curie-weiss:100:1", "curie-weiss:200:1", "curie-weiss:400:1"}, Distributions: []int{2}, Path: "geometric",
		Schedule: "linear", Kernel: "flip"}
	ctx := context.Background()
	cases, err := s.Cases(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := study.Run(ctx, scaling.Study(), cases, scaling.Options{PerSize: true, Limit: 1}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range scaling.Fits(rows)[:2] {
		fmt.Printf("%s: size^%.2f, residual %.2f\n", f.Quantity, f.Exponent, f.Residual)
	}
	// Output:
	// J: size^0.61, residual 0.01
	// B: size^0.55, residual 0.01
}

// TestOnFactors: if the states can be listed too, what chains on factors estimate is within five
// standard errors of the exact numbers, log Z and the size are the same, and the number of
// distributions that B needs is near; and planes of both kinds are one family.
func TestOnFactors(t *testing.T) {
	s := subject.Selection{Toys: []string{"potts:3:3x3:0.6"}, Distributions: []int{10}, Path: "geometric", Schedule: "linear",
		Kernel: "heatbath-scan", Factored: true}
	o := scaling.Options{Limit: 0.1, MostT: 64, Chains: 4000, Seed: 2}
	listed := scalingRows(t, scaling.Options{Limit: 0.1, MostT: 64, Seed: 1}, 10, "heatbath-scan", s.Toys[0])[0]
	cases := longtest.Must(s.OnFactors(context.Background(), s.Toys[0]))(t)
	got := longtest.Must(study.Run(context.Background(), scaling.Study(), cases, o, study.How{}))(t)[0]
	if math.Abs(got.B-listed.B) > 5*got.BSE || math.Abs(got.LogZRatio-listed.LogZRatio) > 1e-12 ||
		math.Abs(got.MeanLogWForward-listed.MeanLogWForward) > 5*got.BSE {
		t.Errorf("B %v +- %v, log Z %v, lower %v: exactly %v, %v and %v", got.B, got.BSE, got.LogZRatio, got.MeanLogWForward, listed.B, listed.LogZRatio,
			listed.MeanLogWForward)
	}
	if got.Family != listed.Family || got.Size != listed.Size || math.Abs(got.LogStates-listed.LogStates) > 1e-12 || got.Setting() != listed.Setting() {
		t.Errorf("%s, %d, %v, %s", got.Family, got.Size, got.LogStates, got.Setting())
	}
	if !math.IsNaN(got.J) || got.NeedJ != 0 || math.Abs(float64(got.NeedB-listed.NeedB)) > 2 {
		t.Errorf("J %v, needs %d and %d, exactly %d", got.J, got.NeedJ, got.NeedB, listed.NeedB)
	}
	flat := longtest.Must(s.OnFactors(context.Background(), "potts:3:3x3:0"))(t)
	if r := longtest.Must(study.Run(context.Background(), scaling.Study(), flat, o, study.How{}))(t)[0]; !math.IsNaN(r.BSE) ||
		!slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "B: too few chains for a standard error") }) {
		t.Errorf("B %v +- %v: %q", r.B, r.BSE, r.Notes)
	}
	if _, err := scaling.Study().Plan(context.Background(), longtest.Must(subject.Selection{Toys: []string{"easy"}, Distributions: []int{3},
		Path: "geometric", Schedule: "linear", Kernel: "flip"}.Cases(context.Background()))(t), &scaling.Options{Limit: 1, Chains: 10}); err == nil {
		t.Error("a number of chains is ignored")
	}
}
