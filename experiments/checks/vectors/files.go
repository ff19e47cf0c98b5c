package vectors

import (
	"encoding/json"
	"strconv"
	"strings"

	"breadboard/reports/columns"
)

// valueJSON returns a value in JSON, with that many digits, or those of a float64 if they are below
// zero.
func valueJSON(rows [][]num, shape Shape, digits int) json.RawMessage {
	lines := mapped(rows, func(row []num) string {
		return strings.Join(mapped(row, func(v num) string {
			if v.v == nil || v.infinite() {
				return strconv.Quote(v.String())
			}
			if digits < 0 {
				return strconv.FormatFloat(v.float(), 'g', -1, 64)
			}
			return v.v.Text('g', digits)
		}), ", ")
	})
	switch shape {
	case Number:
		return json.RawMessage(lines[0])
	case List:
		return json.RawMessage("[" + lines[0] + "]")
	}
	return json.RawMessage("[[" + strings.Join(lines, "], [") + "]]")
}

// encoded returns a value in JSON, with < and > as they are.
func encoded(v any) string {
	var b strings.Builder
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	_ = to.Encode(v) // of texts and finite numbers, into memory
	return strings.TrimSuffix(b.String(), "\n")
}

// JSON returns the file of a routine, one line for each case.
func (r *Routine) JSON() []byte {
	var b strings.Builder
	type named struct {
		Name    string `json:"name"`
		Shape   string `json:"shape"`
		Meaning string `json:"meaning"`
	}
	head := encoded(struct {
		Routine    string  `json:"routine"`
		Definition string  `json:"definition"`
		Source     string  `json:"source"`
		Inputs     []named `json:"inputs"`
		Output     string  `json:"output"`
		Tolerance  float64 `json:"tolerance"`
		Right      string  `json:"right"`
	}{
		r.Name, r.Definition, r.Source, mapped(r.Inputs, func(a Argument) named {
			return named{Name: a.Name, Shape: a.Shape.String(), Meaning: a.Meaning}
		}), r.Output.String(),
		r.Tolerance,
		"|answer - output| <= tolerance * max(|output|, scale); where output is nan, nan or an error",
	})
	b.WriteString(strings.TrimSuffix(head, "}") + ",\n\"cases\": [")
	for i, c := range r.AnsweredCases() {
		in := make([]string, len(r.Inputs))
		for k, a := range r.Inputs {
			in[k] = strconv.Quote(a.Name) + ": " + string(valueJSON(mapped(c.Inputs[k], nums), a.Shape, -1))
		}
		line := encoded(struct {
			ID      string          `json:"id"`
			Comment string          `json:"comment"`
			Inputs  json.RawMessage `json:"inputs"`
			Output  json.RawMessage `json:"output"`
			Scale   float64         `json:"scale"`
		}{c.ID, c.Comment, json.RawMessage("{" + strings.Join(in, ", ") + "}"),
			valueJSON(c.Answer, r.Output, digits), c.Scale})
		b.WriteString(map[bool]string{true: "\n", false: ",\n"}[i == 0] + line)
	}
	b.WriteString("\n]}\n")
	return []byte(b.String())
}

// routineColumns are those of the list of routines.
func routineColumns() columns.List {
	return columns.List{
		columns.Of("routine", "routine", "the name of the routine, and of its file",
			func(r *Routine) string { return r.Name }),
		columns.Of("cases", "cases", "how many cases it has", func(r *Routine) int { return len(r.cases) }).Answer(),
		columns.Of("tolerance", "tolerance", "the largest relative error that is right",
			func(r *Routine) float64 { return r.Tolerance }).Digits(2),
		columns.Of("inputs", "inputs", "the arguments, in their order", func(r *Routine) string {
			return strings.Join(mapped(r.Inputs, func(a Argument) string { return a.Name }), ", ")
		}),
		columns.Of("definition", "returns", "what it returns",
			func(r *Routine) string { return r.Definition }).Prose().Answer(),
		columns.Of("source", "source", "where the definition stands", func(r *Routine) string { return r.Source }),
	}
}
