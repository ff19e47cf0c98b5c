package vectors

// lost returns the volume that is lost at each death if the volume shrinks by exp(-1/K).
func lost(points num, deaths int) (shells []num, rest num) {
	rest = exactNumber(1)
	kept := exactNumber(-1).over(points).exp()
	for range deaths {
		after := rest.times(kept)
		shells = append(shells, rest.minus(after))
		rest = after
	}
	return shells, rest
}

// evidence returns the log of the sum of likelihoods times volumes. The live points share the rest.
func evidence(in inputs) num {
	dead := in.nums(0)
	live := in.nums(1)
	shells, rest := lost(exactNumber(float64(len(live))), len(dead))
	return dot(mapped(dead, num.exp), shells).plus(rest.times(mean(mapped(live, num.exp)))).log()
}

func ofNested() []*Routine {
	ran := []Argument{
		{"log_l_dead", List, "log likelihoods of the dead points, in the order of their deaths"},
		{"log_l_live", List, "those of the K live points at the end"}}
	var sizes []example
	for _, k := range []float64{2, 5, 50, 1000} {
		for _, deaths := range []float64{1, 3, 10, 40} {
			sizes = append(
				sizes,
				example{"K" + exactNumber(k).v.Text('g', 4) + "-" + exactNumber(deaths).v.Text('g', 4),
					"", newInputs(value(k), value(deaths))},
			)
		}
	}
	return []*Routine{
		{
			Name: "nested_log_z",
			Definition: "log of the sum of L_i (X_(i-1) - X_i) over the deaths, X_i = exp(-i/K), plus the " +
				"mean L of the K live points times the last X",
			Source:    "Skilling 2006",
			Inputs:    ran,
			Output:    Number,
			Tolerance: 1e-11,
			scale:     largest,
			cases:     examples("nested runs"),
			define:    scalars(evidence),
		},
		{
			Name:       "nested_log_volumes",
			Definition: "log(X_(i-1) - X_i) for the deaths i = 1 to n, X_i = exp(-i/K)",
			Source:     "Skilling 2006",
			Inputs: []Argument{
				{"points", Number, "K, the number of live points"}, {"deaths", Number, "n"}},
			Output:    List,
			Tolerance: 1e-11,
			scale:     unit,
			cases:     sizes,
			define: lists(func(in inputs) []num {
				volumes, _ := lost(in.num(0), in.wholeInput(1))
				return mapped(volumes, num.log)
			}),
		},
	}
}
