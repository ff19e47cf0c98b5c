package simulate

import (
	"math"
	"slices"

	"breadboard/chains"
)

// rowReader reads the rows of a kernel, stage after stage.
type rowReader struct {
	entries []chains.Entry // of all rows
	ends    []int          // where the entries of each row end
	width   int            // the most entries of a row

	begun  bool          // whether a stage has been read
	frame  *chains.Frame // nil where rows are made one by one
	values chains.Values // what the frame is filled for
}

// clear forgets all rows.
func (r *rowReader) clear() { r.entries, r.ends, r.width = r.entries[:0], r.ends[:0], 0 }

// end ends a row, whose entries begin at first.
func (r *rowReader) end(first int) {
	r.width = max(r.width, len(r.entries)-first)
	r.ends = append(r.ends, len(r.entries))
}

// read appends the rows of the stage at which a sweep is.
func (r *rowReader) read(s *sweep) error {
	if r.frame != nil {
		return r.fill(s)
	}
	s.prepareRows()
	for x := range s.logf {
		first := len(r.entries)
		var err error
		if r.entries, err = s.appendRow(r.entries, x); err != nil {
			return err
		}
		r.end(first)
	}
	if r.begun {
		return nil
	}
	r.begun = true
	return r.adopt(s)
}

const (
	// mostFramed is the number of entries of the largest frame that is made.
	mostFramed = 1 << 20
	// frameTolerance is how far a probability of a frame may be from that of the row.
	frameTolerance = 1e-13
)

// adopt makes the frame of a kernel that has one, when the rows of the first stage have been read. It is used where it has the entries of these
// rows in their order. A frame lists a state once that rows may list twice, from which come other tables of the same law, and
// chains of the same seed would no longer be the same.
func (r *rowReader) adopt(s *sweep) error {
	entries, has := chains.FrameEntries(s.kernel, len(s.logf), mostFramed)
	if !has || entries > mostFramed || !s.a.SameKernel(s.direction) {
		return nil
	}
	frame, err := chains.NewFrame(s.kernel, len(s.logf), s.watch.look)
	if err != nil {
		return err
	}
	f := rowReader{frame: frame}
	if err := f.fill(s); err != nil {
		return err
	}
	alike := func(a, b chains.Entry) bool { return a.To == b.To && math.Abs(a.P-b.P) <= frameTolerance }
	if slices.Equal(f.ends, r.ends) && slices.EqualFunc(f.entries, r.entries, alike) {
		r.frame = frame
	}
	return nil
}

// fill appends the rows of the stage at which a sweep is, from the frame. It leaves out what cannot be reached, as rows do.
func (r *rowReader) fill(s *sweep) error {
	r.values.Load(s.logf)
	r.frame.Fill(&r.values)
	for x := range s.logf {
		first := len(r.entries)
		for _, e := range r.frame.Row(x) {
			if e.P > 0 {
				r.entries = append(r.entries, e)
			}
		}
		if err := s.checkRow(x, r.entries[first:]); err != nil {
			return err
		}
		r.end(first)
	}
	return nil
}
