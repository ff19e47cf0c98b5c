package chains

// Place is a place on a path: beta, and 1 - beta with all its digits, which the difference would lose near beta = 1.
type Place struct{ Beta, Rest float64 }

// At returns the place of a beta between 0 and 1.
func At(beta float64) Place { return Place{beta, 1 - beta} }

// Path is a curve of distributions f_b, 0 <= b <= 1, between an initial distribution f_0 and a target f_1 on
// the same n states, neither normalised. The ends are the
// given ones, but for rounding. A Path is immutable.
type Path interface {
	// States returns the number of states.
	States() int
	// Zeros reports whether either end of the path is zero somewhere.
	Zeros() bool
	// LogF writes log f_b of each state to dst, which has one entry for each state, in nats.
	LogF(dst []float64, at Place)
	// LogRatio writes log f_to - log f_from of each state to dst, for states where both are positive. The step is
	// to - from with all its digits, so that none are lost however small it is. What it writes for other states is
	// finite and has no meaning.
	LogRatio(dst []float64, from, to Place, step float64)
	// Slope writes the derivative of log f_b by b to dst, from above where it jumps, for states where f_b is
	// positive. What it writes for other states is finite and has no meaning.
	Slope(dst []float64, at Place)
	// Kinks returns the b between 0 and 1 at which the derivative jumps, in order.
	Kinks() []float64
	// Centred returns the same path with f_b scaled so that constants in log f of the ends cost no digits, and what that
	// takes from log f_1 - log f_0. Where digits matter it is the centred path that is to be used.
	Centred() (Path, float64)
	// String returns the selector of the path.
	String() string
}
