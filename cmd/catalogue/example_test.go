package catalogue_test

import (
	"context"
	"fmt"
	"os"

	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/forms"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/table"
)

// A study is run, made into a report, and written: here as Markdown, without files.
func ExampleOutput() {
	ctx := context.Background()
	selection := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"barrier"},
		Distributions: []int{100, 1000},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}
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
	report := tightness.Report(rows)
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
	// fault: <nil>
}
