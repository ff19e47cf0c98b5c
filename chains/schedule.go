package chains

// Schedule says where on the path the T distributions of an annealing sit: b_1 = 0, b_T = 1, never decreasing. T counts both ends. A
// Schedule computes any b_t on its own, so that a run of 10^9 distributions needs no more memory than a run of ten.
type Schedule interface {
	// Validate says whether the schedule can have T distributions, and if not why.
	Validate(T int) error
	// Beta returns b_t, 1 <= t <= T.
	Beta(t, T int) float64
	// Rest returns 1 - b_t, 1 <= t <= T, to full relative accuracy: the difference of one and a rounded b_t near 1 has lost digits.
	Rest(t, T int) float64
	// Step returns b_t - b_{t-1}, 2 <= t <= T, to full relative accuracy: at T = 10^6 the difference of two
	// rounded b_t has lost six digits.
	Step(t, T int) float64
	// String returns the selector of the schedule.
	String() string
}
