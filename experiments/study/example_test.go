package study_test

import (
	"context"
	"fmt"
	"strings"

	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
)

// scaled is a row of the study below: J of a case in another unit.
type scaled struct {
	experiments.Case
	Unit, J float64
	Notes   []string
}

// scaledOptions are its options.
type scaledOptions struct{ Unit float64 }

// scaledStudy asks how large J is in a unit. It is all that a study has to say: a row, options, columns, and how a row is computed.
func scaledStudy() *study.Study[experiments.Case, scaledOptions, scaled] {
	unit := experiments.Parameter{Name: "unit", Doc: "a unit in nats", Defaults: experiments.Just("1"), Number: &experiments.Range{Low: 1e-3, High: 1e3, Real: true}}
	return &study.Study[experiments.Case, scaledOptions, scaled]{
		Name: "scaled", Asks: "How large is J in a unit?", Help: "scaled gives J in a unit.", Examples: "  breadboard scaled --unit 2",
		Counts: "cases", Workers: "number of cases solved at once",
		Standard: scaledOptions{Unit: 1},
		Options: []study.Option[scaledOptions]{{
			Name: "unit", Doc: unit.Doc, Swept: &unit, Value: func(o *scaledOptions) study.Value { return study.Number(&o.Unit) },
		}},
		Columns: append(
			experiments.ShortCase(func(r *scaled) *experiments.Case { return &r.Case }),
			columns.Number(columns.Column{Name: "J_scaled", Title: "J", Meaning: "J in the unit"}, columns.Kept{High: 1e6, Shown: true}, func(r *scaled) float64 { return r.J }),
		),
		Plan: func(_ context.Context, cases []experiments.Case, o *scaledOptions) (study.Plan[scaled], error) {
			if !(o.Unit > 0) {
				return study.Plan[scaled]{}, fmt.Errorf("the unit is %v; give a number of nats above 0", o.Unit)
			}
			return study.Each(cases, (*experiments.Case).Distributions, func(ctx context.Context, c *experiments.Case, h study.How) (scaled, error) {
				solution, err := exact.Solve(ctx, c.Annealing(), exact.Options{Workers: h.Workers})
				if err != nil {
					return scaled{}, c.Wrong(err)
				}
				h.Add(c.Distributions())
				return scaled{Case: *c, Unit: o.Unit, J: solution.J / o.Unit, Notes: solution.Notes}, nil
			}), nil
		},
		Swept: &study.Swept[experiments.Case, scaled]{
			Parameters: experiments.Parameters(), Subject: study.TheCase,
			Note: func(r *scaled) (string, error) { return strings.Join(r.Notes, "; "), nil },
		},
	}
}

// A study is run from Go on subjects that a selection has built.
func ExampleStudy() {
	ctx := context.Background()
	cases, _ := experiments.Selection{Toys: []string{"easy"}, Distributions: []int{10, 100}, Path: "geometric", Schedule: "linear", Kernel: "metropolis"}.Cases(ctx)
	rows, err := scaledStudy().Run(ctx, cases, scaledOptions{Unit: 0.5}, study.How{})
	for _, r := range rows {
		fmt.Printf("T = %d: J is %.4f halves of a nat\n", r.Distributions(), r.J)
	}
	fmt.Println(err)
	// Output:
	// T = 10: J is 1.8091 halves of a nat
	// T = 100: J is 0.2603 halves of a nat
	// <nil>
}
