package networks

import (
	"fmt"
	"strings"

	"breadboard/chains/selector"
)

const (
	maxFile    = 32 << 20 // bytes of a file of a network
	maxEvid    = 4 << 20  // bytes of a file of evidence
	maxNumbers = 1 << 24  // entries of all tables of a network together
	maxScope   = 1000     // variables of one table, most of which have one value then
)

// mistake is what is wrong in a line of a file.
type mistake struct {
	line int // from 1
	text string
}

// Error implements error.
func (m *mistake) Error() string { return fmt.Sprintf("line %d: %s", m.line, m.text) }

func mistakef(line int, format string, values ...any) error {
	return &mistake{line, fmt.Sprintf(format, values...)}
}

// parseValue reads a number of a table, which is finite and 0 or more. A number that is too small for a float64 is refused, as it would become
// a zero, and with it what it stands for impossible.
func parseValue(text string) (float64, error) {
	v, err := selector.ParseNumber(text)
	if err != nil {
		return 0, err
	}
	if v < 0 {
		return 0, fmt.Errorf("%s is negative; the numbers of a table are 0 or more", text)
	}
	digits, _, _ := strings.Cut(strings.ToLower(text), "e")
	if v == 0 && strings.ContainsAny(digits, "123456789") {
		return 0, fmt.Errorf("%s is above 0 and below the smallest number that can be held, 5e-324; write 0 where something is impossible, and otherwise a larger number", text)
	}
	return v, nil
}
