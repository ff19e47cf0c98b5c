package lanes

// Change is a step from one distribution of a geometric path to the next.
type Change struct {
	Factor, Shift float64 // p_{t-1}/p_t - 1 is back Factor + Shift
	Step          float64 // b_t - b_{t-1}
}

// Rebased are the sums that Rebase makes.
type Rebased struct {
	C  float64 // sum of f c
	CW float64 // sum of f c w, with w the new u
	EA float64 // sum of f e a, with a the old one
}

// Advance multiplies each f by 1 + rise and each inverse by 1 + back, and returns the sum of the new f and that of the new
// f times back. All have the length of f.
func Advance(f, inverse, rise, back []float64) (total, change float64) {
	return advance(f, inverse, rise, back)
}

// Rebase replaces each u by u + e + u e, with e = back Factor + Shift, and adds Step c to each a, for the c in centred. All
// have the length of u.
func Rebase(u, a, f, centred, back []float64, r Change) Rebased {
	return rebase(u, a, f, centred, back, r)
}
