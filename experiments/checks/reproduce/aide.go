package reproduce

import (
	"math"
)

// rounding is what exact numbers of two routes may differ by, as Near means it.
const rounding = 1e-12

// aide returns the tests in Go of the claims of Cusumano-Towner and Mansinghka 2017.
func aide() tests {
	return tests{
		"aide-9": func(a *Answers) bool {
			of := func(column, particles string) float64 {
				return a.Number(column, "algorithm=smc, particles="+particles, "meta=1")
			}
			ten := of("mean", "10")
			tenError := of("mean_se", "10")
			hundred := of("mean", "100")
			hundredError := of("mean_se", "100")
			return all(fall(of("mean", "1"), of("mean", "2"), of("mean", "3")),
				below(ten, tenError, of("mean", "3"), 0), below(hundred, hundredError, ten, tenError))
		},
	}
}

// below reports whether an estimate is below another by five standard errors, which equal ones pass
// once in three million times.
func below(estimate, standardError, other, otherError float64) bool {
	return estimate+5*math.Hypot(standardError, otherError) < other
}

// bounds reports whether AIDE's mean falls in each row where the conditions say, and stays above J.
func bounds(p *Part, where ...string) bool {
	means := p.Numbers("mean", where...)
	j := p.hidden("J", where...)
	p.all.showDerived("J "+split(where)[0], j[0])
	return all(fall(means...), pairs(means, j, func(m, j float64) bool { return m >= j }))
}
