package chains

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ScheduleSelectors returns the forms that ParseSchedule reads.
func ScheduleSelectors() []string {
	return []string{"linear", "sigmoid[:DELTA]", "power:P", "geometric[:FIRST]", "file:PATH"}
}

// ParseSchedule returns the schedule of a selector: "linear", "sigmoid" (delta 4), "sigmoid:DELTA", "power:P",
// "geometric" (from 0.01), "geometric:FIRST", or "file:PATH" with one beta a line.
func ParseSchedule(selector string) (Schedule, error) {
	name, arg, hasArg := strings.Cut(selector, ":")
	switch {
	case name == "linear" && !hasArg:
		return Linear{}, nil
	case name == "sigmoid" && !hasArg:
		return Sigmoid{DefaultDelta}, nil
	case name == "sigmoid":
		delta, err := ParseNumber(arg)
		if err != nil {
			return nil, fmt.Errorf("schedule %q: delta: %w", selector, err)
		}
		s := Sigmoid{delta}
		return s, s.Validate(2)
	case name == "power" && hasArg:
		p, err := ParseNumber(arg)
		if err != nil {
			return nil, fmt.Errorf("schedule %q: exponent: %w", selector, err)
		}
		s := Power{p}
		return s, s.Validate(2)
	case name == "geometric" && !hasArg:
		return Spaced{DefaultFirst}, nil
	case name == "geometric":
		first, err := ParseNumber(arg)
		if err != nil {
			return nil, fmt.Errorf("schedule %q: first beta: %w", selector, err)
		}
		s := Spaced{first}
		return s, s.Validate(2)
	case name == "file" && hasArg:
		return readPoints(arg)
	case name == "linear":
		return nil, fmt.Errorf("schedule %q: linear takes no argument", selector)
	case name == "power":
		return nil, fmt.Errorf("schedule %q: give the exponent, as in power:2", selector)
	case name == "file":
		return nil, fmt.Errorf("schedule %q: give the path, as in file:betas.csv", selector)
	}
	return nil, UnknownError("schedule", selector, ScheduleSelectors())
}

// maxPointsFile bounds the size of a schedule file: ten million points of 25 digits.
const maxPointsFile = 256 << 20

func readPoints(path string) (*Points, error) {
	if path == "" {
		return nil, errors.New("schedule file: no path; write file:PATH, as in file:betas.csv")
	}
	data, err := ReadFile(path, maxPointsFile)
	if err != nil {
		return nil, fmt.Errorf("schedule file: %w", err)
	}
	return ParsePoints("file:"+path, data)
}

// ParsePoints reads a schedule from text with one beta a line. Empty lines and lines that begin with # are
// passed over. Errors name the line.
func ParsePoints(name string, text []byte) (*Points, error) {
	var betas []float64
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		field := strings.TrimSpace(lines.Text())
		if field == "" || field[0] == '#' {
			continue
		}
		b, err := ParseNumber(field)
		if err != nil {
			return nil, fmt.Errorf("schedule %s, line %d: %w", name, n, err)
		}
		betas = append(betas, b)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("schedule %s: %w; write one beta a line", name, err)
	}
	return NewPoints(name, betas)
}

// ParseNumber reads a finite decimal number. Unlike strconv.ParseFloat it refuses "nan", "inf", hexadecimal
// and digits joined by underscores, and it says so where a comma stands for the decimal point.
func ParseNumber(s string) (float64, error) {
	if strings.ContainsRune(s, ',') {
		return 0, fmt.Errorf("%q has a comma; write decimals with a point", s)
	}
	if s == "" || strings.Trim(s, "+-.0123456789eE") != "" {
		return 0, fmt.Errorf("%q is no number", s)
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is no number, or outside the range of floating point", s)
	}
	if v == 0 {
		return 0, nil // also of -0, which would have another name
	}
	return v, nil
}

// Named reports whether a selector has the name of one of the forms, as "sigmoid:3" has that of "sigmoid[:DELTA]".
func Named(selector string, forms []string) bool {
	name, _, _ := strings.Cut(selector, ":")
	for _, form := range forms {
		if known, _, _ := strings.Cut(strings.ReplaceAll(form, "[", ""), ":"); known == name {
			return true
		}
	}
	return false
}

// UnknownError is the error for a selector whose name is none of the choices: it suggests the nearest and
// lists them. A choice is written with its arguments, as in "power:P" or "sigmoid[:DELTA]".
func UnknownError(what, got string, choices []string) error {
	name, _, _ := strings.Cut(strings.ToLower(got), ":")
	hint, best := "", 1+len(name)/2
	for _, choice := range choices {
		known := choice[:len(choice)-len(strings.TrimLeft(choice, "abcdefghijklmnopqrstuvwxyz-"))]
		if d := editDistance(name, known); d < best {
			hint, best = fmt.Sprintf("did you mean %s? ", known), d
		}
	}
	return fmt.Errorf("unknown %s %q; %schoices: %s", what, got, hint, strings.Join(choices, ", "))
}

// editDistance is Levenshtein's distance between two short names.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
