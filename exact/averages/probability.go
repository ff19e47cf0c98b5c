package averages

// probability returns the probability of an event from the mass of the outcomes that are in it and from that of all others, whose sum is
// one but for rounding. It takes the smaller of the two, which has the smaller rounding error, and where that is the mass of the others one
// less of it. What it returns is therefore never above one, although the sum of all outcomes may be.
func probability(inside, outside float64) float64 {
	if inside <= outside {
		return inside
	}
	return 1 - outside
}
