package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Then returns the source that gives the records of s and then those of next. A nil s has none. It
// fails if the two have different columns.
func (s *Source) Then(next *Source) (*Source, error) {
	if s == nil {
		return next, nil
	}
	if !slices.Equal(slices.Sorted(slices.Values(s.Columns)), slices.Sorted(slices.Values(next.Columns))) {
		return nil, fmt.Errorf("%s and %s have different columns; files that are read one after another have the same", s.Name, next.Name)
	}
	parts, given := []*Source{s, next}, 0
	both := &Source{Name: s.Name + ", " + next.Name, Columns: s.Columns}
	both.Next = func(ctx context.Context, n int) ([]Record, error) {
		for {
			records, err := parts[0].Next(ctx, n)
			given += len(records)
			switch {
			case !errors.Is(err, io.EOF) || len(parts) == 1 && given > 0:
				return records, err
			case given == 0:
				return nil, fmt.Errorf("%s: there are no runs in it", parts[0].Name)
			}
			if parts, given = parts[1:], 0; len(records) > 0 {
				return records, nil
			}
		}
	}
	return both, nil
}
