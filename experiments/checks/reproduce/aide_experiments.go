package reproduce

import "math"

// aideExperiments returns the tests of the claims on the experiments of the paper (section 5).
func aideExperiments() tests {
	return tests{
		"aide-8": func(a *Answers) bool {
			p := a.Part
			return All(bounds(p, "particles=1, algorithm=smc"), bounds(p, "particles=2, algorithm=smc"),
				bounds(p, "particles=10, algorithm=mh"), bounds(p, "particles=100, algorithm=mh"))
		},
		"aide-9": func(a *Answers) bool {
			of := func(column, particles string) float64 {
				return a.Number(column, "algorithm=smc, particles="+particles, "meta=1")
			}
			ten, tenError, hundred, hundredError := of("mean", "10"), of("standard_error_mean", "10"), of("mean", "100"), of("standard_error_mean", "100")
			return All(fall(of("mean", "1"), of("mean", "2"), of("mean", "3")), below(ten, tenError, of("mean", "3"), 0), below(hundred, hundredError, ten, tenError))
		},
		"aide-10": func(a *Answers) bool {
			offset := func(column string) float64 { return a.Number(column, "algorithm=offset, particles=1000, meta=1") }
			lml, mean, mass := -offset("lml_error"), offset("mean"), offset("probe")
			broad := a.Number("mean", "algorithm=broad, particles=1000, meta=1")
			return All(lml < math.Ln2, mean > 4*math.Ln2, mass < 0.1, broad < 0.01*mean)
		},
		"aide-11": func(a *Answers) bool {
			exact, close, rough := a.Numbers("mean", "gold=exact"), a.Numbers("mean", "gold=prior:100"), a.Numbers("mean", "gold=prior:1")
			return All(pairs(close, exact, func(v, w float64) bool { return math.Abs(v/w-1) < 0.15 }),
				pairs(close, exact, func(v, w float64) bool { return w < 1 || math.Abs(v/w-1) < 0.01 }),
				!pairs(rough, exact, func(v, w float64) bool { return math.Abs(v/w-1) < 1 }))
		},
		"aide-13": func(a *Answers) bool {
			nearer := func(particles, algorithm string) bool {
				means, j := a.hidden("mean", particles, algorithm), a.hidden("J", particles, algorithm)
				return All(bounds(a.Part, particles, algorithm), means[2]-j[2] < 0.05*(means[0]-j[0]))
			}
			return All(nearer("particles=2", "algorithm=prior"), nearer("particles=10", "algorithm=prior"),
				nearer("particles=100", "algorithm=prior"), nearer("particles=10", "algorithm=optimal"))
		},
		"aide-14": func(a *Answers) bool {
			const posterior = 2.286183602541887 // the mean number of clusters over all 52 partitions
			bad := []string{"algorithm=prior", "particles=1", "rejuvenate=false"}
			good := []string{"algorithm=optimal", "particles=3", "rejuvenate=false"}
			badOff := a.show("clusters too many", a.Number("probe", bad...)-posterior)
			goodOff := a.show("clusters too many", a.Number("probe", good...)-posterior)
			return All(math.Abs(badOff) < 0.01, math.Abs(goodOff) > 0.1, a.Number("mean", good...) < 0.1*a.Number("mean", bad...))
		},
	}
}

// aideStatements returns the tests of the claims of the sections on background, related work and the discussion.
func aideStatements() tests {
	return tests{
		"aide-24": func(a *Answers) bool {
			mean, j := a.Number("mean", "meta=100"), a.Number("J", "meta=100")
			annealed := a.show("B - J of annealing", a.In(1).hidden("B")[0]-a.In(1).hidden("J")[0])
			return All(mean > 1000*j, mean-j > annealed)
		},
		"aide-25": func(a *Answers) bool {
			j := a.Numbers("J")
			return All(rise(j[0], j[1]), fall(j[1], j[2], j[3]), j[3] < 0.1*j[0])
		},
		"aide-26": func(a *Answers) bool {
			found := []string{"xi_of_traces", "mean_below_J", "rises_with_meta"}
			b, j := a.In(2).hidden("B"), a.In(2).Numbers("J")
			return All(holds(a.Part, 2, found...), holds(a.In(1), 2, found...), pairs(b, j, func(b, j float64) bool { return b >= j }))
		},
		"aide-27": func(a *Answers) bool {
			density, j := a.In(2).hidden("mean"), a.In(2).hidden("J")
			return All(bounds(a.Part, "gold_meta=1"), bounds(a.In(1), "rejuvenate=true, algorithm=prior, particles=1"),
				near(density, j), bounds(a.In(3), "toy=barrier"))
		},
		"aide-28": func(a *Answers) bool {
			b := a.In(2).Number("mean", "toy=easy, meta=1")
			return All(holds(a.Part, 2, "xi_of_traces"), near(a.In(1).Numbers("mean"), []float64{b, b, b}))
		},
		"aide-29": func(a *Answers) bool {
			falls := forAll([]string{"algorithm=prior", "algorithm=optimal"}, func(algorithm string) bool {
				one := func(column, rejuvenate string) float64 {
					return a.Number(column, "rejuvenate="+rejuvenate, algorithm, "particles=1, meta=1")
				}
				better := one("J", "true") < one("J", "false")
				return !better || one("mean", "true") < one("mean", "false")
			})
			a.In(1).Numbers("mean", "rejuvenate=false, algorithm=prior, particles=1, meta=10")
			a.In(1).Numbers("mean", "rejuvenate=true, algorithm=prior, particles=1")
			return falls
		},
	}
}
