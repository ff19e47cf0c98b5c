package conform

import (
	"strconv"

	"breadboard/toys"
)

// count writes a number of things.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// labels returns the function that names the states of a toy: by labels where it has them, else by numbers.
func labels(toy *toys.Toy) func(x int) string {
	if toy.ByLabel() {
		return toy.Space.Label
	}
	return strconv.Itoa
}

func tenDigits(v float64) string { return strconv.FormatFloat(v, 'g', 10, 64) }

// twoNumbers writes two numbers, with as many digits as tell them apart.
func twoNumbers(a, b float64) (string, string) {
	if one, other := tenDigits(a), tenDigits(b); one != other || a == b {
		return one, other
	}
	return strconv.FormatFloat(a, 'g', -1, 64), strconv.FormatFloat(b, 'g', -1, 64)
}
