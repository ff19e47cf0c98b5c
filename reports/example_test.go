package reports_test

import (
	"context"
	"fmt"
	"os"

	"breadboard/experiments"
	"breadboard/experiments/tightness"
	"breadboard/reports"
	"breadboard/reports/table"
)

// A study is run, made into a report, and written: here as Markdown, without files.
func ExampleOutput() {
	ctx := context.Background()
	selection := experiments.Selection{Toys: []string{"barrier"}, Distributions: []int{100, 1000}, Path: "geometric", Schedule: "linear", Kernel: "metropolis"}
	cases, err := selection.Cases(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := tightness.Run(ctx, cases, tightness.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	report := reports.TightnessReport(rows)
	out := reports.Output{Results: os.Stdout, Messages: os.Stdout, Format: table.Markdown}
	if err := out.Write(ctx, report); err != nil {
		fmt.Println(err)
	}
	fmt.Println("fault:", report.Fault)
	// Output:
	// | toy     |    T | J (nats) | B (nats) |    B/J | rel. error | printed                    | as printed |
	// |:--------|-----:|---------:|---------:|-------:|:-----------|:---------------------------|:-----------|
	// | barrier |  100 |  1.64786 |  1.81043 | 1.0987 | 9.866%     | J 1.65                     | yes        |
	// | barrier | 1000 |  1.08469 |  1.18435 | 1.0919 | 9.188%     | J 1.085, B 1.184, error 9% | yes        |
	// toy barrier: the dominant mode has 87% of the mass (printed: 87%)
	// fault: <nil>
}
