package exact_test

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/grid"
)

// twoModes is an annealing on a line of five states, with a mode at either end.
func twoModes() *chains.Annealing {
	line, _ := grid.New(5)
	path, _ := chains.NewGeometric(nil, []float64{2, 0, -3, 0, 1})
	a, _ := chains.NewAnnealing(path, chains.Linear{}, chains.Metropolis{Space: line}, 20)
	return a
}

func ExampleSolve() {
	s, err := exact.Solve(context.Background(), twoModes())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("J = %.6f, B = %.6f nats\n", s.J, s.B)
	fmt.Printf("%.4f <= log Z_T/Z_1 = %.4f <= %.4f\n", s.MeanLogWForward, s.LogZRatio, s.MeanLogWReverse)
	fmt.Printf("output %.3f, target %.3f\n", s.Output, s.Target)
	// Output:
	// J = 0.120289, B = 0.275455 nats
	// 0.7516 <= log Z_T/Z_1 = 0.8885 <= 1.0270
	// output [0.453 0.069 0.005 0.129 0.343], target [0.608 0.082 0.004 0.082 0.224]
}

// lazy is a kernel of one's own: it stays where it is half of the time, and else moves like another.
type lazy struct{ kernel chains.Kernel }

func (k lazy) Move(c chains.Chooser, logf []float64, x int) int {
	if c.Flip(0.5) {
		return x
	}
	return k.kernel.Move(c, logf, x)
}

// A kernel that is written as one Move has exact rows, and so an exact J and B, with no further code.
func ExampleNewRows() {
	line, _ := grid.New(3)
	k := lazy{chains.Metropolis{Space: line}}
	rows, err := exact.NewRows(context.Background(), k, []float64{0, 1, 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	for x := range rows.States() {
		for _, e := range rows.Row(x) {
			fmt.Printf("%d->%d %.4f\n", x, e.To, e.P)
		}
	}
	// Output:
	// 0->0 0.7500
	// 0->1 0.2500
	// 1->1 0.8161
	// 1->0 0.0920
	// 1->2 0.0920
	// 2->2 0.7500
	// 2->1 0.2500
}

func ExampleMarginals() {
	m, err := exact.Marginals(context.Background(), twoModes(), []int{10})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("beta %.3f\np       %.3f\nforward %.3f\nreverse %.3f\n", m[0].Beta, m[0].P, m[0].Forward, m[0].Reverse)
	// Output:
	// beta 0.474
	// p       [0.401 0.156 0.038 0.156 0.250]
	// forward [0.343 0.149 0.042 0.182 0.284]
	// reverse [0.510 0.163 0.027 0.111 0.191]
}

func ExampleGapByStage() {
	g, err := exact.GapByStage(context.Background(), twoModes())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range []exact.StageGap{g.Stages[0], g.Stages[9], g.Stages[18]} {
		fmt.Printf("t = %2d, beta %.3f: %.6f and %.6f\n", s.Stage, s.Beta, s.Forward, s.Reverse)
	}
	forward, reverse := g.Sums()
	fmt.Printf("J = %.6f, B = %.6f\n", g.KLQP+g.KLPQ, forward+reverse)
	// Output:
	// t =  2, beta 0.053: 0.003104 and 0.003120
	// t = 11, beta 0.526: 0.004172 and 0.004491
	// t = 20, beta 1.000: 0.002252 and 0.002418
	// J = 0.120289, B = 0.275455
}

// Reverse chains that start from the uniform law, moved towards the target a number of times.
func ExampleSubjective() {
	s, err := exact.NewSubjective(context.Background(), twoModes())
	if err != nil {
		fmt.Println(err)
		return
	}
	points, boundFrom, err := s.From(context.Background(), []float64{0.2, 0.2, 0.2, 0.2, 0.2}, []int{0, 10, 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range points {
		fmt.Printf("S = %3d: %.6f, KL %.6f\n", p.Moves, p.Value, p.KL)
	}
	fmt.Printf("J = %.6f, B = %.6f; a bound from S = %d on\n", s.Solution.J, s.Solution.B, boundFrom)
	// Output:
	// S =   0: 0.085927, KL 0.888478
	// S =  10: 0.131649, KL 0.075014
	// S = 100: 0.181129, KL 0.032951
	// J = 0.120289, B = 0.275455; a bound from S = 3 on
}

func ExampleCheck() {
	a := twoModes()
	s, err := exact.Solve(context.Background(), a)
	if err != nil {
		fmt.Println(err)
		return
	}
	ids, err := exact.Check(context.Background(), a, s)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range ids {
		fmt.Println(i.OK, i.Name)
	}
	// Output:
	// true log E_fwd[w] = log(Z_T/Z_1)
	// true -log E_rev[1/w] = log(Z_T/Z_1)
	// true E_fwd[log w], pushed
	// true E_rev[log w], pushed
	// true B = E_rev[log w] - E_fwd[log w], pushed
	// true B by Eq. 23
	// true J by definition
	// true J <= B
	// true total mass, forward
	// true total mass, reverse
}

// The whole law of the log weight: how often does the estimate of a single pair of chains fall below J, though its
// expectation is B >= J?
func ExampleLogWeightLaw() {
	a := twoModes()
	s, err := exact.Solve(context.Background(), a)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := exact.LogWeightLaw(context.Background(), a)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("J = %.4f, B = %.4f, P(B-hat < J) = %.4f by %s\n", s.J, s.B, w.GapBelow(s.J).Value, w.Method)
	fmt.Printf("median of log w: %.4f forward, %.4f reverse\n", w.Forward.Quantile(0.5).Value, w.Reverse.Quantile(0.5).Value)
	fmt.Printf("P(log w > log R + 1) = %.6f < %.4f\n", w.Forward.Above(w.LogZRatio+1).Value, math.Exp(-1))
	// Output:
	// J = 0.1203, B = 0.2755, P(B-hat < J) = 0.4207 by lattice
	// median of log w: 0.6842 forward, 1.0526 reverse
	// P(log w > log R + 1) = 0.012570 < 0.3679
}

func ExampleMultiSampleBounds() {
	bounds, err := exact.MultiSampleBounds(context.Background(), twoModes(), []int{1, 10, 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range bounds {
		fmt.Printf("K = %3d: %.5f <= log Z_T/Z_1 <= %.5f, mixed %.5f\n", b.K, b.Forward, b.Reverse, b.Mixed)
	}
	// Output:
	// K =   1: 0.75157 <= log Z_T/Z_1 <= 1.02702, mixed 1.02702
	// K =  10: 0.87304 <= log Z_T/Z_1 <= 0.90347, mixed 0.90382
	// K = 100: 0.88693 <= log Z_T/Z_1 <= 0.88998, mixed 0.89002
}

func ExampleDifferentiate() {
	line, _ := grid.New(5)
	path, _ := chains.NewGeometric(nil, []float64{2, 0, -3, 0, 1})
	a, _ := chains.NewAnnealing(path, chains.Linear{}, chains.Metropolis{Space: line}, 5)
	g, err := exact.Differentiate(context.Background(), a, exact.ObjectiveB)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("B = %.6f, its derivative by b_2, b_3, b_4: %.4f\n", g.Value, g.ByBeta[1:4])
	// Output: B = 0.682739, its derivative by b_2, b_3, b_4: [0.0312 0.1663 0.2214]
}
