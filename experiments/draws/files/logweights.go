package files

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"

	"breadboard/chains/tables"
)

// ReadLogWeights reads the log weights of chains of one direction, forward or reverse, in nats: the
// column log_w, or else that with the name of the direction, or the only one. It returns the names
// of columns that are of neither direction, which it omits.
func ReadLogWeights(ctx context.Context, path, direction string, most int) (logW []float64, omitted []string,
	err error) {
	t, err := OpenTable(ctx, path, TableOptions{Row: isNumbers})
	if err != nil {
		return nil, nil, err
	}
	defer t.Close()
	at := logWeightColumn(t.names, direction)
	switch {
	case t.width == 1 && at < 0 && t.names == nil:
		at = 0
	case at < 0:
		return nil, nil, t.WrongColumns("no column log_w and none "+direction,
			"name the column of the log weights log_w, or give a file that has no other")
	}
	for i, name := range t.names {
		if i != at && name != "forward" && name != "reverse" {
			omitted = append(omitted, name)
		}
	}
	for {
		cells, err := t.Next(ctx)
		if errors.Is(err, io.EOF) {
			return logW, omitted, nil
		}
		if err != nil {
			return nil, nil, err
		}
		v, ok := cells[at].Number()
		if !ok || math.IsNaN(v) {
			return nil, nil, t.Wrong("", cells[at].Found(), "write a number, -inf or inf")
		}
		if len(logW) == most {
			return nil, nil, tooMany(most).withPlace(path, -1, 0)
		}
		logW = append(logW, v)
	}
}

// logWeightColumn returns the column of log weights; -1 if no name says it.
func logWeightColumn(names []string, direction string) int {
	for _, want := range []string{"log_w", direction} {
		if i := slices.IndexFunc(names, func(name string) bool {
			return tables.PlainName(name) == tables.PlainName(want)
		}); i >= 0 {
			return i
		}
	}
	return -1
}
