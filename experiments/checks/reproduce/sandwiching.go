package reproduce

import (
	"math"
	"slices"
	"strings"
)

// sandwichingModels are the models of sandwichingAnnealed and sandwichingSequential.
func sandwichingModels() []string { return []string{"toy=clu6", "toy=clu8", "toy=bin4"} }

// sandwichingRuns are the proposals and scans of sandwichingSequential.
func sandwichingRuns() []string {
	return []string{"prior:0", "posterior:0", "posterior:1", "posterior:5", "posterior:perfect"}
}

// sandwichingBackground returns the tests of the claims of section 3 on what was known before.
func sandwichingBackground() tests {
	return tests{
		"bdmc-1": func(a *Answers) bool { return isUnbiased(a.Part, "estimator=lw") },
		"bdmc-4": func(a *Answers) bool {
			return All(hasNoReciprocalBias(a.Part, "hme"), hasNoReciprocalBias(a.Part, "hme:chain"))
		},
		"bdmc-7": func(a *Answers) bool { return isUnbiased(a.Part, "estimator=ais") },
		"bdmc-9": func(a *Answers) bool {
			geometric, tempered := a.Part, a.In(1)
			a.show("ratio of B on clu8", tempered.Number("B", "toy=clu8")/geometric.Number("B", "toy=clu8"))
			return forAll([]string{"toy=gridclu", "toy=low"}, func(toy string) bool {
				return All(pairs(geometric.Numbers("B", toy), tempered.Numbers("B", toy), equal), pairs(geometric.hidden("J", toy), tempered.hidden("J", toy), equal))
			})
		},
		"bdmc-10": func(a *Answers) bool { return isIdentity(a.Part, "finding=mean_zhat_at_output") },
		"bdmc-14": func(a *Answers) bool {
			return forAll(sandwichingModels(), func(toy string) bool {
				return forAll([]string{"estimator=smc:", "estimator=shme:"}, func(e string) bool {
					return All(pairs(a.Numbers("rmse", toy, e+"posterior:0"), a.Numbers("rmse", toy, e+"prior:0"), less),
						pairs(a.hidden("sd", toy, e+"posterior:0"), a.hidden("sd", toy, e+"prior:0"), less))
				})
			})
		},
		"bdmc-61": func(a *Answers) bool {
			return forAll(sandwichingRuns(), func(e string) bool { return isUnbiased(a.Part, "estimator=smc:"+e) })
		},
		"bdmc-15": func(a *Answers) bool {
			return All(hasNoReciprocalBias(a.In(2), "shme"), forAll(sandwichingModels(), func(toy string) bool {
				return forAll([]string{"bias", "sd"}, func(column string) bool {
					return All(pairs(a.hidden(column, toy, "estimator=smc:prior:0"), a.In(1).Numbers(column, toy, "estimator=ais, settings=T=2"), equal),
						pairs(a.hidden(column, toy, "estimator=shme:prior:0"), a.In(1).hidden(column, toy, "estimator=rais, settings=T=2"), equal))
				})
			}))
		},
		"bdmc-16": func(a *Answers) bool {
			// With p(z|y) in place of the prior the last distribution adds up to E_posterior[p(y|z)], the mean of a reversed run of one step.
			return isUnbiased(a.Part, "estimator=rais, settings=T=2")
		},
	}
}

// isUnbiased tests that the mean of the estimates is the partition function, in all rows that are where the conditions say.
func isUnbiased(p *Part, where ...string) bool {
	logMean, logZ := p.hidden("log_mean_z", where...), p.hidden("log_z_ratio", where...)
	low, high := math.Inf(1), math.Inf(-1)
	for i := range logMean {
		ratio := math.Exp(logMean[i] - logZ[i])
		low, high = min(low, ratio), max(high, ratio)
	}
	p.all.show("smallest E Z-hat/Z", low)
	p.all.show("largest E Z-hat/Z", high)
	return Near(low, 1, 1e-9) && Near(high, 1, 1e-9)
}

// isIdentity tests that all differences of a finding are rounding, and shows the largest.
func isIdentity(p *Part, where ...string) bool {
	largest := slices.Max(append(p.hidden("value", where...), 0))
	return p.all.show(strings.Join(append([]string{"largest difference"}, split(where)...), " "), largest) < 1e-10
}

// hasNoReciprocalBias tests that the mean of the reciprocal of an estimate is that of the partition function, in all enumerated cases.
func hasNoReciprocalBias(p *Part, estimator string) bool {
	return isIdentity(p, "finding=enumerated_reciprocal, estimator="+estimator)
}
