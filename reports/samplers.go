package reports

import (
	"breadboard/experiments/samplers"
	"breadboard/reports/table"
)

// samplersFields returns the fields that say of which chains, which function and how many samples a row of a study of samplers is.
// The warm-up is for machines.
func samplersFields[R any](of func(*R) *samplers.Setting, names ...string) []table.Field[R] {
	all := []table.Field[samplers.Setting]{
		{Column: table.Column{Name: "toy", Title: "toy"}, Of: func(s *samplers.Setting) any { return s.Toy.Name }},
		{Column: table.Column{Name: "kernel", Title: "kernel"}, Of: func(s *samplers.Setting) any { return s.Kernel }},
		{Column: table.Column{Name: "start", Title: "start"}, Of: func(s *samplers.Setting) any { return s.Start.Name }},
		{Column: table.Column{Name: "function", Title: "function"}, Of: func(s *samplers.Setting) any { return s.Function.Name }},
		{Column: table.Column{Name: "N", Title: "N"}, Of: func(s *samplers.Setting) any { return int(s.N) }},
		{Column: table.Column{Name: "warmup"}, Of: func(s *samplers.Setting) any { return s.Warmup }},
	}
	var fields []table.Field[samplers.Setting]
	for _, name := range names {
		for _, f := range all {
			if f.Name == name {
				fields = append(fields, f)
			}
		}
	}
	return table.Lift(fields, of)
}
