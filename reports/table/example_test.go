package table_test

import (
	"fmt"
	"os"

	"breadboard/reports/table"
)

// A column is one line: what it is called, and what stands in it. Machines and people may see different things in it.
func ExampleNew() {
	type sample struct {
		name   string
		values []float64
	}
	mean := func(s *sample) float64 {
		sum := 0.0
		for _, v := range s.values {
			sum += v
		}
		return sum / float64(len(s.values))
	}
	fields := []table.Field[sample]{
		{Column: table.Column{Name: "sample", Type: table.String, Title: "sample"}, Of: func(s *sample) any { return s.name }},
		{Column: table.Column{Name: "n", Type: table.Int}, Of: func(s *sample) any { return len(s.values) }},
		{Column: table.Column{Name: "mean", Type: table.Float, Title: "mean", Unit: "nats", Digits: 3}, Of: func(s *sample) any { return mean(s) }},
		{Column: table.Column{Name: "first", Type: table.Float, Title: "begins"}, Of: func(s *sample) any {
			return table.Both{Machine: s.values[0], People: fmt.Sprintf("with %g", s.values[0])}
		}},
	}
	t := table.New(fields, []sample{{"one", []float64{1.5}}, {"two", []float64{1, 4.0 / 3}}})
	for _, f := range []table.Format{table.Markdown, table.CSV, table.JSON} {
		if err := t.Write(os.Stdout, f); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// | sample | mean (nats) | begins   |
	// |:-------|------------:|:---------|
	// | one    |         1.5 | with 1.5 |
	// | two    |        1.17 | with 1   |
	// sample,n,mean,first
	// one,1,1.5,1.5
	// two,2,1.1666666666666665,1
	// [
	//   {"sample": "one", "n": 1, "mean": 1.5, "first": 1.5},
	//   {"sample": "two", "n": 2, "mean": 1.1666666666666665, "first": 1}
	// ]
}
