package networks

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/selector"
)

// arguments are what stands behind the name of a format in a selector: FILE[:evidence=...][:hide=... | :keep=...][:table=...].
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

// splitArguments takes arguments apart. The path ends where the first option begins, so that it may have colons; in the options, names and values
// with a colon stand in quotes.
func splitArguments(text string, keys []string) (arguments, error) {
	a := arguments{path: text, values: map[string]string{}}
	for _, key := range []string{keyEvidence, keyHide, keyKeep, keyTable} { // of all formats, so that those of another one are told
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
			return a, fmt.Errorf("%q is no option; the options are %s=, and names and values with a colon stand in quotes", cut(option), strings.Join(keys, "=, "))
		case twice:
			return a, fmt.Errorf("%s= stands twice; give one, with + between variables", key)
		case value == "":
			return a, fmt.Errorf("nothing stands behind %s=; %s", key, map[string]string{
				keyEvidence: "write VARIABLE=VALUE, with + between several, or a file", keyHide: "name variables, with + between several",
				keyKeep: "name variables, with + between several", keyTable: "write " + string(ChildFastest)}[key])
		}
		a.values[key] = value
	}
	if a.values[keyHide] != "" && a.values[keyKeep] != "" {
		return a, fmt.Errorf("%s= and %s= are both given; give the variables to sum out, or those to keep", keyHide, keyKeep)
	}
	return a, nil
}

// splitOutside splits a text at a character where it stands outside quotes.
func splitOutside(text string, at byte) (parts []string) {
	inside, begin := false, 0
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

// unquote returns a name without the quotes around it, which it need not have.
func unquote(text string) (string, error) {
	text = strings.TrimSpace(text)
	inner := text
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		inner = text[1 : len(text)-1]
	}
	if strings.Contains(inner, `"`) || inner == "" {
		return "", fmt.Errorf("%q is no name; write it as in the file, in quotes if it has +, : or = in it", cut(text))
	}
	return inner, nil
}

// quote writes a name as unquote and splitOutside read it.
func quote(name string) string {
	if strings.ContainsAny(name, "+:=") {
		return `"` + name + `"`
	}
	return name
}

// observation is a variable with the value that it was seen to have, by their names.
type observation struct{ variable, value string }

// splitObservation splits VARIABLE=VALUE at the first sign outside quotes.
func splitObservation(text string) (o observation, err error) {
	parts := splitOutside(text, '=')
	if len(parts) < 2 {
		return o, fmt.Errorf("%q is no observation; write VARIABLE=VALUE", cut(text))
	}
	if o.variable, err = unquote(parts[0]); err != nil {
		return o, err
	}
	o.value, err = unquote(text[len(parts[0])+1:])
	return o, err
}

// isFile reports whether the text of an option is the path of a file: it has no sign = outside quotes.
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
		return fmt.Errorf("%s is observed twice; give one value for each variable", q.Variables[v].Name)
	}
	q.Evidence[v] = value
	return nil
}

// observe notes an observation.
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
	return 0, selector.UnknownError("variable", name, names)
}
