package stages

import "fmt"

// Spread returns so many stages of an annealing with T distributions, from 1 to T and as evenly apart as whole numbers can be. Where T is
// no larger than count they are all stages. It fails for fewer than two stages, and for T below two.
func Spread(T, count int) ([]int, error) {
	if T < 2 || count < 2 {
		return nil, fmt.Errorf("%d stages of an annealing with %d distributions; both are at least 2", count, T)
	}
	count = min(count, T)
	out := make([]int, count)
	for i := range out {
		out[i] = 1 + (2*i*(T-1)+count-1)/(2*(count-1)) // i (T-1)/(count-1), rounded
	}
	return out, nil
}
