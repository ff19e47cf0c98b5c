package conform

import (
	"math"
	"strconv"

	"breadboard/toys"
)

// shortest writes a number in the fewest digits that read back as itself. An infinity is "-Inf" or "+Inf", which the
// number parsers of Python, C and most other languages take.
func shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// jsonNumber is a number in JSON. JSON has none for an infinity, which is the text "-Inf" or "+Inf".
type jsonNumber float64

// MarshalJSON writes the shortest form.
func (n jsonNumber) MarshalJSON() ([]byte, error) {
	text := shortest(float64(n))
	if math.IsInf(float64(n), 0) {
		return []byte(`"` + text + `"`), nil
	}
	return []byte(text), nil
}

// numbers returns values as they are written in JSON.
func numbers(values []float64) []jsonNumber {
	out := make([]jsonNumber, len(values))
	for i, v := range values {
		out[i] = jsonNumber(v)
	}
	return out
}

// labels returns the function that names the states of a toy: by labels where it has them, else by numbers.
func labels(toy *toys.Toy) func(x int) string {
	if toy.InWords() {
		return toy.Label
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
