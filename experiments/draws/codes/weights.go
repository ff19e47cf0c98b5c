package codes

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/tables"
	"breadboard/experiments/draws"
	"breadboard/experiments/draws/files"
)

// NoWeights is the value of Codes.Weights that ignores columns of weights.
const NoWeights = "none"

// weighs reports whether a column has the weights of draws.
func (c *Codes) weighs(column string) bool {
	if column = c.Meant(column); c.Weights != "" {
		return column == c.Weights
	}
	role := tables.RoleOf(column)
	return role == tables.Weight || role == tables.LogWeight
}

// isLog reports whether the name of a column of weights says that it has their natural logarithms.
func isLog(column string) bool { return tables.RoleOf(column) == tables.LogWeight }

// LogWeight returns the log weight of the last row, and zero if its file has no weights.
func (r *Readers) LogWeight() float64 { return r.List[r.at].logWeight }

// weigh finds the weight of a row.
func (r *Reader) weigh(cells [][]byte) error {
	if !r.Weighted {
		return nil
	}
	text, name := bytes.TrimSpace(cells[r.weight]), r.columnNames[r.weight]
	v, _, ok := draws.ParseNumber(text)
	switch logs := r.logs; {
	case ok && logs:
		r.logWeight = v
	case logs && slices.Contains([]string{"-inf", "-infinity"}, strings.ToLower(string(text))):
		r.logWeight = math.Inf(-1)
	case logs:
		return r.Wrong(name, files.Quoted(cells[r.weight]), errors.New("write the natural logarithm of the weight, a number or -inf"))
	case !ok || v < 0:
		return r.Wrong(name, files.Quoted(cells[r.weight]),
			chains.NewAdvice("write a weight of 0 or more, or name a column of natural logarithms log_w; {weights} none ignores the column"))
	default:
		r.logWeight = number.Log(v)
	}
	return nil
}
