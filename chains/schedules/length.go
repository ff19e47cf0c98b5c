package schedules

import (
	"fmt"
)

// validateLength says why no schedule can have T distributions.
func validateLength(T int) error {
	if T < 2 {
		return fmt.Errorf("%d distributions; annealing needs at least 2, the initial one and the target", T)
	}
	return nil
}
