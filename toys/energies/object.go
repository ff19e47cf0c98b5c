package energies

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"breadboard/chains/selector"
)

// object reads a dictionary of Python, or an object of JSON.
func (r *reader) object(data []byte) error {
	if bytes.Contains(data, []byte(`"quadratic_`)) {
		return r.model(data)
	}
	if bytes.Contains(data, []byte(`"quadratic"`)) {
		return r.apart(data)
	}
	return r.dictionary(string(data), 1, false)
}

var (
	// A number of NumPy's, as Python prints it in a dictionary.
	numpyNumber = regexp.MustCompile(`\bnp\.(?:float|int)\d+\(([^()]*)\)`)
	// An entry of a dictionary: two sites in parentheses, or these in quotation marks, and a
	// weight.
	pairOf = regexp.MustCompile(`^\s*(?:\(((?:[^()'"]|'[^'\n]*'|"[^"\n]*")*)\)|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')\s*:\s*([^,{}\s]+)\s*([,}])`)
	// What Python prints around a dictionary or a list, as defaultdict(<class 'float'>, {...}).
	printed = regexp.MustCompile(`(?s)^\s*\w+\([^\[{]*([\[{].*[\]}])\)\s*$`)
	// An edge of a list, with a weight or without.
	edgeOf = regexp.MustCompile(`\(([^(){},]*,[^(){},]*)(?:,([^(){},]+|\s*\{[^{}]*\}))?\)`)
	// The sites of a pair.
	sitesOf = regexp.MustCompile(`^\s*(?:'([^']*)'|"([^"]*)"|([^,'"\s]+))\s*,\s*(?:'([^']*)'|"([^"]*)"|([^,'"\s]+))\s*$`)
)

// dictionary reads {(0, 1): 2.0}, {('a', 'b'): 2.0} or {"(0,1)": 2.0} from a line on, and {"a":
// 2.0} if each entry is of one site alone.
func (r *reader) dictionary(text string, line int, alone bool) error {
	rest := numpyNumber.ReplaceAllString(text, "$1")[1:]
	for end := ","; end == "," && strings.TrimSpace(rest) != "}"; {
		found := pairOf.FindStringSubmatch(rest)
		if found == nil {
			return fmt.Errorf("line %d: expected two sites and their weight, as in (0, 1): 2.0, found %q", line, selector.Cut(strings.TrimSpace(rest)))
		}
		line += strings.Count(found[0], "\n")
		key := found[1] + found[3]
		if found[2] != "" {
			if err := json.Unmarshal([]byte(`"`+found[2]+`"`), &key); err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
		}
		weight, err := selector.ParseNumber(found[4])
		switch {
		case err == nil && alone:
			err = r.add(line, key, key, weight)
		case err == nil:
			err = r.addPair(line, key, weight)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		rest, end = rest[len(found[0]):], found[5]
		if end == "}" && strings.TrimSpace(rest) != "" {
			return fmt.Errorf("line %d: something stands behind the dictionary: %q", line, selector.Cut(strings.TrimSpace(rest)))
		}
	}
	return nil
}

// addPair adds an entry of two sites, as (0, 1) or 'a', 'b'.
func (r *reader) addPair(line int, pair string, weight float64) error {
	pair = strings.TrimSpace(pair)
	if strings.HasPrefix(pair, "(") && strings.HasSuffix(pair, ")") {
		pair = pair[1 : len(pair)-1]
	}
	sites := sitesOf.FindStringSubmatch(pair)
	if sites == nil {
		return fmt.Errorf("%q is no pair of sites; write (0, 1), or (0, 0) for one", selector.Cut(pair))
	}
	return r.add(line, sites[1]+sites[2]+sites[3], sites[4]+sites[5]+sites[6], weight)
}

// edges makes a dictionary of a list of edges as Python prints it: [(0, 1, {'weight': 2})] or
// [(0, 1)].
func (r *reader) edges(list []byte) []byte {
	text := edgeOf.ReplaceAllFunc(numpyNumber.ReplaceAll(list, []byte("$1")), func(edge []byte) []byte {
		found := edgeOf.FindSubmatch(edge)
		weight := edgeWeight(found[2])
		if len(weight) == 0 && r.form == cut {
			weight = []byte("1")
		}
		return fmt.Appendf(nil, "(%s): %s", found[1], bytes.TrimSpace(weight))
	})
	return slices.Concat([]byte("{"), text[1:len(text)-1], []byte("}"))
}

// apart reads an object with the weights of sites and those of pairs.
func (r *reader) apart(data []byte) error {
	var m struct {
		Linear, Quadratic json.RawMessage
		Offset            float64
		Vartype           string
	}
	err := decode(data, &m, true)
	if err == nil && m.Vartype != "" {
		err = r.valued(m.Vartype)
	}
	r.offset = m.Offset
	for i, part := range []json.RawMessage{m.Linear, m.Quadratic} {
		if before, _, _ := bytes.Cut(data, part); err == nil && part != nil {
			err = r.dictionary(string(part), 1+bytes.Count(before, []byte("\n")), i == 0)
		}
	}
	return err
}

// decode decodes an object of JSON, and nothing behind it. Names that it has no place for are
// refused, or passed over.
func decode(data []byte, to any, strict bool) error {
	in := json.NewDecoder(bytes.NewReader(data))
	if strict {
		in.DisallowUnknownFields()
	}
	if err := in.Decode(to); err != nil {
		return fmt.Errorf("line %d: %w", 1+bytes.Count(data[:min(int(in.InputOffset()), len(data))], []byte("\n")), err)
	}
	if _, err := in.Token(); err != io.EOF {
		return errors.New("something stands behind the closing brace")
	}
	return nil
}

// label is the name of a variable: a text or a number.
type label string

// UnmarshalJSON implements json.Unmarshaler.
func (l *label) UnmarshalJSON(data []byte) error {
	text := string(data)
	if text[0] == '"' {
		return json.Unmarshal(data, (*string)(l))
	}
	*l = label(strings.Join(strings.Fields(strings.Trim(text, "[]")), ""))
	return nil
}

// term is a summand, as bqpjson and dimod's first format have it.
type term struct {
	ID, Label label
	Tail      label `json:"id_tail"`
	Head      label `json:"id_head"`
	LabelTail label `json:"label_tail"`
	LabelHead label `json:"label_head"`
	Coeff     *float64
	Bias      *float64
}

// model reads bqpjson, and what dimod serialises.
//
// Source: the schema of bqpjson 1.0.0; dimod's BinaryQuadraticModel.to_serializable, 1.0 to 3.0.
func (r *reader) model(data []byte) error {
	var m struct {
		Domain string   `json:"variable_domain"`
		Type   string   `json:"variable_type"`
		IDs    []label  `json:"variable_ids"`
		Labels []label  `json:"variable_labels"`
		Scale  *float64 `json:"scale"`
		Offset float64
		Bytes  bool      `json:"use_bytes"`
		Terms  []term    `json:"linear_terms"`
		Pairs  []term    `json:"quadratic_terms"`
		Linear []float64 `json:"linear_biases"`
		Tail   []int     `json:"quadratic_tail"`
		Head   []int     `json:"quadratic_head"`
		Biases []float64 `json:"quadratic_biases"`
	}
	if err := decode(data, &m, false); err != nil {
		return err
	}
	if m.Bytes {
		return errors.New("the weights are bytes; write json.dump(bqm.to_serializable(), FILE), without use_bytes")
	}
	if err := r.valued(m.Domain + m.Type); err != nil {
		return err
	}
	if r.offset = m.Offset; m.Scale != nil {
		r.scale = *m.Scale
	}
	names := append(m.IDs, m.Labels...)
	for _, name := range names {
		if _, err := r.site(string(name)); err != nil {
			return err
		}
	}
	if len(m.Linear) > len(names) || len(m.Tail) != len(m.Biases) || len(m.Head) != len(m.Biases) {
		return errors.New("the lists of variables, weights and pairs have different lengths; is the file whole?")
	}
	for i := range m.Linear {
		m.Terms = append(m.Terms, term{ID: names[i], Bias: &m.Linear[i]})
	}
	for i := range m.Biases {
		if min(m.Tail[i], m.Head[i]) < 0 || max(m.Tail[i], m.Head[i]) >= len(names) {
			return fmt.Errorf("pair %d is of variables %d and %d, and there are %d", i+1, m.Tail[i], m.Head[i], len(names))
		}
		m.Pairs = append(m.Pairs, term{Tail: names[m.Tail[i]], Head: names[m.Head[i]], Bias: &m.Biases[i]})
	}
	for i, t := range append(m.Terms, m.Pairs...) {
		a, b := t.ID+t.Label, t.ID+t.Label
		if i >= len(m.Terms) {
			a, b = t.Tail+t.LabelTail, t.Head+t.LabelHead
		}
		weight := cmp.Or(t.Coeff, t.Bias)
		if weight == nil || i >= len(m.Terms) && a == b {
			return fmt.Errorf("term %d, of %q and %q, has no weight, or one variable twice", i+1, a, b)
		}
		if err := r.add(i+1, string(a), string(b), *weight); err != nil {
			return fmt.Errorf("term %d: %w", i+1, err)
		}
	}
	if len(r.names) != len(names) {
		return fmt.Errorf("the terms are of %d variables, and %d are listed", len(r.names), len(names))
	}
	return nil
}
