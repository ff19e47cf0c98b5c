package samplers

import "breadboard/experiments/columns"

// SettingColumns returns the fields that say of which chains, which function and how many samples a row of a study of samplers is.
// The warm-up is for machines.
func SettingColumns[R any](of func(*R) *Setting, names ...string) []columns.Field[R] {
	all := []columns.Field[Setting]{
		{Column: columns.Column{Name: "toy", Type: columns.String, Title: "toy", Meaning: columns.MeansRows}, Of: func(s *Setting) any { return s.Toy.Name }},
		{Column: columns.Column{Name: "kernel", Type: columns.String, Title: "kernel", Meaning: columns.MeansKernel}, Of: func(s *Setting) any { return s.Kernel }},
		{Column: columns.Column{Name: "start", Type: columns.String, Title: "start", Meaning: "where chains start"}, Of: func(s *Setting) any { return s.Start.Name }},
		{Column: columns.Column{Name: "function", Type: columns.String, Title: "function", Meaning: "the function of the state whose mean is estimated"}, Of: func(s *Setting) any { return s.Function.Name }},
		{Column: columns.Column{Name: "N", Type: columns.Int, Title: "N", Meaning: "the number of samples of a chain"}, Of: func(s *Setting) any { return int(s.N) }},
		{Column: columns.Column{Name: "warmup", Type: columns.Int, Meaning: "the number of moves of a chain before its first sample"}, Of: func(s *Setting) any { return s.Warmup }},
	}
	var fields []columns.Field[Setting]
	for _, name := range names {
		for _, f := range all {
			if f.Name == name {
				fields = append(fields, f)
			}
		}
	}
	return columns.Lift(fields, of)
}
