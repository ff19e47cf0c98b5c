package views_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"breadboard/chains"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/subject"

	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/reports/views/annealing"
	"breadboard/reports/views/checks"
)

// A study is run, made into a report, and written: here as Markdown, without files.
func ExampleOutput() {
	ctx := context.Background()
	selection := subject.Selection{Toys: []string{"barrier"}, Distributions: []int{100, 1000}, Path: "geometric", Schedule: "linear", Kernel: "metropolis"}
	cases, err := selection.Cases(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := study.Run(ctx, tightness.Study(), cases, tightness.Options{}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	report := annealing.TightnessReport(rows)
	out := reports.Output{Results: os.Stdout, Messages: os.Stdout, Format: table.Markdown}
	if err := out.Write(ctx, report); err != nil {
		fmt.Println(err)
	}
	fmt.Println("fault:", report.Fault)
	// Output:
	// | toy     |    T | J (nats) | B (nats) |    B/J | rel. error |
	// |:--------|-----:|---------:|---------:|-------:|-----------:|
	// | barrier |  100 |  1.64786 |  1.81043 | 1.0987 |     9.866% |
	// | barrier | 1000 |  1.08469 |  1.18435 | 1.0919 |     9.188% |
	// toy barrier: the dominant mode has 87% of the mass (Grosse et al.: 87%)
	// fault: <nil>
}

// Chains of another program are tested, here of one that leaves the last move out. Its columns come
// as text.
func ExampleConformReport() {
	ctx := context.Background()
	selection := subject.Selection{Toys: []string{"barrier"}, Distributions: []int{6}, Path: "geometric", Schedule: "linear", Kernel: "metropolis"}
	cases, err := selection.Cases(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := planted.Of(cases[0].Annealing(), chains.Forward)
	if err != nil {
		fmt.Println(err)
		return
	}
	planted.LastMoveOut(program)
	rng := chains.NewSampler(rand.NewPCG(1, 2))
	var sent strings.Builder
	fmt.Fprintln(&sent, "log_w,x_first,x_last")
	for range 20000 {
		first, last, logw := chains.Run(program, rng)
		fmt.Fprintf(&sent, "%v,%d,%d\n", logw, first, last)
	}

	implement, err := conform.New(cases[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	forward, err := files.NewStream(ctx, "fwd.csv", strings.NewReader(sent.String()), files.Options{Space: implement.Space()})
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := conform.Check(ctx, implement, conform.Input{Forward: forward}, conform.Options{Alpha: conform.DefaultAlpha})
	if err != nil {
		fmt.Println(err)
		return
	}
	report := checks.ConformReport(outcome)
	for _, note := range report.Notes() {
		fmt.Println(note)
	}
	fmt.Println("fault:", report.Fault)
	// Output:
	// a fault was found by 3 of 14 tests; a false alarm had probability at most 1e-06
	// forward: 20000 chains of fwd.csv were read, with log_w, x_first and x_last
	// forward: "last kernel left out" explains what was sent, with posterior odds of 830 against everything else; it is impossible under the specification
	// forward: "last kernel left out" is this: Stage T adds its increment and makes no move, so that x_T = x_(T-1); that is the last move of a forward chain and the first one of a reverse chain.
	// fault: what was sent does not follow the exact distributions; see the rows that say fault
}
