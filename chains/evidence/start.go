package evidence

// Start is where in its chain the Chib-Murray-Salakhutdinov estimator puts the draw from the reversal at z*.
type Start int

// The draw is the first place of the chain, or one of all places with the same probability.
const (
	StartFirst Start = iota
	StartUniform
)

// String returns the name of the start: first or uniform.
func (s Start) String() string { return [...]string{"first", "uniform"}[s] }
