package conform

import (
	"context"

	"breadboard/experiments/samples"
)

// ahead reads the next rows of a source while those before are counted. What its Next returns stays as it is until the next
// call, since it is a copy: the source may use the memory of a batch again.
type ahead struct {
	source samples.Source
	ctx    context.Context // of the run: reading goes on from one round of looks to the next
	cancel context.CancelFunc
	coming chan read // what is being read; nil where nothing is
	have   samples.Batch
	given  int // the number of rows of have that have been returned
}

type read struct {
	batch *samples.Batch
	err   error
}

// newAhead returns a reader of a source, of which the first rows have been read, until the context ends. The caller stops it.
func newAhead(ctx context.Context, source samples.Source) *ahead {
	a := &ahead{source: source}
	a.ctx, a.cancel = context.WithCancel(ctx)
	return a
}

// start begins to read.
func (a *ahead) start() {
	coming := make(chan read, 1)
	a.coming = coming
	go func() {
		b, err := a.source.Next(a.ctx, maxBatch)
		coming <- read{b, err}
	}()
}

// next returns the next rows, at most so many. Where the context ends it loses none: they are there for the next call.
func (a *ahead) next(ctx context.Context, rows int) (*samples.Batch, error) {
	if a.given == a.have.Rows {
		if a.coming == nil {
			a.start()
		}
		var r read
		select {
		case r = <-a.coming:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if a.coming = nil; r.err != nil {
			return nil, r.err
		}
		a.have.First, a.have.Rows, a.given = r.batch.First, r.batch.Rows, 0
		a.have.LogW = append(a.have.LogW[:0], r.batch.LogW...)
		a.have.XFirst = append(a.have.XFirst[:0], r.batch.XFirst...)
		a.have.XLast = append(a.have.XLast[:0], r.batch.XLast...)
		a.have.Path = copied(a.have.Path, r.batch.Path)
		a.have.Increments = copied(a.have.Increments, r.batch.Increments)
		a.start()
	}
	from := a.given
	a.given = min(a.have.Rows, from+rows)
	return part(&a.have, from, a.given), nil
}

// stop ends reading, and returns when nothing is read any more.
func (a *ahead) stop() {
	a.cancel()
	if a.coming != nil {
		<-a.coming
		a.coming = nil
	}
}
