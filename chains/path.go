package chains

// Place is a place on a path, given by beta and by Rest = 1 - beta. Rest is kept beside beta because near beta = 1 the
// difference of the rounded beta from one would have lost digits.
type Place struct{ Beta, Rest float64 }

// At returns the place of a beta between 0 and 1.
func At(beta float64) Place { return Place{beta, 1 - beta} }

// StepTo returns the difference of the betas of another place and of p, from whichever of beta and 1 - beta is smaller there, so that a
// small step keeps its digits.
func (p Place) StepTo(to Place) float64 {
	if to.Beta > 0.5 {
		return p.Rest - to.Rest
	}
	return to.Beta - p.Beta
}

// Path is a curve of distributions f_b, 0 <= b <= 1, between an initial distribution f_0 and a target f_1 on the same n states, neither
// normalised. At b = 0 and b = 1 it returns the given distributions, apart from rounding. A Path is immutable.
type Path interface {
	// States returns the number of states.
	States() int
	// Zeros reports whether either end of the path is zero somewhere.
	Zeros() bool
	// LogF writes log f_b of each state to dst, which has one entry for each state, in nats.
	LogF(dst []float64, at Place)
	// LogRatio writes log f_to - log f_from of each state to dst, for states where both are positive. The argument step is the difference
	// of the betas of to and from: the caller passes it because it knows its digits, however small it is, while the difference of two
	// rounded betas has lost some. What LogRatio writes for other states is finite and has no meaning.
	LogRatio(dst []float64, from, to Place, step float64)
	// Slope writes the derivative of log f_b by b to dst, for states where f_b is positive; where the derivative jumps
	// it writes the limit from above. What it writes for other states is finite and has no meaning.
	Slope(dst []float64, at Place)
	// Kinks returns the b between 0 and 1 at which the derivative jumps, in order.
	Kinks() []float64
	// Centred returns the same path with f_b scaled so that a large constant in log f of an end costs no digits, and the constant in nats
	// by which the scaling has made log f_1 - log f_0 smaller. Computations in which digits matter use the centred path.
	Centred() (Path, float64)
	// String returns the selector of the path.
	String() string
}
