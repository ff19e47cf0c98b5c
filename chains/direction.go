package chains

// Direction is the direction in which annealing runs.
type Direction int

const (
	Forward Direction = iota // from p_1 to p_T
	Reverse                  // from p_T to p_1
)

// String returns "forward" or "reverse".
func (d Direction) String() string {
	if d == Reverse {
		return "reverse"
	}
	return "forward"
}
