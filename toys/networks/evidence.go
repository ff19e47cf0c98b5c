package networks

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"breadboard/chains/selector"
)

// observations reads a file of evidence for a network whose variables have names: a line VARIABLE=VALUE for each, as in a selector. Empty lines
// and what stands behind // are passed over.
func (q *Query) observations(data []byte, sample string) error {
	if sample != "" {
		return errors.New("a file of lines VARIABLE=VALUE has no samples; leave # and the number away")
	}
	line := 0
	for text := range strings.Lines(string(data)) {
		line++
		text, _, _ = strings.Cut(text, "//")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		o, err := splitObservation(text)
		if err == nil {
			err = q.observe(o, bifFormat())
		}
		if err != nil {
			return mistakef(line, "%v", err)
		}
	}
	return nil
}

// sampled reads a file of evidence of the UAI competitions: the number of observed variables, and for each its number and that of its value.
// In the files of 2006 to 2008 the number of samples stands before that, and as many such lists follow.
func (q *Query) sampled(data []byte, sample string) error {
	s := newNumerals(string(data), "the evidence")
	var numbers []numeral
	for {
		found := s.rest()
		if found.text == "" {
			break
		}
		numbers = append(numbers, found)
	}
	samples, err := samplesOf(numbers)
	if err != nil {
		return err
	}
	chosen := 1
	if sample != "" {
		if chosen, err = strconv.Atoi(sample); err != nil || chosen < 1 || chosen > len(samples) {
			return fmt.Errorf("there is no sample %s; the file has %s, counted from 1", sample, selector.Count(len(samples), "sample"))
		}
	} else if len(samples) != 1 {
		return fmt.Errorf("the file has %d samples; choose one by its number behind the path, as in FILE#1", len(samples))
	}
	return q.seeAll(samples[chosen-1])
}

// seeAll notes pairs of a variable and its value.
func (q *Query) seeAll(pairs []numeral) error {
	for i := 0; i < len(pairs); i += 2 {
		v, err := pairs[i].upTo("the number of a variable", len(q.Variables)-1)
		if err != nil {
			return err
		}
		value, err := pairs[i+1].upTo("the value of "+q.Variables[v].Name, len(q.Variables[v].Labels)-1)
		if err != nil {
			return err
		}
		if err := q.see(v, value); err != nil {
			return mistakef(pairs[i].line, "%v", err)
		}
	}
	return nil
}

// upTo reads a token as a whole number from 0.
func (n numeral) upTo(what string, most int) (int, error) {
	v, err := strconv.Atoi(n.text)
	if err != nil || v < 0 || v > most {
		return 0, mistakef(n.line, "expected %s, a whole number from 0 to %d, found %q", what, most, cut(n.text))
	}
	return v, nil
}

// samplesOf splits the numbers of a file of evidence into the pairs of each sample. Files of 2010 and later have one, of which the first number
// is that of the pairs. A text may be read in both ways: then it is an older file if its first number stands alone in its line.
func samplesOf(numbers []numeral) ([][]numeral, error) {
	if len(numbers) == 0 {
		return nil, errors.New("the file is empty; write 0 where nothing has been observed")
	}
	first, err := numbers[0].upTo("the number of observed variables", len(numbers))
	if err != nil {
		return nil, err
	}
	older, isOlder := olderSamples(numbers[1:], first)
	isNewer := len(numbers) == 1+2*first
	alone := len(numbers) > 1 && numbers[1].line > numbers[0].line
	switch {
	case isOlder && (!isNewer || alone):
		return older, nil
	case isNewer:
		return [][]numeral{numbers[1:]}, nil
	}
	return nil, mistakef(numbers[0].line, "the file begins with %d and has %s behind it; write the number of observed variables, and for each its number and that of its value, or before all that the number of samples", first, selector.Count(len(numbers)-1, "number"))
}

// olderSamples splits numbers into so many samples, and reports whether that leaves none.
func olderSamples(numbers []numeral, samples int) (list [][]numeral, is bool) {
	for range samples {
		if len(numbers) == 0 {
			return nil, false
		}
		pairs, err := numbers[0].upTo("", (len(numbers)-1)/2)
		if err != nil {
			return nil, false
		}
		list, numbers = append(list, numbers[1:1+2*pairs]), numbers[1+2*pairs:]
	}
	return list, len(numbers) == 0 && samples > 0
}
