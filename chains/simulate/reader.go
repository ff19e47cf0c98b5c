package simulate

import "breadboard/chains"

// rowReader reads the rows of a kernel, stage after stage.
type rowReader struct {
	entries []chains.Entry // of all rows
	ends    []int          // where the entries of each row end
	width   int            // the most entries of a row that has ever been read
}

// clear forgets all rows.
func (r *rowReader) clear() { r.entries, r.ends = r.entries[:0], r.ends[:0] }

// read appends the rows of the stage at which a sweep is.
func (r *rowReader) read(s *sweep) error {
	s.prepareRows()
	for x := range s.logf {
		first := len(r.entries)
		var err error
		if r.entries, err = s.appendRow(r.entries, x); err != nil {
			return err
		}
		r.width = max(r.width, len(r.entries)-first)
		r.ends = append(r.ends, len(r.entries))
	}
	return nil
}
