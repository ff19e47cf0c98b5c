package sandwich

// pace is about how long the parts of estimates take on a data set, in seconds on one core of the machine of the README.
type pace struct {
	scan   float64 // a scan under a power of the likelihood
	within float64 // a scan of the prior above a floor of the likelihood
	sweep  float64 // a sweep of variational Bayes
	fit    float64 // an ascent of the BIC
	steps  float64 // the steps of nested sampling, a number
}

// Measured: about how long a multiplication and a random choice take.
const (
	perProduct = 1.2e-9
	perChoice  = 2.5e-8
)

// clusteringPace weighs each row against K clusters of D columns.
func clusteringPace(s size, k int) pace {
	scan := perProduct*float64(s.rows*k*s.columns) + perChoice*float64(s.rows*(1+k/4))
	return pace{scan: scan, within: 1.3 * scan, sweep: 3 * scan, fit: 3 * sweepsOfAscent * scan, steps: 4 * float64(s.rows)}
}

// lowRankPace forms both factors as blocks, and within a floor draws one number after another.
func lowRankPace(s size, k int) pace {
	numbers := float64((s.rows + s.columns) * k)
	scan := perProduct*float64(2*s.rows*s.columns*k) + 2*perChoice*numbers
	return pace{scan: scan, within: scan + 15*perChoice*numbers, sweep: 2 * scan, fit: 3 * scan, steps: 25 * float64(s.rows)}
}

// binaryPace finds the features given all other rows, for each row. The BIC weighs each row against all 2^K patterns.
func binaryPace(s size, k int) pace {
	scan := perProduct*float64(s.rows*k*k*(s.columns+k)) + perChoice*float64(2*s.rows*k)
	patterns := perProduct * float64(s.rows*s.columns) * float64(int(1)<<min(k, 30))
	return pace{scan: scan, within: scan, sweep: scan, fit: sweepsOfAscent * 2 * patterns, steps: 13 * float64(s.rows)}
}
