package files

import (
	"errors"
	"fmt"
	"strings"

	"breadboard/chains/numpy"
	"breadboard/chains/selector"
)

// zippedJSON is the ending of JSON in a ZIP archive.
const zippedJSON = ".json.zip"

// maxJSONFile is the largest JSON of draws, in bytes, which stands in memory.
const maxJSONFile = 1 << 29

// isChainsJSON reports whether the name of a file is that of draws in JSON.
func isChainsJSON(path string) bool {
	return selector.Ending(path) == ".json" || strings.HasSuffix(strings.ToLower(path), zippedJSON)
}

// readJSON returns a JSON, also out of an archive that has no other.
func readJSON(path string) ([]byte, error) {
	if !strings.HasSuffix(strings.ToLower(path), zippedJSON) {
		data, err := selector.ReadFile(path, maxJSONFile)
		return data, unpacking(path, err)
	}
	file, err := selector.OpenFile(path, maxJSONFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	archive, err := numpy.OpenArchive(file, file.Size())
	var data []byte
	if err == nil {
		data, err = archive.Only(".json", maxJSONFile)
	}
	if err != nil {
		return nil, (&fault{found: "an archive that cannot be read: " + err.Error(), want: "write the JSON alone"}).at(path, -1, 0)
	}
	return data, nil
}

// chainsForm is how draws stand in JSON.
const chainsForm = `write a list of chains, each an object with a list of draws for each variable, as in [{"mu": [0.5, 0.7]}, {"mu": [0.1, 0.9]}], or have Python diagnose them with breadboard.diagnose`

// json reads draws as posteriordb has them: a list of chains, each an object with a list of draws
// for each variable.
func (r *reading) json(path string) error {
	data, err := readJSON(path)
	if err != nil {
		return err
	}
	s := &scanner{b: data}
	chains, source := 0, path
	if s.peek() != '[' {
		return (&fault{found: "JSON that is no list of chains, " + quoted(s.b[s.at:]), want: chainsForm}).at(path, -1, 0)
	}
	err = s.array(func(i int) error {
		if chains++; chains > maxChains {
			return &fault{found: fmt.Sprintf("more than %d chains", maxChains), want: chainsForm}
		}
		source = fmt.Sprintf("%s, chain %d", path, i+1)
		return r.jsonChain(s, source)
	})
	switch wrong, is := errors.AsType[*fault](err); {
	case is:
		return wrong.at(source, -1, 0)
	case err != nil || s.peek() != 0 || s.at < len(s.b):
		return (&fault{found: fmt.Sprintf("text that is no JSON from byte %d on, %s", s.at+1, quoted(s.b[min(s.at, len(s.b)):])),
			want: "write the file again: it may be cut off"}).at(path, -1, 0)
	case chains == 0:
		return (&fault{found: "no chains", want: chainsForm}).at(path, -1, 0)
	}
	return nil
}

// jsonChain reads the next chain.
func (r *reading) jsonChain(s *scanner, source string) error {
	if s.peek() != '{' {
		return &fault{found: "a list of something else than chains, " + quoted(s.b[s.at:]), want: chainsForm}
	}
	first := len(r.chains) == 0
	place := make(map[string]int, len(r.names))
	for i, name := range r.names {
		place[name] = i
	}
	c := r.chain(source)
	seen := 0
	err := s.object(func(key []byte) error {
		name := r.named([]string{string(key)})[0]
		at, known := place[name]
		switch {
		case known && len(c.values[at]) > 0:
			return &fault{column: name, found: "the name twice", want: "keep one of them"}
		case !known && !first:
			return &fault{column: name, found: "a variable that the first chain does not have", want: "give chains of one model"}
		case !known && len(place) == maxVariables:
			return &fault{found: fmt.Sprintf("more than %d variables", maxVariables), want: "leave some out"}
		case !known:
			at, place[name] = len(r.names), len(r.names)
			r.variable(name)
			c.values = append(c.values, nil)
		}
		seen++
		return r.jsonDraws(s, c, at)
	})
	switch {
	case err != nil:
		return err
	case seen == 0:
		return &fault{found: "no variables", want: chainsForm}
	}
	for at, name := range r.names {
		if n, others := len(c.values[at]), len(c.values[0]); n != others || n == 0 {
			return &fault{column: name, found: fmt.Sprintf("%s, where %s has %d", selector.Count(n, "draw"), r.names[0], others),
				want: "write as many draws of each variable"}
		}
	}
	return nil
}

// jsonDraws reads the draws of a variable.
func (r *reading) jsonDraws(s *scanner, c *drawnChain, variable int) error {
	name := r.names[variable]
	if s.peek() != '[' {
		return &fault{column: name, found: "no list of draws, " + quoted(s.b[s.at:]), want: chainsForm}
	}
	return s.array(func(i int) error {
		var cell []byte
		var err error
		switch s.peek() {
		case '[', '{':
			return &fault{column: name, found: "a list of lists, " + quoted(s.b[s.at:]), want: "write a list of draws for each element, as in theta[1] and theta[2]"}
		case '"':
			cell, err = s.string()
		default:
			if cell, err = s.word(); string(cell) == "null" {
				cell = []byte("NA")
			}
		}
		if err != nil {
			return err
		}
		v, bad := r.parse(variable, cell)
		if bad == nil {
			bad = r.add(c, variable, v, cell, func() string { return fmt.Sprintf("%s, draw %d", c.source, i+1) })
		}
		return bad.asError()
	})
}
