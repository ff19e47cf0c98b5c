package selector

import (
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"breadboard/chains/errs"
)

// Ranges is a selector with ranges in braces: runs of whole numbers, as in random:2:{0..999}, or
// lists of numbers or sides, as in random:2:{3,7} and ising:{3x3,4x4}:0.3. It represents one
// selector for each number. A selector without braces represents itself.
type Ranges struct {
	literals []string // the texts before, between and after the ranges
	ranges   []span
}

// span is the run of whole numbers from low on, each a step above the last, or a list of numbers.
type span struct {
	list             []string // the numbers as they are written; nil for a run
	low, step, count int64
	width            int // of the numbers, which are filled up with zeros in front; 0 for their own width
}

// maxRanged is the largest number that a range may have, so that every one of them is a float64.
const maxRanged = 1e15

var (
	braces    = regexp.MustCompile(`\{[^{}]*\.\.[^{}]*\}|` + listForm.String())
	listForm  = regexp.MustCompile(`\{\d+(?:[x.]\d+)*(?:,\d+(?:[x.]\d+)*)+\}`)
	rangeForm = regexp.MustCompile(`^\{(\d{1,16})\.\.(\d{1,16})(?:\.\.(\d{1,16}))?\}$`)
)

// ParseRanges reads a selector with ranges {LOW..HIGH} or {LOW..HIGH..STEP}, as in shells:
// {0..8..2} is 0, 2, 4, 6 and 8, {08..10} is 08, 09 and 10, and {1,10,100}, {0.5,1} and {3x3,4x4}
// are lists. Other braces are not ranges, and are kept. A run takes no memory for its numbers.
func ParseRanges(text string) (Ranges, error) {
	var r Ranges
	at := 0
	for _, place := range braces.FindAllStringIndex(text, -1) {
		s, err := parseSpan(text[place[0]:place[1]])
		if err != nil {
			return Ranges{}, fmt.Errorf("%q: %w", Cut(text), err)
		}
		r.literals, r.ranges = append(r.literals, text[at:place[0]]), append(r.ranges, s)
		at = place[1]
	}
	r.literals = append(r.literals, text[at:])
	return r, nil
}

// parseSpan reads a range with its braces.
func parseSpan(text string) (span, error) {
	if listForm.MatchString(text) {
		list := strings.Split(text[1:len(text)-1], ",")
		return span{list: list, count: int64(len(list))}, nil
	}
	parts := rangeForm.FindStringSubmatch(text)
	if parts == nil {
		return span{},
			errs.New("%s is not a range; write two whole numbers with two dots between them, as in {0..999}, "+
				"and a step after two more, as in {0..100..10}",
				Cut(text))
	}
	number := func(digits string) int64 {
		n, _ := strconv.ParseInt(digits, 10, 64) // sixteen digits fit
		return n
	}
	s := span{low: number(parts[1]), step: 1}
	high := number(parts[2])
	if parts[3] != "" {
		s.step = number(parts[3])
	}
	switch {
	case s.low > high:
		return span{}, errs.New("the range %s goes down; write the smaller number first", text)
	case high > maxRanged:
		return span{}, fmt.Errorf("the range %s goes beyond %.0e", text, float64(maxRanged))
	case s.step == 0:
		return span{}, errs.New("the range %s has the step 0; give 1 or more", text)
	}
	s.count = (high-s.low)/s.step + 1
	if padded(parts[1]) || padded(parts[2]) {
		s.width = max(len(parts[1]), len(parts[2]))
	}
	return s, nil
}

// padded reports whether a number has a zero in front of it.
func padded(digits string) bool { return len(digits) > 1 && digits[0] == '0' }

// Count returns the number of selectors that the ranges represent, at most math.MaxInt64.
func (r Ranges) Count() int64 {
	n := int64(1)
	for _, s := range r.ranges {
		if n > math.MaxInt64/s.count {
			return math.MaxInt64
		}
		n *= s.count
	}
	return n
}

// SelectorAt returns selector i of them, 0 <= i < Count(). The numbers of the last range change
// first.
func (r Ranges) SelectorAt(i int64) string {
	numbers := make([]string, len(r.ranges))
	for k := len(r.ranges) - 1; k >= 0; k-- {
		s := r.ranges[k]
		numbers[k] = fmt.Sprintf("%0*d", s.width, s.low+i%s.count*s.step)
		if s.list != nil {
			numbers[k] = s.list[i%s.count]
		}
		i /= s.count
	}
	var b strings.Builder
	for k, n := range numbers {
		b.WriteString(r.literals[k])
		b.WriteString(n)
	}
	b.WriteString(r.literals[len(numbers)])
	return b.String()
}

// ReadLists reads selectors separated by commas, line by line, as CSV: one that contains a comma is
// quoted. A list in braces is part of one selector.
func ReadLists(text string) ([][]string, error) {
	const within = "\x00"
	text = listForm.ReplaceAllStringFunc(
		text,
		func(list string) string { return strings.ReplaceAll(list, ",", within) },
	)
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	for _, line := range lines {
		for i, field := range line {
			line[i] = strings.ReplaceAll(field, within, ",")
		}
	}
	return lines, err
}

// ExpandRanges returns the selectors that a list represents, those of each range in their order. It
// fails, before it takes memory, if there are more than most.
func ExpandRanges(list []string, most int) ([]string, error) {
	all := make([]Ranges, len(list))
	count := int64(0)
	for i, text := range list {
		r, err := ParseRanges(text)
		if err != nil {
			return nil, err
		}
		if n := r.Count(); n > int64(most)-count {
			return nil, errs.New("%q: with the ranges there are more than %d; make them smaller", Cut(text), most)
		}
		all[i], count = r, count+r.Count()
	}
	out := make([]string, 0, count)
	for _, r := range all {
		for i := range r.Count() {
			out = append(out, r.SelectorAt(i))
		}
	}
	return out, nil
}
