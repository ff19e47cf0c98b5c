package networks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// observations reads a file of evidence for a network whose variables have names: a line
// VARIABLE=VALUE for each, as in a selector. Empty lines and what stands behind // are passed over.
// It fails for a file that observes nothing.
func (q *Query) observations(data []byte, sample string) error {
	if sample != "" {
		return errs.New("a file of lines VARIABLE=VALUE has no samples; leave # and the number away")
	}
	line := 0
	observed := 0
	for text := range strings.Lines(string(data)) {
		line++
		text, _, _ = strings.Cut(text, "//")
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		observed++
		o, err := splitObservation(text)
		if err == nil {
			err = q.observe(o, q.format)
		}
		if err != nil {
			return mistakef(line, "%v", err)
		}
	}
	if observed == 0 {
		return errs.New("the file observes nothing; write VARIABLE=VALUE, or leave the file out")
	}
	return nil
}

// sampled reads a file of evidence of the UAI competitions: the number of observed variables, and
// for each its number and that of its value. In the files of 2006 to 2008 the number of samples
// stands before that, and as many such lists follow.
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
		chosen, err = strconv.Atoi(sample)
		if err != nil || chosen < 1 || chosen > len(samples) {
			return errs.New("there is no sample %s; the file has %s, counted from 1", sample,
				selector.Count(len(samples), "sample"))
		}
	} else if len(samples) != 1 {
		return errs.New("the file has %d samples; choose one by its number behind the path, as in FILE#1",
			len(samples))
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

// samplesOf splits the numbers of a file of evidence into the pairs of each sample. Files of 2010
// and later have one, of which the first number is that of the pairs. A text may be read in both
// ways: then it is an older file if its first number stands alone in its line, and some other line
// has an odd count of numbers, as a sample has with the number of its pairs.
func samplesOf(numbers []numeral) ([][]numeral, error) {
	if len(numbers) == 0 {
		return nil, errs.New("the file is empty; write 0 if nothing has been observed")
	}
	first, err := numbers[0].upTo("the number of observed variables", len(numbers))
	if err != nil {
		return nil, err
	}
	older, isOlder := olderSamples(numbers[1:], first)
	isNewer := len(numbers) == 1+2*first
	switch {
	case isOlder && (!isNewer || numbers[1].line > numbers[0].line && oddLine(numbers[1:])):
		return older, nil
	case isNewer:
		return [][]numeral{numbers[1:]}, nil
	}
	return nil, mistakef(numbers[0].line,
		"the file begins with %d and has %s behind it; write the number of observed variables, and for "+
			"each its number and that of its value, or before all that the number of samples",
		first, selector.Count(len(numbers)-1, "number"))
}

// oddLine reports whether some line has an odd count of numbers.
func oddLine(numbers []numeral) bool {
	counts := map[int]int{}
	for _, n := range numbers {
		counts[n.line]++
	}
	for _, count := range counts {
		if count%2 == 1 {
			return true
		}
	}
	return false
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
		list = append(list, numbers[1:1+2*pairs])
		numbers = numbers[1+2*pairs:]
	}
	return list, len(numbers) == 0 && samples > 0
}

// arguments are what stands behind the name of a format in a selector:
// FILE[:evidence=...][:hide=... | :keep=...][:table=...].
type arguments struct {
	path   string
	values map[string]string // of the options that are given
}

// The options.
const (
	keyEvidence = "evidence"
	keyHide     = "hide"
	keyKeep     = "keep"
	keyTable    = "table"
)

// splitArguments takes arguments apart. The path ends where the first option begins, so that it may
// have colons; in the options, names and values with a colon stand in quotes.
func splitArguments(text string, keys []string) (arguments, error) {
	a := arguments{path: text, values: map[string]string{}}
	for _, key := range []string{keyEvidence, keyHide, keyKeep, keyTable} {
		// of all formats, so that those of another one are reported
		if i := strings.Index(a.path, ":"+key+"="); i >= 0 {
			a.path = a.path[:i]
		}
	}
	if a.path == "" {
		return a, fmt.Errorf("give the path of a file")
	}
	if len(a.path) == len(text) {
		return a, nil
	}
	for _, option := range splitOutside(text[len(a.path)+1:], ':') {
		key, value, _ := strings.Cut(option, "=")
		switch _, twice := a.values[key]; {
		case !slices.Contains(keys, key):
			return a, errs.New(
				"%q is not an option; the options are %s=, and names and values with a colon stand in quotes",
				cut(option),
				strings.Join(keys, "=, "),
			)
		case twice:
			return a, errs.New("%s= stands twice; give one, with + between variables", key)
		case value == "":
			return a, errs.New("nothing stands behind %s=; %s", key, map[string]string{
				keyEvidence: "write VARIABLE=VALUE, with + between several, or a file",
				keyHide:     "name variables, with + between several",
				keyKeep:     "name variables, with + between several",
				keyTable:    "write " + string(ChildFastest)}[key])
		}
		a.values[key] = value
	}
	if a.values[keyHide] != "" && a.values[keyKeep] != "" {
		return a, errs.New("%s= and %s= are both given; give the variables to sum out, or those to keep",
			keyHide, keyKeep)
	}
	return a, nil
}

// splitOutside splits a text at a character where it stands outside quotes.
func splitOutside(text string, at byte) (parts []string) {
	inside := false
	begin := 0
	for i := range len(text) {
		switch {
		case text[i] == '"':
			inside = !inside
		case text[i] == at && !inside:
			parts = append(parts, text[begin:i])
			begin = i + 1
		}
	}
	return append(parts, text[begin:])
}

// unquote returns a name without the quotes around it, which it need not have. Within them each
// quote of the name is doubled.
func unquote(text string) (string, error) {
	text = strings.TrimSpace(text)
	inner := text
	single := text
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		inner = text[1 : len(text)-1]
		single = strings.ReplaceAll(inner, `""`, "")
	}
	if strings.Contains(single, `"`) || inner == "" {
		return "", errs.New(
			"%q is not a name; write it as in the file, in quotes if it has +, : or = in it, and a quote "+
				"within these twice",
			cut(text),
		)
	}
	return strings.ReplaceAll(inner, `""`, `"`), nil
}

// quote writes a name as unquote and splitOutside read it.
func quote(name string) string {
	if strings.ContainsAny(name, `+:="`) {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}

// observation is a variable with the value that it was seen to have, by their names.
type observation struct{ variable, value string }

// splitObservation splits VARIABLE=VALUE at the first sign outside quotes.
func splitObservation(text string) (o observation, err error) {
	parts := splitOutside(text, '=')
	if len(parts) < 2 {
		return o, errs.New("%q is not an observation; write VARIABLE=VALUE", cut(text))
	}
	o.variable, err = unquote(parts[0])
	if err != nil {
		return o, err
	}
	o.value, err = unquote(text[len(parts[0])+1:])
	return o, err
}

// isFile reports whether the text of an option is the path of a file: it has no sign = outside
// quotes.
func isFile(text string) bool { return len(splitOutside(text, '=')) == 1 }

// filePath returns the path of a file that an option names.
func filePath(text string) string {
	if path, err := unquote(text); err == nil {
		return path
	}
	return text
}

// see notes that a variable was seen to have a value.
func (q *Query) see(v, value int) error {
	if q.Evidence[v] != Unseen {
		return errs.New("%s is observed twice; give one value for each variable", q.Variables[v].Name)
	}
	q.Evidence[v] = value
	return nil
}

func (q *Query) observe(o observation, format Format) error {
	v, err := q.called(o.variable, format)
	if err != nil {
		return err
	}
	value := slices.Index(q.Variables[v].Labels, o.value)
	if value < 0 {
		return selector.UnknownError("value of "+q.Variables[v].Name, o.value, q.Variables[v].Labels)
	}
	return q.see(v, value)
}

// called returns the variable of a name, or in formats without names of a number.
func (q *Query) called(name string, format Format) (int, error) {
	if q.numbers == nil {
		q.numbers = map[string]int{}
		for v, variable := range q.Variables {
			q.numbers[variable.Name], q.numbers[format.selected(q.Network, v)] = v, v
		}
	}
	if v, is := q.numbers[name]; is {
		return v, nil
	}
	names := make([]string, len(q.Variables))
	for v := range names {
		names[v] = format.selected(q.Network, v)
	}
	err := selector.UnknownError("variable", name, names)
	if strings.Contains(name, ",") {
		err = errs.New("%w; several names are separated by +, as in %s", err, strings.ReplaceAll(name, ",", "+"))
	}
	return 0, err
}
