package schedules

import "fmt"

// validateLength returns an error where T is below 2, so that no schedule can have T distributions.
func validateLength(T int) error {
	if T < 2 {
		return fmt.Errorf("%d distributions; annealing needs at least 2, the initial one and the target", T)
	}
	return nil
}
