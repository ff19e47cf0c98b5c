package gradient

import (
	"breadboard/chains/selector"
	"breadboard/exact"
)

// Objective is the name of a number of an exact.Solution by which a schedule can be judged.
type Objective string

const (
	ObjectiveB    Objective = "B"      // E_rev[log w] - E_fwd[log w]
	ObjectiveJ    Objective = "J"      // the Jeffreys divergence between output and target
	ObjectiveKLQP Objective = "kl_q_p" // KL(q_fwd(x_T) || p_T)
	ObjectiveKLPQ Objective = "kl_p_q" // KL(p_T || q_fwd(x_T))
)

// Objectives returns the names of all objectives.
func Objectives() []string {
	return []string{string(ObjectiveB), string(ObjectiveJ), string(ObjectiveKLQP), string(ObjectiveKLPQ)}
}

// ParseObjective returns the objective with the given name, and an error where there is none.
func ParseObjective(name string) (Objective, error) {
	for _, o := range Objectives() {
		if o == name {
			return Objective(o), nil
		}
	}
	return "", selector.UnknownError("objective", name, Objectives())
}

// Of returns the objective's value in a solution, in nats.
func (o Objective) Of(s *exact.Solution) float64 {
	switch o {
	case ObjectiveB:
		return s.B
	case ObjectiveJ:
		return s.J
	case ObjectiveKLQP:
		return s.KLQP
	}
	return s.KLPQ
}
