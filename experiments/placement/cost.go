package placement

// Measured: what placing a schedule that looks at the path takes. One of equal steps: seconds a state and step. One of
// constant speed: seconds a state, without the kernel and with it, and seconds a step. Both: bytes a step.
const (
	equalCost    = 7e-6
	fisherCost   = 3e-6
	frictionCost = 300e-6
	pointCost    = 1.2e-6
	pointBytes   = 32
)

// Cost estimates the seconds and bytes that the family of a name takes to place T distributions on a space with so many states, on one core
// of the machine on which the README's times were measured. It is zero for schedules that are not placed, and for cess:RHO, of which nobody
// knows before how many distributions it needs.
func Cost(name string, T, states int) (seconds, memory float64) {
	steps, size := float64(T-1), float64(states)
	switch name {
	case "acceptance", "step-kl", "cess":
		return steps * size * equalCost, steps * pointBytes
	case "fisher":
		return size*fisherCost + steps*pointCost, steps * pointBytes
	case "friction":
		return size*frictionCost + steps*pointCost, steps * pointBytes
	}
	return 0, 0
}
