package sweep

import (
	"errors"
	"fmt"

	"breadboard/experiments"
)

// maxRead is the length in bytes of the longest text of a result that is read: in older results every byte that is no
// UTF-8 was written as three.
const maxRead = 3*maxText + len("...")

// validate says what cannot be the result of the cell in a sweep of the study. Every result passes it before it is written,
// and again when it is read.
func (r *Result) validate(study *experiments.Study) error {
	switch {
	case r.Values == nil && r.Error == "":
		return errors.New("it has neither values nor an error")
	case r.Values != nil && r.Error != "":
		return errors.New("it has an error and values; a result has one of them")
	case len(r.Error) > maxRead:
		return fmt.Errorf("its error has %d bytes; the limit is %d", len(r.Error), maxRead)
	case r.Values == nil:
		return nil
	case len(r.Note) > maxRead:
		return fmt.Errorf("its note has %d bytes; the limit is %d", len(r.Note), maxRead)
	}
	return study.Validate(experiments.Params(r.Cell), experiments.Outcome{Numbers: r.Numbers, Note: r.Note})
}
