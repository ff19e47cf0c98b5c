package reports

import (
	"breadboard/experiments/columns"
	"breadboard/experiments/samplers"
	"breadboard/reports/table"
)

// samplersFields returns the fields that say of which chains, which function and how many samples a row of a study of samplers is.
// The warm-up is for machines.
func samplersFields[R any](of func(*R) *samplers.Setting, names ...string) []table.Field[R] {
	all := []table.Field[samplers.Setting]{
		{Column: table.Column{Name: "toy", Type: table.String, Title: "toy", Meaning: meansRows}, Of: func(s *samplers.Setting) any { return s.Toy.Name }},
		{Column: table.Column{Name: "kernel", Type: table.String, Title: "kernel", Meaning: meansKernel}, Of: func(s *samplers.Setting) any { return s.Kernel }},
		{Column: table.Column{Name: "start", Type: table.String, Title: "start", Meaning: "where chains start"}, Of: func(s *samplers.Setting) any { return s.Start.Name }},
		{Column: table.Column{Name: "function", Type: table.String, Title: "function", Meaning: "the function of the state whose mean is estimated"}, Of: func(s *samplers.Setting) any { return s.Function.Name }},
		{Column: table.Column{Name: "N", Type: table.Int, Title: "N", Meaning: "the number of samples of a chain"}, Of: func(s *samplers.Setting) any { return int(s.N) }},
		{Column: table.Column{Name: "warmup", Type: table.Int, Meaning: "the number of moves of a chain before its first sample"}, Of: func(s *samplers.Setting) any { return s.Warmup }},
	}
	var fields []table.Field[samplers.Setting]
	for _, name := range names {
		for _, f := range all {
			if f.Name == name {
				fields = append(fields, f)
			}
		}
	}
	return columns.Lift(fields, of)
}
