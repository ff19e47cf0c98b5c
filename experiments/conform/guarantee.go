package conform

// Guarantee says which deviations of a quantity a pass rules out: had the quantity been below Low or above High, the test
// would have found it with a probability of 0.99 by the last look, whatever else the implementation does. Of E[log w] it says
// so along the exponentially tilted laws of log w.
type Guarantee struct {
	Test     string
	Quantity string // as in P(x_T = 3), P(log w < -1.5) or E[log w]
	Draws    int
	Right    float64 // the right value
	// Low and High are the values from which on a deviation is found; infinite where none is on that side.
	Low, High float64
	// KLLow and KLHigh are the divergences of these deviations from what is right, in nats a chain.
	KLLow, KLHigh float64
}
