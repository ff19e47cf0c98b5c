package program

// Mass is the probability alone. Propagate starts with Mass(1).
type Mass float64

// Along returns the share of the branch.
func (m Mass) Along(p, _ float64) Mass { return m * Mass(p) }

// Plus returns the sum.
func (m Mass) Plus(other Mass) Mass { return m + other }
